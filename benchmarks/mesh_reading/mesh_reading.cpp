// How fast meshes are read, and what that takes in memory.
//
//   benchmark_mesh_reading make 100 hex8 box.inp      a box of 100^3 cells
//   benchmark_mesh_reading read box.inp
//
// Each in a process of its own, so that the peak of memory is that of the reader.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>

#include "solidyn/base/memory.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/mesh/generators.h"
#include "timing.h"

namespace {

using namespace solidyn;
using benchmarks::cpu_seconds;

mesh::Mesh read(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".inp") return formats::read_abaqus_input(path).mesh;
  if (extension == ".bdf") return formats::read_nastran_bulk(path).mesh;
  return formats::read_gmsh(path);
}

void write(const std::string& path, mesh::Mesh mesh) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension != ".inp" && extension != ".bdf") return formats::write_gmsh(path, mesh);
  imported::SolidModel model;
  model.mesh = std::move(mesh);
  if (extension == ".inp")
    formats::write_abaqus_input(path, model);
  else
    formats::write_nastran_bulk(path, model);
}

int make_box(int n, const std::string& type_name, const std::string& path) {
  using elements::ElementType;
  const std::map<std::string, ElementType> types = {{"tet4", ElementType::tet4},
                                                    {"tet10", ElementType::tet10},
                                                    {"hex8", ElementType::hex8},
                                                    {"hex20", ElementType::hex20}};
  write(path, mesh::make_box({types.at(type_name), n, n, n, Eigen::Vector3d::Constant(0.1)}));
  return 0;
}

/// The box is whole: its volume is that of its corners' box.
int read_box(const std::string& path) {
  const double before_mb = base::peak_rss_mb(), start = cpu_seconds();
  const mesh::Mesh mesh = read(path);
  const double seconds = cpu_seconds() - start;
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  const auto n = static_cast<double>(mesh.n_nodes());
  fmt::print(
      "{} nodes, {:.1f} MB: {:.3f} s, {:.0f} MB/s; per node {:.0f} bytes of file, {:.0f} of "
      "memory at most\n",
      mesh.n_nodes(), megabytes, seconds, megabytes / seconds, 1e6 * megabytes / n,
      1e6 * (base::peak_rss_mb() - before_mb) / n);
  const Eigen::Vector3d size = mesh.x.rowwise().maxCoeff() - mesh.x.rowwise().minCoeff();
  return (size - Eigen::Vector3d::Constant(0.1)).norm() < 1e-12 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::string(argv[1]) == "make")
    return make_box(std::stoi(argv[2]), argv[3], argv[4]);
  if (argc == 3 && std::string(argv[1]) == "read") return read_box(argv[2]);
  fmt::print("benchmark_mesh_reading make CELLS TYPE FILE, or read FILE\n");
  return 2;
}
