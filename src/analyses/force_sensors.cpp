#include "solidyn/analyses/force_sensors.h"

#include "analyses/wrench_on_side.h"
#include "solidyn/base/error.h"
#include "solidyn/forces/actuated_force.h"
#include "solidyn/forces/bushing.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::analyses {
namespace {

using forces::Force;

// Looks at one force in one state.
class Reading {
 public:
  Reading(const Force& force, const SensorContext& c, JointSide on, ReactionAxes axes)
      : force_(force), kinematics_(c.system.kinematics()), t_(c.state.t), on_(on), axes_(axes) {}

  double value(ForceQuantity quantity) const {
    if (quantity <= ForceQuantity::effort) return along_coordinate(quantity);
    if (quantity <= ForceQuantity::rotation_z)
      return displacement()[number(quantity, ForceQuantity::displacement_x)];
    if (quantity <= ForceQuantity::torque_z)
      return wrench()[number(quantity, ForceQuantity::force_x)];
    return quantity == ForceQuantity::energy ? force_.energy(kinematics_, t_)
                                             : force_.power(kinematics_, t_);
  }

 private:
  static int number(ForceQuantity quantity, ForceQuantity first) {
    return static_cast<int>(quantity) - static_cast<int>(first);
  }

  double along_coordinate(ForceQuantity quantity) const {
    const forces::CoordinateForce::Reading r = reading();
    switch (quantity) {
      case ForceQuantity::coordinate:
        return r.x;
      case ForceQuantity::extension:
        return r.extension;
      case ForceQuantity::rate:
        return r.rate;
      default:
        return r.effort;
    }
  }

  forces::CoordinateForce::Reading reading() const {
    if (const auto* actuated = dynamic_cast<const forces::ActuatedForce*>(&force_))
      return actuated->reading(kinematics_, t_);
    const auto& force = static_cast<const forces::CoordinateForce&>(force_);
    return force.reading(force.pair(kinematics_), t_);
  }

  forces::Bushing::Vector6 displacement() const {
    const auto& bushing = static_cast<const forces::Bushing&>(force_);
    return bushing.displacement(bushing.pair(kinematics_));
  }

  Vector6 wrench() const {
    const std::optional<Force::PairWrench> on_pair = force_.pair_wrench(kinematics_, t_);
    SOLIDYN_ASSERT(on_pair);
    return wrench_on_side(on_pair->wrench, on_pair->link.pair(kinematics_), on_, axes_);
  }

  const Force& force_;
  const bodies::Kinematics& kinematics_;
  double t_;
  JointSide on_;
  ReactionAxes axes_;
};

}  // namespace

Sensor force_sensor(int force, JointSide on, ReactionAxes axes, std::vector<ForceColumn> columns) {
  Sensor s;
  for (const ForceColumn& column : columns) s.columns.push_back(column.column);
  s.read = [=, columns = std::move(columns)](const SensorContext& c, double* values) {
    const Reading reading(c.system.force(force), c, on, axes);
    for (const ForceColumn& column : columns) *values++ = reading.value(column.quantity);
  };
  return s;
}

Sensor joint_force_sensor(const std::string& name, const std::vector<int>& forces,
                          ReactionAxes axes, int component) {
  Sensor s;
  s.columns = {{name, component < 3 ? "N" : "N m"}};
  s.read = [=](const SensorContext& c, double* value) {
    *value = 0.0;
    for (int k : forces) {
      const bodies::Kinematics& kinematics = c.system.kinematics();
      const auto on_pair = c.system.force(k).pair_wrench(kinematics, c.state.t);
      SOLIDYN_ASSERT(on_pair);
      *value += wrench_on_side(on_pair->wrench, on_pair->link.pair(kinematics), JointSide::second,
                               axes)[component];
    }
  };
  return s;
}

Sensor drive_sensor(const std::string& name, int constraint,
                    const std::vector<DriveQuantity>& quantities) {
  const Sensor::Column of_quantity[] = {{".force", "N"}, {".torque", "N m"}, {".power", "W"}};
  Sensor s;
  for (DriveQuantity q : quantities) {
    s.columns.push_back(of_quantity[static_cast<int>(q)]);
    s.columns.back().name = quantities.size() == 1 ? name : name + s.columns.back().name;
  }
  s.read = [=](const SensorContext& c, double* values) {
    const auto& drive = static_cast<const joints::Joint&>(c.system.constraint(constraint));
    const auto lambda =
        c.state.lambda.segment(c.system.constraint_offset(constraint), drive.n_rows());
    // At the speed that there is, which in statics is none.
    const bodies::FramePair f = drive.link().pair(c.system.kinematics());
    const double power = -lambda.dot(drive.pair_rows(f).lazyProduct(f.twist()));
    for (DriveQuantity q : quantities) *values++ = q == DriveQuantity::power ? power : -lambda[0];
  };
  return s;
}

}  // namespace solidyn::analyses
