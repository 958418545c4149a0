#pragma once
#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model/language/table_view.h"
#include "solidyn/math/time_function.h"
#include "solidyn/mesh/interface.h"

/// A key's value as what a member holds: numbers in SI. @pre the value is good by the grammar
namespace solidyn::model {

void read_value(const TableView& view, const std::string& key, double& value);
void read_value(const TableView& view, const std::string& key, int& value);
void read_value(const TableView& view, const std::string& key, std::string& value);
/// Of Form::vector as many as there are, of names as they stand.
void read_value(const TableView& view, const std::string& key, std::vector<double>& value);
void read_value(const TableView& view, const std::string& key, std::vector<std::string>& value);
/// Of Form::direction a unit vector.
void read_value(const TableView& view, const std::string& key, Eigen::Vector3d& value);
void read_value(const TableView& view, const std::string& key, std::vector<Eigen::Vector3d>& value);
/// Of a table of nodes_table().
void read_value(const TableView& view, const std::string& key, mesh::NodeSelection& value);
/// Absolute.
void read_value(const TableView& view, const std::string& key, std::filesystem::path& value);
/// With a complaint about what cannot be evaluated.
void read_value(const TableView& view, const std::string& key, math::TimeFunction& value);
void read_value(const TableView& view, const std::string& key,
                std::array<math::TimeFunction, 3>& value);

template <class T>
void read_value(const TableView& view, const std::string& key, std::optional<T>& value) {
  read_value(view, key, value.emplace());
}

/// As the manual shows a default, in SI.
std::string as_yaml(double value);
std::string as_yaml(int value);
std::string as_yaml(const std::string& value);
std::string as_yaml(const Eigen::Vector3d& value);
std::string as_yaml(const std::filesystem::path& value);
/// Of their values at t = 0.
std::string as_yaml(const math::TimeFunction& value);
std::string as_yaml(const std::array<math::TimeFunction, 3>& value);
std::string as_yaml(const std::vector<double>& value);
std::string as_yaml(const std::vector<std::string>& value);
/// Empty: a list of points has no default.
inline std::string as_yaml(const std::vector<Eigen::Vector3d>&) { return {}; }
/// Empty: a selection has no default.
inline std::string as_yaml(const mesh::NodeSelection&) { return {}; }
/// Empty: what may be absent has no default.
template <class T>
std::string as_yaml(const std::optional<T>&) {
  return {};
}

}  // namespace solidyn::model
