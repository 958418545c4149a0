// The compliance of contacts, cluster by cluster: what solutions of the whole say of each
// direction.
#include "integrators/contact_compliance.h"

#include <gtest/gtest.h>

#include "integrators/contact_points.h"
#include "integrators/directions_of_contacts.h"
#include "integrators/saddle_point_solve.h"
#include "small_systems.h"
#include "solidyn/contact/set_valued_contact.h"

namespace solidyn::integrators {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Boxes on top of each other, of which the upper two are hinged together.
class Tower : public testing::Test {
 protected:
  static constexpr int kBoxes = 5;
  Tower() {
    const contact::Box box{Vector3d(0.2, 0.1, 0.1)};
    std::vector<bodies::FrameIndex> frames = {
        system::add_frame(system_, system::kGround, Vector3d::Zero(), Vector3d::UnitZ())};
    for (int i = 0; i < kBoxes; ++i) {
      system::InitialMotion motion;
      motion.p_WB = Vector3d(0.01 * i, 0.0, 0.05 + 0.1 * i);
      const auto body = system_.add_body(
          bodies::make_rigid_body("box " + std::to_string(i), 1.0 + i, Vector3d::Zero(),
                                  Vector3d(1e-2, 2e-2, 3e-2).asDiagonal()),
          motion);
      frames.push_back(system::add_frame(system_, body, motion.p_WB, Vector3d::UnitZ()));
      hinge_.A = i == kBoxes - 2 ? frames.back() : hinge_.A;
      hinge_.B = frames.back();
      const contact::Shape below = i == 0 ? contact::Shape(contact::Plane{}) : contact::Shape(box);
      system_.add_force(std::make_unique<contact::SetValuedContact>(
          "contact " + std::to_string(i), std::to_string(i), system_.link(frames[i], frames[i + 1]),
          contact::make_geometry(below, box), forces::SetValuedLaw{}));
    }
    add_joint(system_, "hinge", joints::JointType::spherical, hinge_);
    system_.finalize();
    state_ = system_.make_state();
    system_.update(state_);
    VectorXd r, phi;
    system_.compute_residual(state_, r, phi);  // G
    factors_ = solvers::make_linear_solver(solvers::Preset::automatic, size());
    system_.set_pattern(*factors_);
    system::System::TangentOptions options;
    options.coefficients = {1.0, 0.0, 0.0};
    system_.assemble(state_, options, *factors_);
    factors_->factor();
  }
  int size() const { return system_.layout().n_unknowns(); }
  std::vector<int> existing(const ContactPoints& points) const {
    std::vector<int> of;
    for (int i = 0; i < points.size(); ++i)
      if (points.exists(i)) of.push_back(i);
    return of;
  }
  system::System system_;
  system::FramesOfPair hinge_;
  system::State state_;
  std::unique_ptr<solvers::LinearSolver> factors_;
};

TEST_F(Tower, HasAClusterForEachBoxButThoseThatAJointConnects) {
  const Clusters clusters(system_);
  ASSERT_EQ(clusters.unknowns.size(), kBoxes - 1u);
  EXPECT_EQ(clusters.unknowns.front().size(), 6u);
  EXPECT_EQ(clusters.unknowns.back().size(), 12u + 3u);
  EXPECT_EQ(clusters.of_unknown[size() - 1], kBoxes - 2);
}

TEST_F(Tower, GivesManyContactsTheSolutionsOfEachOfTheirDirections) {
  const ContactPoints points(system_);
  const std::vector<int> of = existing(points);
  ASSERT_GT(static_cast<int>(of.size()), kPointsWithOwnSolutions);
  SaddlePointSolve solve(*factors_, system_.layout().n_velocities(),
                         system_.layout().n_constraints(), 0.0);
  const ContactCompliance c = contact_compliance(points, of, solve, 0.5, size(), 3.0);
  MatrixXd X(size(), 3 * of.size());
  VectorXd rhs = VectorXd::Zero(size()), x;
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    rhs.head(c.W.rows()) = 0.5 * c.W.col(k);
    solve.solve(rhs, x);
    X.col(k) = x;
  }
  const MatrixXd A = 3.0 * (c.W.transpose() * X.topRows(c.W.rows()));
  EXPECT_LT((c.A.to_dense() - A).norm(), 1e-13 * A.norm());
  const VectorXd r = VectorXd::LinSpaced(X.cols(), -1.0, 2.0);
  EXPECT_LT((c.X * r - X * r).norm(), 1e-13 * (X * r).norm());
}

TEST_F(Tower, HoldsRedundantDirectionsWhateverTheirNumber) {
  const ContactPoints points(system_);
  const std::vector<int> of = existing(points);
  SaddlePointSolve solve(*factors_, system_.layout().n_velocities(),
                         system_.layout().n_constraints(), 0.0);
  const ContactCompliance c = contact_compliance(points, of, solve, 1.0, size());
  std::vector<Eigen::Index> all(3 * of.size()), normals;
  for (std::size_t k = 0; k < all.size(); ++k) {
    all[k] = static_cast<Eigen::Index>(k);
    if (k % 3 == 0) normals.push_back(all[k]);
  }
  for (const auto& directions : {all, normals}) {
    const DirectionsOfContacts held(c.A, directions, 1e-10);
    // Such as the hinge allows.
    const VectorXd v = (c.X * VectorXd::LinSpaced(c.W.cols(), -0.3, 0.7)).head(c.W.rows());
    const VectorXd u = c.W.transpose() * v;
    const VectorXd change = (c.X * held.forces_for(u(directions))).head(c.W.rows());
    const VectorXd left = c.W.transpose() * (v - change);
    EXPECT_LT(left(directions).norm(), 1e-11 * u.norm());
  }
}

TEST_F(Tower, LosesWhatMixesClustersInTheirFactors) {
  const Clusters clusters(system_);
  ClusterFactors own(clusters);
  system_.set_pattern(own);
  system::System::TangentOptions options;
  options.coefficients = {1.0, 0.0, 0.0};
  system_.assemble(state_, options, own);
  const int other = clusters.unknowns[1].front();
  for (int k = 0; k < kBoxes; ++k)
    own.add_block(static_cast<int>(system_.bodies().size()) + 3 + 2 * k,
                  1e3 * MatrixXd::Ones(k == 0 ? 6 : 12, k == 0 ? 6 : 12));
  own.factor();
  VectorXd x;
  own.solve(VectorXd::Unit(size(), 0), x);
  EXPECT_NE(x[1], 0.0);
  EXPECT_EQ(x[other], 0.0);
}

}  // namespace
}  // namespace solidyn::integrators
