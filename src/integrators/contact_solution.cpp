#include "integrators/contact_solution.h"

#include <algorithm>
#include <optional>

namespace solidyn::integrators {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Law = forces::SetValuedLaw::Kind;
namespace friction = solvers::friction;

namespace {

// Of the velocities in a problem: a slip below is round-off, ...
constexpr double kNoSlip = 1e-9;
// ... and one that is not so much larger than the error of the solution may be none.
constexpr double kSlipOverError = 10.0;
// Up to so many points solutions are exact.
constexpr int kFewPoints = 50;
constexpr double kToleranceOfFew = 1e-14, kToleranceOfMany = 1e-10;
// Where a method has come so far, others are not asked for the digits that are left: redundant
// points keep most of them from getting there.
constexpr double kSufficientForFew = 1e-12;
// Of what forces of a given size do.
constexpr double kRoundOffOfForces = 1e-14;

// @param takes_part  but for laws whose forces are known
// @param unit  of forces, N   @param partner  of a moment
friction::ContactLaw law_of(const forces::SetValuedLaw& law, double mu, bool takes_part,
                            double unit, int partner) {
  using Type = friction::ContactLaw::Type;
  if (!takes_part && !law.has_gap()) return {Type::bounded, 0.0, 0.0};
  if (law.kind == Law::friction) return {Type::bounded, 0.0, mu * law.pressing_force / unit};
  if (law.kind == Law::moment) return {Type::bounded, mu, 0.0, partner};
  if (law.has_friction() && takes_part) return {Type::coulomb, mu, 0.0};
  return {Type::unilateral, 0.0, 0.0};
}

// Of each point, where it is a moment, the contact whose force bounds it; -1. Where points are
// there twice, those of the same time.
std::vector<int> find_partners(const ContactPoints& contacts, const std::vector<int>& points) {
  std::vector<int> partners(points.size(), -1), place(contacts.size(), -1);
  for (std::size_t k = 0; k < points.size(); ++k) {
    place[points[k]] = static_cast<int>(k);
    if (contacts.is_moment(points[k])) partners[k] = place[contacts.contact_of(points[k])];
  }
  return partners;
}

// Directions that a joint, or a moment, does not have get the compliance of those that it has:
// nothing moves them, so that they carry no force, and the blocks are regular.
// @return empty where there are none
std::vector<Vector3d> missing_directions(const ContactPoints& contacts,
                                         const std::vector<int>& points,
                                         const friction::ContactBlocks& A) {
  std::vector<Vector3d> missing;
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (contacts.law(points[k]).kind == Law::contact) continue;
    missing.resize(points.size(), Vector3d::Zero());
    const int row = static_cast<int>(k);
    const double size = A.diagonal_block(row).diagonal().maxCoeff();
    for (int i = 0; i < 3; ++i) {
      bool is_zero = true;
      for (int b = A.start(row); b < A.start(row + 1); ++b)
        is_zero = is_zero && A.block(b).row(i).isZero(0.0);
      if (is_zero) missing[k][i] = size;
    }
  }
  const bool any =
      std::any_of(missing.begin(), missing.end(), [](const Vector3d& m) { return !m.isZero(0.0); });
  if (!any) missing.clear();
  return missing;
}

// Of a force and a speed of the gap that exclude each other the smaller one is round-off: a contact
// that parts with a force of 1e-16 N would keep its gap closed for ever.
void open_what_parts(const friction::Problem& problem, friction::Result& result) {
  for (int i = 0; i < problem.n_contacts(); ++i) {
    if (problem.laws[i].bound > 0.0 || problem.laws[i].type == friction::ContactLaw::Type::bounded)
      continue;
    if (!(result.u[3 * i] > problem.W->diagonal_block(i)(0, 0) * result.r[3 * i])) continue;
    result.r.segment<3>(3 * i).setZero();
    result.states[i] = friction::ContactState::open;
  }
  for (int i = 0; i < problem.n_contacts(); ++i) {
    const int partner = problem.laws[i].partner;
    if (partner >= 0 && result.r[3 * partner] == 0.0 && problem.laws[i].bound == 0.0)
      result.r.segment<3>(3 * i).setZero();
  }
}

// What forces of a given size do: their round-off is there at rest too, where q is nothing else.
double speed_of_given_forces(const friction::Problem& problem) {
  double speed = 0.0;
  for (int i = 0; i < problem.n_contacts(); ++i) {
    const Matrix3d W = problem.W->diagonal_block(i);
    speed = std::max(speed, problem.laws[i].bound * W.bottomRightCorner<2, 2>().norm());
  }
  return speed;
}

}  // namespace

double contact_tolerance(int n_points) {
  return n_points <= kFewPoints ? kToleranceOfFew : kToleranceOfMany;
}

void KnownSlips::append_unknown(int n) {
  const Eigen::Index before = given.size();
  slips.resize(slips.size() + n, false);
  transform.resize(transform.size() + n, Matrix3d::Identity());
  given.conservativeResize(before + 3 * n);
  given.tail(3 * n).setZero();
}

VectorXd KnownSlips::forces(const VectorXd& r) const {
  VectorXd forces = given;
  for (std::size_t k = 0; k < transform.size(); ++k)
    forces.segment<3>(3 * k) += transform[k] * r.segment<3>(3 * k);
  for (const friction::ContactBlock& block : by_contact)
    forces.segment<3>(3 * block.row) += block.value * r.segment<3>(3 * block.col);
  return forces;
}

// Sliding, the force of a contact is along the generator of its cone.
KnownSlips find_known_slips(const ContactPoints& contacts, const system::State& s,
                            const std::vector<int>& of) {
  KnownSlips known;
  known.append_unknown(static_cast<int>(of.size()));
  const std::vector<int> partners = find_partners(contacts, of);
  for (std::size_t k = 0; k < of.size(); ++k) {
    const forces::SetValuedLaw& law = contacts.law(of[k]);
    if (!law.can_stick() || contacts.read(s, of[k]).sticks) continue;
    if (!(contacts.sliding_speed(of[k]) > 0.0)) continue;
    known.slips[k] = true;
    const Vector2d slip = contacts.velocity(of[k]).tail<2>();
    const Vector2d friction =
        law.has_friction() ? Vector2d(-law.sliding_coefficient(slip.norm()) * slip.normalized())
                           : Vector2d::Zero();
    known.transform[k].setZero();
    if (law.kind == Law::contact)
      known.transform[k].col(0) << 1.0, friction;
    else if (law.kind == Law::friction)
      known.given.segment<2>(3 * k + 1) = law.pressing_force * friction;
    else if (law.kind == Law::moment && partners[k] >= 0) {
      Matrix3d by_normal = Matrix3d::Zero();
      by_normal.col(0).tail<2>() = friction;
      known.by_contact.push_back({static_cast<int>(k), partners[k], by_normal});
    }
  }
  return known;
}

ContactSolution solve_contacts(const ContactPoints& contacts, const ContactCompliance& compliance,
                               const friction::ContactBlocks& A, const VectorXd& q,
                               const VectorXd& start, std::vector<bool> sticks,
                               const VectorXd& slip_speeds, const KnownSlips* known, double unit,
                               const GivenFriction* given, ContactSolver::Unknowns unknowns) {
  const int n = static_cast<int>(compliance.points.size());
  std::optional<friction::ContactBlocks> changed;
  if (known) changed = A.times(known->transform, known->by_contact);
  const std::vector<int> partners = find_partners(contacts, compliance.points);
  const std::vector<Vector3d> missing =
      missing_directions(contacts, compliance.points, changed ? *changed : A);
  if (!missing.empty()) changed = (changed ? *changed : A).plus_diagonal(missing);
  friction::Problem problem{changed ? &*changed : &A, q, {}, {}};
  if (known) problem.q += A * known->given;
  const auto law_at = [&](int k, double mu) {
    return law_of(contacts.law(compliance.points[k]), mu, !(known && known->slips[k]), unit,
                  partners[k]);
  };
  VectorXd coefficients(n);
  for (int k = 0; k < n; ++k) {
    const forces::SetValuedLaw& law = contacts.law(compliance.points[k]);
    coefficients[k] = given       ? given->coefficients[k]
                      : sticks[k] ? law.static_coefficient
                                  : law.sliding_coefficient(slip_speeds[k]);
    problem.laws.push_back(law_at(k, coefficients[k]));
    if (given && contacts.is_moment(compliance.points[k]))
      problem.laws[k].bound = partners[k] < 0 ? 0.0 : coefficients[k] * given->normal[partners[k]];
    else if (given)
      problem.laws[k].bound = problem.laws[k].cone() * given->normal[k];
  }
  ContactSolver& solver = contacts.solver();
  const double asked = solver.options().tolerance, accepted = std::max(asked, kContactAccepted);
  friction::Options options;
  options.method = solver.options().method;
  options.tolerance = asked > 0.0 ? asked : contact_tolerance(n);
  options.sufficient = n > kFewPoints ? accepted : std::min(accepted, kSufficientForFew);
  options.accepted = n > kFewPoints ? 0.0 : accepted;
  friction::Result result;
  VectorXd guess = start;
  for (int k = 0; known && k < n; ++k)
    if (known->slips[k]) guess.segment<2>(3 * k + 1).setZero();
  double slip_counts = 0.0;
  const auto slips = [&](int k) {
    return result.states[k] == friction::ContactState::slip &&
           result.u.segment<2>(3 * k + 1).norm() > slip_counts;
  };
  // What slips under the friction of sticking does so under that of sliding.
  for (bool again = true; again;) {
    result = friction::try_solve(problem, options, guess);
    again = false;
    slip_counts = std::max(kNoSlip * std::max(problem.q.lpNorm<Eigen::Infinity>(),
                                              (result.u - problem.q).lpNorm<Eigen::Infinity>()),
                           kSlipOverError * result.error.velocity);
    for (int k = 0; k < n; ++k) {
      if (given || !sticks[k] || !slips(k)) continue;
      sticks[k] = false;
      const forces::SetValuedLaw& law = contacts.law(compliance.points[k]);
      coefficients[k] = law.sliding_coefficient(0.0);
      again = again || coefficients[k] != law.static_coefficient;
      problem.laws[k] = law_at(k, coefficients[k]);
    }
    guess = result.r;
  }
  for (int k = 0; k < n; ++k)
    if (result.states[k] == friction::ContactState::slip && !slips(k))
      result.states[k] = friction::ContactState::stick;
  const bool is_met = result.error.relative <= accepted;
  const bool is_round_off =
      result.error.velocity <= kRoundOffOfForces * speed_of_given_forces(problem);
  std::optional<double> relative;
  if (is_met || is_round_off) relative = is_met ? result.error.relative : 0.0;
  solver.note(result, unknowns, relative);
  const VectorXd found = result.r;
  open_what_parts(problem, result);
  ContactSolution solution{known ? known->forces(result.r) : result.r,
                           result.u,
                           result.states,
                           coefficients,
                           result.error.velocity,
                           options.tolerance * problem.q.norm(),
                           {}};
  if (!relative) {
    for (const int i : compliance.points) problem.names.push_back(contacts.name(i));
    solution.failure = failure_message(problem, options, result);
    solver.keep_unsolved(changed ? *changed : A, problem, found);
  }
  return solution;
}

}  // namespace solidyn::integrators
