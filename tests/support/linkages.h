#pragma once
#include <memory>

#include "solidyn/system/system.h"

/// Linkages with more joints than a count of rows allows, of slender rods of 1 kg per metre,
/// gravity 9.81 along -y.
namespace solidyn::testing_support {

/// Case A02: n windows in a row, of n + 1 cranks and n couplers of 1 m on revolute joints about z.
/// Cranks are vertical, upwards, and their ends move with 1 m/s along x. Joints are declared from
/// left to right: "pivot i" of crank i, "left i" and "right i" of coupler i.
/// @param order of declaration; empty: as above
/// @param friction  coefficient of add_friction(); 0: none
std::unique_ptr<system::System> make_four_bars(int n, const std::vector<int>& order = {},
                                               double friction = 0.0);

/// One window of case A02 at rest without a row too many, for its couplers' joints are spherical
/// and cylindrical, whose left crank "drive" turns by `angle`, an expression of t.
std::unique_ptr<system::System> make_driven_parallelogram(const std::string& angle);

/// A parallelogram whose coupler of 2 m is held by a third crank in its middle.
std::unique_ptr<system::System> make_five_bar_parallelogram();

/// Bricard's linkage: five rods of 1 m and the ground along the edges of a cube, six revolute
/// joints, "joint 1" to "joint 6", across them.
std::unique_ptr<system::System> make_bricard();

}  // namespace solidyn::testing_support
