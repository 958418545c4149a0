#include <fmt/format.h>

#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_grammar.h"
#include "solidyn/contact/geometry.h"

namespace solidyn::model {
namespace {

bool is_read(const TableView& view) {
  for (const char* key : {"radius", "length", "size"})
    if (view.has(key) && !view.is_good(key)) return false;
  return !view.type().empty();
}

// A polyhedron that is none has been reported.
bool is_there(const contact::Shape& shape) {
  const auto* polyhedron = std::get_if<contact::Polyhedron>(&shape);
  return !polyhedron || !polyhedron->points.empty();
}

// Whether contact of the two shapes is supported; if not, that has been reported.
bool check_pair(const TableView& view, const ContactEntry& contact) {
  if (contact.shapes[0].is_points && contact.shapes[1].is_points) {
    view.report().error(view.where(), fmt::format("{}: points cannot contact points", view.path()),
                        "use a plane or another shape on one of the two places");
    return false;
  }
  if (!is_there(contact.shapes[0].shape) || !is_there(contact.shapes[1].shape)) return false;
  try {
    contact::make_geometry(contact.shapes[0].shape, contact.shapes[1].shape);
  } catch (const base::InputError& e) {
    const base::Diagnostic& d = e.diagnostics().front();
    view.report().error(view.where(), fmt::format("{}: {}", view.path(), d.what), d.remedy);
    return false;
  }
  return true;
}

std::vector<KeySpec> shape_keys() {
  return {
      Key("first", Form::table, "the shape on the first place, or those of a group of bodies",
          "{shape: plane, axis: [0, 0, 1]}")
          .holds(contact_shape_table())
          .needed(),
      Key("second", Form::table,
          "the shape on the second place, or those of another group; without it those of `first` touch each other",
          "{shape: sphere, radius: 0.02}")
          .holds(contact_shape_table()),
      Key("ignore", Form::name_pairs,
          "of groups: pairs of bodies that do not touch, also with * and ? for several",
          "[[hull, turret], [\"ball*\", lid]]")};
}

void require_second(const TableView& view) {
  view.report().error(
      view.where(), fmt::format("{} is missing", view.path("second")),
      "the shape on the second place; for example  second: {shape: sphere, radius: 0.02}");
}

void read_shapes(ContactEntry& contact, const TableView& view, const Scope& scope) {
  if (!view.has("first")) return;
  const TableView first = view.table("first"), second = view.table("second");
  contact.is_group = first.has("bodies") || second.has("bodies");
  if (!contact.is_group && view.has("ignore"))
    view.report().error(
        view.where("ignore"),
        fmt::format("{} is for groups, whose shapes name their `bodies`", view.path("ignore")),
        "remove it");
  if (!contact.is_group && !view.has("second")) return require_second(view);
  contact.shapes[0] = read_shape(first, scope);
  contact.shapes[1] = view.has("second") ? read_shape(second, scope) : contact.shapes[0];
  const contact::Shape &a = contact.shapes[0].shape, &b = contact.shapes[1].shape;
  contact.what = contact::name(a) + " and " + contact::name(b);
  if (is_read(first) && (!view.has("second") || is_read(second)) && check_pair(view, contact))
    contact.curvatures = contact::relative_curvatures(a, b);
}

}  // namespace

ContactType shape_pair_row() {
  return {"shapes", "those of `first` and `second`", shape_keys(), read_shapes};
}

}  // namespace solidyn::model
