#include "integrators/contact_points.h"

#include <fmt/format.h>

#include <algorithm>

#include "integrators/saddle_point_solve.h"
#include "solidyn/math/dense.h"

namespace solidyn::integrators {

namespace {

// Directions that move others by less than this part do so not at all.
constexpr double kRankOfHeld = 1e-10;
// Of the velocities in a problem: a slip below is round-off.
constexpr double kNoSlip = 1e-9;

}  // namespace

using Eigen::MatrixXd;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;
namespace friction = solvers::friction;

ContactPoints::ContactPoints(const system::System& system) : system_(system) {
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    if (!law) continue;
    for (int k = 0; k < law->n_points(); ++k)
      points_.push_back({f, law, k, system.memory_offset(f) + k * SetValuedPoint::kSize,
                         system.connectivity().island_of(system.force(f).bodies())});
  }
}

SetValuedPoint ContactPoints::read(const State& s, int i) const {
  return SetValuedPoint::read(s.memory.segment<SetValuedPoint::kSize>(points_[i].memory));
}

void ContactPoints::write(State& s, int i, const SetValuedPoint& point) const {
  point.write(s.memory.segment<SetValuedPoint::kSize>(points_[i].memory));
}

bool ContactPoints::is_closed(const State& s, int i) const {
  return read(s, i).phase == SetValuedPoint::Phase::closed;
}

bool ContactPoints::holds(const State& s, int i) const {
  const forces::SetValuedLaw& its = law(i);
  const SetValuedPoint point = read(s, i);
  if (point.phase == SetValuedPoint::Phase::open) return false;
  return its.has_gap() || (its.kind == forces::SetValuedLaw::Kind::clutch && point.sticks);
}

std::vector<int> ContactPoints::closed(const State& s) const {
  std::vector<int> closed;
  for (int i = 0; i < size(); ++i)
    if (is_closed(s, i)) closed.push_back(i);
  return closed;
}

bool ContactPoints::exists(int i) const {
  return points_[i].law->exists(system_.kinematics(), points_[i].number);
}

double ContactPoints::gap(int i) const {
  return points_[i].law->gap(system_.kinematics(), points_[i].number);
}

Eigen::Matrix3d ContactPoints::axes(int i) const {
  return points_[i].law->axes(system_.kinematics(), points_[i].number);
}

Eigen::Vector3d ContactPoints::velocity(int i) const {
  return points_[i].law->velocity(system_.kinematics(), points_[i].number);
}

Eigen::Vector3d ContactPoints::acceleration(int i) const {
  return points_[i].law->acceleration(system_.kinematics(), points_[i].number);
}

MatrixXd ContactPoints::directions(const std::vector<int>& of) const {
  MatrixXd W = MatrixXd::Zero(system_.layout().n_velocities(), 3 * of.size()), local;
  for (std::size_t k = 0; k < of.size(); ++k) {
    const Point& p = points_[of[k]];
    const std::vector<int>& columns = system_.force_columns(p.force);
    local.setZero(columns.size(), 3);
    p.law->directions(system_.kinematics(), p.number, local);
    for (std::size_t j = 0; j < columns.size(); ++j)
      W.block<1, 3>(columns[j], 3 * k) += local.row(j);
  }
  return W;
}

std::string ContactPoints::contact_name(int i) const {
  static const std::string of_forces = "contact ";  // what their names begin with
  if (std::string label = points_[i].law->label(); !label.empty()) return label;
  const std::string& name = system_.force(points_[i].force).name();
  return name.compare(0, of_forces.size(), of_forces) == 0 ? name.substr(of_forces.size()) : name;
}

std::string ContactPoints::name(int i) const {
  const Point& p = points_[i];
  const std::string name = contact_name(i);
  return p.law->n_points() == 1 ? name : fmt::format("{}, point {}", name, p.number + 1);
}

std::string ContactPoints::path(int i) const {
  return (points_[i].law->label().empty() ? "contacts." : "joints.") + name(i);
}

ContactCompliance contact_compliance(const ContactPoints& contacts, const std::vector<int>& of,
                                     SaddlePointSolve& solve, double scale, int n_unknowns) {
  ContactCompliance c;
  c.points = of;
  c.W = contacts.directions(of);
  c.X.resize(n_unknowns, c.W.cols());
  VectorXd rhs = VectorXd::Zero(n_unknowns), x;
  for (Eigen::Index k = 0; k < c.W.cols(); ++k) {
    rhs.head(c.W.rows()) = scale * c.W.col(k);
    solve.solve(rhs, x);
    c.X.col(k) = x;
  }
  c.A = c.W.transpose() * c.X.topRows(c.W.rows());
  return c;
}

HeldContacts::HeldContacts(const ContactPoints& contacts, const State& s, SaddlePointSolve& solve,
                           double scale, int n_unknowns) {
  const std::vector<int> closed = contacts.closed(s);
  const ContactCompliance c = contact_compliance(contacts, closed, solve, scale, n_unknowns);
  std::vector<Eigen::Index> held;
  for (std::size_t k = 0; k < closed.size(); ++k) {
    const auto first = static_cast<Eigen::Index>(3 * k);
    const forces::SetValuedLaw& law = contacts.law(closed[k]);
    const bool sticks = contacts.read(s, closed[k]).sticks && law.can_stick();
    if (law.has_gap() || (law.kind == forces::SetValuedLaw::Kind::clutch && sticks))
      held.push_back(first);
    if (sticks && law.has_friction()) held.insert(held.end(), {first + 1, first + 2});
  }
  W_ = c.W(Eigen::all, held);
  X_ = c.X(Eigen::all, held);
  if (!held.empty())
    inverse_ =
        math::LeastSquares(W_.transpose() * X_.topRows(W_.rows()), kRankOfHeld).pseudo_inverse();
}

void HeldContacts::hold(const VectorXd& wanted, VectorXd& x) const {
  if (W_.cols() == 0) return;
  x += X_ * (inverse_ * (W_.transpose() * (wanted - x.head(W_.rows()))));
}

namespace {

// @param takes_part  but for laws whose forces are known
friction::ContactLaw law_of(const forces::SetValuedLaw& law, double mu, bool takes_part) {
  using Type = friction::ContactLaw::Type;
  using Kind = forces::SetValuedLaw::Kind;
  if (!takes_part && !law.has_gap()) return {Type::bounded, 0.0, 0.0};
  if (law.kind == Kind::friction) return {Type::bounded, 0.0, mu * law.pressing_force};
  if (law.has_friction() && takes_part) return {Type::coulomb, mu, 0.0};
  return {Type::unilateral, 0.0, 0.0};
}

// Directions that a joint does not have get the compliance of those that it has: nothing moves
// them, so that they carry no force, and the blocks are regular.
void fill_missing_directions(int k, MatrixXd& A) {
  auto block = A.block<3, 3>(3 * k, 3 * k);
  const double size = block.diagonal().maxCoeff();
  for (int i = 0; i < 3; ++i)
    if (A.row(3 * k + i).isZero(0.0)) block(i, i) = size;
}

}  // namespace

ContactSolution solve_contacts(const ContactPoints& contacts, const ContactCompliance& compliance,
                               const MatrixXd& compliances, const VectorXd& q,
                               const VectorXd& start, std::vector<bool> sticks,
                               const VectorXd& slip_speeds,
                               const std::vector<bool>* without_friction) {
  const int n = static_cast<int>(compliance.points.size());
  MatrixXd A = compliances;
  for (int k = 0; k < n; ++k)
    if (contacts.law(compliance.points[k]).kind != forces::SetValuedLaw::Kind::contact)
      fill_missing_directions(k, A);
  const friction::ContactBlocks W = friction::ContactBlocks::from_dense(A);
  friction::Problem problem{&W, q, {}, {}};
  for (int k = 0; k < n; ++k) {
    const forces::SetValuedLaw& law = contacts.law(compliance.points[k]);
    const double mu = sticks[k] ? law.static_coefficient : law.sliding_coefficient(slip_speeds[k]);
    problem.laws.push_back(law_of(law, mu, !(without_friction && (*without_friction)[k])));
    problem.names.push_back(contacts.name(compliance.points[k]));
  }
  friction::Options options;
  options.tolerance = kContactTolerance;
  friction::Result result;
  VectorXd guess = start;
  double slip_counts = 0.0;
  const auto slips = [&](int k) {
    return result.states[k] == friction::ContactState::slip &&
           result.u.segment<2>(3 * k + 1).norm() > slip_counts;
  };
  // What slips under the friction of sticking does so under that of sliding.
  for (bool again = true; again;) {
    result = friction::try_solve(problem, options, guess);
    again = false;
    slip_counts =
        kNoSlip * std::max(q.lpNorm<Eigen::Infinity>(), (result.u - q).lpNorm<Eigen::Infinity>());
    for (int k = 0; k < n; ++k) {
      if (!sticks[k] || !slips(k)) continue;
      sticks[k] = false;
      const forces::SetValuedLaw& law = contacts.law(compliance.points[k]);
      const double mu = law.sliding_coefficient(0.0);
      again = again || mu != law.static_coefficient;
      problem.laws[k] = law_of(law, mu, !(without_friction && (*without_friction)[k]));
    }
    guess = result.r;
  }
  for (int k = 0; k < n; ++k)
    if (result.states[k] == friction::ContactState::slip && !slips(k))
      result.states[k] = friction::ContactState::stick;
  ContactSolution solution{result.r, result.u, result.states, result.error.velocity, {}};
  if (!(result.error.relative <= kContactAccepted))
    solution.failure = failure_message(problem, options, result);
  return solution;
}

}  // namespace solidyn::integrators
