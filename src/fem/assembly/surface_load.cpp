#include "solidyn/fem/surface_load.h"

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"
#include "solidyn/mesh/face_rule.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using math::skew;

}  // namespace

void add_pressure_force(elements::ElementType type, const Ref<const Matrix3Xd>& x, double pressure,
                        Ref<Matrix3Xd> f) {
  SOLIDYN_ASSERT(x.cols() == elements::n_nodes(type) && f.cols() == x.cols());
  for (const mesh::FacePoint& point : mesh::face_rule(type)) {
    const Eigen::Matrix<double, 3, 2> t = x * point.dN;
    const Vector3d area = Vector3d(t.col(0)).cross(Vector3d(t.col(1)));
    f -= (pressure * point.weight * area) * point.N.transpose();
  }
}

void add_pressure_stiffness(elements::ElementType type, const Ref<const Matrix3Xd>& x,
                            double pressure, Ref<MatrixXd> K) {
  SOLIDYN_ASSERT(x.cols() == elements::n_nodes(type) && K.rows() == 3 * x.cols());
  for (const mesh::FacePoint& point : mesh::face_rule(type)) {
    const Eigen::Matrix<double, 3, 2> t = x * point.dN;
    const Eigen::Matrix3d along_r = skew(t.col(0)), along_s = skew(t.col(1));
    for (Eigen::Index b = 0; b < x.cols(); ++b) {
      const Eigen::Matrix3d change =
          pressure * point.weight * (along_r * point.dN(b, 1) - along_s * point.dN(b, 0));
      for (Eigen::Index a = 0; a < x.cols(); ++a)
        K.block<3, 3>(3 * a, 3 * b) += point.N[a] * change;
    }
  }
}

Surface::Surface(const mesh::DistributedMesh& mesh, const std::vector<bool>& is_selected)
    : mesh_(mesh) {
  for (const mesh::ElementBlock& block : mesh.surface) {
    const int n = elements::n_nodes(block.type);
    Block mine{block.type, {}};
    for (std::int64_t face = 0; face < block.size(); ++face) {
      const std::int32_t* nodes = &block.connectivity[n * face];
      if (std::all_of(nodes, nodes + n, [&](std::int32_t node) { return is_selected[node]; }))
        mine.nodes.insert(mine.nodes.end(), nodes, nodes + n);
    }
    if (!mine.nodes.empty()) blocks_.push_back(std::move(mine));
  }
}

std::int64_t Surface::n_faces() const {
  std::int64_t n = 0;
  for (const Block& block : blocks_)
    n += static_cast<std::int64_t>(block.nodes.size()) / elements::n_nodes(block.type);
  return n;
}

// Calls work(type, nodes, positions of the nodes) for every face.
template <class Work>
void Surface::for_faces(const Ref<const Matrix3Xd>& x, const Work& work) const {
  for (const Block& block : blocks_) {
    const int n = elements::n_nodes(block.type);
    Matrix3Xd of_face(3, n);
    std::vector<std::int32_t> nodes(n);
    for (std::size_t first = 0; first < block.nodes.size(); first += n) {
      for (int a = 0; a < n; ++a) {
        nodes[a] = block.nodes[first + a];
        of_face.col(a) = x.col(nodes[a]);
      }
      work(block.type, nodes, of_face);
    }
  }
}

Matrix3Xd Surface::nodal_areas() const {
  Matrix3Xd areas = Matrix3Xd::Zero(3, mesh_.n_local());
  for_faces(mesh_.x, [&](elements::ElementType type, const std::vector<std::int32_t>& nodes,
                         const Matrix3Xd& x) {
    for (const mesh::FacePoint& point : mesh::face_rule(type)) {
      const Eigen::Matrix<double, 3, 2> t = x * point.dN;
      const double area = point.weight * Vector3d(t.col(0)).cross(Vector3d(t.col(1))).norm();
      for (std::size_t a = 0; a < nodes.size(); ++a)
        areas.col(nodes[a]).array() += area * point.N[static_cast<Eigen::Index>(a)];
    }
  });
  return areas;
}

Matrix3Xd Surface::nodal_area_vectors() const {
  Matrix3Xd areas = Matrix3Xd::Zero(3, mesh_.n_local());
  add_follower_pressure(mesh_.x, -1.0, areas);
  return areas;
}

void Surface::add_follower_pressure(const Ref<const Matrix3Xd>& x, double pressure,
                                    Ref<Matrix3Xd> f) const {
  for_faces(x, [&](elements::ElementType type, const std::vector<std::int32_t>& nodes,
                   const Matrix3Xd& of_face) {
    Matrix3Xd force = Matrix3Xd::Zero(3, of_face.cols());
    add_pressure_force(type, of_face, pressure, force);
    for (std::size_t a = 0; a < nodes.size(); ++a)
      f.col(nodes[a]) += force.col(static_cast<Eigen::Index>(a));
  });
}

void Surface::for_load_stiffness(const Ref<const Matrix3Xd>& x, double pressure,
                                 const Visit& visit) const {
  for_faces(x, [&](elements::ElementType type, const std::vector<std::int32_t>& nodes,
                   const Matrix3Xd& of_face) {
    MatrixXd K = MatrixXd::Zero(3 * of_face.cols(), 3 * of_face.cols());
    add_pressure_stiffness(type, of_face, pressure, K);
    visit(nodes, K);
  });
}

}  // namespace solidyn::fem
