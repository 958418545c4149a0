#include "solid_supports.h"

#include <fmt/format.h>

#include <algorithm>

#include "nodal_view.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

SolidSupports::SolidSupports(const mesh::DistributedMesh& mesh,
                             const std::vector<Support>& supports,
                             const std::vector<PetscInt>& taken)
    : supports_(supports), comm_(mesh.comm) {
  std::vector<int> holder(3 * static_cast<std::size_t>(mesh.n_owned), -1);
  constexpr int kRegion = -2;
  for (PetscInt row : taken) holder[row] = kRegion;
  for (std::size_t s = 0; s < supports_.size(); ++s) {
    const std::string owner = fmt::format("support `{}`", supports_[s].name);
    double shared = 0.0;
    for (std::int32_t node : mesh::select_nodes(mesh, owner, supports_[s].nodes)) {
      for (int axis = 0; axis < 3; ++axis) {
        if (!supports_[s].fixes[axis]) continue;
        int& of_row = holder[3 * node + axis];
        if (of_row != -1) shared = 1.0;
        of_row = static_cast<int>(s);
      }
    }
    if (base::max(mesh.comm, shared) > 0.0)
      throw base::InputError(
          fmt::format("{}: another support or an rbe2 interface holds some of its nodes already",
                      owner),
          "select disjoint nodes, or fix different components");
  }
  for (std::size_t row = 0; row < holder.size(); ++row) {
    if (holder[row] < 0) continue;
    rows_.push_back(static_cast<PetscInt>(row));
    support_of_.push_back(holder[row]);
  }
  u_start_ = VectorXd::Zero(static_cast<Eigen::Index>(rows_.size()));
}

void SolidSupports::start(NodalState& state) {
  WritableNodalView u(state.u), du(state.du);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const PetscInt row = rows_[i];
    const math::TimeFunction& moves = supports_[support_of_[i]].displacement[row % 3];
    u_start_[static_cast<Eigen::Index>(i)] = u.flat()[row];
    u.flat()[row] += moves.value(0.0);
    du.flat()[row] = moves.first_derivative(0.0);
  }
}

VectorXd SolidSupports::defect(Level level, const NodalState& state, double t) const {
  const NodalView field(level == Level::position ? state.u : state.ddu);
  VectorXd defect(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const math::TimeFunction& moves = supports_[support_of_[i]].displacement[rows_[i] % 3];
    const double wanted =
        level == Level::position ? u_start_[k] + moves.value(t) : moves.second_derivative(t);
    defect[k] = wanted - field.flat()[rows_[i]];
  }
  return defect;
}

Matrix3Xd SolidSupports::sums(const VectorXd& f) const {
  Matrix3Xd sums = Matrix3Xd::Zero(3, static_cast<Eigen::Index>(supports_.size()));
  for (std::size_t i = 0; i < rows_.size(); ++i)
    sums(rows_[i] % 3, support_of_[i]) += f[static_cast<Eigen::Index>(i)];
  base::sum_in_place(comm_, sums.data(), static_cast<int>(sums.size()));
  return sums;
}

}  // namespace solidyn::bodies
