#include <fmt/format.h>

#include <cmath>
#include <set>

#include "solidyn/imported/checks.h"
#include "solidyn/math/constants.h"

namespace solidyn::imported {
namespace {

// Rigid modes have eigenvalues that are 0 but for roundoff, of either sign. The gap behind them
// decides, since their size depends on the program and on the units of the file.
int count_rigid(const ModalData& modes) {
  std::vector<double> sizes;
  sizes.reserve(modes.modes.size());
  for (const ImportedMode& mode : modes.modes) sizes.push_back(std::abs(mode.eigenvalue));
  std::sort(sizes.begin(), sizes.end());
  for (std::size_t i = std::min<std::size_t>(6, sizes.size()); i > 0; --i) {
    const double next = i < sizes.size() ? sizes[i] : 0.0;
    if (sizes[i - 1] == 0.0 || sizes[i - 1] < 1e-6 * next) return static_cast<int>(i);
  }
  return 0;
}

// At most as many as there are modes: other numbers count something else.
std::vector<int> find_missing(const ModalData& modes) {
  std::set<int> numbers;
  for (const ImportedMode& mode : modes.modes) numbers.insert(mode.number);
  std::vector<int> missing;
  if (numbers.empty()) return missing;
  for (int i = *numbers.begin(); i < *numbers.rbegin() && missing.size() <= numbers.size(); ++i)
    if (numbers.count(i) == 0) missing.push_back(i);
  if (missing.size() > numbers.size()) missing.clear();
  return missing;
}

void compare_with_mass(const ModalData& modes, const Eigen::SparseMatrix<double>& mass,
                       ModalChecks& checks) {
  if (mass.rows() != modes.translations.rows() || mass.cols() != mass.rows())
    throw base::InputError(
        fmt::format("the mass matrix is {} x {}, but the modes have {} nodal translations",
                    mass.rows(), mass.cols(), modes.translations.rows()),
        "give the mass matrix of the nodes of the modes", {modes.source, 0, 0});
  const Eigen::MatrixXd gram = modes.translations.transpose() * (mass * modes.translations);
  checks.has_mass = true;
  checks.modal_masses = gram.diagonal();
  for (Eigen::Index i = 0; i < gram.rows(); ++i) {
    const double given = modes.modes[i].generalized_mass;
    if (given > 0.0)
      checks.mass_disagreement =
          std::max(checks.mass_disagreement, std::abs(gram(i, i) / given - 1.0));
    for (Eigen::Index j = 0; j < i; ++j)
      if (gram(i, i) > 0.0 && gram(j, j) > 0.0)
        checks.orthogonality = std::max(checks.orthogonality,
                                        std::abs(gram(i, j)) / std::sqrt(gram(i, i) * gram(j, j)));
  }
}

}  // namespace

ModalChecks measure(const ModalData& modes, const Eigen::SparseMatrix<double>* mass) {
  ModalChecks checks;
  checks.source = modes.source;
  checks.n_nodes = static_cast<std::int64_t>(modes.node_tags.size());
  checks.precision = modes.precision;
  checks.is_complex = modes.is_complex;
  checks.missing_numbers = find_missing(modes);
  for (const ImportedMode& mode : modes.modes)
    checks.frequencies.push_back(std::sqrt(std::max(0.0, mode.eigenvalue)) / math::kTwoPi);
  if (modes.is_complex) return checks;
  checks.n_rigid = count_rigid(modes);
  if (modes.rotations.size() > 0) checks.largest_rotation = modes.rotations.cwiseAbs().maxCoeff();
  if (mass) compare_with_mass(modes, *mass, checks);
  return checks;
}

}  // namespace solidyn::imported
