#include <fmt/format.h>

#include <algorithm>

#include "formats/abaqus/assembly/placement.h"
#include "formats/abaqus/deck/numbers.h"
#include "solidyn/elements/edge_order.h"
#include "solidyn/elements/topology.h"

namespace solidyn::formats::abaqus {
namespace {

constexpr int kDeepestSet = 50;

void sort_unique(std::vector<std::int32_t>& members) {
  if (!std::is_sorted(members.begin(), members.end())) std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
}

/// Overlapping ranges of one step become one, so that what a file repeats costs nothing.
std::vector<Range> merge_ranges(std::vector<Range> ranges) {
  const auto key = [](const Range& r) {
    return std::make_tuple(r.step, r.first % r.step, r.first);
  };
  std::sort(ranges.begin(), ranges.end(),
            [&key](const Range& a, const Range& b) { return key(a) < key(b); });
  std::vector<Range> merged;
  for (const Range& range : ranges) {
    const bool joins = !merged.empty() && merged.back().step == range.step &&
                       merged.back().first % range.step == range.first % range.step &&
                       range.first <= merged.back().last;
    if (joins)
      merged.back().last = std::max(merged.back().last, range.last);
    else
      merged.push_back(range);
  }
  return merged;
}

}  // namespace

/// What many sets hold together must fit the model, however few words they are given in.
void SetFinder::count(std::int64_t n_members) {
  n_members_ += n_members;
  const std::int64_t most =
      2'000'000 + 200 * (std::int64_t{placement_.n_nodes()} + placement_.n_elements());
  if (n_members_ > most)
    throw base::InputError(
        fmt::format(
            "the sets contain more than {} nodes and elements, out of proportion to the model",
            most),
        "remove sets that contain nearly everything", source_.location({0, 0}));
}

bool SetFinder::find_label(Kind kind, const std::string& item, const Placed& placed,
                           Members& members) const {
  Label label = 0;
  if (!parse_number(item, label)) return false;
  const bool is_node = kind == Kind::node;
  const std::int32_t at = (is_node ? placed.nodes : placed.elements).find(label);
  if (at >= 0) members.assign(1, at + (is_node ? placed.first_node : placed.first_element));
  return at >= 0;
}

SetFinder::Found SetFinder::find_set(Kind kind, const std::string& item,
                                     const Placed& placed) const {
  Found found;
  const std::string name = abaqus_fold(item);
  for (std::size_t s = 0; s < placed.scopes.size(); ++s) {
    const SetDefinitions& sets =
        kind == Kind::node ? placed.scopes[s]->node_sets : placed.scopes[s]->element_sets;
    const auto set = sets.find(name);
    if (set != sets.end()) found.definitions[s] = &set->second;
  }
  if (found.definitions[0] || found.definitions[1]) found.placed = &placed;
  return found;
}

const SetFinder::Members& SetFinder::find(Kind kind, const std::string& item,
                                          const Context& context) {
  const Placed* placed = context.placed;
  std::string name = item;
  single_.clear();
  Found set = find_set(kind, item, *placed);
  if (!set.placed && find_label(kind, item, *placed, single_)) return single_;
  // From the assembly `instance.name`; instances and sets may have points in their names.
  for (std::size_t dot = item.find('.'); !set.placed && dot != std::string::npos;
       dot = item.find('.', dot + 1)) {
    placed = placement_.find_instance(item.substr(0, dot));
    if (!placed) continue;
    name = item.substr(dot + 1);
    set = find_set(kind, name, *placed);
    if (!set.placed && find_label(kind, name, *placed, single_)) return single_;
  }
  if (!set.placed) {
    complain(context,
             fmt::format("there is no {} or {} set `{}`", kind == Kind::node ? "node" : "element",
                         kind == Kind::node ? "node" : "element", item.substr(0, 80)),
             "check the name; in an assembly write `instance.name`");
    return single_;
  }
  const auto [entry, is_new] = entries_[kind == Kind::node ? 0 : 1].emplace(
      std::make_pair(set.placed, abaqus_fold(name)), Entry{});
  if (entry->second.is_open || depth_ > kDeepestSet) {
    complain(context,
             fmt::format("the set `{}` contains itself, or sets are nested too deeply", item),
             "list its members explicitly");
    return single_;
  }
  if (is_new) {
    entry->second.is_open = true;
    ++depth_;
    Members members;
    resolve(kind, set, members);
    --depth_;
    count(static_cast<std::int64_t>(members.size()));
    entry->second = {std::move(members), false};
  }
  return entry->second.members;
}

void SetFinder::resolve(Kind kind, const Found& set, Members& members) {
  for (std::size_t s = 0; s < 2; ++s) {
    if (!set.definitions[s]) continue;
    // Positions of the instance's own nodes and elements come after those of its part.
    const Scope* before = s == 1 ? set.placed->scopes[0] : nullptr;
    const std::int32_t shift =
        kind == Kind::node ? set.placed->first_node +
                                 static_cast<std::int32_t>(before ? before->node_labels.size() : 0)
                           : set.placed->first_element +
                                 static_cast<std::int32_t>(before ? before->n_elements : 0);
    for (const SetPiece& piece : set.definitions[s]->pieces) {
      for (const auto& [from, to] : piece.indices)
        for (std::size_t i = from; i < to; ++i)
          members.push_back(shift + static_cast<std::int32_t>(i));
      add_piece(kind, piece, *set.placed, members);
    }
  }
  sort_unique(members);
}

void SetFinder::add_piece(Kind kind, const SetPiece& piece, const Placed& placed,
                          Members& members) {
  const Context context{&placed, piece.place};
  const Placed* owner = &placed;
  if (!piece.instance.empty()) owner = placement_.find_instance(piece.instance);
  if (!owner)
    return complain(context, fmt::format("there is no instance `{}`", piece.instance),
                    "check the name");
  add_labels(kind, piece, *owner, members);
  std::vector<std::string> names = piece.names;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) {
    const Members others = find(kind, name, {owner, piece.place});
    members.insert(members.end(), others.begin(), others.end());
  }
  if (piece.elements_of.empty()) return;
  const Members nodes = nodes_of(find(Kind::element, piece.elements_of, {owner, piece.place}));
  members.insert(members.end(), nodes.begin(), nodes.end());
}

void SetFinder::add_labels(Kind kind, const SetPiece& piece, const Placed& placed,
                           Members& members) {
  const AbaqusLabels& index = kind == Kind::node ? placed.nodes : placed.elements;
  const std::int32_t first = kind == Kind::node ? placed.first_node : placed.first_element;
  std::vector<Label> missing;
  const std::size_t before = members.size();
  for (Label label : piece.labels) {
    const std::int32_t at = index.find(label);
    if (at >= 0)
      members.push_back(at);
    else
      missing.push_back(label);
  }
  for (const Range& range : merge_ranges(piece.ranges))
    count(index.append_range(range.first, range.last, range.step, members));
  for (auto member = members.begin() + static_cast<std::ptrdiff_t>(before); member != members.end();
       ++member)
    *member += first;
  if (missing.empty()) return;
  const std::size_t n = missing.size();
  missing.resize(std::min<std::size_t>(n, 10));
  complain({&placed, piece.place},
           fmt::format("the set contains {} {}s that are not defined in the file: {}{}", n,
                       kind == Kind::node ? "node" : "element", fmt::join(missing, ", "),
                       n > 10 ? ", ..." : ""),
           "check the labels, or the INSTANCE to which they belong");
}

SetFinder::Members SetFinder::nodes_of(const Members& elements) const {
  Members nodes;
  for (std::int32_t element : elements) {
    const PlacedBlock& block = placement_.block_of(element);
    for (int i = 0; i < block.block->type.n_nodes; ++i) {
      const std::int32_t node = placement_.node_of(block, element - block.first_element, i);
      if (node >= 0) nodes.push_back(node);
    }
  }
  sort_unique(nodes);
  return nodes;
}

const SurfaceDefinition* SetFinder::find_surface(const std::string& name, Context& context) const {
  const auto look_up = [](const Placed& placed,
                          const std::string& key) -> const SurfaceDefinition* {
    for (const Scope* scope : placed.scopes) {
      const auto found = scope->surfaces.find(abaqus_fold(key));
      if (found != scope->surfaces.end()) return &found->second;
    }
    return nullptr;
  };
  if (const SurfaceDefinition* surface = look_up(*context.placed, name)) return surface;
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const Placed* placed = placement_.find_instance(name.substr(0, dot));
    const SurfaceDefinition* surface = placed ? look_up(*placed, name.substr(dot + 1)) : nullptr;
    if (!surface) continue;
    context.placed = placed;
    return surface;
  }
  complain(context, fmt::format("there is no surface `{}`", name.substr(0, 80)), "check the name");
  return nullptr;
}

SetFinder::Members SetFinder::surface_nodes(const SurfaceDefinition& surface,
                                            const Context& context) {
  Members nodes;
  for (const SurfaceItem& item : surface.items) {
    const Context at{context.placed, item.place};
    const Members members = find(surface.is_of_nodes ? Kind::node : Kind::element, item.what, at);
    if (surface.is_of_nodes)
      nodes.insert(nodes.end(), members.begin(), members.end());
    else
      for (std::int32_t element : members)
        if (!add_face(element, item, at, nodes)) break;
  }
  sort_unique(nodes);
  count(static_cast<std::int64_t>(nodes.size()));
  return nodes;
}

bool SetFinder::add_face(std::int32_t element, const SurfaceItem& item, const Context& context,
                         Members& nodes) {
  const PlacedBlock& block = placement_.block_of(element);
  const AbaqusType& type = block.block->type;
  if (!type.shape) {  // both sides of a shell hold all its nodes
    const Members all = nodes_of({element});
    nodes.insert(nodes.end(), all.begin(), all.end());
    return true;
  }
  const std::optional<int> face = find_abaqus_face(*type.shape, item.face);
  if (!face) {
    complain(context, fmt::format("element type {} has no face `{}`", type.name, item.face),
             "name the face: S1, S2, ...");
    return false;
  }
  const elements::Face& ours = elements::faces(*type.shape)[static_cast<std::size_t>(*face)];
  const std::vector<int>& order = elements::around_order(*type.shape);
  for (int i = 0; i < elements::n_nodes(ours.type); ++i) {
    const std::int32_t node =
        placement_.node_of(block, element - block.first_element, order[ours.nodes[i]]);
    if (node >= 0) nodes.push_back(node);
  }
  return true;
}

}  // namespace solidyn::formats::abaqus
