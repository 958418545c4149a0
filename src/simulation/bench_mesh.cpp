#include "simulation/bench_mesh.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "solidyn/base/mpi.h"
#include "solidyn/mesh/large_box.h"

namespace solidyn::simulation {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using mesh::DistributedMesh;

DistributedMesh make_bench_mesh(MPI_Comm comm, const BenchOptions& options) {
  if (options.mesh_file.empty())
    return mesh::make_distributed_box(
        comm, mesh::make_large_box(options.element, options.box_size, options.n_dofs));
  return options.read_mesh(comm);
}

std::string mesh_name(const BenchOptions& options) {
  if (!options.mesh_file.empty())
    return std::filesystem::path(options.mesh_file).filename().string();
  return fmt::format("box {:g} x {:g} x {:g}", options.box_size[0], options.box_size[1],
                     options.box_size[2]);
}

const char* name_of(fem::SolidFormulation formulation) {
  switch (formulation) {
    case fem::SolidFormulation::st_venant_kirchhoff:
      return "st_venant_kirchhoff";
    case fem::SolidFormulation::neo_hookean:
      return "neo_hookean";
    case fem::SolidFormulation::corotational:
      return "corotational";
  }
  return "";
}

double imbalance_of(const DistributedMesh& mesh) {
  std::int64_t n_elements = 0;
  for (const mesh::ElementBlock& block : mesh.solids) n_elements += block.size();
  return base::max(mesh.comm, static_cast<double>(n_elements)) * base::size(mesh.comm) /
         static_cast<double>(mesh.n_global_elements);
}

std::string element_names(const DistributedMesh& mesh) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(elements::ElementType::pyramid13) + 1,
                                   0);
  for (const mesh::ElementBlock& block : mesh.solids)
    counts[static_cast<std::size_t>(block.type)] += block.size();
  std::string names;
  for (std::size_t t = 0; t < counts.size(); ++t)
    if (base::sum(mesh.comm, counts[t]) > 0)
      names +=
          (names.empty() ? "" : "+") + std::string(name(static_cast<elements::ElementType>(t)));
  return names;
}

Extent::Extent(const DistributedMesh& mesh) {
  Vector3d minus_low, high;
  for (int i = 0; i < 3; ++i) {
    const bool is_empty = mesh.n_owned == 0;
    const auto row = mesh.x.row(i);
    minus_low[i] = base::max(mesh.comm, is_empty ? -HUGE_VAL : -row.minCoeff());
    high[i] = base::max(mesh.comm, is_empty ? -HUGE_VAL : row.maxCoeff());
  }
  low = -minus_low;
  size = high + minus_low;
  length = size.maxCoeff();
}

Matrix3Xd strained_positions(const DistributedMesh& mesh, const Extent& extent) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(2.1, Vector3d(0.3, -0.8, 0.5).normalized()).toRotationMatrix();
  Matrix3Xd x(3, mesh.n_local());
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const Vector3d s = 6.0 / extent.length * (mesh.x.col(i) - extent.low);
    const Vector3d u(std::sin(s.y() + 0.3), std::sin(s.z() + 0.5), std::sin(s.x() + 0.7));
    x.col(i) = R * (mesh.x.col(i) + 0.008 * extent.length * u);
  }
  return x;
}

Matrix3Xd turned_positions(const DistributedMesh& mesh) {
  return Eigen::AngleAxisd(1.3, Vector3d(1.0, 2.0, -0.5).normalized()).toRotationMatrix() * mesh.x;
}

Matrix3Xd test_field(const DistributedMesh& mesh, const Extent& extent) {
  Matrix3Xd v(3, mesh.n_local());
  for (Eigen::Index i = 0; i < v.cols(); ++i) {
    const Vector3d s = 9.0 / extent.length * (mesh.x.col(i) - extent.low);
    v.col(i) << std::cos(s.x() - s.y()), std::sin(s.z() + 0.2), std::cos(s.y() + 2.0 * s.z());
  }
  return v;
}

}  // namespace solidyn::simulation
