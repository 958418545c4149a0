#include "model/loads/on_mesh.h"

namespace solidyn::model {
namespace {

/// A force per undeformed area of faces.
struct TractionEntry final : LoadEntryOf<TractionEntry, VectorOnMesh> {
  Kind kind() const override { return Kind::traction; }

  static const Fields<TractionEntry>& fields() {
    static const Fields<TractionEntry> list = joined_fields(
        Fields<TractionEntry>{}, fields_on_faces(),
        Fields<MeshVector>{
            field(Key("traction", Form::time_vector, "force per area", "[0, 0, \"1e5*t\"]")
                      .in(kPressure)
                      .needed(),
                  &MeshVector::force),
            field_of_axes()});
    return list;
  }
};

}  // namespace

LoadType traction_row() { return TractionEntry::row("traction", "force per undeformed area"); }

}  // namespace solidyn::model
