#pragma once
#include <fmt/format.h>

#include <string>
#include <type_traits>

#include "materials/neo_hookean.h"
#include "materials/st_venant_kirchhoff.h"
#include "solidyn/base/error.h"

/// The catalogue of laws. A kernel is compiled for each of them and chosen once per group of
/// elements.
///
/// A law of small strains maps strain to stress, linearly: stress(), twice_energy(), turned(),
/// block(), combine(). A law of large strains says its energy(), first_piola() and
/// first_piola_change() of a deformation; one whose tangent has few directions may fill() a
/// TangentPoint, which is faster. takes() says which materials it is for. To add one: its file, its
/// row here, and its word where the formulation is chosen; the tests LawContract.* and
/// SolidKernel.* run through the rows.
namespace solidyn::materials {

template <class... Rows>
struct Catalogue {};

using SmallStrainLaws = Catalogue<IsotropicHooke, AnisotropicHooke>;
using LargeStrainLaws =
    Catalogue<StVenantKirchhoff<IsotropicHooke>, StVenantKirchhoff<AnisotropicHooke>, NeoHookean>;

template <class T>
struct LawType {
  using type = T;
};

/// Calls visit(LawType<Law>) with the law of small strains that is for the material.
template <class Visit, class... Laws>
void visit_small_strain_law(const Material& material, const Visit& visit, Catalogue<Laws...>) {
  bool is_found = false;
  ((!is_found && Laws::takes(material) ? (is_found = true, visit(LawType<Laws>{})) : void()), ...);
}
template <class Visit>
void visit_small_strain_law(const Material& material, const Visit& visit) {
  visit_small_strain_law(material, visit, SmallStrainLaws{});
}

/// Calls visit(LawType<Law>) with the law of that name that is for the material. Throws InputError
/// where there is none: the neo-Hookean law has no directions.
template <class Visit, class... Laws>
void visit_large_strain_law(const std::string& name, const Material& material, const Visit& visit,
                            Catalogue<Laws...>) {
  bool is_found = false;
  ((!is_found && name == Laws::kName && Laws::takes(material)
        ? (is_found = true, visit(LawType<Laws>{}))
        : void()),
   ...);
  if (!is_found)
    throw base::InputError(
        fmt::format(
            "the material law {} is isotropic, but the material is orthotropic or anisotropic",
            name),
        "use st_venant_kirchhoff, or a corotational body");
}
template <class Visit>
void visit_large_strain_law(const std::string& name, const Material& material, const Visit& visit) {
  visit_large_strain_law(name, material, visit, LargeStrainLaws{});
}

}  // namespace solidyn::materials
