#include "solidyn/recursive/mechanism.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/joints/joint.h"
#include "solidyn/math/sparse_lu.h"

namespace solidyn::recursive {

using Bias = ArticulatedBodies::Bias;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// As system::ProjectionOptions; a violation that no longer falls is round-off.
constexpr double kTolerance = 1e-12, kStagnates = 1e3;
constexpr int kMaxCorrections = 20;

double largest_of(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Mechanism::Mechanism(system::System& system)
    : system_(system), tree_(system), bodies_(tree_), closures_(tree_, bodies_) {
  // Bodies with modes may have damping; rigid ones on free hinges do not see any of it.
  needs_kinematics_ = !system.forces().empty() || !closures_.empty();
  for (const Link& k : tree_.links()) needs_kinematics_ |= k.modes >= 0 || k.n_free < k.n_speeds;
  du_.setZero(tree_.n_speeds());
}

void Mechanism::place(VectorXd& q, VectorXd& u, system::State& state) {
  move(state.t, q, u);
  tree_.write(state);
}

void Mechanism::move(double t, VectorXd& q, VectorXd& u) {
  laws_.setZero(tree_.n_speeds());
  tree_.follow_laws(t, q, u, laws_);
  tree_.compute_motion(q.data(), u.data());
}

void Mechanism::set_forces(const system::State& state) {
  bodies_.set_inertia_forces(system_.gravity());
  const auto add = [&](const forces::Force& force) {
    int n = 0;
    for (const BodyIndex body : force.bodies()) n += system_.body(body).n_velocities();
    force_.setZero(n);
    force.add_residual(system_.kinematics(), state.t, force_);
    int column = 0;
    for (const BodyIndex body : force.bodies()) {
      n = system_.body(body).n_velocities();
      bodies_.add_force(tree_.link_of(body), force_.segment(column, n));
      column += n;
    }
  };
  for (const forces::ForceIndex f : system_.forces()) {
    const forces::Force& force = system_.force(f);
    if (!force.has_parts()) add(force);
    for (const forces::Force* part : force.parts()) add(*part);
  }
}

void Mechanism::compute_accelerations(VectorXd& q, VectorXd& u, system::State& state,
                                      VectorXd& du) {
  move(state.t, q, u);
  if (needs_kinematics_) {
    tree_.write(state);
    system_.update(state);
  }
  if (!closures_.empty()) {
    system_.update_accelerations();
    closures_.evaluate(state.t);
    closures_.evaluate_rates(state.t);
    closures_.set_rows();
  }
  bodies_.factorise();
  set_forces(state);
  du = laws_;
  bodies_.solve(Bias::motion, du);
  if (!closures_.empty()) {
    closures_.write(closures_.multipliers(), state.lambda);
    warn_once();
  }
  write_drive_multipliers(state);
}

void Mechanism::warn_once() {
  if (has_warned_) return;
  has_warned_ = true;
  if (const std::string warning = closures_.warning(); !warning.empty())
    base::log_warning("{}", warning);
}

void Mechanism::write_drive_multipliers(system::State& state) {
  for (std::size_t i = 0; i < tree_.links().size(); ++i) {
    const Link& k = tree_.links()[i];
    if (k.n_free == k.n_speeds) continue;
    const auto H = tree_.H(k);
    for (const Branch::Drive& drive : tree_.forest().branches[i].drives)
      for (int j = k.n_free; j < k.n_speeds; ++j)
        if (k.order[j] == drive.speed)
          state.lambda[system_.layout().constraint_offset(drive.constraint)] = -H.col(j).dot(k.f);
  }
}

// From what a hinge exerts on its body, f = -rows^T lambda, to the multipliers of its joint and of
// its drives.
class Mechanism::HingeMultipliers {
 public:
  HingeMultipliers(const system::System& system, const Link& k, const Branch& branch) {
    constraints_[n_constraints_++] = branch.joint;
    for (const Branch::Drive& drive : branch.drives)
      constraints_[n_constraints_++] = drive.constraint;
    Rows rows(6, 6);
    int n = 0;
    for (int i = 0; i < n_constraints_; ++i) {
      const joints::Joint& joint = *system.constraint(constraints_[i]).as_joint();
      const auto J = joint.pair_rows(joint.link().pair(system.kinematics()));
      for (int row = 0; row < joint.n_rows(); ++row)
        rows.col(n++) = J.row(row).segment<6>(k.is_reversed ? 0 : 6).transpose();
    }
    factor_.compute(rows.leftCols(n));
    const bodies::FrameMotion& outboard = system.kinematics().frames[branch.outboard_frame];
    R_ = outboard.R;
    arm_ = k.p - outboard.p;
  }

  /// put(multiplier of the system, value)
  template <class Put>
  void find(const system::System& system, const Vector6d& f, const Put& put) const {
    const Vector3d force = f.head<3>();
    Vector6d wrench;
    wrench << force, R_.transpose() * (f.tail<3>() + arm_.cross(force));
    const Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1> multipliers =
        factor_.solve(-wrench);
    int at = 0;
    for (int i = 0; i < n_constraints_; ++i) {
      const int first = system.layout().constraint_offset(constraints_[i]);
      for (int row = 0; row < system.constraint(constraints_[i]).n_rows(); ++row)
        put(first + row, multipliers[at++]);
    }
  }

 private:
  using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  std::array<ConstraintIndex, 7> constraints_;  // a hinge has six drives at most
  int n_constraints_ = 0;
  Eigen::ColPivHouseholderQR<Rows> factor_;
  Eigen::Matrix3d R_;
  Vector3d arm_;
};

void Mechanism::write_hinge_multipliers(VectorXd& lambda) {
  for (std::size_t i = 0; i < tree_.links().size(); ++i) {
    const Branch& branch = tree_.forest().branches[i];
    if (branch.joint == bodies::kNoConstraint) continue;
    const Link& k = tree_.links()[i];
    HingeMultipliers(system_, k, branch).find(system_, k.f, [&](int row, double value) {
      lambda[row] = value;
    });
  }
}

// The equations determine multipliers of dependent rows up to those that move nothing. These stay
// within their loops.
void Mechanism::shorten_multipliers(VectorXd& lambda) {
  const std::vector<IdleMultipliers> idle = closures_.find_idle();
  if (idle.empty()) return;
  const int n = static_cast<int>(idle.size());
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<std::vector<std::pair<int, Vector6d>>> on_links(tree_.links().size());
  for (int i = 0; i < n; ++i) {
    for (const auto& [row, value] : idle[i].multipliers)
      entries.emplace_back(closures_.row_of_system(row), i, value);
    for (const auto& [link, f] : idle[i].forces) on_links[link].emplace_back(i, f);
  }
  for (std::size_t link = 0; link < on_links.size(); ++link) {
    const Branch& branch = tree_.forest().branches[link];
    if (on_links[link].empty() || branch.joint == bodies::kNoConstraint) continue;
    const HingeMultipliers hinge(system_, tree_.links()[link], branch);
    for (const auto& [i, f] : on_links[link]) {
      const int column = i;
      hinge.find(system_, f,
                 [&](int row, double value) { entries.emplace_back(row, column, value); });
    }
  }
  Eigen::SparseMatrix<double> columns(lambda.size(), n);
  columns.setFromTriplets(entries.begin(), entries.end());
  const math::SparseLu squares(Eigen::SparseMatrix<double>(columns.transpose() * columns));
  if (squares.has_failed())
    throw base::ComputationError(
        "recursive: the multipliers of dependent closures cannot be shared between them");
  // Twice: the squares lose digits.
  for (int i = 0; i < 2; ++i) lambda -= columns * squares.solve(columns.transpose() * lambda);
}

void Mechanism::compute_state(VectorXd& q, VectorXd& u, system::State& state) {
  VectorXd du;
  compute_accelerations(q, u, state, du);
  if (!needs_kinematics_) tree_.write(state);
  for (const Link& k : tree_.links())
    bodies_.write_acceleration(k, state.a.segment(system_.layout().velocity_offset(k.body),
                                                  system_.layout().n_velocities(k.body)));
  system_.update(state);
  write_hinge_multipliers(state.lambda);
  if (closures_.has_dependent_rows()) shorten_multipliers(state.lambda);
}

void Mechanism::project(VectorXd& q, VectorXd& u, system::State& state) {
  place(q, u, state);
  if (closures_.empty()) return;
  bool is_of_speeds = false;
  double before = INFINITY;
  for (int i = 0; i <= kMaxCorrections; ++i) {
    system_.update(state);
    closures_.evaluate(state.t);
    if (is_of_speeds) {
      system_.update_accelerations();
      closures_.evaluate_rates(state.t);
    }
    const VectorXd left =
        is_of_speeds ? closures_.velocity_violation(state) : closures_.position_violation();
    const double size = largest_of(left);
    const double allowed =
        is_of_speeds ? kTolerance * std::max(1.0, largest_of(state.v)) : kTolerance;
    if (size <= allowed || (size >= before && size <= kStagnates * allowed)) {
      if (is_of_speeds) return;
      is_of_speeds = true;
      before = INFINITY;
      i = -1;
      continue;
    }
    if (i == kMaxCorrections || !std::isfinite(size))
      throw base::ComputationError(fmt::format(
          "t = {:.6g} s: no {} near those of the step close all loops; violated: {}\n  drives and joints may contradict each other, or the step is too long",
          state.t, is_of_speeds ? "velocities" : "positions", closures_.worst(left)));
    before = size;
    closures_.set_rows();
    bodies_.factorise();
    closures_.find_correction(left, du_);
    if (is_of_speeds)
      u += du_;
    else
      tree_.advance(du_, q);
    place(q, u, state);
  }
}

}  // namespace solidyn::recursive
