#include "recursive/multiplier_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "solidyn/math/dense.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using system::State;

namespace {

// As system::solve_acceleration_equations(): of the largest multiplier; increments that are as
// small and no longer shrink are round-off.
constexpr int kMostCorrections = 20;
constexpr double kFound = 1e-13, kFoundToRoundOff = 1e-9;
// Of the largest pivot of what one force follows: the rest is round-off.
constexpr double kNotFollowed = 1e-13;

double largest_multiplier(const VectorXd& v) {
  return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0;
}

}  // namespace

MultiplierForces::MultiplierForces(Tree& tree) : system_(tree.system()) {
  const system::Layout& layout = system_.layout();
  std::map<int, int> link_of_joint, place_of_row;
  for (std::size_t i = 0; i < tree.links().size(); ++i)
    if (const ConstraintIndex joint = tree.forest().branches[i].joint;
        joint != bodies::kNoConstraint)
      link_of_joint[joint.value()] = static_cast<int>(i);
  for (const forces::ForceIndex f : system_.forces()) {
    const forces::Force& force = system_.force(f);
    const std::vector<ConstraintIndex> constraints = force.constraints();
    contains_.push_back(!constraints.empty());
    if (constraints.empty()) continue;
    Follower follower{&force, {}, 0, {}, {}};
    for (const BodyIndex body : force.bodies()) {
      const int n = system_.body(body).n_velocities();
      follower.parts.push_back({tree.index_of(body), follower.n_velocities, n});
      follower.n_velocities += n;
    }
    for (const ConstraintIndex c : constraints) {
      const auto link = link_of_joint.find(c.value());
      follows_closures_ |= link == link_of_joint.end();
      if (link != link_of_joint.end() &&
          std::find(links_.begin(), links_.end(), link->second) == links_.end())
        links_.push_back(link->second);
      for (int row = 0; row < system_.constraint(c).n_rows(); ++row) {
        follower.rows.push_back(layout.constraint_offset(c) + row);
        const auto [place, is_new] =
            place_of_row.emplace(follower.rows.back(), static_cast<int>(rows_.size()));
        if (is_new) rows_.push_back(follower.rows.back());
        follower.places.push_back(place->second);
      }
    }
    followers_.push_back(std::move(follower));
    residuals_.emplace_back(VectorXd::Zero(followers_.back().n_velocities));
  }
  one_ = residuals_;
}

VectorXd MultiplierForces::followed(const State& state) const { return state.lambda(rows_); }

void MultiplierForces::put(const VectorXd& multipliers, State& state) const {
  state.lambda(rows_) = multipliers;
}

// @return whether there are any forces
bool MultiplierForces::evaluate(double t) {
  bool is_any = false;
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    residuals_[i].setZero();
    followers_[i].force->add_residual(system_.kinematics(), t, residuals_[i]);
    is_any |= !residuals_[i].isZero(0.0);
  }
  return is_any;
}

MatrixXd MultiplierForces::by_multipliers(const Follower& follower, double t) const {
  MatrixXd J = MatrixXd::Zero(follower.n_velocities, static_cast<int>(follower.rows.size()));
  follower.force->add_multiplier_tangent(system_.kinematics(), t, J);
  return J;
}

const MultiplierForces::Residuals& MultiplierForces::solve(State& state, const Find& find) {
  for (VectorXd& r : residuals_) r.setZero();
  find(residuals_);
  without_ = followed(state);
  if (!evaluate(state.t)) return residuals_;
  columns_.assign(followers_.size(), {});
  VectorXd lambda = without_, misfit;
  double before = INFINITY;
  for (int i = 0; i < kMostCorrections; ++i) {
    find(residuals_);
    const VectorXd found = followed(state);
    misfit = found - lambda;
    const double size = largest_multiplier(misfit), largest = largest_multiplier(found);
    if (!std::isfinite(size)) break;
    if (size <= kFound * largest || (size >= before && size <= kFoundToRoundOff * largest))
      return residuals_;
    before = size;
    put(lambda, state);
    lambda += correction(misfit, state, find);
    put(lambda, state);
    evaluate(state.t);
  }
  fail(misfit, state.t);
}

// Their scale is that of the multipliers, of which the function is affine.
void MultiplierForces::find_columns(std::size_t i, const MatrixXd& J, State& state,
                                    const Find& find) {
  const math::PivotedQr qr(J, kNotFollowed);
  Columns& columns = columns_[i];
  columns.Q = qr.Q(qr.rank());
  columns.of_multipliers.resize(without_.size(), columns.Q.cols());
  const double largest = largest_multiplier(without_), scale = largest > 0.0 ? largest : 1.0;
  for (Eigen::Index j = 0; j < columns.Q.cols(); ++j) {
    one_[i] = scale * columns.Q.col(j);
    find(one_);
    columns.of_multipliers.col(j) = (followed(state) - without_) / scale;
  }
  one_[i].setZero();
}

// At the multipliers of `state`, which are others afterwards.
VectorXd MultiplierForces::correction(const VectorXd& misfit, State& state, const Find& find) {
  std::vector<MatrixXd> J;  // before multipliers change
  for (const Follower& follower : followers_) J.push_back(by_multipliers(follower, state.t));
  Eigen::Index n = 0;
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    if (columns_[i].Q.size() == 0 && !J[i].isZero(0.0)) find_columns(i, J[i], state, find);
    n += columns_[i].Q.cols();
  }
  if (n == 0) return misfit;
  MatrixXd U(misfit.size(), n), V = MatrixXd::Zero(n, misfit.size());
  Eigen::Index at = 0;
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    const Columns& columns = columns_[i];
    const Eigen::Index n_i = columns.Q.cols();
    if (n_i == 0) continue;
    U.middleCols(at, n_i) = columns.of_multipliers;
    const MatrixXd own = columns.Q.transpose() * J[i];
    for (std::size_t j = 0; j < followers_[i].places.size(); ++j)
      V.col(followers_[i].places[j]).segment(at, n_i) = own.col(static_cast<Eigen::Index>(j));
    at += n_i;
  }
  const MatrixXd small = MatrixXd::Identity(n, n) - V * U;
  return misfit + U * math::LuFactor(small).solve(VectorXd(V * misfit));
}

std::vector<MultiplierForces::Dependence> MultiplierForces::dependences(double t) const {
  std::vector<Dependence> all;
  for (const Follower& follower : followers_) {
    const MatrixXd J = by_multipliers(follower, t);
    if (J.isZero(0.0)) continue;
    const math::PivotedQr qr(J, kNotFollowed);
    const MatrixXd Q = qr.Q(qr.rank());
    all.push_back({follower.force, follower.rows, Q, Q.transpose() * J});
  }
  return all;
}

void MultiplierForces::fail(const VectorXd& misfit, double t) const {
  std::size_t worst = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    const double size = largest_multiplier(misfit(followers_[i].places));
    if (size > largest || !std::isfinite(size)) {
      largest = size;
      worst = i;
    }
  }
  throw system::JammedError(fmt::format(
      "t = {:.6g} s: no accelerations and constraint forces satisfy the equations with joint friction, worst that of {}: its coefficients may be too large for the geometry\n  use a smaller coefficient of friction, or a larger `moment_arm`",
      t, followers_[worst].force->name()));
}

}  // namespace solidyn::recursive
