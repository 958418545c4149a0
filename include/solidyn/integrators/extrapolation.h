#pragma once
#include <Eigen/Dense>
#include <array>

namespace solidyn::integrators {

/// A first guess of accelerations and multipliers at the end of a step: the polynomial through
/// those of so many steps before as would have guessed the last ones best, of order three at most;
/// or, after steps of one length, the one of order five that is nearest to sixteen of them. Of what
/// Newton's iteration leaves in each step a polynomial through four makes up to fifteen times as
/// much, the other one six times.
/// Local. Proved by Extrapolation.*
class Extrapolation {
 public:
  /// What may be taken: the line through two states, the cubic too, or the nearest polynomial too.
  enum class Most { line, cubic, nearest };

  void forget() { n_known_ = n_equal_ = fit_ = 0; }
  /// From the start of a step to its end, h later. @param[in,out] a, lambda  at the start; the
  /// guess
  void extrapolate(double h, Eigen::VectorXd& a, Eigen::VectorXd& lambda) const;
  /// After a step of length h that began with these and has led to the accelerations `a`.
  /// @param weights  of differences of accelerations
  void note(double h, const Eigen::VectorXd& a_before, const Eigen::VectorXd& lambda_before,
            const Eigen::VectorXd& a, const Eigen::VectorXd& weights, Most most);
  int order() const { return kFits[fit_].order; }

 private:
  struct Fit {
    int order, n_points;  ///< with the start of the step
  };
  static constexpr std::array<Fit, 5> kFits{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 16}}};
  static constexpr int kNearest = 4, kMostPoints = 16;  // of kFits, the last one
  struct Known {
    double age = 0.0;  ///< s, before the start of the step
    Eigen::VectorXd a, lambda;
  };
  using Weights = std::array<double, kMostPoints>;
  static Weights weights_of_nearest();
  Weights weights_of(int fit, double h) const;
  bool is_step(double h) const;

  std::array<Known, kMostPoints - 1> known_;  // the last first
  int n_known_ = 0, n_equal_ = 0;             // of these the last steps of one length
  int fit_ = 0;                               // of kFits
  Eigen::VectorXd guess_;
};

}  // namespace solidyn::integrators
