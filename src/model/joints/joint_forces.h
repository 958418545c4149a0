#pragma once
#include "model/joints/joint_entry.h"

/// Springs, dampers, actuators and stops along what joints leave free, and friction: how the two
/// kinds of coordinates differ, and the keys.
namespace solidyn::model {

struct SpringKeys;

/// A coordinate that is a length, or an angle, in words and units.
struct CoordinateKind {
  const char *name, *effort, *coordinate, *rate;
  const SpringKeys& keys;
  Quantity stiffness, damping, per_rate;
  const TableSpec& (*stop_law)();
};
const CoordinateKind& slides();
const CoordinateKind& turns();

/// `spring`, `damper`, `actuator`, `limits` and `one_way`.
Fields<CoordinateForces> fields_along(const CoordinateKind& kind);

/// Where the keys of what acts along the freedom are: the joint itself where it has a single one,
/// else a table of the freedom's name.
TableView table_of_freedom(const TableView& joint, const JointTraits& traits, JointFreedom freedom);

}  // namespace solidyn::model
