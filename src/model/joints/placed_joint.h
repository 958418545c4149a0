#pragma once
#include <array>
#include <optional>

#include "model/joints/joint_entry.h"
#include "model/places/joint_frames.h"

/// Joints between two places.
namespace solidyn::model {

/// Where such a joint stands, world, t = 0.
struct JointPlaces {
  std::array<PlaceDescription, 2> between;
  std::optional<Eigen::Vector3d> at;    ///< m; empty: the origin of a named place
  std::optional<Eigen::Vector3d> axis;  ///< unit; empty: OwnAxes
  /// Unit: second direction, where angles are 0.
  std::optional<Eigen::Vector3d> reference;
};

using PlaceFields = Fields<JointPlaces>;
/// The two places that a joint needs.
Field<JointPlaces> between_field();
/// The same by another key.
Field<JointPlaces> between_field(const Key& key);
Field<JointPlaces> at_field();
Field<JointPlaces> axis_field(const Key& key);
Field<JointPlaces> reference_field();
/// `between`, `at`, `axis` and `reference`, of joints whose places may bring their z axes.
PlaceFields axis_joint_fields();

/// Where the frames of a joint stand, with z along its axis, and the rows between them.
class PlacedJoint : public JointEntry, public JointPlaces {
 public:
  std::string acts_on() const override { return between[0].text() + " - " + between[1].text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  bool has_axis() const override { return axis.has_value(); }
  int n_multipliers() const override {
    return static_cast<int>(rows(Eigen::Vector3d::UnitX()).primitives.size());
  }
  void build(const Builder& builder) const override;
  void check_gap(const PlaceFinder& places, std::vector<base::Diagnostic>& errors) const override;
  /// What is missing or contradicts.
  void check(const TableView& view, const Scope& scope) const;

 protected:
  using TwoFrames = std::array<bodies::Frame, 2>;
  /// Whether the second frame's origin stands where the first one's does, as a weld's; others move
  /// the first, as far as the joint slides.
  virtual bool holds_as_drawn() const { return type.family == JointFamily::drive; }
  /// z of the first frame, to which `reference` gives x: the two must not be parallel.
  virtual std::optional<Eigen::Vector3d> normal_to_reference() const { return axis; }
  virtual TwoPoses poses(const PlaceFinder& places) const;
  virtual TwoFrames frames(const TwoPoses& poses, const PlaceFinder& places) const;
  /// @param drawn the second frame's origin from that of the first as modelled, in its axes, m
  virtual joints::JointRows rows(const Eigen::Vector3d& drawn) const = 0;
  /// What the freedom is where that is not what its name says of the two frames (coordinate_of).
  virtual std::optional<bodies::Coordinate> coordinate(JointFreedom,
                                                       const Eigen::Vector3d& /*drawn*/) const {
    return {};
  }
  /// @param angle of the system, which the joint's frames track
  virtual void prescribe_angle(bodies::AngleIndex /*angle*/, system::System&) const {}

  bool turns_by_own_axes() const { return type.own_axes != JointTraits::OwnAxes::none && !axis; }

 private:
  void take_up_slides(TwoPoses& poses) const;
  std::array<bodies::FrameIndex, 2> add_frames(const TwoPoses& poses, const Builder& builder) const;
  bodies::FrameLink tracked_link(const joints::JointRows& rows,
                                 const std::array<bodies::FrameIndex, 2>& frames,
                                 system::System& system) const;
  void refuse_held_interface(const BuiltModel& built) const;
};

/// Rows of the catalogue for joints that are E: fields in the order of the manual.
template <class E, class... Bases>
JointType placed_joint_type(const E& prototype, const Fields<Bases>&... fields) {
  return joint_type(prototype, joined_fields(Fields<E>(), fields...));
}

}  // namespace solidyn::model
