#pragma once
#include <Eigen/Dense>
#include <array>

namespace solidyn::integrators {

/// A first guess of accelerations and multipliers at the end of a step: the polynomial through
/// those of so many steps before as would have guessed the last ones best, of order three at most.
/// Local. Proved by Extrapolation.*
class Extrapolation {
 public:
  void forget() { n_known_ = order_ = 0; }
  /// From the start of a step to its end, h later. @param[in,out] a, lambda  at the start; the
  /// guess
  void extrapolate(double h, Eigen::VectorXd& a, Eigen::VectorXd& lambda) const;
  /// After a step of length h that began with these and has led to the accelerations `a`.
  /// @param weights  of differences of accelerations
  void note(double h, const Eigen::VectorXd& a_before, const Eigen::VectorXd& lambda_before,
            const Eigen::VectorXd& a, const Eigen::VectorXd& weights);
  int order() const { return order_; }

 private:
  static constexpr int kMaxOrder = 3;
  struct Known {
    double age = 0.0;  ///< s, before the start of the step
    Eigen::VectorXd a, lambda;
  };
  using Weights = std::array<double, kMaxOrder + 1>;
  Weights weights_of(int order, double h) const;

  std::array<Known, kMaxOrder> known_;  // the last first
  int n_known_ = 0, order_ = 0;
  Eigen::VectorXd guess_;
};

}  // namespace solidyn::integrators
