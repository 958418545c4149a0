#include "solidyn/reduction/reduce.h"

#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>

#include "irregular_bar.h"
#include "selections.h"
#include "serial_matrices.h"
#include "solidyn/fem/solid_element.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/modal_table.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

MatrixXd make_rigid_fields(const Eigen::Matrix3Xd& x) {
  MatrixXd R(3 * x.cols(), 6);
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    for (int c = 0; c < 3; ++c) {
      R.block<3, 1>(3 * k, c) = Vector3d::Unit(c);
      R.block<3, 1>(3 * k, 3 + c) = Vector3d::Unit(c).cross(Vector3d(x.col(k)));
    }
  return R;
}

// Coefficients of rigid fields that fit X best.
MatrixXd fit_rigid(const MatrixXd& rigid, const MatrixXd& X) {
  return (rigid.transpose() * rigid).ldlt().solve(rigid.transpose() * X);
}

// The reduction of the bar with everything in it, for each mass.
class ReducedBar : public testing::TestWithParam<fem::MassKind> {
 protected:
  static ReductionOptions make_options() {
    ReductionOptions options;
    options.free_free = 7;
    options.static_correction = StaticCorrection::at_interfaces;
    options.keep_rigid_modes = true;
    options.mass = GetParam();
    options.damping = {3.0, 2e-6, 0.01};
    options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3),
                          test::at_set("x_max", mesh::Attachment::three_nodes)};
    options.points = {{"middle", {0.6, -0.185, 0.11}}};
    return options;
  }
  mesh::DistributedMesh mesh_ = make_bar();
  fem::ElasticBody full_ = fem::assemble(mesh_, kSteel);
  Eigen::SparseMatrix<double> K_ = test::make_sparse_stiffness(full_);
  Eigen::SparseMatrix<double> M_ = test::make_sparse_mass(full_, GetParam());
  MatrixXd rigid_ = make_rigid_fields(mesh_.x);
  ReductionOptions options_ = make_options();
  ReducedBody body_ = reduce(mesh_, kSteel, options_);
};
INSTANTIATE_TEST_SUITE_P(Masses, ReducedBar,
                         testing::Values(fem::MassKind::consistent, fem::MassKind::lumped),
                         [](const auto& info) {
                           return info.param == fem::MassKind::lumped ? "lumped" : "consistent";
                         });

TEST_P(ReducedBar, BasisIsOrthonormalInMassAndStiffness) {
  const int n = body_.n_modes();
  ASSERT_EQ(n, 6 + 7 + 12);
  EXPECT_LT((body_.X.transpose() * M_ * body_.X - MatrixXd::Identity(n, n)).norm(), 1e-9);
  EXPECT_EQ(body_.M, MatrixXd::Identity(n, n));
  const MatrixXd K = body_.X.transpose() * K_ * body_.X;
  const VectorXd scale = body_.K.diagonal().cwiseSqrt().cwiseMax(1.0).cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * (K - body_.K) * scale.asDiagonal();
  EXPECT_LT(scaled.bottomRightCorner(n - 6, n - 6).norm(), 1e-7);
}

TEST_P(ReducedBar, RigidModesComeFirstAndStoreNoEnergy) {
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(body_.modes[i].kind, Mode::Kind::rigid);
    EXPECT_EQ(body_.K(i, i), 0.0);
  }
  const MatrixXd X = body_.X.leftCols(6);
  EXPECT_LT((rigid_ * fit_rigid(rigid_, X) - X).norm(), 1e-11 * X.norm());
  EXPECT_LT((K_ * X).norm(), 1e-13 * K_.norm() * X.norm());
}

TEST_P(ReducedBar, ElasticModesMeetTheMeanAxisConditions) {
  const MatrixXd elastic = body_.X.rightCols(body_.n_modes() - 6);
  EXPECT_LT((rigid_.transpose() * M_ * elastic).norm(), 1e-10);
}

TEST_P(ReducedBar, EigenvectorsAreThoseOfTheFullMatrices) {
  for (int i = 6; i < 13; ++i) {
    ASSERT_EQ(body_.modes[i].kind, Mode::Kind::free_free);
    const VectorXd inertia = body_.K(i, i) * (M_ * body_.X.col(i));
    EXPECT_LT((K_ * body_.X.col(i) - inertia).norm(), 1e-7 * inertia.norm());
    EXPECT_NEAR(body_.modes[i].frequency, std::sqrt(body_.K(i, i)) / (2 * M_PI),
                1e-12 * body_.modes[i].frequency);
    EXPECT_GE(body_.K(i, i), i > 6 ? body_.K(i - 1, i - 1) : 1.0);
  }
}

TEST_P(ReducedBar, InvariantsAreTheNodalSums) {
  const InertiaInvariants& inertia = body_.inertia;
  const auto node = [&](int mode, int k) { return Vector3d(body_.X.block<3, 1>(3 * k, mode)); };
  double mass = 0.0;
  Vector3d first = Vector3d::Zero(), S = Vector3d::Zero();
  Matrix3d N00 = Matrix3d::Zero(), N0 = Matrix3d::Zero(), N = Matrix3d::Zero();
  const int i = 8, j = 15;
  for (int l = 0; l < mesh_.n_local(); ++l)
    for (Eigen::SparseMatrix<double>::InnerIterator it(M_, 3 * l); it; ++it) {
      const int k = static_cast<int>(it.row()) / 3;
      const double m = it.value();
      mass += m;
      first += m * mesh_.x.col(l);
      S += m * node(i, l);
      N00 += m * mesh_.x.col(k) * mesh_.x.col(l).transpose();
      N0 += m * mesh_.x.col(k) * node(i, l).transpose();
      N += m * node(i, k) * node(j, l).transpose();
    }
  EXPECT_NEAR(inertia.mass, mass, 1e-13 * mass);
  EXPECT_LT((inertia.first_moment - first).norm(), 1e-13 * first.norm());
  EXPECT_LT((inertia.N00 - N00).norm(), 1e-13 * N00.norm());
  const double scale = std::sqrt(mass);  // of sum m X for a mode of unit modal mass
  EXPECT_LT((inertia.S.col(i) - S).norm(), 1e-12 * scale);
  EXPECT_LT((inertia.N0[i] - N0).norm(), 1e-12 * scale);
  EXPECT_LT((inertia.N[i * body_.n_modes() + j] - N).norm(), 1e-12);
  EXPECT_NEAR(inertia.N[i * body_.n_modes() + i].trace(), 1.0, 1e-9);
}

TEST_P(ReducedBar, InterfacesAndPointsAreRowsOfTheModes) {
  const MatrixXd coefficients = fit_rigid(rigid_, body_.X.leftCols(6));
  for (std::size_t i = 0; i < options_.interfaces.size(); ++i) {
    const mesh::Interface resolved =
        mesh::resolve_interface(mesh_, options_.interfaces[i], full_.lumped_mass);
    MatrixXd rows(3 * resolved.nodes.size(), body_.n_modes());
    for (std::size_t k = 0; k < resolved.nodes.size(); ++k)
      rows.middleRows<3>(3 * k) = body_.X.middleRows<3>(3 * resolved.nodes[k]);
    const MatrixXd Psi = resolved.weights * rows;
    const ReducedInterface& reduced = body_.interfaces[i];
    EXPECT_LT((Psi.topRows<3>() - reduced.Psi_t).norm(), 1e-12 * Psi.norm());
    EXPECT_LT((Psi.bottomRows<3>() - reduced.Psi_r).norm(), 1e-12 * Psi.norm());
    // A rigid mode moves the frame rigidly.
    const MatrixXd at_frame = make_rigid_fields(reduced.x_B) * coefficients;
    EXPECT_LT((reduced.Psi_t.leftCols(6) - at_frame).norm(), 1e-11 * at_frame.norm());
    EXPECT_LT((reduced.Psi_r.leftCols(6) - coefficients.bottomRows(3)).norm(),
              1e-10 * coefficients.bottomRows(3).norm());
  }
  EXPECT_EQ(body_.interfaces[0].Psi_nodes.size(), 0u);
  EXPECT_EQ(body_.interfaces[1].Psi_nodes.size(), 3u);
  EXPECT_EQ(body_.interfaces[1].x_nodes.cols(), 3);
  const auto [point, x_B] = mesh::nearest_node(mesh_, options_.points[0].x_B);
  EXPECT_EQ(body_.points[0].x_B, x_B);
  EXPECT_EQ(body_.points[0].Psi, body_.X.middleRows<3>(3 * point));
}

TEST_P(ReducedBar, AmplitudeIsTheLargestNodalDisplacement) {
  for (int i = 0; i < body_.n_modes(); ++i) {
    double largest = 0.0;
    for (int k = 0; k < mesh_.n_local(); ++k)
      largest = std::max(largest, body_.X.block<3, 1>(3 * k, i).norm());
    EXPECT_NEAR(body_.amplitude[i], largest, 1e-15 * largest);
  }
}

TEST_P(ReducedBar, DampingIsRayleighPlusModal) {
  for (int i = 0; i < body_.n_modes(); ++i) {
    const double omega = std::sqrt(body_.K(i, i));
    const double expected = 3.0 + 2e-6 * omega * omega + 2 * 0.01 * omega;
    EXPECT_NEAR(body_.D(i, i), expected, 1e-12 * expected);
  }
  EXPECT_EQ(body_.D(3, 8), 0.0);
}

// The static answer of the free body to balanced loads: three nodes held in six dofs by stiff
// springs, in which no force flows, then rigid motion removed.
MatrixXd solve_inertia_relief(const mesh::DistributedMesh& mesh,
                              const Eigen::SparseMatrix<double>& K,
                              const Eigen::SparseMatrix<double>& M, const MatrixXd& loads) {
  const MatrixXd R = make_rigid_fields(mesh.x), MR = M * R;
  const Eigen::LDLT<MatrixXd> gram(R.transpose() * MR);
  const MatrixXd balanced = loads - MR * gram.solve(R.transpose() * loads);
  const auto nearest = [&](const Vector3d& p) {
    Eigen::Index k = 0;
    (mesh.x.colwise() - p).colwise().norm().minCoeff(&k);
    return static_cast<int>(k);
  };
  const int a = nearest({0.5, -0.2, 0.1}), b = nearest({0.7, -0.2, 0.1}),
            c = nearest({0.5, -0.17, 0.1});
  Eigen::SparseMatrix<double> held = K;
  for (const int dof : {3 * a, 3 * a + 1, 3 * a + 2, 3 * b + 1, 3 * b + 2, 3 * c + 2})
    held.coeffRef(dof, dof) += K.coeff(dof, dof);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(held);
  MatrixXd u = factor.solve(balanced);
  u += factor.solve(balanced - held * u);
  return u - R * gram.solve(MR.transpose() * u);
}

TEST_P(ReducedBar, StaticCorrectionGivesTheFullAnswerToInterfaceLoads) {
  const int n = body_.n_modes() - 6;
  for (std::size_t i = 0; i < options_.interfaces.size(); ++i) {
    const mesh::Interface resolved =
        mesh::resolve_interface(mesh_, options_.interfaces[i], full_.lumped_mass);
    MatrixXd loads = MatrixXd::Zero(K_.rows(), 6);
    for (std::size_t k = 0; k < resolved.nodes.size(); ++k)
      loads.middleRows<3>(3 * resolved.nodes[k]) =
          resolved.weights.middleCols<3>(3 * k).transpose();
    const MatrixXd full = loads.transpose() * solve_inertia_relief(mesh_, K_, M_, loads);
    MatrixXd Psi(6, n);
    Psi << body_.interfaces[i].Psi_t.rightCols(n), body_.interfaces[i].Psi_r.rightCols(n);
    const MatrixXd reduced =
        Psi * body_.K.diagonal().tail(n).cwiseInverse().asDiagonal() * Psi.transpose();
    for (int r = 0; r < 6; ++r) EXPECT_NEAR(reduced(r, r), full(r, r), 1e-8 * full(r, r));
  }
}

TEST_P(ReducedBar, TableSumsRigidModesToTheBody) {
  const Participation p = compute_participation(body_);
  const VectorXd total = p.effective_mass.rowwise().sum();
  EXPECT_NEAR(total[0], body_.inertia.mass, 1e-10 * body_.inertia.mass);
  const Vector3d c = body_.inertia.first_moment / body_.inertia.mass;
  const Matrix3d second = body_.inertia.N00 - body_.inertia.mass * c * c.transpose();
  for (int r = 0; r < 3; ++r) {
    const double J = second.trace() - second(r, r);
    // A column of the six rigid modes may turn about all axes: their sum is J(r, r) in any basis.
    EXPECT_NEAR(total[3 + r], J, 1e-9 * J);
  }
  EXPECT_LT(p.effective_mass.rightCols(body_.n_modes() - 6).maxCoeff(), 1e-18);
  const std::string table = format_modal_table(body_);
  EXPECT_NE(table.find("free-free"), std::string::npos);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), body_.n_modes() + 4);
}

TEST(RigidRegion, MovesRigidlyAndStoresNoStrain) {
  const mesh::DistributedMesh mesh = make_bar();
  ReductionOptions options;
  options.free_free = 5;
  options.static_correction = StaticCorrection::at_interfaces;
  mesh::InterfaceDefinition clamp;
  clamp.name = "clamp";
  clamp.nodes = mesh::NodesInBox{{0.49, -0.21, 0.09}, {0.55, -0.16, 0.13}};
  clamp.attach = mesh::Attachment::rbe2;
  options.interfaces = {clamp, test::at_set("x_max", mesh::Attachment::rbe3)};
  const ReducedBody body = reduce(mesh, kSteel, options);
  const fem::ElasticBody full = fem::assemble(mesh, kSteel);
  const mesh::Interface region = mesh::resolve_interface(mesh, clamp, full.lumped_mass);
  const ReducedInterface& frame = body.interfaces[0];
  std::vector<bool> is_inside(mesh.n_local(), false);
  for (const std::int64_t node : region.nodes) {
    is_inside[node] = true;
    const Vector3d arm = mesh.x.col(node) - frame.x_B;
    const MatrixXd moved = frame.Psi_t + make_rigid_fields(arm).rightCols(3) * frame.Psi_r;
    EXPECT_LT((body.X.middleRows<3>(3 * node) - moved).norm(), 1e-11 * body.X.norm());
  }
  int n_inside = 0;
  fem::ElementNodes<elements::Tet10> x, u;
  for (std::int64_t e = 0; e < mesh.solids[0].size(); ++e) {
    const std::int32_t* nodes = &mesh.solids[0].connectivity[10 * e];
    if (!std::all_of(nodes, nodes + 10, [&](std::int32_t k) { return is_inside[k]; })) continue;
    ++n_inside;
    for (int mode = 0; mode < body.n_modes(); ++mode) {
      for (int a = 0; a < 10; ++a) {
        x.col(a) = mesh.x.col(nodes[a]);
        u.col(a) = body.X.block<3, 1>(3 * nodes[a], mode);
      }
      const double typical =
          body.amplitude[mode] / 0.02;  // a displacement over the bar's thickness
      EXPECT_LT(fem::strain<elements::Tet10>(x, u, {0.2, 0.3, 0.1}).norm(), 1e-11 * typical);
    }
  }
  EXPECT_GT(n_inside, 10);
  // Still free, and stiffer than the bar without the rigid region.
  const Eigen::SparseMatrix<double> M = test::make_sparse_mass(full, fem::MassKind::consistent);
  const int n = body.n_modes();
  EXPECT_LT((body.X.transpose() * M * body.X - MatrixXd::Identity(n, n)).norm(), 1e-9);
  EXPECT_LT((make_rigid_fields(mesh.x).transpose() * M * body.X).norm(), 1e-10);
  options.interfaces = {};
  const ReducedBody flexible = reduce(mesh, kSteel, options);
  for (int i = 0; i < 5; ++i)
    EXPECT_GT(body.modes[i].frequency, 1.02 * flexible.modes[i].frequency);
}

TEST(Reduce, DropsDependentCorrectionModesOfARepeatedInterface) {
  ReductionOptions options;
  options.free_free = 3;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3)};
  const int n_once = reduce(make_bar(), kSteel, options).n_modes();
  EXPECT_EQ(n_once, 3 + 6);
  options.interfaces.push_back(options.interfaces[0]);
  options.interfaces[1].name = "again";
  EXPECT_EQ(reduce(make_bar(), kSteel, options).n_modes(), n_once);
}

// A cube has frequencies of multiplicity two and three: no solver may miss a copy. The two are
// independent, and the number of wanted modes cuts through a pair.
TEST(Reduce, BothEigensolversFindTheSameModes) {
  mesh::BoxOptions cube;
  cube.nx = cube.ny = cube.nz = 2;
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, mesh::make_box(cube));
  ReductionOptions options;
  options.free_free = 21;
  const ReducedBody by_blocks = reduce(mesh, kSteel, options);
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_solver", "slepc"));
  const ReducedBody by_slepc = reduce(mesh, kSteel, options);
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_solver"));
  for (int i = 0; i < 21; ++i)
    EXPECT_NEAR(by_blocks.modes[i].frequency, by_slepc.modes[i].frequency,
                1e-9 * by_slepc.modes[i].frequency);
}

// A mesh so small that all of its elastic modes are wanted.
TEST(Reduce, FindsEveryModeThereIs) {
  mesh::BoxOptions cube;
  cube.type = elements::ElementType::tet4;
  cube.size = {1.0, 0.8, 0.7};
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, mesh::make_box(cube));
  const fem::ElasticBody full = fem::assemble(mesh, kSteel);
  const MatrixXd K = test::make_sparse_stiffness(full),
                 M = test::make_sparse_mass(full, fem::MassKind::consistent);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense(K, M, Eigen::EigenvaluesOnly);
  for (const int n : {1, 10, 17, 18}) {
    ReductionOptions options;
    options.free_free = n;
    const ReducedBody body = reduce(mesh, kSteel, options);
    ASSERT_EQ(body.n_modes(), n);
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(body.K(i, i), dense.eigenvalues()[6 + i], 1e-9 * dense.eigenvalues()[6 + i]);
  }
}

TEST(Reduce, WorksWithoutFreeFreeModes) {
  ReductionOptions options;
  options.free_free = 0;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3)};
  EXPECT_EQ(reduce(make_bar(), kSteel, options).n_modes(), 6);
}

TEST(Reduce, RejectsTooManyModesAndSharedRigidRegions) {
  ReductionOptions options;
  options.free_free = 100000;
  EXPECT_THROW(reduce(make_bar(), kSteel, options), base::InputError);
  options.free_free = 2;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe2),
                        test::at_set("y_min", mesh::Attachment::rbe2)};
  try {
    reduce(make_bar(), kSteel, options);
    FAIL() << "two rigid regions with common nodes were accepted";
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("`x_min` and `y_min` share a node"), std::string::npos);
  }
}

}  // namespace
}  // namespace solidyn::reduction
