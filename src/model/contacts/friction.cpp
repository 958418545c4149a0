#include <fmt/format.h>

#include <algorithm>

#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_grammar.h"
#include "model/joints/friction_checks.h"

namespace solidyn::model {
namespace {

using contact::Friction;

const Fields<Friction>& friction_fields() {
  static const Fields<Friction> list = {
      field(Key("static", Form::number, "static coefficient, near standstill", "0.3")
                .within(kNotNegative)
                .needed(),
            &Friction::static_coefficient),
      field(Key("dynamic", Form::number, "kinetic coefficient; by default the static one", "0.2")
                .within(kNotNegative),
            &Friction::dynamic_coefficient),
      field(
          Key("stribeck_speed", Form::number,
              "slip velocity over which the coefficient falls: mu = dynamic + (static - dynamic) exp(-(v/stribeck_speed)^2)",
              "0.1")
              .in(kVelocity)
              .within(kPositive)
              .with("dynamic"),
          &Friction::stribeck_speed),
      field(
          Key("transition_speed", Form::number,
              "slip velocity over which friction builds up: the fraction v / sqrt(v^2 + transition_speed^2) of it acts",
              "1e-3")
              .in(kVelocity)
              .within(kPositive)
              .or_default(),
          &Friction::transition_speed),
      read_elsewhere<Friction>(
          Key("rolling", Form::number,
              "rolling friction of set-valued contacts (`law: {type: impact}`), a length: the moment about the tangents is at most this times the normal force; by default none",
              "1e-3")
              .in(kLength)
              .within(kNotNegative)),
      read_elsewhere<Friction>(
          Key("drilling", Form::number,
              "drilling (spinning, torsional) friction of set-valued contacts (`law: {type: impact}`), a length: the moment about the normal is at most this times the normal force; by default none",
              "1e-3")
              .in(kLength)
              .within(kNotNegative))};
  return list;
}

// Of penalty laws, whose friction must be a function of the slip speed.
void check_companions(const TableView& table) {
  if (table.has("dynamic") && !table.has("stribeck_speed"))
    table.report().error(
        table.where("dynamic"),
        fmt::format("{} is given without `stribeck_speed`", table.path("dynamic")),
        "give it, for example  stribeck_speed: 0.1, or choose  law: {type: impact}");
}

// m, a radius or half a thickness; 0 of points and of what has no end.
double size_of(const contact::Shape& shape) {
  if (const auto* sphere = std::get_if<contact::Sphere>(&shape)) return sphere->radius;
  if (const auto* cylinder = std::get_if<contact::Cylinder>(&shape)) return cylinder->radius;
  if (const auto* capsule = std::get_if<contact::Capsule>(&shape)) return capsule->radius;
  if (const auto* box = std::get_if<contact::Box>(&shape)) return 0.5 * box->size.minCoeff();
  const auto* polyhedron = std::get_if<contact::Polyhedron>(&shape);
  if (!polyhedron || polyhedron->points.empty()) return 0.0;
  Eigen::AlignedBox3d bounds;
  for (const Eigen::Vector3d& x : polyhedron->points) bounds.extend(x);
  return 0.5 * bounds.sizes().minCoeff();
}

// At which moments are as large as forces: it scales them, and decides nothing.
double arm_of(const ContactEntry& contact) {
  const forces::SetValuedLaw& law = *contact.set_valued;
  double arm = 0.0;
  for (const ContactShapeDescription& shape : contact.shapes) {
    const double size = size_of(shape.shape);
    if (size > 0.0) arm = arm > 0.0 ? std::min(arm, size) : size;
  }
  return arm > 0.0 ? arm : std::max(law.rolling, law.drilling);
}

void refuse_moments(const ContactEntry& contact, const TableView& table) {
  const bool is_points = contact.shapes[0].is_points || contact.shapes[1].is_points;
  for (const char* key : {"rolling", "drilling"}) {
    if (!table.has(key)) continue;
    if (!contact.set_valued)
      table.report().error(table.where(key),
                           fmt::format("{} needs a set-valued law", table.path(key)),
                           "choose  law: {type: impact}, or remove it");
    else if (is_points)
      table.report().error(
          table.where(key),
          fmt::format("{}: `points` and `nodes` do not turn against what they touch",
                      table.path(key)),
          "give the body a shape such as a sphere, or remove it");
  }
}

// Set-valued: it jumps from static to dynamic, unless a Stribeck curve says otherwise.
void read_set_valued(ContactEntry& contact, const TableView& table) {
  forces::SetValuedLaw& law = *contact.set_valued;
  law.static_coefficient = contact.friction.static_coefficient;
  law.dynamic_coefficient = contact.friction.dynamic_coefficient;
  law.stribeck_speed = table.is_good("stribeck_speed") ? contact.friction.stribeck_speed : 0.0;
  if (table.is_good("rolling")) law.rolling = table.number("rolling");
  if (table.is_good("drilling")) law.drilling = table.number("drilling");
  if (law.n_moments() > 0) law.arm = arm_of(contact);
  if (table.has("transition_speed"))
    table.report().warning(
        table.where("transition_speed"),
        fmt::format("{} has no effect: a set-valued contact sticks without creep",
                    table.path("transition_speed")),
        "remove it");
}

}  // namespace

const TableSpec& contact_friction_table() {
  static const TableSpec table{
      "contact friction",
      "Coulomb friction with a Stribeck curve; regularised with penalty laws, where sticking is replaced by slow creep. With set-valued ones rolling and drilling friction too.",
      keys_of(friction_fields())};
  return table;
}

void read_contact_friction(ContactEntry& contact, const TableView& table, const Scope& scope) {
  Friction& friction = contact.friction;
  read_fields(friction_fields(), table, scope, friction);
  if (!contact.set_valued) check_companions(table);
  refuse_moments(contact, table);
  if (!table.is_good("dynamic")) friction.dynamic_coefficient = friction.static_coefficient;
  if (friction.dynamic_coefficient > friction.static_coefficient)
    table.report().error(
        table.where("dynamic"),
        fmt::format("{} is {:g}, larger than the static coefficient, {:g}", table.path("dynamic"),
                    friction.dynamic_coefficient, friction.static_coefficient),
        "give a `dynamic` that is not larger than `static`");
  if (contact.set_valued)
    read_set_valued(contact, table);
  else if (table.is_good("dynamic") && table.is_good("stribeck_speed"))
    warn_of_unreached_static(table, friction);
}

}  // namespace solidyn::model
