#pragma once
#include "solidyn/analyses/frequency_response.h"
#include "solidyn/analyses/state_space.h"

namespace solidyn::testing_support {

inline analyses::StateSpace state_space(const system::Linearisation& l,
                                        const analyses::LinearInputs& inputs,
                                        const analyses::LinearOutputs& outputs) {
  const analyses::MinimalCoordinates m = analyses::make_minimal_coordinates(l);
  return analyses::make_state_space(l, m, analyses::find_driven_motions(l, m, inputs.motions),
                                    inputs, outputs);
}

/// C (s - A)^-1 B + D
inline Eigen::MatrixXcd transfer(const analyses::StateSpace& s, std::complex<double> at) {
  using Eigen::MatrixXcd;
  const MatrixXcd A =
      at * MatrixXcd::Identity(s.A.rows(), s.A.cols()) - s.A.cast<std::complex<double>>();
  return s.C.cast<std::complex<double>>() *
             A.partialPivLu().solve(s.B.cast<std::complex<double>>()) +
         s.D.cast<std::complex<double>>();
}

}  // namespace solidyn::testing_support
