#include <fmt/format.h>

#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_grammar.h"
#include "model/contacts/read_contacts.h"
#include "model/language/type_table.h"

namespace solidyn::model {

// Of shapes, in shape_pair.cpp; of joints with clearance, in with_clearance.cpp.
ContactType shape_pair_row();
ContactType revolute_clearance_row();
ContactType cylindrical_clearance_row();
ContactType spherical_clearance_row();

namespace {

const std::vector<ContactType>& contact_catalogue() {
  static const std::vector<ContactType> catalogue = {shape_pair_row(), revolute_clearance_row(),
                                                     cylindrical_clearance_row(),
                                                     spherical_clearance_row()};
  return catalogue;
}

void read_law(ContactEntry& contact, const TableView& view, const Scope& scope) {
  read_contact_law(contact, view.table("law"), scope);
}

void read_friction(ContactEntry& contact, const TableView& view, const Scope& scope) {
  if (view.has("friction")) read_contact_friction(contact, view.table("friction"), scope);
}

void read_surface_velocity(ContactEntry& contact, const TableView& view, const Scope&) {
  if (!view.is_good("surface_velocity")) return;
  contact.surface_velocity = view.vector("surface_velocity");
  if (!contact.set_valued && view.is_good("law"))
    view.report().error(view.where("surface_velocity"),
                        fmt::format("{} needs a set-valued law", view.path("surface_velocity")),
                        "choose  law: {type: impact}, or let a body move with the belt's speed");
}

void warn_of_key_without_friction(const TableView& view, const char* key) {
  if (!view.has(key)) return;
  view.report().warning(view.where(key),
                        fmt::format("{} has no effect without friction", view.path(key)),
                        "give the contact  friction: {static: 0.3},  or remove it");
}

// A surface moves within itself.
void check_surface_velocity(const ContactEntry& contact, const TableView& view) {
  constexpr double kAcross = 1e-9;  // of the speed
  const Eigen::Vector3d& v = contact.surface_velocity;
  const ContactShapeDescription& first = contact.shapes[0];
  if (v.isZero(0.0) || !contact.set_valued) return;
  const bool is_plane = std::holds_alternative<contact::Plane>(first.shape);
  if (is_plane && first.axis && std::abs(v.dot(*first.axis)) > kAcross * v.norm())
    view.report().error(view.where("surface_velocity"),
                        fmt::format("{} leads out of the plane, whose axis is [{:g}, {:g}, {:g}]",
                                    view.path("surface_velocity"), (*first.axis)[0],
                                    (*first.axis)[1], (*first.axis)[2]),
                        "give a velocity along the plane, or let a driven body move the plane");
}

// What acts by friction alone.
void warn_of_keys_without_friction(const ContactEntry& contact, const TableView& view) {
  if (!contact.set_valued || contact.set_valued->has_friction()) return;
  if (!contact.surface_velocity.isZero(0.0)) warn_of_key_without_friction(view, "surface_velocity");
  warn_of_key_without_friction(view.table("law"), "tangential_restitution");
}

void warn_of_resolution(const ContactEntry& contact, const TableView& view) {
  if (contact.set_valued && view.has("resolution"))
    view.report().warning(view.where("resolution"),
                          fmt::format("{} has no effect: a set-valued contact needs no short steps",
                                      view.path("resolution")),
                          "remove it");
}

// Of all types. @pre the shapes were read
const Fields<ContactEntry>& contact_fields() {
  using Self = ContactEntry;
  static const Fields<Self> list = {
      read_by<Self>(
          Key("between", Form::references,
              "the two places: `ground`, `body` (rigid bodies), `body.frame`, `body.interface` or `body.point`; `body` alone for a shape of `points` or `nodes`; not for groups, whose shapes name their `bodies`",
              "[ground, ball]")
              .sized(2),
          read_contact_places),
      read_by<Self>(
          Key("law", Form::table, "the normal force: by penalty, or, with `impact`, set-valued",
              "{type: hertz, stiffness: 1e9}")
              .holds(contact_law_table())
              .needed(),
          read_law),
      read_by<Self>(Key("friction", Form::table, "friction; by default none", "{static: 0.3}")
                        .holds(contact_friction_table()),
                    read_friction),
      field(
          Key("resolution", Form::number,
              "a step in which the approach velocity changes by more than this fraction of the impact velocity, or the impact energy by more than 0.03 times this fraction, is repeated with shorter steps",
              "0.1")
              .within({0.0, 10.0, false, true})
              .or_default(),
          &ContactDescription::resolution)
          .of_derived<Self>(),
      read_by<Self>(
          Key("surface_velocity", Form::vector,
              "with `law: {type: impact}`: velocity of the first place's surface against its material, world axes at t = 0 (a belt)",
              "[0.1, 0, 0]")
              .in(kVelocity),
          read_surface_velocity)};
  return list;
}

}  // namespace

const TableSpec& contact_table() {
  static const TableSpec table = table_of_types(
      "contact",
      "Contact between two places by penalty or by a set-valued law: of two shapes, or a joint with clearance: a bush or socket on the first place and a pin or ball on the second. Or between groups of bodies with shapes.",
      type_key("type", contact_catalogue()).or_else("shapes"), contact_catalogue(),
      keys_of(contact_fields()));
  return table;
}

std::vector<ContactDescription> read_contacts(const TableView& file, const Scope& scope) {
  std::vector<ContactDescription> contacts;
  for (const auto& [name, view] : file.tables("contacts")) {
    const ContactType* type = find_row(contact_catalogue(), view.type());
    if (!type) continue;  // the grammar has complained
    ContactEntry contact;
    contact.name = name;
    contact.where = view.where();
    type->read(contact, view, scope);
    read_fields(contact_fields(), view, scope, contact);
    warn_of_resolution(contact, view);
    check_surface_velocity(contact, view);
    warn_of_keys_without_friction(contact, view);
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace solidyn::model
