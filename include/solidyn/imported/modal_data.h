#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solidyn/imported/import_report.h"
#include "solidyn/imported/units.h"

namespace solidyn::imported {

struct ImportedMode {
  int number = 0;           ///< the file's own
  double eigenvalue = 0.0;  ///< omega^2, rad^2/s^2; of a complex mode the real part of lambda, 1/s
  double eigenvalue_imaginary = 0.0;  ///< of a complex mode, rad/s
  double generalized_mass = 0.0;      ///< phi^T M phi; 0: not in the file
  int subcase = 0;
};

/// Eigenvectors at nodes. Rows come node by node, in the order of `node_tags`, three per node.
struct ModalData {
  std::string source, format;
  std::vector<std::int64_t> node_tags;  ///< [n]; a scalar point or internal dof is not a node
  Eigen::Matrix3Xd x;               ///< [3 x n] basic coordinates; [3 x 0] when the file has none
  std::vector<ImportedMode> modes;  ///< [m] in the order of the file
  Eigen::MatrixXd translations;     ///< [3n x m]
  Eigen::MatrixXd rotations;        ///< [3n x m], or [0 x m] when the file has none
  bool is_complex = false;
  Eigen::MatrixXd imaginary_translations, imaginary_rotations;  ///< of complex modes, same shapes
  /// Axes of a node's components as in SolidModel::node_axes, when the file holds them itself.
  std::map<std::int64_t, Eigen::Matrix3d> node_axes;
  /// Components are already in basic axes, independent of the axes of the mesh nodes.
  bool has_basic_axes = false;
  /// The file's modes are scaled to a largest component of 1 (see has_unit_maximum()).
  bool is_scaled_to_maximum = false;
  double precision = 1e-6;  ///< relative, of the numbers as written
  ImportReport report;
};

/// Coordinates and eigenvectors become SI; a vector of unit modal mass stays one. Eigenvalues are
/// in rad^2/s^2 of the file's second.
void convert_to_si(ModalData& modes, const Units& units);

}  // namespace solidyn::imported
