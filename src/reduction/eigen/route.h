#pragma once
#include "solidyn/fem/elastic_body.h"

namespace solidyn::reduction {

/// How systems with K + s M are solved.
enum class Route {
  direct,    ///< one Cholesky factor serves everything
  iterative  ///< multigrid: LOBPCG for eigenmodes, conjugate gradients for static correction modes
};

/// Collective. Direct while the factor fits into the memory that is free on the machines of the
/// ranks; -modes_route direct|iterative overrides that. For large bodies the log reports which
/// route they take, and why. @pre the body's rows are there
Route choose_route(const fem::ElasticBody& body);

/// What ranks' parts of a factor, with the parts of the mesh and buffers, add up to, over that of
/// one rank.
double share_of_ranks(MPI_Comm comm);

/// Collective. Bytes that a Cholesky factor in double precision needs at most, on all ranks
/// together, whatever the shape of a body with so many nodes is.
double bound_of_factor(MPI_Comm comm, double n_nodes);

/// Collective. Bytes of a Cholesky factor of the body's stiffness in double precision, on all ranks
/// together: that bound where it is not above `enough`, which nobody needs to know better. Else the
/// node graph, ordered by METIS, goes through CHOLMOD's symbolic analysis on rank 0 (two numbers
/// per entry of the graph).
double predict_factor_bytes(const fem::ElasticBody& body, double enough);

}  // namespace solidyn::reduction
