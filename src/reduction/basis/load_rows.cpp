#include "solidyn/reduction/load_rows.h"

#include <fmt/format.h>

#include "reduction/sbody/sbody_file.h"
#include "solidyn/base/mpi.h"
#include "solidyn/reduction/loaded_faces.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Kind = LoadDefinition::Kind;

// Columns below this part of the pattern's size are round-off of zero: faces that a torque does not
// see, such as those around a shaft its axis.
constexpr double kRoundOff = 1e-13;

std::string owner_of(const LoadDefinition& definition) {
  return fmt::format("load `{}`", definition.name);
}

// c_a, three times over: a node's components are loaded alike.
Matrix3Xd weights_of(const mesh::DistributedMesh& mesh, const LoadDefinition& definition) {
  const std::string owner = owner_of(definition);
  if (definition.kind == Kind::traction)
    return sums_at_owned_nodes(mesh, select_faces(mesh, owner, definition.where).nodal_areas());
  Matrix3Xd ones = Matrix3Xd::Zero(3, mesh.n_owned);
  for (const std::int32_t node : mesh::select_nodes(mesh, owner, definition.where))
    ones.col(node).setOnes();
  return ones;
}

void set_mean_point(const mesh::DistributedMesh& mesh, const LoadDefinition& definition,
                    NodalLoad& out) {
  const Matrix3Xd c = weights_of(mesh, definition);
  const auto x = mesh.x.leftCols(mesh.n_owned);
  Eigen::Vector4d sums;
  sums << c.row(0).sum(), x * c.row(0).transpose();
  base::sum_in_place(mesh.comm, sums.data(), 4);
  out.load.amount = sums[0];
  out.load.x_B = sums.tail<3>() / sums[0];
  out.columns = MatrixXd::Zero(3 * mesh.n_owned, 3);
  for (Eigen::Index a = 0; a < c.cols(); ++a)
    out.columns.block<3, 3>(3 * a, 0).diagonal() = c.col(a) / sums[0];
}

// T . e = sum (x + u) . (f x e).
void set_pressure(const mesh::DistributedMesh& mesh, const LoadDefinition& definition,
                  NodalLoad& out) {
  const fem::Surface surface = select_faces(mesh, owner_of(definition), definition.where);
  const Matrix3Xd areas = sums_at_owned_nodes(mesh, surface.nodal_areas());
  const double area = base::sum(mesh.comm, areas.row(0).sum());
  const Matrix3Xd f = sums_at_owned_nodes(mesh, surface.nodal_area_vectors()) / -area;
  out.load.amount = area;
  out.columns.resize(3 * mesh.n_owned, 4);
  for (Eigen::Index a = 0; a < f.cols(); ++a) {
    for (int axis = 0; axis < 3; ++axis)
      out.columns.block<3, 1>(3 * a, axis) = f.col(a).cross(Vector3d::Unit(axis));
    out.columns.block<3, 1>(3 * a, 3) = f.col(a);
  }
  const Matrix3Xd x = mesh.x.leftCols(mesh.n_owned);
  const Eigen::Map<const Eigen::VectorXd> positions(x.data(), x.size());
  Eigen::Matrix<double, 10, 1> sums;
  sums << f.rowwise().sum(), out.columns.leftCols<3>().transpose() * positions,
      out.columns.colwise().squaredNorm().transpose();
  base::sum_in_place(mesh.comm, sums.data(), 10);
  out.load.force = sums.head<3>();
  out.load.moment = sums.segment<3>(3);
  const double size = std::sqrt(sums[9]);
  for (int axis = 0; axis < 3; ++axis)
    if (std::sqrt(sums[6 + axis]) < kRoundOff * size) out.columns.col(axis).setZero();
}

}  // namespace

std::string digest(const LoadDefinition& definition) {
  base::ContentHash hash;
  hash.add(std::int64_t{static_cast<int>(definition.kind)});
  add_selection(definition.where, hash);
  return hash.hex();
}

NodalLoad make_nodal_load(const mesh::DistributedMesh& mesh, const LoadDefinition& definition) {
  NodalLoad out;
  out.load.name = definition.name;
  out.load.kind = definition.kind;
  out.load.digest = digest(definition);
  if (definition.kind == Kind::pressure)
    set_pressure(mesh, definition, out);
  else
    set_mean_point(mesh, definition, out);
  return out;
}

}  // namespace solidyn::reduction
