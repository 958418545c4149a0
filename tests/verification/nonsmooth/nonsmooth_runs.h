#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model_runs.h"

/// Runs of the models beside the tests, with every scheme that solves set-valued contacts.
namespace solidyn::testing_support {

using Overrides = std::vector<std::string>;

inline const std::vector<Overrides>& nonsmooth_schemes() {
  static const std::vector<Overrides> schemes = {
      {"analyses.dynamics.integrator=generalized_alpha", "analyses.dynamics.rho_infinity=0.8"},
      {"analyses.dynamics.integrator=generalized_alpha", "analyses.dynamics.rho_infinity=0"},
      {"analyses.dynamics.integrator=hht"},
      {"analyses.dynamics.integrator=bathe"},
      {"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0"},
      {"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0.8"}};
  return schemes;
}

inline Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

inline ModelRun nonsmooth_run(const std::string& model, const Overrides& overrides = {}) {
  return run_model(MPI_COMM_SELF, "tests/verification/nonsmooth/models/" + model + ".yaml",
                   overrides);
}

inline double last(const ModelRun& run, const std::string& column) {
  return run.history.at(column).back();
}

/// Of all rows.
inline double largest(const ModelRun& run, const std::string& column) {
  double value = 0.0;
  for (const double x : run.history.at(column)) value = std::max(value, std::abs(x));
  return value;
}

}  // namespace solidyn::testing_support
