#include "reduction/eigen/pencil.h"

#include <fmt/format.h>

#include "fem/assembly/corner_mesh.h"
#include "reduction/basis/rigid_coordinates.h"
#include "reduction/basis/rigid_motion.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

// Small enough to keep the spectrum's order and the static iteration fast, large enough that
// K + shift M is far from singular.
constexpr double kShiftOfLowest = 0.05;

double mean_diagonal(const base::Mat& A) {
  base::Vec diagonal;
  PetscInt n = 0;
  PetscScalar total = 0.0;
  SOLIDYN_PETSC(MatCreateVecs(A, diagonal.out(), nullptr));
  SOLIDYN_PETSC(MatGetDiagonal(A, diagonal));
  SOLIDYN_PETSC(VecSum(diagonal, &total));
  SOLIDYN_PETSC(VecGetSize(diagonal, &n));
  return total / static_cast<double>(n);
}

base::Mat project(const base::Mat& A, const base::Mat& T) {
  base::Mat out;
  SOLIDYN_PETSC(MatPtAP(A, T, MAT_INITIAL_MATRIX, PETSC_DEFAULT, out.out()));
  SOLIDYN_PETSC(MatSetOption(out, MAT_SYMMETRIC, PETSC_TRUE));
  return out;
}

// One rank: CHOLMOD reads AIJ. Several: MUMPS reads the upper triangle, half the memory. Multigrid
// wants rows.
MatType solver_format(MPI_Comm comm, Route route) {
  return base::size(comm) == 1 || route == Route::iterative ? MATAIJ : MATSBAIJ;
}

// Idle coordinates get a frequency beyond those of the mesh, and take no part in anything.
void occupy_idle(const RigidCoordinates& coordinates, Pencil& pencil) {
  constexpr double kStiffer = 10.0;
  pencil.n_idle = coordinates.n_idle();
  if (pencil.n_idle == 0) return;
  coordinates.add_idle(kStiffer * mean_diagonal(pencil.K), pencil.K);
  coordinates.add_idle(mean_diagonal(pencil.M), pencil.M);
}

void use_rigid_sets(const fem::ElasticBody& body, fem::MassKind kind,
                    const RigidCoordinates& coordinates, Pencil& pencil) {
  pencil.expansion = coordinates.make_expansion();
  pencil.K = project(fem::make_stiffness(body, MATAIJ), pencil.expansion);
  pencil.M = project(fem::make_mass(body, kind, MATAIJ), pencil.expansion);
  occupy_idle(coordinates, pencil);
  SOLIDYN_PETSC(MatDuplicate(pencil.K, MAT_COPY_VALUES, pencil.shifted.out()));
  SOLIDYN_PETSC(MatAXPY(pencil.shifted, pencil.shift, pencil.M, DIFFERENT_NONZERO_PATTERN));
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SYMMETRIC, PETSC_TRUE));
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SPD, PETSC_TRUE));
}

}  // namespace

MultiVector Pencil::multiply_mass(const MultiVector& X) const {
  MultiVector Y = multiply(M, X);
  if (has_frame_masses()) Y.noalias() += frame_masses * inner_products(comm, frame_masses, X);
  return Y;
}

MultiVector Pencil::expand(const MultiVector& v) const {
  return expansion ? multiply(expansion, v) : v;
}

MultiVector Pencil::gather_forces(const MultiVector& f) const {
  if (!expansion) return f;
  PetscInt n = 0;
  SOLIDYN_PETSC(MatGetLocalSize(expansion, nullptr, &n));
  MultiVector out(n, f.cols());
  for (Eigen::Index j = 0; j < f.cols(); ++j) {
    const base::Vec x = wrap(comm, const_cast<double*>(f.col(j).data()), f.rows());
    const base::Vec y = wrap(comm, out.col(j).data(), n);
    SOLIDYN_PETSC(MatMultTranspose(expansion, x, y));
  }
  return out;
}

void Pencil::remove_rigid_motion(MultiVector& v) const {
  for (int pass = 0; pass < 2; ++pass) v.noalias() -= rigid * inner_products(comm, M_rigid, v);
}

void Pencil::balance(MultiVector& f) const {
  for (int pass = 0; pass < 2; ++pass) f.noalias() -= M_rigid * inner_products(comm, rigid, f);
}

void orthonormalise_rigid(Pencil& pencil) {
  pencil.M_rigid = pencil.multiply_mass(pencil.rigid);
  const Eigen::MatrixXd G = inner_products(pencil.comm, pencil.rigid, pencil.M_rigid);
  const Eigen::MatrixXd root = math::inverse_square_root(0.5 * (G + G.transpose()));
  pencil.rigid = (pencil.rigid * root).eval();
  pencil.M_rigid = (pencil.M_rigid * root).eval();
}

Pencil make_pencil(const mesh::DistributedMesh& mesh, const fem::ElasticBody& body,
                   fem::MassKind kind, const std::vector<mesh::Interface>& interfaces, double shift,
                   Route route, const MultiVector& frame_masses,
                   const std::vector<HeldNodes>& supports) {
  Pencil pencil;
  pencil.route = route;
  pencil.comm = mesh.comm;
  pencil.shift = shift;
  const RigidSets rigid(interfaces, supports);
  const Eigen::Matrix3Xd owned = mesh.x.leftCols(mesh.n_owned);
  const Eigen::Vector3d center = kind == fem::MassKind::consistent
                                     ? body.properties.center_of_mass
                                     : center_of_mass(mesh.comm, owned, body.lumped_mass);
  if (rigid.is_empty()) {
    pencil.K = fem::make_stiffness(body, MATBAIJ);
    pencil.M = fem::make_mass_operator(body, kind);
    pencil.shifted = fem::make_stiffness(body, solver_format(mesh.comm, route), shift, kind);
    pencil.rigid = make_rigid_motions(owned, center);
  } else {
    const RigidCoordinates coordinates(mesh, rigid);
    use_rigid_sets(body, kind, coordinates, pencil);
    pencil.rigid = coordinates.rigid_motions(center);
  }
  if (route == Route::iterative && fem::has_middle_nodes(mesh)) {
    CornerInterpolation corners = RigidCoordinates(mesh, rigid).make_corner_interpolation();
    pencil.interpolation = std::move(corners.P);
    pencil.corner_blocks = std::move(corners.blocks);
  }
  pencil.frame_masses = pencil.gather_forces(frame_masses);
  orthonormalise_rigid(pencil);
  return pencil;
}

namespace {

// A += factor (m (x) I3), of which A has the pattern.
void add_nodal_mass(double factor, Mat m, Mat A) {
  PetscInt first = 0, end = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(m, &first, &end));
  PetscBool is_symmetric = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(A), &is_symmetric,
                                          MATSEQSBAIJ, MATMPISBAIJ, ""));
  if (is_symmetric) SOLIDYN_PETSC(MatSetOption(A, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  for (PetscInt row = first; row < end; ++row) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    SOLIDYN_PETSC(MatGetRow(m, row, &n, &columns, &values));
    for (PetscInt k = 0; k < n; ++k)
      for (PetscInt axis = 0; axis < 3; ++axis)
        SOLIDYN_PETSC(
            MatSetValue(A, 3 * row + axis, 3 * columns[k] + axis, factor * values[k], ADD_VALUES));
    SOLIDYN_PETSC(MatRestoreRow(m, row, &n, &columns, &values));
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

}  // namespace

void change_shift(Pencil& pencil, double shift) {
  PetscBool is_nodal = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(pencil.M.get()), &is_nodal,
                                          MATSEQMAIJ, MATMPIMAIJ, ""));
  if (is_nodal) {
    ::Mat m = nullptr;
    SOLIDYN_PETSC(MatMAIJGetAIJ(pencil.M, &m));
    add_nodal_mass(shift - pencil.shift, m, pencil.shifted);
  } else {
    SOLIDYN_PETSC(
        MatAXPY(pencil.shifted, shift - pencil.shift, pencil.M, DIFFERENT_NONZERO_PATTERN));
  }
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SPD, PETSC_TRUE));
  pencil.shift = shift;
}

bool is_shift_chosen() { return !base::has_option("modes_", "-shift"); }

double choose_shift(double lowest_eigenvalue) {
  const double shift =
      base::option_number("modes_", "-shift").value_or(kShiftOfLowest * lowest_eigenvalue);
  if (!(shift > 0.0))
    throw base::InputError(
        fmt::format("the shift of the eigenproblem is {}", shift),
        "give a positive omega^2 in rad^2/s^2 (-modes_shift); if it results from imported matrices, their stiffness is zero");
  return shift;
}

}  // namespace solidyn::reduction
