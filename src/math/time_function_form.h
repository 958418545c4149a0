#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solidyn/math/time_function.h"

/// What stands behind a TimeFunction. Private to its sources.
namespace solidyn::math {

class TimeFunction::Form {
 public:
  virtual ~Form() = default;
  virtual std::unique_ptr<Form> clone() const = 0;
  virtual double value(double t) const = 0;
  /// May hold numbers that are not finite; the caller checks what it hands out.
  virtual Values evaluate(double t) const = 0;
  virtual std::string text() const = 0;
};

/// @pre two or more points (three of a periodic table), finite, with times that increase; ends
/// that the interpolation has
std::unique_ptr<TimeFunction::Form> make_table_form(std::vector<double> times,
                                                    std::vector<double> values,
                                                    TimeFunction::Interpolation interpolation,
                                                    const TimeFunction::Ends& ends);

}  // namespace solidyn::math
