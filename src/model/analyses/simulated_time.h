#pragma once
#include "solidyn/model/description.h"

namespace solidyn::model {

/// The longest time that anything moves for, s.
double longest_motion(const ModelDescription& model);

/// The step that a motion begins with, s; 0 where there is none.
double first_step(const ModelDescription& model);

/// The longest step that a motion may take, s; 0 where there is none. Integrators whose tolerances
/// alone say how long steps are (`bdf`, `runge_kutta`) count with the first one.
struct LongestStep {
  double seconds = 0.0;
  bool is_adaptive = false;  ///< it is `adaptive.maximum_step`
};
LongestStep longest_step(const ModelDescription& model);

/// The longest time that an analysis asks for, s; statics end at a load parameter of 1.
double longest_time(const ModelDescription& model);

}  // namespace solidyn::model
