#pragma once
#include <Eigen/Dense>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "solidyn/formats/nastran/op2/op2.h"

/// Grids and coordinate systems of an OP2 file. Private to the OP2 readers.
namespace solidyn::formats {

/// Where an OP2 file's grids are in basic axes, and the axes of their components.
class Op2Grids {
 public:
  /// A file without grids gives an empty one. What is doubtful goes into the report.
  /// @throws base::InputError for tables that are damaged
  Op2Grids(const Op2File& file, imported::ImportReport& report);
  ~Op2Grids();

  bool empty() const;
  std::optional<Eigen::Vector3d> find(std::int64_t tag) const;
  /// Of the grids whose CD the file defines: columns in basic axes.
  std::map<std::int64_t, Eigen::Matrix3d> axes();

 private:
  struct Content;
  std::unique_ptr<Content> content_;
};

}  // namespace solidyn::formats
