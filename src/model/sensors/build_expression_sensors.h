#pragma once
#include "solidyn/model/build.h"

namespace solidyn::model {

/// A sensor of type expression. @param of_names all other sensors, built
analyses::Sensor make_expression_sensor(const SensorDescription& d, const ModelDescription& model,
                                        const std::map<std::string, analyses::Sensor>& of_names);

}  // namespace solidyn::model
