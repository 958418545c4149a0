#include "model/bodies/read_materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

// sqrt(E / density), m/s: of plastics, metals and wood 1000 to 12,000, and with E in MPa taken for
// Pa a thousandth; of soft rubber 20.
constexpr double kSlowestWave = 10.0;

void warn_of_units(const TableView& view, const MaterialDescription& material) {
  const double E = material.youngs_modulus, rho = material.density;
  if (!view.is_good("youngs_modulus") || !view.is_good("density")) return;
  if (rho > 1e-11 && rho < 1e-7 && E > 10.0 && E < 1e7)
    view.report().warning(
        view.where("density"),
        fmt::format("{}: density {:g} kg/m^3 and Young's modulus {:g} Pa look like tonne, mm, s",
                    view.path(), rho, E),
        "write  units: {length: mm, mass: t}  at the top, or give SI values (steel: 7850, 2.1e11)");
  else if (rho < 0.1 || rho > 3e4)
    view.report().warning(view.where("density"),
                          fmt::format("{} is {:g} kg/m^3: no common material is like that",
                                      view.path("density"), rho),
                          "check the units (steel: 7850 kg/m^3)");
  else if (E < 1e3 || E > 2e12)
    view.report().warning(
        view.where("youngs_modulus"),
        fmt::format("{} is {:g} Pa: no common material is like that", view.path("youngs_modulus"),
                    E),
        "check the units (steel: 2.1e11 Pa; 210 GPa and 210000 MPa are the same)");
  else if (const double wave = std::sqrt(E / rho); wave < kSlowestWave)
    view.report().warning(
        view.where("youngs_modulus"),
        fmt::format("{} is {:g} Pa: waves run at {:.2g} m/s in this material, some thousandth of "
                    "what they do in metals and plastics",
                    view.path("youngs_modulus"), E, wave),
        fmt::format("is it in MPa? Then write  {1:g}; gels and soft foams are as "
                    "slow",
                    E, 1e6 * E));
}

}  // namespace

std::map<std::string, MaterialDescription> read_materials(const TableView& file) {
  std::map<std::string, MaterialDescription> materials;
  for (const auto& [name, view] : file.tables("materials")) {
    const MaterialDescription material{name, view.number("youngs_modulus"),
                                       view.number("poissons_ratio"), view.number("density"),
                                       view.where()};
    warn_of_units(view, material);
    materials[name] = material;
  }
  return materials;
}

std::string read_material(const TableView& body, const Names& names) {
  if (!body.is_good("material")) return {};
  std::string material = body.text("material");
  const auto& known = names.materials;
  if (std::find(known.begin(), known.end(), material) == known.end())
    body.report().error(
        body.where("material"),
        fmt::format("{}: there is no material `{}`", body.path("material"), material),
        known.empty() ? "declare it under `materials:`" : suggestion(material, known, "there are"));
  return material;
}

void complain_of_missing_material(const TableView& body, const Names& names) {
  body.report().error(body.where(), fmt::format("{} is missing", body.path("material")),
                      names.materials.empty()
                          ? "declare a material under `materials:` and name it here"
                          : "name one of the materials: " + listed(names.materials));
}

}  // namespace solidyn::model
