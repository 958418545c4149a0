#include "solidyn/analyses/sensors.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/mass_centre.h"

namespace solidyn::analyses {
namespace {

using bodies::FrameIndex;
using bodies::FrameMotion;
using Eigen::Vector3d;

const char* suffix(VectorComponent c) {
  switch (c) {
    case VectorComponent::x:
      return ".x";
    case VectorComponent::y:
      return ".y";
    case VectorComponent::z:
      return ".z";
    case VectorComponent::magnitude:
      return ".magnitude";
  }
  return "";
}

std::vector<Sensor::Column> vector_columns(const std::string& name,
                                           const std::vector<VectorComponent>& components,
                                           const char* unit) {
  std::vector<Sensor::Column> columns;
  columns.reserve(components.size());
  for (VectorComponent c : components)
    columns.push_back({components.size() == 1 ? name : name + suffix(c), unit});
  return columns;
}

void write_components(const Vector3d& v, const std::vector<VectorComponent>& components,
                      double* values) {
  for (VectorComponent c : components)
    *values++ = c == VectorComponent::magnitude ? v.norm() : v[static_cast<int>(c)];
}

const char* unit_of(FrameQuantity quantity) {
  switch (quantity) {
    case FrameQuantity::position:
      return "m";
    case FrameQuantity::velocity:
      return "m/s";
    case FrameQuantity::acceleration:
      return "m/s^2";
    case FrameQuantity::orientation:
      return "rad";
    case FrameQuantity::angular_velocity:
      return "rad/s";
    case FrameQuantity::angular_acceleration:
      return "rad/s^2";
  }
  return "";
}

double part_of(EnergyPart part, const bodies::Energy& e) {
  switch (part) {
    case EnergyPart::kinetic:
      return e.kinetic;
    case EnergyPart::strain:
      return e.strain;
    case EnergyPart::potential:
      return e.potential;
    case EnergyPart::total:
      return e.kinetic + e.strain + e.potential;
  }
  return 0.0;
}

}  // namespace

Sensor frame_sensor(const std::string& name, FrameQuantity quantity, FrameIndex frame,
                    FrameIndex relative_to, const std::vector<VectorComponent>& components,
                    std::optional<FrameIndex> axes_of) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = vector_columns(name, components, unit_of(quantity));
  s.needs_accelerations =
      quantity == FrameQuantity::acceleration || quantity == FrameQuantity::angular_acceleration;
  const FrameIndex axes = axes_of.value_or(relative_to);
  s.read = [=](const SensorContext& c, double* values) {
    const auto motion = [&](FrameIndex i) {
      return i == kWorld ? nullptr : &c.system.kinematics().frames[i];
    };
    write_components(
        bodies::quantity_seen(quantity, *motion(frame), motion(relative_to), motion(axes)),
        components, values);
  };
  return s;
}

Sensor chord_deflection_sensor(const std::string& name, FrameIndex point, FrameIndex A,
                               FrameIndex B, const Vector3d& about, double normalised_by) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = {{name, normalised_by == 1.0 ? "m" : "1"}};
  s.read = [=](const SensorContext& c, double* values) {
    const auto& frames = c.system.kinematics().frames;
    try {
      *values =
          bodies::chord_deflection(frames[point], frames[A], frames[B], about) / normalised_by;
    } catch (const base::ComputationError& e) {
      throw base::ComputationError(
          fmt::format("t = {:.6g} s: sensor {}: {}", c.state.t, name, e.what()));
    }
  };
  return s;
}

Sensor support_force_sensor(const std::string& name, const bodies::SolidBody& body, int support,
                            const std::vector<VectorComponent>& components) {
  Sensor s;
  s.columns = vector_columns(name, components, "N");
  s.read = [=, solid = &body](const SensorContext&, double* values) {
    write_components(solid->support_forces().col(support), components, values);
  };
  return s;
}

Sensor support_force_sensor(const std::string& name,
                            const std::vector<bodies::ConstraintIndex>& joints,
                            const std::vector<VectorComponent>& components) {
  Sensor s;
  s.columns = vector_columns(name, components, "N");
  s.read = [=](const SensorContext& c, double* values) {
    Vector3d force = Vector3d::Zero();
    for (const bodies::ConstraintIndex index : joints) {
      const joints::Joint& joint = joints::joint_of(c.system.constraint(index));
      force += joint
                   .reaction(c.system.kinematics(),
                             c.state.lambda.segment(c.system.layout().constraint_offset(index),
                                                    joint.n_rows()))
                   .segment<3>(6);
    }
    write_components(force, components, values);
  };
  return s;
}

Sensor multiplier_sensor(const std::string& name, bodies::ConstraintIndex constraint, int index) {
  Sensor s;
  s.columns = {{name, "N or N m"}};
  s.read = [=](const SensorContext& c, double* values) {
    *values = c.state.lambda[c.system.layout().constraint_offset(constraint) + index];
  };
  return s;
}

Sensor energy_sensor(const std::string& name, EnergyPart part,
                     const std::vector<bodies::BodyIndex>& bodies) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = {{name, "J"}};
  s.read = [=](const SensorContext& c, double* values) {
    bodies::Energy energy;
    for (const bodies::BodyIndex body : bodies)
      energy += c.system.body(body).energy(c.system.kinematics().bodies[body], c.system.gravity());
    *values = part_of(part, bodies.empty() ? c.system.energy(c.state) : energy);
  };
  return s;
}

Sensor momentum_sensor(const std::string& name, MomentumPart part,
                       const std::vector<VectorComponent>& components) {
  Sensor s;
  s.reads_reactions = false;
  s.columns =
      vector_columns(name, components, part == MomentumPart::linear ? "kg m/s" : "kg m^2/s");
  if (part == MomentumPart::centroidal) {
    s.read = [=](const SensorContext& c, double* values) {
      write_components(system::find_mass_centre(c.system).angular_momentum, components, values);
    };
    return s;
  }
  s.read = [=](const SensorContext& c, double* values) {
    const bodies::Momentum p = c.system.momentum(c.state);
    write_components(part == MomentumPart::linear ? p.linear : p.angular, components, values);
  };
  return s;
}

Sensor mass_centre_sensor(const std::string& name, CentreQuantity quantity,
                          const std::vector<bodies::BodyIndex>& bodies,
                          const std::vector<VectorComponent>& components) {
  Sensor s;
  s.reads_reactions = false;
  s.columns = vector_columns(name, components, quantity == CentreQuantity::position ? "m" : "m/s");
  s.read = [=](const SensorContext& c, double* values) {
    const system::MassCentre centre = system::find_mass_centre(c.system, bodies);
    write_components(quantity == CentreQuantity::position ? centre.p : centre.v, components,
                     values);
  };
  return s;
}

}  // namespace solidyn::analyses
