#pragma once
#include "reduction/eigen/free_body_solver.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// Vectors that a basis is made of, before they are independent.
struct Candidates {
  MultiVector vectors;             ///< [rows x n] on the independent coordinates
  std::vector<Mode::Kind> kinds;   ///< [n]
  std::vector<std::string> names;  ///< [n] for people: "interface `tip`, force along x"

  Eigen::Index size() const { return vectors.cols(); }
  void append(const MultiVector& more, Mode::Kind kind, const std::vector<std::string>& more_names);
};

/// Vectors of a finished basis beside the exact modes.
struct OrthonormalVectors {
  ElasticModes modes;
  std::vector<Mode::Kind> kinds;     ///< [n] of the candidate that has the largest share
  std::vector<std::string> dropped;  ///< names of candidates that the others span
  double condition = 1.0;            ///< of the others, with unit strain energy, and kept ones
};

/// Collective. What the candidates add to `kept` exact elastic modes and to the rigid motions, M-
/// and K-orthonormal among themselves and to these: kept modes and rigid motions are taken out, a
/// candidate is dropped when the earlier ones and the kept modes span it up to 1e-10 of its strain
/// energy (so that the compliance of the interfaces is kept to that), and Ritz's method in the rest
/// gives the vectors, in ascending order of their frequencies.
OrthonormalVectors orthonormalise(const Pencil& pencil, Candidates candidates,
                                  const ElasticModes& kept);

/// Collective. Ritz's method in all of X, whose columns are orthonormal in M and K but for the
/// errors of an iterative solver: these couple them in first order, afterwards in second. Columns
/// keep their places: each new vector goes where the largest part of it was.
void remove_coupling(const Pencil& pencil, MultiVector& X, Eigen::VectorXd& eigenvalues);

}  // namespace solidyn::reduction
