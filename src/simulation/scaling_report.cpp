// The text and the JSON of `solidyn bench scaling`.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "simulation/bench_line.h"
#include "solidyn/base/error.h"
#include "solidyn/simulation/scaling_model.h"

namespace solidyn::simulation {
namespace {

using Json = nlohmann::ordered_json;

template <class AnyTraffic, class Visit>
void for_each_traffic(const std::string& at, AnyTraffic& t, const Visit& visit) {
  visit(at + "/messages", t.messages);
  visit(at + "/bytes", t.bytes);
  visit(at + "/reductions", t.reductions);
}

/// Calls visit(key, value) for each number and text of a line: the one list of the file's keys.
template <class Result, class Visit>
void for_each_value_of(Result& r, const Visit& visit) {
  visit("mesh", r.mesh);
  visit("element", r.element);
  visit("formulation", r.formulation);
  visit("ranks", r.ranks);
  visit("repeat", r.repeat);
  visit("n_nodes", r.n_nodes);
  visit("n_elements", r.n_elements);
  visit("n_dofs", r.n_dofs);
  visit("step", r.step);
  visit("cells", r.cells);
  visit("imbalance", r.imbalance);
  visit("ghosts", r.ghosts);
  visit("most_ghosts", r.most_ghosts);
  visit("most_neighbours", r.most_neighbours);
  visit("machine/triad", r.machine.triad);
  visit("machine/latency", r.machine.latency);
  visit("machine/bandwidth", r.machine.bandwidth);
  visit("machine/reduction", r.machine.reduction);
  visit("product/double", r.product.in_double);
  visit("product/single", r.product.in_single);
  visit("product/bytes_double", r.product.bytes_double);
  visit("product/bytes_single", r.product.bytes_single);
  for_each_traffic("product", r.product.traffic, visit);
  visit("first_step", r.first_step);
  visit("time_step", r.time_step);
  for (int p = 0; p < kPhases; ++p) {
    const std::string at = std::string("phases/") + name(static_cast<Phase>(p));
    visit(at + "/seconds", r.phases[p].seconds);
    for_each_traffic(at, r.phases[p].traffic, visit);
  }
  visit("corrections_per_step", r.corrections_per_step);
  visit("iterations_per_step", r.iterations_per_step);
  visit("megabytes", r.megabytes);
  visit("check/product", r.check.product);
  visit("check/product_single", r.check.product_single);
  visit("check/linear_momentum", r.check.linear_momentum);
  visit("check/angular_momentum", r.check.angular_momentum);
  visit("check/energy", r.check.energy);
}

/// Of one iteration of conjugate gradients.
Traffic per_iteration(const ScalingResult& r) {
  const Traffic& a = r.phases[static_cast<int>(Phase::fine)].traffic;
  const Traffic& b = r.phases[static_cast<int>(Phase::coarse)].traffic;
  const double n = std::max(r.iterations_per_step, 1.0);
  return {(a.messages + b.messages) / n, (a.bytes + b.bytes) / n,
          (a.reductions + b.reductions) / n};
}

struct Comparison {
  const char* what;
  double measured, predicted;
};
std::vector<Comparison> compare(const ScalingModel& model, const ScalingResult& r) {
  const ScalingPrediction p = model.predict(static_cast<double>(r.n_dofs), r.ranks);
  const Traffic t = per_iteration(r);
  return {{"neighbours, most", r.most_neighbours, p.cut.most_neighbours},
          {"ghosts, most", r.most_ghosts, p.cut.most_ghosts},
          {"ghosts, all", r.ghosts, p.cut.ghosts},
          {"imbalance", r.imbalance, p.cut.imbalance},
          {"messages per iteration", t.messages, p.traffic.messages},
          {"kB per iteration", 1e-3 * t.bytes, 1e-3 * p.traffic.bytes},
          {"reductions per iteration", t.reductions, p.traffic.reductions},
          {"iterations per step", r.iterations_per_step, p.iterations_per_step}};
}

std::vector<ScalingResult> more_ranks(const std::vector<ScalingResult>& lines, int fit_ranks) {
  std::vector<ScalingResult> rest;
  for (const ScalingResult& r : lines)
    if (r.ranks > fit_ranks) rest.push_back(r);
  return rest;
}

std::string format_comparison(const ScalingModel& model, const std::vector<ScalingResult>& lines,
                              int fit_ranks) {
  const auto rest = more_ranks(lines, fit_ranks);
  if (rest.empty())
    return fmt::format("No line has more than {} ranks: nothing to compare the model with\n",
                       fit_ranks);
  std::string text = fmt::format(
      "Counts, measured and (predicted from up to {} ranks); messages and volume of the busiest "
      "rank\n{:<26}",
      fit_ranks, "ranks, unknowns");
  for (const ScalingResult& r : rest)
    text += fmt::format(" {:>22}", fmt::format("{}, {}", r.ranks, r.n_dofs));
  const std::size_t n_rows = compare(model, rest.front()).size();
  for (std::size_t row = 0; row < n_rows; ++row) {
    text += "\n";
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Comparison c = compare(model, rest[i])[row];
      if (i == 0) text += fmt::format("{:<26}", c.what);
      text += fmt::format(" {:>22}", fmt::format("{:.4g} ({:.4g})", c.measured, c.predicted));
    }
  }
  return text + "\n";
}

struct NamedPrediction {
  const char* kind;
  ScalingPrediction p;
};
// Bodies of too few cells for their ranks are left out.
std::vector<NamedPrediction> predict_all(const ScalingModel& model,
                                         const std::vector<ScalingResult>& lines,
                                         const ScalingReportOptions& options) {
  std::vector<int> ranks = options.ranks;
  for (const ScalingResult& r : lines) ranks.push_back(r.ranks);
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  const double n = static_cast<double>(model.reference().n_dofs),
               per_rank = n / model.reference().ranks;
  std::vector<NamedPrediction> all;
  const auto add = [&](const char* kind, double n_dofs, int on) {
    try {
      all.push_back({kind, model.predict(n_dofs, on)});
    } catch (const base::InputError&) {
    }
  };
  for (const int on : ranks) add("strong", n, on);
  for (const int on : ranks) add("weak", per_rank * on, on);
  for (const int on : options.ranks) add("large", options.n_dofs, on);
  return all;
}

std::string format_predictions(const std::vector<NamedPrediction>& all) {
  std::string text = fmt::format(
      "Predicted, one step\n{:<7} {:>6} {:>11} {:>9} {:>5}  {:>9} {:>9} {:>9} {:>10}  {}\n", "",
      "ranks", "unknowns", "step, s", "%", "work", "latency", "volume", "reductions", "dominates");
  for (const auto& [kind, p] : all) {
    Cost sum;
    for (const Cost& c : p.phases) {
      sum.work += c.work;
      sum.latency += c.latency;
      sum.volume += c.volume;
      sum.reductions += c.reductions;
    }
    text += fmt::format(
        "{:<7} {:>6} {:>11.4g} {:>9.3g} {:>5.0f}  {:>9.3g} {:>9.3g} {:>9.3g} {:>10.3g}  {}\n", kind,
        p.ranks, p.n_dofs, p.step, 100.0 * p.efficiency, sum.work, sum.latency, sum.volume,
        sum.reductions, p.dominates);
  }
  return text;
}

Json json_of(const ScalingPrediction& p) {
  Json json = {{"ranks", p.ranks},
               {"n_dofs", p.n_dofs},
               {"step", p.step},
               {"efficiency", p.efficiency},
               {"dominates", p.dominates},
               {"iterations_per_step", p.iterations_per_step},
               {"most_neighbours", p.cut.most_neighbours},
               {"most_ghosts", p.cut.most_ghosts},
               {"ghosts", p.cut.ghosts}};
  for (int i = 0; i < kPhases; ++i) {
    const Cost& c = p.phases[i];
    json["phases"][name(static_cast<Phase>(i))] = {{"work", c.work},
                                                   {"latency", c.latency},
                                                   {"volume", c.volume},
                                                   {"reductions", c.reductions}};
  }
  return json;
}

}  // namespace

std::string to_json_line(const ScalingResult& result) {
  return write_bench_line("bench scaling",
                          [&](const auto& visit) { for_each_value_of(result, visit); });
}

ScalingResult parse_scaling(const std::string& line, const std::string& where) {
  ScalingResult result;
  read_bench_line(line, "bench scaling", where,
                  [&](const auto& visit) { for_each_value_of(result, visit); });
  return result;
}

std::string format_measured(const std::vector<ScalingResult>& lines) {
  refuse_different_answers(lines);
  const ScalingResult& first = lines.front();
  std::string text = fmt::format(
      "Measured: {} elements, {}, steps of {:g} s\n"
      "{:<22} {:>5} {:>10} {:>9} {:>6}  {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}  {:>5} {:>9} {:>9} "
      "{:>7}\n",
      first.element, first.formulation, first.step, "mesh", "ranks", "unknowns", "step, s", "%",
      "residual", "tangent", "set_up", "fine", "coarse", "other", "iter.", "product", "GB/s",
      "triad");
  const auto rate = [](const ScalingResult& r) {
    return static_cast<double>(r.n_dofs) / r.ranks / r.time_step;
  };
  for (const ScalingResult& r : lines) {
    text += fmt::format("{:<22} {:>5} {:>10} {:>9.3g} {:>6.0f} ", r.mesh.substr(0, 22), r.ranks,
                        r.n_dofs, r.time_step, 100.0 * rate(r) / rate(first));
    for (const PhaseWork& phase : r.phases) text += fmt::format(" {:>9.3g}", phase.seconds);
    text += fmt::format("  {:>5.3g} {:>9.3g} {:>9.3g} {:>7.3g}\n", r.iterations_per_step,
                        r.product.in_double, 1e-9 * r.product.bytes_double / r.product.in_double,
                        1e-9 * r.machine.triad);
  }
  return text +
         "%: unknowns per second and rank over those of the first line; product in double "
         "precision, s; GB/s that it reads, and what the memory gives, of each rank\n";
}

std::string format_scaling(const std::vector<ScalingResult>& lines,
                           const ScalingReportOptions& options) {
  const ScalingModel model(lines, options.fit_ranks, options.network);
  std::string text = format_measured(lines) + "\n";
  const Network& network = model.network();
  text += fmt::format(
      "Model, fitted on up to {} ranks: messages {:.3g} s and {:.3g} GB/s, sums {:.3g} s per "
      "doubling of the ranks; ns of work per unknown:",
      options.fit_ranks, *network.latency, 1e-9 * *network.bandwidth, *network.reduction);
  for (int p = 0; p < kPhases; ++p)
    text += fmt::format(" {} {:.3g}", name(static_cast<Phase>(p)),
                        1e9 * model.work(static_cast<Phase>(p)));
  return text + "\n\n" + format_comparison(model, lines, options.fit_ranks) + "\n" +
         format_predictions(predict_all(model, lines, options));
}

std::string scaling_json(const std::vector<ScalingResult>& lines,
                         const ScalingReportOptions& options) {
  refuse_different_answers(lines);
  const ScalingModel model(lines, options.fit_ranks, options.network);
  const Network& network = model.network();
  Json json = {{"fit_ranks", options.fit_ranks},
               {"latency", *network.latency},
               {"bandwidth", *network.bandwidth},
               {"reduction", *network.reduction}};
  for (int p = 0; p < kPhases; ++p)
    json["work_per_unknown"][name(static_cast<Phase>(p))] = model.work(static_cast<Phase>(p));
  json["compared"] = Json::array();
  for (const ScalingResult& r : more_ranks(lines, options.fit_ranks)) {
    Json of_line = {{"ranks", r.ranks}, {"n_dofs", r.n_dofs}};
    for (const Comparison& c : compare(model, r))
      of_line[c.what] = {{"measured", c.measured}, {"predicted", c.predicted}};
    json["compared"].push_back(of_line);
  }
  for (const auto& [kind, p] : predict_all(model, lines, options))
    json["predicted"][kind].push_back(json_of(p));
  return json.dump(2) + "\n";
}

}  // namespace solidyn::simulation
