#pragma once
#include "model/read.h"
#include "model/sensors/sensor_entry.h"

/// Places whose motion sensors record.
namespace solidyn::model {

/// What a sensor needs of a place: that it moves, or axes that turn with it.
enum class PlaceNeed { origin, axes };

/// Nothing when the key is not there, or is wrong.
std::optional<PlaceDescription> read_seen_place(const TableView& view, const std::string& key,
                                                PlaceNeed need, const Scope& scope);

/// Of a list of them, without those that are wrong. The ground is none, and none is there twice.
std::vector<PlaceDescription> read_seen_places(const TableView& view, const std::string& key,
                                               PlaceNeed need, const Scope& scope);

/// A place, and the one that it is seen from.
struct SeenPlace {
  PlaceDescription of;
  std::optional<PlaceDescription> relative_to;  ///< empty: the world
  PlaceNeed need = PlaceNeed::origin;           ///< of both

  static Fields<SeenPlace> fields();
};

/// The frame of a place in the system.
bodies::FrameIndex add_place_frame(const PlaceDescription& place, const Builder& builder);
/// -1: the world.
bodies::FrameIndex add_place_frame(const std::optional<PlaceDescription>& place,
                                   const Builder& builder);

/// The same for a force, which depends on it.
/// @throws base::InputError at a point of a superelement
bodies::FrameIndex add_measured_frame(const PlaceDescription& place, const Builder& builder);
bodies::FrameIndex add_measured_frame(const std::optional<PlaceDescription>& place,
                                      const Builder& builder);

}  // namespace solidyn::model
