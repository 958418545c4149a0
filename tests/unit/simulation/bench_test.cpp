// What `solidyn bench` writes and compares, and one small bench.
#include "solidyn/simulation/bench.h"

#include <gmock/gmock.h>

#include "solidyn/base/error.h"

namespace solidyn::simulation {
namespace {

using base::InputError;
using testing::HasSubstr;

BenchResult example() {
  BenchResult r;
  r.mesh = "box \"1\"";
  r.element = "tet10";
  r.formulation = "corotational";
  r.solver = "direct";
  r.ranks = 2;
  r.repeat = 5;
  r.n_nodes = 123456789012;
  r.n_elements = 7;
  r.n_dofs = 3000;
  r.step = 1e-3;
  r.ghost_fraction = 1.0 / 3.0;
  r.imbalance = 1.25;
  double x = 0.1;
  for (double* s : {&r.seconds.mesh, &r.seconds.pattern, &r.seconds.first_assembly,
                    &r.seconds.assembly, &r.seconds.force, &r.seconds.product, &r.seconds.factor,
                    &r.seconds.solve, &r.seconds.first_step, &r.seconds.time_step,
                    &r.newton_per_step, &r.check.rigid_force, &r.check.tangent, &r.check.solution,
                    &r.check.linear_momentum, &r.check.angular_momentum, &r.check.energy})
    *s = x *= 1.7;
  r.ksp_iterations = 41;
  r.peak_rss_mb = {100.5, 321.25};
  return r;
}

TEST(BenchLine, ComesBackAsItWas) {
  const BenchResult before = example();
  const std::string line = to_json_line(before);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const BenchResult r = parse_bench(line, "a.jsonl:1");
  EXPECT_EQ(to_json_line(r), line);
  EXPECT_EQ(r.mesh, before.mesh);
  EXPECT_EQ(r.n_nodes, before.n_nodes);
  EXPECT_EQ(r.ghost_fraction, before.ghost_fraction);
  EXPECT_EQ(r.seconds.mesh, before.seconds.mesh);
  EXPECT_EQ(r.seconds.time_step, before.seconds.time_step);
  EXPECT_EQ(r.peak_rss_mb, before.peak_rss_mb);
  EXPECT_EQ(r.check.angular_momentum, before.check.angular_momentum);
  EXPECT_EQ(r.check.energy, before.check.energy);
}

TEST(BenchLine, ThatIsNoneIsRefusedWithItsPlace) {
  const std::string whole = to_json_line(example());
  std::vector<std::string> wrong = {"", "{}", "[1, 2]", "{\"solidyn\": \"summary\"}",
                                    whole.substr(0, whole.size() / 2)};
  std::string other = whole;
  other.replace(other.find("\"n_dofs\":3000"), 13, "\"n_dofs\":\"many\"");
  wrong.push_back(other);
  other = whole;
  other.replace(other.find("\"energy\""), 8, "\"enemy\"");
  wrong.push_back(other);
  for (const std::string& line : wrong) try {
      parse_bench(line, "a.jsonl:7");
      FAIL() << line;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("a.jsonl:7 is not a result of `solidyn bench`"));
    }
}

// Four times the unknowns on four times the ranks in the same time, in twice that, and half as many
// unknowns per rank in half the time.
TEST(BenchTable, HasEfficienciesRelativeToTheFirstOfTheKind) {
  BenchResult first = example();
  first.ranks = 1;
  first.seconds.assembly = 2.0;
  first.seconds.solve = 4.0;
  BenchResult weak = first, strong = first, iterative = first;
  weak.ranks = 4;
  weak.n_dofs = 12000;
  weak.check.energy *= 4.0;  // of another problem
  weak.seconds.solve = 8.0;
  strong.ranks = 2;
  strong.seconds.assembly = 1.25;
  iterative.solver = "iterative";
  iterative.seconds.assembly = 10.0;
  iterative.seconds.time_step = 0.0;
  const std::string table = format_bench_table({first, weak, strong, iterative});
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = table.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(table.substr(at, end - at));
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_THAT(lines[1], HasSubstr("2 (100 %)"));
  EXPECT_THAT(lines[2], HasSubstr("2 (100 %)"));
  EXPECT_THAT(lines[2], HasSubstr("8 ( 50 %)"));
  EXPECT_THAT(lines[3], HasSubstr("1.25 ( 80 %)"));
  EXPECT_THAT(lines[4], HasSubstr("10 (100 %)"));  // the first of its own kind
  EXPECT_THAT(lines[4], testing::ContainsRegex(" - +41 "));
  EXPECT_THAT(lines[1], HasSubstr("321"));
}

TEST(BenchTable, RefusesOtherAnswersToTheSameProblem) {
  BenchResult a = example(), b = example();
  b.ranks = 4;
  b.check.energy *= 1.0 + 1e-8;
  try {
    format_bench_table({a, b});
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("on 4 ranks, but"));
  }
  b.check.energy = a.check.energy * (1.0 + 1e-10);
  EXPECT_NO_THROW(format_bench_table({a, b}));
  b.check.energy *= 2.0;
  b.n_dofs *= 2;
  EXPECT_NO_THROW(format_bench_table({a, b}));
}

// A bench checks itself; here that it does, on both ways to solve, and that its energy is that of
// the body alone.
TEST(Bench, OfASmallBoxHasItsAnswersRight) {
  BenchOptions options;
  options.n_dofs = 400;
  options.repeat = 1;
  std::vector<double> energies;
  for (const BenchSolver solver : {BenchSolver::direct, BenchSolver::iterative}) {
    options.solver = solver;
    options.with_steps = solver == BenchSolver::direct;
    const BenchResult r = run_bench(MPI_COMM_SELF, options);
    EXPECT_EQ(r.element, "tet10");
    EXPECT_EQ(r.n_dofs, 3 * r.n_nodes);
    EXPECT_EQ(r.ranks, 1);
    EXPECT_EQ(r.ghost_fraction, 0.0);
    EXPECT_LT(r.check.rigid_force, 1e-9);
    EXPECT_LT(r.check.tangent, 1e-9);
    EXPECT_LT(r.check.solution, 1e-5);
    EXPECT_EQ(r.newton_per_step > 0.0, options.with_steps);
    energies.push_back(r.check.energy);
  }
  EXPECT_GT(energies[0], 0.0);
  EXPECT_EQ(energies[0], energies[1]);
}

}  // namespace
}  // namespace solidyn::simulation
