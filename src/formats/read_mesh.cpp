#include "solidyn/formats/read_mesh.h"

#include "solidyn/base/mpi.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/solidyn/mesh.h"
#include "solidyn/mesh/check.h"

namespace solidyn::formats {

mesh::Mesh read_mesh(const std::string& path, double scale) {
  return is_solidyn_mesh_name(path) ? read_whole_solidyn_mesh(path, scale) : read_gmsh(path, scale);
}

mesh::DistributedMesh read_mesh(MPI_Comm comm, const std::string& path, double scale) {
  if (is_solidyn_mesh_name(path)) {
    mesh::DistributedMesh mesh = mesh::distribute(comm, read_solidyn_mesh(comm, path, scale), path);
    mesh::check(mesh, path);
    return mesh;
  }
  mesh::Mesh whole;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    whole = read_mesh(path, scale);
    mesh::check(whole, path);
  });
  return mesh::distribute(comm, std::move(whole));
}

}  // namespace solidyn::formats
