#pragma once
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "solidyn/bodies/frame_quantity.h"
#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/math/rotation_angles.h"

namespace solidyn::forces {

/// A number that the motion of a few frames determines: what a sensor of them records, as a
/// variable of a force.
class Measure {
 public:
  explicit Measure(std::vector<bodies::FrameIndex> frames) : frames_(std::move(frames)) {}
  virtual ~Measure() = default;

  const std::vector<bodies::FrameIndex>& frames() const { return frames_; }
  virtual double value(const bodies::Kinematics& kinematics) const = 0;
  /// By how much it jumps between two states next to each other, at half of that and its negative:
  /// an angle that counts no turns. 0 where it does not.
  virtual double jump() const { return 0.0; }
  struct Gradient {
    Eigen::Matrix<double, 1, 6> by_position, by_twist;  ///< of one frame: [dp (W); dtheta (F)]
  };
  /// @param i index into frames()
  virtual Gradient gradient(const bodies::Kinematics& kinematics, int i) const = 0;

 private:
  std::vector<bodies::FrameIndex> frames_;
};

/// By a function of the frames' motions. Its gradient is found by central differences, whose error
/// is about 1e-9 of the value.
class FunctionMeasure final : public Measure {
 public:
  using Motions = std::vector<const bodies::FrameMotion*>;
  using Function = std::function<double(const Motions&)>;
  enum class Kind { number, angle };  ///< an angle may jump by whole turns between two states
  /// @param function gets the motions of `frames` in this order and reads positions, axes and
  /// twists of them
  FunctionMeasure(std::vector<bodies::FrameIndex> frames, Function function,
                  Kind kind = Kind::number)
      : Measure(std::move(frames)), function_(std::move(function)), kind_(kind) {}

  double value(const bodies::Kinematics& kinematics) const override;
  double jump() const override { return kind_ == Kind::angle ? 2.0 * M_PI : 0.0; }
  Gradient gradient(const bodies::Kinematics& kinematics, int i) const override;

 private:
  Function function_;
  Kind kind_;
};

/// A coordinate of two frames, or its rate; angles with whole turns where the link tracks them.
class CoordinateMeasure final : public Measure {
 public:
  enum class Of { value, rate };
  CoordinateMeasure(const bodies::FrameLink& link, bodies::Coordinate coordinate, Of of)
      : Measure({link.frame_A(), link.frame_B()}),
        link_(link),
        coordinate_(std::move(coordinate)),
        of_(of) {}

  double value(const bodies::Kinematics& kinematics) const override;
  Gradient gradient(const bodies::Kinematics& kinematics, int i) const override;

 private:
  bodies::FrameLink link_;
  bodies::Coordinate coordinate_;
  Of of_;
};

/// A component (3: the magnitude) of a quantity of a frame, relative to another one (or kWorld),
/// in its axes or in those of a third frame `axes_of` (or kWorld). An orientation is
/// measured up to 175 degrees, beyond which it throws base::ComputationError: rotation vectors end
/// at half a turn.
std::unique_ptr<Measure> frame_measure(bodies::FrameQuantity quantity, bodies::FrameIndex frame,
                                       bodies::FrameIndex relative_to, int component,
                                       std::optional<bodies::FrameIndex> axes_of = std::nullopt);

/// One of the angles that turn `relative_to` (or kWorld) into a frame.
std::unique_ptr<Measure> angle_measure(const math::AngleSequence& sequence,
                                       bodies::FrameIndex frame, bodies::FrameIndex relative_to,
                                       int angle);

}  // namespace solidyn::forces
