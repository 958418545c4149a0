#include <fmt/format.h>

#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

std::vector<std::string> names_of(const std::vector<BodyDescription>& bodies) {
  std::vector<std::string> names;
  names.reserve(bodies.size());
  for (const BodyDescription& body : bodies) names.push_back(body.name);
  return names;
}

/// Frames of a rigid body, or interfaces and points of a flexible one.
std::vector<std::pair<std::string, PlaceDescription::Kind>> places_of(const BodyDescription& body) {
  std::vector<std::pair<std::string, PlaceDescription::Kind>> places;
  using Kind = PlaceDescription::Kind;
  for (const FrameDescription& frame : body.rigid.frames)
    places.emplace_back(frame.name, Kind::frame);
  for (const InterfaceDescription& interface : body.flexible.interfaces)
    places.emplace_back(interface.definition.name, Kind::interface);
  for (const PointDescription& point : body.flexible.points)
    places.emplace_back(point.name, Kind::point);
  return places;
}

void resolve_name(PlaceDescription& place, const std::string& path, const BodyDescription& body,
                  Report& report) {
  std::vector<std::string> known;
  for (const auto& [name, kind] : places_of(body)) {
    known.push_back(body.name + "." + name);
    if (name == place.name) {
      place.kind = kind;
      return;
    }
  }
  const bool is_rigid = body.type == BodyType::rigid;
  report.error(place.where,
               fmt::format("{}: body `{}` has no {} `{}`", path, body.name,
                           is_rigid ? "frame" : "interface or point", place.name),
               known.empty() ? fmt::format("declare it under bodies.{}.{}", body.name,
                                           is_rigid ? "frames" : "interfaces")
                             : suggestion(body.name + "." + place.name, known, "there are"));
}

}  // namespace

PlaceDescription read_place(const std::string& text, const std::string& path,
                            const base::SourceLocation& where, const ModelDescription& model,
                            const Names& names, bool ground_is_allowed, Report& report) {
  PlaceDescription place;
  place.where = where;
  if (text == "ground") {
    if (!ground_is_allowed)
      report.error(where, fmt::format("{}: the ground does not move", path),
                   "name a body, `body.interface`, `body.frame` or `body.point`");
    return place;
  }
  const std::size_t dot = text.find('.');
  place.body = text.substr(0, dot);
  place.kind = PlaceDescription::Kind::body;
  if (dot != std::string::npos) {
    place.kind = PlaceDescription::Kind::interface;
    place.name = text.substr(dot + 1);
  }
  const BodyDescription* body = model.find_body(place.body);
  if (!body) {
    std::vector<std::string> known = names_of(model.bodies);
    if (ground_is_allowed) known.insert(known.begin(), "ground");
    report.error(where, fmt::format("{}: there is no body `{}`", path, place.body),
                 suggestion(place.body, known, "there are"));
  } else if (dot != std::string::npos && !names.open_bodies.count(place.body)) {
    resolve_name(place, path, *body, report);
  }
  return place;
}

const BodyDescription* find_referred_body(const TableView& view, const std::string& key,
                                          const ModelDescription& model) {
  if (!view.is_good(key)) return nullptr;
  const BodyDescription* body = model.find_body(view.text(key));
  if (!body)
    view.report().error(view.where(key),
                        fmt::format("{}: there is no body `{}`", view.path(key), view.text(key)),
                        suggestion(view.text(key), names_of(model.bodies), "there are"));
  return body;
}

const JointDescription* find_referred_joint(const TableView& view, const std::string& key,
                                            const std::vector<JointDescription>& joints) {
  if (!view.is_good(key)) return nullptr;
  std::vector<std::string> known;
  for (const JointDescription& joint : joints) {
    if (joint.name == view.text(key)) return &joint;
    known.push_back(joint.name);
  }
  view.report().error(view.where(key),
                      fmt::format("{}: there is no joint `{}`", view.path(key), view.text(key)),
                      known.empty() ? "declare it under `joints:`"
                                    : suggestion(view.text(key), known, "there are"));
  return nullptr;
}

}  // namespace solidyn::model
