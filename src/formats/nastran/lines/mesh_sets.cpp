#include "formats/nastran/lines/mesh_sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::formats {

namespace {

/// Positions of labels, and the labels in rising order.
struct Sorted {
  LabelIndex index;
  std::vector<std::int64_t> labels;
  explicit Sorted(const std::vector<std::int64_t>& unsorted) : index(unsorted), labels(unsorted) {
    std::sort(labels.begin(), labels.end());
  }
};

std::vector<std::int64_t> element_tags(const mesh::Mesh& mesh) {
  std::vector<std::int64_t> tags;
  for (const mesh::ElementBlock& block : mesh.blocks)
    tags.insert(tags.end(), block.tags.begin(), block.tags.end());
  return tags;
}

void make_unique(std::vector<std::int32_t>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

class SetMaker {
 public:
  explicit SetMaker(imported::SolidModel& model)
      : model_(model),
        nodes_(model.mesh.node_tags),
        elements_(element_tags(model.mesh)),
        // sets overlap in earnest decks, but not each with all; a short line can name all grids
        n_left_(200 * (model.mesh.n_nodes() + 5000)) {}

  void add(const NastranSets::Set& set) {
    const std::vector<std::int64_t> as_nodes = among(set, nodes_, NastranSets::Kind::elements);
    const std::vector<std::int64_t> as_elements = among(set, elements_, NastranSets::Kind::grids);
    mesh::NodeSet result;
    if (as_elements.size() > as_nodes.size()) {
      result.dimension = 3;
      for (const std::int64_t tag : as_elements) append(elements_.index.find(tag), result.nodes);
    } else {
      for (const std::int64_t tag : as_nodes) result.nodes.push_back(nodes_.index.find(tag));
    }
    make_unique(result.nodes);
    if (result.nodes.empty())
      ++model_.report.skipped[set.card + " without nodes of solids"];
    else
      model_.mesh.sets[set.name] = std::move(result);
  }

 private:
  std::vector<std::int64_t> among(const NastranSets::Set& set, const Sorted& sorted,
                                  NastranSets::Kind excluded) {
    if (set.kind == excluded) return {};
    std::vector<std::int64_t> found = set.ids.among(sorted.labels);
    n_left_ -= static_cast<std::int64_t>(found.size());
    if (n_left_ < 0)
      throw base::InputError("the sets have more than 200 times as many members as the deck grids",
                             "remove sets that are not needed", set.where);
    return found;
  }

  void append(std::int32_t element, std::vector<std::int32_t>& nodes) const {
    for (const mesh::ElementBlock& block : model_.mesh.blocks) {
      if (element < block.size()) {
        const int n = elements::n_nodes(block.type);
        const auto first = block.connectivity.begin() + static_cast<std::ptrdiff_t>(element) * n;
        nodes.insert(nodes.end(), first, first + n);
        return;
      }
      element -= static_cast<std::int32_t>(block.size());
    }
  }

  imported::SolidModel& model_;
  Sorted nodes_, elements_;
  std::int64_t n_left_;
};

/// Elements in the order of their properties, so that each property's come together.
std::vector<std::int32_t> by_property(const mesh::ElementBlock& block) {
  std::vector<std::int32_t> order(block.regions.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = static_cast<std::int32_t>(e);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return block.regions[a] < block.regions[b];
  });
  return order;
}

}  // namespace

void add_property_sets(mesh::Mesh& mesh) {
  for (const mesh::ElementBlock& block : mesh.blocks) {
    const int n = elements::n_nodes(block.type);
    std::vector<std::int32_t> property_of_node(mesh.n_nodes(), 0);  // the last that had it
    mesh::NodeSet* set = nullptr;
    std::int32_t pid = 0;
    const bool is_one = std::adjacent_find(block.regions.begin(), block.regions.end(),
                                           std::not_equal_to<>()) == block.regions.end();
    const std::vector<std::int32_t> order =
        is_one ? std::vector<std::int32_t>() : by_property(block);
    for (std::int64_t i = 0; i < block.size(); ++i) {
      const std::int64_t e = is_one ? i : order[i];
      if (block.regions[e] != pid) {
        pid = block.regions[e];
        set = &mesh.sets[fmt::format("PSOLID {}", pid)];
        set->dimension = 3;
      }
      for (int k = 0; k < n; ++k) {
        const std::int32_t node = block.connectivity[e * n + k];
        if (property_of_node[node] == pid) continue;
        property_of_node[node] = pid;
        set->nodes.push_back(node);
      }
    }
  }
  for (auto& [name, set] : mesh.sets) make_unique(set.nodes);
}

void add_listed_sets(const std::vector<NastranSets::Set>& sets, imported::SolidModel& model) {
  if (sets.empty()) return;
  SetMaker maker(model);
  for (const NastranSets::Set& set : sets) maker.add(set);
}

void apply_names(const std::vector<NastranDeck::Named>& names, imported::SolidModel& model) {
  std::map<std::string, std::string> new_names;
  for (const NastranDeck::Named& named : names) {
    const int dimension = named.card == "FACESET" ? 2 : named.card == "EDGESET" ? 1 : 0;
    const std::string name = fmt::format("{} {}", dimension ? "SET" : named.card, named.id);
    new_names.emplace(name, named.name);
    const auto set = model.mesh.sets.find(name);
    if (dimension && set != model.mesh.sets.end()) set->second.dimension = dimension;
  }
  if (new_names.empty()) return;
  const auto rename = [&](std::string& name) {
    const auto found = new_names.find(name);
    if (found != new_names.end()) name = found->second;
  };
  for (imported::Material& material : model.materials) rename(material.name);
  for (imported::Region& region : model.regions) rename(region.name);
  for (imported::PointMass& mass : model.masses) rename(mass.name);
  for (imported::RigidElement& element : model.rigid_elements) rename(element.name);
  std::map<std::string, mesh::NodeSet> sets;
  for (auto& [name, set] : model.mesh.sets) {
    std::string new_name = name;
    rename(new_name);
    if (!sets.emplace(new_name, set).second) sets[name] = std::move(set);
  }
  model.mesh.sets = std::move(sets);
}

}  // namespace solidyn::formats
