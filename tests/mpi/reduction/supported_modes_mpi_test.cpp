#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "scratch_folder.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/rotation.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/sbody.h"

// Supports of every kind, skew and sharing nodes, against dense matrices without the held rows.
namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const fem::IsotropicElastic kAlloy{7.0e10, 0.33, 2700.0};
constexpr int kModes = 5;

mesh::Mesh make_block() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::tet10;
  box.size = {0.2, 0.05, 0.03};
  box.nx = 4;
  box.ny = 2;
  box.nz = 1;
  box.perturbation = 0.1;
  return mesh::make_box(box);
}

SupportDefinition at_set(const std::string& set, const Matrix3Xd& directions) {
  SupportDefinition support;
  support.name = set;
  support.nodes = mesh::NodesInSet{set};
  support.directions = directions;
  return support;
}

SupportDefinition at_edge(const Matrix3Xd& directions) {
  SupportDefinition support = at_set("edge", directions);
  support.nodes = mesh::NodesInBox{{-1e-6, -1e-6, -1.0}, {1e-6, 1.0, 1e-6}};
  return support;
}

SupportDefinition at_corner(const Vector3d& corner, const Matrix3Xd& directions) {
  SupportDefinition support = at_set("corner", directions);
  support.nodes = mesh::NodesNear{corner};
  return support;
}

struct Case {
  const char* name;
  std::vector<SupportDefinition> supports;
  int n_rigid;  // that they leave
};

const Vector3d kX = Vector3d::UnitX(), kY = Vector3d::UnitY(), kZ = Vector3d::UnitZ();
const Vector3d kSkew = Vector3d(0.6, 0.8, 0.0);

Matrix3Xd along(const std::vector<Vector3d>& d) {
  Matrix3Xd D(3, d.size());
  for (std::size_t i = 0; i < d.size(); ++i) D.col(static_cast<Index>(i)) = d[i];
  return D;
}

Matrix3Xd skew_axes() { return math::exp_quaternion({0.5, -0.3, 0.8}).toRotationMatrix(); }

std::vector<Case> cases() {
  const Matrix3Xd all = Eigen::Matrix3d::Identity();
  return {
      {"Clamped", {at_set("x_min", all)}, 0},
      {"SymmetryPlane", {at_set("x_min", along({kX}))}, 3},
      {"TwoPlanesThatShareNodes", {at_set("x_min", along({kX})), at_set("y_min", along({kY}))}, 1},
      {"SkewPlanesThatShareNodes",
       {at_set("x_min", along({kX})), at_set("y_min", along({kSkew}))},
       1},
      {"SkewGuide", {at_set("x_max", along({kSkew, kZ}))}, 1},
      {"Hinge", {at_edge(all)}, 1},
      {"SkewClamp", {at_set("x_max", skew_axes())}, 0},
      {"ClampBesidesPlane", {at_set("x_min", all), at_set("z_min", along({kZ}))}, 0},
      {"DeterminateCorner", {at_corner({0.2, 0.05, 0.03}, along({kSkew, kZ}))}, 4}};
}

MatrixXd dense(const base::Mat& A) {
  PetscInt n = 0;
  SOLIDYN_PETSC(MatGetSize(A, &n, nullptr));
  MatrixXd out = MatrixXd::Zero(n, n);
  for (PetscInt i = 0; i < n; ++i) {
    PetscInt n_columns = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    SOLIDYN_PETSC(MatGetRow(A, i, &n_columns, &columns, &values));
    for (PetscInt k = 0; k < n_columns; ++k) out(i, columns[k]) = values[k];
    SOLIDYN_PETSC(MatRestoreRow(A, i, &n_columns, &columns, &values));
  }
  return out;
}

// Frequencies in Hz of the body whose held components are taken out: N^T K N, N^T M N with N the
// null space of the held rows.
VectorXd frequencies_of_matrices(const Case& c) {
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, make_block());
  const fem::ElasticBody body = fem::assemble(mesh, kAlloy);
  std::vector<std::pair<std::int32_t, Vector3d>> rows;
  for (const SupportDefinition& support : c.supports)
    for (const std::int32_t node : mesh::select_nodes(mesh, support.name, support.nodes))
      for (Index a = 0; a < support.directions.cols(); ++a)
        rows.emplace_back(node, support.directions.col(a));
  MatrixXd C = MatrixXd::Zero(rows.size(), 3 * mesh.n_owned);
  for (std::size_t i = 0; i < rows.size(); ++i)
    C.block<1, 3>(static_cast<Index>(i), 3 * rows[i].first) = rows[i].second.transpose();
  Eigen::ColPivHouseholderQR<MatrixXd> qr(C.transpose());
  qr.setThreshold(1e-10);
  const MatrixXd Q = qr.householderQ();
  const MatrixXd N = Q.rightCols(Q.cols() - qr.rank());
  const MatrixXd K = N.transpose() * dense(fem::make_stiffness(body, MATAIJ)) * N;
  const MatrixXd M =
      N.transpose() * dense(fem::make_mass(body, fem::MassKind::consistent, MATAIJ)) * N;
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M, Eigen::EigenvaluesOnly)
             .eigenvalues()
             .cwiseMax(0.0)
             .cwiseSqrt() /
         math::kTwoPi;
}

mesh::DistributedMesh distributed_block() {
  return mesh::distribute(PETSC_COMM_WORLD,
                          base::rank(PETSC_COMM_WORLD) == 0 ? make_block() : mesh::Mesh{});
}

ReductionOptions options_of(const Case& c) {
  ReductionOptions options;
  options.free_free = kModes;
  options.supports = c.supports;
  return options;
}

TEST(SupportedModes, AreThoseOfTheMatricesWithoutTheHeldRows) {
  for (const Case& c : cases()) {
    const VectorXd expected = frequencies_of_matrices(c);
    const MeshModes modes = compute_mesh_modes(distributed_block(), kAlloy, options_of(c), kModes);
    EXPECT_EQ(modes.n_rigid, c.n_rigid) << c.name;
    ASSERT_EQ(modes.frequencies.size(), kModes) << c.name;
    for (int i = 0; i < kModes; ++i)
      EXPECT_NEAR(modes.frequencies[i], expected[c.n_rigid + i], 1e-7 * expected[c.n_rigid + i])
          << c.name << ", mode " << i + 1;
  }
}

// The mass matrix of the coordinates [rigid translation; rotation; w], from the invariants.
MatrixXd whole_mass(const ReducedBody& body) {
  const InertiaInvariants& inertia = body.inertia;
  const int n = body.n_modes();
  Eigen::Matrix3d skew;
  const Vector3d& s = inertia.first_moment;
  skew << 0, -s.z(), s.y(), s.z(), 0, -s.x(), -s.y(), s.x(), 0;
  MatrixXd M(6 + n, 6 + n);
  M.setZero();
  M.topLeftCorner<3, 3>() = inertia.mass * Eigen::Matrix3d::Identity();
  M.block<3, 3>(0, 3) = -skew;
  M.block<3, 3>(3, 0) = skew;
  M.block<3, 3>(3, 3) = inertia.N00.trace() * Eigen::Matrix3d::Identity() - inertia.N00;
  M.topRightCorner(3, n) = inertia.S;
  for (int i = 0; i < n; ++i) {
    const Eigen::Matrix3d& N = inertia.N0[i];
    M.col(6 + i).segment<3>(3) << N(1, 2) - N(2, 1), N(2, 0) - N(0, 2), N(0, 1) - N(1, 0);
  }
  M.bottomLeftCorner(n, 6) = M.topRightCorner(6, n).transpose();
  M.bottomRightCorner(n, n) = body.M;
  return M;
}

// With its held points held, the reduced body has exactly the modes that were asked for.
TEST(SupportedBody, HeldAtItsPointsHasTheModesOfTheMesh) {
  for (const Case& c : cases()) {
    const VectorXd expected = frequencies_of_matrices(c);
    const ReducedBody body = reduce(distributed_block(), kAlloy, options_of(c));
    ASSERT_EQ(body.supports.size(), c.supports.size());
    const int n = 6 + body.n_modes();
    std::vector<Eigen::RowVectorXd> rows;
    for (const ReducedSupport& support : body.supports)
      for (const HeldPoint& point : support.points) {
        Eigen::RowVectorXd row(n);
        row << point.d_B.transpose(), point.x_B.cross(point.d_B).transpose(),
            point.d_B.transpose() * point.Psi;
        rows.push_back(row);
      }
    for (const ReducedSupport& support : body.supports)
      for (const std::vector<HeldPoint>& arms : support.rotations) {
        rows.emplace_back(Eigen::RowVectorXd::Zero(n));
        for (const HeldPoint& arm : arms) {
          rows.back().segment<3>(3) += arm.x_B.cross(arm.d_B).transpose();
          rows.back().tail(n - 6) += arm.d_B.transpose() * arm.Psi;
        }
      }
    MatrixXd C(rows.size(), n);
    for (std::size_t i = 0; i < rows.size(); ++i) C.row(static_cast<Index>(i)) = rows[i];
    const MatrixXd N = Eigen::FullPivLU<MatrixXd>(C).kernel();
    MatrixXd K = MatrixXd::Zero(n, n);
    K.bottomRightCorner(n - 6, n - 6) = body.K;
    const VectorXd values = Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(
                                N.transpose() * K * N, N.transpose() * whole_mass(body) * N)
                                .eigenvalues();
    for (int i = 0; i < kModes; ++i)
      EXPECT_NEAR(std::sqrt(values[c.n_rigid + i]) / math::kTwoPi, expected[c.n_rigid + i],
                  1e-6 * expected[c.n_rigid + i])
          << c.name << ", mode " << i + 1;
  }
}

void expect_equal(const std::vector<HeldPoint>& a, const std::vector<HeldPoint>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].x_B, b[i].x_B);
    EXPECT_EQ(a[i].d_B, b[i].d_B);
    EXPECT_EQ(a[i].direction, b[i].direction);
    EXPECT_EQ(a[i].Psi, b[i].Psi);
  }
}

TEST(SupportedBody, IsTheSameFromItsFile) {
  test::ScratchFolder folder;
  for (const Case& c : {cases()[3], cases()[6]}) {
    const ReducedBody body = reduce(distributed_block(), kAlloy, options_of(c));
    const std::string path = folder / "supported.sbody";
    write_sbody(path, body, {});
    const ReducedBody read = read_sbody(PETSC_COMM_WORLD, path);
    ASSERT_EQ(read.supports.size(), body.supports.size());
    for (std::size_t s = 0; s < body.supports.size(); ++s) {
      const ReducedSupport &a = body.supports[s], &b = read.supports[s];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.digest, b.digest);
      EXPECT_EQ(a.is_region, b.is_region);
      expect_equal(a.points, b.points);
      ASSERT_EQ(a.rotations.size(), b.rotations.size());
      for (std::size_t i = 0; i < a.rotations.size(); ++i)
        expect_equal(a.rotations[i], b.rotations[i]);
    }
  }
}

// What a displacement field H x does to the sum: sum weight d . H x.
double change_of(const HeldSum& sum, const std::vector<HeldComponent>& components,
                 const Eigen::Matrix3d& H) {
  double change = 0.0;
  for (const HeldComponent& c : components) change += sum.weight(c) * c.d.dot(H * c.x);
  return change;
}

std::vector<HeldNodes> holds_of(const Case& c) {
  return resolve_supports(distributed_block(), c.supports, {});
}

// Every rotation of the body that moves a component beside the means moves the holds: by what
// their arms say.
TEST(RegionHolds, RotationsAreSeenByTheArms) {
  const Vector3d w(0.3, -0.7, 0.5);
  for (const Case& c : cases())
    for (const HeldNodes& held : holds_of(c))
      for (const std::vector<HeldSum>& arms : held.holds.rotations) {
        double change = 0.0;
        Vector3d turned = Vector3d::Zero();
        for (const HeldSum& arm : arms) {
          change += change_of(arm, held.components, math::skew(w));
          turned += arm.x.cross(arm.d);
        }
        EXPECT_GT(turned.norm(), 1e-3) << c.name;
        EXPECT_NEAR(change, w.dot(turned), 1e-13) << c.name;
      }
}

// Two directions in a plane of nodes: the holds see the rotation in a deformation of the region and
// nothing of its stretch, which is as large as the rotation's square.
TEST(RegionHolds, RotationsInAPlaneSeeNoStretchWhateverTheDirections) {
  const Vector3d y = Vector3d(0.0, 0.6, 0.8), z = Vector3d(0.0, -0.8, 0.6);
  const Case c{"InPlane", {at_set("x_min", along({y, z}))}, 3};
  const HeldNodes held = holds_of(c)[0];
  ASSERT_EQ(held.holds.rotations.size(), 1U);
  Eigen::Matrix3d stretch = Eigen::Matrix3d::Zero();
  stretch.bottomRightCorner<2, 2>() << 0.7, -0.4, -0.4, 0.1;
  double change = 0.0;
  for (const HeldSum& arm : held.holds.rotations[0])
    change += change_of(arm, held.components, stretch);
  EXPECT_NEAR(change, 0.0, 1e-14);
}

TEST(RegionHolds, SumsAreWhereTheyAreSaidToBe) {
  for (const Case& c : cases())
    for (const HeldNodes& held : holds_of(c)) {
      EXPECT_EQ(held.is_region() ? held.holds.size() : held.independent.size(),
                held.independent.size());
      std::vector<HeldSum> sums = held.holds.means;
      for (const std::vector<HeldSum>& arms : held.holds.rotations)
        sums.insert(sums.end(), arms.begin(), arms.end());
      for (const HeldSum& sum : sums) {
        Vector3d x = Vector3d::Zero();
        double weights = 0.0;
        for (const HeldComponent& component : held.components) {
          x += sum.weight(component) * component.x;
          weights += sum.weight(component);
        }
        EXPECT_LT((x - sum.x).norm(), 1e-13) << c.name;
        EXPECT_NEAR(weights, sum.gradient.isZero() ? 1.0 : 0.0, 1e-11) << c.name;
      }
    }
}

TEST(SupportedBody, MotionsOfOneNodeByTwoSupportsAreRefused) {
  Case c = cases()[7];
  c.supports[1].moves = true;
  try {
    compute_mesh_modes(distributed_block(), kAlloy, options_of(c), 1);
    FAIL() << "accepted";
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find(
                  "`x_min` and `z_min` constrain the same node in the same direction"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace solidyn::reduction
