#include "solvers/friction/standing_still.h"

#include "solvers/semidefinite_solve.h"

namespace solidyn::solvers::friction {

using Eigen::VectorXd;

VectorXd stand_still(const Problem& problem, const ContactBlocks& W, const VectorXd& r,
                     double tolerance) {
  VectorXd u;
  W.multiply(r, u);
  u += problem.q;
  const std::vector<ContactState> states = contact_states(problem, r, u);
  VectorXd is_held = VectorXd::Zero(r.size()), diagonal(r.size());
  for (int i = 0; i < problem.n_contacts(); ++i) {
    diagonal.segment<3>(3 * i) = W.diagonal_block(i).diagonal();
    if (states[i] != ContactState::open) is_held[3 * i] = 1.0;
    const bool is_bounded = problem.laws[i].type == ContactLaw::Type::bounded;
    if (is_bounded) is_held[3 * i] = 0.0;
    if (states[i] == ContactState::stick && (is_bounded || problem.laws[i].cone() > 0.0))
      is_held.segment<2>(3 * i + 1).setOnes();
  }
  const Product product = [&](const VectorXd& x, VectorXd& Wx) {
    W.multiply(x, Wx);
    Wx = is_held.cwiseProduct(Wx);
  };
  const VectorXd moves = -is_held.cwiseProduct(u);
  const double size = moves.norm(), allowed = tolerance * problem.q.norm();
  if (!(size > allowed)) return r;
  return r + solve_semidefinite(product, diagonal, moves, allowed / size);
}

}  // namespace solidyn::solvers::friction
