// The identities of P-RECURSIVE one by one, as dense matrices of 100 random trees in motion, and
// what the sweeps have of them.
#include <gmock/gmock.h>

#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/math/rotation.h"
#include "solidyn/recursive/articulated_bodies.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/connect.h"
#include "tree_matrices.h"

namespace solidyn {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using recursive::ArticulatedBodies;
using recursive::Link;
using recursive::Tree;
using testing_support::random_vector;
using testing_support::RandomTree;

constexpr double kOfLargest = 1e-12;  // of the largest entry

double largest(const MatrixXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

void expect_equal(const MatrixXd& found, const MatrixXd& expected, const char* what) {
  EXPECT_LT(largest(found - expected), kOfLargest * largest(expected)) << what;
}

// Of each body the modes, then six numbers in world axes at its origin: rows of V(k). H is H^* of
// the paper, Phi its Phi (from bodies to those that carry them), all [rows x rows] or [rows x
// speeds].
struct DenseTree {
  explicit DenseTree(Tree& tree) : tree(tree) {
    for (const Link& k : tree.links()) {
      at.push_back(n);
      n += n_modes(k) + 6;
    }
    const MatrixXd one = MatrixXd::Identity(n, n);
    MatrixXd E_Phi_t = MatrixXd::Zero(n, n);
    H = MatrixXd::Zero(n, tree.n_speeds());
    for (std::size_t i = 0; i < tree.links().size(); ++i) add_link(i, E_Phi_t);
    E_Phi = E_Phi_t.transpose();
    Phi = (one - E_Phi_t).triangularView<Eigen::UnitLower>().solve(one).transpose();
  }

  int n_modes(const Link& k) const { return k.modes >= 0 ? tree.modes()[k.modes].n : 0; }

  // V(k) = [0 0; X phi] V(parent) + [1 0; E H] [dq; u].
  void add_link(std::size_t i, MatrixXd& E_Phi_t) {
    Link& k = tree.links()[i];
    const int m = n_modes(k), row = at[i] + m;
    for (int j = 0; j < k.n_speeds; ++j) H.block(row, k.u + k.order[j], 6, 1) = tree.H(k).col(j);
    if (m > 0) {
      H.block(at[i], k.u + k.n_speeds, m, m).setIdentity();
      H.block(row, k.u + k.n_speeds, 6, m) = tree.modes()[k.modes].E;
    }
    if (k.parent < 0) return;
    const int of_parent = at[k.parent], m_parent = n_modes(tree.links()[k.parent]);
    auto phi = E_Phi_t.block<6, 6>(row, of_parent + m_parent);
    phi.setIdentity();
    phi.topRightCorner<3, 3>() = -math::skew(k.arm);
    if (k.carried >= 0) E_Phi_t.block(row, of_parent, 6, m_parent) = tree.carried()[k.carried].X;
  }

  // M_m from the matrix of each body in its own unknowns: linear (W), angular (B), modal.
  void set_mass(const MatrixXd& of_bodies, const system::Layout& layout) {
    M = MatrixXd::Zero(n, n);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Link& k = tree.links()[i];
      const int m = n_modes(k);
      MatrixXd own = MatrixXd::Zero(6 + m, 6 + m);  // velocities of the body by rows of V(k)
      own.block<3, 3>(0, m).setIdentity();
      own.block<3, 3>(3, m + 3) = k.R.transpose();
      own.bottomLeftCorner(m, m).setIdentity();
      const int v = layout.velocity_offset(k.body);
      M.block(at[i], at[i], 6 + m, 6 + m) =
          own.transpose() * of_bodies.block(v, v, 6 + m, 6 + m) * own;
    }
  }

  // (5.2), (6.1) to (6.3).
  void sweep_inwards() {
    R = P = P_plus = tau = M;
    D = MatrixXd::Zero(H.cols(), H.cols());
    G = MatrixXd::Zero(n, H.cols());
    tau.setIdentity();
    for (std::size_t i = at.size(); i-- > 0;) {
      const Link& k = tree.links()[i];
      const int m = n_modes(k), rows = 6 + m, columns = k.n_speeds + m;
      const MatrixXd P_k = P.block(at[i], at[i], rows, rows),
                     H_k = H.block(at[i], k.u, rows, columns);
      if (columns > 0) {
        const MatrixXd D_k = H_k.transpose() * P_k * H_k;
        const MatrixXd G_k = D_k.ldlt().solve(H_k.transpose() * P_k).transpose();
        D.block(k.u, k.u, columns, columns) = D_k;
        G.block(at[i], k.u, rows, columns) = G_k;
        tau.block(at[i], at[i], rows, rows) -= G_k * H_k.transpose();
      }
      P_plus.block(at[i], at[i], rows, rows) = tau.block(at[i], at[i], rows, rows) * P_k;
      if (k.parent < 0) continue;
      const int to = at[k.parent], n_to = 6 + n_modes(tree.links()[k.parent]);
      const MatrixXd shift = E_Phi.block(to, at[i], n_to, rows);
      P.block(to, to, n_to, n_to) +=
          shift * P_plus.block(at[i], at[i], rows, rows) * shift.transpose();
      R.block(to, to, n_to, n_to) += shift * R.block(at[i], at[i], rows, rows) * shift.transpose();
    }
    const MatrixXd one = MatrixXd::Identity(n, n);
    K = E_Phi * G;
    Psi = (one - E_Phi * tau).triangularView<Eigen::UnitUpper>().solve(one);
  }

  // Of the links' z, and of their modes.
  VectorXd forces() const {
    VectorXd b(n);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Link& k = tree.links()[i];
      if (k.modes >= 0) b.segment(at[i], n_modes(k)) = tree.modes()[k.modes].z_f;
      b.segment<6>(at[i] + n_modes(k)) = k.z;
    }
    return b;
  }
  VectorXd biases() const {
    VectorXd a = VectorXd::Zero(n);
    for (std::size_t i = 0; i < at.size(); ++i)
      a.segment<6>(at[i] + n_modes(tree.links()[i])) = tree.links()[i].bias;
    return a;
  }

  Tree& tree;
  std::vector<int> at;  // first row of each link
  int n = 0;
  MatrixXd E_Phi, Phi, H, M, R, P, P_plus, tau, D, G, K, Psi;
};

class SpatialOperators : public testing::TestWithParam<bool> {
 protected:
  // claim(tree, its dense operators, mass matrix by the Jacobian of its bodies, generator)
  template <class Claim>
  void for_all(const Claim& claim) {
    for (unsigned seed = 1; seed <= 100; ++seed) {
      SCOPED_TRACE(seed);
      RandomTree random(seed);
      grow(random, GetParam());
      random.set_in_motion();
      Tree tree(random.system());
      VectorXd q, u;
      tree.find_coordinates(random.state(), q, u);
      system::State state = random.state().clone();
      random.system().update(random.state());
      const MatrixXd M_b = testing_support::mass_of_bodies(random.system()),
                     J = testing_support::jacobian(tree, q, state), M = J.transpose() * M_b * J;
      tree.compute_motion(q.data(), u.data());
      DenseTree dense(tree);
      dense.set_mass(M_b, random.system().layout());
      dense.sweep_inwards();
      claim(tree, dense, M, random.generator());
      if (HasFailure()) return;
    }
  }
};

TEST_P(SpatialOperators, FactoriseTheMassMatrix) {
  for_all([](Tree& tree, const DenseTree& o, const MatrixXd& M, std::mt19937&) {
    const MatrixXd one = MatrixXd::Identity(o.n, o.n), Ht = o.H.transpose();
    expect_equal(composite_mass_matrix(tree), M, "(5.5)");
    expect_equal(Ht * o.Phi * o.M * o.Phi.transpose() * o.H, M, "(3.45)");
    const MatrixXd Phi_R = (o.Phi - one) * o.R;
    expect_equal(Ht * (o.R + Phi_R + Phi_R.transpose()) * o.H, M, "(5.4)");
    const MatrixXd identity = MatrixXd::Identity(M.rows(), M.cols()),
                   factor = identity + Ht * o.Phi * o.K, inverse = identity - Ht * o.Psi * o.K;
    expect_equal(factor * o.D * factor.transpose(), M, "(6.4)");
    EXPECT_LT(largest(factor * inverse - identity), kOfLargest * largest(factor) * largest(inverse))
        << "(6.5)";
    const MatrixXd M_inverse = inverse.transpose() * o.D.ldlt().solve(inverse);
    EXPECT_LT(largest(M_inverse * M - identity), kOfLargest * largest(M_inverse) * largest(M))
        << "(6.6)";
  });
}

// Modes first, then the hinge, is the elimination of both at once.
TEST_P(SpatialOperators, HaveTheArticulatedInertiasOfTheSweeps) {
  for_all([](Tree& tree, const DenseTree& o, const MatrixXd&, std::mt19937&) {
    ArticulatedBodies bodies(tree);
    bodies.factorise();
    for (std::size_t i = 0; i < tree.links().size(); ++i) {
      const Link& k = tree.links()[i];
      const int m = o.n_modes(k), columns = k.n_speeds + m, row = o.at[i];
      MatrixXd P(6, 6);
      P << k.P.A, k.P.B, k.P.B.transpose(), k.P.C;
      const MatrixXd P_k = o.P.block(row + m, row + m, 6, 6);
      EXPECT_LT(largest(P - o.P_plus.block(row + m, row + m, 6, 6)), kOfLargest * largest(P_k));
      if (k.n_speeds == 0) continue;
      const MatrixXd D = o.D.block(k.u, k.u, columns, columns).inverse();
      MatrixXd found(k.n_speeds, k.n_speeds);
      for (int a = 0; a < k.n_speeds; ++a)
        for (int b = 0; b < k.n_speeds; ++b)
          found(k.order[a], k.order[b]) = bodies.D_inverse(k)(a, b);
      const MatrixXd expected = D.topLeftCorner(k.n_speeds, k.n_speeds);
      const double condition = largest(D) * largest(o.D.block(k.u, k.u, columns, columns));
      EXPECT_LT(largest(found - expected), kOfLargest * condition * largest(expected));
    }
  });
}

TEST_P(SpatialOperators, HaveTheAccelerationsOfTheSweeps) {
  for_all([](Tree& tree, const DenseTree& o, const MatrixXd& M, std::mt19937& generator) {
    const MatrixXd Ht = o.H.transpose(), identity = MatrixXd::Identity(M.rows(), M.cols()),
                   inverse = identity - Ht * o.Psi * o.K;
    ArticulatedBodies bodies(tree);
    bodies.factorise();
    bodies.set_inertia_forces(Vector3d(1.0, -2.0, -9.81));
    const VectorXd b = o.forces(), a = o.biases();
    const auto accelerations = [&](const VectorXd& T) -> VectorXd {  // (7.1)
      const VectorXd innovations = T - Ht * o.Psi * (o.K * T + o.P * a + b);
      return inverse.transpose() * o.D.ldlt().solve(innovations) -
             o.K.transpose() * o.Psi.transpose() * a;
    };
    // M du + C = T with C of (3.45).
    const VectorXd T = random_vector(generator, tree.n_speeds(), 10.0), du = accelerations(T),
                   C = Ht * o.Phi * (o.M * (o.Phi.transpose() * a) + b);
    EXPECT_LT(largest(M * du + C - T), kOfLargest * (largest(M) * largest(du) + largest(C)));
    VectorXd swept = VectorXd::Zero(tree.n_speeds());
    bodies.solve(ArticulatedBodies::Bias::motion, swept);
    const VectorXd of_none = accelerations(VectorXd::Zero(tree.n_speeds()));
    EXPECT_LT(largest(M * (swept - of_none)),
              kOfLargest * (largest(M) * largest(swept) + largest(C)));
  });
}

// At one instant: along the motion energy changes by what drives and loads give less what dampers
// take. Differences of fourth order.
TEST_P(SpatialOperators, ChangeTheEnergyByThePowerOfWhatActs) {
  constexpr double kStep = 1e-3;
  double most = 0.0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, GetParam());
    system::System& system = random.system();
    system.set_gravity(Vector3d(1.0, -2.0, -9.81));
    forces::SpringDamper::Options spring;
    spring.stiffness = 300.0;
    spring.damping = 5.0;
    const bodies::BodyIndex last(system.bodies().size() - 1);
    for (const bodies::BodyIndex other : {bodies::kGround, bodies::BodyIndex(0)})
      system::add_spring(system, "spring", bodies::Distance(), spring,
                         {random.add_frame(other), random.add_frame(last)});
    random.set_in_motion();
    system::State state = random.state().clone();
    system.update(state);
    recursive::Mechanism mechanism(system);
    VectorXd q, u, du;
    mechanism.tree().find_coordinates(state, q, u);
    mechanism.compute_accelerations(q, u, state, du);
    mechanism.compute_state(q, u, state);
    const double power = system.external_powers(state).sum();
    const auto energy_at = [&](double s) {
      VectorXd there = q, speeds = u + s * du;
      mechanism.tree().advance(s * u, there);
      mechanism.tree().compute_motion(there.data(), speeds.data());
      mechanism.tree().write(state);
      system.update(state);
      const bodies::Energy energy = system.energy(state);
      return energy.kinetic + energy.strain + energy.potential;
    };
    const double h = kStep / (1.0 + u.lpNorm<Eigen::Infinity>());
    const double rate =
        (8.0 * (energy_at(h) - energy_at(-h)) - energy_at(2.0 * h) + energy_at(-2.0 * h)) /
        (12.0 * h);
    EXPECT_NEAR(rate, power, 1e-7 * (std::abs(power) + std::abs(energy_at(0.0))));
    most = std::max(most, std::abs(power));
    if (HasFailure()) return;
  }
  EXPECT_GT(most, 10.0);
}

INSTANTIATE_TEST_SUITE_P(Modes, SpatialOperators, testing::Bool(),
                         [](const auto& info) { return info.param ? "Flexible" : "Rigid"; });

}  // namespace
}  // namespace solidyn
