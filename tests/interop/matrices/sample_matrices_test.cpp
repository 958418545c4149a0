// What is known of the matrices among the samples: sizes, terms, masses, ranks, frequencies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "inp_nodes.h"
#include "samples.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/imported/checks.h"

namespace solidyn::formats {
namespace {

using imported::MatrixChecks;
using imported::MatrixModel;
using testing_support::facts_of;
using testing_support::nodes_of_input;
using testing_support::sample;

Eigen::MatrixXd matrix_of(const imported::Matrix& matrix) {
  return Eigen::MatrixXd(imported::assemble(matrix));
}

double near(double expected) { return 1e-9 * std::abs(expected); }

/// Hz. M may be singular, K + sM is not.
std::vector<double> frequencies(const MatrixModel& model, int first, int n) {
  const Eigen::MatrixXd k = matrix_of(model.stiffness), m = matrix_of(model.mass);
  const double shift = 1e-3 * k.trace() / m.trace();
  const Eigen::VectorXd inverse = Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(
                                      m, k + shift * m, Eigen::EigenvaluesOnly)
                                      .eigenvalues();
  std::vector<double> result;
  result.reserve(n);
  for (int i = 0; i < n; ++i)
    result.push_back(std::sqrt(1.0 / inverse[inverse.size() - first - i] - shift) / (2.0 * M_PI));
  return result;
}

/// Digits of the table in the samples' manifest.
struct Block {
  const char* name;
  int order, n_lines;
  double k11, trace_k, trace_m;
  int rank_m;  // -1: not given
  std::vector<double> frequencies;
};
void PrintTo(const Block& block, std::ostream* out) { *out << block.name; }

class CalculixBlock : public testing::TestWithParam<Block> {
 protected:
  static MatrixModel read(const std::string& name) {
    const std::string base = sample("generated/blocks/" + name + ".inp");
    const std::string job = base.substr(0, base.size() - 4) + "_mat";
    MatrixModel model = read_calculix_matrices(job + ".sti", job + ".mas", job + ".dof");
    model.nodes = nodes_of_input(base);
    return model;
  }
};

TEST_P(CalculixBlock, HasTheKnownMatrices) {
  const Block& known = GetParam();
  const MatrixModel model = read(known.name);
  EXPECT_EQ(model.stiffness.n_rows, known.order);
  EXPECT_EQ(model.mass.n_rows, known.order);
  EXPECT_EQ(model.stiffness.values.size(), static_cast<std::size_t>(known.n_lines));
  EXPECT_EQ(model.mass.values.size(), static_cast<std::size_t>(known.n_lines));
  const Eigen::MatrixXd k = matrix_of(model.stiffness), m = matrix_of(model.mass);
  EXPECT_NEAR(k(0, 0), known.k11, near(known.k11));
  EXPECT_NEAR(k.trace(), known.trace_k, 1e-7 * known.trace_k);
  EXPECT_NEAR(m.trace(), known.trace_m, 1e-7 * known.trace_m);
  EXPECT_EQ(model.dofs.front().node, 101);
  EXPECT_EQ(model.dofs.front().component, 1);
}

TEST_P(CalculixBlock, IsAFreeBodyOfTheKnownMass) {
  const Block& known = GetParam();
  const MatrixChecks checks = imported::measure(read(known.name));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(checks.translational_mass[i], 6.296e-5, 1e-6 * 6.296e-5);
  EXPECT_LT((checks.centre - Eigen::Vector3d(20, 10, 5)).norm(), 1e-6);
  EXPECT_LT(checks.rigid_residual, 1e-11);
  EXPECT_EQ(checks.n_zero_stiffness, 6);
  EXPECT_LT(checks.stiffness_asymmetry, 1e-13);
  if (known.rank_m >= 0) {
    EXPECT_EQ(checks.n_dofs - checks.n_zero_mass, known.rank_m);
  }
}

TEST_P(CalculixBlock, HasTheFrequenciesThatCalculixPrints) {
  const Block& known = GetParam();
  const std::vector<double> found = frequencies(read(known.name), 7, 4);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(found[i], known.frequencies[i], 5e-5 * known.frequencies[i]);  // ARPACK stops there
}

INSTANTIATE_TEST_SUITE_P(All, CalculixBlock,
                         testing::Values(Block{"block_c3d4",
                                               54,
                                               621,
                                               1548076.923,
                                               1.5992308e8,
                                               4.722e-05,
                                               45,
                                               {72896.36, 81197.12, 88159, 100981.4}},
                                         Block{"block_c3d6",
                                               54,
                                               765,
                                               684294.8718,
                                               82923077,
                                               4.1973333e-05,
                                               42,
                                               {54284.03, 74900.82, 75593.8, 97488.69}},
                                         Block{"block_c3d8",
                                               54,
                                               909,
                                               516025.641,
                                               71076923,
                                               5.5964444e-05,
                                               54,
                                               {34659.21, 49953.28, 56322.68, 70036.3}},
                                         Block{"block_c3d8i",
                                               90,
                                               1953,
                                               516025.641,
                                               4.9753846e8,
                                               0.00030780444,
                                               -1,
                                               {31990.27, 33398.37, 47113.7, 47462.81}},
                                         Block{"block_c3d10",
                                               225,
                                               6093,
                                               928846.1538,
                                               7.3564615e8,
                                               7.0201378e-05,
                                               207,
                                               {30928.74, 32319.46, 44670.41, 64024.65}},
                                         Block{"block_c3d15",
                                               177,
                                               5925,
                                               937321.9373,
                                               5.2386325e8,
                                               0.00012218904,
                                               159,
                                               {29602.71, 30920.44, 45042.65, 64126.48}},
                                         Block{"block_c3d20",
                                               153,
                                               6165,
                                               842841.8803,
                                               4.1935385e8,
                                               0.00017348978,
                                               153,
                                               {30110.82, 30556.22, 44177.53, 63949.32}},
                                         Block{"block_c3d20r",
                                               153,
                                               6165,
                                               774038.4615,
                                               3.9092308e8,
                                               0.00013991111,
                                               90,
                                               {29812.22, 30363.42, 44201.74, 64098.92}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CalculixMatrices, InternalNodesOfC3D8IHaveNoPlace) {
  const std::string job = sample("generated/blocks/block_c3d8i_mat.sti");
  const std::string stem = job.substr(0, job.size() - 4);
  MatrixModel model = read_calculix_matrices(job, stem + ".mas", stem + ".dof");
  model.nodes = nodes_of_input(sample("generated/blocks/block_c3d8i.inp"));
  std::set<std::int64_t> unplaced;
  for (const imported::Dof& dof : model.dofs)
    if (model.nodes.count(dof.node) == 0) unplaced.insert(dof.node);
  EXPECT_EQ(unplaced.size(), 12u);
  EXPECT_EQ(*unplaced.begin(), 119);
  EXPECT_EQ(*unplaced.rbegin(), 130);
  EXPECT_EQ(imported::measure(model).n_unplaced, 36);
}

TEST(CalculixMatrices, ClampedNodesHaveNoRowsAndTheCheckFindsThem) {
  const std::string job = sample("generated/blocks/block_c3d8_clamped_mat.sti");
  const std::string stem = job.substr(0, job.size() - 4);
  MatrixModel model = read_calculix_matrices(job, stem + ".mas", stem + ".dof");
  EXPECT_EQ(model.dofs.size(), 36u);
  EXPECT_EQ(model.stiffness.values.size(), 522u);
  for (const imported::Dof& dof : model.dofs) EXPECT_GT(dof.node, 106);
  model.nodes = nodes_of_input(sample("generated/blocks/block_c3d8.inp"));
  const MatrixChecks checks = imported::measure(model);
  EXPECT_EQ(checks.n_zero_stiffness, 0);
  EXPECT_GT(checks.rigid_residual, 0.1);
  EXPECT_THAT(imported::report(checks).warnings.front().what,
              testing::HasSubstr("the stiffness resists rigid-body motion"));
}

TEST(CalculixMatrices, CompressedRodHasItsMass) {
  const std::string stem = sample("generated/rod/rod_c3d10.inp")
                               .substr(0, sample("generated/rod/rod_c3d10.inp").size() - 4);
  MatrixModel model =
      read_calculix_matrices(stem + "_mat.sti.gz", stem + "_mat.mas.gz", stem + "_mat.dof");
  model.nodes = nodes_of_input(stem + ".inp");
  EXPECT_EQ(model.dofs.size(), 6825u);
  EXPECT_EQ(model.stiffness.values.size(), 229569u);
  EXPECT_EQ(model.mass.values.size(), 229569u);
  EXPECT_NEAR(model.stiffness.values[0], 767792424.3, 0.1);
  EXPECT_NEAR(imported::assemble(model.stiffness).diagonal().sum(), 1.0198338e13, 1e6);
  EXPECT_NEAR(imported::assemble(model.mass).diagonal().sum(), 0.074375713, 1e-8);
  const MatrixChecks checks = imported::measure(model);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(checks.translational_mass[i], 0.066703747, 1e-9);
  EXPECT_LT(checks.rigid_residual, 1e-11);
  EXPECT_TRUE(imported::report(checks).warnings.empty());
}

/// Matrices of Abaqus without labels, on the nodes of the input file beside them.
MatrixModel read_coordinate(const std::string& name) {
  const auto nodes = nodes_of_input(sample("abaqus/exudyn/" + name + ".inp"));
  std::vector<std::int64_t> tags;
  tags.reserve(nodes.size());
  for (const auto& [tag, x] : nodes) tags.push_back(tag);
  const std::string stem =
      sample("abaqus/exudyn/" + name + "STIF1.mtx").empty() ? name + "_" : name;
  MatrixModel model = read_abaqus_matrices(sample("abaqus/exudyn/" + stem + "STIF1.mtx"),
                                           sample("abaqus/exudyn/" + stem + "MASS1.mtx"), tags);
  model.nodes = nodes;
  return model;
}

class AbaqusCoordinate : public testing::TestWithParam<const char*> {};

TEST_P(AbaqusCoordinate, HasTheFactsOfTheManifest) {
  const std::string name = GetParam();
  const std::string stem = name == "blockC3D10" ? name + "_" : name;
  const MatrixModel model = read_coordinate(name);
  const auto k_facts = facts_of("abaqus/exudyn/" + stem + "STIF1.mtx");
  const auto m_facts = facts_of("abaqus/exudyn/" + stem + "MASS1.mtx");
  const Eigen::MatrixXd k = matrix_of(model.stiffness), m = matrix_of(model.mass);
  EXPECT_EQ(model.stiffness.terms, imported::Matrix::Terms::all);
  for (const auto& [facts, a, matrix] :
       {std::make_tuple(k_facts, k, model.stiffness), std::make_tuple(m_facts, m, model.mass)}) {
    EXPECT_EQ(a.rows(), facts.at("order").get<int>());
    EXPECT_EQ(matrix.values.size(), facts.at("lines").get<std::size_t>());
    if (facts.contains("trace")) {
      EXPECT_NEAR(a.trace(), facts["trace"].get<double>(), near(a.trace()));
    }
    if (facts.contains("K11")) {
      EXPECT_EQ(a(0, 0), facts["K11"].get<double>());
      EXPECT_EQ(a(0, 1), facts["K12"].get<double>());
    }
    if (facts.contains("M11")) {
      EXPECT_EQ(a(0, 0), facts["M11"].get<double>());
    }
    if (facts.contains("min_eigenvalue")) {
      const double smallest =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly)
              .eigenvalues()[0];
      EXPECT_NEAR(smallest, facts["min_eigenvalue"].get<double>(), 1e-3);
    }
  }
}

TEST_P(AbaqusCoordinate, IsAFreeBodyOfTheKnownMassAndFrequencies) {
  const std::string name = GetParam();
  const std::string stem = name == "blockC3D10" ? name + "_" : name;
  const MatrixModel model = read_coordinate(name);
  const MatrixChecks checks = imported::measure(model);
  const double mass = facts_of("abaqus/exudyn/" + stem + "MASS1.mtx").at("mass");
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(checks.translational_mass[i], mass, near(mass));
  EXPECT_LT(checks.rigid_residual, 1e-14);
  EXPECT_EQ(checks.n_zero_stiffness, 6);
  EXPECT_EQ(checks.n_zero_mass, 0);
  EXPECT_TRUE(imported::report(checks).warnings.empty());
  const std::vector<double> known =
      facts_of("abaqus/exudyn/" + stem + "STIF1.mtx").at("free_free_hz_7_12");
  const std::vector<double> found = frequencies(model, 7, 6);
  for (std::size_t i = 0; i < known.size(); ++i) EXPECT_NEAR(found[i], known[i], 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All, AbaqusCoordinate, testing::Values("blockC3D10", "rotorDiscTest"));

TEST(AbaqusCoordinateOrder, AnotherNumberOfNodesIsRefused) {
  const std::string k = sample("abaqus/exudyn/rotorDiscTestSTIF1.mtx");
  const std::string m = sample("abaqus/exudyn/rotorDiscTestMASS1.mtx");
  try {
    read_abaqus_matrices(k, m, {1, 2, 3});
    ADD_FAILURE() << "accepted";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("345 rows, but 3 nodes"));
  }
}

TEST(AbaqusSubstructure, ConstructedGuyanReductionPasses) {
  MatrixModel model =
      read_abaqus_substructure(sample("generated/abaqus_like/superelement_constructed.mtx"));
  ASSERT_EQ(model.dofs.size(), 36u);
  EXPECT_EQ(model.dofs[0].node, 101);
  EXPECT_EQ(model.dofs[35].node, 118);
  EXPECT_EQ(model.dofs[35].component, 3);
  EXPECT_NEAR(model.stiffness.values[0], 401301.789771602, 1e-8);
  model.nodes = nodes_of_input(sample("generated/blocks/block_c3d8.inp"));
  const MatrixChecks checks = imported::measure(model);
  EXPECT_LT(checks.rigid_residual, 1e-13);
  EXPECT_EQ(checks.n_zero_stiffness, 6);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(checks.translational_mass[i], 6.296e-5, 1e-13);
}

// *SUBSTRUCTURE GENERATE of CalculiX 2.20 does not condense: its matrix is the partition of the
// retained nodes. The check must say so before it becomes a body.
TEST(AbaqusSubstructure, UncondensedOneOfCalculixFailsTheRigidCheck) {
  MatrixModel model =
      read_abaqus_substructure(sample("generated/blocks/block_c3d8_sub_ccx220.mtx"));
  ASSERT_EQ(model.dofs.size(), 36u);  // one "node" per degree of freedom, whose labels repeat
  EXPECT_EQ(model.dofs[4].node, 102);
  EXPECT_EQ(model.dofs[4].component, 2);
  EXPECT_EQ(model.mass.values.size(), 0u);
  EXPECT_THAT(model.report.warnings.front().what, testing::HasSubstr("MASS"));
  model.nodes = nodes_of_input(sample("generated/blocks/block_c3d8.inp"));
  const MatrixChecks checks = imported::measure(model);
  EXPECT_NEAR(checks.rigid_residual, 0.41, 0.01);
  EXPECT_THAT(imported::report(checks).warnings.front().what,
              testing::HasSubstr("the stiffness resists rigid-body motion"));
  // It equals the partition of the whole matrix.
  const std::string stem = sample("generated/blocks/block_c3d8_mat.sti");
  const std::string base = stem.substr(0, stem.size() - 4);
  const MatrixModel whole = read_calculix_matrices(stem, base + ".mas", base + ".dof");
  const Eigen::MatrixXd k = matrix_of(whole.stiffness), part = matrix_of(model.stiffness);
  std::vector<Eigen::Index> row(36);
  for (std::size_t i = 0; i < 36; ++i)
    for (std::size_t j = 0; j < whole.dofs.size(); ++j)
      if (whole.dofs[j].node == model.dofs[i].node &&
          whole.dofs[j].component == model.dofs[i].component)
        row[i] = static_cast<Eigen::Index>(j);
  for (Eigen::Index i = 0; i < 36; ++i)
    for (Eigen::Index j = 0; j < 36; ++j)
      EXPECT_NEAR(part(i, j), k(row[i], row[j]), 1e-9 * k.cwiseAbs().maxCoeff());
}

}  // namespace
}  // namespace solidyn::formats
