#pragma once
#include "free_body_solver.h"
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
};

/// Collective. What the candidates add to `kept` exact elastic modes and to the rigid motions, M-
/// and K-orthonormal among themselves and to these: kept modes and rigid motions are taken out, a
/// candidate is dropped when the earlier ones and the kept modes span it up to 1e-10 of its strain
/// energy (so that the compliance of the interfaces is kept to that), and Ritz's method in the rest
/// gives the vectors, in ascending order of their frequencies.
OrthonormalVectors orthonormalise(const Pencil& pencil, Candidates candidates,
                                  const ElasticModes& kept);

}  // namespace solidyn::reduction
