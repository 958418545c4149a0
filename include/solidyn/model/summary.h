#pragma once
#include <string>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// A summary of the model as text: bodies, joints, sensors, analyses. Several lines.
std::string summary(const ModelDescription& model);

}  // namespace solidyn::model
