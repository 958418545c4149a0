#pragma once
#include <cassert>
#include <stdexcept>
#include <string>
#include <vector>

/// Asserts an invariant of ours in debug builds. Never for a user's input: that is an InputError.
#define SOLIDYN_ASSERT(condition) assert(condition)

namespace solidyn::base {

/// Where in a user's file something was found; line and column count from 1, 0 means "not known".
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

/// One complaint about the user's input, or a warning about it.
struct Diagnostic {
  SourceLocation where;
  std::string what;    ///< what is wrong, in the input's own names, with the rejected value
  std::string remedy;  ///< what to do about it; may be empty
};

/// "file:line:column: error: what\n  remedy", the form that editors and people can read.
std::string format(const Diagnostic& diagnostic, const char* severity = "error");

/// The input is wrong (exit status 2). Carries every complaint found, not only the first.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  InputError(std::string what, std::string remedy = {}, SourceLocation where = {});
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A computation failed (exit status 1): the message says when, where and why.
class ComputationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace solidyn::base
