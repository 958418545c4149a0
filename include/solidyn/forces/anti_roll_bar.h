#pragma once
#include "solidyn/bodies/pair_coordinates.h"

namespace solidyn::forces {

/// How much longer the left of two links has become than the right one, each from a point of frame
/// A to one of frame B: |d_l| - |d_r|, d = p_B + R_B b - p_A - R_A a. m
/// An effort along it is the force in a link: a torsion bar with arms. It resists roll and leaves
/// bounce free. Proved by AntiRollBar.*.
class LinkDifference final : public bodies::UserCoordinate::Formula {
 public:
  /// Its ends from the frames' origins, in their axes, m.
  struct Link {
    Eigen::Vector3d a_A = Eigen::Vector3d::Zero(), b_B = Eigen::Vector3d::Zero();
  };
  LinkDifference(const Link& left, const Link& right) : left_(left), right_(right) {}
  /// @throws base::ComputationError where the ends of a link meet
  bodies::CoordinateValue value(const bodies::FramePair& f) const override;
  void add_stiffness(const bodies::FramePair& f, double lambda, bodies::Matrix12& K) const override;

 private:
  Link left_, right_;
};

}  // namespace solidyn::forces
