#include "samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/imported/checks.h"

namespace solidyn {
namespace {

using imported::ModalData;
using testing::HasSubstr;
using testing_support::facts_of;
using testing_support::sample;

std::int64_t node_row(const ModalData& modes, std::int64_t tag) {
  const auto at = std::find(modes.node_tags.begin(), modes.node_tags.end(), tag);
  EXPECT_NE(at, modes.node_tags.end()) << tag;
  return 3 * (at - modes.node_tags.begin());
}

TEST(NastranPunch, ComplexModesOfFsiAgreeWithTheirFacts) {
  const nlohmann::json facts = facts_of("nastran/modal/fsi.pch");
  const ModalData modes = formats::read_nastran_punch(sample("nastran/modal/fsi.pch"));
  EXPECT_TRUE(modes.is_complex);
  ASSERT_EQ(modes.modes.size(), facts["modes"]);
  EXPECT_EQ(modes.node_tags.size(), facts["G"]);
  EXPECT_EQ(modes.report.skipped.at("points of type S"),
            facts["S"].get<int>() * facts["modes"].get<int>());
  EXPECT_EQ(facts["points"].get<int>(), facts["G"].get<int>() + facts["S"].get<int>());
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    EXPECT_EQ(modes.modes[i].number, static_cast<int>(i) + 1);
    const double expected = facts["eigenvalue_imag"][i];  // 8 digits, the file has 8
    EXPECT_NEAR(modes.modes[i].eigenvalue_imaginary, expected, 2e-7 * expected) << i;
  }
  const std::int64_t row = node_row(modes, 2);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(modes.translations(row + i, 0), facts["mode1_grid2"][i]);
    EXPECT_EQ(modes.rotations(row + i, 0), facts["mode1_grid2"][3 + i]);
  }
  EXPECT_EQ(modes.translations(row + 2, 1), facts["mode2_grid2_T3"]);
  EXPECT_EQ(modes.imaginary_translations.rows(), modes.translations.rows());
}

TEST(NastranPunch, RealModeOfOneGrid) {
  const nlohmann::json facts = facts_of("nastran/modal/one_grid_real.pch");
  const ModalData modes = formats::read_nastran_punch(sample("nastran/modal/one_grid_real.pch"));
  ASSERT_EQ(modes.modes.size(), facts["modes"]);
  EXPECT_EQ(modes.modes[0].eigenvalue, facts["eigenvalue"]);
  EXPECT_EQ(modes.modes[0].subcase, 1);
  EXPECT_EQ(modes.node_tags, std::vector<std::int64_t>{1});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(modes.translations(i, 0), facts["grid_1"][i]);
    EXPECT_EQ(modes.rotations(i, 0), facts["grid_1"][3 + i]);
  }
}

TEST(NastranPunch, StaticsHasNoEigenvectors) {
  try {
    formats::read_nastran_punch(sample("nastran/modal/cbush_displacements.pch"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("contains no eigenvectors"));
    EXPECT_THAT(error.what(), HasSubstr("$DISPLACEMENTS"));
  }
}

double term(const formats::DmigMatrix& dmig, const imported::Dof& row,
            const imported::Dof& column) {
  const imported::Matrix& m = dmig.matrix;
  for (std::size_t i = 0; i < m.values.size(); ++i) {
    const imported::Dof &r = dmig.rows[m.rows[i]], &c = dmig.columns[m.columns[i]];
    if (r.node == row.node && r.component == row.component && c.node == column.node &&
        c.component == column.component)
      return m.values[i];
  }
  return 0.0;
}

TEST(NastranDmig, MatricesAgreeWithTheirFacts) {
  const nlohmann::json facts = facts_of("nastran/dmig/test_case.pch");
  const auto matrices = formats::read_nastran_dmig(sample("nastran/dmig/test_case.pch"));
  ASSERT_EQ(matrices.size(), 3u);
  const auto &k = matrices[0], &m = matrices[1], &va = matrices[2];
  EXPECT_EQ(k.matrix.name, "KAAX");
  EXPECT_EQ(k.matrix.n_rows, facts["order"]);
  EXPECT_EQ(k.matrix.values.size(), facts["K_terms"]);
  EXPECT_EQ(m.matrix.name, "MAAX");
  EXPECT_EQ(m.matrix.values.size(), facts["M_terms"]);
  EXPECT_EQ(term(k, {1, 3}, {1, 3}), facts["K(1.3,1.3)"]);
  EXPECT_EQ(term(k, {1, 3}, {1, 4}), facts["K(1.3,1.4)"]);
  EXPECT_EQ(term(m, {1, 3}, {1, 3}), facts["M(1.3,1.3)"]);
  EXPECT_EQ(va.matrix.name, "VAX");
  EXPECT_EQ(va.matrix.form, 9);
  EXPECT_EQ(va.matrix.n_columns, 1);
  EXPECT_EQ(va.matrix.values.size(), 10u);
}

TEST(NastranDmig, ModelHasTheFrequenciesOfTheRun) {
  const nlohmann::json facts = facts_of("nastran/dmig/test_case.pch");
  const imported::MatrixModel model = formats::read_nastran_matrices(
      sample("nastran/dmig/test_case.pch"), sample("nastran/dmig/test_case.bdf"));
  ASSERT_EQ(model.dofs.size(), facts["order"]);
  EXPECT_EQ(model.nodes.size(), 5u);
  EXPECT_EQ(model.nodes.at(5), Eigen::Vector3d(0.0, 2.0, 0.0));
  const Eigen::MatrixXd k = imported::assemble(model.stiffness), m = imported::assemble(model.mass);
  EXPECT_NEAR(k.trace(), facts["trace_K"], 1e-9 * k.trace());
  EXPECT_NEAR(m.trace(), facts["trace_M"], 1e-9 * m.trace());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(k, m);
  for (int i = 0; i < 10; ++i) {  // 9 digits in the facts, 10 in the matrices
    const double expected = facts["eigenvalues"][i];
    EXPECT_NEAR(modes.eigenvalues()[i], expected, 1e-7 * expected + 0.1) << i;
  }
}

TEST(NastranDmig, MissingMatricesAreNamed) {
  const auto message = [](const std::string& file, const formats::DmigNames& names) {
    try {
      formats::read_nastran_matrices(sample(file), {}, names);
    } catch (const base::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("nastran/dmig/test_case.pch", {"KXX", "MAAX", ""}),
              HasSubstr("no matrix KXX, but KAAX, MAAX, VAX"));
  EXPECT_THAT(message("nastran/dmig/test_case.pch", {"VAX", "MAAX", ""}),
              HasSubstr("VAX is not square and real"));
  EXPECT_THAT(message("nastran/dmig/test_case.bdf", {}), HasSubstr("contains no DMIG matrices"));
}

TEST(NastranDmig, SmallFieldsHoldSeveralTermsInALine) {
  const auto matrices = formats::parse_nastran_dmig(
      "DMIG,STIF,0,6,1,0\nDMIG,STIF,5,1,,5,1,1.5\n,7,0,2.5,,8,3,3.5\n", "a.bdf");
  ASSERT_EQ(matrices.size(), 1u);
  EXPECT_EQ(term(matrices[0], {5, 1}, {5, 1}), 1.5);
  EXPECT_EQ(term(matrices[0], {5, 1}, {7, 0}), 2.5);  // the upper triangle
  EXPECT_EQ(term(matrices[0], {5, 1}, {8, 3}), 3.5);
}

TEST(NastranDmig, ComplexTermsMayBePolar) {
  const auto matrices = formats::parse_nastran_dmig(
      "DMIG,A,0,1,3,0\nDMIG,A,1,1,,1,1,1.5,2.5\nDMIG,B,0,1,3,0,1\nDMIG,B,1,1,,1,1,2.,90.\n",
      "a.bdf");
  EXPECT_EQ(matrices[0].matrix.imaginary[0], 2.5);
  EXPECT_NEAR(matrices[1].matrix.values[0], 0.0, 1e-15);
  EXPECT_NEAR(matrices[1].matrix.imaginary[0], 2.0, 1e-15);
}

}  // namespace
}  // namespace solidyn
