#include <algorithm>
#include <numeric>

#include "mesh/packet.h"
#include "mesh/partition.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::mesh {
namespace {

/// A whole mesh with its partition, the new numbering, and what each part needs of it.
struct Plan {
  Mesh mesh;
  Partition parts;
  std::vector<std::int64_t> global;                    // [n_nodes] new index of each node
  std::vector<std::int64_t> first_owned;               // [n_parts + 1]
  std::vector<std::int32_t> by_global;                 // [n_nodes] inverse of `global`
  std::vector<std::vector<std::int64_t>> elements_of;  // [n_parts] counted over all solid blocks
  std::vector<std::vector<BoundaryFace>> faces_of;     // [n_parts] outer faces
};

/// First count of each block in the numbering over all solid blocks.
std::vector<std::int64_t> first_counts(const Mesh& mesh) {
  std::vector<std::int64_t> first = {0};
  for (const ElementBlock& block : mesh.blocks)
    first.push_back(first.back() + (dimension(block.type) == 3 ? block.size() : 0));
  return first;
}

void number_nodes(int n_parts, Plan& plan) {
  const std::int64_t n = plan.mesh.n_nodes();
  plan.first_owned.assign(n_parts + 1, 0);
  for (std::int32_t part : plan.parts.node_part) ++plan.first_owned[part + 1];
  std::partial_sum(plan.first_owned.begin(), plan.first_owned.end(), plan.first_owned.begin());
  std::vector<std::int64_t> next = plan.first_owned;
  plan.global.resize(n);
  plan.by_global.resize(n);
  for (std::int64_t node = 0; node < n; ++node) {
    plan.global[node] = next[plan.parts.node_part[node]]++;
    plan.by_global[plan.global[node]] = static_cast<std::int32_t>(node);
  }
}

Plan make_plan(Mesh whole, int n_parts) {
  Plan plan;
  plan.mesh = std::move(whole);
  plan.parts = partition(plan.mesh, n_parts);
  number_nodes(n_parts, plan);
  plan.elements_of.resize(n_parts);
  for (std::size_t e = 0; e < plan.parts.element_part.size(); ++e)
    plan.elements_of[plan.parts.element_part[e]].push_back(static_cast<std::int64_t>(e));
  const std::vector<std::int64_t> first = first_counts(plan.mesh);
  plan.faces_of.resize(n_parts);
  for (const BoundaryFace& face : find_boundary_faces(plan.mesh)) {
    const std::int64_t block = plan.mesh.find_block(face.solid) - plan.mesh.blocks.data();
    plan.faces_of[plan.parts.element_part[first[block] + face.element]].push_back(face);
  }
  return plan;
}

/// One part under construction. Connectivity first holds whole-mesh nodes, then local ones.
class PartBuilder {
 public:
  PartBuilder(const Plan& plan, int part) : plan_(plan), part_(part) {
    out_.n_global_nodes = plan.mesh.n_nodes();
    out_.n_global_elements = static_cast<std::int64_t>(plan.parts.element_part.size());
    out_.first_owned = plan.first_owned[part];
    out_.n_owned = static_cast<std::int32_t>(plan.first_owned[part + 1] - out_.first_owned);
  }

  DistributedMesh build() {
    take_elements();
    out_.surface = make_face_blocks(plan_.mesh, plan_.faces_of[part_]);
    list_nodes();
    localise(out_.solids);
    localise(out_.surface);
    take_sets();
    return std::move(out_);
  }

 private:
  void take_elements() {
    const std::vector<std::int64_t> first = first_counts(plan_.mesh);
    const std::vector<std::int64_t>& mine = plan_.elements_of[part_];
    auto at = mine.begin();
    for (std::size_t b = 0; b < plan_.mesh.blocks.size(); ++b) {
      const ElementBlock& block = plan_.mesh.blocks[b];
      if (dimension(block.type) != 3) continue;
      const int n = n_nodes(block.type);
      ElementBlock part{block.type, {}, {}};
      for (; at != mine.end() && *at < first[b + 1]; ++at) {
        const std::size_t e = static_cast<std::size_t>(*at - first[b]);
        part.tags.push_back(block.tags[e]);
        if (!block.regions.empty()) part.regions.push_back(block.regions[e]);
        part.connectivity.insert(part.connectivity.end(), &block.connectivity[e * n],
                                 &block.connectivity[e * n] + n);
      }
      if (part.size()) out_.solids.push_back(std::move(part));
    }
  }

  void list_nodes() {
    const std::int64_t end_owned = out_.first_owned + out_.n_owned;
    for (std::int64_t g = out_.first_owned; g < end_owned; ++g) out_.global.push_back(g);
    std::vector<std::int64_t> ghosts;
    for (const ElementBlock& block : out_.solids)
      for (std::int32_t node : block.connectivity)
        if (plan_.parts.node_part[node] != part_) ghosts.push_back(plan_.global[node]);
    std::sort(ghosts.begin(), ghosts.end());
    ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
    out_.global.insert(out_.global.end(), ghosts.begin(), ghosts.end());
    out_.x.resize(3, out_.n_local());
    for (std::int32_t i = 0; i < out_.n_local(); ++i) {
      const std::int32_t node = plan_.by_global[out_.global[i]];
      out_.x.col(i) = plan_.mesh.x.col(node);
      out_.node_tags.push_back(plan_.mesh.node_tags[node]);
    }
  }

  std::int32_t local(std::int32_t node) const {
    const std::int64_t g = plan_.global[node];
    if (plan_.parts.node_part[node] == part_)
      return static_cast<std::int32_t>(g - out_.first_owned);
    const auto ghost = std::lower_bound(out_.global.begin() + out_.n_owned, out_.global.end(), g);
    return static_cast<std::int32_t>(ghost - out_.global.begin());
  }

  void localise(std::vector<ElementBlock>& blocks) const {
    for (ElementBlock& block : blocks)
      for (std::int32_t& node : block.connectivity) node = local(node);
  }

  void take_sets() {
    for (const auto& [name, set] : plan_.mesh.sets) {
      NodeSet& part = out_.sets[name];
      part.dimension = set.dimension;
      for (std::int32_t node : set.nodes)
        if (plan_.parts.node_part[node] == part_) part.nodes.push_back(local(node));
      std::sort(part.nodes.begin(), part.nodes.end());
    }
  }

  const Plan& plan_;
  const int part_;
  DistributedMesh out_;
};

void put_blocks(const std::vector<ElementBlock>& blocks, Packet& packet) {
  packet.put(std::vector<std::int32_t>{static_cast<std::int32_t>(blocks.size())});
  for (const ElementBlock& block : blocks) {
    packet.put(std::vector<std::int32_t>{static_cast<std::int32_t>(block.type)});
    packet.put(block.connectivity);
    packet.put(block.tags);
    packet.put(block.regions);
  }
}

std::vector<ElementBlock> get_blocks(Packet& packet) {
  std::vector<ElementBlock> blocks(packet.get<std::vector<std::int32_t>>()[0]);
  for (ElementBlock& block : blocks) {
    block.type = static_cast<ElementType>(packet.get<std::vector<std::int32_t>>()[0]);
    block.connectivity = packet.get<std::vector<std::int32_t>>();
    block.tags = packet.get<std::vector<std::int64_t>>();
    block.regions = packet.get<std::vector<std::int32_t>>();
  }
  return blocks;
}

Packet pack(const DistributedMesh& part) {
  Packet packet;
  packet.put(std::vector<std::int64_t>{part.n_global_nodes, part.n_global_elements,
                                       part.first_owned, part.n_owned});
  packet.put(std::vector<double>(part.x.data(), part.x.data() + part.x.size()));
  packet.put(part.global);
  packet.put(part.node_tags);
  put_blocks(part.solids, packet);
  put_blocks(part.surface, packet);
  packet.put(std::vector<std::int32_t>{static_cast<std::int32_t>(part.sets.size())});
  for (const auto& [name, set] : part.sets) {
    packet.put(name);
    packet.put(std::vector<std::int32_t>{set.dimension});
    packet.put(set.nodes);
  }
  return packet;
}

DistributedMesh unpack(Packet packet) {
  DistributedMesh part;
  const auto sizes = packet.get<std::vector<std::int64_t>>();
  part.n_global_nodes = sizes[0];
  part.n_global_elements = sizes[1];
  part.first_owned = sizes[2];
  part.n_owned = static_cast<std::int32_t>(sizes[3]);
  const auto x = packet.get<std::vector<double>>();
  part.x = Eigen::Map<const Eigen::Matrix3Xd>(x.data(), 3, static_cast<Eigen::Index>(x.size() / 3));
  part.global = packet.get<std::vector<std::int64_t>>();
  part.node_tags = packet.get<std::vector<std::int64_t>>();
  part.solids = get_blocks(packet);
  part.surface = get_blocks(packet);
  const std::int32_t n_sets = packet.get<std::vector<std::int32_t>>()[0];
  for (std::int32_t i = 0; i < n_sets; ++i) {
    NodeSet& set = part.sets[packet.get<std::string>()];
    set.dimension = packet.get<std::vector<std::int32_t>>()[0];
    set.nodes = packet.get<std::vector<std::int32_t>>();
  }
  return part;
}

constexpr int kTag = 7301;
constexpr std::int64_t kChunk = std::int64_t{1} << 30;  // MPI counts are 32-bit

void send(MPI_Comm comm, int to, const std::vector<char>& bytes) {
  const std::int64_t n = static_cast<std::int64_t>(bytes.size());
  MPI_Send(&n, 1, MPI_INT64_T, to, kTag, comm);
  for (std::int64_t at = 0; at < n; at += kChunk)
    MPI_Send(bytes.data() + at, static_cast<int>(std::min(kChunk, n - at)), MPI_BYTE, to, kTag,
             comm);
}

std::vector<char> receive(MPI_Comm comm) {
  std::int64_t n = 0;
  MPI_Recv(&n, 1, MPI_INT64_T, 0, kTag, comm, MPI_STATUS_IGNORE);
  std::vector<char> bytes(n);
  for (std::int64_t at = 0; at < n; at += kChunk)
    MPI_Recv(bytes.data() + at, static_cast<int>(std::min(kChunk, n - at)), MPI_BYTE, 0, kTag, comm,
             MPI_STATUS_IGNORE);
  return bytes;
}

}  // namespace

DistributedMesh distribute(MPI_Comm comm, Mesh whole) {
  const int rank = base::rank(comm), n_ranks = base::size(comm);
  Plan plan;
  base::run_together(comm, [&] {
    if (rank == 0) plan = make_plan(std::move(whole), n_ranks);
  });
  DistributedMesh mine;
  if (rank == 0) {
    for (int part = 1; part < n_ranks; ++part)
      send(comm, part, pack(PartBuilder(plan, part).build()).bytes());
    mine = PartBuilder(plan, 0).build();
  } else {
    mine = unpack(Packet(receive(comm)));
  }
  mine.comm = comm;
  return mine;
}

}  // namespace solidyn::mesh
