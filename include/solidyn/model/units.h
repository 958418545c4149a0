#pragma once
#include <optional>
#include <string>

#include "solidyn/model/grammar.h"

namespace solidyn::model {

/// SI units per unit of the file.
struct Units {
  double length = 1.0, mass = 1.0, time = 1.0, angle = 1.0, force = 1.0;
  /// What to multiply a number of the file with to get SI.
  double scale(const Quantity& quantity) const;
};

/// Metres in a unit of length as the model file names it ("mm"); empty for an unknown word.
std::optional<double> find_length_unit(const std::string& word);

}  // namespace solidyn::model
