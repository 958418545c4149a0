#pragma once
#include "model/language/table_view.h"

namespace solidyn::model {

struct NamedPoint {
  std::string name;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< body axes, m
  base::SourceLocation where;
};

/// Those below a key of Form::named_vectors, in the order of the file.
std::vector<NamedPoint> read_named_points(const TableView& view, const std::string& key);

}  // namespace solidyn::model
