#include "model/contacts/read_contacts.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/joints/friction_checks.h"
#include "model/language/spelling.h"
#include "solidyn/contact/geometry.h"

namespace solidyn::model {
namespace {

using Kind = PlaceDescription::Kind;
using contact::Side;

// A node of a mesh that touches with its own position.
const contact::Shape kPoint = contact::Sphere{0.0};

contact::Shape read_shape_kind(const TableView& view) {
  const std::string& word = view.type();
  if (word == "plane") return contact::Plane{};
  if (word == "points" || word == "nodes") return kPoint;
  if (word == "box") return contact::Box{view.vector("size")};
  const double radius = view.number("radius");
  if (word == "sphere" || word == "hollow_sphere")
    return contact::Sphere{radius, word == "sphere" ? Side::outer : Side::inner};
  const double length = view.number("length");
  if (word == "capsule") return contact::Capsule{radius, length};
  return contact::Cylinder{radius, length, word == "cylinder" ? Side::outer : Side::inner};
}

ContactShapeDescription read_shape(const TableView& view) {
  ContactShapeDescription shape;
  if (view.type().empty()) return shape;
  shape.is_points = view.type() == "points" || view.type() == "nodes";
  if (view.type() == "nodes") shape.nodes = read_nodes(view.table("nodes"));
  shape.shape = read_shape_kind(view);
  if (view.is_good("at")) shape.at = view.vector("at");
  if (view.is_good("axis")) shape.axis = view.direction("axis");
  if (view.is_good("reference")) shape.reference = view.direction("reference");
  if (shape.axis && shape.reference && shape.axis->cross(*shape.reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the axis", view.path("reference")),
                        "give a direction across the axis, or leave it out");
  if (view.is_good("size") && view.vector("size").minCoeff() <= 0.0)
    view.report().error(view.where("size"),
                        fmt::format("{}: the edges of a box are positive", view.path("size")),
                        "give three lengths, for example  size: [0.1, 0.2, 0.1]");
  return shape;
}

bool has_nodes_as_unknowns(const BodyDescription& body) {
  return body.type == BodyType::corotational || body.type == BodyType::inertial;
}

// Points and nodes belong to a flexible body as a whole.
void check_place_of_points(const TableView& view, const std::string& text,
                           const PlaceDescription& place, const ContactShapeDescription& shape,
                           const BodyDescription* body) {
  const auto complain = [&](const char* what, const std::string& remedy) {
    view.report().error(place.where, fmt::format("{}: `{}` {}", view.path("between"), text, what),
                        remedy);
  };
  if (place.kind == Kind::ground || (body && body->type == BodyType::rigid))
    return complain("has no points to touch with", "name a flexible body");
  if (!body) return;
  if (place.kind != Kind::body)
    return complain("is a single place; points and nodes are those of a body",
                    fmt::format("write  {}", place.body));
  if (body->type == BodyType::superelement)
    return complain("is a superelement, which has no points that move on their own",
                    "let one of its interfaces touch, or make the body  type: modal");
  if (shape.nodes && (body->flexible.mesh.empty() || body->type == BodyType::beam))
    return complain("has no mesh from which nodes can be taken",
                    "let its points touch: shape: points");
  if (!shape.nodes && body->flexible.points.empty() && body->flexible.reduced_body.empty())
    complain("has no points", fmt::format("declare them under bodies.{}.points", body->name));
}

// What a place that a shape stands on must be; `text` as the file gives it.
void check_place(const TableView& view, const std::string& text, const PlaceDescription& place,
                 const ModelDescription& model, const Names& names) {
  const BodyDescription* body = model.find_body(place.body);
  if (!body || names.open_bodies.count(body->name)) return;
  if (place.kind == Kind::body && body->type != BodyType::rigid)
    view.report().error(place.where,
                        fmt::format("{}: `{}` is flexible; a shape stands on one of its interfaces "
                                    "or points",
                                    view.path("between"), text),
                        fmt::format("declare one under bodies.{}.interfaces", text));
  if (place.kind == Kind::point && has_nodes_as_unknowns(*body))
    view.report().error(place.where,
                        fmt::format("{}: `{}` is a point without axes of its own, on which no "
                                    "shape can stand",
                                    view.path("between"), text),
                        "declare an interface there, or let the points of the body touch: shape: "
                        "points");
}

void read_places(const TableView& view, ContactDescription& contact, const ModelDescription& model,
                 const Names& names) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    contact.between[i] = read_place(texts[i], view.path("between"), list.items[i].where, model,
                                    names, true, view.report());
    ContactShapeDescription& shape = contact.shapes[i];
    if (!shape.is_points) {
      check_place(view, texts[i], contact.between[i], model, names);
      continue;
    }
    const BodyDescription* body = model.find_body(contact.between[i].body);
    check_place_of_points(view, texts[i], contact.between[i], shape, body);
    if (body && !shape.nodes)
      for (const PointDescription& point : body->flexible.points)
        shape.points.push_back(point.name);
  }
  if (contact.between[0].kind == Kind::ground && contact.between[1].kind == Kind::ground)
    view.report().error(view.where("between"),
                        fmt::format("{} is the ground twice", view.path("between")), "name a body");
  const BodyDescription* body = model.find_body(contact.between[0].body);
  if (body && body->type == BodyType::rigid && contact.between[0].body == contact.between[1].body)
    view.report().error(
        view.where("between"),
        fmt::format("{}: both places are on the rigid body `{}`, which cannot touch itself",
                    view.path("between"), body->name),
        "name another body, or `ground`");
}

// Bush or socket, and pin or ball, of a joint with clearance.
void make_joint_shapes(const TableView& view, ContactDescription& contact) {
  const double radius = view.number("radius"), clearance = view.number("clearance");
  if (contact.type == ContactType::spherical) {
    contact.shapes[0].shape = contact::Sphere{radius + clearance, Side::inner};
    contact.shapes[1].shape = contact::Sphere{radius, Side::outer};
  } else {
    const double length = view.number("length");
    contact.shapes[0].shape = contact::Cylinder{radius + clearance, length, Side::inner};
    contact.shapes[1].shape = contact::Cylinder{radius, 2.0 * length, Side::outer};
    contact.axial_clearance =
        view.is_good("axial_clearance") ? view.number("axial_clearance") : clearance;
  }
  for (ContactShapeDescription& shape : contact.shapes) {
    if (view.is_good("at")) shape.at = view.vector("at");
    if (view.is_good("axis")) shape.axis = view.direction("axis");
  }
}

bool is_read(const TableView& view) {
  for (const char* key : {"radius", "length", "size"})
    if (view.has(key) && !view.is_good(key)) return false;
  return !view.type().empty();
}

// Whether the two shapes can be told to touch; if not, that has been reported.
bool check_pair(const TableView& view, const ContactDescription& contact) {
  if (contact.shapes[0].is_points && contact.shapes[1].is_points) {
    view.report().error(view.where(), fmt::format("{}: points touch no points", view.path()),
                        "give one of the two places a plane or another shape");
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

contact::Friction read_friction(const TableView& view) {
  contact::Friction friction;
  if (!view.has("friction")) return friction;
  const TableView table = view.table("friction");
  friction.static_coefficient = table.number("static");
  friction.dynamic_coefficient = friction.static_coefficient;
  friction.transition_speed = table.number("transition_speed");
  if (table.is_good("stribeck_speed")) friction.stribeck_speed = table.number("stribeck_speed");
  if (table.is_good("dynamic")) friction.dynamic_coefficient = table.number("dynamic");
  if (table.is_good("dynamic") && friction.dynamic_coefficient > friction.static_coefficient)
    table.report().error(
        table.where("dynamic"),
        fmt::format("{} is {:g}, above the coefficient of standstill, {:g}", table.path("dynamic"),
                    friction.dynamic_coefficient, friction.static_coefficient),
        "give a `dynamic` that is not larger than `static`");
  if (table.is_good("dynamic") && table.is_good("stribeck_speed"))
    warn_of_unreached_static(table, friction);
  return friction;
}

ContactType contact_type(const std::string& word) {
  return chosen<ContactType>(word, {{"shapes", ContactType::shapes},
                                    {"revolute", ContactType::revolute},
                                    {"cylindrical", ContactType::cylindrical},
                                    {"spherical", ContactType::spherical}});
}

ContactDescription read_contact(const std::string& name, const TableView& view,
                                const ModelDescription& model, const Names& names) {
  ContactDescription contact;
  contact.name = name;
  contact.where = view.where();
  contact.type = contact_type(view.type());
  bool has_shapes = contact.type != ContactType::shapes;
  if (has_shapes) {
    make_joint_shapes(view, contact);
    for (const char* key : {"radius", "clearance", "length"})
      has_shapes = has_shapes && (!view.has(key) || view.is_good(key));
    has_shapes = has_shapes && view.is_good("radius") && view.is_good("clearance");
  } else if (view.has("first") && view.has("second")) {
    const TableView first = view.table("first"), second = view.table("second");
    contact.shapes = {read_shape(first), read_shape(second)};
    has_shapes = is_read(first) && is_read(second) && check_pair(view, contact);
  }
  read_places(view, contact, model, names);
  const Eigen::Vector2d curvatures =
      has_shapes ? contact::relative_curvatures(contact.shapes[0].shape, contact.shapes[1].shape)
                 : Eigen::Vector2d::Ones();
  contact.law = read_contact_law(view.table("law"), curvatures, model);
  contact.friction = read_friction(view);
  contact.resolution = view.number("resolution");
  return contact;
}

}  // namespace

std::vector<ContactDescription> read_contacts(const TableView& file, const ModelDescription& model,
                                              const Names& names) {
  std::vector<ContactDescription> contacts;
  for (const auto& [name, view] : file.tables("contacts"))
    if (!view.type().empty()) contacts.push_back(read_contact(name, view, model, names));
  return contacts;
}

const char* name(analyses::ContactQuantity quantity) {
  static const char* const words[] = {"gap",        "penetration", "normal_force", "friction_force",
                                      "slip_speed", "in_contact",  "force_x",      "force_y",
                                      "force_z"};
  return words[static_cast<int>(quantity)];
}

void read_contact_sensor(const TableView& view, SensorDescription& sensor,
                         const ModelDescription& model) {
  const std::string word = view.text("component");
  for (int i = 0; i <= static_cast<int>(analyses::ContactQuantity::force_z); ++i) {
    const auto quantity = static_cast<analyses::ContactQuantity>(i);
    if (word == name(quantity) ||
        (word == "all" && quantity <= analyses::ContactQuantity::in_contact))
      sensor.contact_quantities.push_back(quantity);
  }
  if (!view.is_good("contact")) return;
  sensor.contact = view.text("contact");
  std::vector<std::string> known;
  for (const ContactDescription& contact : model.contacts) known.push_back(contact.name);
  if (std::find(known.begin(), known.end(), sensor.contact) == known.end())
    view.report().error(
        view.where("contact"),
        fmt::format("{}: there is no contact `{}`", view.path("contact"), sensor.contact),
        known.empty() ? "declare it under `contacts:`"
                      : suggestion(sensor.contact, known, "there are"));
}

}  // namespace solidyn::model
