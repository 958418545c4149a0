#pragma once
#include <optional>

#include "model/forces/force_entry.h"
#include "model/read.h"

/// Where forces act: the places that they name, and the frames that they get there.
namespace solidyn::model {

/// Of a force: whether it has a torque, which points cannot take.
enum class Turns { no, yes };

/// The place under `key`, with complaints about one that cannot carry the force.
void read_force_place(const TableView& view, const std::string& key, bool ground_is_allowed,
                      Turns turns, const Scope& scope, PlaceDescription& place);

/// A force between two places of different bodies.
struct BetweenPlaces {
  std::array<PlaceDescription, 2> between;

  std::string text() const { return between[0].text() + " - " + between[1].text(); }
  void read(const TableView& view, Turns turns, const Scope& scope);
};

/// A force between two places with axes: they stand in one at t = 0, or each where its place is.
struct BetweenFrames : BetweenPlaces {
  std::optional<Eigen::Vector3d> at, axis, reference;  ///< as of joints

  static Fields<BetweenFrames> fields();  ///< `at` and `reference`
  /// What is missing or contradicts. @pre its keys were read
  void check(const TableView& view);
};

/// A frame on a place that at t = 0 stands at p with the axes R.
/// @throws base::InputError on what carries no frame  @param side 0: the first place
bodies::FrameIndex add_force_frame(const ForceEntry& force, const PlaceDescription& place, int side,
                                   const Eigen::Vector3d& p, const Eigen::Matrix3d& R,
                                   const Builder& builder);

/// @throws base::InputError where fixed joints have made one of the two places
void refuse_force_within(const ForceEntry& force, bodies::FrameIndex A, bodies::FrameIndex B,
                         const Builder& builder);

/// @param own_axes turns the frames to the z axes of their places where no axis is given
bodies::FrameLink add_force_frames(const ForceEntry& force, const BetweenFrames& where,
                                   bool own_axes, const Builder& builder);

/// The frames of the places themselves; the ground's is the world.
bodies::FrameLink add_own_frames(const ForceEntry& force,
                                 const std::array<PlaceDescription, 2>& between,
                                 const Builder& builder);

}  // namespace solidyn::model
