#include "solid_loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/reduction/loaded_faces.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Vector3d value(const std::array<math::TimeFunction, 3>& components, double t) {
  return {components[0].value(t), components[1].value(t), components[2].value(t)};
}

}  // namespace

SolidLoads::SolidLoads(const mesh::DistributedMesh& mesh, const fem::SolidOperator& forces,
                       const std::vector<SolidLoad>& loads)
    : mesh_(mesh), forces_(forces) {
  for (const SolidLoad& load : loads) parts_.push_back(make_part(mesh, load));
}

SolidLoads::Part SolidLoads::make_part(const mesh::DistributedMesh& mesh, const SolidLoad& load) {
  const std::string owner = fmt::format("load `{}`", load.name);
  Part part{load, Matrix3Xd::Zero(3, mesh.n_owned), {}};
  if (load.kind == SolidLoad::Kind::nodal_force) {
    for (const std::int32_t node : mesh::select_nodes(mesh, owner, load.where))
      part.amounts.col(node).setOnes();
    return part;
  }
  const fem::Surface surface = reduction::select_faces(mesh, owner, load.where);
  if (load.follows == SolidLoad::Follows::deformed)
    part.followers.push_back(surface);
  else
    part.amounts = reduction::sums_at_owned_nodes(mesh, load.kind == SolidLoad::Kind::pressure
                                                            ? surface.nodal_area_vectors()
                                                            : surface.nodal_areas());
  return part;
}

bool SolidLoads::has_followers() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return !part.followers.empty(); });
}

void SolidLoads::add_force(const Matrix3Xd& x, double t, Matrix3Xd& f) const {
  for (const Part& part : parts_) {
    if (!part.followers.empty()) {
      Matrix3Xd local = Matrix3Xd::Zero(3, mesh_.n_local());
      part.followers[0].add_follower_pressure(x, part.load.pressure.value(t), local);
      forces_.add_ghosts_to_owners(local);
      f += local.leftCols(mesh_.n_owned);
    } else if (part.load.kind == SolidLoad::Kind::pressure) {
      f.noalias() -= part.load.pressure.value(t) * R_ * part.amounts;
    } else {
      f.noalias() += value(part.load.vector, t).asDiagonal() * part.amounts;
    }
  }
}

void SolidLoads::add_stiffness(const Matrix3Xd& x, double t, double scale, Mat A) const {
  if (!has_followers()) return;
  // Rows of ghosts belong to other ranks.
  SOLIDYN_PETSC(MatSetOption(A, MAT_NO_OFF_PROC_ENTRIES, PETSC_FALSE));
  std::vector<PetscInt> rows;
  for (const Part& part : parts_) {
    if (part.followers.empty()) continue;
    part.followers[0].for_load_stiffness(
        x, part.load.pressure.value(t),
        [&](const std::vector<std::int32_t>& nodes, const Eigen::MatrixXd& K) {
          rows.clear();
          for (std::int32_t node : nodes)
            for (int axis = 0; axis < 3; ++axis)
              rows.push_back(static_cast<PetscInt>(3 * mesh_.global[node] + axis));
          const Eigen::MatrixXd symmetric = 0.5 * scale * (K + K.transpose());
          const auto n = static_cast<PetscInt>(rows.size());
          SOLIDYN_PETSC(
              MatSetValues(A, n, rows.data(), n, rows.data(), symmetric.data(), ADD_VALUES));
        });
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

}  // namespace solidyn::bodies
