#pragma once
#include <mpi.h>

#include <functional>
#include <string>

namespace solidyn::base {

/// The name under which a file is written before it replaces `path`; in the same folder.
std::string temporary_name(const std::string& path);
/// The same, of this process alone: for files that several runs may write at a time.
std::string own_temporary_name(const std::string& path);

/// Makes the finished file `temporary` (by default temporary_name(path)) take the place of `path`:
/// its bytes reach the disk first, then one rename. Whoever opens `path` at any time, after a crash
/// too, sees the old file or the new one, whole. Throws ComputationError with the system's reason,
/// and leaves no temporary file. Local; one process calls it.
void replace_by_temporary(const std::string& path);
void replace_by_temporary(const std::string& path, const std::string& temporary);

/// Writes `text` to `path` in that way. Without `durable` the bytes may still be in the system's
/// memory when it returns: safe against a killed process, not against a power cut.
void write_atomically(const std::string& path, const std::string& text, bool durable = true);
/// The same by a temporary file of another name.
void write_atomically(const std::string& path, const std::string& text, bool durable,
                      const std::string& temporary);

/// Collective. Lets `write` make the file temporary_name(path), collectively and ending in an error
/// on all ranks or on none, and replaces `path` by it. A failure leaves no temporary file.
void write_beside_and_replace(MPI_Comm comm, const std::string& path,
                              const std::function<void(const std::string& temporary)>& write);

}  // namespace solidyn::base
