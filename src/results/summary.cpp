#include "solidyn/results/summary.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "solidyn/base/atomic_file.h"
#include "solidyn/base/memory.h"
#include "solidyn/base/mpi.h"

namespace solidyn::results {
namespace {

using Json = nlohmann::ordered_json;

const char* name(RunStatus status) {
  switch (status) {
    case RunStatus::running:
      return "running";
    case RunStatus::done:
      return "done";
    case RunStatus::doubtful:
      return "doubtful";
    case RunStatus::failed:
      return "failed";
  }
  return "failed";
}

Json nonsmooth_block(const RunSummary::Nonsmooth& n) {
  Json found_by = Json::object();
  for (const auto& [method, problems] : n.solver.found_by) found_by[method] = problems;
  Json json = {{"impacts", n.impacts},
               {"largest_closed", n.most_closed},
               {"deepest_penetration", n.penetration},
               {"deepest_overrun", n.overrun}};
  if (n.work_of_loads) json["work_of_loads"] = *n.work_of_loads;
  json["energy_lost_in_impacts"] = n.energy_lost;
  json["energy_lost_in_friction"] = n.friction_loss;
  json["energy_lost_by_integrator"] = n.integrator_loss;
  json["largest_energy_gain"] = n.largest_gain;
  json["solver"] = {{"method", n.solver.method},
                    {"problems", n.solver.problems},
                    {"found_by", found_by},
                    {"iterations_mean", n.solver.mean_iterations},
                    {"iterations_largest", n.solver.most_iterations},
                    {"fallbacks", n.solver.fallbacks},
                    {"worst_residual", n.solver.residual},
                    {"worst_relative_residual", n.solver.relative_residual}};
  return json;
}

template <class Matrix>
Json rows_of(const Matrix& matrix) {
  Json rows = Json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

Json values_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Json inertia_block(const RunSummary::PlaceInertia& p) {
  Json json = {{"place", p.place},
               {"time", p.time},
               {"axes", p.axes},
               {"position", values_of(p.position)},
               {"motions", p.n_motions},
               {"masses", values_of(p.masses)},
               {"moments_of_inertia", values_of(p.moments)},
               {"principal_masses", values_of(p.principal_masses)},
               {"principal_mass_directions", rows_of(p.directions_of_masses.transpose())},
               {"principal_moments", values_of(p.principal_moments)},
               {"principal_moment_directions", rows_of(p.directions_of_moments.transpose())},
               {"mobility", rows_of(p.mobility)},
               {"inertia", p.inertia ? rows_of(*p.inertia) : Json()}};
  for (const auto& [place, mobility] : p.mobility_by)
    json["mobility_by"][place] = rows_of(mobility);
  return json;
}

}  // namespace

void RunSummary::measure_memory(MPI_Comm comm) {
  peak_rss_mb_of_ranks = base::peak_rss_mb_of_ranks(comm);
  peak_rss_mb = *std::max_element(peak_rss_mb_of_ranks.begin(), peak_rss_mb_of_ranks.end());
  peak_rss_mb_total =
      std::accumulate(peak_rss_mb_of_ranks.begin(), peak_rss_mb_of_ranks.end(), 0.0);
}

std::string to_json(const RunSummary& s) {
  const auto& violation = s.max_constraint_violation;
  Json json = {
      {"solidyn", "summary"},
      {"version", SOLIDYN_VERSION},
      {"status", name(s.status)},
      {"title", s.title},
      {"integrator", s.integrator},
      {"ranks", s.ranks},
      {"dofs", s.dofs},
      {"constraints", s.constraints},
      {"steps", s.steps},
      {"newton_iterations", s.newton_iterations},
      {"linear_iterations", s.linear_iterations},
      {"time", s.time},
      {"seconds",
       {{"total", s.seconds.total},
        {"setup", s.seconds.setup},
        {"assembly", s.seconds.assembly},
        {"solve", s.seconds.solve},
        {"output", s.seconds.output}}},
      {"peak_rss_mb", s.peak_rss_mb},
      {"peak_rss_mb_total", s.peak_rss_mb_total},
      {"peak_rss_mb_of_ranks", s.peak_rss_mb_of_ranks},
      {"max_constraint_violation",
       {{"position", violation.position},
        {"velocity", violation.velocity},
        {"acceleration", violation.acceleration}}},
      {"energy",
       {{"kinetic", s.energy.kinetic},
        {"strain", s.energy.strain},
        {"potential", s.energy.potential},
        {"work", s.energy.work},
        {"relative_drift", s.energy.relative_drift},
        {"exchanged", s.energy.exchanged},
        {"imbalance", s.energy.imbalance}}},
      {"warnings", s.warnings},
  };
  if (!s.formulation.empty()) {
    json["formulation"] = s.formulation;
    json["formulation_reason"] = s.formulation_reason;
  }
  if (s.equilibria) {
    json["equilibria"] = {{"relaxed", s.equilibria->relaxed},
                          {"relaxation_steps", s.equilibria->relaxation_steps},
                          {"unstable", s.equilibria->unstable}};
    if (s.equilibria->first_unstable)
      json["equilibria"]["first_unstable"] = *s.equilibria->first_unstable;
  }
  if (s.statics)
    json["statics"] = {{"steps", s.statics->steps},
                       {"newton_iterations", s.statics->newton_iterations},
                       {"work", s.statics->work}};
  for (const RunSummary::Drive& drive : s.drives) {
    Json& of_drive = json["drives"][drive.name];
    if (!drive.effort.empty())
      of_drive = {{"largest_" + drive.effort, drive.largest},
                  {"largest_at", drive.largest_at},
                  {"rms_" + drive.effort, drive.rms}};
    of_drive["largest_power"] = drive.largest_power;
    of_drive["smallest_power"] = drive.smallest_power;
    of_drive["work"] = drive.work;
  }
  for (const RunSummary::PlaceInertia& place : s.reflected_inertia)
    json["reflected_inertia"].push_back(inertia_block(place));
  if (s.nonsmooth) json["nonsmooth"] = nonsmooth_block(*s.nonsmooth);
  if (!s.doubts.empty()) json["doubts"] = s.doubts;
  if (s.failure)
    json["failure"] = {
        {"time", s.failure->time}, {"step", s.failure->step}, {"message", s.failure->message}};
  if (!s.stopped_by.empty()) json["stopped_by"] = s.stopped_by;
  // A message may quote bytes of a user's file that are not UTF-8.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void mark_failed(const std::string& path) {
  const std::string running = "\"status\": \"running\"", failed = "\"status\": \"failed\" ";
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t at = text.find(running);
  if (at == std::string::npos) return;
  file.clear();
  file.seekp(static_cast<std::streamoff>(at));
  file << failed << std::flush;
}

void write_summary(MPI_Comm comm, const std::string& path, const RunSummary& summary) {
  base::run_together(comm, [&] {
    if (base::rank(comm) == 0) base::write_atomically(path, to_json(summary));
  });
}

}  // namespace solidyn::results
