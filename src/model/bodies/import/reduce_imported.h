#pragma once
#include "model/bodies/reduced_entry.h"
#include "solidyn/model/reduce_body.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::model {

/// Collective. The body that `import` of a model file describes: rank 0 reads its files and turns
/// them to SI. Prints what was read and how plausible it is. A superelement of which the model
/// declares no interface has one on each of its nodes, "node_11".
/// @param options  what the model asks of a reduction
/// @throws base::InputError on all ranks
BodyReduction reduce_imported(MPI_Comm comm, const ModelDescription& model,
                              const ReducedEntry& body, reduction::ReductionOptions options);

}  // namespace solidyn::model
