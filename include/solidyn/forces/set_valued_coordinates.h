#pragma once
#include <optional>
#include <vector>

#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/forces/pair_force.h"
#include "solidyn/forces/set_valued.h"

namespace solidyn::forces {

/// A set-valued law along coordinates of two frames, as joints leave them free: a stop, a clutch
/// that turns one way only, or friction of a given size (doc/theory/nonsmooth.md). It has one
/// point; of the directions of its velocity those are zero that have no coordinate. Forces and
/// impulses of the point are in these directions. Local.
/// Proved by Kinds/LawsAlongCoordinates.*, Schemes/LawsInSteps.* and tests/verification/nonsmooth.
class SetValuedCoordinates final : public PairForce, public SetValued {
 public:
  /// factor times the coordinate: a sign, or of an angle the radius at which it rubs, m.
  struct Direction {
    bodies::Coordinate coordinate;
    double factor = 1.0;
  };
  struct Options {
    SetValuedLaw law;
    std::optional<Direction> normal;  ///< of stops and clutches
    double offset = 0.0;              ///< gap = its value + offset, m or rad
    std::vector<Direction> slips;     ///< of friction, two at most
    std::string label;
  };
  /// @pre of angles the link tracks the angle
  SetValuedCoordinates(std::string name, const bodies::FrameLink& link, Options options);

  const SetValued* as_set_valued() const override { return this; }

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  /// At a constant force.
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  int n_memory() const override { return SetValuedPoint::kSize; }
  void recall(const Eigen::Ref<const Eigen::VectorXd>& memory) override { memory_ = memory; }
  void remember(const bodies::Kinematics&, double,
                Eigen::Ref<Eigen::VectorXd> memory) const override {
    memory = memory_;
  }

  int n_points() const override { return 1; }
  const SetValuedLaw& law() const override { return o_.law; }
  SetValuedPoint kept(int = 0) const override { return SetValuedPoint::read(memory_.data()); }
  bool has_forces() const override { return SetValuedPoint::has_force(memory_.data()); }
  std::string label() const override { return o_.label; }
  bool is_angle() const override { return o_.normal && bodies::is_angle(o_.normal->coordinate); }
  using Force::gap;
  double gap(const bodies::Kinematics& k, int point) const override;
  Eigen::Matrix3d axes(const bodies::Kinematics&, int) const override {
    return Eigen::Matrix3d::Identity();
  }
  Eigen::Vector3d velocity(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d acceleration(const bodies::Kinematics& k, int point) const override;
  void directions(const bodies::Kinematics& k, int point,
                  Eigen::Ref<Eigen::MatrixXd> W) const override;

 private:
  const Direction* direction(int i) const;  // null: there is none

  Options o_;
  Eigen::VectorXd memory_;
};

}  // namespace solidyn::forces
