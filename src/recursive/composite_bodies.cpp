#include "solidyn/recursive/composite_bodies.h"

#include "recursive/absolute_part.h"
#include "recursive/link_inertia.h"
#include "recursive/link_sweeps.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/math/rotation.h"

namespace solidyn::recursive {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;

// What speeds of a link, hinge then modes, do to the motion of its origin. [6 x its speeds]
Matrix6X own_columns(Tree& tree, const Link& k) {
  const int n = k.modes < 0 ? 0 : tree.modes()[k.modes].n;
  Matrix6X columns(6, k.n_speeds + n);
  const auto H = tree.H(k);
  for (int j = 0; j < k.n_speeds; ++j) columns.col(k.order[j]) = H.col(j);
  if (n > 0) columns.rightCols(n) = tree.modes()[k.modes].E;
  return columns;
}

// The forces at the origin of a link, and on its modes, that its own speeds need.
struct Needed {
  Matrix6X at_origin;
  MatrixXd of_modes;  // beside what these feel through E
};

Needed forces_of(Tree& tree, const Link& k, const Matrix6X& columns) {
  Needed needed{Matrix6X(6, columns.cols()), MatrixXd(0, columns.cols())};
  for (Eigen::Index c = 0; c < columns.cols(); ++c)
    needed.at_origin.col(c) = k.P * Vector6d(columns.col(c));
  if (k.modes < 0) return needed;
  const Modes& m = tree.modes()[k.modes];
  needed.at_origin.rightCols(m.n) += m.P_rf;
  needed.of_modes = m.P_rf.transpose() * columns;
  needed.of_modes.rightCols(m.n) += m.P_ff;
  return needed;
}

// Of elements between nodes of beams, about the world's origin.
struct MomentumOfElements {
  Matrix6X A;  // by all speeds
  Eigen::Matrix<double, 6, 6> inertia = Eigen::Matrix<double, 6, 6>::Zero();
};

// T^T M of each element, T what it moves as when all of it moves as one body.
MomentumOfElements momentum_of_elements(Tree& tree) {
  MomentumOfElements sum;
  sum.A.setZero(6, tree.n_speeds());
  const AbsolutePart part(tree);
  for (int g = 0; g < part.n_groups(); ++g)
    for (const NodeElements& of : part.elements(g))
      for (int e = 0; e < of.body->n_elements(); ++e) {
        const std::vector<int> nodes = of.body->element_nodes(e);
        const auto n = 6 * static_cast<Eigen::Index>(nodes.size());
        MatrixXd M = MatrixXd::Zero(n, n), unused = M, T = MatrixXd::Zero(n, 6);
        of.body->add_element_tangent(e, Vector3d::Zero(), {1.0, 0.0, 0.0}, M, unused);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          const Link& k = tree.links()[of.links[nodes[i]]];
          auto own = T.middleRows<6>(6 * static_cast<Eigen::Index>(i));
          own.topLeftCorner<3, 3>().setIdentity();
          own.topRightCorner<3, 3>() = -math::skew(k.p);
          own.bottomRightCorner<3, 3>() = k.R.transpose();
        }
        const MatrixXd h = T.transpose() * M;
        sum.inertia += h * T;
        for (std::size_t i = 0; i < nodes.size(); ++i)
          sum.A.middleCols<6>(tree.links()[of.links[nodes[i]]].u) +=
              h.middleCols<6>(6 * static_cast<Eigen::Index>(i));
      }
  return sum;
}

// Of an inertia, whose block B is -skew of it.
Vector3d first_moment_of(const Eigen::Matrix3d& B) { return {B(1, 2), B(2, 0), B(0, 1)}; }

void move_torques(const Vector3d& arm, Eigen::Ref<Matrix6X> A) {
  for (Eigen::Index c = 0; c < A.cols(); ++c) {
    const Vector3d force = A.col(c).head<3>();
    A.col(c).tail<3>() += arm.cross(force);
  }
}

}  // namespace

MatrixXd composite_mass_matrix(Tree& tree) {
  SOLIDYN_ASSERT(tree.node_groups().empty());
  std::vector<Link>& links = tree.links();
  std::vector<Matrix6X> columns;
  for (Link& k : links) {
    set_own_inertia(tree, k);
    columns.push_back(own_columns(tree, k));
  }
  MatrixXd M = MatrixXd::Zero(tree.n_speeds(), tree.n_speeds());
  for (std::size_t i = links.size(); i-- > 0;) {
    const Link& k = links[i];
    const Eigen::Index n = columns[i].cols();
    Needed f = forces_of(tree, k, columns[i]);
    M.block(k.u, k.u, n, n) = columns[i].transpose() * f.at_origin;
    if (k.modes >= 0) M.block(k.u + k.n_speeds, k.u, f.of_modes.rows(), n) += f.of_modes;
    // Inwards: each body on the way feels them by its hinge, and by its modes.
    for (const Link* on = &k; on->parent >= 0; on = &links[on->parent]) {
      const Link& parent = links[on->parent];
      const Matrix6X& of_parent = columns[on->parent];
      MatrixXd block = MatrixXd::Zero(of_parent.cols(), n);
      if (on->carried >= 0)
        block.bottomRows(of_parent.cols() - parent.n_speeds) =
            tree.carried()[on->carried].X.transpose() * f.at_origin;
      for (Eigen::Index c = 0; c < n; ++c) f.at_origin.col(c) = shifted(*on, f.at_origin.col(c));
      block += of_parent.transpose() * f.at_origin;
      M.block(parent.u, k.u, block.rows(), n) = block;
      M.block(k.u, parent.u, n, block.rows()) = block.transpose();
    }
    if (k.parent >= 0) pass_inertia(tree, k);
  }
  return M;
}

CentroidalMomentum centroidal_momentum(Tree& tree) {
  std::vector<Link>& links = tree.links();
  for (Link& k : links) set_own_inertia(tree, k);
  CentroidalMomentum momentum;
  momentum.A.setZero(6, tree.n_speeds());
  Vector3d first_moment = Vector3d::Zero();  // about the world's origin
  for (std::size_t i = links.size(); i-- > 0;) {
    const Link& k = links[i];
    const Matrix6X columns = own_columns(tree, k);
    momentum.A.middleCols(k.u, columns.cols()) = forces_of(tree, k, columns).at_origin;
    if (k.parent >= 0) {
      pass_inertia(tree, k);
      continue;
    }
    const double mass = k.P.A.trace() / 3.0;
    momentum.mass += mass;
    // B is -skew of the first moment about the link's origin.
    first_moment += mass * k.p + first_moment_of(k.P.B);
  }
  MomentumOfElements elements = momentum_of_elements(tree);
  momentum.mass += elements.inertia.topLeftCorner<3, 3>().trace() / 3.0;
  first_moment += first_moment_of(elements.inertia.topRightCorner<3, 3>());
  if (momentum.mass > 0.0) momentum.centre = first_moment / momentum.mass;
  for (const Link& k : links) {
    const int n = k.n_speeds + (k.modes < 0 ? 0 : tree.modes()[k.modes].n);
    move_torques(k.p - momentum.centre, momentum.A.middleCols(k.u, n));
  }
  move_torques(-momentum.centre, elements.A);
  momentum.A += elements.A;
  return momentum;
}

}  // namespace solidyn::recursive
