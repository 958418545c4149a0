#include <fmt/format.h>

#include "model/bodies/flexible_entry.h"
#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_groups.h"

namespace solidyn::model {
namespace {

using Kind = PlaceDescription::Kind;

// Points and nodes belong to a flexible body as a whole.
void check_place_of_points(const TableView& view, const std::string& text,
                           const PlaceDescription& place, const ContactShapeDescription& shape,
                           const BodyEntry* body) {
  const auto complain = [&](const char* what, const std::string& remedy) {
    view.report().error(place.where, fmt::format("{}: `{}` {}", view.path("between"), text, what),
                        remedy);
  };
  if (place.kind == Kind::ground || (body && body->traits().carries_frames))
    return complain("has no contact points", "give a flexible body");
  if (!body) return;
  if (place.kind != Kind::body)
    return complain("is a single place; points and nodes belong to a body",
                    fmt::format("write  {}", place.body));
  if (body->traits().has_passive_points)
    return complain("is a superelement, which has no independently moving points",
                    "use one of its interfaces for the contact, or  type: modal  for the body");
  if (shape.nodes && (!body->flexible() || body->flexible()->mesh.empty()))
    return complain("has no mesh from which nodes could be selected",
                    "use its points: shape: points");
  if (!shape.nodes && body->place_names(Kind::point).empty() && body->reduced_file().empty())
    complain("has no points", fmt::format("define them under bodies.{}.points", body->name));
}

// Two places must be given, unless the shapes say where they stand.
bool require_between(const TableView& view) {
  if (!view.has("between"))
    view.report().error(view.where(), fmt::format("{} is missing", view.path("between")),
                        "the two places; for example  between: [ground, ball]");
  return view.is_good("between");
}

}  // namespace

void check_contact_place(const std::string& path, const std::string& text,
                         const PlaceDescription& place, const Scope& scope, Report& report) {
  const BodyEntry* body = scope.model.find_body(place.body);
  if (!body || body->has_open_places()) return;
  if (place.kind == Kind::body && !body->traits().carries_frames)
    report.error(
        place.where,
        fmt::format("{}: `{}` is flexible; a shape must be on one of its interfaces or points",
                    path, text),
        fmt::format("define one under bodies.{}.interfaces", text));
  if (place.kind == Kind::point && body->traits().has_absolute_nodes)
    report.error(place.where,
                 fmt::format("{}: `{}` is a point without axes, to which no shape can be attached",
                             path, text),
                 "define an interface there, or use the points of the body: shape: points");
}

void read_contact_places(ContactEntry& contact, const TableView& view, const Scope& scope) {
  const ModelDescription& model = scope.model;
  if (contact.is_group) return read_groups(contact, view, scope);
  if (!require_between(view)) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    contact.between[i] = read_place(texts[i], view.path("between"), list.items[i].where, model,
                                    scope.names, true, view.report());
    ContactShapeDescription& shape = contact.shapes[i];
    if (!shape.is_points) {
      check_contact_place(view.path("between"), texts[i], contact.between[i], scope, view.report());
      continue;
    }
    const BodyEntry* body = model.find_body(contact.between[i].body);
    check_place_of_points(view, texts[i], contact.between[i], shape, body);
    if (body && !shape.nodes) shape.points = body->place_names(Kind::point);
  }
  if (contact.between[0].kind == Kind::ground && contact.between[1].kind == Kind::ground)
    view.report().error(view.where("between"),
                        fmt::format("{} is the ground twice", view.path("between")), "give a body");
  const BodyEntry* body = model.find_body(contact.between[0].body);
  if (body && body->traits().carries_frames && contact.between[0].body == contact.between[1].body)
    view.report().error(view.where("between"),
                        fmt::format("{}: both places are on the same rigid body `{}`",
                                    view.path("between"), body->name),
                        "give another body, or `ground`");
}

}  // namespace solidyn::model
