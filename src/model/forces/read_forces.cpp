#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/forces/read_expressions.h"
#include "model/forces/read_springs.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using Matrix6 = BushingDescription::Matrix6;

ForceType force_type(const std::string& word) {
  for (ForceType type : {ForceType::torsional_spring_damper, ForceType::bushing, ForceType::drag,
                         ForceType::expression, ForceType::plugin})
    if (word == name(type)) return type;
  return ForceType::spring_damper;
}

/// A place that moves, or may be the ground, and has a frame. @param turns the force has a torque
void check_force_place(const TableView& view, const std::string& key, const std::string& text,
                       const base::SourceLocation& where, const PlaceDescription& place, bool turns,
                       const ModelDescription& model, const Names& names) {
  const BodyDescription* body = model.find_body(place.body);
  if (!body || names.open_bodies.count(place.body)) return;
  if (place.kind == PlaceDescription::Kind::body && body->type != BodyType::rigid)
    view.report().error(
        where,
        fmt::format("{}: `{}` is flexible; a force needs one of its interfaces or points",
                    view.path(key), text),
        fmt::format("declare one under bodies.{}.interfaces", body->name));
  if (turns && place.kind == PlaceDescription::Kind::point)
    view.report().error(
        where, fmt::format("{}: `{}` is a point, which takes no torque", view.path(key), text),
        "declare an interface there");
}

void read_place_of_force(const TableView& view, const std::string& key, bool ground_is_allowed,
                         bool turns, PlaceDescription& place, const ModelDescription& model,
                         const Names& names) {
  if (!view.is_good(key)) return;
  place = read_place(view.text(key), view.path(key), view.where(key), model, names,
                     ground_is_allowed, view.report());
  check_force_place(view, key, view.text(key), view.where(key), place, turns, model, names);
}

void read_force_places(const TableView& view, ForceDescription& force, bool turns,
                       const ModelDescription& model, const Names& names) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    const base::SourceLocation& where = list.items[i].where;
    force.between[i] =
        read_place(texts[i], view.path("between"), where, model, names, true, view.report());
    check_force_place(view, "between", texts[i], where, force.between[i], turns, model, names);
  }
  const PlaceDescription &A = force.between[0], &B = force.between[1];
  const BodyDescription* body = model.find_body(A.body);
  if (A.body == B.body && (A.body.empty() || (body && body->type == BodyType::rigid)))
    view.report().error(view.where("between"),
                        fmt::format("{} is {}: nothing moves between the two places",
                                    view.path("between"), shown(list)),
                        "name a place of another body");
}

void read_spring_damper(const TableView& view, ForceDescription& force,
                        const ModelDescription& model, const Names& names) {
  read_force_places(view, force, false, model, names);
  const char* keys[] = {"at_first", "at_second"};
  for (int i = 0; i < 2; ++i) {
    if (view.is_good(keys[i])) force.ends[i] = view.vector(keys[i]);
    if (view.has(keys[i]) && force.between[i].kind == PlaceDescription::Kind::point)
      view.report().error(view.where(keys[i]),
                          fmt::format("{}: the place is a point already", view.path(keys[i])),
                          "remove it, or name an interface");
    if (view.is_good("between") && !view.has(keys[i]) &&
        force.between[i].kind == PlaceDescription::Kind::ground)
      view.report().error(view.where(), fmt::format("{} is missing", view.path(keys[i])),
                          "give the end on the ground in world coordinates, for example  " +
                              std::string(keys[i]) + ": [0, 0, 1]");
  }
  force.spring = read_spring(view, along_a_line(view));
  force.spring.actuator = read_over_sensor(view, "actuator", model.sensors);
}

/// A point for the frames of a torsional spring or bushing.
void read_frames(const TableView& view, ForceDescription& force) {
  if (view.is_good("at")) force.at = view.vector("at");
  if (view.is_good("axis")) force.axis = view.direction("axis");
  if (view.is_good("reference")) force.reference = view.direction("reference");
  if (force.reference && !force.axis) force.axis = Eigen::Vector3d::UnitZ();
  if (force.reference && force.axis->cross(*force.reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the axis", view.path("reference")),
                        "give a direction across the axis, or leave it out");
  const bool has_origin = std::any_of(force.between.begin(), force.between.end(),
                                      std::mem_fn(&PlaceDescription::has_own_pose));
  if (view.is_good("between") && !view.has("at") && !has_origin)
    view.report().error(view.where(), fmt::format("{} is missing", view.path("at")),
                        "give the point in world coordinates at t = 0, for example  at: [0, 0, "
                        "0]; only a force at an interface or frame can do without");
}

void read_joint_of_torsion(const TableView& view, ForceDescription& force,
                           const ModelDescription& model, const Names& names) {
  for (const char* key : {"between", "at", "axis", "reference"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{} is given beside `joint`", view.path(key)),
                          "remove it: the torque acts on that joint's places and axis");
  const JointDescription* joint = find_referred_joint(view, "joint", model.joints);
  if (!joint) return;
  force.joint = joint->name;
  if (names.open_joints.count(joint->name)) return;
  if (joint->type != JointType::revolute && joint->type != JointType::cylindrical)
    view.report().error(view.where("joint"),
                        fmt::format("{}: `{}` is of type {}, which has no single rotation",
                                    view.path("joint"), joint->name, name(joint->type)),
                        "name a revolute or cylindrical joint, or give `between` and `axis`");
}

/// Unless both places have a z axis of their own.
void require_axis(const TableView& view, const ForceDescription& force) {
  const bool have_own = std::all_of(force.between.begin(), force.between.end(),
                                    std::mem_fn(&PlaceDescription::has_own_pose));
  if (!view.has("axis") && (!have_own || view.has("reference")))
    view.report().error(view.where(), fmt::format("{} is missing", view.path("axis")),
                        "give the axis in world coordinates at t = 0, for example  axis: [0, "
                        "0, 1]; only between two interfaces or frames their z axes will do");
}

void read_torsion(const TableView& view, ForceDescription& force, const ModelDescription& model,
                  const Names& names) {
  if (view.has("joint")) {
    read_joint_of_torsion(view, force, model, names);
  } else if (!view.has("between")) {
    view.report().error(view.where(), fmt::format("{} is missing", view.path("joint")),
                        "name a revolute or cylindrical joint, or give `between` and `axis`");
  } else {
    read_force_places(view, force, true, model, names);
    require_axis(view, force);
    read_frames(view, force);
  }
  force.spring = read_spring(view, about_an_axis(view));
  force.spring.actuator = read_over_sensor(view, "actuator", model.sensors);
}

/// The file's units of a bushing's stiffness: force by length, by angle, torque by length, by
/// angle.
Matrix6 stiffness_scales(const Units& units) {
  const double of_row[] = {units.force, units.force * units.length};
  const double of_column[] = {units.length, units.angle};
  Matrix6 scales;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) scales(i, j) = of_row[i / 3] / of_column[j / 3];
  return scales;
}

/// In the file's units. @pre the value is good
Matrix6 read_matrix(const Value& value) {
  Matrix6 matrix = Matrix6::Zero();
  for (int i = 0; i < 6; ++i)
    if (value.items[i].items.empty())
      matrix(i, i) = *as_number(value.items[i]);
    else
      for (int j = 0; j < 6; ++j) matrix(i, j) = *as_number(value.items[i].items[j]);
  return matrix;
}

Matrix6 read_symmetric(const TableView& view, const std::string& key, const Matrix6& scales) {
  if (!view.is_good(key)) return Matrix6::Zero();
  const Matrix6 matrix = read_matrix(*view.find(key)).cwiseProduct(scales);
  const double size = matrix.cwiseAbs().maxCoeff();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(matrix(i, j) - matrix(j, i)) > 1e-9 * size) {
        view.report().error(
            view.where(key),
            fmt::format("{} is not symmetric: row {} number {} is {:g}, row {} "
                        "number {} is {:g} (SI)",
                        view.path(key), i + 1, j + 1, matrix(i, j), j + 1, i + 1, matrix(j, i)),
            "make both the same");
        return Matrix6::Zero();
      }
  return 0.5 * (matrix + matrix.transpose());
}

void read_bushing(const TableView& view, ForceDescription& force, const ModelDescription& model,
                  const Names& names) {
  read_force_places(view, force, true, model, names);
  read_frames(view, force);
  const Units& units = view.context().units;
  const Matrix6 scales = stiffness_scales(units);
  force.bushing.stiffness = read_symmetric(view, "stiffness", scales);
  force.bushing.damping = read_symmetric(view, "damping", units.time * scales);
  const Eigen::SelfAdjointEigenSolver<Matrix6> eigen(force.bushing.damping, Eigen::EigenvaluesOnly);
  const double least = eigen.eigenvalues().minCoeff();
  if (least < -1e-9 * eigen.eigenvalues().cwiseAbs().maxCoeff())
    view.report().error(view.where("damping"),
                        fmt::format("{} has the negative eigenvalue {:g}: it would add energy",
                                    view.path("damping"), least),
                        "give a damping that resists every motion, or none");
  if (!view.is_good("preload")) return;
  const std::vector<double> preload = view.numbers("preload");
  for (int i = 0; i < 6; ++i)
    force.bushing.preload[i] = preload[i] * units.force * (i < 3 ? 1.0 : units.length);
  const bool is_ball = force.bushing.stiffness.bottomRows<3>().isZero(0.0);
  if (is_ball && view.is_good("stiffness") && !force.bushing.preload.tail<3>().isZero(0.0))
    view.report().error(view.where("preload"),
                        fmt::format("{} has a moment, and {} resists no rotation: there is no "
                                    "angle for the moment to work on",
                                    view.path("preload"), view.path("stiffness")),
                        "give the moment as a load, or as the `actuator` of a "
                        "torsional_spring_damper");
}

void read_drag(const TableView& view, ForceDescription& force, const ModelDescription& model,
               const Names& names) {
  force.drag.viscous = view.number("viscous");
  force.drag.rotational = view.number("viscous_rotational");
  force.drag.quadratic =
      0.5 * view.number("density") * view.number("drag_coefficient") * view.number("area");
  force.drag.medium = read_time_vector(view, "medium_velocity");
  if (!view.has("viscous") && !view.has("viscous_rotational") && !view.has("drag_coefficient") &&
      !view.has("area") && !view.has("density"))
    view.report().error(view.where(), fmt::format("{} has no drag", view.path()),
                        "give `viscous`, `viscous_rotational`, or `drag_coefficient`, `area` and "
                        "`density`");
  read_place_of_force(view, "at", false, view.has("viscous_rotational"), force.between[1], model,
                      names);
}

void read_expression(const TableView& view, ForceDescription& force, const ModelDescription& model,
                     const Names& names) {
  const bool turns = view.has("torque");
  read_place_of_force(view, "at", false, turns, force.between[1], model, names);
  read_place_of_force(view, "reaction_on", true, true, force.between[0], model, names);
  if (!force.between[0].body.empty() && force.between[0].body == force.between[1].body)
    view.report().error(view.where("reaction_on"),
                        fmt::format("{} is on the body that the force acts on, so that nothing is "
                                    "left of it",
                                    view.path("reaction_on")),
                        "name another body, or leave it out: then the ground takes the reaction");
  if (!view.has("force") && !turns)
    view.report().error(view.where(), fmt::format("{} has neither force nor torque", view.path()),
                        "give one, for example  force: [0, 0, \"-2e4*tip.z\"]");
  force.expression = read_expressions(view, model.sensors);
}

void read_plugin(const TableView& view, ForceDescription& force, const ModelDescription& model,
                 const Names& names) {
  read_force_places(view, force, true, model, names);
  if (view.is_good("library")) force.plugin.library = model.directory / view.text("library");
  const Value* parameters = view.is_good("parameters") ? view.find("parameters") : nullptr;
  if (!parameters) return;
  for (const Entry& entry : parameters->entries)
    force.plugin.parameters.emplace_back(entry.key, *as_number(entry.value));
}

}  // namespace

std::vector<ForceDescription> read_forces(const TableView& file, const ModelDescription& model,
                                          const Names& names) {
  std::vector<ForceDescription> forces;
  for (const auto& [name, view] : file.tables("forces")) {
    if (view.type().empty()) continue;
    ForceDescription force;
    force.name = name;
    force.where = view.where();
    force.type = force_type(view.type());
    switch (force.type) {
      case ForceType::spring_damper:
        read_spring_damper(view, force, model, names);
        break;
      case ForceType::torsional_spring_damper:
        read_torsion(view, force, model, names);
        break;
      case ForceType::bushing:
        read_bushing(view, force, model, names);
        break;
      case ForceType::drag:
        read_drag(view, force, model, names);
        break;
      case ForceType::expression:
        read_expression(view, force, model, names);
        break;
      case ForceType::plugin:
        read_plugin(view, force, model, names);
        break;
    }
    forces.push_back(std::move(force));
  }
  return forces;
}

}  // namespace solidyn::model
