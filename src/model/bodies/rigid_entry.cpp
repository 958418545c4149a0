#include "model/bodies/rigid_entry.h"

#include <fmt/format.h>

#include "model/bodies/build_bodies.h"
#include "model/bodies/meshed_rigid.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d inertia_matrix(const Value& value) {
  const auto number = [](const Value& item) { return *as_number(item); };
  Matrix3d J = Matrix3d::Zero();
  if (value.items[0].kind == Value::Kind::sequence) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) J(i, j) = number(value.items[i].items[j]);
    return J;
  }
  for (int i = 0; i < 3; ++i) J(i, i) = number(value.items[i]);
  if (value.items.size() == 6) {
    J(0, 1) = J(1, 0) = number(value.items[3]);
    J(0, 2) = J(2, 0) = number(value.items[4]);
    J(1, 2) = J(2, 1) = number(value.items[5]);
  }
  return J;
}

void read_inertia(RigidEntry& rigid, const TableView& view, const Scope&) {
  constexpr double kTolerance = 1e-6;  // relative: inertias come rounded from CAD programs
  if (!view.is_good("inertia")) return;
  const Matrix3d J = inertia_matrix(*view.find("inertia"));
  const std::string shown_value = shown(*view.find("inertia"));
  const auto complain = [&](const char* problem, const char* remedy) {
    view.report().error(view.where("inertia"),
                        fmt::format("{} is {}: {}", view.path("inertia"), shown_value, problem),
                        remedy);
  };
  if ((J - J.transpose()).norm() > kTolerance * J.norm())
    return complain("the matrix is not symmetric", "the entries ij and ji must be equal");
  const Vector3d principal =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  if (principal[0] < -kTolerance * J.norm())
    return complain("a principal moment of inertia is negative",
                    "check the values and the signs of Ixy, Ixz, Iyz");
  if (principal[2] > (principal[0] + principal[1]) * (1.0 + kTolerance) + kTolerance * J.norm())
    view.report().warning(
        view.where("inertia"),
        fmt::format(
            "{} is {}: a principal moment ({:g}) exceeds the sum of the other two ({:g}), which is physically impossible",
            view.path("inertia"), shown_value, principal[2], principal[0] + principal[1]),
        "acceptable in planar motion; otherwise check the moments and their reference point");
  rigid.inertia = J * view.scale("inertia");
}

// `mass` and `inertia` say what the body is; a `mesh` and what belongs to it do not.
void warn_of_mesh_keys(const TableView& body) {
  for (const char* key : {"mesh", "mesh_units", "material", "mass_matrix", "interfaces", "points"})
    if (body.has(key))
      body.report().warning(
          body.where(key),
          fmt::format("{} is not used: the rigid body is defined by `mass` and `inertia`",
                      body.path(key)),
          body.has("mesh")
              ? "remove it; or remove `mass`, `inertia`, `center_of_mass` and `frames` to use the values of the mesh"
              : "remove it");
}

// A rigid body whose mesh says its mass and its interfaces.
bool is_meshed(const TableView& body) { return body.has("mesh") && !body.has("mass"); }

}  // namespace

const Fields<RigidEntry>& RigidEntry::fields() {
  using Self = RigidEntry;
  static const Fields<Self> list = {
      field(
          Key("mass", Form::number,
              "mass; if omitted, a `mesh` determines mass, inertia and interfaces of the rigid body",
              "0.1")
              .in(kMass)
              .within(kPositive),
          &Self::mass),
      field(Key("center_of_mass", Form::vector, "in body axes", "[0.075, 0, 0]")
                .in(kLength)
                .or_default(),
            &Self::center_of_mass),
      read_by<Self>(
          Key("inertia", Form::inertia,
              "about the centre of mass, in body axes: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, Iyz] or the 3 x 3 matrix; Ixy, Ixz, Iyz are entries of that matrix (minus the integral of x y dm ...). Zeros make a point mass",
              "[1e-6, 2e-4, 2e-4]")
              .in(kInertia)
              .or_else("[0, 0, 0]"),
          read_inertia),
      list_field(Key("frames", Form::named_tables, "named frames for joints and sensors",
                     "{pin: {position: [0.15, 0, 0]}}")
                     .holds(frame_table()),
                 FrameDescription::fields(), &Self::frames)};
  return list;
}

void RigidEntry::check(const TableView& view, const Scope&) const {
  warn_of_mesh_keys(view);
  if (!view.has("mass"))
    view.report().error(view.where(),
                        fmt::format("{} is missing (type rigid needs it)", view.path("mass")),
                        "mass; for example  mass: 0.1, or give a `mesh` that determines it");
}

const BodyTraits& RigidEntry::traits() const {
  static const BodyTraits traits = [] {
    BodyTraits rigid;
    rigid.carries_frames = true;
    return rigid;
  }();
  return traits;
}

std::string RigidEntry::in_words() const {
  return fmt::format("mass {:g} kg, {} frames", mass, frames.size());
}

std::vector<PlaceDescription> RigidEntry::places() const {
  std::vector<PlaceDescription> places;
  for (const FrameDescription& frame : frames)
    places.push_back(place(PlaceDescription::Kind::frame, frame.name));
  return places;
}

Refusal RigidEntry::refuses_supports() const {
  return {"is of type rigid, whose nodes cannot be constrained",
          fmt::format(
              "constrain the body by a joint, for example  {{type: fixed, between: [ground, {}]}}",
              name)};
}

Refusal RigidEntry::refuses_own_modes() const {
  return {"is rigid: it has no elastic modes", "give a flexible body"};
}

void RigidEntry::build(const BodyBuilder& builder) const {
  const system::InitialMotion motion = initial_motion(*this);
  const bodies::BodyIndex index = builder.built.system.add_body(
      bodies::make_rigid_body(name, mass, center_of_mass, inertia), motion);
  builder.built.bodies.push_back({name, index, nullptr, nullptr, {}});
  builder.places.add_carrier(index, motion);
  bodies::Frame origin;
  origin.body = index;
  builder.places.add_place(name, "", origin);
  for (const FrameDescription& f : frames) {
    bodies::Frame frame;
    frame.body = index;
    frame.x_B = f.pose.position;
    frame.R_BF = f.pose.rotation.normalized().toRotationMatrix();
    builder.places.add_place(name, f.name, frame);
  }
}

BodyType rigid_row() {
  BodyType type = RigidEntry::row("rigid");
  const std::vector<KeySpec> of_mesh = meshed_rigid_keys();
  type.keys.insert(type.keys.end(), of_mesh.begin(), of_mesh.end());
  type.read = [](const TableView& view, const Scope& scope) {
    return is_meshed(view) ? read_meshed_rigid(view, scope) : RigidEntry::read(view, scope);
  };
  return type;
}

}  // namespace solidyn::model
