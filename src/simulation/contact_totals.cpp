#include "simulation/contact_totals.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/integrators/static_contacts.h"

namespace solidyn::simulation {
namespace {

using analyses::ContactTotals;
using integrators::ContactSolverTotals;
using solvers::friction::Method;

// Those that are numbers, each with its name in a checkpoint.
template <class Totals, class Action>
void for_numbers(Totals& t, Action&& action) {
  action("contact_impacts", t.impacts);
  action("contact_most_closed", t.most_closed);
  action("contact_penetration", t.penetration);
  action("contact_overrun", t.overrun);
  action("contact_energy_lost", t.energy_lost);
  action("contact_friction_loss", t.friction_loss);
  action("contact_work_of_loads", t.work_of_loads);
  action("contact_largest_gain", t.largest_gain);
  action("contact_largest_gain_at", t.largest_gain_at);
  action("contact_problems", t.solver.problems);
  action("contact_iterations", t.solver.iterations);
  action("contact_most_iterations", t.solver.most_iterations);
  action("contact_fallbacks", t.solver.fallbacks);
  action("contact_residual", t.solver.residual);
  action("contact_relative_residual", t.solver.relative_residual);
  for (std::size_t k = 0; k < ContactSolverTotals::kMethods; ++k)
    action(fmt::format("contact_found_by_{}", name(static_cast<Method>(k))), t.solver.found_by[k]);
}

constexpr const char* kEvents = "contact events";

[[noreturn]] void refuse(const std::string& path, const std::string& key) {
  throw base::InputError(fmt::format("{} lacks `{}` of set-valued contacts", path, key),
                         "it was written by another program version; start a new run");
}

}  // namespace

void save_contact_totals(const ContactTotals& totals, results::Checkpoint& c) {
  for_numbers(totals, [&](const std::string& key, auto value) {
    c.scalars[key] = static_cast<double>(value);
  });
  std::vector<double>& counts = c.arrays[kEvents];
  for (const auto& [name, of_kinds] : totals.events)
    for (const std::int64_t n : of_kinds) counts.push_back(static_cast<double>(n));
}

void restore_contact_totals(const results::Checkpoint& c, const std::string& path,
                            ContactTotals& totals) {
  for_numbers(totals, [&](const std::string& key, auto& value) {
    const auto found = c.scalars.find(key);
    if (found == c.scalars.end()) refuse(path, key);
    value = static_cast<std::decay_t<decltype(value)>>(found->second);
  });
  const auto found = c.arrays.find(kEvents);
  constexpr std::size_t kinds = integrators::ContactEvent::kKinds;
  if (found == c.arrays.end() || found->second.size() != kinds * totals.events.size())
    refuse(path, kEvents);
  const double* next = found->second.data();
  for (auto& [name, of_kinds] : totals.events)
    for (std::int64_t& n : of_kinds) n = std::llround(*next++);
}

results::RunSummary::Nonsmooth describe(const analyses::Monitor& m, Method method) {
  results::RunSummary::Nonsmooth s = describe(m.contacts, method);
  s.work_of_loads = m.contacts.work_of_loads;
  s.integrator_loss = m.balance.initial_energy + m.contacts.work_of_loads - s.energy_lost -
                      s.friction_loss - (m.energy.kinetic + m.energy.strain + m.energy.potential);
  return s;
}

results::RunSummary::Nonsmooth describe(integrators::StaticContacts& contacts) {
  const integrators::StaticContacts::Totals& of = contacts.totals();
  ContactTotals totals;
  totals.most_closed = of.most_closed;
  totals.penetration = of.penetration;
  totals.overrun = of.overrun;
  totals.friction_loss = of.friction_loss;
  totals.solver = of.solver;
  return describe(totals, Method::automatic);
}

results::RunSummary::Nonsmooth describe(const ContactTotals& t, Method method) {
  results::RunSummary::Nonsmooth s;
  s.impacts = t.impacts;
  s.most_closed = t.most_closed;
  s.penetration = t.penetration;
  s.overrun = t.overrun;
  s.energy_lost = t.energy_lost;
  s.friction_loss = t.friction_loss;
  s.largest_gain = t.largest_gain;
  s.solver.method = name(method);
  s.solver.problems = t.solver.problems;
  for (std::size_t k = 0; k < ContactSolverTotals::kMethods; ++k) {
    const auto by = static_cast<Method>(k);
    if (t.solver.found_by[k] > 0)
      s.solver.found_by.emplace_back(by == Method::automatic ? "forces_before" : name(by),
                                     t.solver.found_by[k]);
  }
  if (t.solver.problems > 0)
    s.solver.mean_iterations =
        static_cast<double>(t.solver.iterations) / static_cast<double>(t.solver.problems);
  s.solver.most_iterations = t.solver.most_iterations;
  s.solver.fallbacks = t.solver.fallbacks;
  s.solver.residual = t.solver.residual;
  s.solver.relative_residual = t.solver.relative_residual;
  return s;
}

}  // namespace solidyn::simulation
