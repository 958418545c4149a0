#pragma once
#include <Eigen/Core>
#include <vector>

namespace solidyn::math {

/// What corrections by a kept iteration matrix B teach about the matrix that it stands for
/// (Broyden's first update, 1965, in products; Kelley, Iterative Methods for Linear and Nonlinear
/// Equations, 1995, section 7.3). After a correction s that was applied as a whole, the next one d
/// by the same matrix is what s missed:
///   H := (I + u s^T W^2) H,   u = d / (s^T W^2 (s - d)),   H = B^-1 at first.
/// They may be kept for as long as B is, over time steps too: what it misses changes slowly.
/// Proved by SecantUpdates.*
class SecantUpdates {
 public:
  /// Where B is another one.
  void forget();
  /// Where the next correction does not follow the last one: at the start of a time step, or where
  /// that was not applied as a whole.
  void break_off() { follows_ = false; }
  /// @param weights  [n] W, by which corrections are compared
  /// @param[in,out] x  [n], y [m]  a correction by B, of these unknowns and of others; then by H,
  ///                   which is taken for applied
  void improve(const Eigen::VectorXd& weights, Eigen::VectorXd& x, Eigen::VectorXd& y);
  int size() const { return n_; }

 private:
  static constexpr int kMost = 8;
  struct Update {
    Eigen::VectorXd u_x, u_y;  // u
    Eigen::VectorXd v;         // W^2 s
  };
  std::vector<Update> updates_;  // the oldest first; memory of forgotten ones behind them
  int n_ = 0;
  bool follows_ = false;
  Eigen::VectorXd last_;      // W^2 of the last correction
  double last_square_ = 0.0;  // of that correction, W-weighted
};

}  // namespace solidyn::math
