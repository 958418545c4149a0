#pragma once
#include <mpi.h>

#include <vector>

#include "model/bodies/flexible_entry.h"
#include "solidyn/fem/attached_mass.h"
#include "solidyn/fem/sections.h"
#include "solidyn/imported/solid_model.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::model {

/// What a finite element model of another program makes of a body, beside its mesh. A body with
/// imported modes takes sections and masses, for its mass.
struct ImportedParts {
  std::vector<fem::Section> sections;  ///< one per region
  std::vector<mesh::InterfaceDefinition> interfaces;
  fem::AttachedMasses masses;
  std::vector<base::Diagnostic> warnings;
};

/// The name of a rigid element or material as a model file can write it: what is neither letter,
/// digit, `_` nor `-` becomes `_`: "RBE2 5" -> "RBE2_5".
std::string name_in_model(const std::string& name);

/// The material of the model file that takes the place of a mesh file's: of the same name in the
/// model, whatever the case. Null without one.
const MaterialDescription* find_material_of_model(const ModelDescription& model,
                                                  const std::string& name);

/// Local. @param source in SI  @throws base::InputError with all complaints
/// Proved by tests/interop/foreign_bodies.
ImportedParts make_imported_parts(const imported::SolidModel& source, const ModelDescription& model,
                                  const FlexibleEntry& body);

/// Collective. Rank 0's parts on all ranks, but for the warnings. The nodes of interfaces and
/// masses are numbered ones, or those of an interface that the body declares.
ImportedParts share(MPI_Comm comm, const ImportedParts& parts);

}  // namespace solidyn::model
