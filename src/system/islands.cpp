// Bodies that joints, forces or shared nodes connect, the ground apart.
#include <algorithm>
#include <numeric>

#include "solidyn/system/system.h"

namespace solidyn::system {

void System::find_islands() {
  std::vector<int> parent(n_bodies());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root_of = [&](int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  const auto connect = [&](int body, const std::vector<int>& others) {
    for (int other : others) parent[root_of(other)] = root_of(body);
  };
  for (const auto& constraint : constraints_)
    if (!constraint->bodies().empty()) connect(constraint->bodies().front(), constraint->bodies());
  for (const auto& force : forces_)
    if (!force->bodies().empty()) connect(force->bodies().front(), force->bodies());
  for (std::size_t k = 0; k < superelements_.size(); ++k)
    connect(superelement_index_[k], superelements_[k]->carriers());
  for (std::size_t k = 0; k < element_bodies_.size(); ++k)
    connect(element_body_index_[k], element_bodies_[k]->nodes());
  std::vector<int> number(n_bodies(), -1);
  for (int i = 0; i < n_bodies(); ++i) {
    int& island = number[root_of(i)];
    if (island < 0) island = n_islands_++;
    island_of_body_.push_back(island);
  }
  n_islands_ = std::max(n_islands_, 1);
}

int System::island_of(const std::vector<int>& bodies) const {
  return bodies.empty() ? 0 : island_of_body_[bodies.front()];
}

}  // namespace solidyn::system
