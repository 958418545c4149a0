#include "model/loads/on_mesh.h"

namespace solidyn::model {
namespace {

/// A force on each of the nodes.
struct NodalForceEntry final : LoadEntryOf<NodalForceEntry, VectorOnMesh> {
  Kind kind() const override { return Kind::nodal_force; }

  static const Fields<NodalForceEntry>& fields() {
    static const Fields<NodalForceEntry> list =
        joined_fields(Fields<NodalForceEntry>{}, fields_on_nodes(),
                      Fields<MeshVector>{
                          field(Key("force", Form::time_vector, "force on each node", "[0, 0, -10]")
                                    .in(kForce)
                                    .needed(),
                                &MeshVector::force),
                          field_of_axes()});
    return list;
  }
};

}  // namespace

LoadType nodal_force_row() { return NodalForceEntry::row("nodal_force", "on each node"); }

}  // namespace solidyn::model
