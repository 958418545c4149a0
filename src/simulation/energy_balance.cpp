#include "simulation/energy_balance.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace solidyn::simulation {
namespace {

// Of the energy that the mechanism has turned over. doc/results.md has the balances of good runs.
constexpr double kDoubtful = 0.03, kDoubtfulWithContact = 0.01;
// Of the energy of a motion by the mechanism's length within the run, and of the energies that are
// summed up: less is the round-off of a mechanism at rest.
constexpr double kOfMotion = 1e-10, kOfSum = 1e-10;

double round_off(const model::BuiltModel& built, const analyses::Monitor& monitor, double t) {
  const double speed = built.system.characteristic_length() / t;
  return kOfMotion * built.system.total_mass() * speed * speed + kOfSum * monitor.largest_energy;
}

std::string remedy(const model::BuiltModel& built, bool is_gained) {
  if (!built.contacts.empty())
    return fmt::format(
        "with contact (`{}`{}) steps must resolve impacts: use `adaptive` with a smaller "
        "`tolerance`, or a smaller `step`, and a `resolution` of 0.1 or less",
        built.contacts.begin()->first, built.contacts.size() > 1 ? " and others" : "");
  return is_gained ? "try a smaller `step`, `adaptive`, or smaller tolerances"
                   : "the integrator damps what its steps do not resolve: try a smaller `step`, "
                     "`adaptive`, smaller tolerances, or less numerical damping (`rho_infinity`)";
}

}  // namespace

std::vector<std::string> find_doubts(const model::BuiltModel& built, analyses::Dynamics& dynamics) {
  std::vector<std::string> doubts;
  const analyses::Monitor& m = dynamics.monitor();
  const double t = dynamics.state().t;
  if (m.start_failed)
    doubts.push_back(
        "the first step failed and was gone through in parts, so that the results of this run are "
        "doubtful: try a smaller `step`, and look at what acts on the mechanism at the start");
  if (!(t > 0.0) || std::string_view(dynamics.stepper().name()) == "kinematics") return doubts;
  const double part = built.contacts.empty() ? kDoubtful : kDoubtfulWithContact;
  const bool balances = std::abs(m.imbalance) <= part * m.exchanged ||
                        std::abs(m.imbalance) <= round_off(built, m, t);
  if (balances) return doubts;
  const bool is_gained = m.imbalance > 0.0;
  doubts.push_back(fmt::format(
      "energies do not balance: {:.2g} J, {:.2g} % of the energy that was exchanged, {}, so that "
      "the results of this run are doubtful: {}",
      std::abs(m.imbalance), 100.0 * std::abs(m.imbalance) / m.exchanged,
      is_gained ? "came from nowhere" : "were lost", remedy(built, is_gained)));
  return doubts;
}

}  // namespace solidyn::simulation
