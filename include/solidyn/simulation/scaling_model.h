#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/simulation/scaling_bench.h"

namespace solidyn::simulation {

/// How ranks cut a body, from their number alone: bricks of cells, in the grid of ranks with the
/// least area between them. Exact for generated boxes of elements that have all nodes of their
/// grid; of others the ratio of ghosts to these is measured.
struct Cut {
  double nodes = 0.0;            ///< of all, on the grid
  double ghosts = 0.0;           ///< of all ranks
  double most_ghosts = 0.0;      ///< of the largest inner brick; nodes between ranks belong to each
                                 ///< of them alike
  double most_neighbours = 0.0;  ///< of it: across faces and edges, and a quarter of those corners
  double imbalance = 1.0;        ///< cells of the largest brick over the mean
};
/// @param cells  at least one rank's worth     @param order  nodes per cell along an edge: 1, or 2
///   of quadratic elements     @throws base::InputError where there are fewer cells than ranks
Cut find_cut(const std::array<double, 3>& cells, int order, int ranks);

/// Seconds of a phase of a step, by what they go to.
struct Cost {
  double work = 0.0, latency = 0.0, volume = 0.0, reductions = 0.0;
  double sum() const { return work + latency + volume + reductions; }
};

/// What a network costs; as measured where not given.
struct Network {
  std::optional<double> latency, bandwidth, reduction;  ///< s, B/s, s per doubling of the ranks
};

struct ScalingPrediction {
  int ranks = 1;
  double n_dofs = 0.0;
  double iterations_per_step = 0.0;
  Cut cut;          ///< with measured ratios
  Traffic traffic;  ///< of one iteration, fine and coarse
  std::array<Cost, kPhases> phases;
  double step = 0.0;        ///< s
  double efficiency = 0.0;  ///< unknowns per second and rank, over those of the reference line
  std::string dominates;    ///< such as "work (fine)"
};

/// Time of a step on any number of ranks, for bodies of one kind:
///   sum over phases of  a w + m alpha + b / beta + r rho log2 P
/// w unknowns of the fullest rank, a measured seconds for each of them; m messages of the busiest
/// rank, which are as many times its neighbours as measured; b bytes, as many times its ghosts; r
/// sums over all ranks, as measured. Below the mesh the levels of multigrid grow with the logarithm
/// of the size, and so do messages and sums there. Iterations are as measured: multigrid's grow
/// little.
class ScalingModel {
 public:
  /// Fits lines of up to `most_ranks` ranks: a as the median, all else to the one of most ranks and
  /// unknowns (the reference). @throws base::InputError without a line of two ranks or more among
  /// them, or when lines are of different kinds
  ScalingModel(const std::vector<ScalingResult>& lines, int most_ranks, const Network& network);

  ScalingPrediction predict(double n_dofs, int ranks) const;
  const ScalingResult& reference() const { return reference_; }
  const Network& network() const { return network_; }                        ///< as used: all set
  double work(Phase phase) const { return work_[static_cast<int>(phase)]; }  ///< s per unknown

 private:
  Cut cut_of(double n_dofs, int ranks) const;
  Cost communicate(Phase phase, double iterations, double n_dofs, const Cut& cut, int ranks) const;
  double iterations_ratio(Phase phase, double iterations) const;

  ScalingResult reference_;
  Network network_;
  int order_ = 1;
  double ghost_ratio_ = 1.0;  // measured over Cut's
  Cut reference_cut_;
  std::array<double, kPhases> work_ = {};
};

/// What `solidyn bench scaling --table` shows.
struct ScalingReportOptions {
  int fit_ranks = 2;
  Network network;
  std::vector<int> ranks = {64, 1000, 10000};  ///< to predict, beside those measured
  double n_dofs = 1e9;                         ///< of the large body
};
/// A table of what was measured. @throws base::InputError when lines of one problem have different
/// energies
std::string format_measured(const std::vector<ScalingResult>& lines);
/// That table, one of the model beside lines of more ranks than it was fitted on
/// (counts and volumes), and of what it predicts: for the same body, for as many unknowns on each
/// rank, and for the large body. As text, and as one JSON object of the same content.
/// @throws base::InputError as the model; when lines of one problem have different energies
std::string format_scaling(const std::vector<ScalingResult>& lines,
                           const ScalingReportOptions& options);
std::string scaling_json(const std::vector<ScalingResult>& lines,
                         const ScalingReportOptions& options);

}  // namespace solidyn::simulation
