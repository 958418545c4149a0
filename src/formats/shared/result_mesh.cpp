#include "formats/shared/result_mesh.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/elements/edge_order.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using mesh::ElementBlock;

constexpr const char* kWriteAgain = "the file is damaged or truncated: write it again";

}  // namespace

void ResultMesh::reserve_nodes(std::int64_t n) {
  x_.reserve(n);
  tags_.reserve(n);
  places_.reserve(n);
}

void ResultMesh::add_node(std::int64_t tag, const Eigen::Vector3d& x, const char* at) {
  if (is_indexed_) file_.fail(at, fmt::format("node {} follows elements", tag), kWriteAgain);
  if (tag < 1 || tag > INT32_MAX) {
    file_.complain(at, fmt::format("node number {} is not between 1 and 2147483647", tag),
                   kWriteAgain);
    return;
  }
  if (!x.allFinite())
    file_.complain(at,
                   fmt::format("node {} has the coordinates ({}, {}, {})", tag, x[0], x[1], x[2]),
                   "every coordinate must be a finite number");
  x_.push_back(x);
  tags_.push_back(tag);
  places_.push_back(at);
}

void ResultMesh::index_nodes() {
  is_indexed_ = true;
  const std::size_t n = tags_.size();
  if (n >= static_cast<std::size_t>(INT32_MAX))
    file_.fail(nullptr, fmt::format("the mesh has {} nodes, more than a mesh can hold", n),
               "split the body");
  index_ = LabelIndex(tags_);
  for (std::int32_t node : index_.repeated())
    file_.complain(places_[node], fmt::format("node {} is defined twice", tags_[node]),
                   "use unique node numbers");
  places_ = {};
}

std::int32_t ResultMesh::find_node(std::int64_t tag) {
  if (!is_indexed_) index_nodes();
  return index_.find(tag);
}

int ResultMesh::region(const std::string& name, const std::string& element_name, int material,
                       imported::Integration integration) {
  for (std::size_t i = 0; i < model_.regions.size(); ++i)
    if (model_.regions[i].name == name && model_.regions[i].element_name == element_name)
      return static_cast<int>(i);
  model_.regions.push_back({name, element_name, material, integration});
  return static_cast<int>(model_.regions.size()) - 1;
}

ElementBlock& ResultMesh::block(ElementType type) {
  for (ElementBlock& block : model_.mesh.blocks)
    if (block.type == type) return block;
  model_.mesh.blocks.push_back({type, {}, {}});
  return model_.mesh.blocks.back();
}

void ResultMesh::add_solid(ElementType type, int region, std::int64_t tag,
                           const std::int64_t* nodes, const char* at) {
  ElementBlock& elements = block(type);
  const std::vector<int>& order = elements::around_order(type);
  for (int i = 0; i < elements::n_nodes(type); ++i) {
    const std::int64_t node_tag = nodes[order[i]];
    const std::int32_t node = find_node(node_tag);
    if (node < 0) {
      if (++n_missing_ <= 10) missing_.emplace_back(tag, node_tag);
      if (!missing_at_) missing_at_ = at;
    }
    elements.connectivity.push_back(node);
  }
  elements.tags.push_back(tag);
  elements.regions.push_back(region);
}

void ResultMesh::report_missing_nodes() {
  if (n_missing_ == 0) return;
  std::string list;
  for (const auto& [element, node] : missing_)
    list += fmt::format("{}node {} of element {}", list.empty() ? "" : ", ", node, element);
  file_.fail(missing_at_,
             fmt::format("elements use {} nodes that are not defined in the file: {}{}", n_missing_,
                         list, n_missing_ > 10 ? ", ..." : ""),
             kWriteAgain);
}

void ResultMesh::refuse_repeated_elements() {
  std::vector<std::int64_t> tags;
  for (const ElementBlock& block : model_.mesh.blocks)
    tags.insert(tags.end(), block.tags.begin(), block.tags.end());
  if (!std::is_sorted(tags.begin(), tags.end())) std::sort(tags.begin(), tags.end());
  const auto twice = std::adjacent_find(tags.begin(), tags.end());
  if (twice != tags.end())
    file_.complain(nullptr, fmt::format("element {} is defined twice", *twice),
                   "use unique element numbers");
}

void ResultMesh::add_node_set(const std::string& name, const std::vector<std::int64_t>& tags,
                              const char* at) {
  Set& set = sets_[name];
  for (std::int64_t tag : tags) {
    const std::int32_t node = find_node(tag);
    if (node < 0)
      file_.complain(at,
                     fmt::format("node set {} contains node {}, which is not defined in the file",
                                 shown_text(name), tag),
                     kWriteAgain);
    else
      set.nodes.push_back(node);
  }
}

void ResultMesh::add_element_set(const std::string& name, const std::vector<std::int64_t>& tags) {
  std::vector<std::int64_t>& set = element_sets_[name];
  set.insert(set.end(), tags.begin(), tags.end());
}

std::vector<std::int32_t> ResultMesh::number_mesh_nodes() const {
  std::vector<std::int32_t> index(tags_.size(), -1);
  for (const ElementBlock& block : model_.mesh.blocks)
    for (std::int32_t node : block.connectivity) index[node] = 0;
  std::int32_t n = 0;
  for (std::int32_t& number : index)
    if (number == 0) number = n++;
  return index;
}

void ResultMesh::place_nodes(const std::vector<std::int32_t>& index) {
  const auto n = std::count_if(index.begin(), index.end(), [](auto i) { return i >= 0; });
  model_.mesh.x.resize(3, n);
  model_.mesh.node_tags.reserve(n);
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] < 0) {
      model_.loose_nodes.push_back({tags_[i], x_[i]});
    } else {
      model_.mesh.x.col(index[i]) = x_[i];
      model_.mesh.node_tags.push_back(tags_[i]);
    }
  }
  for (ElementBlock& block : model_.mesh.blocks)
    for (std::int32_t& node : block.connectivity) node = index[node];
}

void ResultMesh::make_sets(const std::vector<std::int32_t>& index) {
  for (auto& [name, members] : sets_) {
    mesh::NodeSet& set = model_.mesh.sets[name];
    set.dimension = members.dimension;
    std::int64_t n_loose = 0;
    for (std::int32_t node : members.nodes) {
      if (index[node] >= 0) set.nodes.push_back(index[node]);
      n_loose += index[node] < 0;
    }
    std::sort(set.nodes.begin(), set.nodes.end());
    set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
    if (n_loose > 0)
      model_.report.warnings.push_back(file_.diagnose(
          nullptr,
          fmt::format("{} nodes of set {} are on no solid element", n_loose, shown_text(name)),
          "the set keeps the others"));
  }
}

void ResultMesh::gather_element_sets() {
  if (element_sets_.empty()) return;
  std::vector<std::int64_t> tags;
  std::vector<const ElementBlock*> blocks;  // each with the number of its first element
  std::vector<std::size_t> first;
  for (const ElementBlock& block : model_.mesh.blocks) {
    blocks.push_back(&block);
    first.push_back(tags.size());
    tags.insert(tags.end(), block.tags.begin(), block.tags.end());
  }
  const LabelIndex elements(tags);
  for (const auto& [name, members] : element_sets_) {
    Set& set = sets_[sets_.count(name) ? name + "_elements" : name];
    set.dimension = 3;
    for (std::int64_t tag : members) {
      const std::int32_t element = elements.find(tag);
      if (element < 0) continue;  // a shell or beam
      const auto place = static_cast<std::size_t>(element);
      const auto b = std::upper_bound(first.begin(), first.end(), place) - first.begin() - 1;
      const int n = elements::n_nodes(blocks[b]->type);
      const auto nodes =
          blocks[b]->connectivity.begin() + static_cast<std::ptrdiff_t>(place - first[b]) * n;
      set.nodes.insert(set.nodes.end(), nodes, nodes + n);
    }
  }
}

imported::SolidModel ResultMesh::finish() {
  find_node(0);  // complains about nodes that are given twice
  report_missing_nodes();
  refuse_repeated_elements();
  gather_element_sets();
  file_.throw_if_any();
  const std::vector<std::int32_t> index = number_mesh_nodes();
  place_nodes(index);
  make_sets(index);
  model_.source = file_.name();
  return std::move(model_);
}

}  // namespace solidyn::formats
