#pragma once
#include "model/bodies/body_entry.h"

namespace solidyn::model {

/// Rigid, by its mass and inertia. Those that a mesh describes are in meshed_rigid.cpp.
class RigidEntry final : public BodyEntryOf<RigidEntry> {
 public:
  double mass = 0.0;                                         ///< kg, > 0
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  ///< in body axes, m
  /// About the centre of mass, body axes, kg m^2.
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  std::vector<FrameDescription> frames;

  static const Fields<RigidEntry>& fields();
  void check(const TableView& view, const Scope& scope) const;

  const BodyTraits& traits() const override;
  std::string in_words() const override;
  void build(const BodyBuilder& builder) const override;
  std::vector<PlaceDescription> places() const override;
  Refusal refuses_supports() const override;
  Refusal refuses_own_modes() const override;
};

}  // namespace solidyn::model
