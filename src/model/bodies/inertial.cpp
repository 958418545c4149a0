#include "model/bodies/solid_entry.h"

namespace solidyn::model {
namespace {

using bodies::SolidBodyOptions;
using fem::SolidFormulation;

/// Large strain.
struct InertialEntry final : FlexibleEntryOf<InertialEntry, SolidEntry> {
  InertialEntry() { options.formulation = SolidFormulation::st_venant_kirchhoff; }

  static const Fields<InertialEntry>& fields();
  void check(const TableView& view, const Scope& scope) const { check_nodal(view, scope); }
  bool has_trilinear_hex8() const override { return true; }
};

const Fields<InertialEntry>& InertialEntry::fields() {
  using Self = InertialEntry;
  static const Choice<SolidFormulation> laws = {
      {"st_venant_kirchhoff", SolidFormulation::st_venant_kirchhoff},
      {"neo_hookean", SolidFormulation::neo_hookean}};
  static const Fields<Self> list = joined_fields(
      Fields<Self>{}, file_fields(), Fields<MeshSource>{material_field()},
      Fields<FlexibleDescription>{mass_field(), hex20_field()},
      Fields<Self>{
          field(
              Key("material_law", Form::word,
                  "material law for large strain: St. Venant-Kirchhoff, linear in Green-Lagrange strain, or compressible neo-Hookean, which is suitable for large compression",
                  "neo_hookean")
                  .or_default(),
              laws, static_cast<SolidBodyOptions Self::*>(&Self::options),
              &SolidBodyOptions::formulation),
          temperature_field<Self>()},
      shared_fields());
  return list;
}

}  // namespace

BodyType inertial_row() { return InertialEntry::row("inertial"); }

}  // namespace solidyn::model
