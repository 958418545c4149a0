#include "solidyn/system/rigid_part.h"

#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/dense.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// y := w x x, node by node.
void cross_nodes(const Vector3d& w, ::Vec x, ::Vec y) {
  const PetscScalar* in = nullptr;
  PetscScalar* out = nullptr;
  PetscInt n = 0;
  SOLIDYN_PETSC(VecGetLocalSize(x, &n));
  SOLIDYN_PETSC(VecGetArrayRead(x, &in));
  SOLIDYN_PETSC(VecGetArray(y, &out));
  for (PetscInt i = 0; i < n; i += 3)
    Eigen::Map<Vector3d>(out + i) = w.cross(Eigen::Map<const Vector3d>(in + i));
  SOLIDYN_PETSC(VecRestoreArray(y, &out));
  SOLIDYN_PETSC(VecRestoreArrayRead(x, &in));
}

double largest_of(::Vec x) {
  PetscReal largest = 0.0;
  SOLIDYN_PETSC(VecNorm(x, NORM_INFINITY, &largest));
  return largest;
}

}  // namespace

Vector6 twist_of(const System& system, const State& state, std::size_t k) {
  const bodies::NodalBody& body = *system.layout().nodal_bodies()[k];
  const MatrixXd ports = body.rigid_port_velocities(state.nodal[k]);
  if (ports.norm() == 0.0) return Vector6::Zero();
  const int at =
      system.layout().velocity_offset(system.layout().body_of_nodal(static_cast<int>(k)));
  return math::PivotedQr(ports).solve(state.v.segment(at, body.n_elastic()));
}

void set_centripetal_of_meshes(const System& system, State& state) {
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system.layout().nodal_bodies()[k];
    if (body.n_rigid() > 0) continue;
    bodies::NodalState& n = state.nodal[k];
    const Vector3d w_W = twist_of(system, state, k).tail<3>();
    cross_nodes(w_W, n.du, n.ddu);
    const int at =
        system.layout().velocity_offset(system.layout().body_of_nodal(static_cast<int>(k)));
    state.a.segment(at, body.n_elastic()) = body.ports_of(n.ddu);
  }
}

double deforming_part(const System& system, const State& state) {
  double part = 0.0;
  State other = state.clone();
  for (std::size_t k = 0; k < other.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system.layout().nodal_bodies()[k];
    const double size = largest_of(other.nodal[k].du);
    if (body.n_rigid() > 0 || size == 0.0) continue;
    body.add_rigid_velocity(-twist_of(system, state, k), other.nodal[k]);
    part = std::max(part, largest_of(other.nodal[k].du) / size);
  }
  return part;
}

}  // namespace solidyn::system
