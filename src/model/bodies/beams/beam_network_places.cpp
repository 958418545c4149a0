#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/bodies/beams/beam_network_maker.h"
#include "model/bodies/import/imported_body.h"
#include "model/language/spelling.h"

// Nodes of a network that joints, forces and sensors find.
namespace solidyn::model {

using Eigen::Vector3d;

void BeamNetworkMaker::add_place(const std::string& name, std::int64_t tag,
                                 const base::SourceLocation& where) {
  const auto is_named = [&](const BeamNetwork::Place& place) { return place.name == name; };
  if (std::any_of(network_.places.begin(), network_.places.end(), is_named)) return;
  if (!is_node(tag))
    return error(fmt::format("bodies.{}.places.{}: node {} is on no line", body_.name, name, tag),
                 "give a node of the beams", where);
  const int node = first_node(tag);
  tags_of_places_.emplace(name, tag);
  network_.places.push_back({name, node, positions_.at(tag) - network_.nodes[node]});
}

void BeamNetworkMaker::add_places() {
  for (const BeamNodePlace& place : body_.node_places) {
    const std::optional<std::int64_t> tag = find_tag(place);
    if (tag) add_place(place.name, *tag, place.where);
  }
  for (const auto& [name, tags] : file_.lines.node_sets)
    if (tags.size() == 1 && is_node(tags[0])) add_place(name_in_model(name), tags[0], {});
}

std::optional<std::int64_t> BeamNetworkMaker::find_tag(const BeamNodePlace& place) {
  const std::string path = fmt::format("bodies.{}.places.{}", body_.name, place.name);
  switch (place.rule) {
    case BeamNodePlace::Rule::number:
      return place.number;
    case BeamNodePlace::Rule::set:
      return node_of_set(place, path);
    case BeamNodePlace::Rule::point:
      break;
  }
  return node_at_point(place, path);
}

std::optional<std::int64_t> BeamNetworkMaker::node_of_set(const BeamNodePlace& place,
                                                          const std::string& path) {
  const auto& sets = file_.lines.node_sets;
  const auto set = sets.find(place.set);
  std::vector<std::string> known;
  for (const auto& [name, tags] : sets)
    if (tags.size() == 1) known.push_back(name);
  const std::string remedy =
      known.empty() ? "identify it by  node:  or  at:" : suggestion(place.set, known, "there are");
  if (set == sets.end())
    error(fmt::format("{}: {} has no set `{}`", path, file_.source, place.set), remedy,
          place.where);
  else if (set->second.size() != 1)
    error(fmt::format("{}: the set `{}` has {} nodes: a place needs exactly one", path, place.set,
                      set->second.size()),
          remedy, place.where);
  else
    return set->second[0];
  return std::nullopt;
}

std::optional<std::int64_t> BeamNetworkMaker::node_at_point(const BeamNodePlace& place,
                                                            const std::string& path) {
  constexpr double kNear = 1e-4;  // of the size: points are written with few digits
  std::int64_t nearest = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (const auto& [tag, nodes] : nodes_of_) {
    const double d = (positions_.at(tag) - place.x_B).norm();
    if (d < distance) {
      nearest = tag;
      distance = d;
    }
  }
  if (distance <= kNear * size_) return nearest;
  const Vector3d& x = positions_.at(nearest);
  error(
      fmt::format("{}: there is no node at this point; the nearest, {}, is at ({:g}, {:g}, {:g}) m",
                  path, nearest, x[0], x[1], x[2]),
      "give its coordinates, or its number by  node:", place.where);
  return std::nullopt;
}

}  // namespace solidyn::model
