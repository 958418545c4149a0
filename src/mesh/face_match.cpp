#include "mesh/face_match.h"

#include <algorithm>
#include <array>
#include <limits>

#include "mesh/exchange.h"
#include "solidyn/elements/topology.h"

namespace solidyn::mesh {
namespace {

/// A face by its three lowest corners, which no other face of a sound mesh has.
struct MatchedFace {
  std::array<std::int64_t, 3> corners;
  std::int32_t element;  // of the rank that holds it
  std::int16_t face;
  std::int16_t type;  // of the face: tri3, quad8, ...
};

/// What the meeting rank finds out about a face: who is on the other side.
struct Verdict {
  std::int32_t element;
  std::int32_t face;
  std::int64_t neighbour;  // kOuter, or a whole-mesh number
};
constexpr std::int64_t kOuter = -1;

struct Edge {
  std::int32_t element;
  std::int64_t neighbour;
};

std::array<std::int64_t, 3> lowest_corners(const elements::Face& face, const std::int64_t* nodes) {
  std::array<std::int64_t, 4> corners;
  corners.fill(std::numeric_limits<std::int64_t>::max());
  for (int i = 0; i < n_corners(face.type); ++i) corners[i] = nodes[face.nodes[i]];
  std::sort(corners.begin(), corners.end());
  return {corners[0], corners[1], corners[2]};
}

std::vector<MatchedFace> all_faces(const MeshSlices& slices) {
  std::vector<MatchedFace> result;
  std::int32_t element = 0;
  for (const ElementSlice& block : slices.blocks) {
    if (dimension(block.type) != 3) continue;
    const std::vector<elements::Face>& table = faces(block.type);
    result.reserve(result.size() + table.size() * block.size());
    for (std::int64_t e = 0; e < block.size(); ++e, ++element)
      for (std::size_t f = 0; f < table.size(); ++f)
        result.push_back({lowest_corners(table[f], &block.connectivity[e * n_nodes(block.type)]),
                          element, static_cast<std::int16_t>(f),
                          static_cast<std::int16_t>(table[f].type)});
  }
  return result;
}

/// Visits ranges of faces with the same corners.
template <class Iterator, class Corners, class Visit>
void for_each_meeting(Iterator begin, Iterator end, const Corners& corners, const Visit& visit) {
  std::sort(begin, end, [&](const auto& a, const auto& b) { return corners(a) < corners(b); });
  for (Iterator first = begin, last = begin; first != end; first = last) {
    while (last != end && corners(*last) == corners(*first)) ++last;
    visit(first, last);
  }
}

std::uint64_t hash_of(const std::array<std::int64_t, 3>& corners) {
  std::uint64_t h = 0;
  for (const std::int64_t corner : corners) {  // the mixing steps of SplitMix64
    h += static_cast<std::uint64_t>(corner) + 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebULL;
    h ^= h >> 31;
  }
  return h;
}

class Matcher {
 public:
  Matcher(MPI_Comm comm, const MeshSlices& slices) : comm_(comm), n_ranks_(base::size(comm)) {
    for (const ElementSlice& block : slices.blocks)
      if (dimension(block.type) == 3) n_elements_ += block.size();
    first_of_.assign(n_ranks_ + 1, 0);
    MPI_Allgather(&n_elements_, 1, MPI_INT64_T, first_of_.data() + 1, 1, MPI_INT64_T, comm);
    std::partial_sum(first_of_.begin(), first_of_.end(), first_of_.begin());
    match_.first_element = first_of_[base::rank(comm)];
    match_.outer.assign(n_elements_, 0);
  }

  FaceMatch match(const MeshSlices& slices) {
    meet_abroad(meet_at_home(slices));
    list_neighbours();
    match_.n_overfull = base::sum(comm_, match_.n_overfull);
    match_.n_mixed = base::sum(comm_, match_.n_mixed);
    return std::move(match_);
  }

 private:
  struct Visitor {
    MatchedFace face;
    std::int32_t rank;
  };

  /// Returns the faces whose other side is not on this rank, or that have too many sides.
  std::vector<MatchedFace> meet_at_home(const MeshSlices& slices) {
    std::vector<MatchedFace> all = all_faces(slices), left;
    for_each_meeting(
        all.begin(), all.end(), [](const MatchedFace& f) { return f.corners; },
        [&](auto first, auto last) {
          if (last - first != 2) {
            left.insert(left.end(), first, last);
            return;
          }
          if (first->type != first[1].type) ++match_.n_mixed;
          edges_.push_back({first->element, match_.first_element + first[1].element});
          edges_.push_back({first[1].element, match_.first_element + first->element});
        });
    return left;
  }

  void meet_abroad(const std::vector<MatchedFace>& faces) {
    const Mail<MatchedFace> met =
        deliver(comm_, address(faces, n_ranks_, [&](std::size_t i) {
                  return static_cast<int>(hash_of(faces[i].corners) % n_ranks_);
                }));
    std::vector<Visitor> visitors;
    visitors.reserve(met.values.size());
    for (int r = 0; r < n_ranks_; ++r)
      for (std::int64_t i = met.first[r]; i < met.first[r + 1]; ++i)
        visitors.push_back({met.values[i], r});
    std::vector<Verdict> verdicts;
    std::vector<std::int32_t> rank_of;
    const auto tell = [&](const Visitor& who, std::int64_t neighbour) {
      verdicts.push_back({who.face.element, who.face.face, neighbour});
      rank_of.push_back(who.rank);
    };
    for_each_meeting(
        visitors.begin(), visitors.end(), [](const Visitor& v) { return v.face.corners; },
        [&](auto first, auto last) {
          if (last - first == 1) tell(*first, kOuter);
          if (last - first > 2) ++match_.n_overfull;
          if (last - first != 2) return;
          if (first->face.type != first[1].face.type) ++match_.n_mixed;
          tell(*first, first_of_[first[1].rank] + first[1].face.element);
          tell(first[1], first_of_[first->rank] + first->face.element);
        });
    const Mail<Verdict> told =
        deliver(comm_, address(verdicts, n_ranks_, [&](std::size_t i) { return rank_of[i]; }));
    for (const Verdict& v : told.values) {
      if (v.neighbour == kOuter)
        match_.outer[v.element] |= static_cast<std::uint8_t>(1u << v.face);
      else
        edges_.push_back({v.element, v.neighbour});
    }
  }

  void list_neighbours() {
    match_.offsets.assign(n_elements_ + 1, 0);
    for (const Edge& edge : edges_) ++match_.offsets[edge.element + 1];
    std::partial_sum(match_.offsets.begin(), match_.offsets.end(), match_.offsets.begin());
    std::vector<std::int64_t> next(match_.offsets.begin(), match_.offsets.end() - 1);
    match_.neighbours.resize(edges_.size());
    for (const Edge& edge : edges_) match_.neighbours[next[edge.element]++] = edge.neighbour;
    for (std::int64_t e = 0; e < n_elements_; ++e)
      std::sort(match_.neighbours.begin() + match_.offsets[e],
                match_.neighbours.begin() + match_.offsets[e + 1]);
  }

  const MPI_Comm comm_;
  const int n_ranks_;
  std::int64_t n_elements_ = 0;
  std::vector<std::int64_t> first_of_;  // [n_ranks + 1] whole-mesh number of each rank's first
  std::vector<Edge> edges_;
  FaceMatch match_;
};

}  // namespace

FaceMatch match_faces(MPI_Comm comm, const MeshSlices& slices) {
  return Matcher(comm, slices).match(slices);
}

}  // namespace solidyn::mesh
