#include "solidyn/simulation/scaling_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulation/timing.h"
#include "solidyn/base/error.h"
#include "solidyn/mesh/large_box.h"

namespace solidyn::simulation {
namespace {

constexpr const char* kPartNames[] = {"work", "latency", "volume", "reductions"};

bool is_iterated(Phase phase) { return phase == Phase::fine || phase == Phase::coarse; }

// Whose messages are those of all levels of multigrid.
bool has_levels(Phase phase) { return phase == Phase::coarse || phase == Phase::set_up; }

int order_of(const ScalingResult& r) {
  for (const char* quadratic : {"tet10", "hex20", "wedge15", "pyramid13"})
    if (r.element.find(quadratic) != std::string::npos) return 2;
  return 1;
}

mesh::LargeBox make_grid(const std::array<double, 3>& cells) {
  mesh::LargeBox box;
  const auto whole = [](double n) {
    return std::max(std::int64_t{1}, static_cast<std::int64_t>(std::llround(n)));
  };
  box.nx = whole(cells[0]), box.ny = whole(cells[1]), box.nz = whole(cells[2]);
  return box;
}

void refuse_different_kinds(const std::vector<ScalingResult>& lines) {
  for (const ScalingResult& r : lines) {
    const ScalingResult& first = lines.front();
    if (r.element == first.element && r.formulation == first.formulation && r.step == first.step)
      continue;
    throw base::InputError(
        fmt::format("lines of {} elements ({}, steps of {:g} s) and of {} ({}, {:g} s) have no "
                    "model in common",
                    first.element, first.formulation, first.step, r.element, r.formulation, r.step),
        "write each kind to a file of its own");
  }
}

std::vector<ScalingResult> up_to(const std::vector<ScalingResult>& lines, int most_ranks) {
  std::vector<ScalingResult> fit;
  for (const ScalingResult& r : lines)
    if (r.ranks <= most_ranks) fit.push_back(r);
  return fit;
}

ScalingResult find_reference(const std::vector<ScalingResult>& lines, int most_ranks) {
  const auto is_less = [](const ScalingResult& a, const ScalingResult& b) {
    return std::make_pair(a.ranks, a.n_dofs) < std::make_pair(b.ranks, b.n_dofs);
  };
  const auto most = std::max_element(lines.begin(), lines.end(), is_less);
  if (most == lines.end() || most->ranks < 2)
    throw base::InputError(
        fmt::format("the model needs a line of at least two ranks, and of at most {}: one rank "
                    "sends no messages that could be counted",
                    most_ranks),
        "run `mpirun -n 2 solidyn bench scaling` with the same -o, or give --fit-ranks");
  return *most;
}

}  // namespace

Cut find_cut(const std::array<double, 3>& cells, int order, int ranks) {
  const mesh::LargeBox box = make_grid(cells);
  const std::array<int, 3> grid = mesh::find_rank_grid(box, ranks);
  if (grid[0] == 0)
    throw base::InputError(fmt::format("{} x {} x {} cells cannot be cut into {} bricks", box.nx,
                                       box.ny, box.nz, ranks),
                           "give a larger body, or fewer ranks");
  const double n[3] = {static_cast<double>(box.nx), static_cast<double>(box.ny),
                       static_cast<double>(box.nz)};
  double all = 1.0, with_copies = 1.0, brick = 1.0, owned = 1.0, largest = 1.0, mean = 1.0;
  double sides[3];  // that other ranks touch
  for (int i = 0; i < 3; ++i) {
    const double along = std::ceil(n[i] / grid[i]);
    sides[i] = std::min(2, grid[i] - 1);
    all *= order * n[i] + 1.0;
    with_copies *= order * n[i] + grid[i];
    brick *= order * along + 1.0;
    owned *= order * along + 1.0 - 0.5 * sides[i];
    largest *= along;
    mean *= n[i] / grid[i];
  }
  Cut cut;
  cut.nodes = all;
  cut.ghosts = with_copies - all;
  cut.most_ghosts = brick - owned;
  // At a corner is one node, which two of its eight bricks exchange where one of them owns it.
  cut.most_neighbours = sides[0] + sides[1] + sides[2] + sides[0] * sides[1] + sides[1] * sides[2] +
                        sides[2] * sides[0] + 0.25 * sides[0] * sides[1] * sides[2];
  cut.imbalance = largest / mean;
  return cut;
}

ScalingModel::ScalingModel(const std::vector<ScalingResult>& lines, int most_ranks,
                           const Network& network)
    : network_(network) {
  refuse_different_kinds(lines);
  const std::vector<ScalingResult> fit = up_to(lines, most_ranks);
  reference_ = find_reference(fit, most_ranks);
  const auto& machine = reference_.machine;
  if (!network_.latency) network_.latency = machine.latency;
  if (!network_.bandwidth) network_.bandwidth = machine.bandwidth;
  if (!network_.reduction) network_.reduction = machine.reduction / std::log2(reference_.ranks);
  order_ = order_of(reference_);
  const Cut bricks = find_cut(reference_.cells, order_, reference_.ranks);
  ghost_ratio_ = reference_.ghosts / std::max(bricks.ghosts, 1.0);
  reference_cut_ = cut_of(static_cast<double>(reference_.n_dofs), reference_.ranks);
  for (int p = 0; p < kPhases; ++p) {
    std::vector<double> of_lines;
    for (const ScalingResult& r : fit) {
      // What the line's own machine took for messages is no work.
      const Network measured = {r.machine.latency, std::max(r.machine.bandwidth, 1.0),
                                r.ranks > 1 ? r.machine.reduction / std::log2(r.ranks) : 0.0};
      const Traffic& t = r.phases[p].traffic;
      const double messages = r.ranks == 1
                                  ? 0.0
                                  : t.messages * *measured.latency + t.bytes / *measured.bandwidth +
                                        t.reductions * *measured.reduction * std::log2(r.ranks);
      const double fullest = static_cast<double>(r.n_dofs) / r.ranks * r.imbalance;
      const double seconds = r.phases[p].seconds - messages;
      of_lines.push_back(std::max(0.0, seconds) / fullest /
                         iterations_ratio(static_cast<Phase>(p), r.iterations_per_step));
    }
    work_[p] = median(std::move(of_lines));
  }
}

// Of the reference's iterations.
double ScalingModel::iterations_ratio(Phase phase, double iterations) const {
  if (!is_iterated(phase) || reference_.iterations_per_step == 0.0 || iterations == 0.0) return 1.0;
  return iterations / reference_.iterations_per_step;
}

Cut ScalingModel::cut_of(double n_dofs, int ranks) const {
  const double finer = std::cbrt(n_dofs / static_cast<double>(reference_.n_dofs));
  std::array<double, 3> cells = reference_.cells;
  for (double& n : cells) n *= finer;
  Cut cut = find_cut(cells, order_, ranks);
  cut.ghosts *= ghost_ratio_;
  cut.most_ghosts *= ghost_ratio_;
  return cut;
}

Cost ScalingModel::communicate(Phase phase, double iterations, double n_dofs, const Cut& cut,
                               int ranks) const {
  Cost cost;
  if (ranks == 1) return cost;
  const Traffic& t = reference_.phases[static_cast<int>(phase)].traffic;
  const double levels =
      has_levels(phase) ? std::log(n_dofs) / std::log(static_cast<double>(reference_.n_dofs)) : 1.0;
  const double often = iterations_ratio(phase, iterations);
  cost.latency = often * levels * t.messages * cut.most_neighbours /
                 reference_cut_.most_neighbours * *network_.latency;
  cost.volume =
      often * t.bytes * cut.most_ghosts / reference_cut_.most_ghosts / *network_.bandwidth;
  cost.reductions = often * levels * t.reductions * *network_.reduction * std::log2(ranks);
  return cost;
}

ScalingPrediction ScalingModel::predict(double n_dofs, int ranks) const {
  ScalingPrediction p;
  p.ranks = ranks;
  p.n_dofs = n_dofs;
  p.iterations_per_step = reference_.iterations_per_step;
  p.cut = cut_of(n_dofs, ranks);
  const double neighbours = p.cut.most_neighbours / reference_cut_.most_neighbours;
  const double ghosts = p.cut.most_ghosts / reference_cut_.most_ghosts;
  double most = -1.0;
  for (int i = 0; i < kPhases; ++i) {
    const auto phase = static_cast<Phase>(i);
    Cost& cost = p.phases[i] = communicate(phase, p.iterations_per_step, n_dofs, p.cut, ranks);
    cost.work = work_[i] * n_dofs / ranks * p.cut.imbalance;
    p.step += cost.sum();
    const double parts[] = {cost.work, cost.latency, cost.volume, cost.reductions};
    const auto largest = std::max_element(std::begin(parts), std::end(parts)) - std::begin(parts);
    if (parts[largest] > most) {
      most = parts[largest];
      p.dominates = fmt::format("{} ({})", kPartNames[largest], name(phase));
    }
    if (!is_iterated(phase) || ranks == 1) continue;
    const Traffic& t = reference_.phases[i].traffic;
    const double levels = has_levels(phase)
                              ? std::log(n_dofs) / std::log(static_cast<double>(reference_.n_dofs))
                              : 1.0;
    const double per = std::max(reference_.iterations_per_step, 1.0);
    p.traffic.messages += levels * t.messages * neighbours / per;
    p.traffic.bytes += t.bytes * ghosts / per;
    p.traffic.reductions += levels * t.reductions / per;
  }
  const double rate = static_cast<double>(reference_.n_dofs) / reference_.ranks;
  p.efficiency = n_dofs / ranks / p.step * reference_.time_step / rate;
  return p;
}

}  // namespace solidyn::simulation
