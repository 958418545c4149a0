#pragma once
#include <Eigen/Dense>
#include <array>
#include <cstdint>

namespace solidyn::integrators {

/// A first guess of accelerations and multipliers at the end of a step: the polynomial through
/// those of so many steps before as would have guessed the last ones best, of order three at most;
/// or, after steps of one length, the one of order five that is nearest to sixteen of them. Of what
/// Newton's iteration leaves in each step a polynomial through four makes up to fifteen times as
/// much, the other one six times.
/// Of constraints that are nearly dependent corrections leave multipliers that do next to nothing
/// as they are guessed: along a line what comes into them in a step goes on growing as time does,
/// along a cubic as its third power. And before a singular position a cubic is the better guess up
/// to where it leads elsewhere. Most::clearly is for these.
/// Local. Proved by Extrapolation.*
class Extrapolation {
 public:
  /// What may be taken: beyond the line through two states what would have been clearly better in
  /// each of the last two steps, of multipliers not the cubic, but what grows as the line does; the
  /// cubic; or the nearest polynomial too.
  enum class Most { clearly, cubic, nearest };

  void forget() {
    n_known_ = n_equal_ = fit_ = 0;
    clearly_ = 0;
    has_damped_ = has_damped_before_ = false;
  }
  /// From the start of a step to its end, h later. @param[in,out] a, lambda  at the start; the
  /// guess
  void extrapolate(double h, Eigen::VectorXd& a, Eigen::VectorXd& lambda) const;
  struct Ends {
    const Eigen::VectorXd &a, &lambda;
  };
  /// After a step of length h from `before` to `now`.
  /// @param weights  of differences of accelerations
  void note(double h, const Ends& before, const Ends& now, const Eigen::VectorXd& weights,
            Most most);
  int order() const { return kFits[fit_].order; }

 private:
  struct Fit {
    int order, n_points;  ///< with the start of the step
  };
  static constexpr std::array<Fit, 5> kFits{{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 16}}};
  static constexpr int kNearest = 4, kMostPoints = 16;  // of kFits, the last one
  static constexpr int kPointsOfDamped = 4;
  struct Known {
    double age = 0.0;  ///< s, before the start of the step
    Eigen::VectorXd a, lambda;
  };
  using Weights = std::array<double, kMostPoints>;
  static Weights weights_of_nearest();
  static Weights weights_of_damped();
  Weights weights_of(int fit, double h) const;
  bool is_step(double h) const;
  void go_along(const Weights& weights, int n_points, Eigen::VectorXd Known::*of,
                Eigen::VectorXd& x) const;
  void go_along_line(double h, Eigen::VectorXd Known::*of, Eigen::VectorXd& x) const;
  bool guesses_damped_better(const Ends& before, const Ends& now) const;

  std::array<Known, kMostPoints - 1> known_;  // the last first
  int n_known_ = 0, n_equal_ = 0;             // of these the last steps of one length
  int fit_ = 0;                               // of kFits
  bool is_clear_ = false;                     // Most::clearly
  // Whether multipliers are guessed by the damped cubic, and whether that was clearly better than
  // the line in the last step; and which of kFits were so, a bit each.
  bool has_damped_ = false, has_damped_before_ = false;
  std::uint8_t clearly_ = 0;
  Eigen::VectorXd guess_;
};

}  // namespace solidyn::integrators
