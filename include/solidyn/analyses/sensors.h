#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/analyses/sensor_quantities.h"
#include "solidyn/bodies/frame_quantity.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// What a sensor reads from: a system whose kinematics are up to date for `state`.
struct SensorContext {
  system::System& system;
  const system::State& state;
};

/// A named group of columns of the history.
struct Sensor {
  struct Column {
    std::string name, unit;
  };
  std::vector<Column> columns;
  bool needs_accelerations = false;  ///< System::update_accelerations() must have been called
  bool reads_reactions = true;       ///< of joints: false where it reads no multipliers of `state`
  std::function<void(const SensorContext&, double* values)> read;  ///< fills columns.size() values
};

/// Quantities of a frame relative to another (or kWorld), expressed in that other's axes.
using bodies::FrameQuantity;
enum class VectorComponent { x, y, z, magnitude };

/// The frame that somebody looks from: its motion is taken off, and components are along its axes.
using bodies::kWorld;

/// @param components which columns, in order; column names are `name` or `name.x` ... when several.
/// Orientation is the rotation vector of R_ref^T R (rad). Velocities and
/// accelerations are those seen from the reference frame, its rotation included: the first and
/// second derivative of the relative position's components.
/// @param axes_of frame (or kWorld) along whose axes the components are, if not the reference's:
/// the same vector, in other axes. Proved by tests/unit/analyses.
Sensor frame_sensor(const std::string& name, FrameQuantity quantity, bodies::FrameIndex frame,
                    bodies::FrameIndex relative_to, const std::vector<VectorComponent>& components,
                    std::optional<bodies::FrameIndex> axes_of = std::nullopt);

/// Distance of a point from the chord A -> B, positive along the chord's direction turned by +90
/// degrees about `about` (W), divided by `normalised_by`.
Sensor chord_deflection_sensor(const std::string& name, bodies::FrameIndex point,
                               bodies::FrameIndex A, bodies::FrameIndex B,
                               const Eigen::Vector3d& about, double normalised_by);

/// Force (N) of a support on its body, world axes. @param body must outlive the sensor
Sensor support_force_sensor(const std::string& name, const bodies::SolidBody& body, int support,
                            const std::vector<VectorComponent>& components);
/// The same of a support that is joints between the ground and the body, its second.
Sensor support_force_sensor(const std::string& name,
                            const std::vector<bodies::ConstraintIndex>& joints,
                            const std::vector<VectorComponent>& components);

Sensor multiplier_sensor(const std::string& name, bodies::ConstraintIndex constraint, int index);

/// @param bodies whose energies add up: a body, and those that stand for masses which its frames
/// carry; empty: the whole system
Sensor energy_sensor(const std::string& name, EnergyPart part,
                     const std::vector<bodies::BodyIndex>& bodies);

Sensor momentum_sensor(const std::string& name, MomentumPart part,
                       const std::vector<VectorComponent>& components);

/// The centre of mass of bodies, W. @param bodies  empty: the whole system
Sensor mass_centre_sensor(const std::string& name, CentreQuantity quantity,
                          const std::vector<bodies::BodyIndex>& bodies,
                          const std::vector<VectorComponent>& components);

}  // namespace solidyn::analyses
