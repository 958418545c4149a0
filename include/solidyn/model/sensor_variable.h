#pragma once
#include <string>

#include "solidyn/math/curve.h"

namespace solidyn::model {

/// A column of a sensor that formulas and tables depend on.
struct SensorVariable {
  std::string sensor;
  int component = 0;   ///< index into the sensor's columns
  double scale = 1.0;  ///< SI per unit of the file
};

/// A force by points over a sensor of the motion.
struct TableOverSensor {
  SensorVariable over;
  math::Curve curve;  ///< SI
};

}  // namespace solidyn::model
