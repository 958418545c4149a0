#include "model/forces/build_loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/build_superelements.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/forces/frame_load.h"
#include "solidyn/forces/pressure_load.h"

namespace solidyn::model {
namespace {

using Axes = forces::FrameLoad::Axes;
using reduction::LoadDefinition;
using reduction::LoadRows;

// Those along beams are the beams' own.
bool has_nodes_or_faces(LoadType type) {
  return type != LoadType::force && type != LoadType::distributed;
}

// An interface of a superelement that a fixed joint holds on the ground.
void refuse_load_on_ground(const LoadDescription& load, const bodies::Frame& frame) {
  if (frame.body >= 0) return;
  throw base::InputError(
      fmt::format("loads.{} acts on the ground: a fixed joint holds its place", load.name),
      "remove it, or let it act on an interface that moves", load.where);
}

void add_frame_load(const LoadDescription& load, const PlaceFinder& places, BuiltModel& built) {
  bodies::Frame frame = places.own_frame(load.at);
  refuse_point_of_superelement(built, frame, load.at);
  refuse_load_on_ground(load, frame);
  frame.name = "load " + load.name;
  const int index = built.system.add_frame(std::move(frame));
  const int body = places.carrier_of_frame(index);
  built.system.add_force(std::make_unique<forces::FrameLoad>(
      load.name, index, body, load.follows_body ? Axes::frame : Axes::world, load.force,
      load.torque));
}

bool has_rows(const BuiltBody& body) {
  return body.type == BodyType::modal || body.type == BodyType::floating_frame;
}

const std::vector<LoadRows>& loads_of(const BuiltBody& body) {
  return body.reduced ? body.reduced->loads
                      : dynamic_cast<const bodies::FloatingFrameBody&>(*body.nodal).loads();
}

// A reduced-body file has the loads of the model that it was reduced for.
const LoadRows& find_rows(const LoadDescription& load, const ModelDescription& model,
                          const BuiltBody& body) {
  const std::vector<LoadRows>& loads = loads_of(body);
  const auto found = std::find_if(loads.begin(), loads.end(),
                                  [&](const LoadRows& rows) { return rows.name == load.name; });
  const bool is_known = found != loads.end();
  if (is_known && found->digest == digest(load_definition(load))) return *found;
  const std::string file = model.find_body(body.name)->flexible.reduced_body.string();
  throw base::InputError(
      fmt::format("loads.{}: the reduced body {} {}", load.name, file,
                  is_known ? "knows a load of this name on other nodes or faces"
                           : "was made without this load, and does not know its nodes or faces"),
      fmt::format("reduce `{}` again from a model with this load, or give its mesh in place of "
                  "reduced_body",
                  body.name),
      load.where);
}

// The rows of nodal forces and tractions are those of a point without axes of its own: on a body
// with a frame, "its axes" are the body's.
void add_mean_point_load(const LoadDescription& load, const BuiltBody& body, const LoadRows& rows,
                         BuiltModel& built) {
  bodies::Frame frame;
  frame.name = "load " + load.name;
  frame.body = body.index;
  frame.x_B = rows.x_B;
  frame.Psi_t = rows.rows;
  frame.Y_t = rows.Y;
  built.system.add_force(std::make_unique<forces::FrameLoad>(
      load.name, built.system.add_frame(std::move(frame)), body.index,
      load.follows_body ? Axes::frame : Axes::world, load.force, load.torque, rows.amount));
}

void add_nodal_load(const LoadDescription& load, const ModelDescription& model, BuiltModel& built) {
  const auto body =
      std::find_if(built.bodies.begin(), built.bodies.end(),
                   [&](const BuiltBody& candidate) { return candidate.name == load.body; });
  if (!has_rows(*body)) return;
  const LoadRows& rows = find_rows(load, model, *body);
  if (load.type == LoadType::pressure)
    built.system.add_force(
        std::make_unique<forces::PressureLoad>(load.name, body->index, rows, load.pressure));
  else
    add_mean_point_load(load, *body, rows, built);
}

}  // namespace

LoadDefinition load_definition(const LoadDescription& load) {
  using Kind = LoadDefinition::Kind;
  const Kind kind = load.type == LoadType::pressure   ? Kind::pressure
                    : load.type == LoadType::traction ? Kind::traction
                                                      : Kind::nodal_force;
  return {load.name, kind, load.nodes};
}

std::vector<LoadDefinition> load_definitions(const ModelDescription& model,
                                             const BodyDescription& body) {
  std::vector<LoadDefinition> definitions;
  for (const LoadDescription& load : model.loads)
    if (has_nodes_or_faces(load.type) && load.body == body.name)
      definitions.push_back(load_definition(load));
  return definitions;
}

void add_load(const LoadDescription& load, const ModelDescription& model, const PlaceFinder& places,
              BuiltModel& built) {
  if (load.type == LoadType::force) add_frame_load(load, places, built);
  if (has_nodes_or_faces(load.type)) add_nodal_load(load, model, built);
}

}  // namespace solidyn::model
