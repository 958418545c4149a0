#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/forces/force_entry.h"
#include "model/joints/joint_entry.h"
#include "model/track/rail_track.h"

namespace solidyn::model {
namespace {

bool is_wheelset(const ForceEntry& force) { return force.type == "wheel_rail"; }

// What hangs together with the wheelsets by joints and forces, other than those on the rails.
std::set<std::string> bodies_of_vehicle(const ModelDescription& model) {
  std::set<std::string> vehicle;
  std::vector<std::vector<PlaceDescription>> groups;
  for (const auto& joint : model.joints) groups.push_back(joint->places());
  for (const auto& force : model.forces) {
    if (is_wheelset(*force))
      vehicle.insert(force->places().back().body);
    else
      groups.push_back(force->places());
  }
  for (std::size_t before = 0; before != vehicle.size();) {
    before = vehicle.size();
    for (const auto& group : groups)
      if (std::any_of(group.begin(), group.end(),
                      [&](const PlaceDescription& place) { return vehicle.count(place.body) > 0; }))
        for (const PlaceDescription& place : group)
          if (!place.body.empty()) vehicle.insert(place.body);
  }
  return vehicle;
}

}  // namespace

bool has_wheelsets(const ModelDescription& model) {
  return std::any_of(model.forces.begin(), model.forces.end(),
                     [](const auto& force) { return is_wheelset(*force); });
}

void check_wheelsets(const TableView& file, const ModelDescription& model) {
  const auto is_same = [](const PlaceDescription& a, const PlaceDescription& b) {
    return a.body == b.body && a.text() == b.text();
  };
  const std::set<std::string> vehicle = bodies_of_vehicle(model);
  std::vector<const ForceEntry*> before;
  for (const auto& force : model.forces) {
    if (!is_wheelset(*force)) continue;
    // The rails' body, where there is one, and the wheelset.
    const std::vector<PlaceDescription> places = force->places();
    for (const ForceEntry* other : before) {
      const std::vector<PlaceDescription> its = other->places();
      if (is_same(its.back(), places.back()))
        file.report().error(force->where,
                            fmt::format("forces.{}.at: the wheels of `{}` are on {} already",
                                        force->name, other->name, places.back().text()),
                            "remove one of the two forces: each carries the whole load");
      if (its.size() == 2 && places.size() == 2 && its.front().body == places.front().body)
        file.report().error(
            force->where,
            fmt::format("forces.{}.rails_on: the rails under `{}` move with {} already",
                        force->name, other->name, places.front().text()),
            "give each wheelset a body of its own: it goes along the track with its wheelset");
    }
    if (places.size() == 2 && vehicle.count(places.front().body) > 0)
      file.report().error(
          force->where,
          fmt::format(
              "forces.{}.rails_on: {} is a part of the vehicle, connected with its wheelsets by joints or forces",
              force->name, places.front().text()),
          "give the rails a body of their own, on springs to the ground, or leave `rails_on` out");
    before.push_back(force.get());
  }
}

void check_track_is_used(const TableView& file, const ModelDescription& model) {
  // With a running speed it is an error: check_running_speed().
  if (!model.track || model.track->running_speed != 0.0 || has_wheelsets(model)) return;
  file.report().warning(model.track->where,
                        "track has no effect: no force of type `wheel_rail` is on it",
                        "add one for each wheelset, or remove the track");
}

}  // namespace solidyn::model
