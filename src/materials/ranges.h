#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::materials {

/// Collects what is wrong with the properties of a material, and throws it all at once.
class Ranges {
 public:
  explicit Ranges(std::string name) : name_(std::move(name)) {}

  void require(bool holds, const std::string& key, double value, const std::string& range) {
    if (!holds)
      found_.push_back({{}, fmt::format("{}.{} is {}", name_, key, value), "give " + range});
  }
  void complain(const std::string& what, std::string remedy) {
    found_.push_back({{}, name_ + what, std::move(remedy)});
  }
  void require_density(double density) {
    require(density > 0, "density", density,
            "a positive value in kg/m^3, for example 7850 for steel");
  }
  bool is_empty() const { return found_.empty(); }
  void throw_if_any() {
    if (!found_.empty()) throw base::InputError(std::move(found_));
  }

 private:
  std::string name_;
  std::vector<base::Diagnostic> found_;
};

}  // namespace solidyn::materials
