#include "reduction/eigen/route.h"

#include <cholmod.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "solidyn/base/gather.h"
#include "solidyn/base/log.h"
#include "solidyn/base/memory.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"

namespace solidyn::reduction {
namespace {

// Of what is free: fronts, matrices and vectors want their share as well.
constexpr double kShareOfMemory = 0.6;

// The upper triangle of the node graph, by columns, on rank 0.
struct Graph {
  std::vector<std::int64_t> starts, rows;
};

Graph gather_graph(const fem::ElasticBody& body) {
  std::vector<std::int64_t> counts, rows;
  for (std::int32_t i = 0; i < body.n_owned(); ++i) {
    const std::size_t before = rows.size();
    for (std::int64_t k = body.row_start[i]; k < body.row_start[i + 1]; ++k)
      if (body.columns[k] <= body.first_owned + i) rows.push_back(body.columns[k]);
    counts.push_back(static_cast<std::int64_t>(rows.size() - before));
  }
  Graph graph;
  graph.rows = base::gather_on_first(body.comm, rows, MPI_INT64_T);
  counts = base::gather_on_first(body.comm, counts, MPI_INT64_T);
  graph.starts.assign(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), graph.starts.begin() + 1);
  return graph;
}

double count_factor_entries(Graph& graph) {
  cholmod_common common;
  cholmod_l_start(&common);
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_METIS;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.print = 0;
  cholmod_sparse A{};
  A.nrow = A.ncol = graph.starts.size() - 1;
  A.nzmax = graph.rows.size();
  A.p = graph.starts.data();
  A.i = graph.rows.data();
  A.stype = 1;
  A.itype = CHOLMOD_LONG;
  A.xtype = CHOLMOD_PATTERN;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = A.packed = 1;
  cholmod_factor* factor = cholmod_l_analyze(&A, &common);
  const double n_entries = factor ? common.lnz : -1.0;
  cholmod_l_free_factor(&factor, &common);
  cholmod_l_finish(&common);
  return n_entries;
}

double count_nodes(const fem::ElasticBody& body) {
  return static_cast<double>(base::sum(body.comm, static_cast<std::int64_t>(body.n_owned())));
}

// Empty unless the user chose.
const char* chosen_by_user(Route& route) {
  const auto choice = base::option_choice("modes_", "-route", {"direct", "iterative"});
  route = choice == 1 ? Route::iterative : Route::direct;
  return !choice ? nullptr : route == Route::iterative ? "iterative" : "direct";
}

}  // namespace

// At most 1.55 and 2.2 on 2 and 4 ranks (memory above that of one rank, tet10, 16 and 43 thousand
// nodes).
double share_of_ranks(MPI_Comm comm) { return 1.0 + 0.55 * std::log2(base::size(comm)); }

// A cube has the largest factor: 4.8 GB at 118 thousand nodes of tet10, 37 GB at 493 thousand, and
// half as much again with hex20.
double bound_of_factor(MPI_Comm comm, double n_nodes) {
  return share_of_ranks(comm) * 7.2e9 * std::pow(n_nodes / 118e3, 1.42);
}

double predict_factor_bytes(const fem::ElasticBody& body, double enough) {
  constexpr double kBlock = 9.0 * sizeof(double), kSupernodes = 1.1;  // zeros kept in supernodes
  const double bound = bound_of_factor(body.comm, count_nodes(body));
  if (bound <= enough) return bound;
  Graph graph = gather_graph(body);
  double n_entries = base::rank(body.comm) == 0 ? count_factor_entries(graph) : 0.0;
  MPI_Bcast(&n_entries, 1, MPI_DOUBLE, 0, body.comm);
  if (n_entries < 0.0)
    throw base::ComputationError(
        "out of memory while analysing the stiffness matrix\n  use -modes_route iterative");
  return share_of_ranks(body.comm) * kSupernodes * kBlock * n_entries;
}

Route choose_route(const fem::ElasticBody& body) {
  Route route = Route::direct;
  if (const char* name = chosen_by_user(route)) {
    base::log_info("reduction: the {} route, as set by -modes_route", name);
    return route;
  }
  const double n_nodes = count_nodes(body), free = base::available_memory(body.comm),
               allowed = kShareOfMemory * free;
  // Of such a body there is nothing to tell.
  if (bound_of_factor(body.comm, n_nodes) <= allowed) return Route::direct;
  const double bytes = predict_factor_bytes(body, allowed);
  route = bytes < allowed ? Route::direct : Route::iterative;
  base::log_info(
      "reduction: the stiffness factorisation ({:.0f} nodes) needs {:.3g} GB, {:.3g} GB of memory are free: {} (override with -modes_route direct or iterative)",
      n_nodes, 1e-9 * bytes, 1e-9 * free,
      route == Route::direct ? "direct factorisation is used"
                             : "LOBPCG and conjugate gradients with multigrid are used instead");
  return route;
}

}  // namespace solidyn::reduction
