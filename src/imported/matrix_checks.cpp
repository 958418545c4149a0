#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "solidyn/imported/checks.h"
#include "solidyn/math/dense.h"

namespace solidyn::imported {
namespace {

using Motions = Eigen::Matrix<double, Eigen::Dynamic, 6>;
using SparseMatrix = Eigen::SparseMatrix<double>;

double largest_term(const SparseMatrix& a) {
  return a.nonZeros() == 0 ? 0.0 : a.coeffs().abs().maxCoeff();
}

double asymmetry(const SparseMatrix& a) {
  const double largest = largest_term(a);
  return largest > 0.0 ? largest_term(SparseMatrix(a - SparseMatrix(a.transpose()))) / largest
                       : 0.0;
}

SparseMatrix checked(const Matrix& matrix, const MatrixModel& model, const char* what,
                     const std::string& file) {
  const auto n = static_cast<std::int64_t>(model.dofs.size());
  const auto fail = [&](std::string complaint) {
    throw base::InputError(
        fmt::format("the {} matrix {}", what, complaint),
        "give stiffness, mass and the list of degrees of freedom from the same analysis",
        {file, 0, 0});
  };
  if (matrix.n_rows != n || matrix.n_columns != n)
    fail(fmt::format("is {} x {}, but {} degrees of freedom are listed", matrix.n_rows,
                     matrix.n_columns, n));
  if (!matrix.imaginary.empty()) fail("is complex");
  for (std::size_t e = 0; e < matrix.values.size(); ++e) {
    const std::int64_t row = matrix.rows[e], column = matrix.columns[e];
    if (row < 0 || row >= n || column < 0 || column >= n)
      fail(fmt::format("has a term at ({}, {})", row + 1, column + 1));
    if (!std::isfinite(matrix.values[e]))
      fail(fmt::format("holds {} at ({}, {})", matrix.values[e], row + 1, column + 1));
  }
  return assemble(matrix);
}

// The middle of the nodes, and how far the farthest is from it.
struct Extent {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double radius = 0.0;
};

Extent extent_of(const MatrixModel& model) {
  Extent extent;
  if (model.nodes.empty()) return extent;
  for (const auto& [tag, x] : model.nodes) extent.centre += x;
  extent.centre /= static_cast<double>(model.nodes.size());
  for (const auto& [tag, x] : model.nodes)
    extent.radius = std::max(extent.radius, (x - extent.centre).norm());
  return extent;
}

// Of each dof, u = scale * (translation of comparable size).
Eigen::VectorXd scales(const MatrixModel& model, const SparseMatrix& stiffness, double radius) {
  const Eigen::VectorXd diagonal = stiffness.diagonal();
  double largest = 0.0;
  for (std::size_t i = 0; i < model.dofs.size(); ++i) {
    const int component = model.dofs[i].component;
    if (component >= 1 && component <= 3)
      largest = std::max(largest, std::abs(diagonal[static_cast<Eigen::Index>(i)]));
  }
  Eigen::VectorXd result = Eigen::VectorXd::Ones(diagonal.size());
  for (std::size_t i = 0; i < model.dofs.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const int component = model.dofs[i].component;
    if (component > 3 && radius > 0.0) result[row] = 1.0 / radius;
    if (component == 0 && diagonal[row] > 0.0 && largest > 0.0)
      result[row] = std::sqrt(largest / diagonal[row]);
  }
  return result;
}

double rigid_residual(const SparseMatrix& scaled, const Eigen::VectorXd& scale, Motions motions,
                      double radius) {
  const double largest = largest_term(scaled);
  if (largest == 0.0 || motions.size() == 0) return 0.0;
  motions = (motions.array().colwise() / scale.array()).matrix();
  if (radius > 0.0) motions.rightCols<3>() /= radius;
  return Motions(scaled * motions).cwiseAbs().maxCoeff() / largest;
}

void count_eigenvalues(const SparseMatrix& scaled_stiffness, const SparseMatrix& mass,
                       MatrixChecks& checks) {
  const auto eigenvalues = [](const SparseMatrix& a) -> Eigen::ArrayXd {
    const Eigen::MatrixXd dense = 0.5 * Eigen::MatrixXd(a + SparseMatrix(a.transpose()));
    return math::symmetric_eigenvalues(dense).array();
  };
  const Eigen::ArrayXd k = eigenvalues(scaled_stiffness), m = eigenvalues(mass);
  const double zero = std::max(1e-11, 100.0 * checks.precision) * k.abs().maxCoeff();
  checks.n_zero_stiffness = static_cast<int>((k.abs() <= zero).count());
  const double massless = 1e-12 * m.abs().maxCoeff();
  checks.n_zero_mass = static_cast<int>((m.abs() <= massless).count());
  checks.n_negative_mass = static_cast<int>((m < -massless).count());
}

MatrixChecks::Oddities find_oddities(const MatrixModel& model, const SparseMatrix& a,
                                     double precision) {
  MatrixChecks::Oddities odd{find_impossible_term(a, precision), find_far_term(a), {}, {}};
  const auto name = [&](const std::optional<OddTerm>& term, Dof* dofs) {
    if (!term) return;
    dofs[0] = model.dofs[static_cast<std::size_t>(term->row)];
    dofs[1] = model.dofs[static_cast<std::size_t>(term->column)];
  };
  name(odd.impossible, odd.of_impossible);
  name(odd.far, odd.of_far);
  return odd;
}

void measure_mass(const MatrixModel& model, const SparseMatrix& mass, MatrixChecks& checks) {
  const Motions motions = rigid_motions(model, Eigen::Vector3d::Zero());
  const Eigen::Matrix<double, 6, 6> moments = motions.transpose() * (mass * motions);
  checks.translational_mass = moments.diagonal().head<3>();
  const double total = checks.translational_mass.mean();
  if (!(total > 0.0)) return;
  // A turn about an axis moves the centre c by e x c, so that the coupling block is m [c]x.
  const Eigen::Matrix3d coupling = moments.bottomLeftCorner<3, 3>() / total;
  checks.centre =
      0.5 * Eigen::Vector3d(coupling(2, 1) - coupling(1, 2), coupling(0, 2) - coupling(2, 0),
                            coupling(1, 0) - coupling(0, 1));
  const Motions about = rigid_motions(model, checks.centre);
  checks.inertia = about.rightCols<3>().transpose() * (mass * about.rightCols<3>());
}

}  // namespace

void place_nodes(MatrixModel& model, const SolidModel& mesh) {
  std::vector<std::int64_t> wanted;
  wanted.reserve(model.dofs.size());
  for (const Dof& dof : model.dofs) wanted.push_back(dof.node);
  std::sort(wanted.begin(), wanted.end());
  const auto is_wanted = [&](std::int64_t tag) {
    return std::binary_search(wanted.begin(), wanted.end(), tag);
  };
  for (std::int64_t node = 0; node < mesh.mesh.n_nodes(); ++node)
    if (is_wanted(mesh.mesh.node_tags[node]))
      model.nodes.emplace(mesh.mesh.node_tags[node], mesh.mesh.x.col(node));
  for (const LooseNode& node : mesh.loose_nodes)
    if (is_wanted(node.tag)) model.nodes.emplace(node.tag, node.x);
  for (const auto& [tag, axes] : mesh.node_axes)
    if (is_wanted(tag)) model.node_axes.emplace(tag, axes);
}

Motions rigid_motions(const MatrixModel& model, const Eigen::Vector3d& centre) {
  Motions motions = Motions::Zero(static_cast<Eigen::Index>(model.dofs.size()), 6);
  for (std::size_t i = 0; i < model.dofs.size(); ++i) {
    const auto [tag, component] = model.dofs[i];
    const auto node = model.nodes.find(tag);
    if (component < 1 || component > 6 || node == model.nodes.end()) continue;
    Eigen::Vector3d direction = Eigen::Vector3d::Unit((component - 1) % 3);
    const auto axes = model.node_axes.find(tag);
    if (axes != model.node_axes.end()) direction = axes->second * direction;
    auto row = motions.row(static_cast<Eigen::Index>(i));
    if (component > 3) {
      row.tail<3>() = direction;
    } else {
      row.head<3>() = direction;
      row.tail<3>() = (node->second - centre).cross(direction);  // d . (e x b) = e . (b x d)
    }
  }
  return motions;
}

MatrixChecks measure(const MatrixModel& model, int largest_dense) {
  const auto n = static_cast<Eigen::Index>(model.dofs.size());
  const SparseMatrix stiffness = model.has_stiffness()
                                     ? checked(model.stiffness, model, "stiffness", model.source)
                                     : SparseMatrix(n, n);
  const SparseMatrix mass = checked(model.mass, model, "mass", model.source_of_mass());
  MatrixChecks checks;
  checks.source = model.source;
  checks.source_of_mass = model.source_of_mass();
  checks.has_stiffness = model.has_stiffness();
  checks.n_dofs = static_cast<std::int64_t>(model.dofs.size());
  for (const Dof& dof : model.dofs) {
    checks.n_generalised += dof.component == 0;
    checks.n_unplaced += dof.component != 0 && model.nodes.count(dof.node) == 0;
  }
  checks.precision = model.stiffness.precision;
  checks.stiffness_asymmetry = asymmetry(stiffness);
  checks.mass_asymmetry = asymmetry(mass);
  checks.odd_stiffness = find_oddities(model, stiffness, model.stiffness.precision);
  checks.odd_mass = find_oddities(model, mass, model.mass.precision);
  measure_mass(model, mass, checks);
  if (!checks.has_stiffness) return checks;
  checks.pairing = measure_pairing(model.dofs, stiffness, mass);
  const Extent extent = extent_of(model);
  const Eigen::VectorXd scale = scales(model, stiffness, extent.radius);
  const SparseMatrix scaled = scale.asDiagonal() * stiffness * scale.asDiagonal();
  checks.rigid_residual =
      rigid_residual(scaled, scale, rigid_motions(model, extent.centre), extent.radius);
  if (checks.n_dofs > 0 && checks.n_dofs <= largest_dense) count_eigenvalues(scaled, mass, checks);
  return checks;
}

}  // namespace solidyn::imported
