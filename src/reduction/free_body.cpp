#include "free_body.h"

#include <fmt/format.h>

#include "rigid_motion.h"

namespace solidyn::reduction {
void FreeBody::release_rows() {
  matrices.row_start = {};
  matrices.columns = {};
  matrices.stiffness = {};
  matrices.mass = {};
}

FreeBody make_free_body(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                        const ReductionOptions& options) {
  fem::ElasticBody matrices = fem::assemble(mesh, sections, options.masses.at_nodes);
  std::vector<mesh::Interface> interfaces;
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    interfaces.push_back(mesh::resolve_interface(mesh, definition, matrices.lumped_mass));
  std::vector<HeldNodes> supports = resolve_supports(mesh, options.supports, interfaces);
  std::vector<CarriedRows> carried =
      find_carried_rows(mesh, options.masses.on_frames, interfaces, matrices.lumped_mass);
  add_carried(carried, matrices.properties);
  const double shift = choose_shift(estimate_lowest_eigenvalue(
      mesh, spread_over_nodes(mesh, carried, matrices.lumped_mass), sections,
      options.masses.size() == 0 ? MassOf::elements : MassOf::elements_and_points));
  Pencil pencil = make_pencil(mesh, matrices, options.mass, interfaces, shift,
                              choose_route(matrices), make_mass_root(mesh, carried), supports);
  base::Mat M = fem::make_mass_operator(matrices, options.mass);
  return {mesh,
          sections,
          options.mass,
          std::move(matrices),
          std::move(interfaces),
          std::move(pencil),
          std::move(M),
          std::move(carried),
          std::move(supports)};
}

}  // namespace solidyn::reduction
