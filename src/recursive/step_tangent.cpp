#include "solidyn/recursive/step_tangent.h"

#include <cmath>

#include "recursive/tangent_sweep.h"
#include "solidyn/math/dense.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of the largest singular value of what couples two bodies: the rest is round-off.
constexpr double kNotCoupled = 1e-13;
// Of the border, whose rows and columns have been scaled: rows that depend on others.
constexpr double kDependentRows = 1e-10;

}  // namespace

class StepTangent::Sweep {
 public:
  explicit Sweep(StepEquations& equations)
      : equations_(equations), tree_(equations.tree()), sweep_(tree_) {}

  void factorise(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                 const VectorXd& du, const VectorXd& n, const system::State& state) {
    c_ = c;
    border_.clear();
    sweep_.set_bodies(c, equations_.system().gravity(), equations_, du);
    if (equations_.has_forces()) add_forces(state);
    add_closures(state);
    sweep_.eliminate(c, q, u, du, n);
    factorise_border();
  }

  void solve(const VectorXd& r, const VectorXd& phi, VectorXd& dn, VectorXd& dlambda) {
    sweep_.solve(r, dn);
    dlambda.setZero(phi.size());
    if (border_.empty()) return;
    VectorXd left(n_border());
    for (int i = 0; i < n_border(); ++i) left[i] = -border_[i].value_of(sweep_, tree_);
    for (int i = 0; i < phi.size(); ++i) left[i] -= border_[i].scale_of_phi * phi[i];
    const VectorXd x = columns_.cwiseProduct(border_factor_->solve(rows_.cwiseProduct(left)));
    for (int i = 0; i < n_border(); ++i)
      if (x[i] != 0.0) border_[i].push(x[i], sweep_, tree_);
    sweep_.solve(r, dn);
    dlambda = x.head(phi.size());
  }

 private:
  // A number that is linear in the variations of some bodies, and forces on them.
  struct Border {
    std::vector<int> links;
    std::vector<VectorXd> row, force;  // of each link, [18 + modes] and [6 + modes]
    double scale_of_phi = 1.0;         // of closures; of velocity level by the step
    bool is_closure = true;
    double value_of(const TangentSweep& sweep, const Tree& tree) const {
      double sum = 0.0;
      for (std::size_t i = 0; i < links.size(); ++i)
        sum += row[i].dot(sweep.variations(tree.links()[links[i]]));
      return sum;
    }
    void push(double by, TangentSweep& sweep, const Tree& tree) const {
      for (std::size_t i = 0; i < links.size(); ++i)
        sweep.add_force(tree.links()[links[i]], by * force[i]);
    }
  };
  int n_border() const { return static_cast<int>(border_.size()); }
  int index_of(const Link& k) const { return static_cast<int>(&k - tree_.links().data()); }
  int modes_of(const Link& k) const { return k.modes >= 0 ? tree_.modes()[k.modes].n : 0; }

  void add_forces(const system::State& state) {
    const system::System& system = equations_.system();
    const auto add = [&](const forces::Force& force) {
      int n = 0;
      for (const BodyIndex body : force.bodies()) n += system.body(body).n_velocities();
      MatrixXd by_v = MatrixXd::Zero(n, n), by_q = by_v;
      VectorXd r = VectorXd::Zero(n);
      force.add_tangent(system.kinematics(), state.t, {0.0, 1.0, 1.0}, by_v, by_q);
      force.add_residual(system.kinematics(), state.t, r);
      add_block(force.bodies(), by_v, by_q, r);
    };
    for (const forces::ForceIndex f : system.forces()) {
      const forces::Force& force = system.force(f);
      if (!force.has_parts()) add(force);
      for (const forces::Force* part : force.parts()) add(*part);
    }
  }

  // Of closures the change of their forces with positions, then rows and columns of the border.
  void add_closures(const system::State& state) {
    const system::System& system = equations_.system();
    const Closures& closures = equations_.closures();
    const std::vector<Border> of_forces = std::move(border_);
    border_.clear();
    std::vector<Border> couplings;
    int row = 0;
    for (std::size_t i = 0; i < closures.constraints().size(); ++i) {
      const joints::Constraint& constraint = system.constraint(closures.constraints()[i]);
      const MatrixXd& G = closures.values(static_cast<int>(i)).G;
      const VectorXd lambda = state.lambda.segment(
          system.layout().constraint_offset(closures.constraints()[i]), constraint.n_rows());
      MatrixXd K = MatrixXd::Zero(G.cols(), G.cols());
      constraint.add_stiffness(system.kinematics(), state.t, lambda, 1.0, K);
      std::swap(border_, couplings);
      add_block(constraint.bodies(), MatrixXd::Zero(K.rows(), K.cols()), K, G.transpose() * lambda);
      std::swap(border_, couplings);
      for (int j = 0; j < G.rows(); ++j)
        add_row(constraint.bodies(), G.row(j), closures.is_rate(row++));
    }
    border_.insert(border_.end(), of_forces.begin(), of_forces.end());
    border_.insert(border_.end(), couplings.begin(), couplings.end());
  }

  void add_row(const std::vector<BodyIndex>& bodies, const VectorXd& G, bool is_rate) {
    Border border;
    border.scale_of_phi = is_rate ? 1.0 / c_.velocity : 1.0;
    int at = 0;
    for (const BodyIndex body : bodies) {
      const Link& k = tree_.link_of(body);
      const int n = modes_of(k);
      VectorXd row = VectorXd::Zero(18 + n), force(6 + n);
      const Vector3d turn = k.R * G.segment<3>(at + 3);
      if (is_rate) {
        row.segment<3>(kVelocity) = G.segment<3>(at) / c_.velocity;
        row.segment<3>(kTurning) = turn / c_.velocity;
      } else {
        row.segment<3>(kPosition) = G.segment<3>(at);
        row.segment<3>(kRotation) = turn;
      }
      row.tail(n) = G.segment(at + 6, n);
      force << G.segment<3>(at), turn, G.segment(at + 6, n);
      border.links.push_back(index_of(k));
      border.row.push_back(row);
      border.force.push_back(force);
      at += 6 + n;
    }
    border_.push_back(std::move(border));
  }

  // Derivatives [force; torque in B; modal] of bodies by velocities and positions, and the forces.
  void add_block(const std::vector<BodyIndex>& bodies, const MatrixXd& by_v, const MatrixXd& by_q,
                 const VectorXd& r) {
    std::vector<int> at = {0};
    for (const BodyIndex body : bodies)
      at.push_back(at.back() + equations_.system().body(body).n_velocities());
    MatrixXd far;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Link& row = tree_.link_of(bodies[i]);
      sweep_.turn(row, row.R * r.segment<3>(at[i] + 3));
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Link& column = tree_.link_of(bodies[j]);
        const int n_i = at[i + 1] - at[i], n_j = at[j + 1] - at[j];
        const MatrixXd v = by_v.block(at[i], at[j], n_i, n_j),
                       q = by_q.block(at[i], at[j], n_i, n_j);
        const MatrixXd block = in_variations(row, column, c_, nullptr, v, q, LinearAxes::world);
        if (sweep_.add(row, column, block)) continue;
        if (far.size() == 0) far.setZero(at.back(), at.back() + 12 * bodies.size());
        far.block(at[i], at[j] + 12 * j, n_i, n_j + 12) = block;
      }
    }
    if (far.size() > 0) add_couplings(bodies, at, far);
  }

  // far = U V^T: each column a force that its row of the border is to equal.
  void add_couplings(const std::vector<BodyIndex>& bodies, const std::vector<int>& at,
                     const MatrixXd& far) {
    const math::SingularValues svd =
        math::singular_values(far, Eigen::ComputeThinU | Eigen::ComputeThinV);
    for (Eigen::Index i = 0; i < svd.values.size(); ++i) {
      if (!(svd.values[i] > kNotCoupled * svd.values[0])) break;
      Border border;
      border.is_closure = false;
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Link& k = tree_.link_of(bodies[j]);
        const int n = at[j + 1] - at[j];
        border.links.push_back(index_of(k));
        border.row.emplace_back(svd.values[i] * svd.V.col(i).segment(at[j] + 12 * j, n + 12));
        border.force.emplace_back(svd.U.col(i).segment(at[j], n));
      }
      border_.push_back(std::move(border));
    }
  }

  // Of closures row (x_0 + X lambda) + phi = 0, of couplings row (x_0 + X g) = g.
  void factorise_border() {
    const int n = n_border();
    if (n == 0) return;
    MatrixXd A(n, n);
    const VectorXd none = VectorXd::Zero(tree_.n_speeds());
    VectorXd y;
    for (int j = 0; j < n; ++j) {
      border_[j].push(1.0, sweep_, tree_);
      sweep_.solve(none, y);
      for (int i = 0; i < n; ++i) A(i, j) = border_[i].value_of(sweep_, tree_);
      if (!border_[j].is_closure) A(j, j) -= 1.0;
    }
    const double largest = std::max(A.diagonal().cwiseAbs().maxCoeff(), 1e-300);
    rows_.setOnes(n);
    columns_.setOnes(n);
    for (int i = 0; i < n; ++i)
      if (border_[i].is_closure)
        rows_[i] = columns_[i] = 1.0 / std::sqrt(std::max(std::abs(A(i, i)), 1e-16 * largest));
    border_factor_ = std::make_unique<MinimumNorm>(rows_.asDiagonal() * A * columns_.asDiagonal());
  }

  struct MinimumNorm {
    explicit MinimumNorm(const MatrixXd& A)
        : svd(math::singular_values(A, Eigen::ComputeThinU | Eigen::ComputeThinV, kDependentRows)) {
    }
    VectorXd solve(const VectorXd& b) const {
      const auto r = svd.rank;
      return svd.V.leftCols(r) *
             (svd.U.leftCols(r).transpose() * b).cwiseQuotient(svd.values.head(r));
    }
    math::SingularValues svd;
  };

  StepEquations& equations_;
  Tree& tree_;
  TangentSweep sweep_;
  StepCoefficients c_;
  std::vector<Border> border_;  // closures first
  VectorXd rows_, columns_;     // scales
  std::unique_ptr<MinimumNorm> border_factor_;
};

StepTangent::StepTangent(StepEquations& equations) : sweep_(std::make_unique<Sweep>(equations)) {}
StepTangent::~StepTangent() = default;

void StepTangent::factorise(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                            const VectorXd& du, const VectorXd& n, const system::State& state) {
  sweep_->factorise(c, q, u, du, n, state);
}

void StepTangent::solve(const VectorXd& r, const VectorXd& phi, VectorXd& dn, VectorXd& dlambda) {
  sweep_->solve(r, phi, dn, dlambda);
}

}  // namespace solidyn::recursive
