#include "solidyn/system/warnings.h"

#include "solidyn/base/log.h"

namespace solidyn::system {

void log_warnings(const System& system, const std::string& when, std::vector<bool>& told) {
  const int n_constraints = system.constraints().size(), n_bodies = system.bodies().size();
  told.resize(n_constraints + n_bodies, false);
  const auto tell = [&](int i, const std::string& name, const std::string& warning) {
    if (warning.empty()) return;
    told[i] = true;
    base::log_warning("{}, {}: {}", when, name, warning);
  };
  for (const ConstraintIndex c : system.constraints()) {
    const joints::Constraint& constraint = system.constraint(c);
    if (!told[c.value()])
      tell(c.value(), constraint.name(), constraint.warning(system.kinematics()));
  }
  for (const BodyIndex b : system.bodies()) {
    const bodies::Body& body = system.body(b);
    const int i = n_constraints + b.value();
    if (!told[i]) tell(i, "body " + body.name(), body.warning());
  }
}

}  // namespace solidyn::system
