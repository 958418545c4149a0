#pragma once
#include <string>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// What the model says, in words: bodies, joints, sensors, analyses. Several lines.
std::string summary(const ModelDescription& model);

}  // namespace solidyn::model
