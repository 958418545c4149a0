#include "kept_tangent.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

#include "nodal_view.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/dense.h"

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
// Of solutions that nothing corrects later.
constexpr double kExact = 1e-10;
// Radians below which a turn changes nothing, ...
constexpr double kSameRotation = 1e-12;
// ... and with so many ports, whose matrix costs as much to factorise as a step: then what is left
// out gains digits enough in each iteration.
constexpr double kSmallRotation = 1e-6;
constexpr int kPortsWorthATurn = 100;

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

MatrixXd KeptTangent::condensed() const {
  if (ports_.anchors.empty() || is_inertial()) return turned_;
  // Springs that are the same along all axes do not turn.
  return turned_ - coefficients_.stiffness * terms_.anchor_stiffness *
                       ports_.Psi_anchors.transpose() * ports_.Psi_anchors;
}

// Where conjugate gradients have met a direction of negative energy, a factor counts how many there
// are; where none is to be had, what is known decides if the ports do not show a negative one.
std::optional<int> KeptTangent::n_hidden_negatives() {
  if (is_inertial()) return 0;
  BodySolver::Negatives found = solver_.count_negatives();
  if (found.at_least > 0 && !found.is_exact && may_replace_iterations()) {
    replace_iterations();
    found = solver_.count_negatives();
  }
  if (found.at_least == 0) return found.is_exact ? std::optional(0) : std::nullopt;
  if (!ports_.regions.is_empty()) return std::nullopt;
  const VectorXd values = math::symmetric_eigenvalues(turned_);
  const int n_hidden = found.at_least - static_cast<int>((values.array() < 0.0).count());
  return found.is_exact || n_hidden > 0 ? std::optional(n_hidden) : std::nullopt;
}

// A solution, and once more by a factor where iterations find the matrix indefinite.
template <class Solve>
auto KeptTangent::or_by_factor(Solve&& solve) {
  std::exception_ptr refusal;  // on all ranks alike
  try {
    return solve();
  } catch (const NotPositiveDefinite&) {
    refusal = std::current_exception();
  }
  if (!may_replace_iterations()) std::rethrow_exception(refusal);
  replace_iterations();
  return solve();
}

MatrixXd KeptTangent::solve_reference(const MatrixXd& B, double tolerance, const MatrixXd& guess) {
  if (is_inertial()) return mass_.solve(B);
  MatrixXd X = or_by_factor([&] { return solver_.solve_roughly(B, tolerance, guess); });
  // The identity's rows have to be: what multigrid leaves there would be no admissible field.
  for (PetscInt row : fixed_rows_) X.row(row) = B.row(row);
  return X;
}

// A^-1 B among admissible fields. Iterations among them have no use for the regions' elimination,
// which takes a solution for each column of T, more accurate than others.
MatrixXd KeptTangent::solve_admissible(const Condensation& c, const MatrixXd& B, double tolerance,
                                       const MatrixXd& guess) {
  return or_by_factor([&]() -> MatrixXd {
    if (!moves_regions())
      return c.regions.solve(
          [&](const MatrixXd& columns) {
            return solve_reference(columns, tolerance, c.regions.is_empty() ? guess : MatrixXd());
          },
          B);
    MatrixXd forces = B;
    ports_.regions.make_affine(forces);
    MatrixXd X = solver_.solve_roughly(forces, tolerance, guess);
    for (PetscInt row : terms_.held_rows) X.row(row) = B.row(row);
    return X;
  });
}

// Those of the last tangent, turned with the body.
MatrixXd KeptTangent::turned_responses(const Matrix3d& Q, const MatrixXd& Y) const {
  MatrixXd turned = turned_triples(Q, turned_triples(Q, Y.transpose()).transpose());
  terms_.axes->to_nodes(turned);
  return turned;
}

void KeptTangent::place(const Matrix3d& R) {
  if (!terms_.has_supports || (R - R_placed_).norm() <= kSameRotation) return;
  R_placed_ = R;
  x_ = R * mesh_.x;
  has_factor_ = false;
}

void KeptTangent::set_coefficients(const fem::TangentCoefficients& coefficients) {
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

// @param turn  of the body from its last reference to that at x_
void KeptTangent::assemble_and_factor(const Matrix3d& turn) {
  has_factor_ = false;
  set_up();
  condense(elastic_, solver_.is_exact() || !elastic_.is_ready ? MatrixXd()
                                                              : turned_responses(turn, elastic_.Y));
  factored_ = coefficients_;
  has_factor_ = true;
  ++n_factors;
}

void KeptTangent::condense(Condensation& c, const MatrixXd& guess) {
  base::ScopedTimer timer(condensation_seconds);
  // Y need not be exact: G = P^T Y makes the ports consistent whatever it is, and its error is
  // the square of that of Y. What an elimination of regions leaves out has to be there, though.
  const double tolerance = has_exact_regions() ? kRegions : kRough;
  if (has_exact_regions())
    c.regions.prepare([&](const MatrixXd& B) { return solve_reference(B, tolerance); });
  MatrixXd P = ports_.basis.ports.sparse;
  terms_.axes->to_nodes(P);
  if (P.cols() > 0)
    for (PetscInt row : terms_.held_rows) P.row(row).setZero();
  c.Y = solve_admissible(c, P, tolerance, guess);
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
      held.emplace_back(VectorXd::Unit(n, first + axis));
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
  if (!try_to_factor(x_before, R * R_ref_.transpose())) return false;
  R_ref_ = R_ = R;
  Q_.setIdentity();
  turn_flexibility();
  return true;
}

// Whatever goes wrong, the reference is the old one again. If it is not the matrix, no factor is
// left, and the next set_coefficients() makes it.
bool KeptTangent::try_to_factor(Matrix3Xd& x_before, const Matrix3d& turn) {
  try {
    assemble_and_factor(turn);
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
  const double same = ports_.size() > kPortsWorthATurn ? kSmallRotation : kSameRotation;
  if (terms_.has_supports || (R - R_).norm() <= same) return false;
  R_ = R;
  Q_ = R * R_ref_.transpose();
  turn_flexibility();
  return !is_inertial();
}

void KeptTangent::solve(::Vec b, ::Vec x, const VectorXd& load) {
  if (is_inertial() || solver_.is_exact()) return solve_whole(b, x, kExact);
  const double tolerance = solves_exactly_ ? kExact : has_exact_regions() ? kRegions : kRough;
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
  const MatrixXd B = turned_triples(Q.transpose(), NodalView(b).flat());
  const MatrixXd X = solve_admissible(present(), B, tolerance);
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
