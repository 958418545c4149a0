#include "model/contacts/contact_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "model/bodies/body_source.h"
#include "solidyn/base/mpi.h"

namespace solidyn::model {
namespace {

using TaggedPoint = std::array<double, 4>;  // number in the mesh file, position

// On every rank those of all ranks, by their numbers.
std::vector<TaggedPoint> gathered(MPI_Comm comm, const std::vector<TaggedPoint>& own) {
  const int n_own = static_cast<int>(own.size()) * 4;
  std::vector<int> counts(base::size(comm)), starts(base::size(comm), 0);
  MPI_Allgather(&n_own, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  for (std::size_t i = 1; i < counts.size(); ++i) starts[i] = starts[i - 1] + counts[i - 1];
  std::vector<TaggedPoint> all((starts.back() + counts.back()) / 4);
  MPI_Allgatherv(own.data(), n_own, MPI_DOUBLE, all.data(), counts.data(), starts.data(),
                 MPI_DOUBLE, comm);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<TaggedPoint> selected(const mesh::DistributedMesh& mesh, const std::string& owner,
                                  const mesh::NodeSelection& rule) {
  std::vector<TaggedPoint> own;
  for (std::int32_t i : mesh::select_nodes(mesh, owner, rule))
    own.push_back(
        {static_cast<double>(mesh.node_tags[i]), mesh.x(0, i), mesh.x(1, i), mesh.x(2, i)});
  return gathered(mesh.comm, own);
}

void add_nodes(const mesh::DistributedMesh& mesh, const ContactDescription& contact,
               ContactShapeDescription& shape, std::vector<reduction::PointDefinition>& points) {
  for (const TaggedPoint& p : selected(mesh, "contact `" + contact.name + "`", *shape.nodes)) {
    points.push_back({fmt::format("contact {} node {:.0f}", contact.name, p[0]),
                      Eigen::Vector3d(p[1], p[2], p[3])});
    shape.points.push_back(points.back().name);
  }
}

void add_nodes_of(MPI_Comm comm, ModelDescription& model, std::shared_ptr<const BodyEntry>& body) {
  std::optional<mesh::DistributedMesh> mesh;
  std::vector<reduction::PointDefinition> points;
  for (ContactDescription& contact : model.contacts)
    for (int side = 0; side < 2; ++side) {
      if (contact.between[side].body != body->name || !contact.shapes[side].nodes) continue;
      if (!mesh) mesh = make_body_source(comm, model, *body->flexible()).load_mesh();
      add_nodes(*mesh, contact, contact.shapes[side], points);
    }
  if (!points.empty()) body = body->flexible()->with_points(points);
}

}  // namespace

ModelDescription with_contact_nodes(MPI_Comm comm, ModelDescription model) {
  for (std::shared_ptr<const BodyEntry>& body : model.bodies) add_nodes_of(comm, model, body);
  return model;
}

}  // namespace solidyn::model
