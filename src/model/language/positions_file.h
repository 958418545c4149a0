#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "model/language/table_view.h"

namespace solidyn::model {

/// Points in space from the text file that a key names: x, y and z in each line, in the units of
/// the model file, or in m where a line `# units: m, m, m` says so; in m. The file becomes one that
/// the model depends on. @throws base::InputError where it is not such a file
std::vector<Eigen::Vector3d> read_positions_file(const TableView& view, const std::string& key);

/// The key that gives a list of positions, `points` or `file`; empty after a complaint: where it is
/// not exactly one of them, or its value is wrong. @param owner  what they give: "the curve"
std::string key_of_positions(const TableView& view, const std::string& owner);

}  // namespace solidyn::model
