#pragma once
#include <Eigen/Sparse>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solidyn/imported/import_report.h"
#include "solidyn/imported/units.h"

namespace solidyn::imported {

/// One matrix of a file: its non-zero terms in any order, none twice.
struct Matrix {
  enum class Terms { all, upper_triangle, lower_triangle };  ///< triangles: it is symmetric
  std::string name;
  std::int64_t n_rows = 0, n_columns = 0;
  Terms terms = Terms::all;
  int form = 0, type = 0;                   ///< Nastran's numbers, 0 in other formats
  std::vector<std::int64_t> rows, columns;  ///< 0-based
  std::vector<double> values;
  std::vector<double> imaginary;  ///< empty for a real matrix
  double precision = 1e-15;       ///< relative, of the numbers as written
};

/// Both triangles. @throws base::InputError for a complex matrix, or more than 2^31 rows
Eigen::SparseMatrix<double> assemble(const Matrix& matrix);

/// The other way: a matrix of one's own as a file would hold it. All terms that are stored.
/// Proved by Matrices.OfOnesOwnComeBackAsTheyWere.
Matrix to_matrix(const Eigen::SparseMatrix<double>& A, std::string name);

/// max |A - A^T| / max |A|; 0 of a triangle. Needs memory for the terms only, whatever numbers of
/// rows the file declares. @pre real and square
/// Proved by Matrices.AsymmetryIsThatOfTheWorstTerm.
double asymmetry_of(const Matrix& matrix);

/// What one row of K and M is: a component of a node, or a generalised coordinate of its own.
struct Dof {
  std::int64_t node = 0;  ///< tag of the node, scalar point or internal node
  int component = 0;      ///< 1-3 translations, 4-6 rotations; 0: generalised
};

/// Of what the nodes are that stand for the rows of a matrix without a map: those of solids have
/// three rows each, those of shells and beams three or, all of them, six.
enum class NodeKind { of_solids, any };

/// Stiffness and mass of a body, or of its superelement, with the map of their rows.
struct MatrixModel {
  std::string source, format;
  std::string mass_source;  ///< the file of the mass, when it is another one than `source`
  std::vector<Dof> dofs;    ///< [n]
  Matrix stiffness, mass;   ///< [n x n]
  Matrix damping;           ///< [n x n], or empty
  /// Nodes that the files themselves place, in basic axes (a superelement's); else a mesh does.
  std::map<std::int64_t, Eigen::Vector3d> nodes;
  std::map<std::int64_t, Eigen::Matrix3d> node_axes;  ///< as SolidModel::node_axes
  ImportReport report;

  bool has_stiffness() const { return stiffness.n_rows > 0; }
  /// Where the mass was read: its errors refer to this file.
  const std::string& source_of_mass() const { return mass_source.empty() ? source : mass_source; }
};

void convert_to_si(MatrixModel& model, const Units& units);

}  // namespace solidyn::imported
