#pragma once
#include "reduction/basis/free_body.h"
#include "reduction/eigen/free_body_solver.h"

namespace solidyn::reduction {

/// The chosen basis: vectors on the independent coordinates, orthonormal in M and K, and what each
/// is.
struct Basis {
  MultiVector vectors;            ///< [rows x n]
  Eigen::VectorXd eigenvalues;    ///< [n] omega^2; 0 for rigid motions
  std::vector<Mode> modes;        ///< [n]
  double vector_condition = 1.0;  ///< QualityCheck::vector_condition

  void append(const MultiVector& more, const Eigen::VectorXd& values, Mode::Kind kind);
};

/// Nodal forces that do unit work with each interface frame's motion, f = W^T e_i on this rank's
/// nodes: six columns per interface (three forces, three torques); then one for each independent
/// component that a support holds.
MultiVector make_nodal_unit_loads(const FreeBody& body);

/// Collective. The same on the independent coordinates.
MultiVector make_unit_loads(const FreeBody& body);

/// Of these, the columns of the supports.
MultiVector columns_of_supports(const FreeBody& body, const MultiVector& unit_loads);

/// Collective. The `n` lowest elastic modes of the body that its supports hold, interfaces free,
/// and how many rigid motions they leave to it.
struct SupportedModes {
  int n_rigid = 0;
  ElasticModes elastic;
};
SupportedModes compute_supported_modes(const FreeBody& body, FreeBodySolver& solver,
                                       const MultiVector& unit_loads, int n);

/// Collective. The options with numbers instead of frequencies: how many modes there are up to
/// them is counted (see spectrum_count.h). @pre the body's rows are there
ReductionOptions count_modes(const FreeBody& body, ReductionOptions options);

/// Collective. The union that the options name, their modes counted. Logs the vectors that were
/// dropped because others span them. Fills in the times and the largest residual.
Basis compute_basis(const FreeBody& body, FreeBodySolver& solver, const ReductionOptions& options,
                    ReductionTimings& timings);

}  // namespace solidyn::reduction
