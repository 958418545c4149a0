#include "formats/gmsh/builder.h"

#include <fmt/format.h>

#include <cmath>

#include "formats/shared/inner_nodes.h"
#include "solidyn/base/log.h"

namespace solidyn::formats {

using mesh::ElementBlock;

void GmshBuilder::reserve_nodes(std::int64_t n) {
  x_.reserve(n);
  mesh_.node_tags.reserve(n);
  node_places_.reserve(n);
}

void GmshBuilder::add_node(std::int64_t tag, const Eigen::Vector3d& x, const char* at) {
  if (tag < 1) file_.fail(at, fmt::format("node number {} is not positive", tag), kExportAgain);
  if (!x.allFinite())
    file_.fail(at, fmt::format("node {} has the coordinates ({}, {}, {})", tag, x[0], x[1], x[2]),
               "every coordinate must be a finite number");
  x_.emplace_back(scale_ * x);
  mesh_.node_tags.push_back(tag);
  node_places_.push_back(at);
}

void GmshBuilder::index_nodes() {
  const std::size_t n = x_.size();
  if (n >= static_cast<std::size_t>(INT32_MAX))
    throw base::InputError(fmt::format("the mesh has {} nodes, more than a mesh can hold", n),
                           "split the body", {file_.name, 0, 0});
  const auto& tags = mesh_.node_tags;
  const std::int64_t largest = n ? *std::max_element(tags.begin(), tags.end()) : 0;
  const bool is_dense = largest <= static_cast<std::int64_t>(4 * n + 1024);
  if (is_dense) dense_index_.assign(largest + 1, -1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t node = static_cast<std::int32_t>(i);
    const bool is_new =
        is_dense ? dense_index_[tags[i]] < 0 : sparse_index_.emplace(tags[i], node).second;
    if (!is_new)
      file_.fail(node_places_[i], fmt::format("node {} is defined twice", tags[i]),
                 "use unique node numbers (Gmsh: Mesh > Renumber, or `RenumberMeshNodes;`)");
    if (is_dense) dense_index_[tags[i]] = node;
  }
  mesh_.x = Eigen::Map<const Eigen::Matrix3Xd>(n ? x_.front().data() : nullptr, 3,
                                               static_cast<Eigen::Index>(n));
  x_ = {};
}

std::int32_t GmshBuilder::find_node(std::int64_t tag) const {
  if (dense_index_.empty()) {
    const auto found = sparse_index_.find(tag);
    return found == sparse_index_.end() ? -1 : found->second;
  }
  return tag < 0 || tag >= static_cast<std::int64_t>(dense_index_.size()) ? -1 : dense_index_[tag];
}

ElementBlock& GmshBuilder::block(elements::ElementType type) {
  for (ElementBlock& block : mesh_.blocks)
    if (block.type == type) return block;
  mesh_.blocks.push_back({type, {}, {}});
  return mesh_.blocks.back();
}

void GmshBuilder::join(const GmshGroup& group) {
  Members& members = members_[group];
  if (group.first < 3) {
    members.list.insert(members.list.end(), nodes_.begin(), nodes_.end());
    return;
  }
  if (members.marks.empty()) members.marks.resize(mesh_.node_tags.size(), false);
  for (std::int32_t node : nodes_) members.marks[node] = true;
}

bool GmshBuilder::repeats_last(const GmshType& type) const {
  return last_type_ == &type && nodes_ == last_nodes_;
}

void GmshBuilder::refuse_unknown_shape(const GmshType& type, std::int64_t tag,
                                       const char* at) const {
  if (type.type) return;
  if (type.dimension == 3)
    file_.fail(
        at,
        fmt::format("element {} is a {}; elements of this type are not supported", tag, type.name),
        "mesh with elements of first or second order (Gmsh: `Mesh.ElementOrder` 1 or 2)");
}

void GmshBuilder::add_element(const GmshType& type, std::int64_t tag,
                              const std::vector<std::int64_t>& nodes,
                              const std::vector<GmshGroup>& groups, const char* at) {
  refuse_unknown_shape(type, tag, at);
  nodes_.clear();
  for (std::int64_t node_tag : nodes) {
    nodes_.push_back(find_node(node_tag));
    if (nodes_.back() < 0)
      file_.fail(at,
                 fmt::format("element {} ({}) uses node {}, which is not defined in the file", tag,
                             type.name, node_tag),
                 kExportAgain);
  }
  if (has_inner_nodes(type)) take_off_inner_nodes(type);
  for (const GmshGroup& group : groups) join(group);
  element_numbers_.push_back({tag, at});
  if (type.type && type.dimension == 1) keep_line(type, tag, groups);
  if (repeats_last(type)) return;
  last_type_ = &type;
  last_nodes_ = nodes_;
  if (type.type) {
    ElementBlock& elements = block(*type.type);
    elements.connectivity.insert(elements.connectivity.end(), nodes_.begin(), nodes_.end());
    elements.tags.push_back(tag);
  } else if (type.dimension > 0) {
    ++n_left_out_[type.name];
    if (type.dimension == 1) ++n_lines_left_out_[type.name];
  }
}

void GmshBuilder::take_off_inner_nodes(const GmshType& type) {
  const auto n = static_cast<std::size_t>(elements::n_nodes(*type.type));
  is_inner_.resize(mesh_.node_tags.size(), false);
  for (std::size_t i = n; i < nodes_.size(); ++i) is_inner_[nodes_[i]] = true;
  nodes_.resize(n);
  ++n_reduced_[type.name];
}

/// They leave the mesh, unless another element has them on an edge.
void GmshBuilder::drop_inner_nodes() {
  if (is_inner_.empty()) return;
  const std::int64_t n_dropped = formats::drop_inner_nodes(std::move(is_inner_), mesh_);
  for (const auto& [type, n_elements] : n_reduced_)
    base::log_warning(
        "{}: {} elements of type {} are read without their face and volume nodes, which do not affect their geometry any more (Gmsh: `Mesh.SecondOrderIncomplete = 1` generates none)",
        file_.name, n_elements, type);
  base::log_warning("{}: {} face and volume nodes were removed", file_.name, n_dropped);
}

void GmshBuilder::check_unique(std::vector<Numbered> numbered, const char* kind) const {
  const auto is_before = [](const Numbered& a, const Numbered& b) { return a.tag < b.tag; };
  if (!std::is_sorted(numbered.begin(), numbered.end(), is_before))
    std::stable_sort(numbered.begin(), numbered.end(), is_before);
  const auto twice =
      std::adjacent_find(numbered.begin(), numbered.end(),
                         [](const Numbered& a, const Numbered& b) { return a.tag == b.tag; });
  if (twice != numbered.end())
    file_.fail(std::next(twice)->at, fmt::format("{} {} is defined twice", kind, twice->tag),
               "use unique element numbers (Gmsh: Mesh > Renumber, or `RenumberMeshElements;`)");
}

std::string GmshBuilder::set_name(const GmshGroup& group) const {
  const auto named = names_.find(group);
  if (named == names_.end()) return fmt::format("physical_{}_{}", group.first, group.second);
  return named->second;
}

void GmshBuilder::make_sets() {
  for (const auto& [group, name] : names_) members_[group];  // a named group may be empty
  for (auto group = members_.rbegin(); group != members_.rend(); ++group) {  // solids first
    const int dimension = group->first.first;
    std::string name = set_name(group->first);
    if (mesh_.sets.count(name)) {
      const std::string other = fmt::format("{}_{}d", name, dimension);
      base::log_warning(
          "{}: several physical groups are named `{}`; the one of dimension {} is renamed `{}`",
          file_.name, name, dimension, other);
      name = other;
    }
    mesh::NodeSet& set = mesh_.sets[name];
    set.dimension = dimension;
    set.nodes = std::move(group->second.list);
    const std::vector<bool>& marks = group->second.marks;
    for (std::size_t node = 0; node < marks.size(); ++node)
      if (marks[node]) set.nodes.push_back(static_cast<std::int32_t>(node));
    std::sort(set.nodes.begin(), set.nodes.end());
    set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
  }
}

mesh::Mesh GmshBuilder::finish() {
  check_unique(std::move(element_numbers_), "element");
  make_sets();
  drop_inner_nodes();
  for (const auto& [type, n] : n_left_out_)
    base::log_warning("{}: {} elements of type {} were ignored (their nodes are kept in sets)",
                      file_.name, n, type);
  return std::move(mesh_);
}

}  // namespace solidyn::formats
