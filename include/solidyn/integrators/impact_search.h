#pragma once
#include <Eigen/Core>

#include "solidyn/base/error.h"

namespace solidyn::integrators {

/// A gap closes within a step, which is to be taken again with another length.
class ImpactWithinStep : public base::ComputationError {
 public:
  explicit ImpactWithinStep(double length);
  double length = 0.0;  ///< s, from the start of the step
};

/// Where within steps gaps close (`locate_impacts`): a step that goes beyond the first impact is
/// taken again with a length found by cubics through the gap and its rate at both ends of a
/// bracket, until it ends with that gap closed. Steps are not cut to less than 1e-3 of the longest
/// one so far, so that there are finitely many where infinitely many impacts accumulate: an impact
/// nearer than that to the start of a step is taken at the end of one of that length, one nearer to
/// its end there. Proved by ImpactSearch.* in
/// tests/unit/integrators.
class ImpactSearch {
 public:
  /// Gaps and their rates of points without contact, m (or rad) and per second, at both ends.
  struct Gaps {
    Eigen::VectorXd first, first_rate, last, last_rate;
    Eigen::VectorXd allowed;  ///< how far a gap may be below zero, > 0
  };
  /// @throws ImpactWithinStep unless the step from t of the length h may stand
  void look(double t, double h, const Gaps& gaps);
  /// Of a step of the length h, which may be a part of what impacts have cut.
  double part_of_longest(double h) const { return longest_ > h ? h / longest_ : 1.0; }

 private:
  struct End {
    double h, gap, rate;
  };
  double cut(double length) const;

  double t_ = -1.0;        // where the step begins
  double longest_ = 0.0;   // of all steps
  double first_ = 0.0;     // the length that was tried first
  double aim_ = 0.0;       // the length that has been asked for; 0: none
  int point_ = -1;         // for this point
  End open_{}, beyond_{};  // the bracket
  int n_tries_ = 0;
};

}  // namespace solidyn::integrators
