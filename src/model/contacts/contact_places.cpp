#include <fmt/format.h>

#include "model/bodies/flexible_entry.h"
#include "model/contacts/contact_entry.h"

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

// What a place that a shape stands on must be; `text` as the file gives it.
void check_place(const TableView& view, const std::string& text, const PlaceDescription& place,
                 const Scope& scope) {
  const BodyEntry* body = scope.model.find_body(place.body);
  if (!body || body->has_open_places()) return;
  if (place.kind == Kind::body && !body->traits().carries_frames)
    view.report().error(
        place.where,
        fmt::format("{}: `{}` is flexible; a shape must be on one of its interfaces or points",
                    view.path("between"), text),
        fmt::format("define one under bodies.{}.interfaces", text));
  if (place.kind == Kind::point && body->traits().has_absolute_nodes)
    view.report().error(
        place.where,
        fmt::format("{}: `{}` is a point without axes, to which no shape can be attached",
                    view.path("between"), text),
        "define an interface there, or use the points of the body: shape: points");
}

}  // namespace

void read_contact_places(ContactEntry& contact, const TableView& view, const Scope& scope) {
  const ModelDescription& model = scope.model;
  if (!view.is_good("between")) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    contact.between[i] = read_place(texts[i], view.path("between"), list.items[i].where, model,
                                    scope.names, true, view.report());
    ContactShapeDescription& shape = contact.shapes[i];
    if (!shape.is_points) {
      check_place(view, texts[i], contact.between[i], scope);
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
