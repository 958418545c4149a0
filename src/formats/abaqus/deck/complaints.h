#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::formats {

/// Collects what is wrong with a file, so that the user sees it at once rather than one by one.
class AbaqusComplaints {
 public:
  /// Throws all of them when there are as many as a user can take in.
  void add(base::SourceLocation where, std::string what, std::string remedy) {
    all_.push_back({std::move(where), std::move(what), std::move(remedy)});
    if (all_.size() >= kMost) throw_if_any();
  }
  void throw_if_any() {
    if (!all_.empty()) throw base::InputError(std::move(all_));
  }

 private:
  static constexpr std::size_t kMost = 20;
  std::vector<base::Diagnostic> all_;
};

}  // namespace solidyn::formats
