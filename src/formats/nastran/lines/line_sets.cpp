#include <fmt/format.h>

#include <algorithm>

#include "formats/nastran/lines/mesh_sets.h"

namespace solidyn::formats {
namespace {

constexpr std::int64_t kMostTimes = 200;  // as many members as grids and elements; else an error

std::vector<std::int64_t> sorted(std::vector<std::int64_t> tags) {
  std::sort(tags.begin(), tags.end());
  tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  return tags;
}

// Which element has a number.
using Places = std::map<std::int64_t, std::size_t>;

}  // namespace

void add_line_sets(const std::vector<NastranSets::Set>& sets, imported::LineElements& lines) {
  std::vector<std::int64_t> grids, numbers;
  Places places;
  for (std::size_t e = 0; e < lines.elements.size(); ++e) {
    const imported::LineElement& element = lines.elements[e];
    grids.insert(grids.end(), element.nodes.begin(), element.nodes.end());
    places.emplace(element.tag, e);
    numbers.push_back(element.tag);
  }
  grids = sorted(std::move(grids));
  numbers = sorted(std::move(numbers));
  auto n_left = kMostTimes * static_cast<std::int64_t>(grids.size() + numbers.size());
  for (const NastranSets::Set& set : sets) {
    const auto among = [&](NastranSets::Kind excluded, const std::vector<std::int64_t>& all) {
      if (set.kind == excluded || n_left < 0) return std::vector<std::int64_t>();
      std::vector<std::int64_t> found = set.ids.among(all);
      n_left -= static_cast<std::int64_t>(found.size());
      return found;
    };
    std::vector<std::int64_t> of_grids = among(NastranSets::Kind::elements, grids);
    if (!of_grids.empty()) lines.node_sets[set.name] = std::move(of_grids);
    for (const std::int64_t tag : among(NastranSets::Kind::grids, numbers))
      lines.groups[set.name].push_back(places.at(tag));
  }
  if (n_left < 0 && !lines.elements.empty())
    lines.errors.push_back(
        {sets.back().where,
         fmt::format("the sets have more than {} times as many members as the beams have grids",
                     kMostTimes),
         "remove sets that are not needed"});
}

void apply_names(const std::vector<NastranDeck::Named>& names, imported::LineElements& lines) {
  for (const NastranDeck::Named& named : names) {
    const bool is_set = named.card == "FACESET" || named.card == "EDGESET";
    const std::string old = fmt::format("{} {}", is_set ? "SET" : named.card, named.id);
    for (imported::LineProperty& property : lines.properties)
      if (property.name == old) property.name = named.name;
    for (imported::Material& material : lines.materials)
      if (material.name == old) material.name = named.name;
    const auto rename = [&](auto& map) {
      const auto found = map.find(old);
      if (found == map.end() || map.count(named.name) > 0) return;
      map.emplace(named.name, std::move(found->second));
      map.erase(old);
    };
    rename(lines.groups);
    rename(lines.node_sets);
  }
}

}  // namespace solidyn::formats
