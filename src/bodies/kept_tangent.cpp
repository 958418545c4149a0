#include "kept_tangent.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "nodal_view.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/dense.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Coefficients that differ by less share a factor: the step sizes of a run differ by round-off.
constexpr double kSame = 1e-9;
// Newton with a kept tangent gains about a digit and a half per iteration: more accurate solves
// would be lost.
constexpr double kRough = 1e-3;
constexpr double kRegions = 1e-5;
// After new coefficients the integrator evaluates the equations once, and filters accelerations by
// two solutions that nothing corrects later: these are solved to this.
constexpr int kUncorrected = 3;
constexpr double kExact = 1e-10;
// Radians below which a turn changes nothing, ...
constexpr double kSameRotation = 1e-12;
// ... and with so many ports, whose matrix costs as much to factorise as a step: then what is left
// out gains digits enough in each iteration.
constexpr double kSmallRotation = 1e-6;
constexpr int kManyPorts = 100;
// Above, CHOLMOD makes L L^T of all but the slenderest bodies, which stops at a negative pivot.
constexpr PetscInt kFewRows = 20000;

bool is_same(const fem::TangentCoefficients& a, const fem::TangentCoefficients& b) {
  const auto near = [](double x, double y) { return std::abs(x - y) <= kSame * std::abs(y); };
  return near(a.mass, b.mass) && near(a.damping, b.damping) && near(a.stiffness, b.stiffness);
}

void turn_nodes(const Matrix3d& Q, ::Vec x) {
  WritableNodalView view(x);
  auto nodes = view.nodes();
  for (Eigen::Index i = 0; i < nodes.cols(); ++i) nodes.col(i) = (Q * nodes.col(i)).eval();
}

// Every triple of a column turned.
MatrixXd turned_triples(const Matrix3d& Q, const MatrixXd& X) {
  MatrixXd result(X.rows(), X.cols());
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    Eigen::Map<Matrix3Xd>(result.col(j).data(), 3, X.rows() / 3) =
        Q * Eigen::Map<const Matrix3Xd>(X.col(j).data(), 3, X.rows() / 3);
  return result;
}

}  // namespace

KeptTangent::KeptTangent(const std::string& name, const mesh::DistributedMesh& mesh,
                         const fem::SolidOperator& forces, NodalMass& mass, const SolidPorts& ports,
                         BodySolver& solver, TangentTerms terms,
                         std::unique_ptr<CornerLevel> corners)
    : name_(name),
      mesh_(mesh),
      forces_(forces),
      mass_(mass),
      ports_(ports),
      solver_(solver),
      terms_(std::move(terms)),
      x_(mesh.x),
      inertial_{ports.regions, {}, {}, false},
      elastic_{ports.regions, {}, {}, false} {
  for (Condensation* c : {&inertial_, &elastic_}) c->regions.hold(terms_.held_rows);
  fixed_rows_ = ports_.regions.rows();
  fixed_rows_.insert(fixed_rows_.end(), terms_.held_rows.begin(), terms_.held_rows.end());
  std::sort(fixed_rows_.begin(), fixed_rows_.end());
  if (!ports_.regions.is_empty() || terms_.has_supports) mass_.hold(fixed_rows_, *terms_.axes);
  solver_.name_nodes_of(mesh_);
  make_product(std::move(corners));
}

// The load stiffness and axes of nodes are in the matrix only.
void KeptTangent::make_product(std::unique_ptr<CornerLevel> corners) {
  if (!solver_.is_matrix_free() || terms_.has_load_stiffness || !terms_.axes->is_empty()) return;
  product_ = std::make_unique<MatrixFreeTangent>(mesh_, forces_, mass_, fixed_rows_);
  corners_ = std::move(corners);
  std::vector<std::int32_t> anchors;
  for (const std::int64_t node : ports_.anchors)
    if (node >= mesh_.first_owned && node < mesh_.first_owned + mesh_.n_owned)
      anchors.push_back(static_cast<std::int32_t>(node - mesh_.first_owned));
  if (!ports_.anchors.empty()) {
    product_->add_springs(anchors, terms_.anchor_stiffness);
    if (corners_) corners_->add_springs(anchors, terms_.anchor_stiffness);
  }
  if (corners_) corners_->hold(fixed_rows_);
}

void KeptTangent::add_anchors() {
  for (std::int64_t node : ports_.anchors) {
    if (node < mesh_.first_owned || node >= mesh_.first_owned + mesh_.n_owned) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = static_cast<PetscInt>(3 * node + axis);
      SOLIDYN_PETSC(
          MatSetValue(A_, row, row, coefficients_.stiffness * terms_.anchor_stiffness, ADD_VALUES));
    }
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A_, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A_, MAT_FINAL_ASSEMBLY));
}

MatrixXd KeptTangent::condensed() const {
  if (ports_.anchors.empty() || is_inertial()) return turned_;
  // Springs that are the same along all axes do not turn.
  return turned_ - coefficients_.stiffness * terms_.anchor_stiffness *
                       ports_.Psi_anchors.transpose() * ports_.Psi_anchors;
}

// CHOLMOD takes small matrices apart as L D L^T, and goes on over negative pivots without a word.
int KeptTangent::n_negative() const {
  const int n_found = solver_.n_negative();
  PetscInt n_rows = 0;
  if (A_.get()) SOLIDYN_PETSC(MatGetSize(A_, &n_rows, nullptr));
  if (n_found > 0 || n_rows == 0 || n_rows > kFewRows || base::size(mesh_.comm) > 1) return n_found;
  solvers::SymmetricFactor factor(mesh_.comm, solvers::SymmetricFactor::Kind::indefinite);
  const auto outcome = factor.factorise(A_);
  return outcome == solvers::SymmetricFactor::Outcome::done ? factor.n_negative() : n_found;
}

std::optional<int> KeptTangent::n_hidden_negatives() const {
  if (is_inertial()) return 0;
  const int n_negative = this->n_negative();
  if (n_negative == 0) return 0;
  if (!ports_.regions.is_empty()) return std::nullopt;
  const VectorXd values = math::symmetric_eigenvalues(turned_);
  return n_negative - static_cast<int>((values.array() < 0.0).count());
}

void KeptTangent::hold_rows() {
  std::vector<PetscInt> rows = fixed_rows_;
  for (PetscInt& row : rows) row += static_cast<PetscInt>(3 * mesh_.first_owned);
  SOLIDYN_PETSC(MatSetOption(A_, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  SOLIDYN_PETSC(MatZeroRowsColumns(A_, static_cast<PetscInt>(rows.size()), rows.data(), 1.0,
                                   nullptr, nullptr));
}

// Regions are multiplied already. Where the set-up has assembled A, its rows may be held or not.
void KeptTangent::replace_iterations() {
  assemble();
  if (!ports_.regions.is_empty() || terms_.has_supports) hold_rows();
  base::ScopedTimer timer(factor_seconds);
  solver_.replace_iterations(A_, "the tangent");
}

// A solution, and once more by a factor where iterations find the matrix indefinite.
template <class Solve>
auto KeptTangent::or_by_factor(Solve&& solve) {
  if (!may_replace_iterations()) return solve();
  try {
    return solve();
  } catch (const NotPositiveDefinite&) {
    // On all ranks alike.
  }
  replace_iterations();
  return solve();
}

MatrixXd KeptTangent::solve_reference(const MatrixXd& B, double tolerance) {
  if (is_inertial()) return mass_.solve(B);
  MatrixXd X = or_by_factor([&] { return solver_.solve_roughly(B, tolerance); });
  // The identity's rows have to be: what multigrid leaves there would be no admissible field.
  for (PetscInt row : fixed_rows_) X.row(row) = B.row(row);
  return X;
}

void KeptTangent::place(const Matrix3d& R) {
  if (!terms_.has_supports || (R - R_placed_).norm() <= kSameRotation) return;
  R_placed_ = R;
  x_ = R * mesh_.x;
  has_factor_ = false;
}

void KeptTangent::set_coefficients(const fem::TangentCoefficients& coefficients) {
  if (!is_same(coefficients, coefficients_)) n_uncorrected_ = kUncorrected;
  coefficients_ = coefficients;
  if (is_inertial()) {
    if (!inertial_.is_ready) {
      const base::Vec x = mass_.make_vector(), y = mass_.make_vector();
      inertial_.regions.multiply_columns([&](const MatrixXd& X) {
        MatrixXd W = apply_to_columns(X, x, y, [this](::Vec u, ::Vec f) { mass_.multiply(u, f); });
        terms_.axes->to_nodes(W);
        return W;
      });
      condense(inertial_);
    }
  } else if (!has_factor_ || !is_same(coefficients_, factored_)) {
    assemble_and_factor();
  }
  turn_flexibility();
}

void KeptTangent::assemble_and_factor() {
  has_factor_ = false;
  set_up();
  condense(elastic_);
  factored_ = coefficients_;
  has_factor_ = true;
  ++n_factors;
}

void KeptTangent::set_up() {
  bool is_refused = false;
  try {
    if (!product_ || !set_up_without_matrix()) assemble_and_set();
  } catch (const NotPositiveDefinite&) {
    if (!may_replace_iterations()) throw;
    is_refused = true;  // on all ranks alike
  }
  if (is_refused) replace_iterations();
}

bool KeptTangent::may_replace_iterations() const {
  // GAMG of an indefinite matrix may go on for ten thousand iterations, and is asked again.
  return corners_ && may_be_indefinite() && solver_.may_replace_iterations();
}

// Nothing of the size of the mesh is assembled. @return false where the solver needs the matrix
bool KeptTangent::set_up_without_matrix() {
  product_->set(x_, coefficients_);
  if (!solver_.may_do_without_matrix()) return false;
  double ratio = 0.0;
  {
    base::ScopedTimer timer(assembly_seconds);
    product_->compute_blocks();
    ratio = mass_.stiffness_ratio(product_->matrix(), coefficients_.mass);
  }
  using Preconditioner = BodySolver::Preconditioner;
  const Preconditioner chosen = solver_.choose(ratio, corners_ != nullptr);
  if (chosen == Preconditioner::assembled) return false;
  std::optional<CoarseLevel> level;
  if (chosen == Preconditioner::corners) {
    if (corners_) level = assemble_corners();
    if (!level) return false;
  }
  multiply_regions([this](::Vec u, ::Vec f) { product_->multiply_free(u, f); });
  base::ScopedTimer timer(factor_seconds);
  const bool is_single = level && solver_.has_single_cycle();
  solver_.set_shell(product_->matrix(), "the tangent", chosen, ratio,
                    is_single ? product_->keep_single() : product_->matrix(),
                    level ? &*level : nullptr);
  return true;
}

// Nothing where an element without its middle nodes is inverted.
std::optional<CoarseLevel> KeptTangent::assemble_corners() {
  base::ScopedTimer timer(assembly_seconds);
  try {
    return corners_->assemble(x_, coefficients_);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError& error) {
    base::log_info("body {}: the matrix is assembled, since on the corners of elements {}", name_,
                   error.what());
    return std::nullopt;
  }
}

// @param multiply by A before rows are held
void KeptTangent::multiply_regions(const std::function<void(::Vec, ::Vec)>& multiply) {
  if (ports_.regions.is_empty()) return;
  const base::Vec x = mass_.make_vector(), y = mass_.make_vector();
  elastic_.regions.multiply_columns(
      [&](const MatrixXd& X) { return apply_to_columns(X, x, y, multiply); });
}

// Before rows are held.
void KeptTangent::assemble() {
  base::ScopedTimer timer(assembly_seconds);
  if (!A_.get()) {
    const bool is_plain =
        ports_.regions.is_empty() && !terms_.has_supports && !terms_.has_load_stiffness;
    A_ = forces_.make_matrix(is_plain ? solver_.matrix_type() : MATAIJ);
  }
  forces_.assemble_tangent(x_, coefficients_, A_);
  if (!ports_.anchors.empty()) add_anchors();
  if (terms_.has_load_stiffness) terms_.add_load_stiffness(x_, coefficients_.stiffness, A_);
  terms_.axes->turn(A_);
}

void KeptTangent::assemble_and_set() {
  assemble();
  multiply_regions([this](::Vec u, ::Vec f) { SOLIDYN_PETSC(MatMult(A_, u, f)); });
  if (!ports_.regions.is_empty() || terms_.has_supports) hold_rows();
  base::ScopedTimer timer(factor_seconds);
  solver_.set_matrix(A_, "the tangent", x_.leftCols(mesh_.n_owned),
                     mass_.stiffness_ratio(A_, coefficients_.mass),
                     product_ ? product_->matrix() : nullptr,
                     may_be_indefinite() ? Definiteness::any : Definiteness::positive);
}

void KeptTangent::condense(Condensation& c) {
  base::ScopedTimer timer(condensation_seconds);
  // Y need not be exact: G = P^T Y makes the ports consistent whatever it is, and its error is
  // the square of that of Y. What regions leave out has to be there, though.
  const double tolerance = ports_.regions.is_empty() ? kRough : kRegions;
  const auto solve = [&](const MatrixXd& B) { return solve_reference(B, tolerance); };
  c.regions.prepare(solve);
  MatrixXd P = ports_.basis.ports.sparse;
  terms_.axes->to_nodes(P);
  if (P.cols() > 0)
    for (PetscInt row : terms_.held_rows) P.row(row).setZero();
  c.Y = c.regions.solve(solve, std::move(P));
  terms_.axes->to_world(c.Y);
  c.inverse_flexibility = ports_.basis.ports.inverse_flexibility(c.Y, find_held_ports(c.Y));
  c.is_ready = true;
}

// Ports whose nodes supports hold, as columns n of combinations of them that do not yield. Forces
// on them would be the support's business, and the small system does not know it: only what is read
// may be there. All components of a port's nodes are held, or, of a triple of ports, those along n.
MatrixXd KeptTangent::find_held_ports(const MatrixXd& Y) const {
  constexpr double kRounding = 1e-10;
  const auto n = static_cast<Eigen::Index>(ports_.size());
  if (!terms_.has_supports) return MatrixXd(n, 0);
  VectorXd size = Y.cwiseAbs().colwise().sum();
  base::sum_in_place(mesh_.comm, size.data(), static_cast<int>(size.size()));
  const MatrixXd G = terms_.axes->is_empty() ? MatrixXd() : ports_.basis.ports.of(Y);
  std::vector<VectorXd> held;
  for (Eigen::Index first = 0; first < n; first += 3) {
    const Eigen::Vector3d sizes = size.segment<3>(first);
    for (int axis = 0; axis < 3; ++axis) {
      if (sizes[axis] > 0.0) continue;
      refuse_held_interface(static_cast<int>(first) + axis, std::string(1, "xyz"[axis]));
      held.push_back(VectorXd::Unit(n, first + axis));
    }
    if (G.size() == 0 || sizes.maxCoeff() == 0.0) continue;
    Matrix3d block = G.block<3, 3>(first, first);
    for (int axis = 0; axis < 3; ++axis)
      if (sizes[axis] == 0.0) block(axis, axis) = block.diagonal().maxCoeff();  // found above
    const auto spectrum = math::symmetric_spectrum(Matrix3d(0.5 * (block + block.transpose())));
    const double largest = spectrum.values[2];
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d along = spectrum.vectors.col(k);
      if (std::abs(spectrum.values[k]) > kRounding * largest) continue;
      refuse_held_interface(static_cast<int>(first), "a skew direction");
      held.emplace_back(VectorXd::Zero(n));
      held.back().segment<3>(first) = std::sqrt(largest) * along;
    }
  }
  MatrixXd columns(n, held.size());
  for (std::size_t k = 0; k < held.size(); ++k) columns.col(static_cast<Eigen::Index>(k)) = held[k];
  return columns;
}

void KeptTangent::refuse_held_interface(int port, const std::string& along) const {
  const int first = port - port % 3;
  for (const SolidInterface& i : ports_.interfaces) {
    const auto reads = [&](const Matrix3Xd& Psi) { return Psi.middleCols<3>(first).norm() > 0.0; };
    bool is_of_interface = reads(i.region.Psi_p);
    for (const Matrix3Xd& Psi : i.region.Psi_s) is_of_interface |= reads(Psi);
    if (is_of_interface)
      throw base::InputError(
          fmt::format(
              "body {}: a support constrains all nodes of the interface `{}`, at least along {}",
              name_, i.name, along),
          "constrain other nodes, or remove the interface");
  }
}

// Masses do not turn.
void KeptTangent::turn_flexibility() {
  const MatrixXd& reference = present().inverse_flexibility;
  if (is_inertial()) {
    turned_ = scale() * reference;
    return;
  }
  turned_ = turned_triples(Q_, turned_triples(Q_, reference.transpose()).transpose());
}

// An iterate may be so distorted that its tangent is indefinite: then the old one has to do.
bool KeptTangent::renew(const Matrix3Xd& x, const Matrix3d& rotation) {
  if (is_inertial()) return false;
  const Matrix3d R = terms_.has_supports ? Matrix3d(Matrix3d::Identity()) : rotation;
  Matrix3Xd x_before = std::exchange(x_, x);
  if (!try_to_factor(x_before)) return false;
  R_ref_ = R_ = R;
  Q_.setIdentity();
  turn_flexibility();
  return true;
}

// Whatever goes wrong, the reference is the old one again. If it is not the matrix, no factor is
// left, and the next set_coefficients() makes it.
bool KeptTangent::try_to_factor(Matrix3Xd& x_before) {
  try {
    assemble_and_factor();
    return true;
  } catch (const base::ResourceError&) {
    x_.swap(x_before);
    throw;
  } catch (const base::ComputationError&) {
    x_.swap(x_before);
  } catch (...) {
    x_.swap(x_before);
    throw;
  }
  assemble_and_factor();
  turn_flexibility();
  return false;
}

bool KeptTangent::turn(const Matrix3d& R) {
  const double same = ports_.size() > kManyPorts ? kSmallRotation : kSameRotation;
  if (terms_.has_supports || (R - R_).norm() <= same) return false;
  R_ = R;
  Q_ = R * R_ref_.transpose();
  turn_flexibility();
  return !is_inertial();
}

void KeptTangent::solve(::Vec b, ::Vec x, const VectorXd& load) {
  if (is_inertial() || solver_.is_exact()) return solve_whole(b, x, kExact);
  const bool is_rough = n_uncorrected_ == 0;
  if (!is_rough) --n_uncorrected_;
  const double tolerance = !is_rough ? kExact : ports_.regions.is_empty() ? kRough : kRegions;
  VectorXd on_nodes = ports_.basis.ports.sparse * load;
  terms_.axes->to_nodes(on_nodes);
  for (PetscInt row : terms_.held_rows) on_nodes[row] = 0.0;
  terms_.axes->to_world(on_nodes);
  WritableNodalView(b).flat() -= on_nodes;
  solve_whole(b, x, tolerance);
  WritableNodalView(b).flat() += on_nodes;
  WritableNodalView(x).flat() += spread(load);
}

void KeptTangent::solve_whole(::Vec b, ::Vec x, double tolerance) {
  terms_.axes->to_nodes(b);
  solve_at_nodes(b, x, tolerance);
  terms_.axes->to_world(b);
  terms_.axes->to_world(x);
}

void KeptTangent::solve_at_nodes(::Vec b, ::Vec x, double tolerance) {
  const auto reference = [&](const MatrixXd& B) { return solve_reference(B, tolerance); };
  if (ports_.regions.is_empty()) {
    if (is_inertial()) {
      mass_.solve(b, x);
      SOLIDYN_PETSC(VecScale(x, 1.0 / scale()));
      return;
    }
    turn_nodes(Q_.transpose(), b);
    or_by_factor([&] { solver_.solve_roughly(b, x, tolerance); });
    {
      WritableNodalView solution(x);
      const NodalView given(b);
      for (PetscInt row : fixed_rows_) solution.flat()[row] = given.flat()[row];
    }
    turn_nodes(Q_, b);
    turn_nodes(Q_, x);
    return;
  }
  const Matrix3d Q = is_inertial() ? Matrix3d::Identity() : Q_;
  MatrixXd B = turned_triples(Q.transpose(), NodalView(b).flat());
  const MatrixXd X = present().regions.solve(reference, std::move(B));
  WritableNodalView(x).flat() = turned_triples(Q, X) / scale();
}

VectorXd KeptTangent::spread(const VectorXd& load) const {
  if (is_inertial()) return present().Y * load / scale();
  VectorXd field = present().Y * VectorXd(turned_triples(Q_.transpose(), load));
  Eigen::Map<Matrix3Xd> nodes(field.data(), 3, field.size() / 3);
  for (Eigen::Index i = 0; i < nodes.cols(); ++i) nodes.col(i) = (Q_ * nodes.col(i)).eval();
  return field;
}

}  // namespace solidyn::bodies
