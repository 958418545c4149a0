#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <string>
#include <vector>

namespace solidyn::integrators {

/// Something that happened to a set-valued contact at the end of a step.
struct ContactEvent {
  enum class Kind {
    impact,                    ///< a gap has closed: velocities have jumped
    impact_without_collision,  ///< velocities have jumped because no force keeps it closed
    opens,
    sticks,
    slips
  };
  static constexpr std::size_t kKinds = 5;
  bool is_impact() const { return kind == Kind::impact || kind == Kind::impact_without_collision; }
  double t = 0.0;       ///< s
  std::string contact;  ///< its name in the model
  int point = 1;        ///< of those at which it acts, from 1
  Kind kind = Kind::impact;
  double speed_before = 0.0;  ///< m/s, of the gap; of `sticks` and `slips` that of the slip
  double speed_after = 0.0;   ///< m/s, likewise
  double impulse = 0.0;       ///< N s, of its normal component
  std::string bodies;         ///< of a contact between groups: "ball3 ball7"; else empty
};
/// "impact", "impact without collision", "opens", ...
const char* name(ContactEvent::Kind kind);

/// What set-valued contacts did at the end of a step.
struct ContactReport {
  std::vector<ContactEvent> events;
  /// J, of each island: by impacts and by closing gaps; empty where there were none.
  Eigen::VectorXd energy_change;
  /// W, of each island: external powers at the end of the step, before impacts; empty without.
  Eigen::VectorXd powers;
  /// J, of each island, where Euler's formula took the step: by what acted within it.
  Eigen::VectorXd euler_change;
  /// J, of `energy_change`: by drives, whose joints have impulses too.
  double work_of_drives = 0.0;
  /// W, of each island, of `powers`: without those of set-valued laws (SetValuedPowers::whole).
  Eigen::VectorXd loads;
  /// W, of each island, that friction takes at the end of the step, before impacts.
  Eigen::VectorXd friction_power;
  /// J, of each island, that it has taken within the step, where a scheme knows it: Euler's formula
  /// and those that have impulses. Empty elsewhere.
  Eigen::VectorXd friction_loss;
  /// J, of each island: what the mean of the powers at both ends of the step takes too much of slip
  /// that ended within it; empty where none did.
  Eigen::VectorXd ended_slip;
  int n_closed = 0;          ///< points
  double penetration = 0.0;  ///< m, deepest
  double overrun = 0.0;      ///< rad, of gaps that are angles
  void note_gap(double gap, bool is_angle) {
    double& deepest = is_angle ? overrun : penetration;
    deepest = std::max(deepest, -gap);
  }
  bool has_impact() const {
    for (const ContactEvent& event : events)
      if (event.is_impact()) return true;
    return false;
  }
};

}  // namespace solidyn::integrators
