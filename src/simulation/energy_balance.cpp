#include "simulation/energy_balance.h"

#include <string_view>

#include "solidyn/base/log.h"

namespace solidyn::simulation {
namespace {

// Of the largest energy, with contacts ...
constexpr double kNoticed = 0.01;
// ... and without.
constexpr double kAbsurd = 0.5;
// Of the energy of a motion by the mechanism's length within the run: less is the round-off of a
// mechanism at rest.
constexpr double kOfMotion = 1e-6;

double energy_of_motion(const model::BuiltModel& built, double t) {
  const double speed = built.system.characteristic_length() / t;
  return built.system.total_mass() * speed * speed;
}

void warn_with_contacts(const model::BuiltModel& built, const analyses::Monitor& monitor) {
  if (!(monitor.relative_drift() > kNoticed)) return;
  base::log_warning(
      "energies do not balance: up to {:.2g} J, {:.2g} % of the largest energy, appeared or "
      "vanished "
      "in this run with contact (`{}`{}); steps are too long for them: use `adaptive` with a "
      "smaller "
      "`tolerance`, or a smaller `step`, and a `resolution` of 0.1 or less. Numerical damping of "
      "elastic bodies takes energy too",
      monitor.largest_drift, 100.0 * monitor.relative_drift(), built.contacts.begin()->first,
      built.contacts.size() > 1 ? " and others" : "");
}

}  // namespace

// Numerical damping takes energy, which is no error; nothing gives any.
void warn_of_energy_balance(const model::BuiltModel& built, analyses::Dynamics& dynamics) {
  const analyses::Monitor& monitor = dynamics.monitor();
  if (!built.contacts.empty()) return warn_with_contacts(built, monitor);
  // Each position of kinematics is exact, but a sum over few of them is not.
  if (std::string_view(dynamics.stepper().name()) == "kinematics") return;
  const bodies::Energy& e = monitor.energy;
  const double gained = e.kinetic + e.strain + e.potential - monitor.initial_energy - monitor.work;
  const double t = dynamics.state().t;
  if (!(t > 0.0) || !(gained > kAbsurd * monitor.largest_energy) ||
      gained < kOfMotion * energy_of_motion(built, t))
    return;
  base::log_warning(
      "energies do not balance: {:.2g} J, {:.2g} % of the largest energy, came from nowhere, so "
      "that the results of this run are doubtful: try a smaller `step`, or `adaptive`",
      gained, 100.0 * gained / monitor.largest_energy);
}

}  // namespace solidyn::simulation
