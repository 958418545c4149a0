#pragma once
#include "solidyn/model/description.h"

namespace solidyn::model {

/// The longest time that anything moves for, s.
double longest_motion(const ModelDescription& model);

/// The longest step of a motion, s; 0 where there is none.
double longest_step(const ModelDescription& model);

/// The longest time that an analysis asks for, s; statics end at a load parameter of 1.
double longest_time(const ModelDescription& model);

}  // namespace solidyn::model
