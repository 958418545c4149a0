#include "solidyn/reduction/loaded_faces.h"

#include <fmt/format.h>

#include "reduction/eigen/ghosts.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse_selection(const mesh::DistributedMesh& mesh, const std::string& owner) {
  if (mesh.n_global_elements == 0)
    throw base::InputError(
        fmt::format("{}: the body has only nodes, no elements with faces", owner),
        "give the body a mesh with elements, or load nodes (type: nodal_force)");
  throw base::InputError(
      fmt::format("{}: no surface face of the body has all its nodes in the selection", owner),
      "select all nodes of outer faces, for example by a set of faces");
}

}  // namespace

fem::Surface select_faces(const mesh::DistributedMesh& mesh, const std::string& owner,
                          const mesh::NodeSelection& where) {
  MatrixXd flags = MatrixXd::Zero(3 * mesh.n_owned, 1);
  for (const std::int32_t node : mesh::select_nodes(mesh, owner, where)) flags(3 * node, 0) = 1.0;
  flags = with_ghosts(mesh, flags);
  std::vector<bool> is_selected(mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) is_selected[i] = flags(3 * i, 0) > 0.5;
  fem::Surface surface(mesh, is_selected);
  if (base::sum(mesh.comm, surface.n_faces()) == 0) refuse_selection(mesh, owner);
  return surface;
}

Matrix3Xd sums_at_owned_nodes(const mesh::DistributedMesh& mesh, const Matrix3Xd& of_faces) {
  const MultiVector owned =
      add_ghosts_to_owners(mesh, Eigen::Map<const VectorXd>(of_faces.data(), of_faces.size()));
  return Eigen::Map<const Matrix3Xd>(owned.data(), 3, mesh.n_owned);
}

}  // namespace solidyn::reduction
