#include "region_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "face_mass.h"
#include "gather_items.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::mesh {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

/// What one face gives to one of its nodes.
struct FaceShare {
  std::int64_t node;  // place among the region's nodes
  std::int64_t face;  // tag of the solid behind it
  double area;        // sum_j M_ij
  double moment[3];   // sum_j M_ij (x_j - x_0), x_0 the region's first node
  auto key() const { return std::tie(node, face, area, moment[0], moment[1], moment[2]); }
};

/// The places of a face's nodes among the region's; empty when one of them is not there.
std::vector<std::int64_t> places_of(const DistributedMesh& mesh, const std::int32_t* face, int n,
                                    const std::vector<std::int64_t>& tags) {
  std::vector<std::int64_t> places;
  for (int a = 0; a < n; ++a) {
    const auto found = std::lower_bound(tags.begin(), tags.end(), mesh.node_tags[face[a]]);
    if (found == tags.end() || *found != mesh.node_tags[face[a]]) return {};
    places.push_back(found - tags.begin());
  }
  return places;
}

/// The shares of this rank's boundary faces. Local.
std::vector<FaceShare> find_face_shares(const DistributedMesh& mesh,
                                        const std::vector<std::int64_t>& tags,
                                        const Vector3d& x_0) {
  std::vector<FaceShare> shares;
  for (const ElementBlock& block : mesh.surface) {
    const int n = n_nodes(block.type);
    Matrix3Xd x(3, n);
    for (std::int64_t f = 0; f < block.size(); ++f) {
      const std::int32_t* face = &block.connectivity[n * f];
      const std::vector<std::int64_t> places = places_of(mesh, face, n, tags);
      if (places.empty()) continue;
      for (int a = 0; a < n; ++a) x.col(a) = mesh.x.col(face[a]) - x_0;
      const Eigen::MatrixXd mass = compute_face_mass(block.type, x);
      const VectorXd areas = mass.rowwise().sum();
      const Matrix3Xd moments = x * mass;
      for (int a = 0; a < n; ++a)
        shares.push_back(
            {places[a], block.tags[f], areas[a], {moments(0, a), moments(1, a), moments(2, a)}});
    }
  }
  return shares;
}

/// @param sums [k] sum_j M_ij     @param moments [3 x k] sum_j M_ij (x_j - x_0)
RegionWeights make_weights(const Matrix3Xd& x, const VectorXd& sums, const Matrix3Xd& moments) {
  const double total = sums.sum();
  // Seen from the first node, so that round-off is that of the region's size, not of its place.
  const Vector3d offset = (x.colwise() - x.col(0)) * sums / total;
  return {x.col(0) + offset, sums / total, (moments - offset * sums.transpose()) / total};
}

}  // namespace

RegionWeights weigh_nodes(const Matrix3Xd& x, const VectorXd& weights) {
  return make_weights(x, weights, (x.colwise() - x.col(0)) * weights.asDiagonal());
}

std::optional<RegionWeights> weigh_by_faces(const DistributedMesh& mesh,
                                            const std::vector<std::int64_t>& tags,
                                            const Matrix3Xd& x) {
  std::vector<FaceShare> shares = gather_items(mesh.comm, find_face_shares(mesh, tags, x.col(0)));
  if (shares.empty()) return std::nullopt;
  std::sort(shares.begin(), shares.end(),
            [](const FaceShare& a, const FaceShare& b) { return a.key() < b.key(); });
  VectorXd areas = VectorXd::Zero(x.cols());
  Matrix3Xd moments = Matrix3Xd::Zero(3, x.cols());
  for (const FaceShare& share : shares) {
    areas[share.node] += share.area;
    moments.col(share.node) += Vector3d::Map(share.moment);
  }
  return make_weights(x, areas, moments);
}

void fill_fit(const RegionWeights& weights, Interface& interface) {
  const Matrix3Xd& x = interface.x_nodes;
  const Matrix3d second_moments = (x.colwise() - weights.centre) * weights.moments.transpose();
  const Matrix3d V = 0.5 * (second_moments + second_moments.transpose());
  const Matrix3d inertia = V.trace() * Matrix3d::Identity() - V;
  const auto spectrum = math::symmetric_spectrum(inertia);
  const Vector3d& moments = spectrum.values;
  constexpr double kCollinear = 1e-8;  // square of breadth over length
  if (!(moments[0] > kCollinear * moments[2]))
    throw base::InputError(
        fmt::format(
            "interface `{}`: its {} nodes are collinear or coincident: a rotation is undetermined",
            interface.name, x.cols()),
        "select at least three nodes that span a plane");
  const Matrix3d& axes = spectrum.vectors;
  const Matrix3d inverse = axes * moments.cwiseInverse().asDiagonal() * axes.transpose();
  const Matrix3d arm = skew(interface.x_B - weights.centre);
  interface.weights.resize(6, 3 * x.cols());
  for (Index i = 0; i < x.cols(); ++i) {
    const Matrix3d turn = inverse * skew(weights.moments.col(i));
    interface.weights.block<3, 3>(0, 3 * i) = weights.shares[i] * Matrix3d::Identity() - arm * turn;
    interface.weights.block<3, 3>(3, 3 * i) = turn;
  }
  interface.node_weights = weights.shares;
  interface.node_moments = weights.moments;
}

}  // namespace solidyn::mesh
