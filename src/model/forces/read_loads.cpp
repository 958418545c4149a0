#include <fmt/format.h>

#include <algorithm>

#include "model/forces/read_line_load.h"
#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

bool is_solid(BodyType type) {
  return type == BodyType::corotational || type == BodyType::inertial;
}

bool has_loaded_nodes(BodyType type) {
  return is_solid(type) || type == BodyType::modal || type == BodyType::floating_frame;
}

/// The body of a load on nodes or faces.
std::string read_loaded_body(const TableView& view, const ModelDescription& model,
                             const Names& names) {
  const BodyDescription* body = find_referred_body(view, "body", model);
  if (!body) return {};
  if (!has_loaded_nodes(body->type) && !names.untyped_bodies.count(body->name))
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` is of type {}, whose nodes cannot be loaded", view.path("body"),
                    body->name, name(body->type)),
        "write  type: modal,  floating_frame,  corotational  or  inertial  there, or load a place "
        "of it (type: force)");
  return body->name;
}

/// What loads on faces and nodes mean depends on whether the body has a frame that turns.
void check_axes(const TableView& view, const LoadDescription& load, const ModelDescription& model) {
  const BodyDescription* body = model.find_body(load.body);
  if (!body || !load.follows_body) return;
  if (load.type == LoadType::pressure && !is_solid(body->type) && has_loaded_nodes(body->type))
    view.report().error(
        view.where("follows"),
        fmt::format("{}: `{}` is of type {}, whose small deflections do not change a pressure: it "
                    "turns with the body's frame",
                    view.path("follows"), body->name, name(body->type)),
        "leave it out, or write  type: corotational  or  type: inertial  there");
  if (load.type != LoadType::pressure && is_solid(body->type))
    view.report().error(view.where("axes"),
                        fmt::format("{}: the nodes of `{}`, of type {}, have no axes to follow",
                                    view.path("axes"), body->name, name(body->type)),
                        "leave it out, or load an interface (type: force, axes: body)");
}

/// A point of a body with nodes in absolute coordinates has no axes; no point takes a torque.
void check_place(const TableView& view, const LoadDescription& load, const ModelDescription& model,
                 const Names& names) {
  const BodyDescription* body = model.find_body(load.at.body);
  if (!body || names.open_bodies.count(load.at.body)) return;
  const bool is_point = load.at.kind == PlaceDescription::Kind::point;
  const char* remedy = "declare an interface there";
  if (is_point && view.has("torque"))
    view.report().error(view.where("torque"),
                        fmt::format("{}: `{}` is a point, which takes no torque",
                                    view.path("torque"), view.text("at")),
                        remedy);
  if (is_point && load.follows_body && is_solid(body->type))
    view.report().error(view.where("axes"),
                        fmt::format("{}: `{}` is a point without axes of its own",
                                    view.path("axes"), view.text("at")),
                        remedy);
  if (load.at.kind == PlaceDescription::Kind::body && body->type != BodyType::rigid)
    view.report().error(view.where("at"),
                        fmt::format("{}: `{}` is flexible; a force needs one of its interfaces or "
                                    "points",
                                    view.path("at"), load.at.body),
                        fmt::format("declare one under bodies.{}.interfaces", body->name));
}

void read_frame_load(const TableView& view, LoadDescription& load, const ModelDescription& model,
                     const Names& names) {
  load.force = read_time_vector(view, "force");
  load.torque = read_time_vector(view, "torque");
  load.follows_body = view.text("axes") == "body";
  if (!view.has("force") && !view.has("torque"))
    view.report().error(view.where(), fmt::format("{} has neither force nor torque", view.path()),
                        "give one, for example  force: [0, 0, \"10*t\"]");
  if (!view.is_good("at")) return;
  load.at = read_place(view.text("at"), view.path("at"), view.where("at"), model, names, false,
                       view.report());
  check_place(view, load, model, names);
}

void read_nodal_load(const TableView& view, LoadDescription& load, const ModelDescription& model,
                     const Names& names) {
  load.body = read_loaded_body(view, model, names);
  const bool is_nodal = load.type == LoadType::nodal_force;
  load.nodes = read_nodes(view.table(is_nodal ? "nodes" : "faces"));
  if (is_nodal) load.force = read_time_vector(view, "force");
  if (load.type == LoadType::traction) load.force = read_time_vector(view, "traction");
  if (load.type == LoadType::pressure) {
    load.pressure = read_time_function(view, "pressure");
    load.follows_body = view.text("follows") == "deformed";
  } else {
    load.follows_body = view.text("axes") == "body";
  }
  check_axes(view, load, model);
}

LoadType load_type(const std::string& word) {
  for (LoadType type :
       {LoadType::pressure, LoadType::traction, LoadType::nodal_force, LoadType::distributed})
    if (word == name(type)) return type;
  return LoadType::force;
}

}  // namespace

std::vector<LoadDescription> read_loads(const TableView& file, const ModelDescription& model,
                                        const Names& names) {
  std::vector<LoadDescription> loads;
  for (const auto& [name, view] : file.tables("loads")) {
    if (view.type().empty()) continue;
    LoadDescription load;
    load.name = name;
    load.where = view.where();
    load.type = load_type(view.type());
    if (load.type == LoadType::force) {
      read_frame_load(view, load, model, names);
    } else if (load.type == LoadType::distributed) {
      read_line_load(view, load, model, names);
    } else {
      read_nodal_load(view, load, model, names);
    }
    loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace solidyn::model
