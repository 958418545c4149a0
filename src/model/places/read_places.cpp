#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/joints/joint_entry.h"
#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

std::vector<std::string> known_bodies(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& body : scope.model.bodies) names.push_back(body->name);
  names.insert(names.end(), scope.names.open_bodies.begin(), scope.names.open_bodies.end());
  return names;
}

void resolve_name(PlaceDescription& place, const std::string& path, const BodyEntry& body,
                  Report& report) {
  std::vector<std::string> known;
  for (const PlaceDescription& own : body.places()) {
    known.push_back(own.text());
    if (own.name == place.name) {
      place.kind = own.kind;
      return;
    }
  }
  const bool is_rigid = body.traits().carries_frames;
  report.error(place.where,
               fmt::format("{}: body `{}` has no {} `{}`", path, body.name,
                           is_rigid ? "frame" : "interface or point", place.name),
               known.empty() ? fmt::format("define it under bodies.{}.{}", body.name,
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
                   "give a body, `body.interface`, `body.frame` or `body.point`");
    return place;
  }
  const std::size_t dot = text.find('.');
  place.body = text.substr(0, dot);
  place.kind = PlaceDescription::Kind::body;
  if (dot != std::string::npos) {
    place.kind = PlaceDescription::Kind::interface;
    place.name = text.substr(dot + 1);
  }
  if (names.open_bodies.count(place.body)) return place;
  const BodyEntry* body = model.find_body(place.body);
  if (!body) {
    std::vector<std::string> known = known_bodies({model, names});
    if (ground_is_allowed) known.insert(known.begin(), "ground");
    report.error(where, fmt::format("{}: there is no body `{}`", path, place.body),
                 suggestion(place.body, known, "there are"));
  } else if (dot != std::string::npos && !body->has_open_places()) {
    resolve_name(place, path, *body, report);
  }
  return place;
}

const BodyEntry* find_referred_body(const TableView& view, const std::string& key,
                                    const Scope& scope) {
  if (!view.is_good(key)) return nullptr;
  const std::string name = view.text(key);
  const BodyEntry* body = scope.model.find_body(name);
  if (!body && !scope.names.open_bodies.count(name))
    view.report().error(view.where(key),
                        fmt::format("{}: there is no body `{}`", view.path(key), name),
                        suggestion(name, known_bodies(scope), "there are"));
  return body;
}

const JointEntry* find_referred_joint(const TableView& view, const std::string& key,
                                      const Scope& scope) {
  if (!view.is_good(key)) return nullptr;
  const std::string name = view.text(key);
  const JointEntry* joint = scope.model.find_joint(name);
  if (joint || scope.names.open_joints.count(name)) return joint;
  std::vector<std::string> known;
  for (const auto& candidate : scope.model.joints) known.push_back(candidate->name);
  known.insert(known.end(), scope.names.open_joints.begin(), scope.names.open_joints.end());
  view.report().error(
      view.where(key), fmt::format("{}: there is no joint `{}`", view.path(key), name),
      known.empty() ? "define it under `joints:`" : suggestion(name, known, "there are"));
  return nullptr;
}

}  // namespace solidyn::model
