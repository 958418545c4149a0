#include "reduction/basis/static_loads.h"

#include <fmt/format.h>

#include "solidyn/reduction/loaded_faces.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

Matrix3Xd share_among_faces(const mesh::DistributedMesh& mesh, const LoadPattern& pattern,
                            const std::string& owner) {
  const fem::Surface surface = select_faces(mesh, owner, pattern.where);
  return sums_at_owned_nodes(
      mesh, pattern.kind == LoadPattern::Kind::pressure
                ? Matrix3Xd(-surface.nodal_area_vectors())
                : Matrix3Xd(pattern.direction.asDiagonal() * surface.nodal_areas()));
}

Matrix3Xd share_among_nodes(const FreeBody& body, const LoadPattern& pattern,
                            const std::string& owner) {
  Matrix3Xd f = Matrix3Xd::Zero(3, body.mesh.n_owned);
  for (const std::int32_t node : mesh::select_nodes(body.mesh, owner, pattern.where))
    f.col(node) = body.matrices.lumped_mass[node] * pattern.direction;
  return f;
}

}  // namespace

MultiVector make_pattern_loads(const FreeBody& body, const std::vector<LoadPattern>& patterns) {
  const Eigen::Index n_rows = body.imported ? body.imported->rows.n_rows() : 3 * body.mesh.n_owned;
  MultiVector f = MultiVector::Zero(n_rows, static_cast<Eigen::Index>(patterns.size()));
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    const std::string owner = fmt::format("static load `{}`", patterns[j].name);
    const Matrix3Xd nodal = patterns[j].kind == LoadPattern::Kind::force
                                ? share_among_nodes(body, patterns[j], owner)
                                : share_among_faces(body.mesh, patterns[j], owner);
    f.col(j).head(nodal.size()) = Eigen::Map<const VectorXd>(nodal.data(), nodal.size());
  }
  return body.pencil.gather_forces(f);
}

}  // namespace solidyn::reduction
