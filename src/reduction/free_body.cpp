#include "free_body.h"

#include <fmt/format.h>

#include "rigid_motion.h"

namespace solidyn::reduction {
namespace {

// A few per cent of the lowest eigenvalue: small enough to keep the spectrum's order and the static
// iteration fast, large enough that K + shift M is far from singular.
constexpr double kShiftOfLowest = 0.05;

double choose_shift(const mesh::DistributedMesh& mesh, const Eigen::VectorXd& nodal_mass,
                    const fem::Sections& sections, MassOf of) {
  PetscReal shift = kShiftOfLowest * estimate_lowest_eigenvalue(mesh, nodal_mass, sections, of);
  SOLIDYN_PETSC(PetscOptionsGetReal(nullptr, "modes_", "-shift", &shift, nullptr));
  if (!(shift > 0.0))
    throw base::InputError(fmt::format("-modes_shift is {}", shift),
                           "give a positive omega^2 in rad^2/s^2");
  return shift;
}

}  // namespace

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
  std::vector<CarriedRows> carried =
      find_carried_rows(mesh, options.masses.on_frames, interfaces, matrices.lumped_mass);
  add_carried(carried, matrices.properties);
  const double shift =
      choose_shift(mesh, spread_over_nodes(mesh, carried, matrices.lumped_mass), sections,
                   options.masses.size() == 0 ? MassOf::elements : MassOf::elements_and_points);
  Pencil pencil = make_pencil(mesh, matrices, options.mass, interfaces, shift,
                              choose_route(matrices), make_mass_root(mesh, carried));
  base::Mat M = fem::make_mass_operator(matrices, options.mass);
  return {mesh,
          sections,
          options.mass,
          std::move(matrices),
          std::move(interfaces),
          std::move(pencil),
          std::move(M),
          std::move(carried)};
}

}  // namespace solidyn::reduction
