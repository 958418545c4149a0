#include <algorithm>

#include "solidyn/base/mpi.h"
#include "solidyn/results/fields.h"

namespace solidyn::results {
FieldPart make_field_part(std::string name, const mesh::DistributedMesh& mesh, MeshPicture picture,
                          std::vector<FieldQuantity> quantities) {
  FieldPart part{std::move(name),
                 {mesh.node_tags.begin(), mesh.node_tags.begin() + mesh.n_owned},
                 {},
                 std::move(quantities)};
  for (const mesh::ElementBlock& block :
       picture == MeshPicture::surface ? mesh.surface : mesh.solids) {
    FieldCells cells{block.type, std::vector<std::int64_t>(block.connectivity.size())};
    std::transform(block.connectivity.begin(), block.connectivity.end(), cells.nodes.begin(),
                   [&](std::int32_t node) { return mesh.node_tags[node]; });
    part.cells.push_back(std::move(cells));
  }
  return part;
}

FieldPart make_axes_part(MPI_Comm comm, std::string name) {
  if (base::rank(comm) != 0) return {std::move(name), {}, {}, {}};
  return {std::move(name), {0, 1, 2, 3}, {{elements::ElementType::line2, {0, 1, 0, 2, 0, 3}}}, {}};
}

FieldValues make_axes_values(MPI_Comm comm, const Eigen::Matrix3d& R_WB,
                             const Eigen::Vector3d& p_WB, double length) {
  FieldValues values;
  values.positions.resize(3, base::rank(comm) == 0 ? 4 : 0);
  if (base::rank(comm) == 0) {
    values.positions.colwise() = p_WB;
    values.positions.rightCols<3>() += length * R_WB;
  }
  return values;
}

}  // namespace solidyn::results
