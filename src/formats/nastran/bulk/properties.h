#pragma once
#include <functional>

#include "formats/nastran/lines/cards.h"
#include "formats/shared/complaints.h"
#include "solidyn/imported/solid_model.h"

namespace solidyn::formats {

/// PSOLID, MAT1, MAT9, MAT11 and what stands in their places; makes materials and regions of them.
/// Private to the Nastran readers.
class NastranProperties {
 public:
  /// False for entries that are neither solid properties nor materials.
  bool add(const NastranCard& card);

  /// Fills materials, and regions with an element_name per property and element type that uses it;
  /// block.regions turns from PIDs into regions' numbers.
  /// @param axes  of materials in a coordinate system of the deck (CORDM)
  using MaterialAxes =
      std::function<materials::Axes(std::int32_t frame, const base::SourceLocation& used)>;
  void finish(imported::SolidModel& model, Complaints& complaints, const MaterialAxes& axes) const;

  /// A MAT1 as beams take it: its modulus of shear holds, and Poisson's ratio follows.
  /// @throws base::InputError for one that the deck does not give, or that is no MAT1
  imported::Material beam_material(std::int32_t mid, const std::string& user,
                                   const base::SourceLocation& where) const;

 private:
  struct Property {
    std::string card;
    std::int32_t material = 0;
    std::string integration, scheme;  // IN, ISOP
    base::SourceLocation where;
    std::int32_t frame = 0;  // CORDM: 0 basic, -1 that of each element
  };
  struct Material {
    std::string card;
    imported::Material values;
    double shear_modulus = 0.0;  // 0: from the others
  };
  void add_psolid(const NastranCard& card);
  void add_mat1(const NastranCard& card);
  void add_mat9(const NastranCard& card);
  void add_mat11(const NastranCard& card);
  void keep_material(const NastranCard& card, const Material& material);
  void find_axes(std::int32_t property, const MaterialAxes& axes, imported::SolidModel& model,
                 Complaints& complaints, imported::Region& region) const;
  void keep(const NastranCard& card, Property property);
  static imported::Integration integration(const Property& property, elements::ElementType type);
  int find_material(std::int32_t property, imported::SolidModel& model, Complaints& complaints,
                    std::map<std::int32_t, int>& found) const;

  std::map<std::int32_t, Property> properties_;
  std::map<std::int32_t, Material> materials_;
};

}  // namespace solidyn::formats
