#include "formats/abaqus/assembly/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace solidyn::formats::abaqus {
namespace {

std::vector<Label> gather_node_labels(const Placed& placed) {
  std::vector<Label> labels;
  for (const Scope* scope : placed.scopes)
    labels.insert(labels.end(), scope->node_labels.begin(), scope->node_labels.end());
  return labels;
}

std::vector<Label> gather_element_labels(const Placed& placed) {
  std::vector<Label> labels;
  for (const Scope* scope : placed.scopes) {
    labels.reserve(labels.size() + scope->n_elements);
    for (const Elements& block : scope->elements)
      labels.insert(labels.end(), block.labels.begin(), block.labels.end());
  }
  return labels;
}

struct Size {
  double nodes = 0.0, items = 0.0;
};
Size size_of(const Scope& scope) {
  Size size;
  size.nodes = static_cast<double>(scope.node_labels.size());
  for (const Elements& block : scope.elements)
    size.items += static_cast<double>(block.nodes.size());
  return size;
}

}  // namespace

Placement::Placement(const Deck& deck, const AbaqusSource& source, AbaqusComplaints& complaints)
    : complaints_(complaints),
      file_(source.location({0, 0}).file),
      assembly_(abaqus_fold(deck.assembly)) {
  require_size(deck, source.n_bytes());
  placed_.reserve(deck.instances.size() + 1);
  for (const Instance& instance : deck.instances) {
    Placed placed;
    placed.name = instance.scope.name;
    placed.pose = instance.place_part;
    const auto part = deck.parts.find(abaqus_fold(instance.part));
    if (part != deck.parts.end()) placed.scopes.push_back(&part->second);
    if (part == deck.parts.end() && !instance.part.empty())
      complaints.add(
          source.location(instance.place),
          fmt::format("instance `{}` refers to part `{}`, which is not defined in the file",
                      instance.scope.name, instance.part),
          "check the part's name");
    placed.scopes.push_back(&instance.scope);
    if (!instances_.emplace(abaqus_fold(placed.name), placed_.size()).second)
      complaints.add(source.location(instance.place),
                     fmt::format("the instance `{}` is defined twice", placed.name),
                     "rename one of them");
    place(std::move(placed));
  }
  Placed root;
  root.scopes.push_back(&deck.root);
  place(std::move(root));
  make_tags();
}

/// A few lines can place a large part many times: what comes of it must fit the file's own size.
void Placement::require_size(const Deck& deck, std::size_t n_bytes) const {
  Size total = size_of(deck.root);
  for (const Instance& instance : deck.instances) {
    const auto part = deck.parts.find(abaqus_fold(instance.part));
    for (const Scope* scope :
         {&instance.scope, part == deck.parts.end() ? nullptr : &part->second}) {
      const Size size = scope ? size_of(*scope) : Size{};
      total.nodes += size.nodes;
      total.items += size.items;
    }
  }
  const double most_items = 1e7 + 30.0 * static_cast<double>(n_bytes);
  if (total.nodes > INT32_MAX / 2 || total.items + total.nodes > most_items)
    throw base::InputError(
        fmt::format(
            "the instances create {:.3g} nodes and {:.3g} element entries, out of proportion to the file",
            total.nodes, total.items),
        "split the model", {file_, 0, 0});
}

void Placement::place(Placed placed) {
  place_nodes(placed);
  place_elements(placed);
  placed_.push_back(std::move(placed));
}

void Placement::require_once(const AbaqusLabels& index, const std::vector<Label>& labels,
                             const char* what, const Placed& placed,
                             const std::function<bool(std::int32_t)>& is_same) {
  std::vector<Label> different;
  for (std::int32_t position : index.repeated())
    if (!is_same(position)) different.push_back(labels[position]);
  if (different.empty()) return;
  const std::size_t n = different.size();
  different.resize(std::min<std::size_t>(n, 10));
  complaints_.add({file_, 0, 0},
                  fmt::format("{} {} labels are defined twice{}: {}{}", n, what,
                              placed.name.empty() ? "" : " in instance " + placed.name,
                              fmt::join(different, ", "), n > 10 ? ", ..." : ""),
                  "use unique labels");
}

void Placement::place_nodes(Placed& placed) {
  std::vector<double>& x = coordinates_;
  const std::vector<Label> labels = gather_node_labels(placed);
  placed.nodes = AbaqusLabels(labels);
  placed.first_node = static_cast<std::int32_t>(x.size() / 3);
  placed.n_nodes = static_cast<std::int32_t>(labels.size());
  x.reserve(x.size() + 3 * labels.size());
  for (const Scope* scope : placed.scopes)
    for (std::size_t i = 0; i < scope->x.size(); i += 3) {
      const Eigen::Vector3d at =
          placed.pose * Eigen::Vector3d(scope->x[i], scope->x[i + 1], scope->x[i + 2]);
      x.insert(x.end(), at.data(), at.data() + 3);
    }
  const double* first = x.data() + 3 * std::size_t(placed.first_node);
  require_once(placed.nodes, labels, "node", placed, [&](std::int32_t position) {
    const std::int32_t other = placed.nodes.find(labels[position]);
    return std::equal(first + 3 * std::size_t(position), first + 3 * std::size_t(position) + 3,
                      first + 3 * std::size_t(other));
  });
  node_tags_.insert(node_tags_.end(), labels.begin(), labels.end());
}

void Placement::place_elements(Placed& placed) {
  const std::vector<Label> labels = gather_element_labels(placed);
  placed.elements = AbaqusLabels(labels);
  placed.first_element = static_cast<std::int32_t>(n_elements_);
  placed.n_elements = static_cast<std::int32_t>(labels.size());
  require_once(placed.elements, labels, "element", placed, [](std::int32_t) { return false; });
  for (const Scope* scope : placed.scopes)
    for (const Elements& block : scope->elements) {
      blocks_.push_back({&block, static_cast<std::int32_t>(placed_.size()),
                         static_cast<std::int32_t>(n_elements_), 0});
      n_elements_ += static_cast<std::int64_t>(block.labels.size());
    }
  element_tags_.insert(element_tags_.end(), labels.begin(), labels.end());
}

/// Tags are labels as long as no two parts share one.
void Placement::make_tags() {
  std::int64_t last_node = 0, last_element = 0;
  const auto shift = [](std::vector<std::int64_t>& tags, std::int32_t first, std::int32_t n,
                        std::int64_t& last) -> std::int64_t {
    if (n == 0) return 0;
    const auto begin = tags.begin() + first, end = begin + n;
    const auto [low, high] = std::minmax_element(begin, end);
    const std::int64_t by = *low > last ? 0 : last;
    last = *high + by;
    for (auto tag = begin; by > 0 && tag != end; ++tag) *tag += by;
    return by;
  };
  for (const Placed& placed : placed_) {
    const std::int64_t nodes = shift(node_tags_, placed.first_node, placed.n_nodes, last_node);
    const std::int64_t elements =
        shift(element_tags_, placed.first_element, placed.n_elements, last_element);
    if (nodes > 0 || elements > 0)
      shifts_.push_back(fmt::format("{}: nodes by {}, elements by {}",
                                    placed.name.empty() ? "the assembly" : placed.name, nodes,
                                    elements));
  }
}

const PlacedBlock& Placement::block_of(std::int32_t element) const {
  const auto after = std::upper_bound(
      blocks_.begin(), blocks_.end(), element,
      [](std::int32_t e, const PlacedBlock& block) { return e < block.first_element; });
  return *std::prev(after);
}

const Placed* Placement::find_instance(const std::string& name) const {
  const auto found = instances_.find(abaqus_fold(name));
  if (found != instances_.end()) return &placed_[found->second];
  const bool is_assembly = abaqus_fold(name) == "ASSEMBLY" || abaqus_fold(name) == assembly_;
  return is_assembly ? &placed_.back() : nullptr;  // what stands outside of instances comes last
}

}  // namespace solidyn::formats::abaqus
