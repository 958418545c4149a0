#pragma once
#include <mpi.h>

#include <memory>
#include <string>

#include "solidyn/model/description.h"
#include "solidyn/reduction/sbody.h"

namespace solidyn::model {

/// A reduced body with where it came from and what it cost.
struct BodyReduction {
  std::shared_ptr<const reduction::ReducedBody> body;
  reduction::Provenance provenance;
  reduction::ReductionTimings timings;  ///< no eigenproblem when it was read from a file
};

/// The body of this name. @throws base::InputError when there is none, or it cannot be reduced
const BodyEntry& find_reducible_body(const ModelDescription& model, const std::string& name);

/// Collective. The reduced body of a `type: modal` body of a model file: read from its
/// `reduced_body`, or reduced from its mesh unless `cache_folder` (empty: no cache) holds it.
/// With a check the body is reduced anew, since the cache does not keep it.
/// build() and `solidyn reduce` both come here, so that a file made by one gives the motion of the
/// other.
/// @pre the body is of a type that has modes
/// @throws base::InputError (mesh, interfaces, modes, damaged file), base::ComputationError
BodyReduction reduce_body(MPI_Comm comm, const ModelDescription& model, const BodyEntry& body,
                          const std::string& cache_folder,
                          reduction::Check check = reduction::Check::none);

/// Collective. The `count` lowest modes of a body with a mesh as its supports hold it (free without
/// any), of the mesh itself. @throws as reduce_body() @pre the body has a `mesh`
reduction::MeshModes modes_of_mesh(MPI_Comm comm, const ModelDescription& model,
                                   const BodyEntry& body, int count);

}  // namespace solidyn::model
