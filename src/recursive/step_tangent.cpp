#include "solidyn/recursive/step_tangent.h"

#include <algorithm>

#include "math/secant_updates.h"
#include "recursive/force_tangents.h"
#include "recursive/multiplier_forces.h"
#include "recursive/refinement.h"
#include "recursive/tangent_products.h"
#include "recursive/tangent_sweep.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/math/dense.h"
#include "solvers/tangent_renewal.h"

namespace solidyn::recursive {

using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of the largest force of the border, what its rows may be missed by.
constexpr double kMissed = 1e-10;
constexpr int kCorrections = 3;

// Where what couples distant bodies has what these do by themselves: with stiff forces the two
// cancel, and have to be together; rows of closures are no stiffness.
enum class Own { with_coupling, in_sweep };
// What factorise() takes, in iterations: 2 for rigid links, 7 to 10 for bodies with 5 to 15 modes,
// 7 for loops. Of steps of chains any number between 3 and 10 gives nearly the same time.
constexpr double kCost = 5.0;

}  // namespace

class StepTangent::Sweep {
 public:
  explicit Sweep(StepEquations& equations)
      : equations_(equations), tree_(equations.tree()), sweep_(equations) {
    if (equations.closures().empty()) return;
    closures_ = std::make_unique<TangentClosures>(tree_, equations.closures().order());
    sweep_.set_closures(closures_.get());
  }

  void factorise(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                 const VectorXd& du, const VectorXd& n, const system::State& state) {
    c_ = c;
    border_.clear();
    own_.clear();
    sweep_.set_bodies(c, equations_.system().gravity(), du);
    visit_forces(equations_, state,
                 [&](const ForceTangent& force) { add(force, Own::with_coupling, border_); });
    if (closures_) add_closures(state);
    if (!equations_.multiplier_forces().empty()) add_multiplier_forces(state);
    if (can_refine()) sweep_.watch(sweep_.on_modes());
    sweep_.eliminate(c, q, u, du, n);
    if (equations_.exchange()) sweep_.tell(links_of_rows());
    factorise_border();
  }

  void solve(const VectorXd& r, const VectorXd& phi, VectorXd& dn, VectorXd& dlambda) {
    Solution found = solve_sweep(r, phi);
    if (!border_.empty()) {
      VectorXd forces = border_factor_.solve(border_scale_.cwiseProduct(-found.border));
      push(forces);
      found = solve_sweep(r, phi);
      correct(found, forces);
    }
    dn = std::move(found.dn);
    for (std::size_t i = 0; i < own_.size(); ++i)
      dn[own_[i].speed] = -(r[own_[i].speed] + found.own[i]) / own_[i].pivot;
    dlambda = std::move(found.dlambda);
  }

  bool has_couplings() const { return !border_.empty() || !own_.empty(); }
  bool can_refine() const {
    return !sweep_.on_modes().empty() && !closures_ && !has_couplings() &&
           equations_.multiplier_forces().empty();
  }
  void refine(VectorXd& change) { sweep_.refine(change); }

  void keep_idle(const VectorXd& before, VectorXd& lambda) const {
    if (closures_) closures_->keep_idle(before, lambda);
  }

 private:
  // A coordinate of a force itself, which nothing else sees: eliminated before the sweep, which has
  // it as a link that nothing moves.
  struct OwnCoordinate {
    TangentRow row;  // its equation by the bodies, and what it does to them
    int speed;
    double pivot;  // its equation by itself
  };

  struct Solution {
    VectorXd dn, dlambda, border, own;  // border, own: values of these rows
  };

  double value_of(const TangentRow& row) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < row.links.size(); ++i)
      sum += row.row[i].dot(sweep_.variations(tree_.links()[row.links[i]]));
    for (const auto& [link, by_force] : row.by_hinges)
      sum += by_force.dot(sweep_.force_variation(link));
    if (row.by_multipliers.size() > 0) sum += row.by_multipliers.dot(closures_->multipliers());
    return sum;
  }
  void push(const TangentRow& row, double by) {
    for (std::size_t i = 0; i < row.links.size(); ++i)
      sweep_.add_force(tree_.links()[row.links[i]], by * row.force[i]);
  }
  void push(const VectorXd& forces) {
    for (int i = 0; i < n_border(); ++i)
      if (forces[i] != 0.0) push(border_[i], forces[i]);
  }
  Solution solve_sweep(const VectorXd& r, const VectorXd& phi) {
    Solution found;
    if (closures_) closures_->begin_forces(phi);
    for (const OwnCoordinate& own : own_) push(own.row, -r[own.speed] / own.pivot);
    sweep_.solve(r, found.dn);
    found.border.resize(n_border());
    for (int i = 0; i < n_border(); ++i) found.border[i] = value_of(border_[i]);
    found.own.resize(own_.size());
    for (std::size_t i = 0; i < own_.size(); ++i) found.own[i] = value_of(own_[i].row);
    found.dlambda = closures_ ? closures_->multipliers() : VectorXd();
    return found;
  }
  // Without stiff forces bodies move by much more than with them: of this the solution of the
  // sweep has the round-off, of which stiff forces make more than they are. What rows of the border
  // miss them by is small, and so is what is found for it.
  void correct(Solution& found, VectorXd& forces) {
    const VectorXd none = VectorXd::Zero(tree_.n_speeds()),
                   closed = VectorXd::Zero(equations_.n_closure_rows());
    for (int i = 0; i < kCorrections; ++i) {
      const VectorXd missed = found.border - forces;
      if (!(missed.lpNorm<Eigen::Infinity>() > kMissed * forces.lpNorm<Eigen::Infinity>())) return;
      const VectorXd more = border_factor_.solve(border_scale_.cwiseProduct(-missed));
      push(more);
      const Solution by = solve_sweep(none, closed);
      forces += more;
      found.dn += by.dn;
      found.dlambda += by.dlambda;
      found.border += by.border;
      found.own += by.own;
    }
  }
  // What rows beside the sweep are made of.
  std::vector<int> links_of_rows() const {
    std::vector<int> links;
    for (const TangentRow& row : border_)
      links.insert(links.end(), row.links.begin(), row.links.end());
    for (const OwnCoordinate& own : own_)
      links.insert(links.end(), own.row.links.begin(), own.row.links.end());
    return links;
  }
  int n_border() const { return static_cast<int>(border_.size()); }
  int index_of(const Link& k) const { return static_cast<int>(&k - tree_.links().data()); }
  int modes_of(const Link& k) const { return k.modes >= 0 ? tree_.modes()[k.modes].n : 0; }

  // Of closures the change of their forces with positions, and their rows.
  void add_closures(const system::State& state) {
    const Closures& closures = equations_.closures();
    std::vector<std::vector<TangentRow>> all(closures.constraints().size());
    int row = 0;
    visit_closures(equations_, state, [&](int i, const ForceTangent& closure) {
      add(closure, Own::in_sweep, all[i]);
      const MatrixXd& G = closures.values(i).G;
      for (int j = 0; j < G.rows(); ++j)
        all[i].push_back(row_of(closure.bodies, G.row(j), closures.is_rate(row++)));
    });
    closures_->begin(all);
  }

  TangentRow row_of(const std::vector<BodyIndex>& bodies, const VectorXd& G, bool is_rate) {
    TangentRow border;
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
        const Vector3d force = G.segment<3>(at);
        row.segment<3>(kRotation) = (k.v.cross(force) + k.w.cross(turn)) / c_.velocity;
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
    return border;
  }

  // Of forces that follow what joints transmit: what they depend on are numbers of the whole
  // mechanism, as those of forces between distant bodies.
  void add_multiplier_forces(const system::State& state) {
    std::vector<int> watched;
    for (const MultiplierForces::Dependence& d :
         equations_.multiplier_forces().dependences(state.t))
      for (Eigen::Index i = 0; i < d.Q.cols(); ++i) {
        VectorXd c = VectorXd::Zero(state.lambda.size());
        c(d.rows) = d.V.row(i).transpose();
        equations_.spread(c);
        TangentRow row = row_of_multipliers(c, state);
        add_force(d.force->bodies(), d.Q.col(i), row);
        for (const auto& [link, by_force] : row.by_hinges) watched.push_back(link);
        border_.push_back(std::move(row));
      }
    sweep_.watch(watched);
  }

  // c^T lambda, of hinges by what they exert and by how the rows of their joints turn.
  TangentRow row_of_multipliers(const VectorXd& c, const system::State& state) {
    TangentRow row;
    row.is_closure = false;
    const auto add = [&](int link, const VectorXd& by_pose) {
      VectorXd by_variations = VectorXd::Zero(12 + by_pose.size());
      by_variations.segment<3>(kPosition) = by_pose.head<3>();
      by_variations.segment<3>(kRotation) = by_pose.segment<3>(3);
      by_variations.tail(by_pose.size() - 6) = by_pose.tail(by_pose.size() - 6);
      row.links.push_back(link);
      row.row.push_back(by_variations);
      row.force.emplace_back(VectorXd::Zero(by_pose.size()));
    };
    for (std::size_t i = 0; i < tree_.links().size(); ++i) {
      if (tree_.forest().branches[i].constraint() == bodies::kNoConstraint) continue;
      const int link = static_cast<int>(i);
      const VectorXd own = c(equations_.hinges().rows(link));
      if (own.isZero(0.0)) continue;
      const HingeMultipliers::Variation v = equations_.vary(link, own, state);
      row.by_hinges.emplace_back(link, v.by_force);
      add(link, v.by_link);
      if (v.by_parent.size() > 0) add(tree_.links()[i].parent, v.by_parent);
    }
    VectorXd of_closures(equations_.n_closure_rows());
    for (int i = 0; i < of_closures.size(); ++i)
      of_closures[i] = c[equations_.closures().row_of_system(i)];
    if (!of_closures.isZero(0.0)) row.by_multipliers = of_closures;
    return row;
  }

  // A residual on the velocities of bodies, as what the unknown of a row does.
  void add_force(const std::vector<BodyIndex>& bodies, const VectorXd& r, TangentRow& row) {
    int at = 0;
    for (const BodyIndex body : bodies) {
      const Link& k = tree_.link_of(body);
      const int n = 6 + modes_of(k);
      VectorXd force = r.segment(at, n);
      force.segment<3>(3) = (k.R * force.segment<3>(3)).eval();
      row.links.push_back(index_of(k));
      row.row.emplace_back(VectorXd::Zero(12 + n));
      row.force.push_back(force);
      at += n;
    }
  }

  // What couples bodies that do not hang on each other goes to `couplings`, and with it what the
  // force does to them by themselves. The sweep has pivots without: a hinge in which nothing has
  // inertia is refused where accelerations are first found.
  void add(const ForceTangent& t, Own by_itself, std::vector<TangentRow>& couplings) {
    std::vector<BodyIndex> bodies = t.bodies;
    std::vector<int> at = places_of(tree_, t);
    const TangentRow* own = nullptr;
    double pivot = 0.0;
    if (t.has_own_coordinate) {
      own_.push_back(own_coordinate(t, at));
      own = &own_.back().row;
      pivot = own_.back().pivot;
      bodies.pop_back();
      at.pop_back();
    }
    if (!couples_distant(bodies)) by_itself = Own::in_sweep;
    MatrixXd far;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Link& row = tree_.link_of(bodies[i]);
      sweep_.turn(row, row.R * t.r.segment<3>(at[i] + 3));
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Link& column = tree_.link_of(bodies[j]);
        const int n_i = at[i + 1] - at[i], n_j = at[j + 1] - at[j];
        const MatrixXd v = t.by_v.block(at[i], at[j], n_i, n_j),
                       q = t.by_q.block(at[i], at[j], n_i, n_j);
        MatrixXd block = in_variations(row, column, c_, nullptr, v, q, LinearAxes::world);
        if (own) block -= own->force[i] * own->row[j].transpose() / pivot;
        if (by_itself == Own::in_sweep && sweep_.add(row, column, block)) continue;
        if (far.size() == 0) far.setZero(at.back(), at.back() + 12 * bodies.size());
        far.block(at[i], at[j] + 12 * j, n_i, n_j + 12) = block;
      }
    }
    if (far.size() > 0) add_couplings(bodies, at, far, couplings);
  }
  bool couples_distant(const std::vector<BodyIndex>& bodies) const {
    for (const BodyIndex a : bodies)
      for (const BodyIndex b : bodies)
        if (!sweep_.has_place_for(tree_.link_of(a), tree_.link_of(b))) return true;
    return false;
  }

  OwnCoordinate own_coordinate(const ForceTangent& t, const std::vector<int>& at) const {
    const Link& k = tree_.link_of(t.bodies.back());
    const Modes& modes = tree_.modes()[k.modes];
    const int first = at[at.size() - 2], last = at.back() - 1, n_own = tree_.n_velocities(k);
    MatrixXd inertia = MatrixXd::Zero(n_own, n_own), unused = inertia;
    modes.body->add_tangent(modes.state, Vector3d::Zero(), {1.0, 0.0, 0.0}, inertia, unused);
    OwnCoordinate own{{},
                      k.u,
                      c_.acceleration * inertia(n_own - 1, n_own - 1) +
                          c_.velocity * t.by_v(last, last) + t.by_q(last, last)};
    own.row.is_closure = false;
    for (std::size_t j = 0; j + 1 < t.bodies.size(); ++j) {
      const Link& column = tree_.link_of(t.bodies[j]);
      const int n = at[j + 1] - at[j];
      const MatrixXd v = t.by_v.block(first, at[j], n_own, n),
                     q = t.by_q.block(first, at[j], n_own, n);
      VectorXd force =
          c_.velocity * t.by_v.col(last).segment(at[j], n) + t.by_q.col(last).segment(at[j], n);
      force.segment<3>(3) = (column.R * force.segment<3>(3)).eval();
      own.row.links.push_back(index_of(column));
      own.row.row.emplace_back(in_variations(k, column, c_, nullptr, v, q, LinearAxes::world)
                                   .bottomRows<1>()
                                   .transpose());
      own.row.force.push_back(force);
    }
    return own;
  }

  // Products that take what is between distant bodies from A: of each its force, which its row is
  // to equal. What is left is between bodies that the sweep has together.
  void add_couplings(const std::vector<BodyIndex>& bodies, const std::vector<int>& at, MatrixXd& A,
                     std::vector<TangentRow>& couplings) {
    const auto n_bodies = bodies.size();
    ArrayXXd far = ArrayXXd::Zero(A.rows(), A.cols()), first = far;
    VectorXd rates = VectorXd::Ones(A.cols());
    const auto columns = [&](std::size_t j) { return at[j] + 12 * static_cast<int>(j); };
    const auto link = [&](std::size_t j) -> const Link& { return tree_.link_of(bodies[j]); };
    for (std::size_t j = 0; j < n_bodies; ++j) {
      rates.segment<3>(columns(j) + kVelocity).setConstant(c_.velocity);
      rates.segment<3>(columns(j) + kTurning).setConstant(c_.velocity);
      for (std::size_t i = 0; i < n_bodies; ++i) {
        first.block<3, 6>(at[i], columns(j)).setOnes();
        if (!sweep_.has_place_for(link(i), link(j)))
          far.block(at[i], columns(j), at[i + 1] - at[i], columns(j + 1) - columns(j)).setOnes();
      }
    }
    A *= rates.asDiagonal();
    for (const TangentProduct& product : take_products(A, far, first)) {
      const VectorXd row = product.row.cwiseQuotient(rates);
      TangentRow coupling;
      coupling.is_closure = false;
      for (std::size_t j = 0; j < n_bodies; ++j) {
        coupling.links.push_back(index_of(link(j)));
        coupling.row.emplace_back(row.segment(columns(j), columns(j + 1) - columns(j)));
        coupling.force.emplace_back(product.force.segment(at[j], at[j + 1] - at[j]));
      }
      couplings.push_back(std::move(coupling));
    }
    if (A.isZero(0.0)) return;
    A *= rates.cwiseInverse().asDiagonal();
    for (std::size_t i = 0; i < n_bodies; ++i)
      for (std::size_t j = 0; j < n_bodies; ++j)
        if (sweep_.has_place_for(link(i), link(j)))
          sweep_.add(link(i), link(j),
                     A.block(at[i], columns(j), at[i + 1] - at[i], columns(j + 1) - columns(j)));
  }

  // row (x_0 + X g) = g of what forces couple. By scaled rows: of stiff ones the distance that they
  // hold is left, and how little they yield.
  void factorise_border() {
    const int n = n_border();
    if (n == 0) return;
    MatrixXd A(n, n);
    const VectorXd none = VectorXd::Zero(tree_.n_speeds()),
                   closed = VectorXd::Zero(equations_.n_closure_rows());
    for (int j = 0; j < n; ++j) {
      push(border_[j], 1.0);
      A.col(j) = solve_sweep(none, closed).border;
      A(j, j) -= 1.0;
    }
    border_scale_ = A.rowwise().lpNorm<Eigen::Infinity>().cwiseInverse();
    border_factor_.compute(border_scale_.asDiagonal() * A);
  }

  StepEquations& equations_;
  Tree& tree_;
  TangentSweep sweep_;
  StepCoefficients c_;
  std::unique_ptr<TangentClosures> closures_;  // null: there are none
  std::vector<TangentRow> border_;
  std::vector<OwnCoordinate> own_;
  math::LuFactor border_factor_;  // of its rows times these
  VectorXd border_scale_;
};

struct StepTangent::Service {
  VectorXd solved;  // before secants
  Refinement refinement;
  math::SecantUpdates secants;
  solvers::TangentRenewal renewal{kCost};
};

StepTangent::StepTangent(StepEquations& equations)
    : sweep_(std::make_unique<Sweep>(equations)), service_(std::make_unique<Service>()) {}
StepTangent::~StepTangent() = default;

void StepTangent::factorise(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                            const VectorXd& du, const VectorXd& n, const system::State& state) {
  const base::LogStage stage(base::Stage::factor);
  sweep_->factorise(c, q, u, du, n, state);
  service_->secants.forget();
  service_->renewal.renew();
  service_->refinement.renew();
}

void StepTangent::keep_idle(const VectorXd& before, VectorXd& lambda) const {
  sweep_->keep_idle(before, lambda);
}

void StepTangent::solve(const VectorXd& r, const VectorXd& phi, VectorXd& dn, VectorXd& dlambda) {
  const base::LogStage stage(base::Stage::solve);
  sweep_->solve(r, phi, dn, dlambda);
  if (can_refine()) service_->solved = dn;
}

void StepTangent::correct(const VectorXd& weights, const VectorXd& r, const VectorXd& phi,
                          VectorXd& dn, VectorXd& dlambda) {
  solve(r, phi, dn, dlambda);
  service_->secants.improve(weights, dn, dlambda);
}

bool StepTangent::can_refine() const { return sweep_->can_refine(); }

void StepTangent::refine(VectorXd& dn, VectorXd& change) {
  const base::LogStage stage(base::Stage::solve);
  service_->secants.break_off();
  sweep_->refine(change);
  dn = service_->solved + change;
}

Refinement& StepTangent::refinement() { return service_->refinement; }

bool StepTangent::has_couplings() const { return sweep_->has_couplings(); }

void StepTangent::break_off() { service_->secants.break_off(); }

solvers::TangentRenewal& StepTangent::renewal() { return service_->renewal; }

}  // namespace solidyn::recursive
