#include "solidyn/model/units.h"

#include <cmath>
#include <map>

namespace solidyn::model {

double Units::scale(const Quantity& q) const {
  return std::pow(length, q.length) * std::pow(mass, q.mass) * std::pow(time, q.time) *
         std::pow(angle, q.angle) * std::pow(force, q.force);
}

std::optional<double> find_length_unit(const std::string& word) {
  static const std::map<std::string, double> sizes = {{"m", 1.0},    {"dm", 0.1},  {"cm", 0.01},
                                                      {"mm", 1e-3},  {"um", 1e-6}, {"in", 0.0254},
                                                      {"ft", 0.3048}};
  const auto found = sizes.find(word);
  return found == sizes.end() ? std::nullopt : std::optional<double>(found->second);
}

double metres_per(const std::string& word) { return find_length_unit(word).value(); }

double kilograms_per(const std::string& word) {
  static const std::map<std::string, double> sizes = {
      {"kg", 1.0}, {"t", 1000.0}, {"g", 1e-3}, {"lb", 0.45359237}};
  return sizes.at(word);
}

double seconds_per(const std::string& word) {
  static const std::map<std::string, double> sizes = {{"s", 1.0}, {"ms", 1e-3}};
  return sizes.at(word);
}

double radians_per(const std::string& word) {
  static const std::map<std::string, double> sizes = {{"rad", 1.0}, {"deg", M_PI / 180.0}};
  return sizes.at(word);
}

double newtons_per(const std::string& word) {
  static const std::map<std::string, double> sizes = {
      {"N", 1.0}, {"kN", 1e3}, {"MN", 1e6}, {"lbf", 4.4482216152605}};
  return sizes.at(word);
}

}  // namespace solidyn::model
