// W by the factors of the bodies that it goes through, beside W by blocks.
#include <gtest/gtest.h>

#include <random>

#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Two rigid bodies with 9 and 8 contacts, two of them between the bodies; a mechanism of seven
// unknowns with the last six.
struct Scene {
  std::mt19937 generator{3};
  std::normal_distribution<double> normal;
  std::vector<ContactProduct> parts;
  MatrixXd W = MatrixXd::Zero(63, 63);

  Scene() {
    add(6, 0, 9);
    add(6, 7, 15);
    add(7, 15, 21);
  }
  MatrixXd random(Index rows, Index columns) {
    return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(generator); });
  }
  void add(Index rows, int first, int end) {
    ContactProduct part;
    for (int k = first; k < end; ++k) part.contacts.push_back(k);
    const Index columns = 3 * static_cast<Index>(part.contacts.size());
    part.left = random(rows, columns);
    part.right = random(rows, columns);
    W.block(3 * first, 3 * first, columns, columns) += part.left.transpose() * part.right;
    parts.push_back(part);
  }
};

TEST(ContactProducts, AreTheSameOperatorAsItsBlocks) {
  Scene scene;
  const ContactBlocks blocks = ContactBlocks::from_dense(scene.W);
  ContactBlocks W = blocks;
  W.set_products(scene.parts);
  const VectorXd r = scene.random(63, 1);
  EXPECT_LT((W * r - scene.W * r).norm(), 1e-12 * (scene.W * r).norm());
  EXPECT_NE((W * r - blocks * r).norm(), 0.0);  // another way of adding up
  EXPECT_LT(((2.0 * W) * r - 2.0 * scene.W * r).norm(), 1e-12 * (scene.W * r).norm());
}

TEST(ContactProducts, FollowWhatIsDoneToTheBlocks) {
  Scene scene;
  ContactBlocks W = ContactBlocks::from_dense(scene.W);
  W.set_products(scene.parts);
  std::vector<Matrix3d> T;
  std::vector<Eigen::Vector3d> d;
  MatrixXd all = MatrixXd::Zero(63, 63);
  for (int k = 0; k < 21; ++k) {
    T.emplace_back(scene.random(3, 3));
    d.emplace_back(scene.random(3, 1));
    all.block<3, 3>(3 * k, 3 * k) = T.back();
  }
  const VectorXd r = scene.random(63, 1), expected = scene.W * all * r;
  EXPECT_LT((W.times(T) * r - expected).norm(), 1e-12 * expected.norm());
  VectorXd added = scene.W * r;
  for (int k = 0; k < 21; ++k) added.segment<3>(3 * k) += d[k].cwiseProduct(r.segment<3>(3 * k));
  EXPECT_LT((W.plus_diagonal(d) * r - added).norm(), 1e-12 * added.norm());
}

// One body of many unknowns: its factors are longer than the blocks.
TEST(ContactProducts, AreNotTakenWhereBlocksAreFewer) {
  Scene scene;
  scene.parts.clear();
  scene.W.setZero();
  scene.add(100, 0, 21);
  const ContactBlocks blocks = ContactBlocks::from_dense(scene.W);
  ContactBlocks W = blocks;
  W.set_products(scene.parts);
  const VectorXd r = scene.random(63, 1);
  EXPECT_EQ((W * r - blocks * r).norm(), 0.0);
}

}  // namespace
}  // namespace solidyn::solvers::friction
