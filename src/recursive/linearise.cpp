#include "solidyn/recursive/linearise.h"

#include <fmt/format.h>

#include <algorithm>

#include "recursive/floating_form.h"
#include "recursive/hinge_axes.h"
#include "recursive/link_sweeps.h"
#include "recursive/multiplier_forces.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"
#include "solidyn/recursive/dynamics_derivatives.h"
#include "solidyn/system/closed_contacts.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/rate_laws.h"
#include "solidyn/system/scales.h"

namespace solidyn::recursive {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using system::IncrementAxes;
using system::Linearisation;
using system::State;
using Matrix = Linearisation::Matrix;
using Triplets = std::vector<Eigen::Triplet<double>>;

// As system::linearise(): of the time in which a motion continues by its own size.
constexpr double kPartOfMotion = 2e-3;
constexpr double kCoordinateStep = 1e-5;  // relative displacement of central differences
// What is left of a row, of its length, when those before it have been taken off. Rows that say the
// same only where the loop is closed leave about as much as it is open.
constexpr double kLeftOver = 1e-7;

Matrix without_zeros(const MatrixXd& dense) { return dense.sparseView(0.0, 0.0); }

class Linearizer {
 public:
  Linearizer(system::System& system, const State& state, IncrementAxes axes)
      : system_(system),
        axes_(axes),
        original_(state),
        state_(state.clone()),
        mechanism_(system),
        equations_(mechanism_),
        derivatives_(equations_),
        tree_(mechanism_.tree()) {
    system_.update(original_);
    tree_.find_coordinates(original_, q_, u_);
    find_rates();
  }

  Linearisation run(system::Tangents bodies) {
    l_.bodies = std::move(bodies);
    l_.rate = l_.bodies.rate;
    if (l_.is_at_rest()) {
      u_.setZero();
      du_.setZero();
    }
    if (!equations_.multiplier_forces().empty() && !equations_.closures().empty()) {
      VectorXd q = q_, u = u_, rates;  // which closures depend on others
      equations_.find_accelerations(q, u, state_, rates);
    }
    equations_.evaluate_as_given(q_, u_, du_, state_);
    refuse_slipping_joints();
    derivatives_.evaluate(q_, u_, du_, state_);
    const HingeAxes x = hinge_axes(tree_, axes_, q_, u_, du_);
    set_equations(x);
    set_motions(x);
    set_weights();
    set_constraints(x);
    system_.update(original_);
    return std::move(l_);
  }

 private:
  // What they depend on varies with accelerations of all that a joint carries.
  void refuse_slipping_joints() const {
    for (const MultiplierForces::Dependence& d :
         equations_.multiplier_forces().dependences(state_.t))
      throw base::InputError(
          fmt::format(
              "formulation: `recursive` has no small motions about a motion in which joints rub: {} follows what the joint transmits, and slips",
              d.force->name()),
          "linearise at rest, leave out the friction of the joint, or set  formulation: absolute");
  }

  // The inverse of accelerate(): what the hinges have of the accelerations of bodies.
  // @pre System::update(original_)
  void find_rates() {
    tree_.compute_motion(q_.data(), u_.data());
    du_.setZero(tree_.n_speeds());
    std::vector<Link>& links = tree_.links();
    for (Link& k : links) {
      const bodies::BodyState& body = system_.kinematics().bodies[k.body];
      if (tree_.forest().branches[&k - links.data()].is_of_force) {
        du_[k.u] = body.a[0];
        continue;
      }
      k.a << body.a.head<3>(), k.R * body.a.segment<3>(3);
      Vector6d left = k.a - k.bias;
      if (k.modes >= 0) {
        const Modes& m = tree_.modes()[k.modes];
        const auto ddq = body.a.tail(body.q_e.size());
        du_.segment(k.u + k.n_speeds, m.n) = m.floating ? m.floating->coordinates(ddq) : ddq;
        left -= m.E * du_.segment(k.u + k.n_speeds, m.n);
      }
      if (k.parent >= 0) {
        const Link& parent = links[k.parent];
        const Vector3d turn = parent.a.tail<3>();
        left -= parent.a;
        left.head<3>() -= turn.cross(k.arm);
        if (k.carried >= 0)
          left -= tree_.carried()[k.carried].X *
                  du_.segment(parent.u + parent.n_speeds, tree_.modes()[parent.modes].n);
      }
      if (k.n_speeds == 0) continue;
      const MatrixXd H = tree_.H(k);
      const VectorXd rates =
          math::LuFactor(H.transpose() * H).solve(VectorXd(H.transpose() * left));
      for (int j = 0; j < k.n_speeds; ++j) du_[k.u + k.order[j]] = rates[j];
    }
  }

  void set_equations(const HingeAxes& x) {
    const MatrixXd &M = derivatives_.by_du(), &D = derivatives_.by_u(), &K = derivatives_.by_q();
    const Matrix St = x.S.transpose();
    l_.M = without_zeros(St * MatrixXd(M * x.S));
    l_.D = without_zeros(St * MatrixXd(D * x.S + M * x.A1));
    l_.K = without_zeros(St * MatrixXd(K * x.S + D * x.W + M * x.A0));
  }

  void set_motions(const HingeAxes& x) {
    const BodyMotions b = derivatives_.body_motions();
    l_.T = b.increments * x.S;
    l_.V = Matrix(b.increments * x.W) + Matrix(b.velocities_by_q * x.S);
    l_.A1 = Matrix(b.increments * x.A1) + Matrix(b.accelerations_by_u * x.S);
    l_.A0 = Matrix(b.increments * x.A0) + Matrix(b.accelerations_by_q * x.S) +
            Matrix(b.accelerations_by_u * x.W);
  }

  void set_weights() {
    l_.weights.setOnes(tree_.n_speeds());
    const double length = system::characteristic_length(system_);
    for (const Link& k : tree_.links()) {
      l_.weights.segment(k.u, k.hinge.n_translations()).setConstant(1.0 / length);
      if (k.modes < 0) continue;
      const Modes& m = tree_.modes()[k.modes];
      l_.weights.segment(k.u + k.n_speeds, m.n) = m.body->elastic_amplitude() / length;
    }
  }

  // Rows that hinges say by themselves, and the others.
  void sort_rows() {
    std::vector<bool> is_hinge(system_.layout().n_constraints(), false);
    for (const Branch& branch : tree_.forest().branches) {
      const ConstraintIndex c = branch.constraint();
      if (c == bodies::kNoConstraint) continue;
      const int at = system_.layout().constraint_offset(c);
      for (int i = 0; i < system_.constraint(c).n_rows(); ++i) is_hinge[at + i] = true;
    }
    for (std::size_t i = 0; i < is_hinge.size(); ++i)
      (is_hinge[i] ? l_.hinge_rows : candidates_).push_back(static_cast<int>(i));
  }

  // Rows of G of bodies for increments of the tree's coordinates. @pre residuals of the state
  Matrix G_of(const std::vector<int>& rows, const Matrix& T) const {
    const Matrix G = system_.sparse_G() * T;
    std::vector<int> target(G.rows(), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) target[rows[i]] = static_cast<int>(i);
    Triplets list;
    for (int j = 0; j < G.outerSize(); ++j)
      for (Matrix::InnerIterator it(G, j); it; ++it)
        if (target[it.row()] >= 0) list.emplace_back(target[it.row()], j, it.value());
    Matrix picked(static_cast<Eigen::Index>(rows.size()), T.cols());
    picked.setFromTriplets(list.begin(), list.end());
    return picked;
  }

  void update(State& state) {
    VectorXd r, phi;
    system_.update(state);
    system_.compute_residual(state, r, phi);
  }

  std::vector<int> independent(const std::vector<int>& rows) {
    std::vector<int> kept =
        independent_rows(MatrixXd(G_of(rows, l_.T)) * l_.weights.cwiseInverse().asDiagonal());
    for (int& row : kept) row = rows[row];
    return kept;
  }

  void set_constraints(const HingeAxes& x) {
    sort_rows();
    update(state_);
    l_.rows = independent(candidates_);
    l_.has_redundant_rows = l_.rows.size() < candidates_.size();
    if (!l_.is_at_rest() && !l_.has_redundant_rows && !candidates_.empty())
      l_.has_redundant_rows = !system::find_redundancy(system_, l_.bodies.weights).rows.empty();
    for (const int row : l_.rows) l_.is_rate.push_back(system_.layout().is_velocity_level()[row]);
    const system::RateLaws laws = system::find_rate_laws(system_);
    const auto n_laws = laws.by_rate.rows(), n_rows = static_cast<Eigen::Index>(l_.rows.size());
    l_.G = system::stacked(G_of(l_.rows, l_.T), laws.by_rate * l_.T);
    l_.B = l_.G.transpose();
    l_.dG = l_.ddG = Matrix(l_.G.rows(), l_.G.cols());
    l_.dependent_G = Matrix(0, l_.G.cols());
    Matrix E(n_rows, l_.G.cols()), E_laws = laws.by_position * l_.T;
    if (!l_.is_at_rest()) {
      E_laws += Matrix(laws.by_rate * l_.V);
      if (n_rows > 0) set_rates_of_G(n_laws);
      if (std::count(l_.is_rate.begin(), l_.is_rate.end(), true) > 0) {
        update(state_);
        E = rows_where(true,
                       Matrix(rate_stiffness() * x.S) + G_of(l_.rows, Matrix(increments_ * x.W)));
      }
    }
    l_.E = system::stacked(E, E_laws);
    l_.is_rate.insert(l_.is_rate.end(), n_laws, true);
  }

  Matrix rows_where(bool is_rate, const Matrix& matrix) const {
    Matrix kept = matrix;
    kept.prune([&](Eigen::Index row, Eigen::Index, double) {
      return l_.is_rate[static_cast<std::size_t>(row)] == is_rate;
    });
    return kept;
  }

  // The state of the system where the coordinates are moved, at these speeds.
  void move(const VectorXd& increment, double time, State& state) {
    VectorXd q = q_;
    tree_.advance(increment, q);
    state.t = state_.t + time;
    tree_.compute_motion(q.data(), u_.data());
    tree_.write(state);
    update(state);
  }

  // G on the motion, differentiated in time; the laws behind it are of velocity level.
  void set_rates_of_G(Eigen::Index n_laws) {
    const double h = kPartOfMotion / l_.rate;
    State later = state_.clone();
    std::vector<Matrix> G;
    for (const int i : {-2, -1, 0, 1, 2}) {
      const double t = i * h;
      const VectorXd increment = t * u_ + 0.5 * t * t * du_;
      VectorXd q = q_;
      tree_.advance(increment, q);
      move(increment, t, later);
      equations_.evaluate_as_given(q, u_, du_, later);
      derivatives_.evaluate(q, u_, du_, later);
      update(later);
      const Matrix increments = derivatives_.body_motions().increments;
      G.push_back(G_of(l_.rows, Matrix(increments * hinge_axes(tree_, axes_, q, u_, du_).S)));
      if (i == 0) increments_ = increments;
    }
    const Matrix none(n_laws, l_.G.cols());
    l_.dG =
        system::stacked(rows_where(false, (G[0] - G[4] + 8.0 * (G[3] - G[1])) / (12.0 * h)), none);
    l_.ddG = system::stacked(
        rows_where(false, (16.0 * (G[1] + G[3]) - G[0] - G[4] - 30.0 * G[2]) / (12.0 * h * h)),
        none);
  }

  // d(G v - nu)/dq of velocity-level rows at the same speeds, by central differences.
  Matrix rate_stiffness() {
    Triplets list;
    State moved = state_.clone();
    VectorXd r, plus, minus;
    const auto phi_at = [&](const VectorXd& increment, VectorXd& phi) {
      move(increment, 0.0, moved);
      system_.compute_residual(moved, r, phi);
    };
    for (int j = 0; j < tree_.n_speeds(); ++j) {
      const double step = kCoordinateStep / l_.weights[j];
      const VectorXd increment = step * VectorXd::Unit(tree_.n_speeds(), j);
      phi_at(increment, plus);
      phi_at(-increment, minus);
      for (std::size_t i = 0; i < l_.rows.size(); ++i) {
        const double slope = (plus[l_.rows[i]] - minus[l_.rows[i]]) / (2.0 * step);
        if (l_.is_rate[i] && slope != 0.0) list.emplace_back(static_cast<int>(i), j, slope);
      }
    }
    update(state_);
    Matrix E(static_cast<Eigen::Index>(l_.rows.size()), tree_.n_speeds());
    E.setFromTriplets(list.begin(), list.end());
    return E;
  }

  system::System& system_;
  IncrementAxes axes_;
  const State& original_;
  State state_;
  Mechanism mechanism_;
  StepEquations equations_;
  DynamicsDerivatives derivatives_;
  Tree& tree_;
  VectorXd q_, u_, du_;
  Linearisation l_;
  std::vector<int> candidates_;
  Matrix increments_;
};

}  // namespace

std::vector<int> independent_rows(const MatrixXd& G) {
  std::vector<VectorXd> basis;
  std::vector<int> kept;
  const double largest = G.rows() > 0 ? G.rowwise().norm().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < G.rows(); ++i) {
    VectorXd left = G.row(i).transpose();
    const double length = std::max(left.norm(), kLeftOver * largest);
    for (int again = 0; again < 2; ++again)
      for (const VectorXd& b : basis) left -= b * b.dot(left);
    if (!(left.norm() > kLeftOver * length) || length == 0.0) continue;
    basis.push_back(left.normalized());
    kept.push_back(static_cast<int>(i));
  }
  return kept;
}

void refuse_set_valued_contacts(const system::System& system) {
  if (system::has_set_valued_contacts(system))
    throw base::InputError(
        "formulation: `recursive` with set-valued contacts, stops or clutches is not yet implemented",
        "choose a penalty law, or set  formulation: absolute");
}

// Coordinates of a hinge that turns with what carries it are not those of the world.
void refuse_turning_hinges(system::System& system, const State& state) {
  constexpr double kParallel = 1e-6;  // of the fastest turn
  system.update(state);
  Mechanism mechanism(system, Mechanism::Warnings::leave);
  Tree& tree = mechanism.tree();
  VectorXd q, u;
  tree.find_coordinates(state, q, u);
  tree.compute_motion(q.data(), u.data());
  double fastest = 0.0;
  for (const Link& k : tree.links()) fastest = std::max(fastest, k.w.norm());
  for (const Link& k : tree.links()) {
    if (k.parent < 0) continue;
    const Link& parent = tree.links()[k.parent];
    const MatrixXd H = tree.H(k);
    for (int j = 0; j < k.n_speeds; ++j) {
      const Vector3d turn = H.col(j).tail<3>(),
                     axis = turn.isZero(0.0) ? Vector3d(H.col(j).head<3>()) : turn;
      if (parent.w.cross(axis).norm() <= kParallel * fastest * axis.norm()) continue;
      throw base::InputError(
          fmt::format(
              "formulation: `recursive` has no small motions in world axes (`axes: world`) where a hinge turns: that of {} turns with {}",
              system.body(k.body).name(), system.body(parent.body).name()),
          "take  axes: body, or  formulation: absolute");
    }
  }
}

Linearisation linearise(system::System& system, const State& state, IncrementAxes axes) {
  refuse_set_valued_contacts(system);
  system::Tangents bodies = system::find_tangents(system, state);
  return Linearizer(system, state, axes).run(std::move(bodies));
}

}  // namespace solidyn::recursive
