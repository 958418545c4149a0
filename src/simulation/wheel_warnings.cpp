#include "simulation/wheel_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "solidyn/base/log.h"

namespace solidyn::simulation {

void WheelWarnings::look(const std::string& when, const bodies::Kinematics& kinematics) {
  for (std::size_t k = 0; k < wheelsets_.size(); ++k) {
    if (told_[k][0] && told_[k][1]) continue;
    const std::array<std::string, 2> doubts = wheelsets_[k]->doubts(kinematics);
    for (const std::size_t side : {0, 1}) {
      if (told_[k][side] || doubts[side].empty()) continue;
      told_[k][side] = true;
      base::log_warning("{}, {}", when, doubts[side]);
    }
  }
}

void warn_of_rails_not_reached(const model::RunningVehicle& vehicle,
                               const bodies::Kinematics& kinematics) {
  if (!vehicle.bending_rails || vehicle.wheelsets.empty()) return;
  const auto& [from, to, where] = *vehicle.bending_rails;
  double first = std::numeric_limits<double>::infinity(), last = -first;
  for (const forces::RunsOnTrack* wheelset : vehicle.wheelsets) {
    const double began = wheelset->s_at_start(),
                 ended = wheelset->running_motion(kinematics, 1.0).s;
    if (began < to && ended > from) return;
    first = std::min(first, began);
    last = std::max(last, ended);
  }
  base::log_warning(
      "{}:{}: track.flexible_rails: no wheelset came to the rails that bend, which are from s = {:g} m to {:g} m: wheelsets began at s = {:.6g} m at the earliest and came to {:.6g} m at most\n  let the rails begin where the vehicle comes (`from`, `to`), let it start before them, or run longer",
      where.file, where.line, from, to, first, last);
}

}  // namespace solidyn::simulation
