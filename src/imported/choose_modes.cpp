#include "solidyn/imported/choose_modes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

namespace solidyn::imported {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

void keep_columns(const std::vector<Index>& columns, MatrixXd& values) {
  if (values.cols() > 0) values = values(Eigen::all, columns).eval();
}

double largest_component(const ModalData& modes, Index mode) {
  double largest = modes.translations.col(mode).cwiseAbs().maxCoeff();
  if (modes.rotations.rows() > 0)
    largest = std::max(largest, modes.rotations.col(mode).cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace

void keep_subcase(ModalData& modes, int subcase) {
  if (modes.modes.empty()) return;
  std::set<int> others;
  for (const ImportedMode& mode : modes.modes) others.insert(mode.subcase);
  if (subcase == 0 && others.size() == 1) return;
  const int wanted = subcase == 0 ? modes.modes.front().subcase : subcase;
  if (others.erase(wanted) == 0)
    throw base::InputError(fmt::format("{}: no modes of subcase or step {}", modes.source, wanted),
                           fmt::format("it has modes of {}", fmt::join(others, ", ")),
                           {modes.source, 0, 0});
  if (subcase == 0)
    modes.report.warnings.push_back(
        {{modes.source, 0, 0},
         fmt::format("the modes of subcase or step {} are used; the file also has modes of {}",
                     wanted, fmt::join(others, ", ")),
         fmt::format("to choose one, write for example  import: {{subcase: {}}}",
                     *others.begin())});
  std::vector<Index> columns;
  for (std::size_t i = 0; i < modes.modes.size(); ++i)
    if (modes.modes[i].subcase == wanted) columns.push_back(static_cast<Index>(i));
  for (MatrixXd* values : {&modes.translations, &modes.rotations, &modes.imaginary_translations,
                           &modes.imaginary_rotations})
    keep_columns(columns, *values);
  std::vector<ImportedMode> kept;
  kept.reserve(columns.size());
  for (const Index column : columns) kept.push_back(modes.modes[column]);
  modes.modes = std::move(kept);
}

bool has_unit_maximum(const ModalData& modes) {
  constexpr double kDigits = 1e-4;
  if (modes.modes.empty() || modes.translations.rows() == 0) return false;
  for (Index mode = 0; mode < modes.translations.cols(); ++mode)
    if (std::abs(largest_component(modes, mode) - 1.0) > kDigits &&
        std::abs(modes.translations.col(mode).cwiseAbs().maxCoeff() - 1.0) > kDigits)
      return false;
  return true;
}

}  // namespace solidyn::imported
