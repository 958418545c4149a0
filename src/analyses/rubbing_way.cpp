#include "rubbing_way.h"

namespace solidyn::analyses {

RubbingWay::RubbingWay(const system::System& system, const Equilibrium& equilibrium)
    : system_(system),
      equilibrium_(equilibrium),
      has_begun_(static_cast<std::size_t>(system.layout().n_velocities()), false),
      start_(equilibrium.make_move()) {}

void RubbingWay::note(const std::vector<bool>& rubs, const Move& travel) {
  const auto begins = [&](std::size_t i) { return rubs[i] && !has_begun_[i]; };
  for (std::size_t k = 0; k < start_.nodal.size(); ++k) {
    const auto body = system_.layout().body_of_nodal(static_cast<int>(k));
    if (system_.layout().n_velocities(body) > 0 &&
        begins(static_cast<std::size_t>(system_.layout().velocity_offset(body))))
      SOLIDYN_PETSC(VecCopy(travel.nodal[k], start_.nodal[k]));
  }
  for (std::size_t i = 0; i < has_begun_.size(); ++i) {
    if (!begins(i)) continue;
    has_begun_[i] = true;
    start_.small[static_cast<Eigen::Index>(i)] = travel.small[static_cast<Eigen::Index>(i)];
  }
}

Move RubbingWay::way(const Move& travel) const {
  Move way = equilibrium_.make_move();
  way.add(1.0, travel);
  way.add(-1.0, start_);
  for (std::size_t i = 0; i < has_begun_.size(); ++i)
    if (!has_begun_[i]) way.small[static_cast<Eigen::Index>(i)] = 0.0;
  for (std::size_t k = 0; k < way.nodal.size(); ++k) {
    const auto body = system_.layout().body_of_nodal(static_cast<int>(k));
    if (system_.layout().n_velocities(body) == 0 ||
        !has_begun_[static_cast<std::size_t>(system_.layout().velocity_offset(body))])
      SOLIDYN_PETSC(VecZeroEntries(way.nodal[k]));
  }
  return way;
}

}  // namespace solidyn::analyses
