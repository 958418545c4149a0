#pragma once
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/model/grammar.h"

/// What the tables of the grammar are written with.
namespace solidyn::model {

using Words = std::vector<std::string>;

inline const Quantity kLength{"m", 1, 0, 0, 0, 0};
inline const Quantity kMass{"kg", 0, 1, 0, 0, 0};
inline const Quantity kTime{"s", 0, 0, 1, 0, 0};
inline const Quantity kRate{"1/s", 0, 0, -1, 0, 0};
inline const Quantity kAngle{"rad", 0, 0, 0, 1, 0};
inline const Quantity kVelocity{"m/s", 1, 0, -1, 0, 0};
inline const Quantity kAngularVelocity{"rad/s", 0, 0, -1, 1, 0};
inline const Quantity kAcceleration{"m/s^2", 1, 0, -2, 0, 0};
inline const Quantity kAngularAcceleration{"rad/s^2", 0, 0, -2, 1, 0};
inline const Quantity kInertia{"kg m^2", 2, 1, 0, 0, 0};
inline const Quantity kDensity{"kg/m^3", -3, 1, 0, 0, 0};
inline const Quantity kPressure{"Pa", -2, 0, 0, 0, 1};
inline const Quantity kForce{"N", 0, 0, 0, 0, 1};
inline const Quantity kTorque{"N m", 1, 0, 0, 0, 1};
inline const Quantity kStiffness{"N/m", -1, 0, 0, 0, 1};
inline const Quantity kViscosity{"N s/m", -1, 0, 1, 0, 1};
inline const Quantity kTorsionalStiffness{"N m/rad", 1, 0, 0, -1, 1};
inline const Quantity kTorsionalViscosity{"N m s/rad", 1, 0, 1, -1, 1};
inline const Quantity kEnergy{"J", 1, 0, 0, 0, 1};
inline const Quantity kPower{"W", 1, 0, -1, 0, 1};
inline const Quantity kMomentum{"kg m/s", 1, 1, -1, 0, 0};
inline const Quantity kImpulse{"N s", 1, 1, -1, 0, 0};
inline const Quantity kAngularMomentum{"kg m^2/s", 2, 1, -1, 0, 0};
inline const Quantity kCurvature{"1/m", -1, 0, 0, 0, 0};
inline const Quantity kSlowness{"s/m", -1, 0, 1, 0, 0};
inline const Quantity kArea{"m^2", 2, 0, 0, 0, 0};
/// Degrees are the same in all units.
inline const Quantity kTemperatureChange{"K", 0, 0, 0, 0, 0};
inline const Quantity kExpansion{"1/K", 0, 0, 0, 0, 0};
/// Seconds of the clock on the wall: not converted.
inline const Quantity kWallTime{"s (wall clock)", 0, 0, 0, 0, 0};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline const Range kPositive{0.0, kInfinity, false, true};
inline const Range kNotNegative{0.0, kInfinity, true, true};
inline const Range kOneOrMore{1.0, kInfinity, true, true};

/// Builds a KeySpec in one expression: key(...).in(kMass).within(kPositive).needed().
class Key {
 public:
  Key(std::string key, Form form, std::string meaning, std::string example = {}) {
    spec_.key = std::move(key);
    spec_.form = form;
    spec_.meaning = std::move(meaning);
    spec_.example = std::move(example);
  }
  operator KeySpec() const { return spec_; }  // NOLINT(google-explicit-constructor)
  Key& in(const Quantity& quantity) { return spec_.quantity = quantity, *this; }
  Key& within(const Range& range) { return spec_.range = range, *this; }
  Key& or_else(std::string fallback) { return spec_.fallback = std::move(fallback), *this; }
  /// The default is that of the member that the key is bound to (language/field.h).
  Key& or_default() { return shows_default_ = true, *this; }
  bool shows_default() const { return shows_default_; }
  Key& needed() { return spec_.is_required = true, *this; }
  Key& unless(std::string other) { return spec_.replaced_by = std::move(other), *this; }
  Key& of(Words types) { return spec_.types = std::move(types), *this; }
  Key& among(Words words) { return spec_.words = std::move(words), *this; }
  Key& later(Words words) { return spec_.planned = std::move(words), *this; }
  Key& sized(int n) { return spec_.size = n, *this; }
  Key& holds(const TableSpec& table) { return spec_.table = &table, *this; }
  Key& with(std::string other) { return spec_.needs = std::move(other), *this; }

 private:
  KeySpec spec_;
  bool shows_default_ = false;
};

/// The top level: units, materials, solver, output.
const TableSpec& units_table();
const TableSpec& material_table();
const TableSpec& solver_table();
const TableSpec& output_table();
const TableSpec& statistics_table();

/// Where bodies and frames are, and how fast.
const TableSpec& rotation_table();
const TableSpec& pose_table();
const TableSpec& frame_table();
const TableSpec& velocity_table();
const TableSpec& appearance_table();

/// `bodies`, and tables in them.
const TableSpec& body_table();
const TableSpec& interface_table();
const TableSpec& damping_table();
const TableSpec& rayleigh_table();

/// Which nodes of a mesh; several tables hold it.
const TableSpec& nodes_table();
const TableSpec& box_table();
const TableSpec& cylinder_table();

/// `modes` of a body, and the load patterns in it.
const TableSpec& modes_of_body_table();
const TableSpec& static_load_table();

/// `import` of a body.
const TableSpec& import_table();

/// `forces`, and a force by points in it.
const TableSpec& force_table();
const TableSpec& curve_table();

/// `spring`, `damper`, `actuator`, `limits` and `friction` of a joint.
const TableSpec& slide_table();
const TableSpec& turn_table();
const TableSpec& slide_spring_table();
const TableSpec& turn_spring_table();
const TableSpec& slide_damper_table();
const TableSpec& turn_damper_table();
const TableSpec& slide_limits_table();
const TableSpec& turn_limits_table();
const TableSpec& slide_stop_law_table();
const TableSpec& turn_stop_law_table();
const TableSpec& friction_table();
/// `joints`, and a term of a coupler.
const TableSpec& joint_table();
const TableSpec& coupling_term_table();
const TableSpec& cam_table();

/// Of a curve through points: those under the first key or in a file, and what is between them.
std::vector<KeySpec> table_keys(const KeySpec& points, const char* interpolation);

/// `track`, and tables in it; what the file of a profile needs.
const TableSpec& track_table();
const TableSpec& plan_segment_table();
const TableSpec& gradient_segment_table();
const TableSpec& irregularities_table();
const TableSpec& own_spectrum_table();
const TableSpec& profile_file_table();

/// `loads`, `supports`, and a function of time by points.
const TableSpec& load_table();
const TableSpec& support_table();
const TableSpec& time_table();

/// `sensors`.
const TableSpec& sensor_table();

/// `analyses`, those in time and statics, and tables in them.
const TableSpec& analysis_table();
const TableSpec& dynamics_table();
const TableSpec& adaptive_table();
const TableSpec& start_table();
const TableSpec& baumgarte_table();
const TableSpec& stop_table();
const TableSpec& kinematics_table();
const TableSpec& inverse_dynamics_table();
const TableSpec& statics_table();

/// Linear analyses: `modes`, `linearise`, `frequency_response`.
const TableSpec& modes_table();
const TableSpec& linearise_table();
const TableSpec& frequency_response_table();
const TableSpec& reflected_inertia_table();

/// `stress` of a body.
const TableSpec& stress_table();

}  // namespace solidyn::model
