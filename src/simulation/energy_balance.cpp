#include "simulation/energy_balance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "solidyn/contact/contact_force.h"
#include "solidyn/contact/group_contact.h"
#include "solidyn/system/scales.h"

namespace solidyn::simulation {
namespace {

// Of the largest energy: what impacts may have given the bodies.
constexpr double kGainedByImpacts = 1e-3;
// ... and may have in one step as round-off.
constexpr double kGainedInStep = 1e-6;

// Of the energy that the mechanism has turned over. doc/results.md has the balances of good runs.
constexpr double kDoubtful = 0.03, kDoubtfulWithContact = 0.01;
// Of the energy of a motion by the mechanism's length within the run, and of the energies that are
// summed up: less is the round-off of a mechanism at rest.
constexpr double kOfMotion = 1e-10, kOfSum = 1e-10;

// What an island loses counts where it is more than this of what all have turned over: a part that
// rings on its mount is no reason to distrust the machine beside it.
constexpr double kOfAll = 1e-5;
constexpr std::size_t kBodiesNamedAtMost = 3;

constexpr int kWhole = -1;

double mass_of(const system::System& system, int island) {
  if (island == kWhole) return total_mass(system);
  double mass = 0.0;
  for (const bodies::BodyIndex i : system.bodies())
    if (system.connectivity().island_of_body(i) == island) mass += system.body(i).mass();
  return mass;
}

double round_off(const model::BuiltModel& built, const analyses::Monitor& monitor,
                 const analyses::EnergyAccount& account, int island, double t) {
  const double speed = characteristic_length(built.system) / t;
  const double summed = island == kWhole ? monitor.largest_energy
                                         : account.exchanged + std::abs(account.initial_energy) +
                                               std::abs(account.work);
  return kOfMotion * mass_of(built.system, island) * speed * speed + kOfSum * summed;
}

// Those that act by penalty.
std::vector<std::string> penalty_contacts(const model::BuiltModel& built) {
  std::vector<std::string> names;
  for (const auto& [name, forces] : built.contacts)
    if (!forces.empty() && !forces.front()->as_set_valued()) names.push_back(name);
  for (const auto& [name, force] : built.contact_groups)
    if (!force->as_set_valued()) names.push_back(name);
  return names;
}

// Explicit steps of one size do not iterate, and do not damp.
bool has_fixed_explicit_steps(analyses::Dynamics& dynamics) {
  return std::string_view(dynamics.stepper().name()) == "semi_implicit_euler";
}

std::string remedy(const model::BuiltModel& built, analyses::Dynamics& dynamics, bool is_gained) {
  const bool is_fixed = has_fixed_explicit_steps(dynamics);
  if (const std::vector<std::string> names = penalty_contacts(built); !names.empty())
    return fmt::format(
        "with contact (`{}`{}) steps must resolve impacts: use {}a smaller `step`, and a `resolution` of 0.1 or less",
        names.front(), names.size() > 1 ? " and others" : "",
        is_fixed ? "" : "`adaptive` with a smaller `tolerance`, or ");
  if (is_fixed)
    return "try a smaller `step`, or `integrator: generalized_alpha` or `runge_kutta`, which hold what these steps do not resolve";
  return is_gained
             ? "try a smaller `step`, `adaptive`, or smaller tolerances"
             : "the integrator damps what its steps do not resolve: try a smaller `step`, `adaptive`, smaller tolerances, or less numerical damping (`rho_infinity`)";
}

// "`rod`, `crank` and 3 more"
std::string names_of_island(const model::BuiltModel& built, int island) {
  std::vector<std::string> names;
  for (const model::BuiltBody& body : built.bodies)
    if (built.system.connectivity().island_of_body(body.index) == island)
      names.push_back(body.name);
  const std::size_t n = std::min(names.size(), kBodiesNamedAtMost);
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += fmt::format("{}`{}`", i ? ", " : "", names[i]);
  return text + (names.size() > n ? fmt::format(" and {} more", names.size() - n) : "");
}

// Empty where the account balances.
std::string doubt_of(const model::BuiltModel& built, analyses::Dynamics& dynamics,
                     const analyses::EnergyAccount& account, int island) {
  const analyses::Monitor& monitor = dynamics.monitor();
  const double t = dynamics.time();
  const std::string of_island = island == kWhole ? "" : " of " + names_of_island(built, island);
  if (!std::isfinite(account.imbalance) || !std::isfinite(account.exchanged))
    return fmt::format(
        "energies{} have grown beyond all numbers: the motion has diverged; the results of this run are doubtful: {}",
        of_island, remedy(built, dynamics, true));
  const double part = !penalty_contacts(built).empty() ? kDoubtfulWithContact : kDoubtful;
  if (std::abs(account.imbalance) <= part * account.exchanged ||
      std::abs(account.imbalance) <= round_off(built, monitor, account, island, t))
    return {};
  const bool is_gained = account.imbalance > 0.0;
  return fmt::format(
      "energies{} do not balance: {:.2g} J, {:.2g} % of the exchanged energy, {}; the results of this run are doubtful: {}",
      of_island, std::abs(account.imbalance),
      100.0 * std::abs(account.imbalance) / account.exchanged,
      is_gained ? "is unaccounted for (gained)" : "is unaccounted for (lost)",
      remedy(built, dynamics, is_gained));
}

bool has_moving_surface(const system::System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (const forces::SetValued* law = system.force(i).as_set_valued(); law && law->moves())
      return true;
  return false;
}

// Impacts take energy, each of them, unless a surface moves by itself.
std::string doubt_of_impacts(const model::BuiltModel& built, const analyses::Monitor& monitor) {
  const double gained = std::max(-monitor.contacts.energy_lost, monitor.contacts.largest_gain);
  if (!(gained > kGainedByImpacts * monitor.largest_energy)) return {};
  if (has_moving_surface(built.system)) return {};
  return fmt::format(
      "impacts and closed gaps have given the bodies {:.2g} J; the results of this run are doubtful: try a smaller `step`, `impact_law: poisson`, or smaller restitution or friction where several contacts are closed",
      gained);
}

}  // namespace

std::vector<std::string> find_doubts(const model::BuiltModel& built, analyses::Dynamics& dynamics) {
  std::vector<std::string> doubts;
  const analyses::Monitor& m = dynamics.monitor();
  if (m.start_failed)
    doubts.emplace_back(
        "the first step failed and was subdivided; the results of this run are doubtful: try a smaller `step`, and check what acts on the mechanism at the start");
  if (!(dynamics.time() > 0.0) || !dynamics.stepper().integrates()) return doubts;
  const std::string of_all = doubt_of(built, dynamics, m.balance, kWhole);
  if (const std::string doubt = doubt_of_impacts(built, m); !doubt.empty()) doubts.push_back(doubt);
  if (!of_all.empty()) {
    doubts.push_back(of_all);
    return doubts;
  }
  for (std::size_t i = 0; i < m.islands.size(); ++i) {
    if (std::abs(m.islands[i].imbalance) <= kOfAll * m.balance.exchanged) continue;
    const std::string doubt = doubt_of(built, dynamics, m.islands[i], static_cast<int>(i));
    if (!doubt.empty()) doubts.push_back(doubt);
  }
  return doubts;
}

std::string warn_of_gained_energy(const model::BuiltModel& built, const analyses::Monitor& m) {
  const analyses::ContactTotals& t = m.contacts;
  const double largest = std::max(m.largest_energy, m.balance.exchanged);
  if (!(t.largest_gain > kGainedInStep * largest) || has_moving_surface(built.system)) return {};
  return fmt::format(
      "t = {:.6g} s: impacts and closed gaps have given the bodies {:.2g} J in one step, {:.2g} of the largest energy: try a smaller `step`, or smaller restitution or friction where several contacts are closed",
      t.largest_gain_at, t.largest_gain, t.largest_gain / largest);
}

}  // namespace solidyn::simulation
