#pragma once
#include <string>
#include <vector>

#include "solidyn/math/time_function.h"

namespace solidyn::model {

/// A function of time of an entry at t, by its key; of a vector one component.
template <class Entry>
double law_value(const Entry& entry, const std::string& key, double t, std::size_t component = 0) {
  std::vector<double> values;
  entry.visit_laws([&](const math::TimeFunction& law, const std::string& of) {
    if (of == key) values.push_back(law.value(t));
  });
  return values.at(component);
}

}  // namespace solidyn::model
