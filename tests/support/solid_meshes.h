#pragma once
#include <petsc.h>

#include <random>

#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::test {

/// A box without symmetry, away from the origin, of 18 cells: no multiple of eight. With `bulge` >
/// 0, mid-side nodes leave their edges by a smooth field.
inline mesh::Mesh irregular_box(elements::ElementType type, double bulge = 0.0) {
  mesh::BoxOptions options;
  options.type = type;
  options.nx = 3, options.ny = 3, options.nz = 2;
  options.size = {0.6, 0.4, 0.2};
  options.origin = {0.4, -0.3, 0.2};
  options.perturbation = 0.2;
  mesh::Mesh mesh = mesh::make_box(options);
  for (Eigen::Index i = 0; i < mesh.x.cols(); ++i) {
    const Eigen::Vector3d p = mesh.x.col(i);
    mesh.x.col(i) += bulge * Eigen::Vector3d(std::sin(19.0 * p.y()), std::sin(17.0 * p.z()),
                                             std::sin(13.0 * p.x() + 1.0));
  }
  return mesh;
}

/// A field in [-size, size] that depends on the node's number only, so that ranks agree.
inline Eigen::Vector3d scatter_of(std::int64_t tag, double size, unsigned seed) {
  std::mt19937 random(static_cast<unsigned>(7919 * tag) + seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  const double a = uniform(random), b = uniform(random), c = uniform(random);
  return {a, b, c};
}

/// That field on all local nodes.
inline Eigen::Matrix3Xd random_field(const mesh::DistributedMesh& mesh, double size,
                                     unsigned seed) {
  Eigen::Matrix3Xd v(3, mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i)
    v.col(i) = scatter_of(mesh.node_tags[i], size, seed);
  return v;
}

inline Eigen::Matrix3d large_rotation() {
  return Eigen::AngleAxisd(2.1, Eigen::Vector3d(0.3, -0.8, 0.5).normalized()).toRotationMatrix();
}

/// Positions after strains of some ten percent and a large rotation.
inline Eigen::Matrix3Xd strained_positions(const mesh::DistributedMesh& mesh) {
  Eigen::Matrix3d stretch;
  stretch << 1.1, 0.06, -0.04, 0.02, 0.93, 0.05, 0.03, -0.06, 1.04;
  const Eigen::Matrix3d F = large_rotation() * stretch;
  return (F * mesh.x + random_field(mesh, 0.002, 1)).colwise() + Eigen::Vector3d(0.3, -2.0, 1.0);
}

}  // namespace solidyn::test
