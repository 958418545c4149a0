#include "solid_ports.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "anchors.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Breadth over length below which a region counts as plane.
constexpr double kFlat = 1e-9;

// A region's nodes along its principal directions.
struct Shape {
  Vector3d centre;
  Matrix3Xd axes;    // [3 x m], as long as the standard deviation
  MatrixXd xi;       // [m x k], of unit variance
  MatrixXd moments;  // [m x k] sum_j M_ij xi_j, the moments of unit variance; see mesh::Interface
};

Shape find_shape(const mesh::Interface& i) {
  Shape shape;
  shape.centre = i.x_nodes * i.node_weights;
  const Matrix3Xd x = i.x_nodes.colwise() - shape.centre;
  // The region's plane is not taken from the eigenvectors of the variance, whose round-off would
  // give a plane region a thickness.
  const auto svd = math::singular_values(i.node_moments, Eigen::ComputeThinU);
  const VectorXd& spread = svd.values;
  const int m = spread.size() > 2 && spread[2] > kFlat * spread[0] ? 3 : 2;
  const Matrix3Xd plane = svd.U.leftCols(m);
  const MatrixXd second_moments =
      (plane.transpose() * x) * (plane.transpose() * i.node_moments).transpose();
  const auto variance =
      math::symmetric_spectrum(MatrixXd(0.5 * (second_moments + second_moments.transpose())));
  const VectorXd deviation = variance.values.cwiseSqrt();
  SOLIDYN_ASSERT(variance.values[0] > 0.0);  // the interface has a rotation
  shape.axes = plane * variance.vectors * deviation.asDiagonal();
  const MatrixXd along = deviation.cwiseAbs2().cwiseInverse().asDiagonal() * shape.axes.transpose();
  shape.xi = along * x;
  shape.moments = along * i.node_moments;
  return shape;
}

// a (x) I3 as rows on the region's nodal displacements.
MatrixXd triple(const Eigen::RowVectorXd& a) {
  MatrixXd rows = MatrixXd::Zero(3, 3 * a.size());
  for (Eigen::Index k = 0; k < a.size(); ++k)
    rows.block<3, 3>(0, 3 * k).diagonal().setConstant(a[k]);
  return rows;
}

// Where an interface's vectors begin among the candidates.
struct Rows {
  int position = 0;
  std::vector<int> moments;
};

bool follows_its_first_node(mesh::Attachment attach) {
  return attach == mesh::Attachment::three_nodes || attach == mesh::Attachment::virtual_body ||
         attach == mesh::Attachment::node;
}

}  // namespace

SolidPorts make_solid_ports(const mesh::DistributedMesh& mesh, const SolidBodyOptions& options,
                            const VectorXd& nodal_mass) {
  SolidPorts result{RigidRegions(mesh), {}, {}, {}, {}, {}};
  std::vector<mesh::Interface> resolved;
  std::vector<Shape> shapes;
  std::vector<Rows> rows;
  for (const mesh::InterfaceDefinition& definition : options.interfaces) {
    resolved.push_back(mesh::resolve_interface(mesh, definition, nodal_mass));
    shapes.push_back(find_shape(resolved.back()));
    rows.emplace_back();
    if (definition.attach != mesh::Attachment::rbe2) continue;
    rows.back().position = result.regions.add(resolved.back().nodes, shapes.back().xi);
    for (int j = 0; j < shapes.back().xi.rows(); ++j)
      rows.back().moments.push_back(rows.back().position + 3 * (j + 1));
  }
  result.regions.finish();
  const int n_region = result.regions.n_columns();

  SparsePorts sparse(mesh);
  const auto add = [&](const std::vector<std::int64_t>& nodes, const Eigen::RowVectorXd& a) {
    return n_region + sparse.add(nodes, triple(a));
  };
  for (std::size_t k = 0; k < resolved.size(); ++k) {
    const mesh::Interface& i = resolved[k];
    if (i.attach == mesh::Attachment::rbe2) continue;
    if (follows_its_first_node(i.attach)) {
      rows[k].position = add({i.nodes[0]}, Eigen::RowVectorXd::Ones(1));
      shapes[k].centre = i.x_nodes.col(0);
    } else {
      rows[k].position = add(i.nodes, i.node_weights.transpose());
    }
    for (int j = 0; j < shapes[k].xi.rows(); ++j)
      rows[k].moments.push_back(add(i.nodes, shapes[k].moments.row(j)));
  }
  std::vector<int> point_rows;
  for (const reduction::PointDefinition& point : options.points) {
    const auto [node, x_B] = mesh::nearest_node(mesh, point.x_B);
    point_rows.push_back(add({node}, Eigen::RowVectorXd::Ones(1)));
    result.points.push_back({point.name, x_B, {}});
  }

  std::vector<int> anchor_rows;
  if (options.is_anchored) {
    result.anchors = find_anchors(mesh, options.supports);
    for (std::int64_t node : result.anchors)
      anchor_rows.push_back(add({node}, Eigen::RowVectorXd::Ones(1)));
  }

  Ports candidates;
  candidates.comm = mesh.comm;
  candidates.dense.resize(3 * mesh.n_owned, 0);
  candidates.sparse = result.regions.functionals(sparse.matrix());
  result.basis = make_port_basis(std::move(candidates));
  SOLIDYN_ASSERT(result.size() % 3 == 0);

  const auto psi = [&](int row) -> Matrix3Xd { return result.basis.expansion.middleRows<3>(row); };
  for (std::size_t k = 0; k < resolved.size(); ++k) {
    SolidInterface out{
        resolved[k].name, resolved[k].attach, resolved[k].x_B, {}, resolved[k].report};
    out.region.p_ref = shapes[k].centre;
    out.region.Psi_p = psi(rows[k].position);
    out.region.axes = shapes[k].axes;
    out.region.s_ref = shapes[k].axes;
    for (int row : rows[k].moments) out.region.Psi_s.push_back(psi(row));
    result.interfaces.push_back(std::move(out));
  }
  for (std::size_t k = 0; k < point_rows.size(); ++k) result.points[k].Psi = psi(point_rows[k]);
  result.Psi_anchors.resize(3 * static_cast<Eigen::Index>(anchor_rows.size()), result.size());
  for (std::size_t k = 0; k < anchor_rows.size(); ++k)
    result.Psi_anchors.middleRows<3>(3 * static_cast<Eigen::Index>(k)) = psi(anchor_rows[k]);
  return result;
}

}  // namespace solidyn::bodies
