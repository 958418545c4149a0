#pragma once
#include <optional>
#include <vector>

#include "solidyn/bodies/body.h"
#include "solidyn/bodies/nodal_state.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::reduction {
struct LoadRows;
}

namespace solidyn::bodies {

/// A body whose 3n nodal displacements are all unknowns. To the rest of the system it is a body
/// with a few elastic coordinates: its ports s = P^T u (P [3n x n_ports], the columns that frames
/// and reference conditions touch). The interior is condensed exactly in every Newton iteration:
///   A du + P df = -(r + P f)   with A = mass M + damping D + stiffness K
///   =>  G^-1 ds + df = -(f + G^-1 P^T A^-1 r),   G = P^T A^-1 P
/// so that add_tangent gives G^-1, add_residual gives G^-1 P^T A^-1 r, and recover() the interior.
/// The dense borders (mean axis, rigid motion) never enter the factorisation of A (SOLVERS.md).
class NodalBody : public Body {
 public:
  using Body::Body;
  NodalBody* as_nodal() final { return this; }
  virtual const mesh::DistributedMesh& mesh() const = 0;
  /// Collective. Zeros.
  virtual NodalState make_state() const = 0;

  /// Collective. Fixes A for the residuals and tangents that follow; factorises it when it changed.
  void set_coefficients(const TangentCoefficients& coefficients) override = 0;

  /// Collective. The interior increment of the Newton iteration whose residual was evaluated last:
  /// du = -A^-1 r + Y G^-1 (ds + P^T A^-1 r), Y = A^-1 P. @param ds [n_elastic] increment of the
  /// ports
  virtual void recover(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) = 0;

  /// Collective. The same without a residual: what forces on the ports alone, which move these by
  /// ds, do to all nodes: Y G^-1 ds.
  virtual void follow(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) = 0;

  /// Collective. How far the residual evaluated last would move the interior with the ports held:
  /// max |(I - Y G^-1 P^T) A^-1 r|, m. The small residual does not see it.
  virtual double interior_increment() const = 0;

  /// Collective. What the residual evaluated last leaves on the nodes, but along what supports
  /// prescribe: the sum of the sizes of the forces, N. Zero of bodies that no support holds, whose
  /// small unknowns show it.
  virtual double nodal_forces() const { return 0.0; }

  /// Collective. s = P^T x, bitwise the same on all ranks.
  virtual Eigen::VectorXd ports_of(::Vec x) const = 0;

  virtual int linear_iterations() const = 0;  ///< so far

  /// What forces of the mechanism on its nodes and faces see of it; none of a body that carries
  /// such loads itself.
  virtual const std::vector<reduction::LoadRows>& loads() const;

  /// Whether the residuals and increments that follow are as exact as the solver can make them, or
  /// as rough as an iteration bears that goes on from there (the default). For what nothing
  /// corrects later.
  virtual void solve_exactly(bool) {}

  /// Collective. Negative eigenvalues of A that the condensed block does not show: those of the
  /// whole are these and those of the system's matrix together. Empty when not known.
  virtual std::optional<int> n_hidden_negatives() const { return 0; }

  /// Collective; called before the first iteration of a step. A body without a frame of its own
  /// turns A, which it keeps, with its mean rotation. @return whether add_tangent() changed by it
  virtual bool turn_tangent(const BodyState&) { return false; }
  /// Collective. A becomes the tangent at this state. @return false when there is no better one
  virtual bool renew_tangent(const BodyState&) { return false; }

  /// The following four are for bodies on absolute coordinates only.
  /// Collective. Places undeformed nodes and gives them the velocities of a rigid motion.
  virtual void start(const InitialMotion&, NodalState&) const {}
  /// Collective. The ports' velocities in the six unit rigid motions [v in W; w in W, about the
  /// world's origin]. [n_elastic x 6]
  virtual Eigen::MatrixXd rigid_port_velocities(const NodalState&) const { return {}; }
  /// Moves all nodes rigidly: by the displacement [3] and the rotation vector [3] about the world's
  /// origin.
  virtual void move_rigidly(const Eigen::Matrix<double, 6, 1>&, NodalState&) const {}
  /// Adds a rigid velocity field [v; w] to the nodes.
  virtual void add_rigid_velocity(const Eigen::Matrix<double, 6, 1>&, NodalState&) const {}

  /// Collective. Takes out of nodal displacements, velocities or accelerations what no increment of
  /// recover() contains: whoever makes such vectors of earlier ones has nobody to correct it.
  virtual void make_admissible(::Vec) const {}
};

}  // namespace solidyn::bodies
