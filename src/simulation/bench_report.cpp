#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "simulation/bench_line.h"
#include "solidyn/simulation/bench.h"

namespace solidyn::simulation {
namespace {

/// Calls visit(key, value) for each number and text of a result: the one list of the file's keys.
template <class Result, class Visit>
void for_each_value(Result& r, const Visit& visit) {
  visit("mesh", r.mesh);
  visit("element", r.element);
  visit("formulation", r.formulation);
  visit("solver", r.solver);
  visit("ranks", r.ranks);
  visit("repeat", r.repeat);
  visit("n_nodes", r.n_nodes);
  visit("n_elements", r.n_elements);
  visit("n_dofs", r.n_dofs);
  visit("step", r.step);
  visit("ghost_fraction", r.ghost_fraction);
  visit("imbalance", r.imbalance);
  visit("seconds/mesh", r.seconds.mesh);
  visit("seconds/pattern", r.seconds.pattern);
  visit("seconds/first_assembly", r.seconds.first_assembly);
  visit("seconds/assembly", r.seconds.assembly);
  visit("seconds/force", r.seconds.force);
  visit("seconds/product", r.seconds.product);
  visit("seconds/factor", r.seconds.factor);
  visit("seconds/solve", r.seconds.solve);
  visit("seconds/first_step", r.seconds.first_step);
  visit("seconds/time_step", r.seconds.time_step);
  visit("ksp_iterations", r.ksp_iterations);
  visit("newton_per_step", r.newton_per_step);
  visit("peak_rss_mb", r.peak_rss_mb);
  visit("check/rigid_force", r.check.rigid_force);
  visit("check/tangent", r.check.tangent);
  visit("check/solution", r.check.solution);
  visit("check/linear_momentum", r.check.linear_momentum);
  visit("check/angular_momentum", r.check.angular_momentum);
  visit("check/energy", r.check.energy);
}

// Unknowns per second and rank.
double rate(const BenchResult& r, double seconds) {
  return static_cast<double>(r.n_dofs) / (seconds * r.ranks);
}

/// "0.123 ( 98 %)": seconds, and the efficiency relative to the first of its kind.
std::string cell(const BenchResult& r, double seconds, const BenchResult& first,
                 double first_seconds) {
  if (seconds <= 0.0 || first_seconds <= 0.0) return "-";
  return fmt::format("{:.3g} ({:3.0f} %)", seconds,
                     100.0 * rate(r, seconds) / rate(first, first_seconds));
}

}  // namespace

std::string to_json_line(const BenchResult& result) {
  return write_bench_line("bench", [&](const auto& visit) { for_each_value(result, visit); });
}

BenchResult parse_bench(const std::string& line, const std::string& where) {
  BenchResult result;
  read_bench_line(line, "bench", where, [&](const auto& visit) { for_each_value(result, visit); });
  return result;
}

std::string format_bench_table(const std::vector<BenchResult>& results) {
  refuse_different_answers(results);
  std::string text = fmt::format(
      "{:<24} {:<13} {:<13} {:<10} {:>5} {:>10}  {:<15} {:<15} {:<15} {:<15} {:>6} {:>7}\n", "mesh",
      "element", "formulation", "solver", "ranks", "unknowns", "assembly, s", "factor, s",
      "solve, s", "time step, s", "KSP", "MB/rank");
  std::map<std::tuple<std::string, std::string, std::string>, const BenchResult*> first_of;
  for (const BenchResult& r : results) {
    const BenchResult& f =
        *first_of.try_emplace({r.element, r.formulation, r.solver}, &r).first->second;
    text += fmt::format(
        "{:<24} {:<13} {:<13} {:<10} {:>5} {:>10}  {:<15} {:<15} {:<15} {:<15} {:>6} {:>7.0f}\n",
        r.mesh, r.element, r.formulation.substr(0, 13), r.solver, r.ranks, r.n_dofs,
        cell(r, r.seconds.assembly, f, f.seconds.assembly),
        cell(r, r.seconds.factor, f, f.seconds.factor),
        cell(r, r.seconds.solve, f, f.seconds.solve),
        cell(r, r.seconds.time_step, f, f.seconds.time_step), r.ksp_iterations,
        r.peak_rss_mb.empty() ? 0.0
                              : *std::max_element(r.peak_rss_mb.begin(), r.peak_rss_mb.end()));
  }
  return text + "(%): unknowns per second and rank relative to the first line of the same kind\n";
}

}  // namespace solidyn::simulation
