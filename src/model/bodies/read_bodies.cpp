#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "model/bodies/beams/read_beams.h"
#include "model/bodies/import/read_import.h"
#include "model/bodies/read_materials.h"
#include "model/bodies/read_stress.h"
#include "model/read.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond about(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis));
}

}  // namespace

Quaterniond read_rotation(const TableView& rotation) {
  if (rotation.is_good("vector")) {
    const Vector3d v = rotation.vector("vector");
    return v.isZero(0.0) ? Quaterniond::Identity() : about(v.normalized(), v.norm());
  }
  if (rotation.is_good("axis")) return about(rotation.direction("axis"), rotation.number("angle"));
  if (rotation.is_good("euler_xyz")) {
    const Vector3d a = rotation.vector("euler_xyz");
    return about(Vector3d::UnitX(), a.x()) * about(Vector3d::UnitY(), a.y()) *
           about(Vector3d::UnitZ(), a.z());
  }
  if (!rotation.is_good("quaternion")) return Quaterniond::Identity();
  const std::vector<double> q = rotation.numbers("quaternion");
  const Quaterniond quaternion(q[0], q[1], q[2], q[3]);
  if (std::abs(quaternion.norm() - 1.0) > 1e-3) {
    rotation.report().error(rotation.where("quaternion"),
                            fmt::format("{} has the norm {:g}: a rotation has norm 1",
                                        rotation.path("quaternion"), quaternion.norm()),
                            "give [w, x, y, z] with w = cos(angle/2), the real part first");
    return Quaterniond::Identity();
  }
  return quaternion.normalized();
}

namespace {

PoseDescription read_pose(const TableView& pose) {
  return {read_rotation(pose.table("rotation")), pose.vector("position")};
}

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

Matrix3d read_inertia(const TableView& body) {
  constexpr double kTolerance = 1e-6;  // relative: inertias come rounded from CAD programs
  if (!body.is_good("inertia")) return Matrix3d::Zero();
  const Matrix3d J = inertia_matrix(*body.find("inertia"));
  const std::string shown_value = shown(*body.find("inertia"));
  const auto complain = [&](const char* problem, const char* remedy) {
    body.report().error(body.where("inertia"),
                        fmt::format("{} is {}: {}", body.path("inertia"), shown_value, problem),
                        remedy);
    return Matrix3d(Matrix3d::Zero());
  };
  if ((J - J.transpose()).norm() > kTolerance * J.norm())
    return complain("the matrix is not symmetric", "give the entry ij equal to the entry ji");
  const Vector3d principal =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(J, Eigen::EigenvaluesOnly).eigenvalues();
  if (principal[0] < -kTolerance * J.norm())
    return complain("a principal moment of inertia is negative",
                    "check the values and the signs of Ixy, Ixz, Iyz");
  if (principal[2] > (principal[0] + principal[1]) * (1.0 + kTolerance) + kTolerance * J.norm())
    body.report().warning(
        body.where("inertia"),
        fmt::format(
            "{} is {}: no real body has a principal moment ({:g}) above the sum of the other "
            "two ({:g})",
            body.path("inertia"), shown_value, principal[2], principal[0] + principal[1]),
        "harmless in planar motion; otherwise check the moments and their reference point");
  return J * body.scale("inertia");
}

// A rigid body whose mesh says its mass and its interfaces.
bool is_meshed_rigid(const TableView& body) {
  return body.type() == "rigid" && body.has("mesh") && !body.has("mass");
}

// The mesh says what these do.
void warn_of_rigid_keys(const TableView& body) {
  for (const char* key : {"center_of_mass", "inertia", "frames"})
    if (body.has(key))
      body.report().warning(body.where(key),
                            fmt::format("{} is not used: without `mass`, the `mesh` says mass, "
                                        "inertia and interfaces of the body",
                                        body.path(key)),
                            "leave it out, or give `mass` too");
}

// `mass` and `inertia` say what the body is; a `mesh` and what belongs to it do not.
void warn_of_mesh_keys(const TableView& body) {
  for (const char* key : {"mesh", "mesh_units", "material", "mass_matrix", "interfaces", "points"})
    if (body.has(key))
      body.report().warning(
          body.where(key),
          fmt::format("{} is not used: `mass` and `inertia` say what the rigid body is",
                      body.path(key)),
          body.has("mesh") ? "leave it out; or leave out `mass`, `inertia`, `center_of_mass` and "
                             "`frames`, and the mesh says them"
                           : "leave it out");
}

RigidDescription read_rigid(const TableView& body) {
  RigidDescription rigid;
  warn_of_mesh_keys(body);
  if (!body.has("mass") && body.is_good("type"))
    body.report().error(body.where(),
                        fmt::format("{} is missing (type rigid needs it)", body.path("mass")),
                        "mass; for example  mass: 0.1, or name a `mesh` that says it");
  rigid.mass = body.number("mass");
  rigid.center_of_mass = body.vector("center_of_mass");
  rigid.inertia = read_inertia(body);
  for (const auto& [name, frame] : body.tables("frames"))
    rigid.frames.push_back({name, read_pose(frame), frame.where()});
  return rigid;
}

}  // namespace

mesh::NodeSelection read_nodes(const TableView& nodes) {
  using Rule = mesh::NodeSelection::Rule;
  mesh::NodeSelection selection;
  if (nodes.has("in_set")) {
    selection.rule = Rule::in_set;
    selection.set = nodes.text("in_set");
  } else if (nodes.has("in_box")) {
    const TableView box = nodes.table("in_box");
    selection.rule = Rule::in_box;
    selection.low = box.vector("low");
    selection.high = box.vector("high");
    if (box.is_good("low") && box.is_good("high") &&
        (selection.low.array() > selection.high.array()).any())
      nodes.report().error(box.where("low"),
                           fmt::format("{} exceeds `high` in some coordinate", box.path("low")),
                           "low holds the smallest x, y and z, high the largest");
  } else if (nodes.has("in_cylinder")) {
    const TableView cylinder = nodes.table("in_cylinder");
    selection.rule = Rule::in_cylinder;
    selection.point = cylinder.vector("point");
    selection.axis = cylinder.direction("axis");
    selection.radius = cylinder.number("radius");
    selection.length = cylinder.number("length");
  } else {
    selection.point = nodes.vector("near");
    selection.radius = nodes.number("radius");
  }
  return selection;
}

namespace {

std::vector<InterfaceDescription> read_interfaces(const TableView& body) {
  std::vector<InterfaceDescription> interfaces;
  for (const auto& [name, view] : body.tables("interfaces")) {
    const auto attach = chosen<mesh::Attachment>(view.text("attach"),
                                                 {{"rbe3", mesh::Attachment::rbe3},
                                                  {"rbe2", mesh::Attachment::rbe2},
                                                  {"three_nodes", mesh::Attachment::three_nodes},
                                                  {"virtual_body", mesh::Attachment::virtual_body},
                                                  {"node", mesh::Attachment::node}});
    interfaces.push_back({{name, read_nodes(view.table("nodes")), attach}, view.where()});
  }
  return interfaces;
}

std::vector<PointDescription> read_points(const TableView& body,
                                          const std::vector<InterfaceDescription>& interfaces) {
  std::vector<PointDescription> points;
  const Value* map = body.find("points");
  if (!map) return points;
  for (const Entry& entry : map->entries) {
    PointDescription point{entry.key, Vector3d::Zero(), entry.where};
    if (entry.value.items.size() == 3)
      for (int i = 0; i < 3; ++i)
        point.x_B[i] = as_number(entry.value.items[i]).value_or(0.0) * body.scale("points");
    const bool is_taken = std::any_of(interfaces.begin(), interfaces.end(), [&](const auto& other) {
      return other.definition.name == point.name;
    });
    if (is_taken)
      body.report().error(entry.where,
                          fmt::format("{}.{} has the name of an interface of the same body",
                                      body.path("points"), point.name),
                          "rename one of them: both are written body.name");
    points.push_back(point);
  }
  return points;
}

DampingDescription read_damping(const TableView& damping) {
  const TableView rayleigh = damping.table("rayleigh");
  return {rayleigh.number("mass"), rayleigh.number("stiffness"), damping.number("modal_ratio"),
          damping.number("modal_ratio_from")};
}

void warn_of_ratio_from(const TableView& damping) {
  if (damping.has("modal_ratio_from") && damping.number("modal_ratio") == 0.0)
    damping.report().warning(
        damping.where("modal_ratio_from"),
        fmt::format("{} has no effect without `modal_ratio`", damping.path("modal_ratio_from")),
        "give `modal_ratio` too, for example  modal_ratio: 0.3");
}

/// What a reduced body brings along itself.
void warn_of_unused(const TableView& body) {
  if (!body.has("reduced_body")) return;
  for (const char* key : {"mesh_units", "material", "mass_matrix", "hex8", "hex20", "modes",
                          "damping", "interfaces", "points", "stress"})
    if (body.has(key))
      body.report().warning(
          body.where(key),
          fmt::format("{} is not used: the `reduced_body` has its own", body.path(key)),
          "leave it out, or reduce the body again with it");
}

bool is_reduced(const TableView& body) {
  return body.type() == "modal" || body.type() == "superelement";
}

/// `mesh` and `material`, `import`, or `reduced_body`.
void read_source(const TableView& body, FlexibleDescription& flexible, const Names& names) {
  if (body.has("import")) {
    flexible.imported = read_import(body);
    flexible.material = read_material(body, names);
    return;
  }
  if (body.has("mesh") && body.has("reduced_body")) {
    body.report().error(body.where("reduced_body"),
                        fmt::format("{} has both `mesh` and `reduced_body`", body.path()),
                        "keep one: a reduced body needs no mesh");
  } else if (!body.has("mesh") && !body.has("reduced_body")) {
    body.report().error(
        body.where(),
        fmt::format("{} is missing (type {} needs it)", body.path("mesh"), body.type()),
        is_reduced(body) ? "name a Gmsh file, for example  mesh: rod.msh, or a `reduced_body`"
                         : "name a Gmsh file, for example  mesh: rod.msh");
  }
  warn_of_unused(body);
  if (body.is_good("mesh"))
    flexible.mesh = (body.context().directory / body.text("mesh")).lexically_normal();
  if (body.is_good("reduced_body"))
    flexible.reduced_body =
        (body.context().directory / body.text("reduced_body")).lexically_normal();
  read_mesh_units(body, flexible);
  const bool brings_material = formats::is_foreign_model_name(flexible.mesh.string());
  flexible.brings_interfaces = brings_material;
  if (brings_material && !body.has("material") && !flexible.has_unit_system)
    body.report().error(
        body.where("mesh_units"),
        fmt::format("{} is {}: a unit of length does not say the units of the file's materials",
                    body.path("mesh_units"), body.text("mesh_units")),
        "name a set of units, for example  mesh_units: tonne-mm-s, or give the body a `material`");
  if (!body.has("material") && body.has("mesh") && !brings_material)
    complain_of_missing_material(body, names);
  flexible.material = read_material(body, names);
}

void read_modal(const TableView& body, FlexibleDescription& flexible) {
  const bool is_principal = body.text("reference_conditions") == "principal_axis";
  flexible.reference_conditions =
      is_principal ? ReferenceConditions::principal_axis : ReferenceConditions::mean_axis;
  flexible.enforced_by = is_principal ? EnforcedBy::multipliers : EnforcedBy::orthogonal_modes;
  if (body.is_good("enforced_by"))
    flexible.enforced_by = chosen<EnforcedBy>(body.text("enforced_by"),
                                              {{"orthogonal_modes", EnforcedBy::orthogonal_modes},
                                               {"multipliers", EnforcedBy::multipliers}});
  if (is_principal && flexible.enforced_by == EnforcedBy::orthogonal_modes)
    body.report().error(
        body.where("enforced_by"),
        fmt::format("{}: orthogonal modes satisfy the mean axis, not the principal axis",
                    body.path("enforced_by")),
        "write  enforced_by: multipliers, or  reference_conditions: mean_axis");
}

void warn_of_mean_axis_level(const TableView& body, const FlexibleDescription& flexible) {
  if (!body.has("mean_axis_level")) return;
  const bool is_mean = flexible.reference_conditions == ReferenceConditions::mean_axis;
  if (is_mean && flexible.enforced_by == EnforcedBy::multipliers) return;
  body.report().warning(
      body.where("mean_axis_level"),
      fmt::format("{} is not used: {}", body.path("mean_axis_level"),
                  is_mean ? "orthogonal modes satisfy the mean axis on every level"
                          : "it is of the mean axis, not of the principal axis"),
      is_mean ? "leave it out, or write  enforced_by: multipliers" : "leave it out");
}

// What the second order of the modes does not go with.
void read_geometric_stiffening(const TableView& body, FlexibleDescription& flexible) {
  flexible.geometric_stiffening = chosen<reduction::GeometricStiffening>(
      body.text("geometric_stiffening"),
      {{"none", reduction::GeometricStiffening::none},
       {"second_order", reduction::GeometricStiffening::second_order}});
  if (flexible.geometric_stiffening == reduction::GeometricStiffening::none) return;
  if (flexible.enforced_by == EnforcedBy::multipliers)
    body.report().error(
        body.where("geometric_stiffening"),
        fmt::format("{} needs modes that satisfy the mean axis: with rigid modes among them, "
                    "displacements of second order would take rigid rotations for strains",
                    body.path("geometric_stiffening")),
        "write  enforced_by: orthogonal_modes  and  reference_conditions: mean_axis");
  for (const InterfaceDescription& i : flexible.interfaces)
    if (i.definition.attach == mesh::Attachment::virtual_body)
      body.report().error(
          body.where("geometric_stiffening"),
          fmt::format("{}: the displacements of second order of interface `{}` are not known: its "
                      "virtual body sits on three nodes",
                      body.path("geometric_stiffening"), i.definition.name),
          "attach it with  rbe3,  three_nodes  or  rbe2");
}

FlexibleDescription read_flexible(const TableView& body, const Names& names) {
  FlexibleDescription flexible;
  read_source(body, flexible, names);
  flexible.mass_matrix =
      is_reduced(body) || is_meshed_rigid(body) ? fem::MassKind::consistent : fem::MassKind::lumped;
  if (body.is_good("mass_matrix"))
    flexible.mass_matrix = chosen<fem::MassKind>(
        body.text("mass_matrix"),
        {{"lumped", fem::MassKind::lumped}, {"consistent", fem::MassKind::consistent}});
  flexible.hex8 = chosen<fem::Hex8Formulation>(
      body.text("hex8"), {{"standard", fem::Hex8Formulation::standard},
                          {"b_bar", fem::Hex8Formulation::b_bar},
                          {"incompatible_modes", fem::Hex8Formulation::incompatible_modes}});
  flexible.has_hex8 = body.has("hex8");
  flexible.has_hex20 = body.has("hex20");
  flexible.hex20 = chosen<fem::Hex20Integration>(
      body.text("hex20"),
      {{"full", fem::Hex20Integration::full}, {"reduced", fem::Hex20Integration::reduced}});
  flexible.mean_axis_level = chosen<MeanAxisLevel>(
      body.text("mean_axis_level"),
      {{"position", MeanAxisLevel::position}, {"velocity", MeanAxisLevel::velocity}});
  flexible.material_law = chosen<MaterialLaw>(
      body.text("material_law"), {{"st_venant_kirchhoff", MaterialLaw::st_venant_kirchhoff},
                                  {"neo_hookean", MaterialLaw::neo_hookean}});
  flexible.damping = read_damping(body.table("damping"));
  flexible.interfaces = read_interfaces(body);
  flexible.points = read_points(body, flexible.interfaces);
  flexible.stress = read_stress(body);
  if (body.type() == "superelement" && body.has("mesh") && !flexible.brings_interfaces &&
      flexible.interfaces.size() < 2)
    body.report().error(body.where(),
                        fmt::format("{} is a superelement with {} interfaces: it needs two or more",
                                    body.path(), flexible.interfaces.size()),
                        "declare them under `interfaces`, or write  type: modal");
  if (body.type() == "modal") {
    read_modal(body, flexible);
    warn_of_mean_axis_level(body, flexible);
    read_geometric_stiffening(body, flexible);
  }
  if (is_meshed_rigid(body)) {
    warn_of_rigid_keys(body);
    flexible.is_rigid = true;
    flexible.static_correction = reduction::StaticCorrection::none;
    flexible.damping = {};
    flexible.stress = {};
  } else if (is_reduced(body)) {
    read_modes_of_body(body, flexible);
    warn_of_ratio_from(body.table("damping"));
    flexible.internal_modes = body.integer("internal_modes");
  } else {
    flexible.enforced_by = EnforcedBy::multipliers;
    const TableView damping = body.table("damping");
    const char* key = flexible.damping.modal_ratio > 0.0 ? "modal_ratio" : "modal_ratio_from";
    if (damping.number(key) > 0.0)
      body.report().warning(
          damping.where(key),
          fmt::format("{} is ignored: it needs modes, which type {} does not have",
                      damping.path(key), body.type()),
          "use `rayleigh` to damp this type");
  }
  return flexible;
}

}  // namespace

// A unit of length, or the name of a set of units.
void read_mesh_units(const TableView& body, FlexibleDescription& flexible) {
  const std::string word = body.text("mesh_units");
  if (const std::optional<double> metres = find_length_unit(word)) {
    flexible.mesh_units.length = *metres;
    flexible.has_unit_system = *metres == 1.0;
  } else if (body.is_good("mesh_units")) {
    flexible.mesh_units = imported::units_by_name(word);
  }
  flexible.mesh_scale = flexible.mesh_units.length;
}

std::vector<BodyDescription> read_bodies(const TableView& file, Names& names) {
  std::vector<BodyDescription> bodies;
  if (const Value* map = file.find("bodies");
      map && map->entries.empty() &&
      (map->kind == Value::Kind::map || map->kind == Value::Kind::null))
    file.report().error(file.where("bodies"), "bodies is empty", "declare at least one body");
  for (const auto& [name, view] : file.tables("bodies")) {
    BodyDescription body;
    body.name = name;
    body.where = view.where();
    if (name == "ground")
      view.report().error(view.where(), "bodies.ground: `ground` is the name of the fixed world",
                          "choose another name");
    body.pose = read_pose(view.table("pose"));
    body.linear_velocity = view.table("velocity").vector("linear");
    body.angular_velocity = view.table("velocity").vector("angular");
    body.type = chosen<BodyType>(view.type(), {{"rigid", BodyType::rigid},
                                               {"modal", BodyType::modal},
                                               {"superelement", BodyType::superelement},
                                               {"floating_frame", BodyType::floating_frame},
                                               {"corotational", BodyType::corotational},
                                               {"inertial", BodyType::inertial},
                                               {"beam", BodyType::beam}});
    if (is_meshed_rigid(view)) body.type = BodyType::modal;
    if (body.type == BodyType::rigid) {
      body.rigid = read_rigid(view);
    } else if (body.type == BodyType::beam) {
      body.beam = read_beam(view, names);
      body.flexible.interfaces = places_of(body.beam);
      if (view.has("mesh")) read_beam_mesh(view, names, body);
    } else {
      body.flexible = read_flexible(view, names);
    }
    if (view.type().empty()) names.untyped_bodies.insert(name);
    if (view.type().empty() || view.has("reduced_body") || view.has("import") ||
        body.flexible.brings_interfaces)
      names.open_bodies.insert(name);
    bodies.push_back(std::move(body));
  }
  return bodies;
}

}  // namespace solidyn::model
