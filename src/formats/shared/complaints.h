#pragma once
#include <string>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::formats {

/// The complaints about a file, until it is read or there are too many to be of use. Private to
/// the readers.
class Complaints {
 public:
  static constexpr std::size_t kMost = 20;

  /// Throws InputError with all of them once there are kMost.
  void add(base::Diagnostic complaint) {
    complaints_.push_back(std::move(complaint));
    if (complaints_.size() >= kMost) throw_if_any();
  }
  void add(const base::InputError& error) {
    for (const base::Diagnostic& complaint : error.diagnostics()) add(complaint);
  }
  void throw_if_any() const {
    if (!complaints_.empty()) throw base::InputError(complaints_);
  }
  bool empty() const { return complaints_.empty(); }

 private:
  std::vector<base::Diagnostic> complaints_;
};

}  // namespace solidyn::formats
