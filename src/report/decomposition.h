#pragma once
#include <Eigen/Dense>
#include <functional>
#include <vector>

namespace solidyn::report {

/// A field on nodes over the pictures, of which only one is in memory at a time.
struct FieldPictures {
  Eigen::MatrixXd sample;  ///< [components x sampled nodes, one node after the other; x pictures]
  double tolerance = 0.0;  ///< for the norm at a sampled node
  std::function<Eigen::MatrixXd(int t)> values;  ///< [components x nodes]
};

/// The same as few shapes: F(t) = sum_k q_k(t) S_k.
struct Decomposition {
  int n_components = 3;
  Eigen::MatrixXd coordinates;  ///< [K x T]
  Eigen::MatrixXf shapes;       ///< [components x nodes, one node below the other; x K]
  double residual = 0.0;  ///< the largest norm, at any node of any picture, of what these leave
};

/// Coordinates are the principal ones of the sample, as many as bring it within the tolerance, at
/// most kMostShapes; shapes are the projections of all nodes on them. Reads each picture twice, all
/// fields of one picture together. Proved by MovedSurface.*.
std::vector<Decomposition> decompose(const std::vector<FieldPictures>& fields);

constexpr int kMostShapes = 64;

/// Columns at equal strides, about a thousand.
Eigen::MatrixXd sampled(const Eigen::MatrixXd& all);

/// The rigid motion that brings X closest to x, in the mean square: x ~ p + R X.
struct RigidMotion {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Quaterniond q = Eigen::Quaterniond::Identity();
};
RigidMotion nearest_motion(const Eigen::Matrix3Xd& X, const Eigen::Matrix3Xd& x);

/// The rigid velocity that is nearest to those of the nodes: of the point p, and angular.
struct RigidVelocity {
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = Eigen::Vector3d::Zero();
};
RigidVelocity nearest_velocity(const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& velocities,
                               const Eigen::Vector3d& p);

}  // namespace solidyn::report
