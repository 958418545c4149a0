#pragma once
#include <string>

namespace solidyn::imported {

/// What one unit of a file is in SI. Files carry no units: the user states them.
struct Units {
  double length = 1.0;  ///< m
  double mass = 1.0;    ///< kg
  double time = 1.0;    ///< s

  double stress() const { return mass / (length * time * time); }
  double density() const { return mass / (length * length * length); }
  /// Of a translational stiffness, force per length.
  double stiffness() const { return mass / (time * time); }
};

/// "SI", "tonne-mm-s", "kg-mm-ms", "kg-mm-s", "lbf-in-s", as users name consistent sets.
/// @throws base::InputError that lists them
Units units_by_name(const std::string& name);

}  // namespace solidyn::imported
