// The model of the time of a step on many ranks, on lines that are made by its own law.
#include "solidyn/simulation/scaling_model.h"

#include <gmock/gmock.h>

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::simulation {
namespace {

using base::InputError;
using testing::HasSubstr;

constexpr double kLatency = 2e-6, kBandwidth = 5e9, kSum = 3e-6;

// Cubes of 8 x 8 x 8 cells of tet10: 17^3 nodes, of which the cut into two shares 17^2.
ScalingResult line(int ranks, double cells = 8.0) {
  ScalingResult r;
  r.mesh = "cube";
  r.element = "tet10";
  r.formulation = "corotational";
  r.ranks = ranks;
  r.repeat = 3;
  r.cells = {cells, cells, cells};
  r.n_nodes = std::llround(std::pow(2.0 * cells + 1.0, 3));
  r.n_dofs = 3 * r.n_nodes;
  r.step = 1e-3;
  const Cut cut = find_cut(r.cells, 2, ranks);
  r.ghosts = cut.ghosts;
  r.most_ghosts = cut.most_ghosts;
  r.most_neighbours = cut.most_neighbours;
  r.imbalance = cut.imbalance;
  const double doublings = std::log2(ranks);
  r.machine = {4e9, ranks > 1 ? kLatency : 0.0, ranks > 1 ? kBandwidth : 0.0, kSum * doublings};
  r.product.in_double = r.product.in_single = 1e-3;
  r.iterations_per_step = 12.0;
  r.check.energy = std::pow(cells / 8.0, 3.0);
  for (int p = 0; p < kPhases; ++p) {
    PhaseWork& phase = r.phases[p];
    if (ranks > 1)
      phase.traffic = {10.0 * (p + 1) * cut.most_neighbours, 2400.0 * (p + 1) * cut.most_ghosts,
                       3.0 * p};
    phase.seconds = 1e-7 * (p + 1) * static_cast<double>(r.n_dofs) / ranks * cut.imbalance +
                    phase.traffic.messages * kLatency + phase.traffic.bytes / kBandwidth +
                    phase.traffic.reductions * kSum * doublings;
    r.time_step += phase.seconds;
  }
  return r;
}

TEST(Cut, OfBricksIsCountedByHand) {
  const Cut half = find_cut({4.0, 4.0, 4.0}, 2, 2);
  EXPECT_EQ(half.nodes, 9.0 * 9.0 * 9.0);
  EXPECT_EQ(half.ghosts, 81.0);
  EXPECT_EQ(half.most_ghosts, 40.5);
  EXPECT_EQ(half.most_neighbours, 1.0);
  EXPECT_EQ(half.imbalance, 1.0);
  const Cut eighth = find_cut({4.0, 4.0, 4.0}, 1, 8);  // 3^3 nodes each, of 5^3
  EXPECT_EQ(eighth.ghosts, 8.0 * 27.0 - 125.0);
  EXPECT_EQ(eighth.most_ghosts, 27.0 - 2.5 * 2.5 * 2.5);
  EXPECT_EQ(eighth.most_neighbours, 3.0 + 3.0 + 0.25);
  EXPECT_NEAR(find_cut({3.0, 2.0, 2.0}, 1, 2).imbalance, 4.0 / 3.0, 1e-12);
  EXPECT_NEAR(find_cut({27.0, 27.0, 27.0}, 1, 27 * 27).most_neighbours, 20.0, 1e-12);
  EXPECT_EQ(find_cut({5.0, 1.0, 1.0}, 1, 2).imbalance, 1.2);
  EXPECT_THROW(find_cut({2.0, 2.0, 1.0}, 1, 5), InputError);
}

TEST(ScalingModel, FindsTheLawThatItsLinesFollow) {
  const ScalingModel model({line(1), line(2)}, 2, {});
  for (int p = 0; p < kPhases; ++p)
    EXPECT_NEAR(model.work(static_cast<Phase>(p)), 1e-7 * (p + 1), 1e-12);
  for (const int ranks : {1, 2}) {
    const ScalingPrediction p = model.predict(static_cast<double>(line(2).n_dofs), ranks);
    EXPECT_NEAR(p.step, line(ranks).time_step, 1e-9 * p.step);
    EXPECT_EQ(p.iterations_per_step, 12.0);
  }
  EXPECT_NEAR(model.predict(static_cast<double>(line(2).n_dofs), 2).efficiency, 1.0, 1e-9);
  // Levels are as many for the same body: only sums and messages of more ranks are new.
  const ScalingResult eight = line(8);
  const ScalingPrediction p = model.predict(static_cast<double>(eight.n_dofs), 8);
  EXPECT_NEAR(p.step, eight.time_step, 1e-9 * p.step);
  EXPECT_NEAR(p.cut.ghosts, eight.ghosts, 1e-9);
  const double per_iteration =
      (eight.phases[3].traffic.messages + eight.phases[4].traffic.messages) / 12.0;
  EXPECT_NEAR(p.traffic.messages, per_iteration, 1e-9 * per_iteration);
}

TEST(ScalingModel, LevelsBelowTheMeshGrowWithTheLogarithmOfItsSize) {
  const ScalingModel model({line(1), line(2)}, 2, {});
  const double n = static_cast<double>(line(2).n_dofs);
  const auto coarse = [&](double n_dofs) {
    return model.predict(n_dofs, 2).phases[static_cast<int>(Phase::coarse)].reductions;
  };
  EXPECT_NEAR(coarse(n * n) / coarse(n), 2.0, 1e-9);
}

TEST(ScalingModel, SaysWhatDominates) {
  const std::vector<ScalingResult> lines = {line(1), line(2)};
  const double n = static_cast<double>(lines[1].n_dofs);
  EXPECT_THAT(ScalingModel(lines, 2, {}).predict(n, 2).dominates, HasSubstr("work (other)"));
  const Network slow = {1e-2, std::nullopt, std::nullopt};
  EXPECT_THAT(ScalingModel(lines, 2, slow).predict(n, 8).dominates, HasSubstr("latency"));
  const Network narrow = {std::nullopt, 1e5, std::nullopt};
  EXPECT_THAT(ScalingModel(lines, 2, narrow).predict(n, 8).dominates, HasSubstr("volume"));
  const Network sums = {std::nullopt, std::nullopt, 1.0};
  EXPECT_THAT(ScalingModel(lines, 2, sums).predict(n, 8).dominates, HasSubstr("reductions"));
}

TEST(ScalingModel, RefusesLinesThatItCannotFit) {
  const auto expect_refusal = [](const std::vector<ScalingResult>& lines, int most_ranks,
                                 const char* words) {
    try {
      ScalingModel(lines, most_ranks, {});
      ADD_FAILURE() << "accepted: " << words;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(words));
    }
  };
  expect_refusal({line(1)}, 2, "at least two ranks");
  expect_refusal({line(1), line(4)}, 2, "at least two ranks, and of at most 2");
  ScalingResult other = line(2);
  other.element = "hex8";
  expect_refusal({line(1), other}, 2, "no model in common");
}

TEST(ScalingReport, ComparesLinesOfMoreRanksAndPredictsOthers) {
  const std::vector<ScalingResult> lines = {line(1), line(2), line(8)};
  ScalingReportOptions options;
  options.ranks = {64, 1000};
  const std::string text = format_scaling(lines, options);
  EXPECT_THAT(text, HasSubstr("8, 14739"));
  EXPECT_THAT(text, testing::ContainsRegex("neighbours, most +6.25 \\(6.25\\)"));
  EXPECT_THAT(text, testing::ContainsRegex("strong +64 "));
  EXPECT_THAT(text, testing::ContainsRegex("weak +1000 "));
  EXPECT_THAT(text, testing::ContainsRegex("large +1000 +1e\\+09 "));
  // 512 cells are none for a thousand ranks.
  EXPECT_THAT(text, testing::Not(testing::ContainsRegex("strong +1000 ")));
  EXPECT_THAT(scaling_json(lines, options), HasSubstr("\"dominates\""));
  EXPECT_THAT(format_scaling({line(1), line(2)}, options), HasSubstr("nothing to compare"));
  ScalingResult wrong = line(8);
  wrong.check.energy *= 1.0 + 1e-6;
  EXPECT_THROW(format_scaling({line(1), line(2), wrong}, options), InputError);
}

TEST(ScalingLine, ComesBackAsItWas) {
  const std::string text = to_json_line(line(2));
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const ScalingResult r = parse_scaling(text, "a.jsonl:1");
  EXPECT_EQ(to_json_line(r), text);
  EXPECT_EQ(r.phases[2].traffic.bytes, line(2).phases[2].traffic.bytes);
  EXPECT_EQ(r.cells, line(2).cells);
  for (const std::string& wrong : {std::string("{}"), text.substr(0, 100), std::string("[1]"),
                                   std::string("{\"solidyn\": \"bench\"}")}) {
    try {
      parse_scaling(wrong, "a.jsonl:7");
      ADD_FAILURE() << wrong;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("a.jsonl:7 is not a result of `solidyn bench scaling`"));
    }
  }
}

}  // namespace
}  // namespace solidyn::simulation
