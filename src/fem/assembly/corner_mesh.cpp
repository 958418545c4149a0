#include "fem/assembly/corner_mesh.h"

#include <algorithm>

#include "fem/assembly/ghost_exchange.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/topology.h"
#include "solidyn/elements/visit_element.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using mesh::DistributedMesh;
using mesh::ElementBlock;

// Of the edge's length: a middle node that is nearer to the mean of the ends lies there.
constexpr double kStraight = 1e-10;

// visit(block, element's nodes)
template <class Visit>
void for_elements(const DistributedMesh& mesh, const Visit& visit) {
  for (const ElementBlock& block : mesh.solids)
    for (std::int64_t e = 0; e < block.size(); ++e)
      visit(block, &block.connectivity[e * elements::n_nodes(block.type)]);
}

struct Edge {
  int first, second, middle;  // positions in the element
};

// visit(block, element's nodes, edge) of all edges with a middle node that is nobody's corner
template <class Visit>
void for_middles(const DistributedMesh& mesh, const std::vector<std::int32_t>& corners,
                 const Visit& visit) {
  for_elements(mesh, [&](const ElementBlock& block, const std::int32_t* nodes) {
    const int n_corners = elements::n_corners(block.type);
    if (n_corners == elements::n_nodes(block.type)) return;
    const auto& edges = elements::edges(block.type);
    for (int i = 0; i < static_cast<int>(edges.size()); ++i)
      if (corners[nodes[n_corners + i]] == CornerMesh::kMiddle)
        visit(block, nodes, Edge{edges[i][0], edges[i][1], n_corners + i});
  });
}

// Offset of a middle node from the mean of its edge's ends; zero where that is rounding.
Vector3d offset_of(const Matrix3Xd& x, const std::int32_t* nodes, const Edge& edge) {
  const Vector3d a = x.col(nodes[edge.first]), b = x.col(nodes[edge.second]);
  const Vector3d d = x.col(nodes[edge.middle]) - 0.5 * (a + b);
  return d.norm() > kStraight * (b - a).norm() ? d : Vector3d::Zero();
}

// Row 0 of the result: whether a node is a corner of any rank's element.
Matrix3Xd find_corners(const DistributedMesh& whole, const GhostExchange& ghosts) {
  Matrix3Xd is_corner = Matrix3Xd::Zero(3, whole.n_local());
  for_elements(whole, [&](const ElementBlock& block, const std::int32_t* nodes) {
    for (int a = 0; a < elements::n_corners(block.type); ++a) is_corner(0, nodes[a]) = 1.0;
  });
  ghosts.add_to_owners(is_corner);
  ghosts.update(is_corner);
  return is_corner;
}

// Ghosts that are corners of this rank's elements.
std::vector<bool> find_needed(const DistributedMesh& whole) {
  std::vector<bool> is_needed(whole.n_local(), false);
  for_elements(whole, [&](const ElementBlock& block, const std::int32_t* nodes) {
    for (int a = 0; a < elements::n_corners(block.type); ++a) is_needed[nodes[a]] = true;
  });
  return is_needed;
}

ElementBlock make_linear(const ElementBlock& block, const std::vector<std::int32_t>& corners) {
  const int n = elements::n_nodes(block.type), n_corners = elements::n_corners(block.type);
  ElementBlock linear{elements::linear_of(block.type), {}, block.tags, block.regions};
  for (std::int64_t e = 0; e < block.size(); ++e)
    for (int a = 0; a < n_corners; ++a)
      linear.connectivity.push_back(corners[block.connectivity[e * n + a]]);
  return linear;
}

// One block per type, as a mesh has them: linear elements of the mesh itself may be there already.
void add_block(ElementBlock block, std::vector<ElementBlock>& blocks) {
  for (ElementBlock& other : blocks) {
    if (other.type != block.type) continue;
    if (!other.regions.empty() || !block.regions.empty()) {
      other.regions.resize(other.tags.size(), 0);
      block.regions.resize(block.tags.size(), 0);
    }
    other.connectivity.insert(other.connectivity.end(), block.connectivity.begin(),
                              block.connectivity.end());
    other.tags.insert(other.tags.end(), block.tags.begin(), block.tags.end());
    other.regions.insert(other.regions.end(), block.regions.begin(), block.regions.end());
    return;
  }
  blocks.push_back(std::move(block));
}

// Gradients by place of the linear functions in the middle of an edge. [n_corners x 3]
Eigen::MatrixX3d middle_gradients(elements::ElementType type, const Matrix3Xd& x,
                                  const std::int32_t* nodes, const Edge& edge) {
  Eigen::MatrixX3d gradients;
  elements::visit_element(elements::linear_of(type), [&](auto element) {
    using Linear = decltype(element);
    const auto places = Linear::nodes();
    const Vector3d middle = 0.5 * (places.col(edge.first) + places.col(edge.second));
    const auto by_reference = Linear::gradients(middle);
    Eigen::Matrix<double, 3, Linear::n_nodes> corners;
    for (int a = 0; a < Linear::n_nodes; ++a) corners.col(a) = x.col(nodes[a]);
    const Eigen::Matrix3d J = corners * by_reference;
    gradients = by_reference * J.inverse();
  });
  return gradients;
}

}  // namespace

bool has_middle_nodes(const DistributedMesh& mesh) {
  std::int64_t n = 0;
  for (const ElementBlock& block : mesh.solids)
    if (elements::n_nodes(block.type) > elements::n_corners(block.type)) n += block.size();
  return base::sum(mesh.comm, n) > 0;
}

CornerMesh make_corner_mesh(const DistributedMesh& whole) {
  const GhostExchange ghosts(whole);
  const Matrix3Xd is_corner = find_corners(whole, ghosts);
  const std::vector<bool> is_needed = find_needed(whole);
  CornerMesh out;
  out.corners.assign(whole.n_local(), CornerMesh::kMiddle);
  for (std::int32_t i = 0; i < whole.n_local(); ++i) {
    if (is_corner(0, i) == 0.0) continue;
    out.corners[i] = CornerMesh::kElsewhere;
    if (i >= whole.n_owned && !is_needed[i]) continue;
    out.corners[i] = static_cast<std::int32_t>(out.nodes.size());
    out.nodes.push_back(i);
    if (i < whole.n_owned) ++out.mesh.n_owned;
  }
  DistributedMesh& mesh = out.mesh;
  mesh.comm = whole.comm;
  mesh.n_global_elements = whole.n_global_elements;
  std::int64_t n_owned = mesh.n_owned;
  mesh.n_global_nodes = base::sum(mesh.comm, n_owned);
  MPI_Exscan(&n_owned, &mesh.first_owned, 1, MPI_INT64_T, MPI_SUM, mesh.comm);
  if (base::rank(mesh.comm) == 0) mesh.first_owned = 0;
  // The owners' numbers reach the ghosts as numbers of the exchange: whole up to 2^53.
  Matrix3Xd number = Matrix3Xd::Zero(3, whole.n_local());
  for (std::int32_t k = 0; k < mesh.n_owned; ++k)
    number(0, out.nodes[k]) = static_cast<double>(mesh.first_owned + k);
  ghosts.update(number);
  mesh.x.resize(3, static_cast<Eigen::Index>(out.nodes.size()));
  for (std::size_t k = 0; k < out.nodes.size(); ++k) {
    const std::int32_t i = out.nodes[k];
    mesh.x.col(static_cast<Eigen::Index>(k)) = whole.x.col(i);
    mesh.global.push_back(static_cast<std::int64_t>(number(0, i)));
    mesh.node_tags.push_back(whole.node_tags[i]);
  }
  for (const ElementBlock& block : whole.solids)
    add_block(make_linear(block, out.corners), mesh.solids);
  return out;
}

std::vector<CornerWeight> make_corner_weights(const DistributedMesh& whole,
                                              const CornerMesh& corners) {
  // How many elements share in the answer of a node on a curved edge.
  Matrix3Xd n_elements = Matrix3Xd::Zero(3, whole.n_local());
  const auto is_curved = [&](const std::int32_t* nodes, const Edge& edge) {
    return !offset_of(whole.x, nodes, edge).isZero(0.0);
  };
  for_middles(whole, corners.corners,
              [&](const ElementBlock&, const std::int32_t* nodes, const Edge& edge) {
                if (is_curved(nodes, edge)) n_elements(0, nodes[edge.middle]) += 1.0;
              });
  const GhostExchange ghosts(whole);
  ghosts.add_to_owners(n_elements);
  ghosts.update(n_elements);

  std::vector<CornerWeight> weights;
  weights.reserve(3 * whole.n_owned);  // two of a middle, one of a corner
  for (std::int32_t k = 0; k < corners.mesh.n_owned; ++k)
    weights.push_back({corners.nodes[k], k, 1.0});
  std::vector<bool> is_done(whole.n_owned, false);
  for_middles(whole, corners.corners,
              [&](const ElementBlock& block, const std::int32_t* nodes, const Edge& edge) {
                const std::int32_t node = nodes[edge.middle];
                const auto corner_of = [&](int a) { return corners.corners[nodes[a]]; };
                if (!is_curved(nodes, edge)) {  // the owner has an element there
                  if (node >= whole.n_owned || is_done[node]) return;
                  is_done[node] = true;
                  for (const int end : {edge.first, edge.second})
                    weights.push_back({node, corner_of(end), 0.5});
                  return;
                }
                const Eigen::VectorXd along = middle_gradients(block.type, whole.x, nodes, edge) *
                                              offset_of(whole.x, nodes, edge);
                for (int a = 0; a < along.size(); ++a) {
                  const bool is_end = a == edge.first || a == edge.second;
                  const double weight = ((is_end ? 0.5 : 0.0) + along[a]) / n_elements(0, node);
                  weights.push_back({node, corner_of(a), weight, is_end});
                }
              });
  return weights;
}

}  // namespace solidyn::fem
