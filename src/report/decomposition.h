#pragma once
#include <Eigen/Dense>
#include <functional>
#include <vector>

namespace solidyn::report {

/// Pictures of a body of which only positions are known, in W. Only one is in memory at a time.
struct PictureSource {
  int n = 0;
  std::function<Eigen::Matrix3Xd(int t)> positions;  ///< [3 x nodes] m
};

/// The same as a rigid motion and few shapes: x = p(t) + R(t) (X + sum_k q_k(t) S_k).
struct Decomposition {
  Eigen::MatrixXd pose;         ///< [7 x T] x y z, quaternion w x y z
  Eigen::MatrixXd coordinates;  ///< [K x T]
  std::vector<Eigen::Matrix3Xf> shapes;
  double residual = 0.0;  ///< the largest distance of any node in any picture from where it is, m
};

/// The rigid motion is the one that brings X closest to a picture, in the mean square over a sample
/// of nodes. Coordinates are the principal ones of what is left there, as many as bring the sample
/// within `tolerance` (m), at most kMostShapes; shapes are the projections of all nodes on them.
/// Reads each picture three times.
/// @param X [3 x nodes]  Proved by Decomposition.*.
Decomposition decompose(const Eigen::Matrix3Xd& X, const PictureSource& pictures, double tolerance);

constexpr int kMostShapes = 64;

}  // namespace solidyn::report
