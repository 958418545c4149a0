#include "static_loads.h"

#include <fmt/format.h>

#include "ghosts.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/surface_load.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Matrix3Xd share_among_faces(const FreeBody& body, const LoadPattern& pattern,
                            const std::string& owner, const std::vector<std::int32_t>& nodes) {
  const mesh::DistributedMesh& mesh = body.mesh;
  MatrixXd flags = MatrixXd::Zero(3 * mesh.n_owned, 1);
  for (const std::int32_t node : nodes) flags(3 * node, 0) = 1.0;
  flags = with_ghosts(mesh, flags);
  std::vector<bool> is_selected(mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) is_selected[i] = flags(3 * i, 0) > 0.5;
  const fem::Surface surface(mesh, is_selected);
  if (base::sum(mesh.comm, surface.n_faces()) == 0)
    throw base::InputError(
        fmt::format("{}: no face of the body's surface has all its nodes in the selection", owner),
        "select the nodes of whole faces on the outside, for example by a set of faces");
  Matrix3Xd f = pattern.kind == LoadPattern::Kind::pressure
                    ? Matrix3Xd(-surface.nodal_area_vectors())
                    : Matrix3Xd(pattern.direction.asDiagonal() * surface.nodal_areas());
  const MultiVector owned =
      add_ghosts_to_owners(mesh, Eigen::Map<const VectorXd>(f.data(), f.size()));
  return Eigen::Map<const Matrix3Xd>(owned.data(), 3, mesh.n_owned);
}

Matrix3Xd share_among_nodes(const FreeBody& body, const LoadPattern& pattern,
                            const std::vector<std::int32_t>& nodes) {
  Matrix3Xd f = Matrix3Xd::Zero(3, body.mesh.n_owned);
  for (const std::int32_t node : nodes)
    f.col(node) = body.matrices.lumped_mass[node] * pattern.direction;
  return f;
}

}  // namespace

MultiVector make_pattern_loads(const FreeBody& body, const std::vector<LoadPattern>& patterns) {
  const Eigen::Index n_rows = body.foreign ? body.foreign->rows.n_rows() : 3 * body.mesh.n_owned;
  MultiVector f = MultiVector::Zero(n_rows, static_cast<Eigen::Index>(patterns.size()));
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    const std::string owner = fmt::format("static load `{}`", patterns[j].name);
    const std::vector<std::int32_t> nodes = mesh::select_nodes(body.mesh, owner, patterns[j].where);
    const Matrix3Xd nodal = patterns[j].kind == LoadPattern::Kind::force
                                ? share_among_nodes(body, patterns[j], nodes)
                                : share_among_faces(body, patterns[j], owner, nodes);
    f.col(j).head(nodal.size()) = Eigen::Map<const VectorXd>(nodal.data(), nodal.size());
  }
  return body.pencil.gather_forces(f);
}

}  // namespace solidyn::reduction
