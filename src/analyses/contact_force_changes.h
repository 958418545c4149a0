#pragma once
#include <vector>

#include "solidyn/system/linearisation.h"

namespace solidyn::analyses {

/// How the forces of closed set-valued contacts, which a state keeps, follow small motions about
/// it: as their tangents have it. Local.
class ContactForceChanges {
 public:
  /// @pre System::update(state)
  ContactForceChanges(system::System& system, const system::State& state,
                      const system::Linearisation& l);
  /// What presses turns with the normal. @param[in,out] s  at other positions
  void turn(system::State& s) const;
  /// @param mu  multipliers of l.contacts
  void add(const Eigen::VectorXd& mu, system::State& s) const;

 private:
  struct Pressing {
    forces::ForceIndex force;
    int point, memory;
    double size;  // N
    Eigen::Vector3d normal;
  };
  struct Held {
    int memory;
    Eigen::Vector3d direction;
  };
  system::System& system_;
  std::vector<Pressing> pressing_;
  std::vector<Held> held_;
};

}  // namespace solidyn::analyses
