// Matrices with rotations, axes of nodes and generalised coordinates: a beam of four elements,
// condensed to its ends by Craig and Bampton, against dense solutions of the same pencil.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imported_bar.h"
#include "selections.h"
#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"
#include "solidyn/reduction/quality.h"
#include "solidyn/reduction/reduce_matrices.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kTwoPi = 6.283185307179586;
constexpr int kElements = 4;
constexpr double kLength = 0.5, kMassPerLength = 1.5, kBending = 40.0, kOther = 70.0, kAxial = 3e6,
                 kTorsion = 55.0, kPolar = 2e-4;

// Bending of one element in a plane: displacement and slope at both ends (Hermite's cubics).
Eigen::Matrix4d bending_stiffness(double EI, double l) {
  Eigen::Matrix4d K;
  K << 12, 6 * l, -12, 6 * l, 6 * l, 4 * l * l, -6 * l, 2 * l * l, -12, -6 * l, 12, -6 * l, 6 * l,
      2 * l * l, -6 * l, 4 * l * l;
  return EI / (l * l * l) * K;
}

Eigen::Matrix4d bending_mass(double l) {
  Eigen::Matrix4d M;
  M << 156, 22 * l, 54, -13 * l, 22 * l, 4 * l * l, 13 * l, -3 * l * l, 54, 13 * l, 156, -22 * l,
      -13 * l, -3 * l * l, -22 * l, 4 * l * l;
  return kMassPerLength * l / 420.0 * M;
}

void add(const Eigen::MatrixXd& element, const std::vector<int>& rows, const VectorXd& sign,
         MatrixXd& A) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      A(rows[i], rows[j]) += sign[static_cast<Index>(i)] * sign[static_cast<Index>(j)] *
                             element(static_cast<Index>(i), static_cast<Index>(j));
}

// The beam along x, six rows per node.
void make_beam(MatrixXd& K, MatrixXd& M) {
  const int n = 6 * (kElements + 1);
  K = M = MatrixXd::Zero(n, n);
  const double l = kLength / kElements;
  Eigen::Matrix2d spring, bar;
  spring << 1, -1, -1, 1;
  bar << 2, 1, 1, 2;
  Eigen::Vector4d turned(1, -1, 1, -1);  // the slope of w is -theta_y
  for (int e = 0; e < kElements; ++e) {
    const int a = 6 * e, b = a + 6;
    const std::vector<int> y = {a + 1, a + 5, b + 1, b + 5}, z = {a + 2, a + 4, b + 2, b + 4};
    add(bending_stiffness(kBending, l), y, VectorXd::Ones(4), K);
    add(bending_mass(l), y, VectorXd::Ones(4), M);
    add(bending_stiffness(kOther, l), z, turned, K);
    add(bending_mass(l), z, turned, M);
    add(kAxial / l * spring, {a, b}, VectorXd::Ones(2), K);
    add(kMassPerLength * l / 6.0 * bar, {a, b}, VectorXd::Ones(2), M);
    add(kTorsion / l * spring, {a + 3, b + 3}, VectorXd::Ones(2), K);
    add(kPolar * l / 6.0 * bar, {a + 3, b + 3}, VectorXd::Ones(2), M);
  }
}

const Vector3d kFirstEnd(0.3, -0.2, 0.1);

struct Superelement {
  imported::MatrixModel model;
  MatrixXd K, M;  // 12 rows of the ends, then fixed-interface modes
};

Superelement make_superelement(int n_internal) {
  MatrixXd K, M;
  make_beam(K, M);
  const Index n = K.rows(), n_i = n - 12;
  std::vector<Index> order;
  for (Index i = 0; i < 6; ++i) order.push_back(i);
  for (Index i = n - 6; i < n; ++i) order.push_back(i);
  for (Index i = 6; i < n - 6; ++i) order.push_back(i);
  K = MatrixXd(K(order, order));
  M = MatrixXd(M(order, order));
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> fixed(K.bottomRightCorner(n_i, n_i),
                                                                 M.bottomRightCorner(n_i, n_i));
  MatrixXd T = MatrixXd::Zero(n, 12 + n_internal);
  T.topLeftCorner(12, 12).setIdentity();
  T.bottomLeftCorner(n_i, 12) =
      -K.bottomRightCorner(n_i, n_i).ldlt().solve(K.bottomLeftCorner(n_i, 12));
  T.bottomRightCorner(n_i, n_internal) = fixed.eigenvectors().leftCols(n_internal);
  Superelement out;
  out.K = T.transpose() * K * T;
  out.M = T.transpose() * M * T;
  out.model.source = "beam.op4";
  for (int c = 1; c <= 6; ++c) out.model.dofs.push_back({11, c});
  for (int c = 1; c <= 6; ++c) out.model.dofs.push_back({27, c});
  for (int i = 0; i < n_internal; ++i) out.model.dofs.push_back({900 + i, 0});
  out.model.stiffness = test::to_imported(out.K.sparseView(), "KXX");
  out.model.mass = test::to_imported(out.M.sparseView(), "MXX");
  out.model.nodes[11] = kFirstEnd;
  out.model.nodes[27] = kFirstEnd + kLength * Vector3d::UnitX();
  return out;
}

// The same with the second end's components along axes of its own.
imported::MatrixModel turn_second_end(const Superelement& super) {
  const Matrix3d A = math::exp_rotation({0.3, -0.7, 0.4});
  MatrixXd B = MatrixXd::Identity(super.K.rows(), super.K.rows());  // basic = B own
  B.block<3, 3>(6, 6) = A;
  B.block<3, 3>(9, 9) = A;
  imported::MatrixModel model = super.model;
  model.stiffness = test::to_imported((B.transpose() * super.K * B).sparseView(), "KXX");
  model.mass = test::to_imported((B.transpose() * super.M * B).sparseView(), "MXX");
  model.node_axes[27] = A;
  return model;
}

mesh::DistributedMesh make_ends() {
  mesh::Mesh cloud;
  cloud.x.resize(3, 2);
  cloud.x << kFirstEnd, kFirstEnd + kLength * Vector3d::UnitX();
  cloud.node_tags = {11, 27};
  cloud.sets["left"] = {0, {0}};
  cloud.sets["right"] = {0, {1}};
  return mesh::distribute(PETSC_COMM_SELF, cloud);
}

ReductionOptions all_modes(int n_internal) {
  ReductionOptions options;
  options.free_free = 6 + n_internal;
  options.interfaces = {test::at_set("left", mesh::Attachment::node),
                        test::at_set("right", mesh::Attachment::node)};
  return options;
}

VectorXd dense_eigenvalues(const MatrixXd& K, const MatrixXd& M) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M, Eigen::EigenvaluesOnly)
      .eigenvalues();
}

void expect_beam(const ReducedBody& body, const Superelement& super) {
  const VectorXd free = dense_eigenvalues(super.K, super.M);
  ASSERT_EQ(body.n_modes(), free.size() - 6);
  for (Index i = 0; i < body.n_modes(); ++i)
    EXPECT_NEAR(body.K(i, i), free[6 + i], 1e-7 * free[6 + i]) << i;
  EXPECT_NEAR(body.inertia.mass, kMassPerLength * kLength, 1e-10);
  const Vector3d centre = body.inertia.first_moment / body.inertia.mass;
  EXPECT_LT((centre - kFirstEnd - 0.5 * kLength * Vector3d::UnitX()).norm(), 1e-10);
  const Matrix3d second = body.inertia.N00 - body.inertia.mass * centre * centre.transpose();
  const Matrix3d J = second.trace() * Matrix3d::Identity() - second;
  const double slender = body.inertia.mass * kLength * kLength / 12.0;
  EXPECT_NEAR(J(0, 0), kPolar * kLength, 1e-10);
  EXPECT_NEAR(J(1, 1), slender, 1e-8 * slender);
  EXPECT_NEAR(J(2, 2), slender, 1e-8 * slender);
  // The mean axis: no momentum in the modes.
  EXPECT_LT(body.inertia.S.cwiseAbs().maxCoeff(), 1e-9);
  for (const Matrix3d& N : body.inertia.N0) EXPECT_LT(math::cross_of(N).norm(), 1e-9);
  // One end held: its rotations hold, too.
  const Index n_held = super.K.rows() - 6;
  const VectorXd held = dense_eigenvalues(super.K.bottomRightCorner(n_held, n_held),
                                          super.M.bottomRightCorner(n_held, n_held));
  const VectorXd found = compute_fixed_base_modes(body, 0).frequencies * kTwoPi;
  for (Index i = 0; i < 8; ++i) EXPECT_NEAR(found[i], std::sqrt(held[i]), 1e-6 * found[i]) << i;
}

TEST(ImportedSuperelement, HasTheModesOfItsMatrices) {
  const Superelement super = make_superelement(8);
  expect_beam(reduce_matrices(make_ends(), super.model, all_modes(8)), super);
}

// Torsion and what it turns: without an amplitude, errors of its coordinate would have no weight.
TEST(ImportedSuperelement, GivesAnAmplitudeToWhatTurnsAlone) {
  const Superelement super = make_superelement(8);
  const ReducedBody body = reduce_matrices(make_ends(), super.model, all_modes(8));
  int n_turn = 0;
  for (Index j = 0; j < body.n_modes(); ++j) {
    double moved = 0.0, turned = 0.0;
    for (const ReducedInterface& end : body.interfaces) {
      moved = std::max(moved, end.Psi_t.col(j).norm());
      turned = std::max(turned, end.Psi_r.col(j).norm());
    }
    n_turn += moved < 1e-6 * turned;
    const double least = 0.3 * std::max(moved, 1e-3 * kLength * turned);
    EXPECT_GT(body.amplitude[j], least) << j;
  }
  EXPECT_GT(n_turn, 0);
}

TEST(ImportedSuperelement, MayHaveAxesOfItsOwnAtANode) {
  const Superelement super = make_superelement(8);
  expect_beam(reduce_matrices(make_ends(), turn_second_end(super), all_modes(8)), super);
}

// An end that the mesh does not have, but the file places.
TEST(ImportedSuperelement, KeepsNodesOutsideOfTheMesh) {
  const Superelement super = make_superelement(3);
  mesh::Mesh cloud;
  cloud.x = kFirstEnd;
  cloud.node_tags = {11};
  cloud.sets["left"] = {0, {0}};
  ReductionOptions options = all_modes(3);
  options.interfaces.pop_back();
  expect_beam(reduce_matrices(mesh::distribute(PETSC_COMM_SELF, cloud), super.model, options),
              super);
}

// Free-free shapes in place of fixed-interface ones: they move with the body.
TEST(ImportedSuperelement, MayHaveGeneralisedCoordinatesThatMoveRigidly) {
  const Superelement super = make_superelement(4);
  const Index n = super.K.rows();
  MatrixXd T = MatrixXd::Identity(n, n);  // q = q' + B u: another choice of coordinates
  T.bottomLeftCorner(4, 12) = 0.1 * MatrixXd::Random(4, 12);
  imported::MatrixModel model = super.model;
  model.stiffness = test::to_imported((T.transpose() * super.K * T).sparseView(), "KXX");
  model.mass = test::to_imported((T.transpose() * super.M * T).sparseView(), "MXX");
  expect_beam(reduce_matrices(make_ends(), model, all_modes(4)), super);
}

using testing::HasSubstr;

void expect_refused(const imported::MatrixModel& model, const char* text,
                    const ReductionOptions& options = all_modes(1)) {
  try {
    reduce_matrices(make_ends(), model, options);
    FAIL() << "it was accepted; expected: " << text;
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(text));
  }
}

TEST(ImportedSuperelement, RefusesWhatIsNoFreeBody) {
  const Superelement super = make_superelement(1);
  imported::MatrixModel model = super.model;
  model.stiffness =
      test::to_imported(MatrixXd(super.K + 1e5 * MatrixXd::Identity(13, 13)).sparseView(), "KXX");
  expect_refused(model, "resists rigid-body motion");
  model = super.model;
  model.nodes.clear();
  model.dofs[7] = {27, 3};  // its translation along y is missing
  expect_refused(model, "do not contain all translations, once each, of 1 of 2 nodes (first: 27)");
  model = super.model;
  model.stiffness.values[1] *= 2.0;
  model.stiffness.values[1] += 1e6;
  expect_refused(model, "not symmetric");
  model = super.model;
  model.dofs.pop_back();
  expect_refused(model, "is 13 x 13, but 12 degrees of freedom are listed");
  model = super.model;
  std::fill(model.mass.values.begin(), model.mass.values.end(), 0.0);
  expect_refused(model, "a mass of 0 kg");
}

TEST(ImportedSuperelement, RefusesWhatNeedsElements) {
  const imported::MatrixModel model = make_superelement(1).model;
  ReductionOptions options = all_modes(1);
  options.stress.pictures = StressInPictures::on_surface;
  expect_refused(model, "stress needs the elements", options);
  options = all_modes(1);
  options.geometric_stiffening = GeometricStiffening::second_order;
  expect_refused(model, "geometric stiffening needs the elements", options);
  options = all_modes(1);
  options.interfaces[1].attach = mesh::Attachment::rbe2;
  expect_refused(model, "an rbe2 region cannot be added to imported matrices", options);
}

}  // namespace
}  // namespace solidyn::reduction
