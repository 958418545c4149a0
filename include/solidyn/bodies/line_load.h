#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/beams/beam_load.h"
#include "solidyn/math/time_function.h"

namespace solidyn::bodies {

/// A force and a torque per length along elements of a beam, by functions of time.
class LineLoad {
 public:
  /// Where it acts on an element, and how much of it.
  struct Part {
    int element = 0;
    std::vector<beams::BeamLoad::Piece> pieces;
  };
  using Vector = std::array<math::TimeFunction, 3>;

  /// @param force N/m  @param torque N m/m, components along `axes`
  LineLoad(std::string name, beams::BeamLoad::Axes axes, Vector force, Vector torque,
           std::vector<Part> parts)
      : name_(std::move(name)),
        axes_(axes),
        parts_(std::move(parts)),
        force_function_(std::move(force)),
        torque_function_(std::move(torque)) {}

  const std::string& name() const { return name_; }
  beams::BeamLoad::Axes axes() const { return axes_; }
  const std::vector<Part>& parts() const { return parts_; }

  /// force() and torque() are those of this time from now on.
  void set_time(double t) {
    for (int i = 0; i < 3; ++i) {
      force_[i] = force_function_[i].value(t) + more_[i];
      torque_[i] = torque_function_[i].value(t) + more_[i + 3];
    }
  }
  /// So much more of a component (0..2 force, 3..5 torque) from the next set_time() on.
  void vary(int component, double by) { more_[component] = by; }
  const Eigen::Vector3d& force() const { return force_; }
  const Eigen::Vector3d& torque() const { return torque_; }

 private:
  std::string name_;
  beams::BeamLoad::Axes axes_;
  std::vector<Part> parts_;
  Vector force_function_, torque_function_;
  std::array<double, 6> more_ = {};
  Eigen::Vector3d force_ = Eigen::Vector3d::Zero(), torque_ = Eigen::Vector3d::Zero();
};

}  // namespace solidyn::bodies
