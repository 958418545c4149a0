#include "integrators/impact_laws.h"

#include <algorithm>
#include <limits>

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using solvers::friction::ContactState;
using ImpactLaw = forces::SetValuedLaw::ImpactLaw;

namespace {

// Of the work that impulses would do if all velocities went along them: less is round-off.
constexpr double kNoWorkOfImpacts = 1e-11;

VectorXd tangential_speeds(const VectorXd& u) {
  VectorXd speeds(u.size() / 3);
  for (Index k = 0; k < speeds.size(); ++k) speeds[k] = u.segment<2>(3 * k + 1).norm();
  return speeds;
}

// One impact, whose law is between the impulses and u = A r + q.
ContactSolution solve_impact_once(const ContactPoints& contacts, const ContactCompliance& c,
                                  const VectorXd& q, const GivenFriction* given = nullptr) {
  const std::size_t n = c.points.size();
  return solve_contacts(contacts, c, c.A, q, VectorXd::Zero(q.size()), std::vector<bool>(n, true),
                        tangential_speeds(q), nullptr, 1.0, given);
}

void note_states(ContactSolution& solution, double nothing) {
  for (std::size_t k = 0; k < solution.states.size(); ++k) {
    const Vector3d u = solution.u.segment<3>(3 * static_cast<Index>(k));
    solution.states[k] = u[0] > nothing                 ? ContactState::open
                         : u.tail<2>().norm() > nothing ? ContactState::slip
                                                        : ContactState::stick;
  }
}

// That of a compression with each its own restitution.
ContactSolution expand(const ContactPoints& contacts, const ContactCompliance& c,
                       const ContactSolution& compression, const VectorXd& restitution) {
  GivenFriction given{VectorXd::Zero(restitution.size()), compression.coefficients};
  VectorXd normal = VectorXd::Zero(compression.r.size());
  for (Index k = 0; k < restitution.size(); ++k) {
    normal[3 * k] = restitution[k] * compression.r[3 * k];
    given.normal[k] = normal[3 * k];
  }
  ContactSolution solution = solve_impact_once(contacts, c, compression.u + c.A * normal, &given);
  solution.r += compression.r + normal;
  solution.error = std::max(solution.error, compression.error);
  return solution;
}

// Whether impulses have done more than round-off on what moves: P . (u- + u+) / 2.
bool does_work(const VectorXd& before, const ContactSolution& solution) {
  const VectorXd sum = before + solution.u;
  return solution.r.dot(sum) >
         kNoWorkOfImpacts * solution.r.cwiseAbs().dot(sum.cwiseAbs() + before.cwiseAbs());
}

// Newton's law of one point.
ContactSolution hit_one(const ContactPoints& contacts, const ContactCompliance& one,
                        const VectorXd& u, const Restitutions& restitutions) {
  const double tangential = contacts.law(one.points.front()).tangential_restitution;
  const Restitutions::OfPoint normal = restitutions.normal(0, -u[0], true);
  VectorXd added = VectorXd::Zero(u.size());
  added[0] = normal.law * normal.gain * u[0];
  added.segment<2>(1) = restitutions.tangential_part * tangential * u.segment<2>(1);
  ContactSolution solution = solve_impact_once(contacts, one, u + added);
  solution.u -= added;
  return solution;
}

// A contact and its moments among the points of an impact.
std::vector<int> with_moments(const ContactPoints& contacts, const ContactCompliance& c, int k) {
  std::vector<int> places{k};
  for (int j = k + 1; j < static_cast<int>(c.points.size()); ++j)
    if (contacts.contact_of(c.points[j]) == c.points[k]) places.push_back(j);
  return places;
}

// A contact alone, with what the joints do of it.
ContactCompliance alone(const ContactCompliance& c, const std::vector<int>& places) {
  ContactCompliance one;
  for (const int k : places) one.points.push_back(c.points[k]);
  one.A = c.A.of_contacts(places);
  return one;
}

}  // namespace

ImpactSolution solve_poissons_law(const ContactPoints& contacts, const ContactCompliance& c,
                                  const VectorXd& before, const Restitutions& restitutions,
                                  double nothing) {
  ImpactSolution result;
  const ContactSolution compression = solve_impact_once(contacts, c, before);
  const auto n = static_cast<Index>(c.points.size());
  VectorXd law = VectorXd::Zero(n), gain = VectorXd::Zero(n);
  double smallest = std::numeric_limits<double>::max();
  for (Index k = 0; k < n; ++k) {
    const double impulse = compression.r[3 * k];
    if (!(impulse > 0.0)) continue;
    const int i = static_cast<int>(k);
    const Restitutions::OfPoint e =
        restitutions.normal(i, c.A.diagonal_block(i)(0, 0) * impulse, true);
    law[k] = e.law;
    gain[k] = e.gain;
    smallest = std::min(smallest, e.law);
  }
  static_cast<ContactSolution&>(result) =
      law.isZero(0.0) ? compression : expand(contacts, c, compression, law.cwiseProduct(gain));
  if (law.maxCoeff() > smallest && does_work(before, result)) {
    const VectorXd equal = law.cwiseMin(smallest).cwiseProduct(gain);
    static_cast<ContactSolution&>(result) = expand(contacts, c, compression, equal);
    result.has_smallest_restitution = true;
  }
  note_states(result, nothing);
  return result;
}

ImpactSolution solve_in_sequence(const ContactPoints& contacts, const ContactCompliance& c,
                                 const VectorXd& before, const Restitutions& restitutions,
                                 double nothing) {
  const auto n = static_cast<int>(c.points.size());
  ImpactSolution result;
  result.r.setZero(before.size());
  result.u = before;
  result.states.resize(n);
  result.coefficients.setZero(n);
  std::vector<bool> was_hit(n, false);
  const auto add = [&](const VectorXd& impulses, const ContactSolution& of) {
    result.r += impulses;
    result.u += c.A * impulses;
    result.error = std::max(result.error, of.error);
  };
  for (int count = 0;; ++count) {
    int hardest = -1;
    double most = 0.0;
    bool all_are_slow = true;
    for (int k = 0; k < n; ++k) {
      const double approach = -result.u[3 * k];
      if (!(approach > nothing)) continue;
      all_are_slow = all_are_slow && approach < contacts.law(c.points[k]).slow_speed;
      const double energy = approach * approach / c.A.diagonal_block(k)(0, 0);
      if (!(energy > most)) continue;
      most = energy;
      hardest = k;
    }
    if (hardest < 0) break;
    if ((count > 0 && all_are_slow) || count >= kMostImpacts * n) {
      const ContactSolution last = solve_impact_once(contacts, c, result.u);
      add(last.r, last);
      break;
    }
    const std::vector<int> places = with_moments(contacts, c, hardest);
    const ContactCompliance one = alone(c, places);
    VectorXd u(3 * static_cast<Index>(places.size()));
    for (std::size_t j = 0; j < places.size(); ++j)
      u.segment<3>(3 * static_cast<Index>(j)) = result.u.segment<3>(3 * places[j]);
    const Restitutions of_one{[&](int, double speed, bool) {
                                return restitutions.normal(hardest, speed, !was_hit[hardest]);
                              },
                              restitutions.tangential_part};
    const bool is_poisson = contacts.law(one.points.front()).impact_law == ImpactLaw::poisson;
    const ContactSolution impact = is_poisson
                                       ? solve_poissons_law(contacts, one, u, of_one, nothing)
                                       : hit_one(contacts, one, u, of_one);
    was_hit[hardest] = true;
    VectorXd impulses = VectorXd::Zero(before.size());
    for (std::size_t j = 0; j < places.size(); ++j)
      impulses.segment<3>(3 * places[j]) = impact.r.segment<3>(3 * static_cast<Index>(j));
    add(impulses, impact);
  }
  note_states(result, nothing);
  return result;
}

}  // namespace solidyn::integrators
