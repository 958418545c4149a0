#include "eigen_pairs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "missed_equation.h"
#include "solidyn/math/dense.h"
#include "zero_eigenvalues.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kNearlyReal = 1e-9;  // |imag| against |s|
// Of the ladder: the first shift, of the highest rate, and each of the next ones, of that before.
constexpr double kFirstRung = 1e-3, kNextRung = 1e-4;
constexpr int kRungs = 3;
// A shift beside an eigenvalue, by which it and what is up to so many times larger are judged.
constexpr double kJudgedBeside = 0.8, kJudgedTogether = 30.0;
// Zeros that round-off has moved are slower than this part of the highest rate: a chain of three
// comes out as the third root of it.
constexpr double kSlowPart = 1e-4;

// One of two conjugates. Nearly real ones are two real ones.
void add_conjugates(Complex s, const VectorXcd& y, EigenPairs& pairs) {
  if (std::abs(s.imag()) > kNearlyReal * std::abs(s)) {
    pairs.push_back({s, y});
    return;
  }
  pairs.push_back({s.real(), y});
  if (s.imag() != 0.0) pairs.push_back({s.real(), y.conjugate()});
}

// By shifts that follow the pairs, which are sorted.
void judge(const MinimalCoordinates& m, EigenPairs& pairs) {
  std::optional<MissedEquation> missed;
  double shift = 0.0;
  for (EigenPair& pair : pairs) {
    const double size = std::abs(pair.s);
    if (size == 0.0) continue;
    if (!missed || size > kJudgedTogether * shift) {
      shift = kJudgedBeside * size;
      missed.emplace(m, shift);
    }
    pair.residual = missed->by(pair.s, pair.y);
  }
}

EigenPairs pairs_of_ladder(const MinimalCoordinates& m, double highest) {
  EigenPairs pairs;
  double shift = kFirstRung * highest;
  for (int i = 0; i < kRungs; ++i, shift *= kNextRung) {
    const WithoutZeros pencil(m, shift, WithoutZeros::Zeros::kept);
    const EigenPairs found =
        eigen_pairs_about(shift, pencil.A(), pencil.E(),
                          [&](Complex, const VectorXcd& z) { return VectorXcd(z.head(m.n_y())); });
    if (found.empty()) break;
    pairs = pairs.empty() ? found : joined(found, pairs, shift / std::sqrt(kNextRung));
  }
  return pairs;
}

}  // namespace

EigenPairs eigen_pairs_about(
    double shift, const MatrixXd& A, const MatrixXd& E,
    const std::function<VectorXcd(Complex, const VectorXcd&)>& coordinates) {
  const MatrixXd shifted = A - E;
  if (shifted.size() == 0) return {};
  const VectorXd sizes =
      shifted.rowwise().lpNorm<Eigen::Infinity>().cwiseMax(1e-300).cwiseInverse();
  const math::LuFactor lu(sizes.asDiagonal() * shifted);
  const auto spectrum = math::general_spectrum(lu.solve(sizes.asDiagonal() * E));
  EigenPairs pairs;
  if (!spectrum.has_converged) return pairs;
  for (Index k = 0; k < A.rows(); ++k) {
    const Complex nu = spectrum.values[k];
    if (nu.imag() > 0.0) continue;  // its conjugate has imag(s) > 0
    const Complex s = 1.0 + 1.0 / nu;
    add_conjugates(shift * s, coordinates(s, spectrum.vectors.col(k)), pairs);
  }
  sort_by_size(pairs);
  return pairs;
}

int count_eigenvalues(const EigenPairs& pairs) {
  int n = 0;
  for (const EigenPair& pair : pairs) n += pair.multiplicity();
  return n;
}

void sort_by_size(EigenPairs& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const EigenPair& a, const EigenPair& b) {
    return std::abs(a.s) < std::abs(b.s);
  });
}

EigenPairs joined(const EigenPairs& low, const EigenPairs& high, double middle) {
  const auto first = std::find_if(high.begin(), high.end(), [middle](const EigenPair& pair) {
    return std::abs(pair.s) >= middle;
  });
  const EigenPairs above(first, high.end());
  int n_low = count_eigenvalues(low) - count_eigenvalues(above);
  EigenPairs both;
  for (const EigenPair& pair : low) {
    n_low -= pair.multiplicity();
    if (n_low < 0) break;
    both.push_back(pair);
  }
  both.insert(both.end(), above.begin(), above.end());
  return both;
}

EigenPairs eigen_pairs_with_zeros(const MinimalCoordinates& m, double highest, int n_zeros,
                                  double& fastest_zero) {
  EigenPairs pairs = pairs_of_ladder(m, highest);
  judge(m, pairs);
  int n_too_many = count_eigenvalues(pairs) - (m.n_y() + m.n_u() - n_zeros);
  auto lowest = pairs.begin();
  while (lowest != pairs.end() && n_too_many >= lowest->multiplicity() &&
         std::abs(lowest->s) <= kSlowPart * highest)
    n_too_many -= (lowest++)->multiplicity();
  fastest_zero = lowest == pairs.begin() ? 0.0 : std::abs(std::prev(lowest)->s);
  pairs.erase(pairs.begin(), lowest);
  return pairs;
}

}  // namespace solidyn::analyses
