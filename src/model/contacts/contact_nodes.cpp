#include "model/contacts/contact_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "model/bodies/body_source.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/topology.h"

namespace solidyn::model {
namespace {

using TaggedPoint = std::array<double, 4>;  // number in the mesh file, position

bool by_number(const TaggedPoint& a, const TaggedPoint& b) { return a[0] < b[0]; }

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

// Of an even pressure on a face of six nodes the corners have no share: under set-valued laws,
// which give every node what stops it, they rattle, and the plateau of page D08 has three quarters
// of its force. So the middles of the edges touch alone where whole faces of tet10 are selected.
std::vector<TaggedPoint> without_corners_of_tet10(const mesh::DistributedMesh& mesh,
                                                  const std::vector<TaggedPoint>& points) {
  const auto tagged = [&](std::int32_t i) {
    return TaggedPoint{static_cast<double>(mesh.node_tags[i]), mesh.x(0, i), mesh.x(1, i),
                       mesh.x(2, i)};
  };
  const auto is_selected = [&](std::int32_t i) {
    return std::binary_search(points.begin(), points.end(), tagged(i), by_number);
  };
  std::vector<TaggedPoint> own;
  for (const mesh::ElementBlock& block : mesh.solids) {
    if (block.type != mesh::ElementType::tet10) continue;
    for (std::int64_t e = 0; e < block.size(); ++e)
      for (const elements::Face& face : elements::faces(block.type)) {
        const auto node = [&](int k) { return block.connectivity[10 * e + face.nodes[k]]; };
        int n_selected = 0;
        for (int k = 0; k < 6; ++k) n_selected += is_selected(node(k)) ? 1 : 0;
        for (int k = 0; k < 3 && n_selected == 6; ++k) own.push_back(tagged(node(k)));
      }
  }
  std::vector<TaggedPoint> kept;
  const std::vector<TaggedPoint> corners = gathered(mesh.comm, own);
  std::set_difference(points.begin(), points.end(), corners.begin(), corners.end(),
                      std::back_inserter(kept), by_number);
  return kept;
}

std::vector<TaggedPoint> touching(const mesh::DistributedMesh& mesh,
                                  const ContactDescription& contact,
                                  const ContactShapeDescription& shape) {
  const std::vector<TaggedPoint> all =
      selected(mesh, "contact `" + contact.name + "`", *shape.nodes);
  if (!contact.set_valued) return all;
  std::vector<TaggedPoint> kept = without_corners_of_tet10(mesh, all);
  if (kept.size() < all.size())
    base::log_info(
        "contact {}: {} of the {} nodes are corners of whole tet10 faces, which have no share of an even pressure: the {} middles of edges touch instead (a vertex that is to touch needs a contact of its own)",
        contact.name, all.size() - kept.size(), all.size(), kept.size());
  return kept;
}

void add_nodes(const mesh::DistributedMesh& mesh, const ContactDescription& contact,
               ContactShapeDescription& shape, std::vector<reduction::PointDefinition>& points) {
  for (const TaggedPoint& p : touching(mesh, contact, shape)) {
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
