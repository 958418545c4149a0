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

// Whether contact of the two shapes is supported; if not, that has been reported.
bool check_pair(const TableView& view, const ContactEntry& contact) {
  if (contact.shapes[0].is_points && contact.shapes[1].is_points) {
    view.report().error(view.where(), fmt::format("{}: points cannot contact points", view.path()),
                        "use a plane or another shape on one of the two places");
    return false;
  }
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
      Key("first", Form::table, "the shape on the first place", "{shape: plane, axis: [0, 0, 1]}")
          .holds(contact_shape_table())
          .needed(),
      Key("second", Form::table, "the shape on the second place", "{shape: sphere, radius: 0.02}")
          .holds(contact_shape_table())
          .needed()};
}

void read_shapes(ContactEntry& contact, const TableView& view, const Scope& scope) {
  if (!view.has("first") || !view.has("second")) return;
  const TableView first = view.table("first"), second = view.table("second");
  contact.shapes = {read_shape(first, scope), read_shape(second, scope)};
  const contact::Shape &a = contact.shapes[0].shape, &b = contact.shapes[1].shape;
  contact.what = contact::name(a) + " and " + contact::name(b);
  if (is_read(first) && is_read(second) && check_pair(view, contact))
    contact.curvatures = contact::relative_curvatures(a, b);
}

}  // namespace

ContactType shape_pair_row() {
  return {"shapes", "those of `first` and `second`", shape_keys(), read_shapes};
}

}  // namespace solidyn::model
