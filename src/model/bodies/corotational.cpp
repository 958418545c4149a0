#include "model/bodies/solid_entry.h"

namespace solidyn::model {
namespace {

/// Small strain in elements that turn.
struct CorotationalEntry final : FlexibleEntryOf<CorotationalEntry, SolidEntry> {
  static const Fields<CorotationalEntry>& fields();
  void check(const TableView& view, const Scope& scope) const { check_nodal(view, scope); }
};

const Fields<CorotationalEntry>& CorotationalEntry::fields() {
  using Self = CorotationalEntry;
  static const Fields<Self> list =
      joined_fields(Fields<Self>{}, file_fields(), Fields<MeshSource>{material_field()},
                    Fields<FlexibleDescription>{mass_field(), hex8_field(), hex20_field()},
                    Fields<Self>{temperature_field<Self>()}, shared_fields());
  return list;
}

}  // namespace

BodyType corotational_row() { return CorotationalEntry::row("corotational"); }

}  // namespace solidyn::model
