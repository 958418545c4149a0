#include <fmt/format.h>

#include <map>

#include "formats/gmsh/builder.h"

namespace solidyn::formats {

/// Before the element becomes the last one.
void GmshBuilder::keep_line(const GmshType& type, std::int64_t tag,
                            const std::vector<GmshGroup>& groups) {
  if (!repeats_last(type))
    lines_.push_back({tag, {nodes_[0], nodes_[1], nodes_.size() > 2 ? nodes_[2] : -1}, {}});
  lines_.back().groups.insert(lines_.back().groups.end(), groups.begin(), groups.end());
}

/// A line of several physical groups may be written once for each of them.
std::vector<GmshBuilder::Line> GmshBuilder::each_line_once() const {
  std::vector<Line> once;
  std::map<std::array<std::int32_t, 3>, std::size_t> known;
  for (const Line& line : lines_) {
    const auto [at, is_new] = known.emplace(line.nodes, once.size());
    if (is_new)
      once.push_back(line);
    else
      once[at->second].groups.insert(once[at->second].groups.end(), line.groups.begin(),
                                     line.groups.end());
  }
  return once;
}

imported::LineElements GmshBuilder::lines() const {
  imported::LineElements made;
  const auto add = [&](const Line& line, std::int32_t p, std::int32_t q) {
    imported::LineElement element;
    element.name = fmt::format("line {}", line.tag);
    element.tag = line.tag;
    element.nodes = {mesh_.node_tags[p], mesh_.node_tags[q]};
    element.where = {file_.name, 0, 0};
    for (const GmshGroup& group : line.groups)
      made.groups[set_name(group)].push_back(made.elements.size());
    made.elements.push_back(std::move(element));
  };
  for (const Line& line : each_line_once()) {
    const auto [p, q, middle] = line.nodes;
    add(line, p, middle < 0 ? q : middle);
    if (middle >= 0) add(line, middle, q);
  }
  for (const auto& [name, n] : n_lines_left_out_)
    made.errors.push_back({{file_.name, 0, 0},
                           fmt::format("{} elements of type {} are not beams", n, name),
                           "mesh with lines of first or second order (Gmsh: `Mesh.ElementOrder`)"});
  for (const auto& [group, members] : members_)
    if (group.first == 0)
      for (const std::int32_t node : members.list)
        made.node_sets[set_name(group)].push_back(mesh_.node_tags[node]);
  for (auto& [name, tags] : made.node_sets) {
    std::sort(tags.begin(), tags.end());
    tags.erase(std::unique(tags.begin(), tags.end()), tags.end());
  }
  return made;
}

}  // namespace solidyn::formats
