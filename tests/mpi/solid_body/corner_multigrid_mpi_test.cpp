// Two levels, a mesh with nodes in the middle of edges and its corners: what is exact is so on any
// number of ranks.
#include <gtest/gtest.h>

#include <set>

#include "bodies/matrix_free_tangent.h"
#include "bodies/multigrid/corner_cycle.h"
#include "bodies/nodal_mass.h"
#include "bodies/nodal_view.h"
#include "fem/assembly/corner_mesh.h"
#include "solid_meshes.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;
using elements::ElementType;

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

// Nodes of the face x_max as a rigid region, which has no thickness: what a plane's nodes do
// affinely. With `behind` as if these nodes of it were behind the others.
RigidRegions make_region(const mesh::DistributedMesh& mesh,
                         const std::set<std::int32_t>& left_out = {},
                         const std::set<std::int32_t>& behind = {}) {
  std::vector<std::int64_t> nodes;
  std::vector<double> xi;
  for (const std::int32_t node : mesh.sets.at("x_max").nodes) {
    if (left_out.count(node) > 0) continue;
    nodes.push_back(mesh.global[node]);
    for (const int axis : {1, 2}) xi.push_back(20.0 * mesh.x(axis, node) - 0.5);
    if (!behind.empty()) xi.push_back(behind.count(node) > 0 ? 1.0 : 0.0);
  }
  RigidRegions regions(mesh);
  regions.add(nodes, Eigen::Map<const Eigen::MatrixXd>(xi.data(), behind.empty() ? 2 : 3,
                                                       static_cast<Eigen::Index>(nodes.size())));
  regions.finish();
  return regions;
}

enum class RegionOf { none, x_max };

// A body without its equations of motion, held at x_min.
class Level {
 public:
  Level(MPI_Comm comm, ElementType type, double bulge, const fem::TangentCoefficients& c,
        bool is_held, RegionOf region = RegionOf::none)
      : mesh(mesh::distribute(
            comm, base::rank(comm) == 0 ? test::irregular_box(type, bulge) : mesh::Mesh{})) {
    if (region == RegionOf::x_max) regions_ = std::make_unique<RigidRegions>(make_region(mesh));
    pattern_ = fem::assemble(mesh, kSteel);
    options_.material = kSteel;
    forces_ = std::make_unique<fem::SolidOperator>(mesh, pattern_, options_);
    mass_ = std::make_unique<NodalMass>(pattern_, fem::MassKind::lumped, MATAIJ);
    std::vector<PetscInt> held;
    if (is_held)
      for (const std::int32_t node : mesh.sets.at("x_min").nodes)
        for (int axis = 0; axis < 3; ++axis) held.push_back(3 * node + axis);
    corners_ = std::make_unique<CornerLevel>(mesh, kSteel, options_, fem::MassKind::lumped,
                                             pattern_.lumped_mass);
    corners_->hold(held, regions_.get());
    std::vector<PetscInt> fixed = held;
    if (regions_) fixed.insert(fixed.end(), regions_->rows().begin(), regions_->rows().end());
    product_ = std::make_unique<MatrixFreeTangent>(mesh, *forces_, *mass_, fixed);
    const Matrix3Xd x = test::large_rotation() * mesh.x;
    product_->set(x, c);
    assembled = forces_->make_matrix(MATAIJ);
    forces_->assemble_tangent(x, c, assembled);
    product_->compute_blocks();
    if (regions_) product_->move_regions(*regions_, held);
    coarse = corners_->assemble(x, c);
    fine = product_->matrix();
  }

  /// A field of the nodes' numbers on the fine level, admissible.
  base::Vec field(unsigned seed) const {
    base::Vec v = mass_->make_vector();
    WritableNodalView view(v);
    view.nodes() = test::random_field(mesh, 1.0, seed).leftCols(mesh.n_owned);
    if (regions_) regions_->make_affine(view.flat());
    return v;
  }

  mesh::DistributedMesh mesh;
  CoarseLevel coarse;
  ::Mat fine = nullptr;
  base::Mat assembled;  ///< without held rows
  ::Mat in_single_precision() const { return product_->keep_single(); }

 private:
  std::unique_ptr<RigidRegions> regions_;
  fem::ElasticBody pattern_;
  fem::SolidOptions options_;
  std::unique_ptr<fem::SolidOperator> forces_;
  std::unique_ptr<NodalMass> mass_;
  std::unique_ptr<CornerLevel> corners_;
  std::unique_ptr<MatrixFreeTangent> product_;
};

double norm(::Vec v) {
  PetscReal result = 0.0;
  SOLIDYN_PETSC(VecNorm(v, NORM_2, &result));
  return result;
}

double dot(::Vec a, ::Vec b) {
  PetscScalar result = 0.0;
  SOLIDYN_PETSC(VecDot(a, b, &result));
  return result;
}

double difference(::Vec a, ::Vec b) {
  base::Vec d;
  SOLIDYN_PETSC(VecDuplicate(a, d.out()));
  SOLIDYN_PETSC(VecWAXPY(d, -1.0, b, a));
  return norm(d);
}

class BodyMultigrid : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, BodyMultigrid,
                         testing::Values(ElementType::tet10, ElementType::hex20,
                                         ElementType::wedge15, ElementType::pyramid13),
                         [](const auto& info) { return elements::name(info.param); });

TEST_P(BodyMultigrid, LinearFieldsOfCornersAreExactAtAllNodesOfCurvedEdges) {
  for (const double bulge : {0.0, 0.004}) {
    const Level level(PETSC_COMM_WORLD, GetParam(), bulge, {}, false);
    Eigen::Matrix3d F;
    F << 0.3, -2.0, 0.7, 1.1, 0.4, -0.9, 0.2, 0.8, -1.3;
    base::Vec corners, nodes, expected;
    SOLIDYN_PETSC(MatCreateVecs(level.coarse.interpolation, corners.out(), nodes.out()));
    SOLIDYN_PETSC(VecDuplicate(nodes, expected.out()));
    const Eigen::Vector3d shift(1.0, 2.0, -3.0);
    const Eigen::Matrix3d back = test::large_rotation().transpose();
    WritableNodalView(corners).nodes() = (F * back * level.coarse.x).colwise() + shift;
    WritableNodalView(expected).nodes() =
        (F * level.mesh.x.leftCols(level.mesh.n_owned)).colwise() + shift;
    SOLIDYN_PETSC(MatMult(level.coarse.interpolation, corners, nodes));
    EXPECT_LT(difference(nodes, expected), 1e-13 * norm(expected));
  }
}

// P^T K P v against the linear elements' product. Quadrature and warped faces make them differ
// where functions of hexahedra, wedges and pyramids are not polynomials of the elements' place.
TEST_P(BodyMultigrid, MatrixOfCornersIsThatOfTheMeshForTheirFields) {
  const Level level(PETSC_COMM_WORLD, GetParam(), 0.0, {}, true);
  base::Vec v, Av, Pv, APv, restricted;
  SOLIDYN_PETSC(MatCreateVecs(level.coarse.interpolation, v.out(), Pv.out()));
  for (base::Vec* w : {&Av, &restricted}) SOLIDYN_PETSC(VecDuplicate(v, w->out()));
  SOLIDYN_PETSC(VecDuplicate(Pv, APv.out()));
  // Free fields: those that P^T makes.
  SOLIDYN_PETSC(MatMultTranspose(level.coarse.interpolation, level.field(3), v));
  SOLIDYN_PETSC(MatMult(level.coarse.interpolation, v, Pv));
  SOLIDYN_PETSC(MatMult(level.fine, Pv, APv));
  SOLIDYN_PETSC(MatMultTranspose(level.coarse.interpolation, APv, restricted));
  SOLIDYN_PETSC(MatMult(level.coarse.matrix, v, Av));
  const double limit = GetParam() == ElementType::tet10 ? 1e-12 : 0.1;
  EXPECT_LT(difference(Av, restricted), limit * norm(Av));
  EXPECT_NEAR(dot(v, Av), dot(v, restricted), limit * dot(v, Av));
}

// The matrix of the corners with a region: of products whose fields are affine there.
TEST_P(BodyMultigrid, MatrixOfCornersAndRegionsIsThatOfTheMeshForTheirFields) {
  const Level level(PETSC_COMM_WORLD, GetParam(), 0.0, {}, true, RegionOf::x_max);
  base::Vec v, Av, Pv, APv, restricted;
  SOLIDYN_PETSC(MatCreateVecs(level.coarse.interpolation, v.out(), Pv.out()));
  for (base::Vec* w : {&Av, &restricted}) SOLIDYN_PETSC(VecDuplicate(v, w->out()));
  SOLIDYN_PETSC(VecDuplicate(Pv, APv.out()));
  SOLIDYN_PETSC(MatMultTranspose(level.coarse.interpolation, level.field(3), v));
  SOLIDYN_PETSC(MatMult(level.coarse.interpolation, v, Pv));
  SOLIDYN_PETSC(MatMult(level.fine, Pv, APv));
  SOLIDYN_PETSC(MatMultTranspose(level.coarse.interpolation, APv, restricted));
  SOLIDYN_PETSC(MatMult(level.coarse.matrix, v, Av));
  const double limit = GetParam() == ElementType::tet10 ? 1e-12 : 0.1;
  EXPECT_LT(difference(Av, restricted), limit * norm(Av));
  EXPECT_NEAR(dot(v, Av), dot(v, restricted), limit * dot(v, Av));
}

TEST_P(BodyMultigrid, RigidMotionsAreExactWithRegionsAndNothingResistsThem) {
  const Level level(PETSC_COMM_WORLD, GetParam(), 0.0, {}, false, RegionOf::x_max);
  base::Vec corners, nodes, forces;
  SOLIDYN_PETSC(MatCreateVecs(level.coarse.interpolation, corners.out(), nodes.out()));
  SOLIDYN_PETSC(VecDuplicate(nodes, forces.out()));
  SOLIDYN_PETSC(MatMult(level.fine, level.field(1), forces));
  const double size = norm(forces);
  ASSERT_EQ(level.coarse.rigid.cols(), 6);
  for (int k = 0; k < 6; ++k) {
    {
      PetscScalar* values = nullptr;
      SOLIDYN_PETSC(VecGetArray(corners, &values));
      Eigen::Map<VectorXd>(values, level.coarse.rigid.rows()) = level.coarse.rigid.col(k);
      SOLIDYN_PETSC(VecRestoreArray(corners, &values));
    }
    SOLIDYN_PETSC(MatMult(level.coarse.interpolation, corners, nodes));
    SOLIDYN_PETSC(MatMult(level.fine, nodes, forces));
    EXPECT_GT(norm(nodes), 1.0);
    EXPECT_LT(norm(forces), 1e-11 * size) << "motion " << k;
  }
}

// Those whose columns corners do not have are eliminated: their matrix on the corners is singular.
TEST_P(BodyMultigrid, CornersDetermineAFaceButNotItsMiddlesNorWhatIsBehindIt) {
  const mesh::DistributedMesh mesh = mesh::distribute(
      PETSC_COMM_WORLD,
      base::rank(PETSC_COMM_WORLD) == 0 ? test::irregular_box(GetParam(), 0.0) : mesh::Mesh{});
  const fem::CornerMesh corners = fem::make_corner_mesh(mesh);
  const auto begin = corners.nodes.begin();
  const std::vector<std::int32_t> owned(begin, begin + corners.mesh.n_owned);
  const std::set<std::int32_t> all(begin, corners.nodes.end());
  std::set<std::int32_t> middles;
  for (std::int32_t node = 0; node < mesh.n_local(); ++node)
    if (all.count(node) == 0) middles.insert(node);
  EXPECT_TRUE(make_region(mesh).are_determined_by(owned));
  EXPECT_FALSE(make_region(mesh, all).are_determined_by(owned));
  EXPECT_FALSE(make_region(mesh, {}, middles).are_determined_by(owned));
}

TEST_P(BodyMultigrid, BlocksOfProductsAreThoseOfTheAssembledMatrix) {
  const Level level(PETSC_COMM_WORLD, GetParam(), 0.004, {1e9, 0.0, 1.0, fem::MassKind::lumped},
                    false);
  const PetscScalar *expected = nullptr, *found = nullptr;
  SOLIDYN_PETSC(MatInvertBlockDiagonal(level.assembled, &expected));
  SOLIDYN_PETSC(MatInvertBlockDiagonal(level.fine, &found));
  const auto n = Eigen::Index{9} * level.mesh.n_owned;
  const Eigen::Map<const VectorXd> a(found, n), b(expected, n);
  EXPECT_LT((a - b).norm(), 1e-10 * b.norm() + 1e-300);
  const base::Vec c = level.field(1), d = level.field(1);
  SOLIDYN_PETSC(MatGetDiagonal(level.fine, c));
  SOLIDYN_PETSC(MatGetDiagonal(level.assembled, d));
  EXPECT_LT(difference(c, d), 1e-12 * norm(d));
}

struct Answers {
  double ab = 0.0, ba = 0.0, aa = 0.0;  // a . cycle(b), ...
};

using Precision = CornerCycle::Precision;

Answers apply_cycle(MPI_Comm comm, ElementType type, Precision precision = Precision::full,
                    RegionOf region = RegionOf::none) {
  // Of a step with stiffness a few hundred times the masses.
  const Level level(comm, type, 0.004, {1e9, 0.0, 1.0, fem::MassKind::lumped}, true, region);
  CornerCycle cycle({"the test", "body_", comm});
  base::Handle<::PC, PCDestroy> pc;
  SOLIDYN_PETSC(PCCreate(comm, pc.out()));
  SOLIDYN_PETSC(PCSetOperators(pc, level.fine, level.fine));
  const bool is_single = precision == Precision::single;
  EXPECT_EQ(cycle.set_up(pc, is_single ? level.in_single_precision() : level.fine, level.coarse,
                         precision),
            "");
  SOLIDYN_PETSC(PCSetUp(pc));
  const base::Vec a = level.field(1), b = level.field(2);
  base::Vec from_a, from_b;
  SOLIDYN_PETSC(VecDuplicate(a, from_a.out()));
  SOLIDYN_PETSC(VecDuplicate(a, from_b.out()));
  SOLIDYN_PETSC(PCApply(pc, a, from_a));
  SOLIDYN_PETSC(PCApply(pc, b, from_b));
  return {dot(a, from_b), dot(b, from_a), dot(a, from_a)};
}

TEST_P(BodyMultigrid, CycleIsSymmetricAndDoesNotDependOnThePartition) {
  for (const RegionOf region : {RegionOf::none, RegionOf::x_max}) {
    const Answers together = apply_cycle(PETSC_COMM_WORLD, GetParam(), Precision::full, region);
    const Answers alone = apply_cycle(PETSC_COMM_SELF, GetParam(), Precision::full, region);
    EXPECT_GT(together.aa, 0.0);
    EXPECT_NEAR(together.ab, together.ba, 1e-12 * together.aa);
    EXPECT_NEAR(together.ab, alone.ab, 1e-10 * alone.aa);
    EXPECT_NEAR(together.aa, alone.aa, 1e-10 * alone.aa);
  }
}

TEST_P(BodyMultigrid, CycleInSinglePrecisionIsThatInDoublePrecisionToItsRounding) {
  const Answers full = apply_cycle(PETSC_COMM_WORLD, GetParam());
  const Answers single = apply_cycle(PETSC_COMM_WORLD, GetParam(), Precision::single);
  EXPECT_NE(single.aa, full.aa);
  EXPECT_NEAR(single.aa, full.aa, 1e-5 * full.aa);
  EXPECT_NEAR(single.ab, single.ba, 1e-5 * full.aa);
}

}  // namespace
}  // namespace solidyn::bodies
