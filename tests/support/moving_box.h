#pragma once
#include <mpi.h>

#include <cmath>

#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/results/fields.h"

namespace solidyn::test {

/// A box of tetrahedra whose nodes move by a formula, so that whoever reads a file can tell what
/// each number should be: node `tag` from X is at time t at X + t (1, 2, -3) and has the
/// temperature tag + t.
inline mesh::Mesh moving_box(elements::ElementType type = elements::ElementType::tet10) {
  mesh::BoxOptions options;
  options.type = type;
  options.nx = 3, options.ny = 2, options.nz = 4;
  options.perturbation = 0.15;
  return mesh::make_box(options);
}

inline mesh::DistributedMesh distributed_box(
    MPI_Comm comm, elements::ElementType type = elements::ElementType::tet10) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return mesh::distribute(comm, rank == 0 ? moving_box(type) : mesh::Mesh{});
}

inline Eigen::Vector3d moved(const Eigen::Vector3d& X, double t) {
  return X + t * Eigen::Vector3d(1, 2, -3);
}

inline double temperature(std::int64_t tag, double t) { return static_cast<double>(tag) + t; }

inline std::vector<results::FieldQuantity> box_quantities() {
  return {{"velocity", "m/s", 3}, {"temperature", "K", 1}};
}

inline results::FieldValues box_values(const mesh::DistributedMesh& mesh, double t) {
  results::FieldValues values{Eigen::Matrix3Xd(3, mesh.n_owned),
                              {Eigen::MatrixXd(3, mesh.n_owned), Eigen::MatrixXd(1, mesh.n_owned)}};
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
    values.positions.col(i) = moved(mesh.x.col(i), t);
    values.quantities[0].col(i) = Eigen::Vector3d(1, 2, -3);
    values.quantities[1](0, i) = temperature(mesh.node_tags[i], t);
  }
  return values;
}

}  // namespace solidyn::test
