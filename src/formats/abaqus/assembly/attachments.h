#pragma once
#include "formats/abaqus/assembly/placement.h"

namespace solidyn::formats::abaqus {

/// What hangs on nodes of a placed part: point masses, rigid elements, supports, nodal axes.
/// Private to the reader.
class Attachments {
 public:
  Attachments(const Placement& placement, SetFinder& sets, imported::SolidModel& model)
      : placement_(placement), sets_(sets), model_(model) {}

  void add(const Placed& placed, const Scope& scope);
  /// Call once all parts were added.
  void finish();

 private:
  void add_mass(const MassProperty& property, const Placed& placed);
  void add_coupling(const Coupling& coupling, const Placed& placed);
  void add_coupled_nodes(const Coupling& coupling, const Context& context, std::int32_t reference,
                         imported::RigidElement& element);
  std::int32_t find_reference(const Coupling& coupling, const Context& context);
  void add_transform(const Transform& transform, const Placed& placed);
  void fold_masses();
  std::vector<bool> nodes_of_solids() const;

  const Placement& placement_;
  SetFinder& sets_;
  imported::SolidModel& model_;
  std::map<std::int32_t, unsigned> supports_;  // a bit per component
  std::map<std::int32_t, std::size_t> beams_;  // of *MPC, BEAM: reference node -> rigid element
};

}  // namespace solidyn::formats::abaqus
