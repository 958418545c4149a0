#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "solidyn/imported/describe.h"
#include "solidyn/math/constants.h"

namespace solidyn::imported {
namespace {

constexpr std::size_t kMostModes = 12, kMostWarnings = 8;

std::string mode_line(const ImportedMode& mode, bool is_complex) {
  const std::string mass = mode.generalized_mass > 0.0
                               ? fmt::format("{:.6g}", mode.generalized_mass)
                               : std::string("not given");
  if (is_complex)
    return fmt::format("{:>6} {:>14.6g} {:>14.6g}  {}\n", mode.number, mode.eigenvalue,
                       mode.eigenvalue_imaginary, mass);
  const double frequency = std::sqrt(std::abs(mode.eigenvalue)) / math::kTwoPi;
  return fmt::format("{:>6} {:>14.6g}  {}{}\n", mode.number, frequency, mass,
                     mode.eigenvalue < 0.0 ? "  (eigenvalue negative)" : "");
}

std::string mode_table(const ModalData& modes) {
  std::string text = modes.is_complex ? "  mode      real, 1/s  imaginary, 1/s  generalised mass\n"
                                      : "  mode  frequency, Hz  generalised mass\n";
  const std::size_t n = std::min(kMostModes, modes.modes.size());
  for (std::size_t i = 0; i < n; ++i) text += mode_line(modes.modes[i], modes.is_complex);
  if (modes.modes.size() > n) text += fmt::format("   and {} more\n", modes.modes.size() - n);
  return text;
}

const char* terms_name(const Matrix& matrix) {
  switch (matrix.terms) {
    case Matrix::Terms::upper_triangle:
      return "symmetric, upper triangle";
    case Matrix::Terms::lower_triangle:
      return "symmetric, lower triangle";
    default:
      return nullptr;
  }
}

/// Of all terms, those of the other triangle too.
double sum_of(const Matrix& matrix, const std::vector<double>& values) {
  const bool is_triangle = matrix.terms != Matrix::Terms::all;
  double sum = 0.0;
  for (std::size_t e = 0; e < values.size(); ++e)
    sum += (is_triangle && matrix.rows[e] != matrix.columns[e] ? 2.0 : 1.0) * values[e];
  return sum;
}

/// r^T A r of unit translations along the components 1 to 3: the mass of a free body, thrice,
/// nothing of its stiffness.
std::string translation_text(const Matrix& matrix, const std::vector<Dof>& dofs) {
  Eigen::Vector3d sums = Eigen::Vector3d::Zero();
  const bool is_triangle = matrix.terms != Matrix::Terms::all;
  for (std::size_t e = 0; e < matrix.values.size(); ++e) {
    const int component = dofs[matrix.rows[e]].component;
    if (component < 1 || component > 3 || dofs[matrix.columns[e]].component != component) continue;
    sums[component - 1] +=
        (is_triangle && matrix.rows[e] != matrix.columns[e] ? 2.0 : 1.0) * matrix.values[e];
  }
  return fmt::format("{:<10} {:.6g}, {:.6g}, {:.6g} by translations along 1, 2, 3\n", "", sums[0],
                     sums[1], sums[2]);
}

std::string symmetry_text(const Matrix& matrix) {
  if (const char* name = terms_name(matrix)) return name;
  if (matrix.n_rows != matrix.n_columns) return "rectangular";
  if (!matrix.imaginary.empty()) return "complex";
  const double asymmetry = asymmetry_of(matrix);
  if (asymmetry == 0.0) return "symmetric";
  constexpr double kRoundoff = 1e-9;
  return fmt::format("{} {:.1e} of its largest term",
                     asymmetry < kRoundoff ? "symmetric to" : "not symmetric, by", asymmetry);
}

}  // namespace

std::string describe(const ImportReport& report) {
  std::string text, skipped;
  for (const auto& [name, n] : report.skipped)
    skipped += fmt::format("{}{} {}", skipped.empty() ? "" : ", ", n, name);
  if (!skipped.empty()) text += fmt::format("skipped    {}\n", skipped);
  const std::size_t n = std::min(kMostWarnings, report.warnings.size());
  for (std::size_t i = 0; i < n; ++i)
    text += fmt::format("warning    {}\n", report.warnings[i].what);
  if (report.warnings.size() > n)
    text += fmt::format("           and {} more\n", report.warnings.size() - n);
  return text;
}

std::string describe(const ModalData& modes) {
  return fmt::format("format     {}\nmodes      {} of {} nodes, {}{}{}\n", modes.format,
                     modes.modes.size(), modes.node_tags.size(),
                     modes.is_complex ? "complex" : "real",
                     modes.rotations.size() > 0 ? ", with rotations" : "",
                     modes.x.cols() > 0 ? ", with coordinates" : "") +
         mode_table(modes) + describe(modes.report);
}

std::string describe(const Matrix& matrix) {
  std::string text = fmt::format("{:<10} {} x {}, {} terms, {}", matrix.name, matrix.n_rows,
                                 matrix.n_columns, matrix.values.size(), symmetry_text(matrix));
  if (matrix.form != 0) text += fmt::format(" (form {}, type {})", matrix.form, matrix.type);
  return text + fmt::format(", sum {:.6g}{}\n", sum_of(matrix, matrix.values),
                            matrix.imaginary.empty()
                                ? std::string()
                                : fmt::format(" {:+.6g}i", sum_of(matrix, matrix.imaginary)));
}

std::string describe(const MatrixModel& model) {
  std::set<std::int64_t> nodes;
  std::int64_t n_translations = 0, n_rotations = 0, n_generalised = 0;
  for (const Dof& dof : model.dofs) {
    if (dof.component == 0) ++n_generalised;
    if (dof.component == 0) continue;
    nodes.insert(dof.node);
    ++(dof.component <= 3 ? n_translations : n_rotations);
  }
  std::string text = fmt::format("format     {}\n", model.format);
  if (!model.dofs.empty())
    text += fmt::format(
        "rows       {}: {} translations and {} rotations of {} nodes, {} generalised coordinates\n",
        model.dofs.size(), n_translations, n_rotations, nodes.size(), n_generalised);
  for (const Matrix* matrix : {&model.stiffness, &model.mass, &model.damping})
    if (matrix->n_rows > 0) {
      text += describe(*matrix);
      const bool has_rows = matrix->n_rows == static_cast<std::int64_t>(model.dofs.size());
      if (has_rows && n_translations > 0 && matrix->imaginary.empty())
        text += translation_text(*matrix, model.dofs);
    }
  return text + describe(model.report);
}

}  // namespace solidyn::imported
