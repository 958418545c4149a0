#pragma once
#include "model/forces/force_entry.h"
#include "model/forces/over_sensors.h"
#include "model/read.h"

/// Springs and dampers along a coordinate.
namespace solidyn::model {

/// Their keys, by what the coordinate is: a length, or an angle.
struct SpringKeys {
  const char *free, *by_extension, *by_rate, *formula;
  Quantity x, rate, effort;
};
const SpringKeys& along_a_line();
const SpringKeys& along_a_slide();
const SpringKeys& about_an_axis();

/// A curve through points, in SI; nothing when the key is not there, or after a complaint.
std::optional<math::Curve> read_curve(const TableView& view, const std::string& key,
                                      const Quantity& x, const Quantity& y);

/// An expression of x, its rate v and t; nothing when the key is not there, or after a complaint.
std::optional<forces::SpringDamper::Formula> read_spring_formula(const TableView& view,
                                                                 const std::string& key,
                                                                 const Quantity& x,
                                                                 const Quantity& effort);

/// The spring, damper and actuator that a force is.
struct SpringLaw {
  forces::SpringDamper::Options options;
  std::optional<double> free;               ///< that of `options`, where it is given
  std::optional<TableOverSensor> actuator;  ///< instead of that of `options`

  const char* drawn_as() const;
  /// What is missing where there is no force at all.
  void check(const TableView& view, const SpringKeys& keys) const;
};

/// Keys that fill T::spring, for the list of T's.
template <class T>
Field<T> spring_curve(const Key& key, const Quantity& x, const Quantity& effort,
                      std::optional<math::Curve> forces::SpringDamper::Options::*curve) {
  return read_by<T>(key,
                    [=, word = KeySpec(key).key](T& entry, const TableView& view, const Scope&) {
                      entry.spring.options.*curve = read_curve(view, word, x, effort);
                    });
}

template <class T>
Field<T> spring_formula(const Key& key, const Quantity& x, const Quantity& effort) {
  return read_by<T>(key,
                    [=, word = KeySpec(key).key](T& entry, const TableView& view, const Scope&) {
                      entry.spring.options.formula = read_spring_formula(view, word, x, effort);
                    });
}

/// A function of time, or a table over a sensor.
template <class T>
Field<T> spring_actuator(const Key& key) {
  using Options = forces::SpringDamper::Options;
  Field<T> result = field(key, &T::spring, &SpringLaw::options, &Options::actuator);
  result.read = [of_time = result.read](T& entry, const TableView& view, const Scope& scope) {
    entry.spring.actuator = read_over_sensor(view, "actuator", scope.model.sensors);
    if (!is_over_sensor(view, "actuator")) of_time(entry, view, scope);
  };
  return result;
}

}  // namespace solidyn::model
