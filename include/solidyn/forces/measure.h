#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "solidyn/bodies/frame_quantity.h"
#include "solidyn/math/rotation_angles.h"

namespace solidyn::forces {

/// A number that the motion of a few frames determines: what a sensor of them records, as a
/// variable of a force. Its gradient is found by differences.
class Measure {
 public:
  using Motions = std::vector<const bodies::FrameMotion*>;
  using Function = std::function<double(const Motions&)>;
  /// @param frames indices into Kinematics::frames; `function` gets their motions in this order and
  /// reads positions, axes and twists of them
  enum class Kind { number, angle };  ///< an angle may jump by whole turns between two states
  Measure(std::vector<int> frames, Function function, Kind kind = Kind::number)
      : frames_(std::move(frames)), function_(std::move(function)), kind_(kind) {}
  /// Kinematics::angles[angle], the tracked angle of B relative to A.
  static Measure tracked_angle(int frame_A, int frame_B, int angle);

  const std::vector<int>& frames() const { return frames_; }
  double value(const bodies::Kinematics& kinematics) const;
  struct Gradient {
    Eigen::Matrix<double, 1, 6> by_position, by_twist;  ///< of one frame: [dp (W); dtheta (F)]
  };
  /// @param i index into frames(). Central differences; their error is about 1e-9 of the value.
  Gradient gradient(const bodies::Kinematics& kinematics, int i) const;

 private:
  std::vector<int> frames_;
  Function function_;
  Kind kind_;
  int angle_ = -1;
};

/// A component (3: the magnitude) of a quantity of a frame, relative to another one (-1: the
/// world), in its axes or in those of a third frame `axes_of` (-1: the world's).
Measure frame_measure(bodies::FrameQuantity quantity, int frame, int relative_to, int component,
                      std::optional<int> axes_of = std::nullopt);

/// One of the angles that turn `relative_to` (-1: the world) into a frame.
Measure angle_measure(const math::AngleSequence& sequence, int frame, int relative_to, int angle);

}  // namespace solidyn::forces
