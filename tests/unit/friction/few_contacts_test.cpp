// Few contacts by guesses of what they do, against sweeps over random problems.
#include "solvers/friction/few_contacts.h"

#include <gtest/gtest.h>

#include <random>

#include "solidyn/solvers/friction/friction_contact.h"
#include "solvers/friction/scaling.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& g, int rows, int columns) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return MatrixXd::NullaryExpr(rows, columns, [&] { return uniform(g); });
}

/// Contacts of bodies with `n_coordinates`: redundant where these are fewer than 3 n.
struct RandomProblem {
  RandomProblem(std::mt19937& g, int n, int n_coordinates, double mu)
      : directions(random_matrix(g, n_coordinates, 3 * n)),
        W(ContactBlocks::from_dense(directions.transpose() * directions)) {
    problem.W = &W;
    problem.q = directions.transpose() * random_matrix(g, n_coordinates, 1);
    using Type = ContactLaw::Type;
    std::uniform_int_distribution<int> law(0, 5);
    std::uniform_real_distribution<double> part(0.2, 1.0);
    for (int i = 0; i < n; ++i) switch (law(g)) {
        case 0:
          problem.laws.push_back({Type::unilateral, 0.0, 0.0});
          break;
        case 1:
          problem.laws.push_back({Type::bounded, 0.0, 0.3 * part(g)});
          break;
        default:
          problem.laws.push_back({Type::coulomb, mu * part(g), 0.0});
      }
  }
  MatrixXd directions;
  ContactBlocks W;
  Problem problem;
};

struct Count {
  int solved = 0, all = 0;
  int states[3] = {0, 0, 0};
};

/// The solution that sweeps find, and from there that of other velocities, as of the next step.
void follow(std::mt19937& g, int n, int n_coordinates, Count& count) {
  RandomProblem random(g, n, n_coordinates, 0.3);
  Problem& problem = random.problem;
  Options options;
  options.method = Method::gauss_seidel;
  options.tolerance = 1e-12;
  const Result before = try_solve(problem, options);
  if (!before.has_converged) return;
  problem.q += 1e-2 * random.directions.transpose() * random_matrix(g, n_coordinates, 1);
  const Result after = try_solve(problem, options, before.r);
  if (!after.has_converged) return;
  VectorXd r = before.r;
  ContactError error;
  const VectorXd rho = force_scales(random.W);
  ++count.all;
  if (!FewContacts(problem, random.W, rho).solve(1e-13 * problem.q.norm(), r, error)) return;
  ++count.solved;
  EXPECT_LT(contact_error(problem, r).relative, 1e-13);
  const VectorXd u = random.W * r + problem.q;
  EXPECT_LT((u - after.u).norm(), 1e-9 * problem.q.norm()) << n << " contacts of " << n_coordinates;
  for (const ContactState state : contact_states(problem, r, u)) ++count.states[int(state)];
}

TEST(FewContacts, FollowTheVelocitiesThatSweepsFind) {
  std::mt19937 g(17);
  Count count;
  for (int n = 1; n <= FewContacts::kMost; ++n)
    for (int k = 0; k < 100; ++k) follow(g, n, 3 * n + 2, count);
  EXPECT_GT(count.solved, 0.98 * count.all);
  for (const int state : count.states) EXPECT_GT(state, 100);
}

TEST(FewContacts, FollowThoseOfRedundantOnes) {
  std::mt19937 g(23);
  Count count;
  for (int n = 3; n <= FewContacts::kMost; ++n)
    for (int k = 0; k < 100; ++k) follow(g, n, 6, count);
  EXPECT_GT(count.solved, 0.9 * count.all);
  for (const int state : count.states) EXPECT_GT(state, 100);
}

// W = -1 with q > 0 below would make forces without a bound.
TEST(FewContacts, FindNoneWhereThereIsNone) {
  Eigen::Matrix3d block = -Eigen::Matrix3d::Identity();
  const ContactBlocks W(1, {{0, 0, block}});
  const Problem problem{
      &W, Eigen::Vector3d(-1.0, 0.5, 0.0), {{ContactLaw::Type::coulomb, 0.3, 0.0}}, {}};
  VectorXd r = VectorXd::Zero(3);
  ContactError error;
  EXPECT_FALSE(FewContacts(problem, W, force_scales(W)).solve(1e-12, r, error));
  EXPECT_TRUE(r.isZero(0.0));
}

}  // namespace
}  // namespace solidyn::solvers::friction
