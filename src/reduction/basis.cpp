#include "basis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "orthonormalise.h"
#include "solidyn/base/log.h"
#include "solidyn/base/timer.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kTwoPi = 6.283185307179586;

std::vector<std::string> name_unit_loads(const FreeBody& body) {
  std::vector<std::string> names;
  for (const mesh::Interface& interface : body.interfaces)
    for (const char* load : {"force along x", "force along y", "force along z", "torque about x",
                             "torque about y", "torque about z"})
      names.push_back(fmt::format("{} of `{}`", load, interface.name));
  return names;
}

// The static answers of the free body, which accelerates under the loads, to unit loads at every
// interface.
void add_attachment_modes(const FreeBody& body, FreeBodySolver& solver, const ElasticModes& known,
                          Candidates& candidates) {
  MultiVector loads = make_unit_loads(body);
  body.pencil.balance(loads);
  candidates.append(solver.solve_static(loads, known), Mode::Kind::static_correction,
                    name_unit_loads(body));
}

void report_dropped(const std::vector<std::string>& dropped, Index n) {
  if (dropped.empty()) return;
  base::log_info("reduction: {} of {} static modes depend on the others and were dropped: {}",
                 dropped.size(), n, fmt::join(dropped, ", "));
}

}  // namespace

void Basis::append(const MultiVector& more, const VectorXd& values, Mode::Kind kind) {
  const Index n = vectors.cols(), k = more.cols();
  vectors.conservativeResize(more.rows(), n + k);
  vectors.rightCols(k) = more;
  eigenvalues.conservativeResize(n + k);
  eigenvalues.tail(k) = values;
  for (Index i = 0; i < k; ++i) modes.push_back({kind, std::sqrt(values[i]) / kTwoPi});
}

MultiVector make_unit_loads(const FreeBody& body) {
  const mesh::DistributedMesh& mesh = body.mesh;
  const std::vector<mesh::Interface>& interfaces = body.interfaces;
  MultiVector f = MultiVector::Zero(3 * mesh.n_owned, 6 * interfaces.size());
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    for (std::size_t k = 0; k < interfaces[i].nodes.size(); ++k) {
      const std::int64_t local = interfaces[i].nodes[k] - mesh.first_owned;
      if (local < 0 || local >= mesh.n_owned) continue;
      f.block<3, 6>(3 * local, 6 * i) += interfaces[i].weights.middleCols<3>(3 * k).transpose();
    }
  return body.pencil.gather_forces(f);
}

Basis compute_basis(const FreeBody& body, FreeBodySolver& solver, const ReductionOptions& options,
                    ReductionTimings& timings) {
  const Pencil& pencil = body.pencil;
  base::Timer timer;
  const ElasticModes elastic = solver.compute_modes(options.free_free);
  timings.eigensolve = timer.seconds();
  timings.n_eigenproblems = options.free_free > 0 ? 1 : 0;
  timings.largest_residual = elastic.largest_residual;

  timer = base::Timer();
  Candidates candidates;
  if (options.static_correction == StaticCorrection::at_interfaces && !body.interfaces.empty())
    add_attachment_modes(body, solver, elastic, candidates);
  Basis basis;
  if (options.keep_rigid_modes) basis.append(pencil.rigid, VectorXd::Zero(6), Mode::Kind::rigid);
  basis.append(elastic.vectors, elastic.eigenvalues, Mode::Kind::free_free);
  if (candidates.size() > 0) {
    const Index n = candidates.size();
    const OrthonormalVectors more = orthonormalise(pencil, std::move(candidates), elastic);
    report_dropped(more.dropped, n);
    basis.append(more.modes.vectors, more.modes.eigenvalues, Mode::Kind::static_correction);
  }
  timings.static_correction = timer.seconds();
  return basis;
}

}  // namespace solidyn::reduction
