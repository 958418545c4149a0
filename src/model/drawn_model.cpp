#include "solidyn/model/drawn_model.h"

#include "model/forces/force_entry.h"
#include "model/joints/joint_entry.h"

namespace solidyn::model {
namespace {

bool is_ground(const PlaceDescription& place) {
  return place.kind == PlaceDescription::Kind::ground;
}

}  // namespace

DrawnModel drawn_model(const ModelDescription& description) {
  DrawnModel drawn;
  for (const auto& joint : description.joints) {
    const std::vector<PlaceDescription> places = joint->places();
    if (places.size() != 2) continue;
    drawn.joint_places[joint->name] = {places[0].text(), places[1].text()};
    if (joint->type.word != "fixed") continue;
    if (is_ground(places[0])) drawn.held_bodies.insert(places[1].body);
    if (is_ground(places[1])) drawn.held_bodies.insert(places[0].body);
  }
  for (const auto& force : description.forces) drawn.force_kinds[force->name] = force->drawn_as();
  return drawn;
}

}  // namespace solidyn::model
