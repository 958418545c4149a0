#include "simulation/place_inertias.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>

#include "solidyn/analyses/reflected_inertia.h"
#include "solidyn/base/log.h"
#include "solidyn/system/closed_contacts.h"
#include "solidyn/system/scales.h"

namespace solidyn::simulation {
namespace {

using analyses::ReflectedInertia;
using results::RunSummary;

std::string column(double value) {
  return std::isfinite(value) ? fmt::format(" {:11.5g}", value) : fmt::format(" {:>11}", "held");
}

std::string columns(const Eigen::Vector3d& values) {
  return column(values.x()) + column(values.y()) + column(values.z());
}

}  // namespace

PlaceInertias find_place_inertias(const model::ModelDescription& description,
                                  model::BuiltModel& built, std::size_t index,
                                  const model::ReflectedInertiaDescription& analysis,
                                  const system::State& state) {
  const std::vector<bodies::FrameIndex>& frames = built.analysed_places.at(index);
  const Eigen::MatrixXd mobility = analyses::mobility_of_places(
      built.system, state, frames, analysis.along, description.formulation);
  const double mass = system::total_mass(built.system),
               length = system::characteristic_length(built.system);
  PlaceInertias places;
  places.reserve(frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto at = 6 * static_cast<Eigen::Index>(i);
    const ReflectedInertia found =
        analyses::reflected_inertia(mobility.block<6, 6>(at, at), mass, length);
    RunSummary::PlaceInertia p;
    p.place = analysis.places[i].text();
    p.time = state.t;
    p.axes = analysis.along == system::TwistAxes::world ? "world" : "place";
    p.position = built.system.kinematics().frames[frames[i]].p;
    p.mobility = found.mobility;
    p.n_motions = found.n_motions;
    p.inertia = found.inertia;
    p.masses = found.masses;
    p.moments = found.moments;
    p.principal_masses = found.principal_masses.values;
    p.principal_moments = found.principal_moments.values;
    p.directions_of_masses = found.principal_masses.directions;
    p.directions_of_moments = found.principal_moments.directions;
    for (std::size_t j = 0; j < frames.size(); ++j)
      if (j != i)
        p.mobility_by.emplace_back(analysis.places[j].text(),
                                   mobility.block<6, 6>(at, 6 * static_cast<Eigen::Index>(j)));
    places.push_back(std::move(p));
  }
  return places;
}

std::vector<NamedNumber> numbers_of(const PlaceInertias& places) {
  std::vector<NamedNumber> numbers;
  std::map<std::string, std::size_t> index;
  const auto add = [&](const std::string& name, const char* unit, double value) {
    const double shown = std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
    const auto [found, is_new] = index.emplace(name, numbers.size());
    if (is_new)
      numbers.push_back({name, unit, shown});
    else
      numbers[found->second].value = shown;
  };
  for (const RunSummary::PlaceInertia& p : places) {
    const std::string start = p.place + (p.axes == "world" ? "." : ".own_");
    for (int i = 0; i < 3; ++i) {
      const char axis = "xyz"[i];
      add(fmt::format("{}mass_{}", start, axis), "kg", p.masses[i]);
      add(fmt::format("{}moment_of_inertia_{}", start, axis), "kg m^2", p.moments[i]);
    }
    for (int i = 0; i < 3; ++i) {
      add(fmt::format("{}.principal_mass_{}", p.place, i + 1), "kg", p.principal_masses[i]);
      add(fmt::format("{}.principal_moment_{}", p.place, i + 1), "kg m^2", p.principal_moments[i]);
    }
    add(p.place + ".motions", "1", p.n_motions);
  }
  return numbers;
}

std::string inertia_table(const PlaceInertias& places) {
  std::string table =
      fmt::format("  {:<20} {:>7} {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "place", "motions",
                  "mass x, kg", "y", "z", "J x, kg m^2", "y", "z");
  for (const RunSummary::PlaceInertia& p : places)
    table += fmt::format("  {:<20} {:7}", p.place, p.n_motions) + columns(p.masses) +
             columns(p.moments) + "\n" + fmt::format("  {:<28}", "  principal") +
             columns(p.principal_masses) + columns(p.principal_moments) + "\n";
  return table;
}

void warn_of_what_is_left_out(const char* name, const system::System& system) {
  std::string names;
  const auto add = [&names](const std::string& another) {
    names += (names.empty() ? "`" : ", `") + another + "`";
  };
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty()) add(system.force(i).name());
  const system::ClosedContacts contacts = system::find_closed_contacts(system);
  for (const std::string& contact : contacts.sticking) add(contact);
  for (const std::string& contact : contacts.holding) add(contact);
  for (const std::string& contact : contacts.slipping) add(contact);
  if (names.empty()) return;
  base::log_warning(
      "{}: {}: friction, and contacts, stops and clutches that are closed, have no part in these numbers, which are those of a mechanism that is free to move there\n  put a fixed joint where something is held",
      name, names);
}

}  // namespace solidyn::simulation
