#include "bodies/worst_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "nodal_view.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

constexpr std::size_t kNodesNamed = 3;
constexpr double kNotFinite = std::numeric_limits<double>::infinity();

struct NodeResidual {
  double size = -1.0, tag = 0.0, x = 0.0, y = 0.0, z = 0.0;
};

bool is_worse(const NodeResidual& a, const NodeResidual& b) {
  return a.size != b.size ? a.size > b.size : a.tag < b.tag;
}

// The worst of all ranks from those of this one.
std::vector<NodeResidual> gather_worst(MPI_Comm comm, std::vector<NodeResidual> mine) {
  std::sort(mine.begin(), mine.end(), is_worse);
  mine.resize(kNodesNamed);
  constexpr int kNumbers = kNodesNamed * sizeof(NodeResidual) / sizeof(double);
  std::vector<NodeResidual> all(kNodesNamed * static_cast<std::size_t>(base::size(comm)));
  MPI_Allgather(mine.data(), kNumbers, MPI_DOUBLE, all.data(), kNumbers, MPI_DOUBLE, comm);
  std::sort(all.begin(), all.end(), is_worse);
  all.resize(kNodesNamed);
  return all;
}

}  // namespace

std::string describe_worst_nodes(::KSP ksp, ::Vec b, ::Vec x, const mesh::DistributedMesh& mesh) {
  ::Mat A = nullptr;
  base::Vec r;
  SOLIDYN_PETSC(KSPGetOperators(ksp, &A, nullptr));
  SOLIDYN_PETSC(VecDuplicate(b, r.out()));
  SOLIDYN_PETSC(MatMult(A, x, r));
  SOLIDYN_PETSC(VecAYPX(r, -1.0, b));
  std::vector<NodeResidual> mine;
  {
    const NodalView residual(r);
    for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
      const double norm = residual.nodes().col(i).norm();
      mine.push_back({std::isfinite(norm) ? norm : kNotFinite,  // not-a-number has no order
                      static_cast<double>(mesh.node_tags[i]), mesh.x(0, i), mesh.x(1, i),
                      mesh.x(2, i)});
    }
  }
  std::string words;
  for (const NodeResidual& node : gather_worst(mesh.comm, std::move(mine)))
    if (node.size >= 0.0)
      words += fmt::format("{}{:.0f} at [{:.6g}, {:.6g}, {:.6g}]", words.empty() ? "" : ", ",
                           node.tag, node.x, node.y, node.z);
  return words;
}

}  // namespace solidyn::bodies
