#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "mesh/exchange.h"
#include "mesh/parallel_partition.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/elements/topology.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/mesh_slices.h"

namespace solidyn::mesh {
namespace {

using Integers = std::vector<std::int64_t>;

void sort_and_unify(Integers& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

std::int64_t place_in(const Integers& sorted, std::int64_t value) {
  return std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
}

/// Elements of one type as they arrive, in the order of their places in the whole block.
struct Arrivals {
  ElementSlice elements;
  Integers place;  // in the block of the whole mesh
  std::vector<std::uint8_t> outer;
};

void sort_by_place(Arrivals& arrivals) {
  const std::size_t n = arrivals.place.size(), k = n_nodes(arrivals.elements.type);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return arrivals.place[a] < arrivals.place[b]; });
  Arrivals sorted;
  sorted.elements.type = arrivals.elements.type;
  sorted.elements.connectivity.reserve(n * k);
  for (const std::size_t e : order) {
    const auto nodes = arrivals.elements.connectivity.begin() + e * k;
    sorted.elements.connectivity.insert(sorted.elements.connectivity.end(), nodes, nodes + k);
    sorted.elements.tags.push_back(arrivals.elements.tags[e]);
    sorted.elements.regions.push_back(arrivals.elements.regions[e]);
    sorted.outer.push_back(arrivals.outer[e]);
  }
  const std::vector<std::int32_t>& regions = sorted.elements.regions;
  if (std::all_of(regions.begin(), regions.end(), [](std::int32_t r) { return r == 0; }))
    sorted.elements.regions.clear();
  arrivals = std::move(sorted);
}

/// The faces of an element that are outer ones (six bits), and its region, in one word.
std::int64_t pack_outer_and_region(std::uint8_t outer, const ElementSlice& block, std::int64_t e) {
  const std::int64_t region = block.regions.empty() ? 0 : block.regions[e];
  return region << 8 | outer;
}

/// Collective. Sends every solid to its part. Releases the slices' blocks.
/// An element travels as: block, place, tag, outer faces and region, nodes.
std::vector<Arrivals> send_elements(MPI_Comm comm, std::vector<ElementSlice>& blocks,
                                    const FaceMatch& faces, const std::vector<std::int32_t>& part) {
  const int n_ranks = base::size(comm);
  std::vector<Arrivals> arrivals(blocks.size());
  Integers words, first(n_ranks + 1, 0);
  std::vector<std::int32_t> rank_of;  // of each word
  std::size_t element = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    arrivals[b].elements.type = blocks[b].type;
    const std::int64_t n = blocks[b].size(), k = n_nodes(blocks[b].type);
    std::int64_t place = 0;
    MPI_Exscan(&n, &place, 1, MPI_INT64_T, MPI_SUM, comm);
    if (dimension(blocks[b].type) != 3) continue;
    for (std::int64_t e = 0; e < n; ++e, ++element, ++place) {
      words.insert(words.end(), {static_cast<std::int64_t>(b), place, blocks[b].tags[e],
                                 pack_outer_and_region(faces.outer[element], blocks[b], e)});
      const auto nodes = blocks[b].connectivity.begin() + e * k;
      words.insert(words.end(), nodes, nodes + k);
      rank_of.resize(words.size(), part[element]);
    }
    blocks[b] = {};
  }
  Mail<std::int64_t> sent = address(words, n_ranks, [&](std::size_t i) { return rank_of[i]; });
  words = {};
  const Mail<std::int64_t> received = deliver(comm, sent);
  for (auto at = received.values.begin(); at != received.values.end();) {
    Arrivals& to = arrivals[at[0]];
    const int k = n_nodes(to.elements.type);
    to.place.push_back(at[1]);
    to.elements.tags.push_back(at[2]);
    to.outer.push_back(static_cast<std::uint8_t>(at[3] & 0xff));
    to.elements.regions.push_back(static_cast<std::int32_t>(at[3] >> 8));
    to.elements.connectivity.insert(to.elements.connectivity.end(), at + 4, at + 4 + k);
    at += 4 + k;
  }
  for (Arrivals& a : arrivals) sort_by_place(a);
  return arrivals;
}

/// The facts about a node that its holders need: who owns it, and what the file says of it.
struct NodeFacts {
  std::int32_t owner;
  std::int64_t tag;
  double x[3];
};

/// Nodes where their slice lies: who holds each, and who of them owns it.
class NodeHome {
 public:
  NodeHome(MPI_Comm comm, const MeshSlices& slices)
      : comm_(comm),
        slices_(slices),
        n_ranks_(base::size(comm)),
        first_(slice_begin(slices.n_nodes, base::rank(comm), n_ranks_)) {}

  int home_of(std::int64_t node) const { return slice_of(node, slices_.n_nodes, n_ranks_); }

  /// Collective. @param nodes that this rank's elements use, sorted
  std::vector<NodeFacts> register_holder(const Integers& nodes, const std::string& file) {
    const auto to_home = [&](std::int64_t node) { return home_of(node); };
    std::vector<std::pair<std::int64_t, std::int32_t>> holders;
    ask<char>(comm_, nodes, to_home, [&](std::int64_t node, int rank) {
      holders.emplace_back(node - first_, rank);
      return char{0};
    });
    choose_owners(std::move(holders));
    base::run_together(comm_, [&] { refuse_loose_nodes(file); });
    return ask<NodeFacts>(comm_, nodes, to_home, [&](std::int64_t node, int) {
      const std::int64_t i = node - first_;
      const Eigen::Vector3d x = slices_.x.col(i);
      return NodeFacts{owner_[i], slices_.node_tags[i], {x.x(), x.y(), x.z()}};
    });
  }

  std::int32_t owner_of(std::int64_t node) const { return owner_[node - first_]; }

 private:
  // A hash of the node's index shares the nodes of an interface evenly, whatever their order.
  void choose_owners(std::vector<std::pair<std::int64_t, std::int32_t>> holders) {
    std::sort(holders.begin(), holders.end());
    owner_.assign(slices_.node_tags.size(), -1);
    for (auto first = holders.begin(), last = first; first != holders.end(); first = last) {
      while (last != holders.end() && last->first == first->first) ++last;
      const std::uint64_t mixed =
          (static_cast<std::uint64_t>(first->first + first_) + 1) * 0x9e3779b97f4a7c15ULL;
      owner_[first->first] = first[(mixed >> 32) % (last - first)].second;
    }
  }

  void refuse_loose_nodes(const std::string& file) const {
    const auto loose = std::find(owner_.begin(), owner_.end(), -1);
    if (loose == owner_.end()) return;
    const auto n = std::count(owner_.begin(), owner_.end(), -1);
    throw base::InputError(fmt::format("{} nodes belong to no solid element, such as node {}", n,
                                       slices_.node_tags[loose - owner_.begin()]),
                           "write the file with `solidyn convert`, which removes them",
                           {file, 0, 0});
  }

  const MPI_Comm comm_;
  const MeshSlices& slices_;
  const int n_ranks_;
  const std::int64_t first_;
  std::vector<std::int32_t> owner_;  // [slice] rank
};

/// One rank's part in the making.
class PartMaker {
 public:
  PartMaker(MPI_Comm comm, MeshSlices slices, std::string file)
      : comm_(comm), file_(std::move(file)), slices_(std::move(slices)), home_(comm, slices_) {
    out_.comm = comm;
    out_.n_global_nodes = slices_.n_nodes;
  }

  DistributedMesh make(const FaceMatch& faces, const std::vector<std::int32_t>& element_part) {
    std::vector<Arrivals> arrivals = send_elements(comm_, slices_.blocks, faces, element_part);
    list_nodes(arrivals);
    for (Arrivals& a : arrivals) take_elements(a);
    take_surface();
    for (const auto& [name, set] : slices_.sets) take_set(name, set);
    return std::move(out_);
  }

 private:
  void list_nodes(const std::vector<Arrivals>& arrivals) {
    for (const Arrivals& a : arrivals)
      nodes_.insert(nodes_.end(), a.elements.connectivity.begin(), a.elements.connectivity.end());
    sort_and_unify(nodes_);
    const std::vector<NodeFacts> facts = home_.register_holder(nodes_, file_);
    number_owned(facts);
    number_ghosts(facts);
    const std::int32_t n_local = out_.n_local();
    out_.x.resize(3, n_local);
    out_.node_tags.resize(n_local);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      out_.x.col(local_[i]) = Eigen::Map<const Eigen::Vector3d>(facts[i].x);
      out_.node_tags[local_[i]] = facts[i].tag;
    }
  }

  void number_owned(const std::vector<NodeFacts>& facts) {
    const int me = base::rank(comm_);
    local_.assign(nodes_.size(), -1);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (facts[i].owner != me) continue;
      local_[i] = static_cast<std::int32_t>(owned_.size());
      owned_.push_back(nodes_[i]);
    }
    out_.n_owned = static_cast<std::int32_t>(owned_.size());
    const std::int64_t n = out_.n_owned;
    MPI_Exscan(&n, &out_.first_owned, 1, MPI_INT64_T, MPI_SUM, comm_);
    if (me == 0) out_.first_owned = 0;
    out_.global.resize(n);
    std::iota(out_.global.begin(), out_.global.end(), out_.first_owned);
  }

  void number_ghosts(const std::vector<NodeFacts>& facts) {
    struct Ghost {
      std::int64_t node;
      std::int32_t owner;
    };
    std::vector<Ghost> ghosts;
    std::vector<std::pair<std::int64_t, std::size_t>> order;  // global number, place in nodes_
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (local_[i] >= 0) continue;
      ghosts.push_back({nodes_[i], facts[i].owner});
      order.emplace_back(0, i);
    }
    const Integers numbers = ask<std::int64_t>(
        comm_, ghosts, [](const Ghost& ghost) { return ghost.owner; },
        [&](const Ghost& ghost, int) { return out_.first_owned + place_in(owned_, ghost.node); });
    for (std::size_t i = 0; i < order.size(); ++i) order[i].first = numbers[i];
    std::sort(order.begin(), order.end());
    for (const auto& [global, i] : order) {
      local_[i] = out_.n_local();
      out_.global.push_back(global);
    }
  }

  void take_elements(Arrivals& arrivals) {
    out_.n_global_elements += base::sum(comm_, arrivals.elements.size());
    if (arrivals.elements.size() == 0) return;
    ElementBlock block{arrivals.elements.type,
                       {},
                       std::move(arrivals.elements.tags),
                       std::move(arrivals.elements.regions)};
    block.connectivity.reserve(arrivals.elements.connectivity.size());
    for (const std::int64_t node : arrivals.elements.connectivity)
      block.connectivity.push_back(local_[place_in(nodes_, node)]);
    const int n_faces = static_cast<int>(faces(block.type).size());
    for (std::int64_t e = 0; e < block.size(); ++e)
      for (int f = 0; f < n_faces; ++f)
        if (arrivals.outer[e] >> f & 1) outer_faces_.push_back({block.type, e, f});
    out_.solids.push_back(std::move(block));
    arrivals = {};
  }

  void take_surface() {
    Mesh part;
    part.blocks = std::move(out_.solids);
    out_.surface = make_face_blocks(part, outer_faces_);
    out_.solids = std::move(part.blocks);
  }

  // By way of the node's home, which knows its owner.
  void take_set(const std::string& name, const SetSlice& set) {
    const int n_ranks = base::size(comm_);
    const Mail<std::int64_t> at_home = deliver(
        comm_,
        address(set.nodes, n_ranks, [&](std::size_t i) { return home_.home_of(set.nodes[i]); }));
    const Mail<std::int64_t> here =
        deliver(comm_, address(at_home.values, n_ranks,
                               [&](std::size_t i) { return home_.owner_of(at_home.values[i]); }));
    NodeSet& part = out_.sets[name];
    part.dimension = set.dimension;
    for (const std::int64_t node : here.values)
      part.nodes.push_back(static_cast<std::int32_t>(place_in(owned_, node)));
    std::sort(part.nodes.begin(), part.nodes.end());
    part.nodes.erase(std::unique(part.nodes.begin(), part.nodes.end()), part.nodes.end());
  }

  const MPI_Comm comm_;
  const std::string file_;
  MeshSlices slices_;
  NodeHome home_;
  Integers nodes_;                   // of this rank's elements, by their number in the whole mesh
  std::vector<std::int32_t> local_;  // [nodes_.size()]
  Integers owned_;
  std::vector<BoundaryFace> outer_faces_;
  DistributedMesh out_;
};

void refuse_bad_faces(const FaceMatch& faces, const std::string& file) {
  const base::SourceLocation where{file, 0, 0};
  std::vector<base::Diagnostic> errors;
  if (faces.n_overfull)
    errors.push_back(
        {where,
         fmt::format("{} faces are shared by more than two solid elements", faces.n_overfull),
         "remove duplicate elements"});
  if (faces.n_mixed)
    errors.push_back({where,
                      fmt::format("{} faces lie between elements with and without mid-side nodes",
                                  faces.n_mixed),
                      "mesh touching volumes with the same element order"});
  if (!errors.empty()) throw base::InputError(std::move(errors));
}

FaceMatch match_sound_faces(MPI_Comm comm, const MeshSlices& slices, const std::string& file) {
  FaceMatch faces = match_faces(comm, slices);
  refuse_bad_faces(faces, file);
  if (base::sum(comm, static_cast<std::int64_t>(faces.outer.size())) == 0)
    throw base::InputError("the mesh contains no solid elements",
                           "mesh the volume, and write the file again", {file, 0, 0});
  return faces;
}

// The option that chooses where the caller leaves it open.
Partitioner ask_partitioner() {
  return base::option_choice("mesh_", "-partitioner", {"curve", "graph"}) == 1 ? Partitioner::graph
                                                                               : Partitioner::curve;
}

std::vector<std::int32_t> choose_parts(MPI_Comm comm, const MeshSlices& slices,
                                       const FaceMatch& faces, Partitioner partitioner) {
  const int n_ranks = base::size(comm);
  if (partitioner == Partitioner::best) partitioner = ask_partitioner();
  if (n_ranks == 1) return std::vector<std::int32_t>(faces.outer.size(), 0);
  return partitioner == Partitioner::graph ? partition_graph(comm, slices, faces)
                                           : partition_curve(comm, slices);
}

}  // namespace

std::int64_t slice_begin(std::int64_t n, int part, int n_parts) { return n * part / n_parts; }

int slice_of(std::int64_t i, std::int64_t n, int n_parts) {
  return static_cast<int>(((i + 1) * n_parts - 1) / n);
}

MeshSlices make_slices(const Mesh& whole) {
  MeshSlices slices;
  slices.n_nodes = whole.n_nodes();
  slices.x = whole.x;
  slices.node_tags = whole.node_tags;
  for (const ElementBlock& block : whole.blocks)
    slices.blocks.push_back({block.type,
                             {block.connectivity.begin(), block.connectivity.end()},
                             block.tags,
                             block.regions});
  for (const auto& [name, set] : whole.sets)
    slices.sets[name] = {set.dimension, {set.nodes.begin(), set.nodes.end()}};
  return slices;
}

DistributedMesh distribute(MPI_Comm comm, MeshSlices slices, const std::string& file,
                           Partitioner partitioner) {
  const FaceMatch faces = match_sound_faces(comm, slices, file);
  const std::vector<std::int32_t> parts = choose_parts(comm, slices, faces, partitioner);
  return PartMaker(comm, std::move(slices), file).make(faces, parts);
}

DistributedMesh distribute(MPI_Comm comm, MeshSlices slices, const std::string& file,
                           const std::vector<std::int32_t>& element_part) {
  const FaceMatch faces = match_sound_faces(comm, slices, file);
  return PartMaker(comm, std::move(slices), file).make(faces, element_part);
}

}  // namespace solidyn::mesh
