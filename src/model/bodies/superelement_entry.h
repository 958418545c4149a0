#pragma once
#include "model/bodies/reduced_entry.h"

namespace solidyn::model {

/// Deformation by the motion of its interfaces, which are nodes that bodies share.
class SuperelementEntry final : public FlexibleEntryOf<SuperelementEntry, ReducedEntry> {
 public:
  int internal_modes = 0;  ///< with all interfaces held, beside the motion of these

  static const Fields<SuperelementEntry>& fields();
  void check(const TableView& view, const Scope& scope);

  const BodyTraits& traits() const override;
  /// Nothing: add_superelements() adds all of them together, since they share nodes.
  void build(const BodyBuilder&) const override {}
  void check_support(const TableView& view, const SupportDescription& support) const override;
  Refusal refuses_own_modes() const override;
  std::vector<mesh::InterfaceDefinition> held_interfaces(
      const ModelDescription& model) const override;
  const SuperelementEntry* superelement() const override { return this; }
};

}  // namespace solidyn::model
