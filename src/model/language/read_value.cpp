#include "model/language/read_value.h"

#include <fmt/format.h>

#include "model/read.h"

namespace solidyn::model {

void read_value(const TableView& view, const std::string& key, double& value) {
  value = view.number(key);
}

void read_value(const TableView& view, const std::string& key, int& value) {
  value = view.integer(key);
}

void read_value(const TableView& view, const std::string& key, std::string& value) {
  value = view.text(key);
}

void read_value(const TableView& view, const std::string& key, std::vector<double>& value) {
  value = view.numbers(key);
}

void read_value(const TableView& view, const std::string& key, std::vector<std::string>& value) {
  value = view.texts(key);
}

void read_value(const TableView& view, const std::string& key, Eigen::Vector3d& value) {
  value = view.form(key) == Form::direction ? view.direction(key) : view.vector(key);
}

void read_value(const TableView& view, const std::string& key,
                std::vector<Eigen::Vector3d>& value) {
  const double unit = view.scale(key);
  for (const Value& point : view.find(key)->items)
    value.emplace_back(*as_number(point.items[0]) * unit, *as_number(point.items[1]) * unit,
                       *as_number(point.items[2]) * unit);
}

void read_value(const TableView& view, const std::string& key, mesh::NodeSelection& value) {
  value = read_nodes(view.table(key));
}

void read_value(const TableView& view, const std::string& key, std::filesystem::path& value) {
  value = (view.context().directory / view.text(key)).lexically_normal();
}

void read_value(const TableView& view, const std::string& key, math::TimeFunction& value) {
  value = read_time_function(view, key);
}

void read_value(const TableView& view, const std::string& key,
                std::array<math::TimeFunction, 3>& value) {
  value = read_time_vector(view, key);
}

// Exponents without a zero in front: 1e-6.
std::string as_yaml(double value) {
  std::string text = fmt::format("{:g}", value);
  const std::size_t zero = text.find("e-0");
  return zero == std::string::npos ? text : text.erase(zero + 2, 1);
}

std::string as_yaml(int value) { return fmt::format("{}", value); }

std::string as_yaml(const std::string& value) { return value; }

std::string as_yaml(const Eigen::Vector3d& value) {
  return fmt::format("[{:g}, {:g}, {:g}]", value.x(), value.y(), value.z());
}

std::string as_yaml(const std::vector<double>& value) {
  return fmt::format("[{:g}]", fmt::join(value, ", "));
}

std::string as_yaml(const std::vector<std::string>& value) {
  return fmt::format("[{}]", fmt::join(value, ", "));
}

std::string as_yaml(const std::filesystem::path& value) { return value.string(); }

std::string as_yaml(const math::TimeFunction& value) { return as_yaml(value.value(0.0)); }

std::string as_yaml(const std::array<math::TimeFunction, 3>& value) {
  return as_yaml(Eigen::Vector3d(value[0].value(0.0), value[1].value(0.0), value[2].value(0.0)));
}

}  // namespace solidyn::model
