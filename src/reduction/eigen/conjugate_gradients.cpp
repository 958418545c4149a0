#include "reduction/eigen/conjugate_gradients.h"

#include <cmath>

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

}  // namespace

ConjugateGradientsResult solve_by_conjugate_gradients(const SymmetricSystem& system,
                                                      const MultiVector& f, MultiVector u,
                                                      double tolerance, int max_iterations) {
  ConjugateGradientsResult result;
  std::vector<Index> active(f.cols());
  for (Index j = 0; j < f.cols(); ++j) active[j] = j;
  MultiVector r = f - system.multiply(u), p;  // p: of the active columns
  VectorXd rho_before, errors = VectorXd::Constant(f.cols(), std::nan(""));
  base::Timer since_line;
  while (!active.empty() && result.n_iterations <= max_iterations) {
    const MultiVector r_active = r(Eigen::all, active);
    MultiVector z = system.precondition(r_active);
    VectorXd rho = column_products(system.comm, r_active, z);
    if (!rho.allFinite()) break;  // else such a column would count as done
    const VectorXd energy =
        column_products(system.comm, f(Eigen::all, active), MultiVector(u(Eigen::all, active)) + z);
    for (std::size_t j = 0; j < active.size(); ++j)
      errors[active[j]] = std::sqrt(rho[static_cast<Index>(j)] / energy[static_cast<Index>(j)]);
    std::vector<Index> going;
    for (Index j = 0; j < rho.size(); ++j)
      if (rho[j] > tolerance * tolerance * energy[j]) going.push_back(j);
    if (static_cast<Index>(going.size()) < rho.size()) {
      std::vector<Index> still;
      still.reserve(going.size());
      for (const Index j : going) still.push_back(active[j]);
      active = still;
      z = z(Eigen::all, going).eval();
      rho = rho(going).eval();
      if (p.cols() > 0) {
        p = p(Eigen::all, going).eval();
        rho_before = rho_before(going).eval();
      }
      if (active.empty()) break;
    }
    if (p.cols() == 0)
      p = std::move(z);
    else
      p = z + p * rho.cwiseQuotient(rho_before).asDiagonal();
    const MultiVector q = system.multiply(p);
    const VectorXd alpha = rho.cwiseQuotient(column_products(system.comm, p, q));
    for (std::size_t j = 0; j < active.size(); ++j) {
      u.col(active[j]) += alpha[j] * p.col(j);
      r.col(active[j]) -= alpha[j] * q.col(j);
    }
    rho_before = rho;
    ++result.n_iterations;
    if (since_line.seconds() > 20.0) {
      base::log_info("reduction: static correction modes, iteration {}, {} of {} not converged",
                     result.n_iterations, active.size(), f.cols());
      since_line = base::Timer();
    }
  }
  result.has_converged = active.empty();
  result.n_left = static_cast<int>(active.size());
  for (const Index j : active) {
    if (j != active.front() && !(errors[j] > result.worst_error)) continue;
    result.worst = j;
    result.worst_error = errors[j];
  }
  result.u = std::move(u);
  return result;
}

}  // namespace solidyn::reduction
