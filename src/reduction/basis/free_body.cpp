#include "reduction/basis/free_body.h"

#include <fmt/format.h>

#include "reduction/basis/rigid_motion.h"
#include "solidyn/base/error.h"
#include "solidyn/mesh/parts.h"

namespace solidyn::reduction {
void FreeBody::release_rows() {
  matrices.row_start = {};
  matrices.columns = {};
  matrices.stiffness = {};
  matrices.mass = {};
}

namespace {

bool asks_for_shapes(const ReductionOptions& o) {
  return o.free_free > 0 || o.free_free_up_to > 0.0 || o.fixed_interface > 0 ||
         o.fixed_interface_up_to > 0.0 || o.constraint_modes != ConstraintModesAt::none ||
         o.static_correction != StaticCorrection::none || !o.static_loads.empty();
}

// Parts that only frames of mean motions, or nothing, hold together move apart without resistance.
void refuse_parts(const mesh::DistributedMesh& mesh,
                  const std::vector<mesh::Interface>& interfaces) {
  std::vector<std::vector<std::int64_t>> tied;
  for (const mesh::Interface& interface : interfaces)
    if (interface.attach == mesh::Attachment::rbe2) tied.push_back(interface.nodes);
  const std::vector<mesh::ConnectedPart> parts = mesh::find_connected_parts(mesh, tied);
  if (parts.size() < 2) return;
  throw base::InputError(
      "the body is disconnected: its elements share no nodes between " + mesh::describe(parts) +
          ", so that its modes are undefined",
      "merge the nodes where the parts touch, connect them by an interface with attach: rbe2 over both, or define a body for each part");
}

}  // namespace

FreeBody make_free_body(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                        const ReductionOptions& options) {
  fem::ElasticBody matrices = fem::assemble(mesh, sections, options.masses.at_nodes);
  std::vector<mesh::Interface> interfaces;
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    interfaces.push_back(mesh::resolve_interface(mesh, definition, matrices.lumped_mass));
  if (asks_for_shapes(options)) refuse_parts(mesh, interfaces);
  std::vector<HeldNodes> supports = resolve_supports(mesh, options.supports, interfaces);
  std::vector<FrameMassRows> frame_masses =
      find_frame_mass_rows(mesh, options.masses.on_frames, interfaces, matrices.lumped_mass);
  add_frame_masses(frame_masses, matrices.properties);
  const double shift = choose_shift(estimate_lowest_eigenvalue(
      mesh, spread_over_nodes(mesh, frame_masses, matrices.lumped_mass), sections,
      options.masses.size() == 0 ? MassOf::elements : MassOf::elements_and_points));
  Pencil pencil = make_pencil(mesh, matrices, options.mass, interfaces, shift,
                              choose_route(matrices), make_mass_root(mesh, frame_masses), supports);
  base::Mat M = fem::make_mass_operator(matrices, options.mass);
  return {mesh,
          sections,
          options.mass,
          std::move(matrices),
          std::move(interfaces),
          std::move(pencil),
          std::move(M),
          std::move(frame_masses),
          std::move(supports)};
}

}  // namespace solidyn::reduction
