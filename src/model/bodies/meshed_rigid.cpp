#include "model/bodies/meshed_rigid.h"

#include <fmt/format.h>

#include "model/bodies/reduced_modal_body.h"
#include "model/supports/build_supports.h"

namespace solidyn::model {
namespace {

/// Built as a body of modes that has none.
struct MeshedRigidEntry final : FlexibleEntryOf<MeshedRigidEntry, ReducedEntry> {
  MeshedRigidEntry() { basis.static_correction = reduction::StaticCorrection::none; }

  static const Fields<MeshedRigidEntry>& fields();
  void check(const TableView& view, const Scope& scope) const;
  const BodyTraits& traits() const override {
    static const BodyTraits traits = [] {
      BodyTraits rigid;
      rigid.takes_loads_on_mesh = true;
      return rigid;
    }();
    return traits;
  }
  std::string in_words() const override { return mesh_in_words(); }
  bool is_rigid() const override { return true; }
  reduction::ReductionOptions reduction_options(const ModelDescription& model) const override {
    reduction::ReductionOptions options = ReducedEntry::reduction_options(model);
    options.supports = support_definitions(model, *this);
    return options;
  }
  void build(const BodyBuilder& builder) const override {
    const auto [index, reduced] = add_reduced_modal_body(*this, builder);
    add_places_of_modal_body(*this, index, *reduced, builder);
  }
};

const Fields<MeshedRigidEntry>& MeshedRigidEntry::fields() {
  static const Fields<MeshedRigidEntry> list =
      joined_fields(Fields<MeshedRigidEntry>{}, file_fields(), Fields<MeshSource>{material_field()},
                    Fields<FlexibleDescription>{mass_field()}, place_fields());
  return list;
}

// The mesh says what these do.
void warn_of_rigid_keys(const TableView& body) {
  for (const char* key : {"center_of_mass", "inertia", "frames"})
    if (body.has(key))
      body.report().warning(
          body.where(key),
          fmt::format(
              "{} is not used: without `mass`, the `mesh` determines mass, inertia and interfaces of the body",
              body.path(key)),
          "remove it, or give `mass` too");
}

void MeshedRigidEntry::check(const TableView& view, const Scope& scope) const {
  warn_of_rigid_keys(view);
  check_mesh(view, scope);
}

}  // namespace

std::vector<KeySpec> meshed_rigid_keys() { return keys_of(MeshedRigidEntry::fields()); }

std::shared_ptr<BodyEntry> read_meshed_rigid(const TableView& view, const Scope& scope) {
  return MeshedRigidEntry::read(view, scope);
}

}  // namespace solidyn::model
