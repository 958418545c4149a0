#pragma once
#include <memory>
#include <optional>

#include "model/read.h"
#include "solidyn/railway/profile_file.h"
#include "solidyn/railway/rail_head.h"
#include "solidyn/track/sleeper_track.h"
#include "solidyn/wheel_rail/wheel_rail_force.h"

/// `track` of a model: the one track of all its wheelsets.
namespace solidyn::model {

struct TrackDescription {
  std::shared_ptr<const wheel_rail::RailTrack> track;
  std::shared_ptr<const railway::Profile> rail;
  railway::RailPlacement placement;
  double running_speed = 0.0;        ///< m/s, of vehicles after statics; 0: not given
  double shortest_wavelength = 0.0;  ///< m, of irregularities by a spectrum; else 0
  bool writes_irregularities = false;
  std::optional<track::SleeperTrackOptions> flexible_rails;
  base::SourceLocation where;
  base::SourceLocation wavelengths_at, flexible_rails_at;
};

/// Null without `track`, and after a complaint.
std::shared_ptr<const TrackDescription> read_track(const TableView& file, const Scope& scope);

/// Whether a force of type `wheel_rail` is on the track.
bool has_wheelsets(const ModelDescription& model);

/// Refuses wheelsets that share a place, or a body that their rails move with.
void check_wheelsets(const TableView& file, const ModelDescription& model);

const TableSpec& flexible_rails_table();

/// `track.flexible_rails`. None without it, and after a complaint.
/// @param length  of the track, m
std::optional<track::SleeperTrackOptions> read_flexible_rails(const TableView& track,
                                                              double length);

struct Builder;
/// Of the system that is built: added to it where they are asked for first. Null where rails do not
/// bend.
std::shared_ptr<const wheel_rail::FlexibleRails> flexible_rails(const Builder& builder);

/// Refuses what rails that bend do not go with.
void check_flexible_rails(const TableView& file, const ModelDescription& model);

/// Warns of a track that nothing runs on.
void check_track_is_used(const TableView& file, const ModelDescription& model);

/// What `running_speed` needs, and what has no effect beside it. Statics then stands at its start.
void check_running_speed(const TableView& file, ModelDescription& model);

/// A profile by name or by file, with the table of what its file needs. Null after a complaint.
/// @param key  `wheel` or `rail`; the table of its file is `<key>_file`
std::shared_ptr<const railway::Profile> read_profile_of(const TableView& view,
                                                        railway::ProfileKind kind,
                                                        const std::string& key);

/// What of an InputError of a room below is about a table of the model file.
void report_all(const base::InputError& error, const TableView& view, const std::string& key);

}  // namespace solidyn::model
