#include "model/bodies/materials.h"

#include <fmt/format.h>

#include <cmath>

#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using materials::IsotropicElastic;
using materials::OrthotropicElastic;

// sqrt(E / density), m/s: of plastics, metals and wood 1000 to 12,000, and with E in MPa taken for
// Pa a thousandth; of soft rubber 20.
constexpr double kSlowestWave = 10.0;

void warn_of_units(const TableView& view) {
  const double E = view.number("youngs_modulus"), rho = view.number("density");
  if (!view.is_good("youngs_modulus") || !view.is_good("density")) return;
  if (rho > 1e-11 && rho < 1e-7 && E > 10.0 && E < 1e7)
    view.report().warning(
        view.where("density"),
        fmt::format(
            "{}: density {:g} kg/m^3 and Young's modulus {:g} Pa look like values in tonne, mm, s",
            view.path(), rho, E),
        "write  units: {length: mm, mass: t}  at the top, or give SI values (steel: 7850, 2.1e11)");
  else if (rho < 0.1 || rho > 3e4)
    view.report().warning(view.where("density"),
                          fmt::format("{} is {:g} kg/m^3, which is unusual for a material",
                                      view.path("density"), rho),
                          "check the units (steel: 7850 kg/m^3)");
  else if (E < 1e3 || E > 2e12)
    view.report().warning(
        view.where("youngs_modulus"),
        fmt::format("{} is {:g} Pa, which is unusual for a material", view.path("youngs_modulus"),
                    E),
        "check the units (steel: 2.1e11 Pa; 210 GPa and 210000 MPa are the same)");
  else if (const double wave = std::sqrt(E / rho); wave < kSlowestWave)
    view.report().warning(
        view.where("youngs_modulus"),
        fmt::format(
            "{} is {:g} Pa: the wave speed in this material is {:.2g} m/s, about a thousandth of that in metals and plastics",
            view.path("youngs_modulus"), E, wave),
        fmt::format(
            "is it in MPa? Then write  {1:g}; only gels and soft foams have such wave speeds", E,
            1e6 * E));
}

void refuse_both(const TableView& view, const char* one, const char* other) {
  if (view.has(one) && view.has(other))
    view.report().error(view.where(other),
                        fmt::format("{} has both `{}` and `{}`", view.path(), one, other),
                        "give one of them");
}

void check_constants(const TableView& view, const OrthotropicElastic& constants) {
  try {
    check(constants, view.path());
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(view.where("youngs_moduli"), d.what, d.remedy);
  }
}

void read_isotropic(MaterialDescription& material, const TableView& view, const Scope&) {
  if (view.has("youngs_moduli")) return;
  material.solid.elastic = IsotropicElastic{view.number("youngs_modulus"),
                                            view.number("poissons_ratio"), view.number("density")};
}

void read_orthotropic(MaterialDescription& material, const TableView& view, const Scope&) {
  const bool is_complete = view.is_good("youngs_moduli") && view.is_good("poissons_ratios") &&
                           view.is_good("shear_moduli") && view.is_good("density");
  if (!is_complete) return;
  const OrthotropicElastic constants{view.vector("youngs_moduli"), view.vector("poissons_ratios"),
                                     view.vector("shear_moduli"), view.number("density")};
  material.solid.elastic = constants;
  check_constants(view, constants);
}

void read_axes(MaterialDescription& material, const TableView& view, const Scope& scope) {
  material.has_axes = view.has("axes");
  if (material.has_axes)
    material.solid.axes.R =
        read_rotation(view.table("axes"), scope).normalized().toRotationMatrix();
}

void read_expansion(MaterialDescription& material, const TableView& view, const Scope&) {
  material.solid.expansion.head<3>() = view.has("thermal_expansions")
                                           ? view.vector("thermal_expansions")
                                           : Vector3d::Constant(view.number("thermal_expansion"));
}

const Fields<MaterialDescription>& material_fields() {
  static const Fields<MaterialDescription> list = {
      read_by<MaterialDescription>(
          Key("youngs_modulus", Form::number, "Young's modulus E", "2.1e11")
              .in(kPressure)
              .within(kPositive)
              .needed()
              .unless("youngs_moduli"),
          read_isotropic),
      read_elsewhere<MaterialDescription>(
          Key("poissons_ratio", Form::number, "Poisson's ratio nu", "0.3")
              .within({-1.0, 0.5, false, false})
              .needed()
              .unless("youngs_moduli")),
      read_by<MaterialDescription>(
          Key("youngs_moduli", Form::vector,
              "of an orthotropic material: E_1, E_2, E_3 along its axes", "[12.6e9, 0.8e9, 0.6e9]")
              .in(kPressure)
              .with("poissons_ratios"),
          read_orthotropic),
      read_elsewhere<MaterialDescription>(
          Key("poissons_ratios", Form::vector,
              "nu_12, nu_13, nu_23: nu_12 is the contraction along 2 under a stress along 1, so that nu_12 / E_1 = nu_21 / E_2",
              "[0.4, 0.4, 0.45]")
              .with("shear_moduli")),
      read_elsewhere<MaterialDescription>(
          Key("shear_moduli", Form::vector, "G_12, G_13, G_23", "[0.7e9, 0.6e9, 0.05e9]")
              .in(kPressure)
              .with("youngs_moduli")),
      read_by<MaterialDescription>(
          Key("axes", Form::table,
              "rotation from mesh axes to the axes 1, 2, 3 of the material; by default they are the mesh axes. Bodies with several orientations use several materials, or those of a mesh file",
              "{axis: [0, 0, 1], angle: 0.5}")
              .holds(rotation_table()),
          read_axes),
      read_by<MaterialDescription>(
          Key("thermal_expansion", Form::number,
              "strain per kelvin, equal in all directions; bodies expand by `temperature_change`",
              "1.2e-5")
              .in(kExpansion),
          read_expansion),
      read_elsewhere<MaterialDescription>(Key("thermal_expansions", Form::vector,
                                              "the same along the axes 1, 2, 3",
                                              "[4e-6, 3e-5, 4e-5]")
                                              .in(kExpansion)),
      read_elsewhere<MaterialDescription>(Key("density", Form::number, "mass per volume", "7850")
                                              .in(kDensity)
                                              .within(kPositive)
                                              .needed())};
  return list;
}

std::vector<std::string> known_materials(const ModelDescription& model) {
  std::vector<std::string> names;
  for (const auto& [name, material] : model.materials) names.push_back(name);
  return names;
}

}  // namespace

const TableSpec& material_table() {
  static const TableSpec table{
      "material",
      "A linear elastic material: isotropic by `youngs_modulus` and `poissons_ratio`, or orthotropic by three constants of each kind (doc/theory/materials.md).",
      keys_of(material_fields())};
  return table;
}

std::map<std::string, MaterialDescription> read_materials(const TableView& file,
                                                          const Scope& scope) {
  std::map<std::string, MaterialDescription> materials;
  for (const auto& [name, view] : file.tables("materials")) {
    MaterialDescription& material = materials[name];
    material = {};
    material.name = name;
    material.where = view.where();
    warn_of_units(view);
    refuse_both(view, "youngs_modulus", "youngs_moduli");
    refuse_both(view, "poissons_ratio", "youngs_moduli");
    refuse_both(view, "thermal_expansion", "thermal_expansions");
    read_fields(material_fields(), view, scope, material);
  }
  return materials;
}

std::string read_material(const TableView& body, const Scope& scope) {
  if (!body.is_good("material")) return {};
  std::string material = body.text("material");
  if (!scope.model.materials.count(material)) {
    const std::vector<std::string> known = known_materials(scope.model);
    body.report().error(
        body.where("material"),
        fmt::format("{}: there is no material `{}`", body.path("material"), material),
        known.empty() ? "define it under `materials:`" : suggestion(material, known, "there are"));
  }
  return material;
}

void complain_of_missing_material(const TableView& body, const Scope& scope) {
  const std::vector<std::string> known = known_materials(scope.model);
  body.report().error(body.where(), fmt::format("{} is missing", body.path("material")),
                      known.empty() ? "define a material under `materials:` and give its name here"
                                    : "give one of the materials: " + listed(known));
}

Key material_key() {
  return Key(
      "material", Form::reference,
      "one of `materials`; optional if the mesh file has materials, which are overridden by those of the same name in `materials`",
      "steel");
}

}  // namespace solidyn::model
