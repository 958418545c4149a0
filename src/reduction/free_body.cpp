#include "free_body.h"

#include <fmt/format.h>

#include "rigid_motion.h"

namespace solidyn::reduction {
namespace {

// A few per cent of the lowest eigenvalue: small enough to keep the spectrum's order and the static
// iteration fast, large enough that K + shift M is far from singular.
constexpr double kShiftOfLowest = 0.05;

double choose_shift(const mesh::DistributedMesh& mesh, const fem::ElasticBody& body,
                    const fem::Sections& sections) {
  PetscReal shift = kShiftOfLowest * estimate_lowest_eigenvalue(mesh, body.lumped_mass, sections);
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
  fem::ElasticBody matrices = fem::assemble(mesh, sections, options.masses);
  std::vector<mesh::Interface> interfaces;
  for (const mesh::InterfaceDefinition& definition : options.interfaces)
    interfaces.push_back(mesh::resolve_interface(mesh, definition, matrices.lumped_mass));
  Pencil pencil = make_pencil(mesh, matrices, options.mass, interfaces,
                              choose_shift(mesh, matrices, sections), choose_route(matrices));
  base::Mat M = fem::make_mass_operator(matrices, options.mass);
  return {mesh,
          sections,
          options.mass,
          std::move(matrices),
          std::move(interfaces),
          std::move(pencil),
          std::move(M)};
}

}  // namespace solidyn::reduction
