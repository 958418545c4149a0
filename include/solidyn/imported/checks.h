#pragma once
#include <Eigen/Sparse>
#include <string>
#include <vector>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/odd_terms.h"
#include "solidyn/imported/pairing.h"
#include "solidyn/imported/solid_model.h"

/// Is what was read plausible, and consistent with itself? Checks measure; report() judges the
/// numbers and warns. Call after convert_to_si(): the plausible is known in SI only. Local.
namespace solidyn::imported {

/// What a user is shown of a check.
struct CheckReport {
  struct Number {
    std::string name;
    double value = 0.0;
    std::string unit;  ///< "" for a ratio or a count
  };
  std::vector<Number> numbers;
  std::vector<base::Diagnostic> warnings;  ///< `where` holds the file, without a line
};

/// Lines of text for a terminal: numbers only.
std::string format(const CheckReport& report);

/// Tells the model where its nodes are and which axes they have, from a mesh that carries the same
/// numbers; what the model places itself stays. Only nodes that model.dofs name are taken.
void place_nodes(MatrixModel& model, const SolidModel& mesh);

/// [n x 6] Rows as model.dofs, in the nodes' own axes; unit translations along x, y, z, then unit
/// rotations (rad) about axes through `centre`. Rows of generalised dofs, and of nodes that
/// model.nodes does not place, are 0.
/// Proved by Checks.RigidMotionsOfNodesWithRotationsAndTheirOwnAxes.
Eigen::Matrix<double, Eigen::Dynamic, 6> rigid_motions(const MatrixModel& model,
                                                       const Eigen::Vector3d& centre);

struct MatrixChecks {
  std::string source, source_of_mass;
  bool has_stiffness = true;  ///< else numbers of the stiffness are 0, and not judged
  std::int64_t n_dofs = 0, n_generalised = 0;
  std::int64_t n_unplaced = 0;  ///< dofs of nodes that model.nodes does not place
  /// r^T M r of unit translations along x, y, z, kg. Equal for a body whose mass is complete.
  Eigen::Vector3d translational_mass = Eigen::Vector3d::Zero();
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< of mass, m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the centre, kg m^2
  /// max |K r| / max |K| over six rigid motions r with max |r| = 1. So that all terms of K are
  /// stiffnesses of translations, rotations count times the body's radius, and a generalised
  /// coordinate is scaled to have the largest diagonal term. 0 for the matrix of a free body.
  double rigid_residual = 0.0;
  double stiffness_asymmetry = 0.0, mass_asymmetry = 0.0;  ///< max |A - A^T| / max |A|
  double precision = 1e-15;                                ///< of the terms of K as written
  /// Eigenvalues of K (scaled as above) that are 0 to its precision, of M below 1e-12 of the
  /// largest, and negative ones of M; -1 when the matrices are too large to ask.
  int n_zero_stiffness = -1, n_zero_mass = -1, n_negative_mass = -1;
  Pairing pairing;  ///< do stiffness and mass belong together
  /// Terms that no elastic body has: more than the diagonal allows, or far above all others.
  struct Oddities {
    std::optional<OddTerm> impossible, far;
    Dof of_impossible[2], of_far[2];  ///< what row and column are
  };
  Oddities odd_stiffness, odd_mass;
};

/// @param largest_dense  order up to which eigenvalues are counted, by dense matrices
/// A model without stiffness (0 x 0) is measured by its mass alone.
/// @throws base::InputError with the file at fault when K or M is not n x n, complex, or holds a
///   term outside
/// Proved by tests/unit/imported and the samples in tests/interop/matrices.
MatrixChecks measure(const MatrixModel& model, int largest_dense = 800);
CheckReport report(const MatrixChecks& checks);

struct ModalChecks {
  std::string source;
  std::int64_t n_nodes = 0;
  std::vector<double> frequencies;  ///< Hz, of real modes; 0 for eigenvalues <= 0
  int n_rigid = 0;                  ///< modes with |eigenvalue| < 1e-6 of the first above them
  /// Between the first and the last mode, whose numbers rise one by one as a rule.
  std::vector<int> missing_numbers;
  double precision = 1e-6;
  double largest_rotation = 0.0;  ///< of the rotational components, rad
  bool is_complex = false;
  bool has_mass = false;           ///< the following are known
  Eigen::VectorXd modal_masses;    ///< diagonal of Phi^T M Phi, kg m^2
  double mass_disagreement = 0.0;  ///< largest | modal mass / the file's generalised mass - 1 |
  /// Largest |phi_i^T M phi_j| / sqrt(modal masses), i != j.
  double orthogonality = 0.0;
};

/// @param mass  [3n x 3n] of the nodes' translations in the order of modes.node_tags, in the axes
///              of modes.translations; null when it is not known
ModalChecks measure(const ModalData& modes, const Eigen::SparseMatrix<double>* mass = nullptr);
CheckReport report(const ModalChecks& checks);

struct SolidChecks {
  std::string source;
  double volume = 0.0;                 ///< m^3
  double mass = 0.0;                   ///< of elements with a density and of point masses, kg
  std::int64_t n_without_density = 0;  ///< solid elements
  bool has_other_elements = false;     ///< which may have mass: shells, beams
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of this mass, m
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();  ///< m
  struct Wave {
    std::string material;
    double speed = 0.0;  ///< sqrt(E / rho), m/s; 0 without density
  };
  std::vector<Wave> waves;
};

SolidChecks measure(const SolidModel& model);
CheckReport report(const SolidChecks& checks);

/// Compares the mass of the matrices with density times volume of their mesh, and the centres of
/// both. No comparison if the mass of the mesh is unknown.
/// Proved by MatrixFiles.MassIsThatOfTheMesh.
void compare_with_mesh(CheckReport& report, const MatrixChecks& matrices, const SolidChecks& mesh);

/// Warnings about a material: an implausible wave speed along a bar, sqrt(E/rho).
/// @param speed  m/s, 0: not known
void add_wave_plausibility(CheckReport& report, const std::string& source,
                           const std::string& material, double speed);

/// Warnings about any body: an implausible mass or first frequency.
/// @param mass  kg, 0: not known    @param frequency  Hz, of the first elastic mode, 0: not known
void add_plausibility(CheckReport& report, const std::string& source, double mass,
                      double frequency);

}  // namespace solidyn::imported
