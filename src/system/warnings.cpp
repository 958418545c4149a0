#include "solidyn/system/warnings.h"

#include "solidyn/base/log.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::system {

void warn_of_concerns(const System& system, const std::string& when, std::vector<bool>& told) {
  const int n_constraints = system.n_constraint_blocks(), n_bodies = system.n_bodies();
  told.resize(n_constraints + n_bodies, false);
  const auto tell = [&](int i, const std::string& name, const std::string& concern) {
    if (concern.empty()) return;
    told[i] = true;
    base::log_warning("{}, {}: {}", when, name, concern);
  };
  for (int i = 0; i < n_constraints; ++i) {
    const joints::Constraint& constraint = system.constraint(i);
    if (!told[i]) tell(i, constraint.name(), constraint.concern(system.kinematics()));
  }
  for (int i = 0; i < n_bodies; ++i) {
    const auto* beam = dynamic_cast<const bodies::BeamBody*>(&system.body(i));
    if (beam && !told[n_constraints + i])
      tell(n_constraints + i, "body " + beam->name(), beam->concern());
  }
}

}  // namespace solidyn::system
