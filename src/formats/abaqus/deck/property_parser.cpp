#include <fmt/format.h>

#include <algorithm>

#include "formats/abaqus/deck/parser.h"
#include "solidyn/materials/anisotropic.h"
#include "solidyn/materials/orthotropic.h"

namespace solidyn::formats::abaqus {

std::string components(std::int64_t first, std::int64_t last) {
  std::string digits;
  for (std::int64_t c = std::max<std::int64_t>(first, 1); c <= std::min<std::int64_t>(last, 6); ++c)
    digits += static_cast<char>('0' + c);
  return digits;
}

namespace {

/// Of the keywords for supports; empty: not one of them.
std::string named_components(const std::string& name) {
  static const std::map<std::string, std::string> names = {
      {"ENCASTRE", "123456"}, {"PINNED", "123"}, {"XSYMM", "156"},  {"YSYMM", "246"},
      {"ZSYMM", "345"},       {"XASYMM", "234"}, {"YASYMM", "135"}, {"ZASYMM", "126"}};
  const auto found = names.find(abaqus_fold(name));
  return found == names.end() ? std::string() : found->second;
}

void merge(std::string& into, const std::string& digits) {
  into += digits;
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

/// Behaviour of a material that is not linear elasticity: what is left of it is its linear part.
bool changes_stiffness(const std::string& name) {
  static const std::vector<std::string> names = {"HYPERELASTIC", "HYPERFOAM",    "HYPOELASTIC",
                                                 "USERMATERIAL", "FOAM",         "POROUSELASTIC",
                                                 "NOTENSION",    "NOCOMPRESSION"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_nonlinear_addition(const std::string& name) {
  static const std::vector<std::string> names = {"PLASTIC", "CREEP", "VISCOELASTIC",
                                                 "CYCLICHARDENING", "DEFORMATIONPLASTICITY"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool PropertyParser::read(const AbaqusKeyword& keyword, Scope& scope) {
  if (read_material(keyword)) return true;
  using Reader = void (PropertyParser::*)(const AbaqusKeyword&, Scope&);
  static const std::map<std::string, Reader> readers = {
      {"SOLIDSECTION", &PropertyParser::read_section},
      {"ORIENTATION", &PropertyParser::read_orientation},
      {"MASS", &PropertyParser::read_mass},
      {"ROTARYINERTIA", &PropertyParser::read_rotary_inertia},
      {"TRANSFORM", &PropertyParser::read_transform},
      {"BOUNDARY", &PropertyParser::read_boundary},
      {"RIGIDBODY", &PropertyParser::read_rigid_body},
      {"COUPLING", &PropertyParser::begin_coupling},
      {"KINEMATIC", &PropertyParser::finish_coupling},
      {"DISTRIBUTING", &PropertyParser::finish_coupling},
      {"KINEMATICCOUPLING", &PropertyParser::read_kinematic_coupling},
      {"DISTRIBUTINGCOUPLING", &PropertyParser::read_distributing_coupling},
      {"MPC", &PropertyParser::read_mpc}};
  const auto found = readers.find(keyword.name);
  if (found == readers.end()) return false;
  (this->*found->second)(keyword, scope);
  return true;
}

bool PropertyParser::read_material(const AbaqusKeyword& keyword) {
  const bool was_in_material = is_in_material_ && !context_.deck.materials.empty();
  if (keyword.name == "MATERIAL") {
    const std::string* name = context_.require(keyword, "NAME");
    is_in_material_ = name != nullptr;
    if (name)
      context_.deck.materials.push_back(
          {*name, 0.0, 0.0, 0.0, context_.source.location(keyword.place)});
    return true;
  }
  if (keyword.name == "DENSITY" && was_in_material) {
    read_density();
  } else if (keyword.name == "ELASTIC" && was_in_material) {
    read_elastic(keyword);
  } else if (keyword.name == "EXPANSION" && was_in_material) {
    read_expansion(keyword);
  } else if (changes_stiffness(keyword.name)) {
    context_.note_unsupported(keyword.name, keyword.place);
  } else if (is_nonlinear_addition(keyword.name)) {
    context_.warn(keyword.place,
                  fmt::format("*{} is ignored: the material remains linear", keyword.name));
  } else {
    return false;
  }
  return true;
}

void PropertyParser::read_density() {
  double value = 0.0, further = 0.0;
  context_.read_numbers(&value, 1);
  const AbaqusPlace at = context_.source.place();
  if (value < 0.0) context_.complain(fmt::format("the density {} is negative", value));
  context_.deck.materials.back().density = value;
  if (context_.read_numbers(&further, 1))
    context_.warn(at,
                  "the density depends on temperature or field variables: its first value is used");
}

void PropertyParser::read_elastic(const AbaqusKeyword& keyword) {
  const std::string* type = keyword.find("TYPE");
  const std::string kind = type ? abaqus_fold(*type) : "ISOTROPIC";
  if (kind != "ISOTROPIC" && kind != "ISO") return read_elastic_with_directions(keyword, kind);
  double values[2], further[2];
  if (!context_.read_numbers(values, 2))
    return context_.complain(keyword.place, "*ELASTIC has no data",
                             "give Young's modulus and Poisson's ratio");
  const AbaqusPlace at = context_.source.place();
  if (!(values[0] > 0.0) || !(values[1] > -1.0 && values[1] < 0.5))
    context_.complain(
        fmt::format("Young's modulus {} and Poisson's ratio {} are not valid for a material",
                    values[0], values[1]),
        "the modulus must be positive, the ratio between -1 and 0.5");
  context_.deck.materials.back().youngs_modulus = values[0];
  context_.deck.materials.back().poissons_ratio = values[1];
  if (context_.read_numbers(further, 2))
    context_.warn(
        at, "elasticity depends on temperature or field variables: the first values are used");
}

namespace {

/// Ours of Abaqus' order of components: 11, 22, 33, 12, 13, 23.
constexpr int kOurPlace[6] = {0, 1, 2, 3, 5, 4};

materials::Matrix6d orthotropic(const double* d) {
  materials::Matrix6d C = materials::Matrix6d::Zero();
  C(0, 0) = d[0], C(0, 1) = C(1, 0) = d[1], C(1, 1) = d[2];
  C(0, 2) = C(2, 0) = d[3], C(1, 2) = C(2, 1) = d[4], C(2, 2) = d[5];
  for (int k = 0; k < 3; ++k) C(kOurPlace[3 + k], kOurPlace[3 + k]) = d[6 + k];
  return C;
}

/// By columns of the upper triangle.
materials::Matrix6d anisotropic(const double* d) {
  materials::Matrix6d C;
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i <= j; ++i)
      C(kOurPlace[i], kOurPlace[j]) = C(kOurPlace[j], kOurPlace[i]) = *d++;
  return C;
}

materials::Matrix6d of_engineering_constants(const double* d) {
  const materials::OrthotropicElastic constants{
      {d[0], d[1], d[2]}, {d[3], d[4], d[5]}, {d[6], d[7], d[8]}, 1.0};
  check(constants, "*ELASTIC");
  return constants.stiffness();
}

}  // namespace

void PropertyParser::read_elastic_with_directions(const AbaqusKeyword& keyword,
                                                  const std::string& kind) {
  const bool is_engineering = kind == "ENGINEERING CONSTANTS" || kind == "ENGINEERINGCONSTANTS";
  const bool is_anisotropic = kind == "ANISOTROPIC" || kind == "ANISO";
  if (!is_engineering && !is_anisotropic && kind != "ORTHOTROPIC" && kind != "ORTHO")
    return context_.note_unsupported("ELASTIC, TYPE=" + kind, keyword.place);
  double values[24] = {}, further[8];
  const int n_lines = is_anisotropic ? 3 : 2;
  for (int line = 0; line < n_lines; ++line)
    if (!context_.read_numbers(values + 8 * line, 8))
      return context_.complain(
          keyword.place,
          fmt::format("*ELASTIC, TYPE={} has {} of {} lines of data", kind, line, n_lines),
          is_anisotropic ? "give 21 constants, eight per line"
                         : "give nine constants, eight per line");
  const AbaqusPlace at = context_.source.place();
  imported::Material& material = context_.deck.materials.back();
  try {
    material.stiffness = is_engineering   ? of_engineering_constants(values)
                         : is_anisotropic ? anisotropic(values)
                                          : orthotropic(values);
    check(materials::AnisotropicElastic{*material.stiffness, 1.0}, "*ELASTIC");
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      context_.complain(keyword.place, d.what, d.remedy);
  }
  if (context_.read_numbers(further, 8))
    context_.warn(
        at, "elasticity depends on temperature or field variables: the first values are used");
}

void PropertyParser::read_expansion(const AbaqusKeyword& keyword) {
  const std::string* type = keyword.find("TYPE");
  const std::string kind = type ? abaqus_fold(*type) : "ISO";
  const bool is_iso = kind == "ISO" || kind == "ISOTROPIC";
  if (keyword.has("POREFLUID")) return;  // not of the solid
  if ((!is_iso && kind != "ORTHO" && kind != "ORTHOTROPIC") || keyword.has("USER"))
    return context_.warn(
        keyword.place,
        fmt::format("*EXPANSION, TYPE={} is not supported: the material has no thermal expansion",
                    kind));
  double values[3] = {}, further[3];
  if (!context_.read_numbers(values, 3)) return;
  const AbaqusPlace at = context_.source.place();
  for (int i = 0; i < 3; ++i) context_.deck.materials.back().expansion[i] = values[is_iso ? 0 : i];
  if (context_.read_numbers(further, 3))
    context_.warn(
        at,
        "thermal expansion depends on temperature or field variables: the first values are used");
}

/// By coordinates: two points that make the axes (and a third, where they start), then a turn about
/// one of the axes. What is not read matters only where a section with directions uses it.
void PropertyParser::read_orientation(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* name = context_.require(keyword, "NAME");
  const std::string *definition = keyword.find("DEFINITION"), *system = keyword.find("SYSTEM");
  const std::string kind = system ? abaqus_fold(*system) : "RECTANGULAR";
  double points[9] = {}, turn[2] = {};
  bool are_numbers = true;  // a distribution names one direction for each element
  Orientation orientation;
  orientation.place = keyword.place;
  if (definition && abaqus_fold(*definition) != "COORDINATES")
    orientation.what_is_not_read = "DEFINITION=" + abaqus_fold(*definition);
  else if (kind != "RECTANGULAR" && kind != "CYLINDRICAL")
    orientation.what_is_not_read = "SYSTEM=" + kind;
  else if (keyword.has("LOCALDIRECTIONS"))
    orientation.what_is_not_read = "LOCAL DIRECTIONS";
  else if (!context_.try_numbers(points, 9, are_numbers))
    orientation.what_is_not_read = "an orientation without points";
  else if (!are_numbers)
    orientation.what_is_not_read = "an orientation defined by a distribution";
  else if (context_.try_numbers(turn, 2, are_numbers) && !are_numbers)
    orientation.what_is_not_read = "a rotation defined by a distribution";
  else if (turn[1] != 0.0 && turn[0] != 1.0 && turn[0] != 2.0 && turn[0] != 3.0)
    orientation.what_is_not_read = "a rotation about none of its axes";
  const Eigen::Vector3d a(points), b(points + 3), c(points + 6);
  materials::Axes& axes = orientation.axes;
  const bool is_cylindrical = kind == "CYLINDRICAL";
  const Eigen::Vector3d first = is_cylindrical ? Eigen::Vector3d(b - a) : Eigen::Vector3d(a - c);
  Eigen::Vector3d third = is_cylindrical ? first : Eigen::Vector3d(first.cross(b - c));
  if (orientation.what_is_not_read.empty() && !(third.norm() > 0.0))
    orientation.what_is_not_read = "points that define no axes";
  if (orientation.what_is_not_read.empty()) {
    third.normalize();
    // Around an axis any direction across it will do.
    const Eigen::Vector3d x =
        is_cylindrical ? Eigen::Vector3d(third.unitOrthogonal()) : first.normalized();
    axes.kind =
        is_cylindrical ? materials::Axes::Kind::cylindrical : materials::Axes::Kind::rectangular;
    axes.origin = is_cylindrical ? a : Eigen::Vector3d(c);
    axes.R << x, third.cross(x), third;
    if (turn[1] != 0.0)
      axes.turn = Eigen::AngleAxisd(turn[1] * EIGEN_PI / 180.0,
                                    Eigen::Vector3d::Unit(static_cast<int>(turn[0]) - 1))
                      .toRotationMatrix();
  }
  if (name) scope.orientations[abaqus_fold(*name)] = std::move(orientation);
}

void PropertyParser::read_section(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* elset = context_.require(keyword, "ELSET");
  if (keyword.has("COMPOSITE"))
    context_.note_unsupported("SOLID SECTION, COMPOSITE", keyword.place);
  const std::string* material = keyword.find("MATERIAL");
  const std::string* orientation = keyword.find("ORIENTATION");
  if (elset)
    scope.sections.push_back(
        {*elset, material ? *material : "", keyword.place, orientation ? *orientation : ""});
}

void PropertyParser::read_mass(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* elset = context_.require(keyword, "ELSET");
  MassProperty property;
  context_.read_numbers(&property.mass, 1);
  const std::string* type = keyword.find("TYPE");
  if (type && abaqus_fold(*type) != "ISOTROPIC")
    context_.note_unsupported("MASS, TYPE=" + abaqus_fold(*type), keyword.place);
  if (property.mass < 0.0) context_.complain(fmt::format("the mass {} is negative", property.mass));
  if (!elset) return;
  property.elset = *elset;
  property.place = keyword.place;
  scope.masses.push_back(std::move(property));
}

void PropertyParser::read_rotary_inertia(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* elset = context_.require(keyword, "ELSET");
  double i[6];
  context_.read_numbers(i, 6);
  if (keyword.has("ORIENTATION"))
    context_.note_unsupported("ROTARY INERTIA, ORIENTATION", keyword.place);
  if (!elset) return;
  MassProperty property;
  property.elset = *elset;
  property.place = keyword.place;
  property.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
  scope.masses.push_back(std::move(property));
}

void PropertyParser::read_transform(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* nset = context_.require(keyword, "NSET");
  const std::string* type = keyword.find("TYPE");
  double ab[6];
  context_.read_numbers(ab, 6);
  Transform transform;
  if (type && !type->empty()) transform.type = abaqus_fold(*type)[0];
  if (std::string("RCS").find(transform.type) == std::string::npos)
    return context_.complain(keyword.place, fmt::format("*TRANSFORM has the type {}", *type),
                             "expected R, C or S");
  if (!nset) return;
  transform.nset = *nset;
  transform.a = {ab[0], ab[1], ab[2]};
  transform.b = {ab[3], ab[4], ab[5]};
  transform.place = keyword.place;
  scope.transforms.push_back(std::move(transform));
}

/// `node or set, first[, last[, value]]` or `node or set, ENCASTRE`.
void PropertyParser::read_boundary(const AbaqusKeyword& keyword, Scope& scope) {
  bool has_values = false;
  for (std::string_view line; context_.source.next_data(line);) {
    split_abaqus_line(line, items_);
    if (items_.empty() || items_[0].empty()) continue;
    Boundary boundary{std::string(items_[0]), {}, context_.source.place()};
    std::int64_t first = 0, last = 0;
    double value = 0.0;
    if (items_.size() > 1 && parse_number(items_[1], first)) {
      last = first;
      const bool is_ok = items_.size() < 3 || items_[2].empty() || parse_number(items_[2], last);
      const bool has_value = items_.size() > 3 && parse_number(items_[3], value);
      if (!is_ok) context_.complain(fmt::format("`{}` is not a component", items_[2]));
      has_values = has_values || (has_value && value != 0.0);
      boundary.components = components(first, last);
    } else if (items_.size() > 1) {
      boundary.components = named_components(std::string(items_[1]));
      if (boundary.components.empty())
        context_.warn(boundary.place,
                      fmt::format("the support `{}` is not supported and is ignored",
                                  std::string(items_[1])));
    }
    if (!boundary.components.empty()) scope.boundaries.push_back(std::move(boundary));
  }
  if (has_values)
    context_.warn(keyword.place, "prescribed displacements are read as fixed supports");
}

void PropertyParser::read_rigid_body(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* reference = context_.require(keyword, "REFNODE");
  if (!reference) return;
  Coupling coupling;
  coupling.reference = *reference;
  coupling.place = keyword.place;
  coupling.name = "RIGID BODY " + *reference;
  for (const char* parameter : {"NSET", "TIENSET", "PINNSET"})
    if (const std::string* set = keyword.find(parameter)) coupling.nodes.emplace_back(*set, 1.0);
  if (keyword.has("PINNSET")) coupling.components = "123";
  if (const std::string* elset = keyword.find("ELSET")) coupling.elset = *elset;
  if (keyword.has("ANALYTICALSURFACE"))
    return context_.note_unsupported("RIGID BODY, ANALYTICAL SURFACE", keyword.place);
  scope.couplings.push_back(std::move(coupling));
}

void PropertyParser::begin_coupling(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* reference = context_.require(keyword, "REFNODE");
  const std::string* surface = context_.require(keyword, "SURFACE");
  if (!reference || !surface) return;
  const std::string* name = keyword.find("CONSTRAINTNAME");
  Coupling coupling;
  coupling.name = name ? *name : "COUPLING " + *reference;
  coupling.reference = *reference;
  coupling.surface = *surface;
  coupling.place = keyword.place;
  if (keyword.has("INFLUENCERADIUS"))
    context_.note_unsupported("COUPLING, INFLUENCE RADIUS", keyword.place);
  if (keyword.has("ORIENTATION")) context_.note_unsupported("COUPLING, ORIENTATION", keyword.place);
  scope.couplings.push_back(std::move(coupling));
}

/// Components may follow, a range per line.
void PropertyParser::finish_coupling(const AbaqusKeyword& keyword, Scope& scope) {
  if (scope.couplings.empty())
    return context_.complain(keyword.place,
                             fmt::format("*{} does not follow a *COUPLING", keyword.name),
                             "write *COUPLING before it");
  Coupling& coupling = scope.couplings.back();
  if (keyword.name == "DISTRIBUTING") coupling.kind = imported::RigidElement::Kind::rbe3;
  std::string digits;
  double range[2];
  while (context_.read_numbers(range, 2)) {
    const double first = std::clamp(range[0], 0.0, 7.0), last = std::clamp(range[1], first, 7.0);
    merge(digits, components(static_cast<std::int64_t>(first), static_cast<std::int64_t>(last)));
  }
  if (!digits.empty()) coupling.components = digits;
}

void PropertyParser::read_kinematic_coupling(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* reference = context_.require(keyword, "REFNODE");
  Coupling coupling;
  coupling.place = keyword.place;
  std::string digits;
  for (std::string_view line; context_.source.next_data(line);) {
    split_abaqus_line(line, items_);
    if (items_.empty() || items_[0].empty()) continue;
    coupling.nodes.emplace_back(items_[0], 1.0);
    std::int64_t first = 1, last = 6;
    if (items_.size() > 1 && parse_number(items_[1], first)) last = first;
    if (items_.size() > 2) parse_number(items_[2], last);
    merge(digits, components(first, last));
  }
  if (!reference) return;
  coupling.reference = *reference;
  coupling.name = "KINEMATIC COUPLING " + *reference;
  if (!digits.empty()) coupling.components = digits;
  scope.couplings.push_back(std::move(coupling));
}

void PropertyParser::read_distributing_coupling(const AbaqusKeyword& keyword, Scope& scope) {
  const std::string* elset = context_.require(keyword, "ELSET");
  Coupling coupling;
  coupling.kind = imported::RigidElement::Kind::rbe3;
  coupling.reference_is_elset = true;
  coupling.place = keyword.place;
  for (std::string_view line; context_.source.next_data(line);) {
    split_abaqus_line(line, items_);
    if (items_.empty() || items_[0].empty()) continue;
    double weight = 1.0;
    if (items_.size() > 1 &&
        (!parse_number(items_[1], weight) || !(weight >= 0.0) || !std::isfinite(weight))) {
      context_.complain(fmt::format("`{}` is not a weight", items_[1]));
      weight = 1.0;
    }
    coupling.nodes.emplace_back(items_[0], weight);
  }
  if (!elset) return;
  coupling.reference = *elset;
  coupling.name = "DISTRIBUTING COUPLING " + *elset;
  scope.couplings.push_back(std::move(coupling));
}

/// Of multi-point constraints, BEAM is rigid: nodes or sets that follow, then the one they follow.
/// Preprocessors write a line per node.
void PropertyParser::read_mpc(const AbaqusKeyword& keyword, Scope& scope) {
  for (std::string_view line; context_.source.next_data(line);) {
    split_abaqus_line(line, items_);
    if (items_.empty()) continue;
    const std::string type = abaqus_fold(items_[0]);
    if (type != "BEAM" || items_.size() != 3) {
      context_.note_unsupported("MPC, " + type, context_.source.place());
      continue;
    }
    Coupling coupling;
    coupling.place = context_.source.place();
    coupling.nodes.emplace_back(items_[1], 1.0);
    coupling.reference = items_[2];
    coupling.name = "MPC " + coupling.reference;
    coupling.joins_others = true;
    scope.couplings.push_back(std::move(coupling));
  }
}

}  // namespace solidyn::formats::abaqus
