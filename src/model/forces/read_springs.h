#pragma once
#include "model/analyses/read_table.h"
#include "model/language/table_view.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// The keys of springs and dampers along a coordinate, and what its unit and that of the effort
/// against it are in SI.
struct SpringKeys {
  const char *free, *by_extension, *by_rate, *formula;
  double x_scale, effort_scale;
  const char *x_si, *effort_si;
};
SpringKeys along_a_line(const TableView& view);
SpringKeys about_an_axis(const TableView& view);

/// With a complaint when there is no spring, no damper and no actuator.
SpringDescription read_spring(const TableView& view, const SpringKeys& keys);

/// `spring`, `damper`, `actuator`, `limits` and `friction` of a joint.
JointForcesDescription read_joint_forces(const TableView& joint);
/// Their actuators over sensors, which are read after the joints that sensors name.
void read_joint_actuators(const TableView& file, const std::vector<SensorDescription>& sensors,
                          std::vector<JointDescription>& joints);

/// A curve through points; nothing when the key is not there, or after a complaint.
std::optional<math::Curve> read_curve(const TableView& view, const std::string& key,
                                      const TableUnits& units);

}  // namespace solidyn::model
