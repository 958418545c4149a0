#include "pencil.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rigid_motion.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;

// Which rigid region (index of interface) holds this global node.
// Small enough to keep the spectrum's order and the static iteration fast, large enough that
// K + shift M is far from singular.
constexpr double kShiftOfLowest = 0.05;

using RegionOfNode = std::map<std::int64_t, int>;

RegionOfNode find_rigid_nodes(const std::vector<mesh::Interface>& interfaces) {
  RegionOfNode region;
  for (int i = 0; i < static_cast<int>(interfaces.size()); ++i) {
    if (interfaces[i].attach != mesh::Attachment::rbe2) continue;
    for (const std::int64_t node : interfaces[i].nodes) {
      const auto [it, is_new] = region.emplace(node, i);
      if (!is_new)
        throw base::InputError(
            fmt::format("the rigid regions of interfaces `{}` and `{}` share a node",
                        interfaces[it->second].name, interfaces[i].name),
            "make the regions disjoint, or attach one of them with `rbe3`");
    }
  }
  return region;
}

// Blocks of the independent coordinates on this rank: free owned nodes in order, then the frames of
// the regions whose first node this rank owns.
struct Numbering {
  std::int64_t first = 0;                 ///< global block of this rank's first
  std::vector<std::int32_t> free_nodes;   ///< owned nodes outside of the regions
  std::vector<int> frames;                ///< regions whose blocks live here
  std::vector<std::int64_t> frame_block;  ///< per interface, on all ranks
  std::int64_t n_blocks() const { return free_nodes.size() + 2 * frames.size(); }
};

Numbering number_blocks(const mesh::DistributedMesh& mesh, const RegionOfNode& region,
                        const std::vector<mesh::Interface>& interfaces) {
  Numbering numbering;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    if (!region.count(mesh.first_owned + i)) numbering.free_nodes.push_back(i);
  for (int i = 0; i < static_cast<int>(interfaces.size()); ++i) {
    if (interfaces[i].attach != mesh::Attachment::rbe2) continue;
    const std::int64_t local = interfaces[i].nodes.front() - mesh.first_owned;
    if (local >= 0 && local < mesh.n_owned) numbering.frames.push_back(i);
  }
  const std::int64_t n = numbering.n_blocks();
  MPI_Exscan(&n, &numbering.first, 1, MPI_INT64_T, MPI_SUM, mesh.comm);
  if (base::rank(mesh.comm) == 0) numbering.first = 0;
  numbering.frame_block.assign(interfaces.size(), -1);
  std::int64_t next = numbering.first + static_cast<std::int64_t>(numbering.free_nodes.size());
  for (const int i : numbering.frames) {
    numbering.frame_block[i] = next;
    next += 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, numbering.frame_block.data(), static_cast<int>(interfaces.size()),
                MPI_INT64_T, MPI_MAX, mesh.comm);
  return numbering;
}

// u_k = v_k for a free node, u_k = v_F + theta_F x (x_k - x_F) for a node of a rigid region.
base::Mat make_expansion(const mesh::DistributedMesh& mesh, const RegionOfNode& region,
                         const std::vector<mesh::Interface>& interfaces,
                         const Numbering& numbering) {
  base::Mat T;
  const PetscInt n_columns = 3 * numbering.n_blocks();
  SOLIDYN_PETSC(MatCreate(mesh.comm, T.out()));
  SOLIDYN_PETSC(MatSetSizes(T, 3 * mesh.n_owned, n_columns, PETSC_DETERMINE, PETSC_DETERMINE));
  SOLIDYN_PETSC(MatSetBlockSize(T, 3));
  SOLIDYN_PETSC(MatSetType(T, MATAIJ));
  SOLIDYN_PETSC(MatSeqAIJSetPreallocation(T, 6, nullptr));
  SOLIDYN_PETSC(MatMPIAIJSetPreallocation(T, 6, nullptr, 6, nullptr));
  const auto insert = [&T](std::int64_t row, std::int64_t column, const Matrix3d& block) {
    const PetscInt i = row, j = column;
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> by_rows = block;
    SOLIDYN_PETSC(MatSetValuesBlocked(T, 1, &i, 1, &j, by_rows.data(), INSERT_VALUES));
  };
  for (std::size_t j = 0; j < numbering.free_nodes.size(); ++j)
    insert(mesh.first_owned + numbering.free_nodes[j], numbering.first + j, Matrix3d::Identity());
  for (const auto& [node, i] : region) {
    const std::int64_t local = node - mesh.first_owned;
    if (local < 0 || local >= mesh.n_owned) continue;
    insert(node, numbering.frame_block[i], Matrix3d::Identity());
    insert(node, numbering.frame_block[i] + 1, -math::skew(mesh.x.col(local) - interfaces[i].x_B));
  }
  SOLIDYN_PETSC(MatAssemblyBegin(T, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(T, MAT_FINAL_ASSEMBLY));
  return T;
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

void use_rigid_regions(const mesh::DistributedMesh& mesh, const fem::ElasticBody& body,
                       fem::MassKind kind, const RegionOfNode& region,
                       const std::vector<mesh::Interface>& interfaces, const Numbering& numbering,
                       Pencil& pencil) {
  pencil.frame_block = numbering.frame_block;
  pencil.expansion = make_expansion(mesh, region, interfaces, numbering);
  pencil.K = project(fem::make_stiffness(body, MATAIJ), pencil.expansion);
  pencil.M = project(fem::make_mass(body, kind, MATAIJ), pencil.expansion);
  SOLIDYN_PETSC(MatDuplicate(pencil.K, MAT_COPY_VALUES, pencil.shifted.out()));
  SOLIDYN_PETSC(MatAXPY(pencil.shifted, pencil.shift, pencil.M, DIFFERENT_NONZERO_PATTERN));
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SYMMETRIC, PETSC_TRUE));
  SOLIDYN_PETSC(MatSetOption(pencil.shifted, MAT_SPD, PETSC_TRUE));
}

// The rigid motions on the independent coordinates: of free nodes as they are; a frame moves with
// its origin and turns with the body.
MultiVector rigid_on_independent(const mesh::DistributedMesh& mesh, const Numbering& numbering,
                                 const std::vector<mesh::Interface>& interfaces,
                                 const Eigen::Vector3d& center) {
  const Eigen::Index n_free = numbering.free_nodes.size();
  Eigen::Matrix3Xd x(3, n_free);
  for (Eigen::Index j = 0; j < n_free; ++j) x.col(j) = mesh.x.col(numbering.free_nodes[j]);
  MultiVector R = MultiVector::Zero(3 * numbering.n_blocks(), 6);
  R.topRows(3 * n_free) = make_rigid_motions(x, center);
  Eigen::Index row = 3 * n_free;
  for (const int i : numbering.frames) {
    R.middleRows(row, 3) = make_rigid_motions(interfaces[i].x_B, center);
    R.block<3, 3>(row + 3, 3).setIdentity();
    row += 6;
  }
  return R;
}

}  // namespace

MultiVector Pencil::multiply_mass(const MultiVector& X) const {
  MultiVector Y = multiply(M, X);
  if (has_carried()) Y.noalias() += carried * inner_products(comm, carried, X);
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
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(0.5 * (G + G.transpose()));
  const Eigen::MatrixXd root = solver.operatorInverseSqrt();
  pencil.rigid = (pencil.rigid * root).eval();
  pencil.M_rigid = (pencil.M_rigid * root).eval();
}

Pencil make_pencil(const mesh::DistributedMesh& mesh, const fem::ElasticBody& body,
                   fem::MassKind kind, const std::vector<mesh::Interface>& interfaces, double shift,
                   Route route, const MultiVector& carried) {
  Pencil pencil;
  pencil.route = route;
  pencil.comm = mesh.comm;
  pencil.shift = shift;
  pencil.frame_block.assign(interfaces.size(), -1);
  const RegionOfNode region = find_rigid_nodes(interfaces);
  const Eigen::Matrix3Xd owned = mesh.x.leftCols(mesh.n_owned);
  const Eigen::Vector3d center = kind == fem::MassKind::consistent
                                     ? body.properties.center_of_mass
                                     : center_of_mass(mesh.comm, owned, body.lumped_mass);
  if (region.empty()) {
    pencil.K = fem::make_stiffness(body, MATBAIJ);
    pencil.M = fem::make_mass_operator(body, kind);
    pencil.shifted = fem::make_stiffness(body, solver_format(mesh.comm, route), shift, kind);
    pencil.rigid = make_rigid_motions(owned, center);
  } else {
    const Numbering numbering = number_blocks(mesh, region, interfaces);
    use_rigid_regions(mesh, body, kind, region, interfaces, numbering, pencil);
    pencil.rigid = rigid_on_independent(mesh, numbering, interfaces, center);
  }
  pencil.carried = pencil.gather_forces(carried);
  orthonormalise_rigid(pencil);
  return pencil;
}

double choose_shift(double lowest_eigenvalue) {
  PetscReal shift = kShiftOfLowest * lowest_eigenvalue;
  SOLIDYN_PETSC(PetscOptionsGetReal(nullptr, "modes_", "-shift", &shift, nullptr));
  if (!(shift > 0.0))
    throw base::InputError(
        fmt::format("the shift of the eigenproblem is {}", shift),
        "give a positive omega^2 in rad^2/s^2 (-modes_shift); if it comes from imported matrices, "
        "they have no stiffness");
  return shift;
}

}  // namespace solidyn::reduction
