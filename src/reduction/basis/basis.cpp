#include "reduction/basis/basis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reduction/basis/constraint_modes.h"
#include "reduction/basis/static_loads.h"
#include "reduction/eigen/orthonormalise.h"
#include "reduction/eigen/spectrum_count.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

std::vector<std::string> name_columns(const FreeBody& body,
                                      const std::array<const char*, 6>& motions) {
  std::vector<std::string> names;
  for (const mesh::Interface& interface : body.interfaces)
    for (const char* motion : motions)
      names.push_back(fmt::format("{} at `{}`", motion, interface.name));
  for (const HeldNodes& support : body.supports)
    for (std::size_t i = 0; i < support.independent.size(); ++i)
      names.push_back(fmt::format("reaction {} of support `{}`", i + 1, support.name));
  return names;
}

// The modes are as many as were counted below the frequency: a missed one would have let in the
// next above.
void check_up_to(const VectorXd& eigenvalues, double frequency, const char* kind) {
  constexpr double kRounding = 1e-6;
  const Index n = eigenvalues.size();
  if (frequency == 0.0 || n == 0) return;
  const double highest = std::sqrt(eigenvalues[n - 1]) / math::kTwoPi;
  if (highest <= (1.0 + kRounding) * frequency) return;
  throw base::ComputationError(fmt::format(
      "{} {} modes are below {:g} Hz, but not all of them were found (the last one found has {:g} Hz)\n  try a smaller shift with -modes_shift",
      n, kind, frequency, highest));
}

// What the basis needs of the interfaces, each computed once and only when something asks.
class InterfaceAnswers {
 public:
  InterfaceAnswers(const FreeBody& body, FreeBodySolver& solver, const ElasticModes& known)
      : body_(body), solver_(solver), known_(known), loads_(make_unit_loads(body)) {}

  const MultiVector& loads() const { return loads_; }
  // Of the free body, which accelerates under the loads.
  const MultiVector& attachment_modes() {
    if (attachment_modes_.cols() == 0) {
      MultiVector balanced = loads_;
      body_.pencil.balance(balanced);
      attachment_modes_ = solver_.solve_static(balanced, known_);
    }
    return attachment_modes_;
  }

 private:
  const FreeBody& body_;
  FreeBodySolver& solver_;
  const ElasticModes& known_;
  MultiVector loads_, attachment_modes_;
};

// All but those of the first interface: with the rigid motions they span its constraint modes too.
// Without an interface there are those of supports.
void add_constraint_modes(const FreeBody& body, InterfaceAnswers& answers, Candidates& candidates) {
  const ConstraintModes modes =
      make_constraint_modes(body, answers.loads(), answers.attachment_modes());
  const std::vector<std::string> names =
      name_columns(body, {"displacement along x", "displacement along y", "displacement along z",
                          "rotation about x", "rotation about y", "rotation about z"});
  const Index n_left_out = body.interfaces.empty() ? 0 : 6;
  candidates.append(modes.vectors.rightCols(modes.vectors.cols() - n_left_out),
                    Mode::Kind::constraint, {names.begin() + n_left_out, names.end()});
}

void add_attachment_modes(const FreeBody& body, InterfaceAnswers& answers, Candidates& candidates) {
  candidates.append(answers.attachment_modes(), Mode::Kind::static_correction,
                    name_columns(body, {"force along x", "force along y", "force along z",
                                        "torque about x", "torque about y", "torque about z"}));
}

void add_fixed_modes(const FreeBody& body, FreeBodySolver& solver, const MultiVector& loads, int n,
                     double up_to, ReductionTimings& timings, Candidates& candidates) {
  const base::Timer timer;
  const ElasticModes fixed = solver.compute_held_modes(n, loads);
  check_up_to(fixed.eigenvalues, up_to, "fixed-interface");
  std::vector<std::string> names;
  names.reserve(n);
  for (int i = 0; i < n; ++i)
    names.push_back(fmt::format("fixed-interface mode {} ({:.4g} Hz)", i + 1,
                                std::sqrt(fixed.eigenvalues[i]) / math::kTwoPi));
  candidates.append(fixed.vectors, Mode::Kind::fixed_interface, names);
  timings.eigensolve += timer.seconds();
  ++timings.n_eigenproblems;
  timings.largest_residual = std::max(timings.largest_residual, fixed.largest_residual);
}

void add_supported_modes(const FreeBody& body, FreeBodySolver& solver, const MultiVector& loads,
                         const ReductionOptions& options, ReductionTimings& timings,
                         Candidates& candidates) {
  const base::Timer timer;
  const ElasticModes modes =
      compute_supported_modes(body, solver, loads, options.free_free).elastic;
  check_up_to(modes.eigenvalues, options.free_free_up_to, "supported");
  std::vector<std::string> names;
  for (const double value : modes.eigenvalues)
    names.push_back(fmt::format("supported mode {} ({:.4g} Hz)", names.size() + 1,
                                std::sqrt(value) / math::kTwoPi));
  candidates.append(modes.vectors, Mode::Kind::fixed_interface, names);
  timings.eigensolve += timer.seconds();
  ++timings.n_eigenproblems;
  timings.largest_residual = std::max(timings.largest_residual, modes.largest_residual);
}

void add_pattern_modes(const FreeBody& body, FreeBodySolver& solver, const ElasticModes& known,
                       const std::vector<LoadPattern>& patterns, Candidates& candidates) {
  // What a pattern leaves when the inertia forces of rigid motion balance it; less is rounding.
  constexpr double kRounding = 1e-10;
  MultiVector loads = make_pattern_loads(body, patterns);
  const VectorXd sizes = column_norms(body.pencil.comm, loads);
  body.pencil.balance(loads);
  const VectorXd left = column_norms(body.pencil.comm, loads);
  std::vector<Index> deforming;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (left[i] > kRounding * sizes[i]) {
      deforming.push_back(static_cast<Index>(i));
      names.push_back(fmt::format("static load `{}`", patterns[i].name));
      loads.col(i) /= left[i];
    } else {
      base::log_warning(
          "reduction: the static load `{}` only accelerates the free body and does not deform it",
          patterns[i].name);
    }
  }
  loads = loads(Eigen::all, deforming).eval();
  if (loads.cols() > 0)
    candidates.append(solver.solve_static(loads, known), Mode::Kind::load_pattern, names);
}

void add_interface_modes(const FreeBody& body, FreeBodySolver& solver, const ElasticModes& elastic,
                         const ReductionOptions& options, ReductionTimings& timings,
                         Candidates& candidates) {
  InterfaceAnswers answers(body, solver, elastic);
  if (options.static_correction == StaticCorrection::at_interfaces)
    add_attachment_modes(body, answers, candidates);
  else if (options.constraint_modes == ConstraintModesAt::interfaces &&
           body.interfaces.size() + body.supports.size() > 1)
    add_constraint_modes(body, answers, candidates);
  if (!body.supports.empty() && options.free_free > 0)
    add_supported_modes(body, solver, answers.loads(), options, timings, candidates);
  if (options.fixed_interface > 0)
    add_fixed_modes(body, solver, answers.loads(), options.fixed_interface,
                    options.fixed_interface_up_to, timings, candidates);
}

Candidates collect_candidates(const FreeBody& body, FreeBodySolver& solver,
                              const ElasticModes& elastic, const ReductionOptions& options,
                              ReductionTimings& timings) {
  Candidates candidates;
  const base::Timer timer;
  const double before = timings.eigensolve;
  if (!options.static_loads.empty())
    add_pattern_modes(body, solver, elastic, options.static_loads, candidates);
  if (!body.interfaces.empty() || !body.supports.empty())
    add_interface_modes(body, solver, elastic, options, timings, candidates);
  timings.static_correction = timer.seconds() - (timings.eigensolve - before);
  return candidates;
}

void report_dropped(const std::vector<std::string>& dropped, Index n) {
  if (dropped.empty()) return;
  base::log_info("reduction: {} of {} vectors are linearly dependent and were removed: {}",
                 dropped.size(), n, fmt::join(dropped, ", "));
}

void remove_coupling_of_elastic_modes(const Pencil& pencil, Basis& basis) {
  const auto is_rigid = [](const Mode& mode) { return mode.kind == Mode::Kind::rigid; };
  const Index n_rigid = std::count_if(basis.modes.begin(), basis.modes.end(), is_rigid);
  const Index n = basis.vectors.cols() - n_rigid;
  MultiVector X = basis.vectors.rightCols(n);
  VectorXd eigenvalues;
  remove_coupling(pencil, X, eigenvalues);
  basis.vectors.rightCols(n) = X;
  basis.eigenvalues.tail(n) = eigenvalues;
  for (Index i = 0; i < n; ++i)
    basis.modes[n_rigid + i].frequency = std::sqrt(eigenvalues[i]) / math::kTwoPi;
}

// Removes the elastic modes above the cut-off, static correction modes or not.
void cut_off_above(double frequency, Basis& basis) {
  std::vector<Index> kept;
  int n_static = 0;
  for (Index i = 0; i < basis.vectors.cols(); ++i) {
    const Mode& mode = basis.modes[i];
    if (mode.kind == Mode::Kind::rigid || mode.frequency <= frequency)
      kept.push_back(i);
    else if (mode.kind != Mode::Kind::free_free && mode.kind != Mode::Kind::fixed_interface)
      ++n_static;
  }
  const Index n_gone = basis.vectors.cols() - static_cast<Index>(kept.size());
  if (n_gone == 0) return;
  base::log_info("reduction: {} modes above the cut-off of {:g} Hz were removed", n_gone,
                 frequency);
  if (n_static > 0)
    base::log_warning(
        "reduction: {} of the modes above the cut-off of {:g} Hz contain static correction; under loads at its interfaces the body is now stiffer than its mesh\n  raise `cut_off`, or damp these modes with `modal_ratio_from` instead",
        n_static, frequency);
  basis.vectors = basis.vectors(Eigen::all, kept).eval();
  basis.eigenvalues = basis.eigenvalues(kept).eval();
  std::vector<Mode> modes;
  modes.reserve(kept.size());
  for (const Index i : kept) modes.push_back(basis.modes[i]);
  basis.modes = std::move(modes);
}

// A frame on a node with rotations turns with these, w = sum d_c theta_c along their axes d_c.
void add_torques_on_rotations(const ImportedFreedoms& freedoms, MultiVector& f) {
  const Eigen::Index first = 3 * freedoms.rows.x.cols();
  for (std::size_t i = 0; i < freedoms.rotations.size(); ++i)
    for (const Eigen::Index row : freedoms.rotations[i])
      f.block<1, 3>(row, 6 * static_cast<Eigen::Index>(i) + 3) =
          freedoms.rows.others[row - first].direction.transpose();
}

// Combinations of the M-orthonormal rigid motions that move none of the frames, as columns.
Eigen::MatrixXd left_combinations(const FreeBody& body, const MultiVector& F) {
  constexpr double kRounding = 1e-6;
  Eigen::MatrixXd moved = inner_products(body.pencil.comm, F, body.pencil.rigid);
  const Eigen::VectorXd sizes = moved.rowwise().norm();
  moved = sizes.cwiseInverse().asDiagonal() * moved;
  const auto svd = math::singular_values(moved, Eigen::ComputeFullV);
  const Eigen::VectorXd& values = svd.values;
  const Index rank = (values.array() > kRounding * values[0]).count();
  return svd.V.rightCols(6 - rank);
}

// Rigid motions that the supports leave have no frequency; those of a free body are known.
int count_eigenmodes_below(const FreeBody& body, double frequency) {
  if (body.supports.empty()) return count_free_modes_below(body, frequency);
  const MultiVector F = columns_of_supports(body, make_unit_loads(body));
  return count_held_modes_below(body, F, frequency) -
         static_cast<int>(left_combinations(body, F).cols());
}

}  // namespace

void Basis::append(const MultiVector& more, const VectorXd& values, Mode::Kind kind) {
  const Index n = vectors.cols(), k = more.cols();
  vectors.conservativeResize(more.rows(), n + k);
  vectors.rightCols(k) = more;
  eigenvalues.conservativeResize(n + k);
  eigenvalues.tail(k) = values;
  for (Index i = 0; i < k; ++i) modes.push_back({kind, std::sqrt(values[i]) / math::kTwoPi});
}

MultiVector make_nodal_unit_loads(const FreeBody& body) {
  const mesh::DistributedMesh& mesh = body.mesh;
  const std::vector<mesh::Interface>& interfaces = body.interfaces;
  const Eigen::Index n_rows = body.imported ? body.imported->rows.n_rows() : 3 * mesh.n_owned;
  Eigen::Index n_columns = 6 * static_cast<Eigen::Index>(interfaces.size());
  for (const HeldNodes& support : body.supports)
    n_columns += static_cast<Eigen::Index>(support.independent.size());
  MultiVector f = MultiVector::Zero(n_rows, n_columns);
  for (std::size_t i = 0; i < interfaces.size(); ++i)
    for (std::size_t k = 0; k < interfaces[i].nodes.size(); ++k) {
      const std::int64_t local = interfaces[i].nodes[k] - mesh.first_owned;
      if (local < 0 || local >= mesh.n_owned) continue;
      f.block<3, 6>(3 * local, 6 * i) += interfaces[i].weights.middleCols<3>(3 * k).transpose();
    }
  if (body.imported) add_torques_on_rotations(*body.imported, f);
  Eigen::Index column = 6 * static_cast<Eigen::Index>(interfaces.size());
  for (const HeldNodes& support : body.supports)
    for (const std::size_t i : support.independent) {
      const HeldComponent& c = support.components[i];
      const std::int64_t local = c.node - mesh.first_owned;
      if (local >= 0 && local < mesh.n_owned) f.col(column).segment<3>(3 * local) = c.d;
      ++column;
    }
  return f;
}

MultiVector columns_of_supports(const FreeBody& body, const MultiVector& unit_loads) {
  return unit_loads.rightCols(unit_loads.cols() -
                              6 * static_cast<Eigen::Index>(body.interfaces.size()));
}

SupportedModes compute_supported_modes(const FreeBody& body, FreeBodySolver& solver,
                                       const MultiVector& unit_loads, int n) {
  const MultiVector F = columns_of_supports(body, unit_loads);
  const MultiVector left = body.pencil.rigid * left_combinations(body, F);
  return {static_cast<int>(left.cols()), solver.compute_held_modes(n, F, left)};
}

MultiVector make_unit_loads(const FreeBody& body) {
  return body.pencil.gather_forces(make_nodal_unit_loads(body));
}

ReductionOptions count_modes(const FreeBody& body, ReductionOptions options) {
  if (body.pencil.route == Route::iterative &&
      (options.free_free_up_to > 0.0 || options.fixed_interface_up_to > 0.0))
    throw base::InputError(
        "all modes up to a frequency are requested, but there is not enough memory for the stiffness factorisation that counting them needs",
        "give the number of modes instead of the frequency, or use -modes_route direct");
  if (options.free_free_up_to > 0.0) {
    options.free_free = count_eigenmodes_below(body, options.free_free_up_to);
    base::log_info("reduction: {} {} modes up to {:g} Hz", options.free_free,
                   body.supports.empty() ? "free-free" : "supported", options.free_free_up_to);
  }
  if (options.fixed_interface_up_to > 0.0) {
    options.fixed_interface =
        count_held_modes_below(body, make_unit_loads(body), options.fixed_interface_up_to);
    base::log_info("reduction: {} fixed-interface modes up to {:g} Hz", options.fixed_interface,
                   options.fixed_interface_up_to);
  }
  return options;
}

Basis compute_basis(const FreeBody& body, FreeBodySolver& solver, const ReductionOptions& options,
                    ReductionTimings& timings) {
  const Pencil& pencil = body.pencil;
  base::Timer timer;
  const bool is_supported = !body.supports.empty();
  const ElasticModes elastic = solver.compute_modes(is_supported ? 0 : options.free_free);
  check_up_to(elastic.eigenvalues, options.free_free_up_to, "free-free");
  timings.eigensolve = timer.seconds();
  timings.n_eigenproblems = elastic.vectors.cols() > 0 ? 1 : 0;
  timings.largest_residual = elastic.largest_residual;

  Candidates candidates = collect_candidates(body, solver, elastic, options, timings);
  timer = base::Timer();
  Basis basis;
  if (options.keep_rigid_modes) basis.append(pencil.rigid, VectorXd::Zero(6), Mode::Kind::rigid);
  basis.append(elastic.vectors, elastic.eigenvalues, Mode::Kind::free_free);
  if (candidates.size() > 0) {
    const Index n = candidates.size();
    const OrthonormalVectors more = orthonormalise(pencil, std::move(candidates), elastic);
    report_dropped(more.dropped, n);
    basis.vector_condition = more.condition;
    for (Index i = 0; i < more.modes.vectors.cols(); ++i)
      basis.append(more.modes.vectors.col(i), more.modes.eigenvalues.segment(i, 1), more.kinds[i]);
  }
  if (pencil.route == Route::iterative) remove_coupling_of_elastic_modes(pencil, basis);
  if (options.cut_off > 0.0) cut_off_above(options.cut_off, basis);
  timings.static_correction += timer.seconds();
  return basis;
}

}  // namespace solidyn::reduction
