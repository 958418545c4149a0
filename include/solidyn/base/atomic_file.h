#pragma once
#include <string>

namespace solidyn::base {

/// The name under which a file is written before it replaces `path`; in the same folder.
std::string temporary_name(const std::string& path);

/// Makes the finished file temporary_name(path) take the place of `path`: its bytes reach the disk
/// first, then one rename. Whoever opens `path` at any time, after a crash too, sees the old file
/// or the new one, whole. Throws ComputationError with the system's reason. Local; one process
/// calls it.
void replace_by_temporary(const std::string& path);

/// Writes `text` to `path` in that way. Without `durable` the bytes may still be in the system's
/// memory when it returns: safe against a killed process, not against a power cut.
void write_atomically(const std::string& path, const std::string& text, bool durable = true);

}  // namespace solidyn::base
