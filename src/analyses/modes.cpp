#include "solidyn/analyses/modes.h"

#include <algorithm>
#include <cmath>

#include "mode_shapes.h"
#include "round_off.h"
#include "solidyn/base/error.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;

// The first shift, as part of the highest frequency; no later one is below the second.
constexpr double kFirstShift = 1e-3, kLowestShift = 1e-6;
// Eigenvalues so small against the shift may be zero, and are where the forces against the motion
// cancel down to round-off.
constexpr double kMaybeZero = 1e-4;
constexpr double kReal = 1e-9;  // |imag| against |s| of a real eigenvalue

struct Pair {
  Complex s;
  VectorXcd y;
};

// An upper bound of the frequencies, as far as norms tell.
double highest_rate(const MinimalCoordinates& m) {
  const Eigen::PartialPivLU<MatrixXd> lu(m.M);
  const double from_K = std::sqrt(lu.solve(m.K).norm()), from_D = lu.solve(m.D).norm();
  const double rate = std::max({from_K, from_D, m.C.norm()});
  return rate > 0.0 ? rate : 1.0;
}

// M y = theta (K + shift^2 M) y has theta = 1 / (omega^2 + shift^2). Empty when K is so indefinite
// that the right-hand matrix is.
std::vector<Pair> natural_vibrations(const MinimalCoordinates& m, double shift) {
  const MatrixXd M = 0.5 * (m.M + m.M.transpose());
  const MatrixXd shifted = 0.5 * (m.K + m.K.transpose()) + shift * shift * M;
  if (Eigen::LLT<MatrixXd>(shifted).info() != Eigen::Success) return {};
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(M, shifted);
  std::vector<Pair> pairs;
  for (Index k = m.n_y(); k-- > 0;) {
    const double square = 1.0 / solver.eigenvalues()[k] - shift * shift;
    const VectorXcd y = solver.eigenvectors().col(k).cast<Complex>();
    if (square >= 0.0) {
      pairs.push_back({Complex(0.0, std::sqrt(square)), y});
      continue;
    }
    pairs.push_back({std::sqrt(-square), y});
    pairs.push_back({-std::sqrt(-square), y});
  }
  return pairs;
}

// Of [C Z; -K -D] z = s [1 0; 0 M] z, time in units of 1/shift: the inverse of the first matrix
// less the second has the eigenvalues 1 / (s/shift - 1).
std::vector<Pair> damped_vibrations(const MinimalCoordinates& m, double shift) {
  const Index n_y = m.n_y(), n = n_y + m.n_u();
  MatrixXd A(n, n), E = MatrixXd::Identity(n, n);
  A << m.C / shift, m.Z, -m.K / (shift * shift), -m.D / shift;
  E.bottomRightCorner(m.n_u(), m.n_u()) = m.M;
  A -= E;
  const VectorXd sizes = A.rowwise().lpNorm<Eigen::Infinity>().cwiseMax(1e-300).cwiseInverse();
  const Eigen::PartialPivLU<MatrixXd> lu(sizes.asDiagonal() * A);
  const Eigen::EigenSolver<MatrixXd> solver(lu.solve(MatrixXd(sizes.asDiagonal() * E)));
  if (solver.info() != Eigen::Success)
    throw base::ComputationError("the eigenvalues of the linearised system were not found");
  std::vector<Pair> pairs;
  for (Index k = 0; k < n; ++k) {
    const Complex nu = solver.eigenvalues()[k];
    if (nu.imag() > 0.0 && nu != std::conj(nu)) continue;  // its conjugate has imag(s) > 0
    const Complex s = shift * (1.0 + 1.0 / nu);
    const bool is_real = std::abs(s.imag()) <= kReal * std::abs(s);
    pairs.push_back({is_real ? Complex(s.real()) : s, solver.eigenvectors().col(k).head(n_y)});
  }
  return pairs;
}

// x^H K x and x^H D x are round-off of their terms.
bool nothing_resists(const MinimalCoordinates& m, const Pair& pair) {
  const MatrixXd P = m.Z.transpose();
  const VectorXcd u = P.cast<Complex>() * pair.y;
  return cancels(m.K, u, pair.y) && cancels(m.D, u, u);
}

bool is_zero(const MinimalCoordinates& m, const Pair& pair, double shift) {
  return std::abs(pair.s) <= kMaybeZero * shift && nothing_resists(m, pair);
}

std::vector<Pair> find_pairs(const MinimalCoordinates& m, double shift) {
  std::vector<Pair> pairs;
  if (m.is_symmetric) pairs = natural_vibrations(m, shift);
  if (pairs.empty()) pairs = damped_vibrations(m, shift);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return std::abs(a.s) < std::abs(b.s); });
  return pairs;
}

// The lowest |s| that is none of a rigid mode; 0 when there is none.
double lowest_rate(const MinimalCoordinates& m, const std::vector<Pair>& pairs, double shift) {
  for (const Pair& pair : pairs)
    if (!is_zero(m, pair, shift)) return std::abs(pair.s);
  return 0.0;
}

}  // namespace

std::vector<Mode> find_modes(const Linearisation& l, const MinimalCoordinates& m, int count) {
  std::vector<Mode> rigid, others;
  if (m.n_u() == 0) return rigid;
  const double highest = highest_rate(m);
  double shift = kFirstShift * highest;
  std::vector<Pair> pairs = find_pairs(m, shift);
  const double lowest = std::max(lowest_rate(m, pairs, shift), kLowestShift * highest);
  if (lowest < shift) pairs = find_pairs(m, shift = lowest);

  int n_zero = 0;
  for (const Pair& pair : pairs) {
    if (is_zero(m, pair, shift)) {
      // Its negative, or the second of a double eigenvalue, is the same mode.
      const bool is_again = m.is_symmetric ? pair.s.real() < 0.0 : n_zero++ % 2 == 1;
      if (!is_again) rigid.push_back(make_mode(l, Mode::Kind::rigid, 0.0, m.N * pair.y));
    } else if (static_cast<int>(others.size()) < count) {
      others.push_back(make_mode(l, kind_of(pair.s), pair.s, m.N * pair.y));
    }
  }
  rigid.insert(rigid.end(), others.begin(), others.end());
  return rigid;
}

}  // namespace solidyn::analyses
