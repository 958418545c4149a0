#include "simulation/contact_balance.h"

#include "solidyn/base/log.h"

namespace solidyn::simulation {
namespace {

// Of the largest energy.
constexpr double kNoticed = 0.01;

}  // namespace

void warn_of_contact_balance(const model::BuiltModel& built, const analyses::Monitor& monitor) {
  if (built.contacts.empty() || !(monitor.relative_drift() > kNoticed)) return;
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

}  // namespace solidyn::simulation
