// A superelement that Nastran wrote (EXTSEOUT): every fact that is known of its files.
#include "solidyn/formats/nastran/superelement/superelement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op4/op4.h"
#include "solidyn/imported/checks.h"

namespace solidyn {
namespace {

using imported::Matrix;
using imported::MatrixModel;
using nlohmann::json;

const std::string kFolder = "nastran/superelement/inboard";

std::string file(const char* ending) { return testing_support::sample(kFolder + ending); }

MatrixModel read() {
  return formats::read_nastran_superelement({file(".pch"), file(".asm"), file(".op4")});
}

json facts(const char* ending) { return testing_support::facts_of(kFolder + ending); }

class Inboard : public testing::Test {
 protected:
  void SetUp() override { SOLIDYN_REQUIRE_SAMPLE(kFolder + ".op4"); }
};

TEST_F(Inboard, RowsAreThoseOfExtrn) {
  const MatrixModel model = read();
  const json pch = facts(".pch"), assembly = facts(".asm");
  ASSERT_EQ(model.dofs.size(), pch.at("rows").get<std::size_t>());
  std::vector<std::int64_t> grids, points;
  for (const imported::Dof& dof : model.dofs) {
    if (dof.component == 1) grids.push_back(dof.node);
    if (dof.component == 0) points.push_back(dof.node);
  }
  EXPECT_EQ(grids, assembly.at("boundary_grids").get<std::vector<std::int64_t>>());
  EXPECT_EQ(points, assembly.at("spoints").get<std::vector<std::int64_t>>());
  for (std::size_t row = 0; row < 24; ++row)
    EXPECT_EQ(model.dofs[row].component, static_cast<int>(row % 6) + 1);
}

TEST_F(Inboard, GridsArePlacedAndTheOneWithCdHasItsAxes) {
  const MatrixModel model = read();
  EXPECT_EQ(facts(".pch").at("grid_11_cd").get<int>(), 10);
  ASSERT_EQ(model.nodes.size(), 4);
  EXPECT_EQ(model.nodes.at(11), Eigen::Vector3d(600, 300, 300));
  EXPECT_EQ(model.nodes.at(27), Eigen::Vector3d(600, 0, 0));
  Eigen::Matrix3d axes;  // CORD2R 10: local z along x, local x along y
  axes << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  ASSERT_EQ(model.node_axes.size(), 1);
  EXPECT_TRUE(model.node_axes.at(11).isApprox(axes, 1e-14));
}

TEST_F(Inboard, FreeMotionNeedsNoForceAndHasTheMassOfTheDeck) {
  MatrixModel model = read();
  const json fact = facts(".op4");
  const Eigen::SparseMatrix<double> K = imported::assemble(model.stiffness),
                                    M = imported::assemble(model.mass);
  auto R = imported::rigid_motions(model, Eigen::Vector3d::Zero());
  const double scale = K.norm() * R.norm();
  EXPECT_LE((K * R).norm() / scale, 5 * fact.at("rigid_residual_with_CD").get<double>());
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(R.col(axis).dot(M * R.col(axis)), fact.at("mass").get<double>(), 1e-8);
  model.node_axes.clear();
  R = imported::rigid_motions(model, Eigen::Vector3d::Zero());
  EXPECT_GE((K * R).norm() / scale, 1e-3);  // the rows of grid 11 are not in basic axes
}

TEST_F(Inboard, IsACraigBamptonReduction) {
  const MatrixModel model = read();
  const json fact = facts(".op4");
  const Eigen::MatrixXd K = imported::assemble(model.stiffness), M = imported::assemble(model.mass);
  EXPECT_EQ(K.topRightCorner(24, 8).norm(), fact.at("Kbq").get<double>());
  EXPECT_EQ(fact.at("Mqq").get<std::string>(), "identity");
  EXPECT_TRUE(M.bottomRightCorner(8, 8).isIdentity(1e-6));
  const json& eigenvalues = fact.at("Kqq_diag");
  for (std::size_t i = 0; i < eigenvalues.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(24 + i);
    EXPECT_NEAR(K(row, row), eigenvalues[i].get<double>(), 1e-6 * K(row, row));
  }
}

void expect_matrix_facts(const Matrix& matrix, const json& fact) {
  EXPECT_EQ(matrix.n_rows, fact.at("shape")[0].get<std::int64_t>());
  EXPECT_EQ(matrix.n_columns, fact.at("shape")[1].get<std::int64_t>());
  const Eigen::Map<const Eigen::VectorXd> values(matrix.values.data(),
                                                 static_cast<Eigen::Index>(matrix.values.size()));
  if (fact.count("nnz")) {
    EXPECT_EQ(matrix.values.size(), fact.at("nnz").get<std::size_t>());
  }
  if (fact.count("sum")) {
    EXPECT_NEAR(values.sum(), fact.at("sum").get<double>(), 1e-6 * values.norm());
  }
  if (fact.count("fro")) {
    EXPECT_NEAR(values.norm(), fact.at("fro").get<double>(), 1e-6 * values.norm());
  }
}

TEST_F(Inboard, Op4HoldsTheMatricesOfItsFacts) {
  const auto matrices = formats::read_op4(file(".op4"));
  const json fact = facts(".op4");
  EXPECT_EQ(matrices.size(), fact.at("matrices").get<std::size_t>());
  for (const char* name : {"KXX", "MXX", "PX", "VA"}) {
    const auto found = std::find_if(matrices.begin(), matrices.end(),
                                    [&](const Matrix& matrix) { return matrix.name == name; });
    ASSERT_NE(found, matrices.end()) << name;
    expect_matrix_facts(*found, fact.at(name));
  }
}

TEST_F(Inboard, PunchAloneIsEnoughAndTheOrderOfFilesDoesNotMatter) {
  const MatrixModel all = read();
  const auto two = formats::read_nastran_superelement({file(".op4"), file(".pch")});
  EXPECT_EQ(two.nodes, all.nodes);
  ASSERT_EQ(two.dofs.size(), all.dofs.size());
  for (std::size_t i = 0; i < all.dofs.size(); ++i) {
    EXPECT_EQ(two.dofs[i].node, all.dofs[i].node);
    EXPECT_EQ(two.dofs[i].component, all.dofs[i].component);
  }
}

TEST_F(Inboard, WithoutAListOfRowsItIsRefused) {
  try {
    formats::read_nastran_superelement({file(".op4"), file(".asm")});
    FAIL() << "the assembly file lists no rows";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("EXTRN"));
  }
  EXPECT_THROW(formats::read_nastran_superelement({file(".pch")}), base::InputError);
  EXPECT_THROW(formats::read_nastran_superelement({file(".op4")}), base::InputError);
}

}  // namespace
}  // namespace solidyn
