#include "solidyn/solvers/friction/problem.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solvers/friction/cone.h"
#include "solvers/friction/scaling.h"

namespace solidyn::solvers::friction {

using Eigen::Vector3d;
using Eigen::VectorXd;

std::string Problem::name(int contact) const {
  return names.empty() ? fmt::format("{}", contact + 1) : names[contact];
}

void check(const Problem& problem) {
  std::vector<base::Diagnostic> wrong;
  const auto complain = [&](std::string what, std::string remedy) {
    wrong.push_back({{}, std::move(what), std::move(remedy)});
  };
  const int n = problem.n_contacts();
  if (!problem.W || problem.W->n_contacts() != n)
    complain(fmt::format("a friction-contact problem has {} laws, but an operator W of {} contacts",
                         n, problem.W ? problem.W->n_contacts() : 0),
             "give one law for each contact");
  if (problem.q.size() != 3 * n)
    complain(fmt::format("a friction-contact problem of {} contacts has a vector q of {} numbers",
                         n, problem.q.size()),
             "give three numbers for each contact: normal, first and second tangent");
  if (!problem.names.empty() && static_cast<int>(problem.names.size()) != n)
    complain(fmt::format("a friction-contact problem of {} contacts has {} names", n,
                         problem.names.size()),
             "name all contacts or none");
  if (!wrong.empty()) throw base::InputError(std::move(wrong));
  for (int i = 0; i < n; ++i) {
    const ContactLaw& law = problem.laws[i];
    const bool has_partner = law.type == ContactLaw::Type::bounded && law.partner >= 0;
    const bool has_mu = law.type == ContactLaw::Type::coulomb || has_partner;
    if (has_mu && !(law.mu >= 0.0 && std::isfinite(law.mu)))
      complain(
          fmt::format("contact {} has the coefficient of friction {:g}", problem.name(i), law.mu),
          "give a finite number, zero or more");
    if (!(law.bound >= 0.0 && std::isfinite(law.bound)))
      complain(fmt::format("contact {} has the largest force of friction {:g}", problem.name(i),
                           law.bound),
               "give a finite number, zero or more");
    if (law.bound > 0.0 && law.type != ContactLaw::Type::bounded && !(law.cone() > 0.0))
      complain(fmt::format("contact {} has friction of the size {:g} beside a cone of none",
                           problem.name(i), law.bound),
               "give a coefficient of friction, or the type `bounded`");
    if (has_partner &&
        !(law.partner < i && problem.laws[law.partner].type != ContactLaw::Type::bounded))
      complain(fmt::format("contact {} is bounded by the force of contact {}", problem.name(i),
                           law.partner + 1),
               "give it a contact before it, with a normal force");
    const Vector3d q = problem.q.segment<3>(3 * i);
    if (!q.allFinite())
      complain(fmt::format("contact {} has the free velocity ({:g}, {:g}, {:g})", problem.name(i),
                           q[0], q[1], q[2]),
               "look at the motion before this step: it is no longer finite");
    if (!problem.W->diagonal_block(i).allFinite())
      complain(fmt::format("contact {} has a block of W that is not finite", problem.name(i)),
               "look for bodies without mass");
  }
  if (!wrong.empty()) throw base::InputError(std::move(wrong));
}

VectorXd force_scales(const ContactOperator& W) {
  const int n = W.n_contacts();
  VectorXd trace(n);
  for (int i = 0; i < n; ++i) trace[i] = std::abs(W.diagonal_block(i).trace());
  // A contact that no force moves takes the scale of the others.
  const double largest = n ? trace.maxCoeff() : 0.0;
  const double floor = largest > 0.0 ? 1e-12 * largest : 1.0;
  return trace.cwiseMax(floor).cwiseInverse();
}

ContactError contact_error(const Problem& problem, const VectorXd& r, const VectorXd& u) {
  return contact_error(problem, force_scales(*problem.W), r, u);
}

ContactError contact_error(const Problem& problem, const VectorXd& rho, const VectorXd& r,
                           const VectorXd& u, SlipRule rule) {
  ContactError error;
  double velocity = 0.0, force = 0.0, worst = -1.0;
  for (int i = 0; i < problem.n_contacts(); ++i) {
    const double mu = problem.laws[i].cone();
    const Vector3d r_i = r.segment<3>(3 * i);
    const Vector3d u_i = u.segment<3>(3 * i);
    const Vector3d lifted = rule == SlipRule::coulomb ? lifted_velocity(mu, u_i) : u_i;
    const Vector3d z = r_i - rho[i] * lifted;
    const double e = (r_i - nearest_force(problem.laws[i], r, z)).squaredNorm();
    force += e;
    const double e_velocity = e / (rho[i] * rho[i]);
    velocity += e_velocity;
    // What is not a number is the worst of all.
    if (e_velocity > worst || !(e_velocity == e_velocity)) {
      worst = e_velocity == e_velocity ? e_velocity : HUGE_VAL;
      error.worst = i;
    }
  }
  error.velocity = std::sqrt(velocity);
  error.force = std::sqrt(force);
  error.worst_velocity = error.worst < 0 ? 0.0 : std::sqrt(worst);
  const double size = problem.q.norm();
  error.relative = size > 0.0 ? error.velocity / size : (error.velocity > 0.0 ? HUGE_VAL : 0.0);
  return error;
}

ContactError contact_error(const Problem& problem, const VectorXd& r) {
  VectorXd u;
  problem.W->multiply(r, u);
  u += problem.q;
  return contact_error(problem, r, u);
}

std::vector<ContactState> contact_states(const Problem& problem, const VectorXd& r,
                                         const VectorXd& u) {
  const VectorXd rho = force_scales(*problem.W);
  std::vector<ContactState> states(problem.n_contacts());
  for (int i = 0; i < problem.n_contacts(); ++i) {
    const double mu = problem.laws[i].cone();
    const Vector3d z = r.segment<3>(3 * i) - rho[i] * u.segment<3>(3 * i);
    const double tangential = std::hypot(z[1], z[2]);
    if (problem.laws[i].type == ContactLaw::Type::bounded)
      states[i] = tangential <= largest_friction(problem.laws[i], r) ? ContactState::stick
                                                                     : ContactState::slip;
    else if (z[0] <= 0.0)
      states[i] = ContactState::open;
    else
      states[i] = tangential <= mu * z[0] + problem.laws[i].bound ? ContactState::stick
                                                                  : ContactState::slip;
  }
  return states;
}

}  // namespace solidyn::solvers::friction
