#include "solidyn/solvers/friction/delassus.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/math/sparse_lu.h"

namespace solidyn::solvers::friction {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ContactBlocks delassus_of_bodies(int n_contacts,
                                 const std::vector<Eigen::Matrix<double, 6, 6>>& inverse_masses,
                                 const std::vector<ContactLeg>& legs) {
  std::vector<std::vector<const ContactLeg*>> of_body(inverse_masses.size());
  for (const ContactLeg& leg : legs) {
    if (leg.body < 0 || leg.body >= static_cast<int>(of_body.size()))
      throw base::InputError(
          fmt::format("contact {} names body {} of {}", leg.contact + 1, leg.body, of_body.size()),
          "bodies count from 0");
    of_body[leg.body].push_back(&leg);
  }
  std::vector<ContactBlock> blocks;
  for (std::size_t b = 0; b < of_body.size(); ++b) {
    if (inverse_masses[b].isZero(0.0)) continue;
    for (const ContactLeg* row : of_body[b]) {
      const Eigen::Matrix<double, 3, 6> moved = row->J * inverse_masses[b];
      for (const ContactLeg* col : of_body[b])
        blocks.push_back({row->contact, col->contact, moved * col->J.transpose()});
    }
  }
  return {n_contacts, blocks};
}

CondensedProblem condense(const Eigen::SparseMatrix<double>& M,
                          const Eigen::SparseMatrix<double>& H, const VectorXd& f,
                          const VectorXd& w) {
  if (M.rows() != M.cols() || H.rows() != M.rows() || f.size() != M.rows() || w.size() != H.cols())
    throw base::InputError(fmt::format("M is {} x {}, H {} x {}, f has {} numbers and w {}",
                                       M.rows(), M.cols(), H.rows(), H.cols(), f.size(), w.size()),
                           "M is m x m, H m x 3 n, f has m and w 3 n numbers");
  const math::SparseLu factor(M);
  if (factor.has_failed())
    throw base::ComputationError("the mass matrix M of a friction-contact problem is singular");
  // A few columns at a time: M^-1 H as a whole may not fit.
  constexpr Eigen::Index kColumns = 48;
  const double round_off = 1e-15;
  const Eigen::SparseMatrix<double> transposed = H.transpose();
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index first = 0; first < H.cols(); first += kColumns) {
    const Eigen::Index n = std::min(kColumns, H.cols() - first);
    const MatrixXd some = transposed * factor.solve_columns(MatrixXd(H.middleCols(first, n)));
    const double limit = round_off * some.cwiseAbs().maxCoeff();
    for (Eigen::Index c = 0; c < n; ++c)
      for (Eigen::Index r = 0; r < some.rows(); ++r)
        if (std::abs(some(r, c)) > limit)
          entries.emplace_back(static_cast<int>(r), static_cast<int>(first + c), some(r, c));
  }
  Eigen::SparseMatrix<double> W(H.cols(), H.cols());
  W.setFromTriplets(entries.begin(), entries.end());
  return {ContactBlocks::from_sparse(W), w + transposed * factor.solve(f)};
}

}  // namespace solidyn::solvers::friction
