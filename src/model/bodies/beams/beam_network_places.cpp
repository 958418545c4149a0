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
  if (const auto* numbered = std::get_if<NodeByNumber>(&place.node)) return numbered->number;
  if (const auto* of = std::get_if<NodeOfSet>(&place.node))
    return node_of_set(of->set, path, place.where);
  return node_at_point(std::get<NodeAtPoint>(place.node).x_B, path, place.where);
}

std::optional<std::int64_t> BeamNetworkMaker::node_of_set(const std::string& name,
                                                          const std::string& path,
                                                          const base::SourceLocation& where) {
  const auto& sets = file_.lines.node_sets;
  const auto set = sets.find(name);
  std::vector<std::string> known;
  for (const auto& [other, tags] : sets)
    if (tags.size() == 1) known.push_back(other);
  const std::string remedy =
      known.empty() ? "identify it by  node:  or  at:" : suggestion(name, known, "there are");
  if (set == sets.end())
    error(fmt::format("{}: {} has no set `{}`", path, file_.source, name), remedy, where);
  else if (set->second.size() != 1)
    error(fmt::format("{}: the set `{}` has {} nodes: a place needs exactly one", path, name,
                      set->second.size()),
          remedy, where);
  else
    return set->second[0];
  return std::nullopt;
}

std::optional<std::int64_t> BeamNetworkMaker::node_at_point(const Vector3d& x_B,
                                                            const std::string& path,
                                                            const base::SourceLocation& where) {
  constexpr double kNear = 1e-4;  // of the size: points are written with few digits
  std::int64_t nearest = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (const auto& [tag, nodes] : nodes_of_) {
    const double d = (positions_.at(tag) - x_B).norm();
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
      "give its coordinates, or its number by  node:", where);
  return std::nullopt;
}

}  // namespace solidyn::model
