#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include "irregular_bar.h"
#include "selections.h"
#include "serial_matrices.h"
#include "solidyn/base/log.h"
#include "solidyn/fem/surface_load.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

// Component modes against references that use none of the solver's tricks: bordered systems of the
// full matrices.
namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

mesh::InterfaceDefinition in_the_middle() {
  mesh::InterfaceDefinition middle;
  middle.name = "middle";
  middle.nodes = mesh::NodesInBox{{0.57, -0.21, 0.115}, {0.61, -0.16, 0.13}};
  return middle;
}

// Frames that follow a mean motion at both ends and on top, three nodes once among them.
ReductionOptions make_options() {
  ReductionOptions options;
  options.free_free = 0;
  options.constraint_modes = ConstraintModesAt::interfaces;
  options.interfaces = {test::at_set("x_min"), in_the_middle(),
                        test::at_set("x_max", mesh::Attachment::three_nodes)};
  return options;
}

class ComponentModes : public testing::Test {
 protected:
  MatrixXd unit_loads() const {
    const std::vector<mesh::InterfaceDefinition> definitions = make_options().interfaces;
    MatrixXd F = MatrixXd::Zero(K_.rows(), 6 * static_cast<int>(definitions.size()));
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      const mesh::Interface interface =
          mesh::resolve_interface(mesh_, definitions[i], full_.lumped_mass);
      for (std::size_t k = 0; k < interface.nodes.size(); ++k)
        F.block<3, 6>(3 * interface.nodes[k], 6 * i) +=
            interface.weights.middleCols<3>(3 * k).transpose();
    }
    return F;
  }
  // [A F; F^T 0] [u; l] = [f; g]: the answer to forces f with the frames moved by g.
  MatrixXd solve_bordered(const SparseMatrix& A, const MatrixXd& f, const MatrixXd& g) const {
    const MatrixXd F = unit_loads();
    const int n = static_cast<int>(A.rows()), m = static_cast<int>(F.cols());
    std::vector<Eigen::Triplet<double>> entries;
    for (int j = 0; j < n; ++j)
      for (SparseMatrix::InnerIterator it(A, j); it; ++it)
        entries.emplace_back(it.row(), j, it.value());
    const double scale = A.norm() / n;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < n; ++i)
        if (F(i, j) != 0.0) {
          entries.emplace_back(i, n + j, scale * F(i, j));
          entries.emplace_back(n + j, i, scale * F(i, j));
        }
    SparseMatrix B(n + m, n + m);
    B.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<SparseMatrix> lu(B);
    MatrixXd rhs(n + m, f.cols());
    rhs << f, scale * g;
    const MatrixXd solution = lu.solve(rhs);
    return solution.topRows(n);
  }
  MatrixXd frames_of(const ReducedBody& body) const {
    MatrixXd W(6 * body.interfaces.size(), body.n_modes());
    for (std::size_t i = 0; i < body.interfaces.size(); ++i)
      W.middleRows<6>(6 * i) << body.interfaces[i].Psi_t, body.interfaces[i].Psi_r;
    return W;
  }
  void expect_orthonormal(const ReducedBody& body) const {
    const int n = body.n_modes();
    EXPECT_LT((body.X.transpose() * M_ * body.X - MatrixXd::Identity(n, n)).norm(), 1e-9);
    const VectorXd scale = body.K.diagonal().cwiseSqrt().cwiseMax(1.0).cwiseInverse();
    const MatrixXd K = body.X.transpose() * K_ * body.X;
    const MatrixXd scaled = scale.asDiagonal() * (K - body.K) * scale.asDiagonal();
    EXPECT_LT(scaled.bottomRightCorner(n - 6, n - 6).norm(), 1e-7);
  }

  mesh::DistributedMesh mesh_ = make_bar();
  fem::ElasticBody full_ = fem::assemble(mesh_, kSteel);
  SparseMatrix K_ = test::make_sparse_stiffness(full_);
  SparseMatrix M_ = test::make_sparse_mass(full_, fem::MassKind::consistent);
};

// The constraint modes Psi of 3 frames are 18, of which 6 combinations are the rigid motions.
TEST_F(ComponentModes, ConstraintModesMoveOneFrameAndPutNoForceInside) {
  ReductionOptions options = make_options();
  options.keep_rigid_modes = true;
  const ReducedBody body = reduce(mesh_, kSteel, options);
  ASSERT_EQ(body.n_modes(), 18);
  for (int i = 6; i < 18; ++i) EXPECT_EQ(body.modes[i].kind, Mode::Kind::constraint);
  expect_orthonormal(body);

  const MatrixXd Psi = body.X * frames_of(body).inverse();  // W Psi = I
  const MatrixXd reference =
      solve_bordered(K_, MatrixXd::Zero(K_.rows(), 18), MatrixXd::Identity(18, 18));
  for (int j = 0; j < 18; ++j)
    EXPECT_LT((Psi.col(j) - reference.col(j)).norm(), 1e-8 * reference.col(j).norm()) << j;
  const MatrixXd F = unit_loads(), r = K_ * Psi;
  const MatrixXd S = (F.transpose() * F).ldlt().solve(F.transpose() * r);
  for (int j = 0; j < 18; ++j)
    EXPECT_LT((r.col(j) - F * S.col(j)).norm(), 1e-8 * r.col(j).norm()) << j;
}

TEST_F(ComponentModes, InterfaceStiffnessIsThatOfTheFullMesh) {
  ReductionOptions options = make_options();
  options.keep_rigid_modes = true;
  options.fixed_interface = 5;
  const ReducedBody body = reduce(mesh_, kSteel, options);
  ASSERT_EQ(body.n_modes(), 6 + 12 + 5);
  expect_orthonormal(body);
  // Least energy with the frames moved by one: [K W^T; W 0] of the reduced body.
  const MatrixXd W = frames_of(body);
  const double scale = body.K.diagonal().maxCoeff();
  MatrixXd A = MatrixXd::Zero(23 + 18, 23 + 18), rhs = MatrixXd::Zero(23 + 18, 18);
  A.topLeftCorner(23, 23) = body.K / scale;
  A.topRightCorner(23, 18) = W.transpose();
  A.bottomLeftCorner(18, 23) = W;
  rhs.bottomRows(18).setIdentity();
  const MatrixXd w = A.partialPivLu().solve(rhs).topRows(23);
  const MatrixXd S = w.transpose() * body.K * w;
  const MatrixXd Psi =
      solve_bordered(K_, MatrixXd::Zero(K_.rows(), 18), MatrixXd::Identity(18, 18));
  const MatrixXd full = Psi.transpose() * (K_ * Psi);
  for (int i = 0; i < 18; ++i)
    for (int j = 0; j < 18; ++j)
      EXPECT_NEAR(S(i, j), full(i, j), 1e-8 * std::sqrt(full(i, i) * full(j, j)));
}

// Inverse iteration with the bordered matrix, from nowhere near the answer.
TEST_F(ComponentModes, FixedInterfaceModesAreThoseWithTheFramesHeld) {
  constexpr int kModes = 4, kSpace = 12;
  const MatrixXd none = MatrixXd::Zero(18, kSpace);
  MatrixXd x = MatrixXd::Random(K_.rows(), kSpace);
  VectorXd eigenvalues;
  for (int i = 0; i < 14; ++i) {
    x = solve_bordered(K_, M_ * x, none);
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> ritz(x.transpose() * (K_ * x),
                                                                  x.transpose() * (M_ * x));
    eigenvalues = ritz.eigenvalues();
    x = (x * ritz.eigenvectors()).eval();
  }
  // The reduced body with its frames held has these modes.
  ReductionOptions options = make_options();
  options.keep_rigid_modes = true;
  options.fixed_interface = kModes;
  const ReducedBody body = reduce(mesh_, kSteel, options);
  const Eigen::FullPivLU<MatrixXd> lu(frames_of(body));
  const MatrixXd held = lu.kernel();
  ASSERT_EQ(held.cols(), kModes);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> reduced(held.transpose() * body.K * held,
                                                                   held.transpose() * held);
  for (int i = 0; i < kModes; ++i)
    EXPECT_NEAR(reduced.eigenvalues()[i], eigenvalues[i], 1e-7 * eigenvalues[i]);
}

// With free-free modes in the union, the rest of the attachment modes is MacNeal's residual
// flexibility: G_r = F^T (K^+ - sum phi phi^T / omega^2) F.
TEST_F(ComponentModes, StaticCorrectionBesideFreeModesIsTheResidualFlexibility) {
  ReductionOptions options = make_options();
  options.constraint_modes = ConstraintModesAt::none;
  options.static_correction = StaticCorrection::at_interfaces;
  options.free_free = 6;
  const ReducedBody body = reduce(mesh_, kSteel, options);
  options.free_free = 0;
  const ReducedBody all_static = reduce(mesh_, kSteel, options);
  const MatrixXd W = frames_of(body), W_static = frames_of(all_static);
  const MatrixXd G =
      W_static * all_static.K.diagonal().cwiseInverse().asDiagonal() * W_static.transpose();
  const MatrixXd W_free = W.leftCols(6), W_rest = W.rightCols(body.n_modes() - 6);
  const MatrixXd residual = W_rest *
                            body.K.diagonal().tail(W_rest.cols()).cwiseInverse().asDiagonal() *
                            W_rest.transpose();
  const MatrixXd free =
      W_free * body.K.diagonal().head(6).cwiseInverse().asDiagonal() * W_free.transpose();
  for (int i = 0; i < 18; ++i) EXPECT_NEAR(residual(i, i) + free(i, i), G(i, i), 1e-8 * G(i, i));
  EXPECT_GT(free.trace(), 0.1 * G.trace());  // so that the sum is worth comparing
}

TEST_F(ComponentModes, DroppedVectorsAreNamed) {
  ReductionOptions options = make_options();
  options.constraint_modes = ConstraintModesAt::none;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces.push_back(options.interfaces[0]);
  options.interfaces.back().name = "again";
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  reduce(mesh_, kSteel, options);
  const std::string said =
      testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("6 of 24 vectors"), std::string::npos) << said;
  EXPECT_NE(said.find("torque about z at `again`"), std::string::npos) << said;
}

TEST_F(ComponentModes, ConstraintModesOfDependentFramesAreRefused) {
  ReductionOptions options = make_options();
  options.interfaces.push_back(options.interfaces[0]);
  options.interfaces.back().name = "again";
  try {
    reduce(mesh_, kSteel, options);
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("are linearly dependent"), std::string::npos) << e.what();
  }
}

TEST_F(ComponentModes, CutOffTakesModesAwayAndWarnsOfStaticOnes) {
  ReductionOptions options = make_options();
  options.fixed_interface = 3;
  const ReducedBody all = reduce(mesh_, kSteel, options);
  options.cut_off = 0.5 * (all.modes[8].frequency + all.modes[9].frequency);
  base::clear_logged_warnings();
  const ReducedBody some = reduce(mesh_, kSteel, options);
  ASSERT_EQ(some.n_modes(), 9);
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(some.modes[i].frequency, all.modes[i].frequency, 1e-9 * all.modes[i].frequency);
  ASSERT_EQ(base::logged_warnings().size(), 1u);
  EXPECT_NE(base::logged_warnings()[0].find("contain static correction"), std::string::npos);
}

// A cube has frequencies of multiplicity two and three.
TEST(ModesUpTo, AreAllThatThereAre) {
  mesh::BoxOptions cube;
  cube.nx = cube.ny = cube.nz = 2;
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, mesh::make_box(cube));
  const fem::ElasticBody full = fem::assemble(mesh, kSteel);
  const MatrixXd K = test::make_sparse_stiffness(full),
                 M = test::make_sparse_mass(full, fem::MassKind::consistent);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense(K, M, Eigen::EigenvaluesOnly);
  const VectorXd& all = dense.eigenvalues();
  for (int n : {0, 5, 20}) {
    while (n > 0 && all[6 + n] < 1.01 * all[5 + n]) ++n;  // not between two copies
    const double omega = std::sqrt(0.5 * (std::max(all[5 + n], 0.0) + all[6 + n]));
    ReductionOptions options;
    options.free_free_up_to = omega / (2.0 * M_PI);
    options.interfaces = {test::at_set("x_min")};
    options.static_correction = StaticCorrection::at_interfaces;  // so that no body is left empty
    const ReducedBody body = reduce(mesh, kSteel, options);
    int n_found = 0;
    for (const Mode& mode : body.modes) n_found += mode.kind == Mode::Kind::free_free;
    EXPECT_EQ(n_found, (all.array() < omega * omega).count() - 6);
  }
}

// The frames held: as many modes as the projected dense pencil has.
TEST_F(ComponentModes, HeldModesUpToAFrequencyAreAllThatThereAre) {
  const Eigen::HouseholderQR<MatrixXd> qr(unit_loads());
  const MatrixXd Q = qr.householderQ();
  const MatrixXd Z = Q.rightCols(K_.rows() - 18);  // motions that leave the frames in place
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> dense(
      Z.transpose() * (K_ * Z), Z.transpose() * (M_ * Z), Eigen::EigenvaluesOnly);
  ReductionOptions options = make_options();
  options.fixed_interface_up_to =
      std::sqrt(0.5 * (dense.eigenvalues()[6] + dense.eigenvalues()[7])) / (2.0 * M_PI);
  EXPECT_EQ(reduce(mesh_, kSteel, options).n_modes(), 12 + 7);
}

// In the body's span lies the free body's answer to the pattern: the work of the pattern on it is
// that of the full mesh.
TEST_F(ComponentModes, StaticLoadsGiveTheFullAnswer) {
  ReductionOptions options;
  options.free_free = 4;
  LoadPattern pressure, force;
  pressure.name = "pressure";
  pressure.where = test::in_set("y_min");
  force.name = "force";
  force.kind = LoadPattern::Kind::force;
  force.where = test::in_set("x_max");
  force.direction = {1.0, 2.0, 3.0};
  options.static_loads = {pressure, force};
  const ReducedBody body = reduce(mesh_, kSteel, options);
  ASSERT_EQ(body.n_modes(), 6);
  for (int i = 4; i < 6; ++i) EXPECT_EQ(body.modes[i].kind, Mode::Kind::load_pattern);
  expect_orthonormal(body);

  MatrixXd f = MatrixXd::Zero(K_.rows(), 2);
  std::vector<bool> is_selected(mesh_.n_local());
  for (int k = 0; k < mesh_.n_local(); ++k) {
    is_selected[k] = std::abs(mesh_.x(1, k) + 0.2) < 1e-12;
    if (std::abs(mesh_.x(0, k) - 0.7) < 1e-12)
      f.col(1).segment<3>(3 * k) = full_.lumped_mass[k] * force.direction;
  }
  const Eigen::Matrix3Xd areas = fem::Surface(mesh_, is_selected).nodal_area_vectors();
  f.col(0) = Eigen::Map<const VectorXd>(areas.data(), areas.size());
  // Balanced by inertia; then static iteration on K shifted a little.
  MatrixXd R(K_.rows(), 6);
  for (int k = 0; k < mesh_.n_local(); ++k)
    for (int c = 0; c < 3; ++c) {
      R.block<3, 1>(3 * k, c) = Eigen::Vector3d::Unit(c);
      R.block<3, 1>(3 * k, 3 + c) = Eigen::Vector3d::Unit(c).cross(Eigen::Vector3d(mesh_.x.col(k)));
    }
  const MatrixXd MR = M_ * R;
  const MatrixXd balanced = f - MR * (R.transpose() * MR).ldlt().solve(R.transpose() * f);
  const SparseMatrix shifted = K_ + 1e-6 * K_.diagonal().mean() / M_.diagonal().mean() * M_;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(shifted);
  MatrixXd u = factor.solve(balanced);
  for (int i = 0; i < 200; ++i) u += factor.solve(balanced - K_ * u);
  for (int j = 0; j < 2; ++j) {
    const VectorXd work = body.X.transpose() * f.col(j);
    const double reduced = work.cwiseAbs2().dot(body.K.diagonal().cwiseInverse());
    const double full = balanced.col(j).dot(u.col(j));
    EXPECT_NEAR(reduced, full, 1e-8 * full) << j;
  }
}

TEST_F(ComponentModes, StaticLoadThatDeformsNothingIsLeftOut) {
  ReductionOptions options;
  options.free_free = 2;
  LoadPattern gravity;
  gravity.name = "gravity";
  gravity.kind = LoadPattern::Kind::force;
  gravity.where = mesh::NodesInBox{{0.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  gravity.direction = {0.0, 0.0, -1.0};
  options.mass = fem::MassKind::lumped;
  options.static_loads = {gravity};
  base::clear_logged_warnings();
  EXPECT_EQ(reduce(mesh_, kSteel, options).n_modes(), 2);
  ASSERT_EQ(base::logged_warnings().size(), 1u);
  EXPECT_NE(base::logged_warnings()[0].find("`gravity` only accelerates"), std::string::npos);
}

}  // namespace
}  // namespace solidyn::reduction
