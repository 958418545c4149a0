#include <algorithm>

#include "solidyn/base/mpi.h"
#include "solidyn/results/fields.h"

namespace solidyn::results {
namespace {

CellShape shape_of(mesh::ElementType type) {
  switch (type) {
    case mesh::ElementType::line2:
      return CellShape::line2;
    case mesh::ElementType::line3:
      return CellShape::line3;
    case mesh::ElementType::tri3:
      return CellShape::tri3;
    case mesh::ElementType::tri6:
      return CellShape::tri6;
    case mesh::ElementType::quad4:
      return CellShape::quad4;
    case mesh::ElementType::quad8:
      return CellShape::quad8;
    case mesh::ElementType::tet4:
      return CellShape::tet4;
    case mesh::ElementType::tet10:
      return CellShape::tet10;
    case mesh::ElementType::hex8:
      return CellShape::hex8;
    case mesh::ElementType::hex20:
      return CellShape::hex20;
    case mesh::ElementType::wedge6:
      return CellShape::wedge6;
    case mesh::ElementType::wedge15:
      return CellShape::wedge15;
    case mesh::ElementType::pyramid5:
      return CellShape::pyramid5;
    case mesh::ElementType::pyramid13:
      return CellShape::pyramid13;
  }
  return CellShape::point;
}

}  // namespace

FieldPart make_field_part(std::string name, const mesh::DistributedMesh& mesh, MeshPicture picture,
                          std::vector<FieldQuantity> quantities) {
  FieldPart part{std::move(name),
                 {mesh.node_tags.begin(), mesh.node_tags.begin() + mesh.n_owned},
                 {},
                 std::move(quantities)};
  for (const mesh::ElementBlock& block :
       picture == MeshPicture::surface ? mesh.surface : mesh.solids) {
    FieldCells cells{shape_of(block.type), std::vector<std::int64_t>(block.connectivity.size())};
    std::transform(block.connectivity.begin(), block.connectivity.end(), cells.nodes.begin(),
                   [&](std::int32_t node) { return mesh.node_tags[node]; });
    part.cells.push_back(std::move(cells));
  }
  return part;
}

FieldPart make_axes_part(MPI_Comm comm, std::string name) {
  if (base::rank(comm) != 0) return {std::move(name), {}, {}, {}};
  return {std::move(name), {0, 1, 2, 3}, {{CellShape::line2, {0, 1, 0, 2, 0, 3}}}, {}};
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
