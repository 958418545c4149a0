#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/build_superelements.h"
#include "model/forces/force_entry.h"
#include "model/joints/joint_coordinates.h"
#include "model/joints/placed_joint.h"
#include "model/places/axes.h"
#include "solidyn/base/error.h"

namespace solidyn::model {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The first frame's origin moves to where the second's is, as far as the joint lets it: so
// translations are zero as modelled.
void PlacedJoint::take_up_slides(TwoPoses& poses) const {
  const Matrix3d& R = poses[0].R;
  const Vector3d apart = R.transpose() * (poses[1].p - poses[0].p);
  if (type.has_coordinate(JointFreedom::translation)) poses[0].p += R.col(2) * apart.z();
  if (type.slides_in_plane()) poses[0].p += R.leftCols<2>() * apart.head<2>();
}

TwoPoses PlacedJoint::poses(const PlaceFinder& places) const {
  TwoPoses poses = poses_at(at, between, axes_along(axis, reference), places);
  if (turns_by_own_axes()) turn_to_own_axes(between, places, poses);
  if (holds_as_drawn())
    poses[1].p = poses[0].p;
  else
    take_up_slides(poses);
  return poses;
}

PlacedJoint::TwoFrames PlacedJoint::frames(const TwoPoses& poses, const PlaceFinder& places) const {
  return {places.frame(between[0], name + ".first", poses[0].p, poses[0].R),
          places.frame(between[1], name + ".second", poses[1].p, poses[1].R)};
}

// The ground holds such an interface already: of what both hold, each would take what it likes, and
// where they differ in the last digit of a position, nothing satisfies both.
void PlacedJoint::refuse_held_interface(const BuiltModel& built) const {
  for (int i = 0; i < 2; ++i) {
    const PlaceDescription& place = between[i];
    if (between[1 - i].kind != PlaceDescription::Kind::ground) continue;
    const auto body = std::find_if(built.bodies.begin(), built.bodies.end(),
                                   [&](const BuiltBody& b) { return b.name == place.body; });
    if (body == built.bodies.end() || !body->reduced) continue;
    for (const reduction::ReducedSupport& support : body->reduced->supports)
      for (const std::string& held : support.interfaces)
        if (built.supports.count(support.name) && held == place.name)
          throw base::InputError(
              fmt::format(
                  "joints.{}: the support `{}` already constrains all nodes of the interface `{}.{}`, which a joint to the ground cannot constrain again",
                  name, support.name, place.body, place.name),
              "remove one of them: a support constrains more components by `fix` and moves by `displacement`",
              where);
  }
}

std::array<bodies::FrameIndex, 2> PlacedJoint::add_frames(const TwoPoses& poses,
                                                          const Builder& builder) const {
  TwoFrames both = frames(poses, builder.places);
  std::array<bodies::FrameIndex, 2> indices{};
  for (int i = 0; i < 2; ++i) {
    refuse_point_of_superelement(builder.built, both[i], between[i]);
    indices[i] = builder.built.system.add_frame(std::move(both[i]));
  }
  // Fixed joints that are shared nodes may have made one of two bodies.
  if (builder.places.carrier_of_frame(indices[0]) == builder.places.carrier_of_frame(indices[1]))
    throw base::InputError(
        fmt::format("joints.{}: the two places it connects are already one node by fixed joints",
                    name),
        "remove it, or set  share: false  for one of these joints", where);
  return indices;
}

// Tracked whether read or not: what a checkpoint holds must not depend on the sensors.
bodies::FrameLink PlacedJoint::tracked_link(const joints::JointRows& its_rows,
                                            const std::array<bodies::FrameIndex, 2>& frames,
                                            system::System& system) const {
  const auto [A, B] = frames;
  if (its_rows.tracked) return system.tracked_link(A, B, its_rows.tracked);
  bodies::FrameLink link = system.link(A, B);
  for (const JointFreedom freedom : type.coordinates) {
    const bodies::FrameLink tracked = system.tracked_link(A, B, coordinate_of(freedom));
    if (freedom != JointFreedom::rotation) continue;
    link = tracked;
    prescribe_angle(link.angle(), system);
  }
  return link;
}

void PlacedJoint::build(const Builder& builder) const {
  BuiltModel& built = builder.built;
  refuse_held_interface(built);
  const TwoPoses where_drawn = poses(builder.places);
  const std::array<bodies::FrameIndex, 2> frames = add_frames(where_drawn, builder);
  const Vector3d drawn = where_drawn[0].R.transpose() * (where_drawn[1].p - where_drawn[0].p);
  const joints::JointRows its_rows = rows(drawn);
  auto joint =
      std::make_unique<joints::Joint>("joint " + name, tracked_link(its_rows, frames, built.system),
                                      its_rows.primitives, its_rows.names, its_rows.hinge);
  if (is_cut) joint->cut();
  built.joints[name] = built.system.add_constraint(std::move(joint));
  built.joint_frames[name] = frames;
  for (const JointFreedom freedom : type.coordinates)
    if (const auto own = coordinate(freedom, drawn))
      built.own_coordinates[name].emplace(freedom, *own);
}

}  // namespace solidyn::model
