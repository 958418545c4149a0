#include "solidyn/imported/units.h"

#include <fmt/format.h>

#include <map>

#include "solidyn/base/error.h"

namespace solidyn::imported {
namespace {

constexpr double kPound = 0.45359237;                 // kg
constexpr double kInch = 0.0254;                      // m
constexpr double kSlinch = kPound * 9.80665 / kInch;  // lbf s^2 / in, kg

const std::map<std::string, Units>& known_units() {
  static const std::map<std::string, Units> units = {{"SI", {}},
                                                     {"tonne-mm-s", {1e-3, 1e3, 1.0}},
                                                     {"kg-mm-ms", {1e-3, 1.0, 1e-3}},
                                                     {"kg-mm-s", {1e-3, 1.0, 1.0}},
                                                     {"lbf-in-s", {kInch, kSlinch, 1.0}}};
  return units;
}

}  // namespace

Units units_by_name(const std::string& name) {
  const auto found = known_units().find(name);
  if (found != known_units().end()) return found->second;
  std::string names;
  for (const auto& [known, units] : known_units()) names += (names.empty() ? "" : ", ") + known;
  throw base::InputError(fmt::format("unknown unit system `{}`", name), "expected " + names);
}

}  // namespace solidyn::imported
