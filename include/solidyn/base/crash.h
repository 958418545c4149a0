#pragma once
#include <functional>
#include <string>

/// What becomes of a process that crashes: SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT.
namespace solidyn::base {

/// From now on a crash is reported in one line, leaves the file of set_crash_file(), and then ends
/// the process as it would have. A file too large for the process's limit (SIGXFSZ) is an error of
/// the call that writes it, not the end. For programs, not for libraries. Local.
void install_crash_handlers();

/// What a crash writes: `text` into the file `path`, by way of its temporary name. An empty path:
/// nothing. Local; the handler allocates nothing.
void set_crash_file(const std::string& path, const std::string& text);
/// Writes it now, for a process that is about to be aborted.
void write_crash_file();

/// Runs foreign code. @return the signal by which it crashed, 0 when it did not. What the code held
/// at that moment (memory, locks) stays so: the process must not run it again and should end soon,
/// for which it has two minutes.
/// @pre install_crash_handlers(), else a crash ends the process
int run_guarded(const std::function<void()>& foreign);

}  // namespace solidyn::base
