#include "recursive/closure_order.h"

#include <algorithm>
#include <map>
#include <set>

namespace solidyn::recursive {
namespace {

constexpr int kNowhere =
    -2;  // where rows that are looked at end: behind no hinge, not on the ground

// A sorted list with another merged into it.
void merge(std::vector<int>& list, const std::vector<int>& other) {
  std::vector<int> all;
  all.reserve(list.size() + other.size());
  std::set_union(list.begin(), list.end(), other.begin(), other.end(), std::back_inserter(all));
  list = std::move(all);
}

void erase(std::vector<int>& list, int value) {
  const auto at = std::lower_bound(list.begin(), list.end(), value);
  if (at != list.end() && *at == value) list.erase(at);
}

}  // namespace

ClosureOrder::ClosureOrder(const std::vector<Link>& links, const std::vector<Closure>& closures)
    : through_(links.size()),
      pairs_(links.size()),
      ends_(links.size() + 1),
      place_(closures.size()),
      ending_(links.size() + 1) {
  const int n = static_cast<int>(closures.size());
  // Parents come first: the last of the links on the way is not on the way of any other.
  for (int c = 0; c < n; ++c) {
    std::set<int> ways(closures[c].links.begin(), closures[c].links.end());
    int link = ways.empty() ? -1 : *ways.rbegin();
    while (link >= 0) {
      through_[link].push_back(c);
      if (ways.size() == 1 && !closures[c].sees_ground && !closures[c].is_looked_at) break;
      ways.erase(link);
      ways.insert(links[link].parent);
      link = *ways.rbegin();
    }
    end_of_.push_back(closures[c].is_looked_at ? kNowhere : link);
    if (!closures[c].is_looked_at) ending_[link + 1].push_back(c);
  }
  // The motion of a hinge or of modes moves all rows that go through.
  std::vector<std::vector<int>> neighbours(n);
  for (const std::vector<int>& here : through_)
    for (const int c : here) merge(neighbours[c], here);
  for (int link = static_cast<int>(links.size()); link-- > -1;) find_groups(link, neighbours);
  for (int c = 0; c < n; ++c)
    if (closures[c].is_looked_at) place_[c] = n_placed_++;

  std::map<std::pair<int, int>, int> block_of;
  const auto blocks = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
    std::vector<int> all;
    for (const int i : rows)
      for (const int j : columns) {
        const std::pair<int, int> pair = is_before(j, i) ? std::pair(j, i) : std::pair(i, j);
        const auto [at, is_new] = block_of.try_emplace(pair, static_cast<int>(blocks_.size()));
        if (is_new) blocks_.push_back(pair);
        all.push_back(at->second);
      }
    return all;
  };
  for (std::size_t link = 0; link < links.size(); ++link) {
    std::vector<int>& here = through_[link];
    std::sort(here.begin(), here.end(), [&](int a, int b) { return is_before(a, b); });
    pairs_[link] = blocks(here, here);
  }
  for (Group& g : groups_) {
    g.inside = blocks(g.closures, g.closures);
    g.beside = blocks(g.closures, g.coupled);
    g.between = blocks(g.coupled, g.coupled);
  }
}

void ClosureOrder::find_groups(int link, std::vector<std::vector<int>>& neighbours) {
  std::vector<int>& left = ending_[link + 1];
  ends_[link + 1].first = static_cast<int>(groups_.size());
  while (!left.empty()) {
    const int next = *std::min_element(left.begin(), left.end(), [&](int a, int b) {
      return neighbours[a].size() < neighbours[b].size();
    });
    std::vector<int> all = neighbours[next];
    merge(all, {next});
    Group group;
    for (const int c : left)
      if (c == next || neighbours[c] == all) group.closures.push_back(c);
    for (const int c : group.closures) {
      erase(left, c);
      erase(all, c);
    }
    group.coupled = all;
    for (const int c : group.coupled) {
      merge(neighbours[c], group.coupled);
      for (const int gone : group.closures) erase(neighbours[c], gone);
    }
    for (const int c : group.closures) place_[c] = n_placed_++;
    groups_.push_back(std::move(group));
  }
  ends_[link + 1].second = static_cast<int>(groups_.size());
}

ClosureRows::ClosureRows(const std::vector<Link>& of_tree, const ClosureOrder& order,
                         const std::vector<int>& n_rows)
    : links(of_tree.size()), groups(order.groups().size()), first{0} {
  for (const int n : n_rows) first.push_back(first.back() + n);
  std::vector<int> place(size(), -1);
  const auto place_rows_of = [&](int link) {
    for (std::size_t j = 0; j < links[link].rows.size(); ++j)
      place[links[link].rows[j]] = static_cast<int>(j);
  };
  const int n_links = static_cast<int>(links.size());
  for (int i = 0; i < n_links; ++i) {
    AtLink& at = links[i];
    at.rows = of(order.through(i));
    at.of_parent.assign(at.rows.size(), -1);
    for (const int c : order.through(i))
      at.goes_on.insert(at.goes_on.end(), size_of(c), !order.ends_at(c, i));
    if (of_tree[i].parent < 0) continue;
    place_rows_of(of_tree[i].parent);
    for (std::size_t j = 0; j < at.rows.size(); ++j)
      if (at.goes_on[j]) at.of_parent[j] = place[at.rows[j]];
  }
  for (int link = -1; link < n_links; ++link) {
    if (link >= 0) place_rows_of(link);
    for (int g = order.first_group(link); g < order.last_group(link); ++g) {
      OfGroup& group = groups[g];
      group.rows = of(order.groups()[g].closures);
      group.coupled = of(order.groups()[g].coupled);
      if (link < 0) continue;
      for (const int row : group.rows) group.places.push_back(place[row]);
      for (const int row : group.coupled) group.coupled_places.push_back(place[row]);
    }
  }
}

std::vector<int> ClosureRows::of(const std::vector<int>& closures) const {
  std::vector<int> rows;
  for (const int c : closures)
    for (int i = first[c]; i < first[c + 1]; ++i) rows.push_back(i);
  return rows;
}

}  // namespace solidyn::recursive
