#include <gtest/gtest.h>
#include <slepceps.h>

#include <cmath>

#include "solidyn/fem/elastic_body.h"
#include "solidyn/mesh/generators.h"

// B06 of the verification collection: NAFEMS FV32, cantilevered tapered membrane.
namespace solidyn::fem {
namespace {

constexpr double kLength = 10.0, kThickness = 0.05;

// The trapezoid, 5 m high at the root and 1 m at the tip, with its mid-plane at z = 0.
mesh::DistributedMesh make_membrane(elements::ElementType type, int nx, int ny) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = nx;
  box.ny = ny;
  // The mid-plane is held at nodes: hex20 and wedge15 have enough of them between two layers only.
  const bool has_inner_edges =
      type == elements::ElementType::tet10 || type == elements::ElementType::pyramid13;
  box.nz = has_inner_edges ? 1 : 2;
  box.size = {kLength, 1.0, kThickness};
  box.origin = {0.0, -0.5, -0.5 * kThickness};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k)
    mesh.x(1, k) *= 5.0 - 4.0 * mesh.x(0, k) / kLength;
  return mesh::distribute(PETSC_COMM_SELF, mesh);
}

// Dofs left when the root is clamped in its plane and the mid-plane stays plane.
base::IndexSet find_free_dofs(const mesh::DistributedMesh& mesh) {
  std::vector<PetscInt> free;
  for (std::int32_t k = 0; k < mesh.n_local(); ++k) {
    const bool is_root = mesh.x(0, k) < 1e-9, is_mid_plane = std::abs(mesh.x(2, k)) < 1e-9;
    for (PetscInt c = 0; c < 3; ++c)
      if (c == 2 ? !is_mid_plane : !is_root) free.push_back(3 * k + c);
  }
  base::IndexSet set;
  SOLIDYN_PETSC(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(free.size()), free.data(),
                                PETSC_COPY_VALUES, set.out()));
  return set;
}

std::vector<double> constrained_frequencies(const mesh::DistributedMesh& mesh, MassKind kind,
                                            int n) {
  const ElasticBody body = assemble(mesh, IsotropicElastic{200e9, 0.3, 8000.0});
  const base::Mat K = make_stiffness(body, MATAIJ), M = make_mass(body, kind, MATAIJ);
  const base::IndexSet free = find_free_dofs(mesh);
  base::Mat K_free, M_free;
  SOLIDYN_PETSC(MatCreateSubMatrix(K, free, free, MAT_INITIAL_MATRIX, K_free.out()));
  SOLIDYN_PETSC(MatCreateSubMatrix(M, free, free, MAT_INITIAL_MATRIX, M_free.out()));
  base::Handle<EPS, EPSDestroy> eps;
  ST st;
  KSP ksp;
  PC pc;
  SOLIDYN_PETSC(EPSCreate(PETSC_COMM_SELF, eps.out()));
  SOLIDYN_PETSC(EPSSetOperators(eps, K_free, M_free));
  SOLIDYN_PETSC(EPSSetProblemType(eps, EPS_GHEP));
  SOLIDYN_PETSC(EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT));
  SOLIDYN_PETSC(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  SOLIDYN_PETSC(EPSSetTarget(eps, 0.0));
  SOLIDYN_PETSC(EPSGetST(eps, &st));
  SOLIDYN_PETSC(STSetType(st, STSINVERT));
  SOLIDYN_PETSC(STGetKSP(st, &ksp));
  SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCLU));
  SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  SOLIDYN_PETSC(EPSSolve(eps));
  std::vector<double> f;
  for (int i = 0; i < n; ++i) {
    PetscScalar value = 0.0;
    SOLIDYN_PETSC(EPSGetEigenvalue(eps, i, &value, nullptr));
    f.push_back(std::sqrt(value) / (2.0 * M_PI));
  }
  return f;
}

// NAFEMS reference, Hz.
constexpr double kReference[] = {44.623, 130.03, 162.70, 246.05, 379.90, 391.44};

class TaperedMembrane : public testing::TestWithParam<elements::ElementType> {};
INSTANTIATE_TEST_SUITE_P(Elements, TaperedMembrane,
                         testing::Values(elements::ElementType::tet10, elements::ElementType::hex20,
                                         elements::ElementType::wedge15,
                                         elements::ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST_P(TaperedMembrane, FrequenciesAgreeWithNafemsFv32) {
  const auto f = constrained_frequencies(make_membrane(GetParam(), 16, 8), MassKind::consistent, 6);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(f[i], kReference[i], 1e-3 * kReference[i]);
}

TEST_P(TaperedMembrane, LumpedMassStaysWithinTwoPerCent) {
  const auto f = constrained_frequencies(make_membrane(GetParam(), 16, 8), MassKind::lumped, 6);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(f[i], kReference[i], 2e-2 * kReference[i]);
}

}  // namespace
}  // namespace solidyn::fem
