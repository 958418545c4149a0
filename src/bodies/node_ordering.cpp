#include "bodies/node_ordering.h"

#include <exception>
#include <vector>

#include "solidyn/base/petsc.h"
#include "solvers/nested_dissection.h"

namespace solidyn::bodies {
namespace {

// The node graph has a third of the rows and a ninth of the entries.
PetscErrorCode order_nodes(::Mat A, MatOrderingType, IS* rows, IS* columns) {
  PetscInt n = 0;
  const PetscInt *start = nullptr, *column = nullptr;
  PetscBool done = PETSC_FALSE;
  PetscFunctionBeginUser;
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  PetscCheck(done && n % 3 == 0, PETSC_COMM_SELF, PETSC_ERR_SUP,
             "the node ordering needs a matrix of node blocks on one rank");
  std::vector<int> graph_start(1, 0), graph;
  for (PetscInt i = 0; i < n / 3; ++i) {
    PetscInt last = -1;
    for (PetscInt k = start[3 * i]; k < start[3 * i + 1]; ++k) {
      const PetscInt j = column[k] / 3;
      if (j != last && j != i) graph.push_back(j);
      last = j;
    }
    graph_start.push_back(static_cast<int>(graph.size()));
  }
  PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  std::vector<PetscInt> expanded;
  try {
    for (const int node : solvers::dissect(graph_start, graph).order)
      for (int axis = 0; axis < 3; ++axis) expanded.push_back(3 * node + axis);
  } catch (const std::exception& error) {  // PETSc is C
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", error.what());
  }
  const auto size = static_cast<PetscInt>(expanded.size());
  for (IS* side : {rows, columns}) {
    PetscCall(ISCreateGeneral(PETSC_COMM_SELF, size, expanded.data(), PETSC_COPY_VALUES, side));
    PetscCall(ISSetPermutation(*side));
  }
  PetscFunctionReturn(0);
}

}  // namespace

void register_node_ordering() {
  static const bool is_registered = [] {
    SOLIDYN_PETSC(MatOrderingRegister(kNodeOrdering, order_nodes));
    return true;
  }();
  static_cast<void>(is_registered);
}

}  // namespace solidyn::bodies
