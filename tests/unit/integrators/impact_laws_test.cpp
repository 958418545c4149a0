// Laws of impacts of any compliance: energies of Poisson's law, and sequences of impacts.
#include "integrators/impact_laws.h"

#include <gtest/gtest.h>

#include <random>

#include "integrators/contact_compliance.h"
#include "integrators/contact_points.h"
#include "small_systems.h"
#include "solidyn/contact/set_valued_contact.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedLaw;

// Points with these laws; how impulses move them is given apart from the bodies that they are on.
class Contacts {
 public:
  explicit Contacts(const std::vector<SetValuedLaw>& laws) : laws_(laws) {
    const auto ground =
        system::add_frame(system_, system::kGround, Vector3d::Zero(), Vector3d::UnitZ());
    for (std::size_t i = 0; i < laws.size(); ++i) {
      system::InitialMotion motion;
      motion.p_WB = Vector3d(double(i), 0.0, 0.1);
      const auto body = system_.add_body(
          bodies::make_rigid_body("ball " + std::to_string(i), 1.0, Vector3d::Zero(),
                                  Vector3d(1e-2, 1e-2, 1e-2).asDiagonal()),
          motion);
      const auto frame = system::add_frame(system_, body, motion.p_WB, Vector3d::UnitZ());
      system_.add_force(std::make_unique<contact::SetValuedContact>(
          "contact " + std::to_string(i), std::to_string(i), system_.link(ground, frame),
          contact::make_geometry(contact::Plane{}, contact::Sphere{0.1}), laws[i]));
    }
    system_.finalize();
    points_ = std::make_unique<ContactPoints>(system_);
  }
  ImpactSolution by_poissons_law(const MatrixXd& A, const VectorXd& u) const {
    return solve_poissons_law(*points_, compliance(A), u, restitutions(), 1e-13);
  }
  ImpactSolution in_sequence(const MatrixXd& A, const VectorXd& u) const {
    return solve_in_sequence(*points_, compliance(A), u, restitutions(), 1e-13);
  }

 private:
  ContactCompliance compliance(const MatrixXd& A) const {
    ContactCompliance c;
    for (int i = 0; i < points_->size(); ++i) c.points.push_back(i);
    c.A = solvers::friction::ContactBlocks::from_dense(A);
    return c;
  }
  Restitutions restitutions() const {
    return {[this](int k, double, bool) {
              return Restitutions::OfPoint{laws_[k].restitution, 1.0};
            },
            1.0};
  }
  std::vector<SetValuedLaw> laws_;
  system::System system_;
  std::unique_ptr<ContactPoints> points_;
};

SetValuedLaw law(double e, double mu, SetValuedLaw::ImpactLaw impact_law) {
  SetValuedLaw law;
  law.restitution = e;
  law.static_coefficient = law.dynamic_coefficient = mu;
  law.slow_speed = 0.0;
  law.impact_law = impact_law;
  return law;
}

SetValuedLaw poisson(double e, double mu) { return law(e, mu, SetValuedLaw::ImpactLaw::poisson); }
SetValuedLaw newton(double e, double mu) { return law(e, mu, SetValuedLaw::ImpactLaw::newton); }

struct RandomImpact {
  MatrixXd A;
  VectorXd u;  // all approach
};

// Contacts on a mechanism of a few freedoms, so that they move each other much.
RandomImpact random_impact(int n, std::mt19937& g) {
  std::normal_distribution<double> normal;
  MatrixXd W(3 * n, 2 * n + 1);
  for (double& x : W.reshaped()) x = normal(g);
  VectorXd v(W.cols());
  for (double& x : v) x = normal(g);
  RandomImpact impact{W * W.transpose() + 0.05 * MatrixXd::Identity(3 * n, 3 * n), W * v};
  for (int i = 0; i < n; ++i) impact.u[3 * i] = -std::abs(impact.u[3 * i]);
  return impact;
}

// J, of what the impulses move.
double work(const RandomImpact& impact, const VectorXd& P) {
  return P.dot(impact.u + 0.5 * impact.A * P);
}

void expect_poissons_law(const RandomImpact& impact, const ImpactSolution& solution, double mu) {
  const VectorXd u = impact.u + impact.A * solution.r;
  const double nothing = 1e-9 * impact.u.norm();
  EXPECT_LT((u - solution.u).norm(), nothing);
  for (Index i = 0; i < u.size() / 3; ++i) {
    const Vector3d P = solution.r.segment<3>(3 * i);
    EXPECT_GE(u[3 * i], -nothing);
    EXPECT_LE(P.tail<2>().norm(), mu * P[0] * (1.0 + 1e-9) + 1e-12);
  }
}

// T+ - T- <= -(1 - e^2) P_c A P_c / 2, whatever the friction: for e = 1 it is not positive.
TEST(PoissonsLaw, CreatesNoEnergyWithFrictionWhereRestitutionsAreEqual) {
  std::mt19937 g(1);
  int n_that_part = 0;
  for (int k = 0; k < 400; ++k) {
    const int n = 1 + k % 4;
    const double e = k % 3 == 0 ? 1.0 : 0.5 * (k % 3 - 1), mu = 0.2 + 0.3 * (k % 5);
    const Contacts contacts(std::vector<SetValuedLaw>(n, poisson(e, mu)));
    const Contacts plastic(std::vector<SetValuedLaw>(n, poisson(0.0, mu)));
    const RandomImpact impact = random_impact(n, g);
    const ImpactSolution solution = contacts.by_poissons_law(impact.A, impact.u);
    expect_poissons_law(impact, solution, mu);
    const VectorXd P_c = plastic.by_poissons_law(impact.A, impact.u).r;
    const double bound = -0.5 * (1.0 - e * e) * P_c.dot(impact.A * P_c);
    EXPECT_LE(work(impact, solution.r), bound + 1e-9 * impact.u.squaredNorm()) << k;
    EXPECT_FALSE(solution.has_smallest_restitution);
    for (const auto state : solution.states)
      n_that_part += state == solvers::friction::ContactState::open;
  }
  EXPECT_GT(n_that_part, 100);
}

// Without friction the law creates none either, whatever restitutions are; with friction it may,
// and then all have the smallest.
TEST(PoissonsLaw, TakesTheSmallestRestitutionWhereDifferentOnesWouldCreateEnergy) {
  std::mt19937 g(2);
  int n_taken = 0;
  for (int k = 0; k < 1500; ++k) {
    const double mu = k % 2 == 0 ? 0.0 : 1.5;
    const RandomImpact impact = random_impact(2, g);
    const ImpactSolution solution =
        Contacts({poisson(1.0, mu), poisson(0.0, mu)}).by_poissons_law(impact.A, impact.u);
    expect_poissons_law(impact, solution, mu);
    EXPECT_LE(work(impact, solution.r), 1e-9 * impact.u.squaredNorm());
    if (!solution.has_smallest_restitution) continue;
    EXPECT_GT(mu, 0.0);
    ++n_taken;
    const ImpactSolution smallest =
        Contacts({poisson(0.0, mu), poisson(0.0, mu)}).by_poissons_law(impact.A, impact.u);
    EXPECT_LT((solution.r - smallest.r).norm(), 1e-9 * impact.u.norm());
  }
  EXPECT_GT(n_taken, 0);
}

// The coefficient of the compression is that of the expansion: what sticks in one and slips in the
// other would gain from a smaller one.
TEST(PoissonsLaw, KeepsTheCoefficientOfFrictionFromTheCompression) {
  std::mt19937 g(3);
  for (int k = 0; k < 400; ++k) {
    SetValuedLaw stribeck = poisson(1.0, 1.2);
    stribeck.dynamic_coefficient = 0.1;
    const RandomImpact impact = random_impact(2, g);
    const ImpactSolution solution =
        Contacts({stribeck, stribeck}).by_poissons_law(impact.A, impact.u);
    EXPECT_LE(work(impact, solution.r), 1e-9 * impact.u.squaredNorm()) << k;
  }
}

// Two frictionless walls at an angle alpha, a point of 1 kg: reflections at one wall after the
// other turn it by 2 alpha each, until it leaves both. Of 40 degrees, into the corner along the
// first wall's mirror: by vectors here.
TEST(Sequence, ReflectsAPointInAWedgeByOneWallAfterTheOther) {
  const double alpha = 40.0 * M_PI / 180.0;
  MatrixXd W =
      MatrixXd::Zero(6, 2);  // normals (0, 1) and (sin, -cos): material outside of 0..alpha
  W.row(0) << 0.0, 1.0;
  W.row(3) << std::sin(alpha), -std::cos(alpha);
  Eigen::Vector2d v(-1.0, 0.3);
  const VectorXd u = W * v;
  const MatrixXd A = W * W.transpose();
  const ImpactSolution solution = Contacts({newton(1.0, 0.0), newton(1.0, 0.0)}).in_sequence(A, u);
  const Eigen::Vector2d normals[] = {W.row(0), W.row(3)};
  int count = 0;
  while (true) {
    const double first = normals[0].dot(v), second = normals[1].dot(v);
    if (std::min(first, second) > -1e-12) break;
    const Eigen::Vector2d n = normals[first < second ? 0 : 1];
    v -= 2.0 * n.dot(v) * n;
    ++count;
  }
  EXPECT_GE(count, 3);
  EXPECT_LT((solution.u - W * v).norm(), 1e-12);
}

// Random frictionless contacts with e = 1: each impact of the sequence keeps the energy; with less,
// none creates any, and nothing approaches at the end.
TEST(Sequence, KeepsTheEnergyOfElasticContactsAndEndsForAll) {
  std::mt19937 g(7);
  for (int k = 0; k < 200; ++k) {
    const int n = 2 + k % 4;
    const double e = k % 2 == 0 ? 1.0 : 0.4, mu = k % 2 == 0 ? 0.0 : 0.5;
    for (const SetValuedLaw& one : {newton(e, 0.0), poisson(e, mu)}) {
      RandomImpact impact = random_impact(n, g);
      impact.A += 2.0 * double(n) * MatrixXd(impact.A.diagonal().asDiagonal());
      const ImpactSolution solution =
          Contacts(std::vector<SetValuedLaw>(n, one)).in_sequence(impact.A, impact.u);
      const double energy = work(impact, solution.r), size = impact.u.squaredNorm();
      if (one.restitution == 1.0 && mu == 0.0) EXPECT_NEAR(energy, 0.0, 1e-10 * size) << k;
      EXPECT_LE(energy, 1e-10 * size) << k;
      for (int i = 0; i < n; ++i) EXPECT_GE(solution.u[3 * i], -1e-9 * impact.u.norm()) << k;
    }
  }
}

// Plastic contacts that push each other in again would be hit for ever: when all are slow, they are
// hit at once.
TEST(Sequence, EndsInOneImpactOfAllThatAreSlow) {
  SetValuedLaw one = newton(0.0, 0.0);
  MatrixXd A = MatrixXd::Identity(6, 6);
  A(0, 3) = A(3, 0) = -0.999;
  VectorXd u = VectorXd::Zero(6);
  u[0] = u[3] = -1.0;
  for (const double slow : {0.0, 1e-3, 0.5}) {
    one.slow_speed = slow;
    const ImpactSolution solution = Contacts({one, one}).in_sequence(A, u);
    EXPECT_NEAR(solution.r[0], 1000.0, 1e-6);
    EXPECT_NEAR(solution.r[3], 1000.0, 1e-6);
    EXPECT_LT(solution.u.norm(), 1e-9);
  }
}

}  // namespace
}  // namespace solidyn::integrators
