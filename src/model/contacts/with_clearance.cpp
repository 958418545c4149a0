#include "model/contacts/contact_entry.h"
#include "solidyn/contact/geometry.h"

namespace solidyn::model {
namespace {

using contact::Cylinder;
using contact::Side;
using contact::Sphere;

/// A joint with clearance: the first shape is a bush or socket, the second a pin or ball.
struct Clearance {
  double radius = 0.0, clearance = 0.0, length = 0.0;  ///< m
  std::optional<double> axial;                         ///< m
  std::optional<Eigen::Vector3d> at, axis;             ///< world, t = 0; m, unit
};

Fields<Clearance> fields_of_ball() {
  return {field(Key("at", Form::vector,
                    "the middle of bush and pin, or the centre of the ball, in the world at t = 0",
                    "[0, 0, 0]")
                    .in(kLength)
                    .needed(),
                &Clearance::at),
          field(Key("radius", Form::number, "of the pin or ball", "0.01")
                    .in(kLength)
                    .within(kPositive)
                    .needed(),
                &Clearance::radius),
          field(Key("clearance", Form::number,
                    "radius of the bush or socket minus that of the pin or ball", "1e-4")
                    .in(kLength)
                    .within(kPositive)
                    .needed(),
                &Clearance::clearance)};
}

Fields<Clearance> fields_of_pin() {
  return joined_fields(
      fields_of_ball(),
      Fields<Clearance>{
          field(
              Key("axis", Form::direction, "world at t = 0: the axis of bush and pin", "[0, 0, 1]")
                  .needed(),
              &Clearance::axis),
          field(Key("length", Form::number, "of the bush; the pin touches at its ends", "0.02")
                    .in(kLength)
                    .within(kPositive)
                    .needed(),
                &Clearance::length)});
}

Fields<Clearance> fields_of_pin_between_collars() {
  return joined_fields(
      fields_of_pin(),
      Fields<Clearance>{
          field(Key("axial_clearance", Form::number,
                    "axial play of the pin to either side; by default equal to `clearance`", "1e-4")
                    .in(kLength)
                    .within(kPositive),
                &Clearance::axial)});
}

void make_ball(const Clearance& c, ContactEntry& contact) {
  contact.shapes[0].shape = Sphere{c.radius + c.clearance, Side::inner};
  contact.shapes[1].shape = Sphere{c.radius, Side::outer};
}

void make_pin(const Clearance& c, ContactEntry& contact) {
  contact.shapes[0].shape = Cylinder{c.radius + c.clearance, c.length, Side::inner};
  contact.shapes[1].shape = Cylinder{c.radius, 2.0 * c.length, Side::outer};
}

void make_pin_between_collars(const Clearance& c, ContactEntry& contact) {
  make_pin(c, contact);
  contact.axial_clearance = c.axial.value_or(c.clearance);
}

/// @param make the shapes
ContactType clearance_row(std::string word, std::string meaning, const Fields<Clearance>& fields,
                          void (*make)(const Clearance&, ContactEntry&)) {
  const std::string what = word + " with clearance";
  return {std::move(word), std::move(meaning), keys_of(fields),
          [=](ContactEntry& contact, const TableView& view, const Scope& scope) {
            Clearance given;
            read_fields(fields, view, scope, given);
            make(given, contact);
            for (ContactShapeDescription& shape : contact.shapes) {
              shape.at = given.at;
              shape.axis = given.axis;
            }
            contact.what = what;
            if (view.is_good("radius") && view.is_good("clearance") &&
                (!view.has("length") || view.is_good("length")))
              contact.curvatures =
                  contact::relative_curvatures(contact.shapes[0].shape, contact.shapes[1].shape);
          }};
}

}  // namespace

ContactType revolute_clearance_row() {
  return clearance_row("revolute", "pin in bush with clearance, axially located by two collars",
                       fields_of_pin_between_collars(), make_pin_between_collars);
}

ContactType cylindrical_clearance_row() {
  return clearance_row("cylindrical", "pin in bush with clearance", fields_of_pin(), make_pin);
}

ContactType spherical_clearance_row() {
  return clearance_row("spherical", "ball in socket with clearance", fields_of_ball(), make_ball);
}

}  // namespace solidyn::model
