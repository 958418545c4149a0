#include "formats/nastran/bulk/properties.h"

#include <fmt/format.h>

#include "formats/nastran/bulk/solids.h"
#include "solidyn/materials/orthotropic.h"

namespace solidyn::formats {

using imported::Integration;

namespace {

bool is_other_solid_property(std::uint64_t key) {
  switch (key) {
    case card_key("PLSOLID"):
    case card_key("PCOMPS"):
    case card_key("PCOMPLS"):
    case card_key("PSLDN1"):
    case card_key("PMIC"):
      return true;
    default:
      return false;
  }
}

bool is_other_material(std::uint64_t key) {
  switch (key) {
    case card_key("MAT2"):
    case card_key("MAT3"):
    case card_key("MAT8"):
    case card_key("MAT10"):
    case card_key("MATHP"):
    case card_key("MATHE"):
    case card_key("MATORT"):
      return true;
    default:
      return false;
  }
}

}  // namespace

bool NastranProperties::add(const NastranCard& card) {
  if (card.key() == card_key("PSOLID")) {
    add_psolid(card);
  } else if (card.key() == card_key("MAT1")) {
    add_mat1(card);
  } else if (card.key() == card_key("MAT9")) {
    add_mat9(card);
  } else if (card.key() == card_key("MAT11")) {
    add_mat11(card);
  } else if (is_other_solid_property(card.key())) {
    keep(card, {card.name(), 0, {}, {}, card.where()});
  } else if (is_other_material(card.key())) {
    materials_.emplace(card.label(1), Material{card.name(), {}, 0.0});
  } else {
    return false;
  }
  return true;
}

void NastranProperties::keep(const NastranCard& card, Property property) {
  const auto [other, is_new] = properties_.emplace(card.label(1), property);
  const Property& first = other->second;
  const bool are_alike = first.card == property.card && first.material == property.material &&
                         first.integration == property.integration &&
                         first.frame == property.frame && first.scheme == property.scheme;
  if (!is_new && !are_alike)
    card.fail(fmt::format("property {} is defined twice with different data (first in line {})",
                          card.label(1), first.where.line),
              "use unique property numbers");
}

void NastranProperties::add_psolid(const NastranCard& card) {
  const std::string function = card.word(7);
  if (function == "PFLUID" || function == "FFLUID")
    card.fail(
        fmt::format("property {} is a fluid (FCTN = {}): its elements are not structural solids",
                    card.label(1), function),
        "remove the fluid from the file of the body");
  keep(card, {card.name(), card.label(2), card.word(4), card.word(6), card.where(),
              static_cast<std::int32_t>(card.integer(3, 0))});
}

void NastranProperties::add_mat1(const NastranCard& card) {
  imported::Material material;
  material.name = fmt::format("MAT1 {}", card.label(1));
  material.where = card.where();
  const bool has_e = !card.is_blank(2), has_g = !card.is_blank(3), has_nu = !card.is_blank(4);
  const double e = card.real(2, 0.0), g = card.real(3, 0.0), nu = card.real(4, 0.0);
  material.youngs_modulus = has_e ? e : 2.0 * g * (1.0 + nu);
  material.poissons_ratio = !has_nu && has_e && has_g && g != 0.0 ? e / (2.0 * g) - 1.0 : nu;
  material.density = card.real(5, 0.0);
  if (!has_e && !has_g) card.fail("E and G are both blank", "give two of E, G and NU");
  material.expansion.head<3>().setConstant(card.real(6, 0.0));
  keep_material(card, {card.name(), material, g});
}

void NastranProperties::keep_material(const NastranCard& card, const Material& material) {
  const auto [other, is_new] = materials_.emplace(card.label(1), material);
  const imported::Material &first = other->second.values, &second = material.values;
  if (!is_new &&
      (other->second.card != material.card || first.youngs_modulus != second.youngs_modulus ||
       first.poissons_ratio != second.poissons_ratio || first.density != second.density ||
       first.stiffness != second.stiffness || first.expansion != second.expansion))
    card.fail(fmt::format("material {} is defined twice with different data (first in line {})",
                          card.label(1), first.where.line),
              "use unique material numbers");
}

/// 21 constants, by rows of the upper triangle; stresses in our order.
void NastranProperties::add_mat9(const NastranCard& card) {
  imported::Material material;
  material.name = fmt::format("MAT9 {}", card.label(1));
  material.where = card.where();
  materials::Matrix6d C;
  int field = 2;
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) C(i, j) = C(j, i) = card.real(field++, 0.0);
  material.stiffness = C;
  material.density = card.real(23, 0.0);
  for (int i = 0; i < 6; ++i) material.expansion[i] = card.real(24 + i, 0.0);
  keep_material(card, {card.name(), material, 0.0});
}

void NastranProperties::add_mat11(const NastranCard& card) {
  imported::Material material;
  material.name = fmt::format("MAT11 {}", card.label(1));
  material.where = card.where();
  materials::OrthotropicElastic constants;
  for (int i = 0; i < 3; ++i) {
    constants.youngs_moduli[i] = card.real(2 + i);
    constants.poissons_ratios[i] = card.real(5 + i);
    constants.shear_moduli[i] = card.real(8 + i);
    material.expansion[i] = card.real(12 + i, 0.0);
  }
  material.density = card.real(11, 0.0);
  constants.density = 1.0;  // that of the card may be left out
  check(constants, material.name);
  material.stiffness = constants.stiffness();
  keep_material(card, {card.name(), material, 0.0});
}

/// What PSOLID's IN and ISOP ask for, by the tables of the Quick Reference Guide: by default CHEXA
/// has bubble functions with 8 grids and 2 x 2 x 2 points with 20; a standard element is full.
Integration NastranProperties::integration(const Property& property, elements::ElementType type) {
  const std::string &in = property.integration, &isop = property.scheme;
  const bool is_full = isop == "FULL" || isop == "1";
  const bool is_blank = in.empty() || in == "0" || in == "BUBBLE";
  const bool is_three = in == "3" || in == "THREE";
  if (type == elements::ElementType::hex8)
    return is_blank && !is_full ? Integration::incompatible_modes : Integration::standard;
  if (type == elements::ElementType::hex20)
    return is_full || is_three ? Integration::standard : Integration::reduced;
  return Integration::standard;
}

imported::Material NastranProperties::beam_material(std::int32_t mid, const std::string& user,
                                                    const base::SourceLocation& where) const {
  const auto found = materials_.find(mid);
  if (found == materials_.end())
    throw base::InputError(
        fmt::format("{} uses material {}, which is not defined in the deck", user, mid),
        "add its MAT1 entry", where);
  if (found->second.card != "MAT1")
    throw base::InputError(fmt::format("{} uses {} {}: beams need an isotropic material", user,
                                       found->second.card, mid),
                           "use a MAT1", where);
  imported::Material material = found->second.values;
  const double g = found->second.shear_modulus;
  if (g > 0.0) material.poissons_ratio = 0.5 * material.youngs_modulus / g - 1.0;
  return material;
}

int NastranProperties::find_material(std::int32_t pid, imported::SolidModel& model,
                                     Complaints& complaints,
                                     std::map<std::int32_t, int>& found) const {
  const auto property = properties_.find(pid);
  if (property == properties_.end()) return -1;
  const Property& p = property->second;
  if (p.card != "PSOLID") {
    model.report.unsupported.emplace(p.card, p.where);
    return -1;
  }
  const auto material = materials_.find(p.material);
  if (material == materials_.end()) {
    complaints.add({p.where,
                    fmt::format("PSOLID {} uses material {}, which is not defined in the deck", pid,
                                p.material),
                    "add its MAT1 entry"});
    return -1;
  }
  const Material& m = material->second;
  if (m.values.name.empty()) {  // of a kind that is not read
    model.report.unsupported.emplace(m.card, p.where);
    return -1;
  }
  const auto [at, is_new] = found.emplace(p.material, static_cast<int>(model.materials.size()));
  if (is_new) {
    model.materials.push_back(m.values);
    if (m.values.density == 0.0)
      model.report.warnings.push_back({m.values.where,
                                       fmt::format("{} has no density (RHO)", m.values.name),
                                       "without it the body has no mass"});
  }
  return at->second;
}

/// Directions of the material, where it has any.
void NastranProperties::find_axes(std::int32_t pid, const MaterialAxes& axes,
                                  imported::SolidModel& model, Complaints& complaints,
                                  imported::Region& region) const {
  if (region.material < 0) return;
  const imported::Material& material = model.materials[region.material];
  const materials::Vector6d& alpha = material.expansion;
  const bool expands_evenly =
      alpha[0] == alpha[1] && alpha[1] == alpha[2] && alpha.tail<3>().isZero(0.0);
  if (!material.stiffness && expands_evenly) return;
  const Property& property = properties_.at(pid);
  if (property.frame < 0) {
    model.report.unsupported.emplace(
        "PSOLID, CORDM = -1 with an orthotropic or anisotropic material", property.where);
    return;
  }
  try {
    region.axes = axes(property.frame, property.where);
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& diagnostic : error.diagnostics()) complaints.add(diagnostic);
  }
}

void NastranProperties::finish(imported::SolidModel& model, Complaints& complaints,
                               const MaterialAxes& axes) const {
  std::map<std::int32_t, int> materials;
  std::map<std::int32_t, bool> missing;
  for (mesh::ElementBlock& block : model.mesh.blocks) {
    std::map<std::int32_t, std::int32_t> regions;  // by PID
    std::int32_t last_pid = 0, last_region = -1;
    for (std::int32_t& region : block.regions) {
      if (region != last_pid) {
        last_pid = region;
        const auto [at, is_new] =
            regions.emplace(last_pid, static_cast<std::int32_t>(model.regions.size()));
        last_region = at->second;
        if (is_new) {
          const auto property = properties_.find(last_pid);
          const bool is_there = property != properties_.end();
          if (!is_there) missing[last_pid] = true;
          const int material = find_material(last_pid, model, complaints, materials);
          model.regions.push_back(
              {fmt::format("{} {}", is_there ? property->second.card : "PSOLID", last_pid),
               NastranSolids::card_name(block.type), material,
               is_there ? integration(property->second, block.type) : Integration::standard});
          find_axes(last_pid, axes, model, complaints, model.regions.back());
        }
      }
      region = last_region;
    }
  }
  if (missing.empty()) return;
  std::vector<std::string> names;
  for (auto at = missing.begin(); at != missing.end() && names.size() < 10; ++at)
    names.push_back(std::to_string(at->first));
  const base::Diagnostic diagnostic = {
      {model.source, 0, 0},
      fmt::format("elements use properties that are not defined in the deck: {}{}",
                  fmt::join(names, ", "), missing.size() > 10 ? ", .." : ""),
      "add the PSOLID entries"};
  // a mesh without any properties, as mesh generators write it, is a mesh
  if (properties_.empty())
    model.report.warnings.push_back(diagnostic);
  else
    complaints.add(diagnostic);
}

}  // namespace solidyn::formats
