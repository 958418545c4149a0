#include "model/bodies/build_stress.h"

#include <fmt/format.h>

#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::model {
namespace {

// Collective. @param at_nodes (nodes of this rank) -> NodalStress
template <class AtNodes>
BuiltStress stress_of_nodal_body(const FlexibleEntry& d, const mesh::DistributedMesh& mesh,
                                 const AtNodes& at_nodes) {
  BuiltStress stress;
  for (const reduction::StressPlaceDefinition& place : d.stress.places) {
    const std::string owner = fmt::format("bodies.{}.stress.places.{}", d.name, place.name);
    stress.places[place.name] = {at_nodes(mesh::select_nodes(mesh, owner, place.nodes)), mesh.comm};
  }
  if (d.stress.pictures == reduction::StressInPictures::on_surface) {
    stress.nodes = fem::find_surface_nodes(mesh);
    stress.in_pictures = at_nodes(stress.nodes);
  }
  return stress;
}

}  // namespace

BuiltStress stress_of_modal_body(const reduction::ReducedBody& body) {
  BuiltStress stress;
  for (const reduction::StressPlace& place : body.stress.places)
    stress.places[place.name] = {bodies::modal_stress(place.S), MPI_COMM_SELF};
  stress.nodes = body.stress.nodes;
  if (body.stress.is_in_pictures) stress.in_pictures = bodies::modal_stress(body.stress.S);
  return stress;
}

BuiltStress stress_of_floating_frame_body(const fem::Sections& sections, const FlexibleEntry& d,
                                          const bodies::FloatingFrameBody& body) {
  return stress_of_nodal_body(d, body.mesh(), [&](std::vector<std::int32_t> nodes) {
    return bodies::floating_frame_stress(body, sections, std::move(nodes));
  });
}

BuiltStress stress_of_solid_body(const FlexibleEntry& d, const bodies::SolidBody& body) {
  return stress_of_nodal_body(d, body.mesh(), [&](std::vector<std::int32_t> nodes) {
    return bodies::solid_stress(body, std::move(nodes));
  });
}

}  // namespace solidyn::model
