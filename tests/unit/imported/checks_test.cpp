#include "solidyn/imported/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/mesh/generators.h"

namespace solidyn::imported {
namespace {

using testing::HasSubstr;

Matrix from_dense(const Eigen::MatrixXd& dense) {
  Matrix matrix;
  matrix.n_rows = dense.rows();
  matrix.n_columns = dense.cols();
  for (Eigen::Index i = 0; i < dense.rows(); ++i)
    for (Eigen::Index j = 0; j < dense.cols(); ++j) {
      if (dense(i, j) == 0.0) continue;
      matrix.rows.push_back(i);
      matrix.columns.push_back(j);
      matrix.values.push_back(dense(i, j));
    }
  return matrix;
}

/// Four nodes joined by six springs, a tetrahedral truss, with unequal masses. Node 7 has axes of
/// its own.
MatrixModel make_truss() {
  MatrixModel model;
  model.source = "truss";
  model.nodes = {{7, {0.1, 0, 0}}, {9, {0, 0.3, 0}}, {3, {0, 0.1, 0.2}}, {20, {0.3, 0.2, 0.1}}};
  std::map<std::int64_t, int> first;
  for (const auto& [tag, x] : model.nodes) {
    first[tag] = static_cast<int>(model.dofs.size());
    for (int component : {1, 2, 3}) model.dofs.push_back({tag, component});
  }
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(12, 12), mass = stiffness;
  for (const auto& [a, x_a] : model.nodes) {
    mass.block<3, 3>(first[a], first[a]) = Eigen::Matrix3d::Identity() * (1.0 + 0.1 * a);
    for (const auto& [b, x_b] : model.nodes) {
      const Eigen::Vector3d d = (x_b - x_a).normalized();
      if (a == b) continue;
      stiffness.block<3, 3>(first[a], first[a]) += 1e6 * d * d.transpose();
      stiffness.block<3, 3>(first[a], first[b]) -= 1e6 * d * d.transpose();
    }
  }
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  Eigen::MatrixXd turn = Eigen::MatrixXd::Identity(12, 12);
  turn.block<3, 3>(first[7], first[7]) = axes;
  model.node_axes[7] = axes;
  model.stiffness = from_dense(turn.transpose() * stiffness * turn);
  model.mass = from_dense(mass);
  return model;
}

TEST(Checks, RigidMotionsOfNodesWithRotationsAndTheirOwnAxes) {
  MatrixModel model;
  const Eigen::Vector3d x(1, 2, 3), centre(0.5, 0.25, -1), turn(0.1, -0.2, 0.3), shift(4, 5, 6);
  const Eigen::Matrix3d axes =
      Eigen::AngleAxisd(0.4, Eigen::Vector3d(3, 1, 2).normalized()).toRotationMatrix();
  model.nodes[5] = x;
  model.node_axes[5] = axes;
  for (int component : {1, 2, 3, 4, 5, 6}) model.dofs.push_back({5, component});
  model.dofs.push_back({-1, 0});  // a generalised coordinate
  model.dofs.push_back({6, 1});   // a node without a place
  Eigen::Matrix<double, 6, 1> motion;
  motion << shift, turn;
  const Eigen::VectorXd rows = rigid_motions(model, centre) * motion;
  EXPECT_LT((rows.head<3>() - axes.transpose() * (shift + turn.cross(x - centre))).norm(), 1e-14);
  EXPECT_LT((rows.segment<3>(3) - axes.transpose() * turn).norm(), 1e-14);
  EXPECT_EQ(rows.tail<2>().norm(), 0.0);
}

TEST(Checks, FreeTrussPassesAndTellsItsMass) {
  const MatrixModel model = make_truss();
  const MatrixChecks checks = measure(model);
  EXPECT_LT(checks.rigid_residual, 1e-14);
  EXPECT_EQ(checks.n_zero_stiffness, 6);
  EXPECT_EQ(checks.n_zero_mass, 0);
  double total = 0.0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (const auto& [tag, x] : model.nodes) {
    total += 1.0 + 0.1 * tag;
    moment += (1.0 + 0.1 * tag) * x;
  }
  const Eigen::Vector3d centre = moment / total;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  for (const auto& [tag, x] : model.nodes) {
    const Eigen::Vector3d b = x - centre;
    inertia +=
        (1.0 + 0.1 * tag) * (b.squaredNorm() * Eigen::Matrix3d::Identity() - b * b.transpose());
  }
  EXPECT_LT((checks.translational_mass.array() - total).abs().maxCoeff(), 1e-13);
  EXPECT_LT((checks.centre - centre).norm(), 1e-14);
  EXPECT_LT((checks.inertia - inertia).norm(), 1e-14);
  EXPECT_TRUE(report(checks).warnings.empty());
}

TEST(Checks, SpringToGroundIsFoundAndNamed) {
  MatrixModel model = make_truss();
  for (std::size_t e = 0; e < model.stiffness.values.size(); ++e)
    if (model.stiffness.rows[e] == 4 && model.stiffness.columns[e] == 4)
      model.stiffness.values[e] += 10.0;
  const MatrixChecks checks = measure(model);
  EXPECT_GT(checks.rigid_residual, 1e-6);
  EXPECT_EQ(checks.n_zero_stiffness, 5);
  ASSERT_EQ(report(checks).warnings.size(), 1u);
  EXPECT_THAT(report(checks).warnings[0].what,
              HasSubstr("the stiffness resists rigid-body motion"));
}

TEST(Checks, MassOfOneDirectionOnlyAndOneTriangleAreFound) {
  MatrixModel model = make_truss();
  model.mass.values[0] *= 1.5;
  for (std::size_t e = 0; e < model.stiffness.values.size(); ++e)
    if (model.stiffness.rows[e] > model.stiffness.columns[e]) model.stiffness.values[e] = 0.0;
  const CheckReport told = report(measure(model));
  std::string all;
  for (const base::Diagnostic& warning : told.warnings) all += warning.what;
  EXPECT_THAT(all, HasSubstr("the mass differs between directions"));
  EXPECT_THAT(all, HasSubstr("the stiffness matrix is not symmetric"));
}

TEST(Checks, MatricesOfAnotherSizeThanTheListAreRefused) {
  MatrixModel model = make_truss();
  model.dofs.pop_back();
  EXPECT_THROW(measure(model), base::InputError);
  model = make_truss();
  model.mass.rows[0] = 12;
  EXPECT_THROW(measure(model), base::InputError);
  model = make_truss();
  model.mass.values[0] = std::nan("");
  EXPECT_THROW(measure(model), base::InputError);
}

TEST(Checks, ModesAreComparedWithTheMass) {
  ModalData modes;
  modes.source = "modes";
  modes.node_tags = {1, 2};
  modes.modes.resize(2);
  modes.modes[0].eigenvalue = 1e4;
  modes.modes[1].eigenvalue = 4e4;
  modes.modes[1].generalized_mass = 2.0;
  modes.translations = Eigen::MatrixXd::Zero(6, 2);
  modes.translations(0, 0) = 1.0;
  modes.translations(3, 1) = 1.0;
  Eigen::SparseMatrix<double> mass(6, 6);
  mass.setIdentity();
  ModalChecks checks = measure(modes, &mass);
  EXPECT_EQ(checks.orthogonality, 0.0);
  EXPECT_DOUBLE_EQ(checks.mass_disagreement, 0.5);
  EXPECT_NEAR(checks.frequencies[0], 100.0 / 6.283185307, 1e-6);
  EXPECT_EQ(checks.n_rigid, 0);
  modes.translations(0, 1) = 1.0;
  checks = measure(modes, &mass);
  EXPECT_DOUBLE_EQ(checks.orthogonality, std::sqrt(0.5));
  EXPECT_THAT(report(checks).warnings.at(0).what, HasSubstr("not orthogonal"));
  mass.resize(3, 3);
  EXPECT_THROW(measure(modes, &mass), base::InputError);
}

TEST(Checks, RigidModesAreCountedByTheGapBehindThem) {
  ModalData modes;
  const auto count = [&](const std::vector<double>& eigenvalues) {
    modes.modes.resize(eigenvalues.size());
    modes.translations = Eigen::MatrixXd::Zero(0, static_cast<Eigen::Index>(eigenvalues.size()));
    for (std::size_t i = 0; i < eigenvalues.size(); ++i) modes.modes[i].eigenvalue = eigenvalues[i];
    return measure(modes).n_rigid;
  };
  EXPECT_EQ(count({-1e-4, 2e-5, 1e-5, 3e-6, 0.0, 1e-4, 4.7e10, 9e10}), 6);
  EXPECT_EQ(count({1e3, 2e3, 4e5}), 0);
  EXPECT_EQ(count({0.0, 1e5, 2e5}), 1);
  EXPECT_EQ(count({0, 0, 0, 0, 0, 0}), 6);
}

TEST(Checks, BodiesThatNoMachineHasAreWarnedOf) {
  mesh::BoxOptions box;
  SolidModel model;
  model.mesh = mesh::make_box(box);
  model.source = "box.bdf";
  model.regions = {{"all", "C3D10", 0, Integration::standard}};
  model.materials = {{"steel", 2.1e11, 0.3, 7850.0, {}}};
  const double volume = measure(model).volume;
  EXPECT_NEAR(measure(model).mass, 7850.0 * volume, 1e-9 * 7850.0 * volume);
  EXPECT_TRUE(report(measure(model)).warnings.empty());

  model.mesh.x *= 1e3;  // a file in mm, read as if it were in m
  EXPECT_THAT(report(measure(model)).warnings.at(0).what, HasSubstr("a body of"));
  model.mesh.x *= 1e-3;
  model.materials[0] = {"steel", 2.1e5, 0.3, 7.85e-9, {}};  // a material in MPa and t/mm^3
  const CheckReport told = report(measure(model));
  EXPECT_THAT(told.warnings.at(0).what, HasSubstr("the wave speed in a bar"));

  CheckReport report;
  add_plausibility(report, "x", 1e9, 1e-6);
  EXPECT_EQ(report.warnings.size(), 2u);
}

TEST(Checks, PlacesComeFromTheMeshForNodesThatAreNamed) {
  MatrixModel model;
  model.dofs = {{2, 1}, {99, 1}};
  SolidModel mesh;
  mesh.mesh = mesh::make_box(mesh::BoxOptions());
  mesh.loose_nodes = {{99, {7, 8, 9}}, {100, {0, 0, 0}}};
  mesh.node_axes[99] = Eigen::Matrix3d::Identity();
  place_nodes(model, mesh);
  ASSERT_EQ(model.nodes.size(), 2u);
  EXPECT_EQ(model.nodes.at(99), Eigen::Vector3d(7, 8, 9));
  EXPECT_EQ(model.node_axes.count(99), 1u);
}

TEST(ModalChecks, NumbersThatAreMissingAreTold) {
  ModalData modes;
  for (const int number : {7, 8, 10}) modes.modes.push_back({number, 1e4 * number, 0.0, 1.0, 1});
  EXPECT_EQ(measure(modes).missing_numbers, std::vector<int>{9});
  EXPECT_THAT(report(measure(modes)).warnings.at(0).what, HasSubstr("first: 9"));
  modes.modes[2].number = 9;
  EXPECT_TRUE(report(measure(modes)).warnings.empty());
}

}  // namespace
}  // namespace solidyn::imported
