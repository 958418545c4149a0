#pragma once
#include <array>
#include <string>
#include <vector>

#include "solidyn/model/running_vehicle.h"

namespace solidyn::simulation {

/// Warns of what wheels meet on their way: of each wheel once.
class WheelWarnings {
 public:
  explicit WheelWarnings(forces::Wheelsets wheelsets)
      : wheelsets_(std::move(wheelsets)), told_(wheelsets_.size(), {false, false}) {}
  /// In this state. @param when begins the messages: "t = 0.1 s"
  void look(const std::string& when, const bodies::Kinematics& kinematics);

 private:
  forces::Wheelsets wheelsets_;
  std::vector<std::array<bool, 2>> told_;  // of each, left and right
};

/// At the end: warns where rails bend (`track.flexible_rails`) that no wheelset came to.
void warn_of_rails_not_reached(const model::RunningVehicle& vehicle,
                               const bodies::Kinematics& kinematics);

}  // namespace solidyn::simulation
