#include "solidyn/model/running_vehicle.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/track/rail_track.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"

namespace solidyn::model {

RunningVehicle running_vehicle(const ModelDescription& model, const system::System& system) {
  RunningVehicle vehicle;
  if (!model.track) return vehicle;
  vehicle.speed = model.track->running_speed;
  if (const auto& rails = model.track->flexible_rails)
    vehicle.bending_rails = {rails->from, rails->to, model.track->flexible_rails_at};
  for (const forces::ForceIndex f : system.forces())
    for (const forces::RunsOnTrack* wheelset : model.track->track->wheelsets)
      if (&wheelset->force() == &system.force(f)) vehicle.wheelsets.push_back(wheelset);
  return vehicle;
}

void write_irregularities(MPI_Comm comm, const ModelDescription& model, const std::string& file,
                          const std::function<void()>& look_up) {
  if (!model.track || !model.track->writes_irregularities) return;
  base::log_info("writing {}", file);
  constexpr double kRowsOfShortest = 20.0;  // of the shortest wave: splines follow it to 1e-4
  const wheel_rail::RailTrack& track = *model.track->track;
  base::write_beside_and_replace(comm, file, [&](const std::string& temporary) {
    base::run_together(comm, [&] {
      if (base::rank(comm) == 0)
        track::write_irregularities(temporary, track.irregularities, track.alignment.length(),
                                    model.track->shortest_wavelength / kRowsOfShortest, look_up);
    });
  });
}

// Steady running is found from an equilibrium, at one instant.
void check_running_speed(const TableView& file, ModelDescription& model) {
  if (!model.track || model.track->running_speed == 0.0) return;
  const TableView track = file.table("track");
  if (!has_wheelsets(model))
    file.report().error(
        track.where("running_speed"),
        "track.running_speed needs wheelsets: no force of type `wheel_rail` is on the track",
        "add one for each wheelset");
  for (const auto& body : model.bodies)
    if (body->traits().keeps_all_nodes)
      file.report().error(
          body->where,
          fmt::format(
              "bodies.{}: steady running (`track.running_speed`) of a body of type {}, whose nodes are all unknowns, is not yet implemented",
              body->name, body->type),
          "take type modal, or give the bodies a `velocity` and leave `running_speed` out");
  bool has_statics = false;
  for (AnalysisDescription& analysis : model.analyses) {
    auto* statics = std::get_if<StaticsDescription>(&analysis);
    if (!statics) continue;
    has_statics = true;
    if (statics->has_time && statics->options.time != analyses::LoadTime::start)
      file.report().error(
          statics->where,
          "statics of a running vehicle (`track.running_speed`) has no load parameter",
          "write  time: start, or leave it out");
    statics->options.time = analyses::LoadTime::start;
    statics->has_time = true;
  }
  if (!has_statics)
    file.report().error(
        track.where("running_speed"),
        "track.running_speed needs the analysis `statics`, which finds how the vehicle runs",
        "begin the analyses with  - statics: {}, or give the bodies a `velocity`");
  for (const auto& body : model.bodies)
    if (!body->velocity.linear.isZero(0.0) || !body->velocity.angular.isZero(0.0))
      file.report().warning(
          body->where,
          fmt::format(
              "bodies.{}.velocity has no effect: track.running_speed gives all bodies theirs",
              body->name),
          "remove one of them");
}

}  // namespace solidyn::model
