#include "formats/nastran/bulk/solids.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "solidyn/elements/topology.h"

namespace solidyn::formats {

using elements::ElementType;

namespace {

constexpr std::size_t kFirstMissing = 10;  // named in a message

using Edges = std::vector<std::array<int, 2>>;

/// Edges in the order of Nastran's mid-side grids, by corners.
const Edges& nastran_edges(ElementType linear) {
  static const Edges tet = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  static const Edges hex = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 5},
                            {2, 6}, {3, 7}, {4, 5}, {5, 6}, {6, 7}, {4, 7}};
  static const Edges wedge = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 4},
                              {2, 5}, {3, 4}, {4, 5}, {3, 5}};
  static const Edges pyramid = {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
  switch (linear) {
    case ElementType::tet4:
      return tet;
    case ElementType::hex8:
      return hex;
    case ElementType::wedge6:
      return wedge;
    default:
      return pyramid;
  }
}

std::vector<int> make_order(ElementType solid) {
  std::vector<int> order(elements::n_nodes(solid));
  const int n_corners = elements::n_corners(solid);
  const Edges& theirs = nastran_edges(elements::linear_of(solid));
  const auto& ours = elements::edges(solid);
  for (int i = 0; i < n_corners; ++i) order[i] = i;
  for (std::size_t i = n_corners; i < order.size(); ++i) {
    std::array<int, 2> edge = ours[i - n_corners];
    std::sort(edge.begin(), edge.end());
    order[i] = n_corners +
               static_cast<int>(std::find(theirs.begin(), theirs.end(), edge) - theirs.begin());
  }
  return order;
}

std::optional<ElementType> linear_type(std::uint64_t key) {
  switch (key) {
    case card_key("CTETRA"):
      return ElementType::tet4;
    case card_key("CPENTA"):
      return ElementType::wedge6;
    case card_key("CHEXA"):
      return ElementType::hex8;
    case card_key("CPYRAM"):
    case card_key("CPYRA"):
      return ElementType::pyramid5;
    default:
      return {};
  }
}

/// Fields 3.. that hold a grid; blank and 0 are none. Throws unless all or no mid-sides are there.
ElementType full_type(const NastranCard& card, ElementType linear) {
  const ElementType quadratic = elements::quadratic_of(linear);
  const int n_corners = elements::n_nodes(linear), n_all = elements::n_nodes(quadratic);
  int n_mid = 0;
  for (int i = n_corners; i < n_all; ++i) n_mid += card.integer(3 + i, 0) != 0;
  if (card.n_fields() > 2 + n_all)
    card.fail(fmt::format("more than {} grids", n_all), "check the continuations of the entry");
  if (n_mid == 0) return linear;
  if (n_mid == n_all - n_corners) return quadratic;
  card.fail(fmt::format("element {} has only {} of its {} mid-side grids", card.label(1), n_mid,
                        n_all - n_corners),
            "give all of them or none (is a continuation missing?)");
}

double corner_volume(const NastranGrids& grids, const std::int32_t* nodes) {
  const Eigen::Vector3d x = grids.x(nodes[0]);
  return (grids.x(nodes[1]) - x).cross(grids.x(nodes[2]) - x).dot(grids.x(nodes[3]) - x);
}

}  // namespace

const std::vector<int>& nastran_order(ElementType solid) {
  static const std::map<ElementType, std::vector<int>> orders = [] {
    std::map<ElementType, std::vector<int>> all;
    for (const ElementType linear :
         {ElementType::tet4, ElementType::hex8, ElementType::wedge6, ElementType::pyramid5}) {
      all[linear] = make_order(linear);
      all[elements::quadratic_of(linear)] = make_order(elements::quadratic_of(linear));
    }
    return all;
  }();
  return orders.at(solid);
}

bool NastranSolids::is_solid(std::uint64_t key) { return linear_type(key).has_value(); }

const char* NastranSolids::card_name(ElementType type) { return elements::traits(type).nastran; }

std::size_t NastranSolids::block_of(ElementType type) {
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    if (blocks_[i].type == type) return i;
  blocks_.push_back({type, {}, {}});
  serials_.emplace_back();
  return blocks_.size() - 1;
}

void NastranSolids::add(const NastranCard& card) {
  const ElementType type = full_type(card, *linear_type(card.key()));
  const std::int32_t tag = card.label(1), property = card.label(2, tag);
  std::array<std::int32_t, 20> grids{};
  const int n = elements::n_nodes(type);
  for (int i = 0; i < n; ++i) grids[i] = card.label(3 + i);
  const std::size_t at = block_of(type);
  mesh::ElementBlock& block = blocks_[at];
  for (const int i : nastran_order(type)) block.connectivity.push_back(grids[i]);
  block.tags.push_back(tag);
  block.regions.push_back(property);
  serials_[at].push_back(card.serial());
}

void NastranSolids::connect(const NastranGrids& grids, const LineNumbers& lines,
                            Complaints& complaints, imported::ImportReport& report) {
  drop_repeated(lines, complaints, report);
  std::vector<std::string> missing;
  std::int64_t n_missing = 0;
  base::SourceLocation first;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    mesh::ElementBlock& block = blocks_[b];
    const int n = elements::n_nodes(block.type);
    for (std::size_t i = 0; i < block.connectivity.size(); ++i) {
      const std::int32_t tag = block.connectivity[i];
      block.connectivity[i] = grids.find(tag);
      if (block.connectivity[i] >= 0) continue;
      if (n_missing++ == 0) first = lines.where(serials_[b][i / n]);
      if (missing.size() < kFirstMissing)
        missing.push_back(
            fmt::format("{} {}: grid {}", card_name(block.type), block.tags[i / n], tag));
    }
  }
  if (n_missing)
    complaints.add({first,
                    fmt::format("elements use grids that are not defined in the deck: {}{}",
                                fmt::join(missing, ", "), n_missing > 10 ? ", .." : ""),
                    fmt::format("add the GRID entries ({} references)", n_missing)});
  complaints.throw_if_any();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const mesh::ElementBlock& block = blocks_[b];
    const int n = elements::n_nodes(block.type);
    std::array<std::int32_t, 20> nodes{};
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const auto end = std::copy_n(block.connectivity.begin() + e * n, n, nodes.begin());
      std::sort(nodes.begin(), end);
      const auto twice = std::adjacent_find(nodes.begin(), end);
      if (twice != end)
        complaints.add(
            {lines.where(serials_[b][e]),
             fmt::format("{} {} has grid {} twice", card_name(block.type), block.tags[e],
                         grids.tags()[*twice]),
             "collapsed elements are not supported: use the element type of the collapsed shape"});
    }
  }
}

void NastranSolids::drop_repeated(const LineNumbers& lines, Complaints& complaints,
                                  imported::ImportReport& report) {
  struct Place {
    std::size_t block;
    std::int64_t element;
  };
  std::vector<std::int64_t> tags;
  std::vector<std::int64_t> starts;  // of the blocks in tags
  for (const mesh::ElementBlock& block : blocks_) {
    starts.push_back(static_cast<std::int64_t>(tags.size()));
    tags.insert(tags.end(), block.tags.begin(), block.tags.end());
  }
  const LabelIndex index(tags);
  if (index.repeated().empty()) return;
  const auto place = [&](std::int64_t i) {
    const auto after = std::upper_bound(starts.begin(), starts.end(), i);
    const auto block = static_cast<std::size_t>(after - starts.begin() - 1);
    return Place{block, i - starts[block]};
  };
  std::vector<std::vector<bool>> is_dropped;
  for (const mesh::ElementBlock& block : blocks_) is_dropped.emplace_back(block.tags.size(), false);
  for (const std::int32_t i : index.repeated()) {
    const Place a = place(index.find(tags[i])), b = place(i);
    const mesh::ElementBlock &one = blocks_[a.block], &other = blocks_[b.block];
    const int n = elements::n_nodes(one.type);
    const bool are_alike = a.block == b.block && one.regions[a.element] == one.regions[b.element] &&
                           std::equal(one.connectivity.begin() + a.element * n,
                                      one.connectivity.begin() + (a.element + 1) * n,
                                      one.connectivity.begin() + b.element * n);
    if (!are_alike)
      complaints.add({lines.where(serials_[b.block][b.element]),
                      fmt::format("{} {} is defined twice with different data (first in line {})",
                                  card_name(other.type), tags[i],
                                  lines.where(serials_[a.block][a.element]).line),
                      "use unique element numbers"});
    is_dropped[b.block][b.element] = true;
  }
  const Place first = place(index.repeated().front());
  report.warnings.push_back(
      {lines.where(serials_[first.block][first.element]),
       fmt::format("{} elements are defined twice, identically", index.repeated().size()), ""});
  for (std::size_t b = 0; b < blocks_.size(); ++b) drop(b, is_dropped[b]);
}

void NastranSolids::drop(std::size_t at, const std::vector<bool>& is_dropped) {
  mesh::ElementBlock& block = blocks_[at];
  const int n = elements::n_nodes(block.type);
  std::size_t kept = 0;
  for (std::size_t e = 0; e < is_dropped.size(); ++e) {
    if (is_dropped[e]) continue;
    std::copy_n(block.connectivity.begin() + e * n, n, block.connectivity.begin() + kept * n);
    block.tags[kept] = block.tags[e];
    block.regions[kept] = block.regions[e];
    serials_[at][kept++] = serials_[at][e];
  }
  block.connectivity.resize(kept * n);
  block.tags.resize(kept);
  block.regions.resize(kept);
  serials_[at].resize(kept);
}

void NastranSolids::turn_tetrahedra(const NastranGrids& grids, const LineNumbers& lines,
                                    imported::ImportReport& report) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    mesh::ElementBlock& block = blocks_[b];
    if (elements::linear_of(block.type) != ElementType::tet4) continue;
    const int n = elements::n_nodes(block.type);
    std::int64_t n_turned = 0, first = 0;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      std::int32_t* nodes = block.connectivity.data() + e * n;
      if (corner_volume(grids, nodes) >= 0.0) continue;
      std::swap(nodes[1], nodes[2]);  // with their mid-sides, mesh/topology.h
      if (n == 10) {
        std::swap(nodes[4], nodes[6]);
        std::swap(nodes[8], nodes[9]);
      }
      if (n_turned++ == 0) first = e;
    }
    if (n_turned)
      report.warnings.push_back(
          {lines.where(serials_[b][first]),
           fmt::format(
               "{} of {} CTETRA with {} grids were left-handed and have been reordered (first: {})",
               n_turned, block.size(), n, block.tags[first]),
           ""});
  }
}

}  // namespace solidyn::formats
