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

/// Collective. Bytes of a Cholesky factor of the body's stiffness: the node graph, ordered by
/// METIS, goes through CHOLMOD's symbolic analysis on rank 0 (two numbers per entry of the graph).
double predict_factor_bytes(const fem::ElasticBody& body);

}  // namespace solidyn::reduction
