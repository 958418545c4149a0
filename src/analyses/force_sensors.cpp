#include "solidyn/analyses/force_sensors.h"

#include <algorithm>

#include "analyses/wrench_on_side.h"
#include "solidyn/base/error.h"
#include "solidyn/forces/set_valued.h"

namespace solidyn::analyses {
namespace {

using forces::Force;

// Components of the wrench; those that are not requested are not computed.
Vector6 wrench_on(const Force& force, const SensorContext& c, JointSide on, ReactionAxes axes) {
  const std::optional<Force::PairWrench> pair = force.pair_wrench(c.system.kinematics(), c.state.t);
  SOLIDYN_ASSERT(pair);
  return wrench_on_side(pair->wrench, pair->link.pair(c.system.kinematics()), on, axes);
}

// All that the force shows, in the order of its readings.
void read_all(const Force& force, const SensorContext& c, JointSide on, ReactionAxes axes,
              bool has_wrench, std::vector<double>& values) {
  const bodies::Kinematics& kinematics = c.system.kinematics();
  const std::size_t n_own = force.readings().size();
  values.assign(n_own + forces::readings_of_every_force().size(), 0.0);
  force.read(kinematics, c.state.t, values.data());
  double* behind = values.data() + n_own;
  if (has_wrench) Vector6::Map(behind) = wrench_on(force, c, on, axes);
  behind[6] = force.energy(kinematics, c.state.t);
  behind[7] = force.power(kinematics, c.state.t);
}

}  // namespace

Sensor force_sensor(forces::ForceIndex force, JointSide on, ReactionAxes axes,
                    std::vector<ForceColumn> columns) {
  Sensor s;
  s.reads_reactions = false;
  for (const ForceColumn& column : columns) s.columns.push_back(column.column);
  s.read = [=, columns = std::move(columns)](const SensorContext& c, double* values) {
    const Force& read = c.system.force(force);
    const int first = static_cast<int>(read.readings().size());
    const bool has_wrench =
        std::any_of(columns.begin(), columns.end(), [&](const ForceColumn& column) {
          return column.reading >= first && column.reading < first + 6;
        });
    std::vector<double> all;
    read_all(read, c, on, axes, has_wrench, all);
    for (const ForceColumn& column : columns) *values++ = all[column.reading];
  };
  return s;
}

Sensor joint_force_sensor(const std::string& name, const std::vector<forces::ForceIndex>& forces,
                          ReactionAxes axes, int component) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = {{name, component < 3 ? "N" : "N m"}};
  s.read = [=](const SensorContext& c, double* value) {
    *value = 0.0;
    for (const forces::ForceIndex k : forces)
      *value += wrench_on(c.system.force(k), c, JointSide::second, axes)[component];
  };
  return s;
}

// The wrench on the second place is e times its part of the row, so that e is what it is per row.
Sensor force_along_sensor(const std::string& name, const std::vector<forces::ForceIndex>& forces,
                          const bodies::Coordinate& coordinate) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = {{name, "N"}};
  s.read = [=](const SensorContext& c, double* value) {
    const bodies::Kinematics& k = c.system.kinematics();
    *value = 0.0;
    for (const forces::ForceIndex index : forces) {
      const auto on_pair = c.system.force(index).pair_wrench(k, c.state.t);
      const auto row = bodies::value_of(coordinate, on_pair->link.pair(k)).J.tail<6>();
      *value += row.dot(on_pair->wrench.tail<6>()) / row.squaredNorm();
    }
  };
  return s;
}

namespace {

double state_of(const forces::SetValuedLaw& law, const forces::SetValuedPoint& point) {
  if (point.phase == forces::SetValuedPoint::Phase::open) return 0.0;
  return law.can_stick() && !point.sticks ? 1.0 : 2.0;
}

}  // namespace

Sensor set_valued_sensor(const std::string& name, const std::vector<forces::ForceIndex>& forces,
                         SetValuedQuantity quantity, const std::string& unit) {
  Sensor s;
  s.columns = {{name, unit}};
  s.read = [=](const SensorContext& c, double* value) {
    *value = 0.0;
    for (const forces::ForceIndex k : forces) {
      const forces::SetValued& law = *c.system.force(k).as_set_valued();
      const forces::SetValuedPoint point = law.kept(0);
      if (quantity == SetValuedQuantity::state)
        *value = std::max(*value, state_of(law.law(), point));
      else
        *value += point.impulse[0];
    }
  };
  return s;
}

Sensor drive_sensor(const std::string& name, bodies::ConstraintIndex constraint,
                    const std::vector<DriveQuantity>& quantities) {
  const Sensor::Column of_quantity[] = {{".force", "N"}, {".torque", "N m"}, {".power", "W"}};
  Sensor s;
  for (DriveQuantity q : quantities) {
    s.columns.push_back(of_quantity[static_cast<int>(q)]);
    s.columns.back().name = quantities.size() == 1 ? name : name + s.columns.back().name;
  }
  s.read = [=](const SensorContext& c, double* values) {
    const joints::Joint& drive = joints::joint_of(c.system.constraint(constraint));
    const auto lambda =
        c.state.lambda.segment(c.system.layout().constraint_offset(constraint), drive.n_rows());
    // At the speed that there is, which in statics is none.
    const bodies::FramePair f = drive.link().pair(c.system.kinematics());
    const double power = -lambda.dot(drive.pair_rows(f).lazyProduct(f.twist()));
    for (DriveQuantity q : quantities) *values++ = q == DriveQuantity::power ? power : -lambda[0];
  };
  return s;
}

}  // namespace solidyn::analyses
