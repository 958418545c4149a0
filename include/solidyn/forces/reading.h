#pragma once
#include <vector>

namespace solidyn::forces {

/// A quantity that a force shows to sensors, with its SI unit.
struct Reading {
  const char* name;
  const char* si;
  bool operator==(const Reading& other) const;
};
using Readings = std::vector<Reading>;

/// The readings of every force between two frames, after its own ones: force_x ... torque_z of the
/// wrench on one of the frames, the energy that it stores, and the power that it puts in.
const Readings& readings_of_every_force();

}  // namespace solidyn::forces
