#include "solidyn/bodies/nodal_stress.h"

#include <memory>

#include "nodal_view.h"
#include "solidyn/base/mpi.h"
#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::bodies {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

Matrix6X columns_of(const Matrix6X& all, const std::vector<std::int32_t>& nodes) {
  Matrix6X some(6, nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k)
    some.col(static_cast<Index>(k)) = all.col(nodes[k]);
  return some;
}

}  // namespace

NodalStress modal_stress(Eigen::MatrixXd S) {
  return [S = std::move(S)](const BodyState& state) {
    Matrix6X sigma(6, S.rows() / 6);
    Eigen::Map<Eigen::VectorXd>(sigma.data(), sigma.size()).noalias() = S * state.q_e;
    return sigma;
  };
}

NodalStress floating_frame_stress(const FloatingFrameBody& body, const fem::Sections& sections,
                                  std::vector<std::int32_t> nodes) {
  const auto recovery =
      std::make_shared<const fem::StressRecovery>(body.mesh(), sections, std::move(nodes));
  return [&body, recovery](const BodyState& state) -> Matrix6X {
    const Matrix3Xd u = body.on_local_nodes(state.nodal->u);
    const Eigen::MatrixXd sigma =
        recovery->compute(Eigen::Map<const Eigen::VectorXd>(u.data(), u.size()));
    return Eigen::Map<const Matrix6X>(sigma.data(), 6, sigma.rows() / 6);
  };
}

NodalStress solid_stress(const SolidBody& body, std::vector<std::int32_t> nodes) {
  return [&body, nodes = std::move(nodes)](const BodyState& state) {
    const mesh::DistributedMesh& mesh = body.mesh();
    Matrix3Xd x = mesh.x;
    x.leftCols(mesh.n_owned) += NodalView(state.nodal->u).nodes();
    body.forces().update_ghosts(x);
    Matrix6X sigma(6, mesh.n_owned);
    body.forces().compute_nodal_stress(x, sigma);
    return columns_of(sigma, nodes);
  };
}

fem::Stress find_largest_stress(MPI_Comm comm, const Matrix6X& sigma) {
  fem::Stress largest = fem::Stress::Zero();
  struct {
    double value;
    int rank;
  } mine{-1.0, base::rank(comm)}, winner{};
  for (Index k = 0; k < sigma.cols(); ++k) {
    const double value = fem::von_mises(sigma.col(k));
    if (!(value > mine.value)) continue;
    mine.value = value;
    largest = sigma.col(k);
  }
  if (base::size(comm) == 1) return largest;
  MPI_Allreduce(&mine, &winner, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm);
  MPI_Bcast(largest.data(), 6, MPI_DOUBLE, winner.rank, comm);
  return largest;
}

}  // namespace solidyn::bodies
