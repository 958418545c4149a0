#include "solidyn/analyses/modes.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "missed_equation.h"
#include "mode_shapes.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "zero_eigenvalues.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;

// The first shift, as part of the highest frequency; a later one goes no further down at once than
// the second part of the one before it, to which that one found it well enough.
constexpr double kFirstDenseShift = 1e-3, kFollowsDense = 1e-4;
// The last one is as near to the lowest eigenvalue, and not on it, should it be real.
constexpr double kNearDenseShift = 0.5, kBesideDense = 0.8;
constexpr int kMaxDenseShifts = 5;
constexpr double kRealEigenvalue = 1e-9;  // |imag| against |s| of a real eigenvalue

struct Pair {
  Complex s;
  VectorXcd y;
  double residual = 0.0;
};

// An upper bound of the frequencies from norms.
double highest_rate(const MinimalCoordinates& m) {
  const math::LuFactor lu(m.M);
  const double from_K = std::sqrt(lu.solve(m.K).norm()), from_D = lu.solve(m.D).norm();
  const double rate = std::max({from_K, from_D, m.C.norm()});
  return rate > 0.0 ? rate : 1.0;
}

// What is not zero of all eigenvalues, about a shift.
class Eigenvalues {
 public:
  virtual ~Eigenvalues() = default;
  /// Empty when this is no way to find them.
  virtual std::vector<Pair> find(double shift) = 0;
  virtual const MatrixXd& rigid() const = 0;  ///< columns y, once found
  virtual const MatrixXd& neutral() const = 0;
  virtual int n_zeros() const = 0;  ///< with all members of chains
};

// M y = theta (K + shift^2 M) y has theta = 1 / (omega^2 + shift^2), on what is M-orthogonal to the
// null space of K.
class NaturalVibrations final : public Eigenvalues {
 public:
  explicit NaturalVibrations(const MinimalCoordinates& m) : none_(m.n_y(), 0) {
    const MatrixXd M = 0.5 * (m.M + m.M.transpose()), K = 0.5 * (m.K + m.K.transpose());
    rigid_ = null_space_within(m.K, m.K_error);
    W_ = MatrixXd::Identity(m.n_y(), m.n_y());
    if (rigid_.cols() > 0) {
      rigid_ = math::CholeskyFactor(rigid_.transpose() * M * rigid_).divide_by_upper(rigid_);
      W_ = complement(M * rigid_);
    }
    M_ = W_.transpose() * M * W_;
    K_ = W_.transpose() * K * W_;
  }

  // Empty when K is so indefinite that the right-hand matrix is.
  std::vector<Pair> find(double shift) override {
    if (M_.size() == 0) return {};
    const MatrixXd shifted = K_ + shift * shift * M_;
    if (!math::CholeskyFactor(shifted).is_positive_definite()) return {};
    const auto spectrum = math::generalized_spectrum(M_, shifted);
    std::vector<Pair> pairs;
    for (Index k = M_.rows(); k-- > 0;) {
      const double square = 1.0 / spectrum.values[k] - shift * shift;
      const VectorXcd y = (W_ * spectrum.vectors.col(k)).cast<Complex>();
      if (square >= 0.0) {
        pairs.push_back({Complex(0.0, std::sqrt(square)), y});
        continue;
      }
      pairs.push_back({std::sqrt(-square), y});
      pairs.push_back({-std::sqrt(-square), y});
    }
    return pairs;
  }
  const MatrixXd& rigid() const override { return rigid_; }
  const MatrixXd& neutral() const override { return none_; }
  int n_zeros() const override { return 2 * static_cast<int>(rigid_.cols()); }

 private:
  MatrixXd rigid_, none_, W_, M_, K_;
};

// Of A z = s E z, [C Z; -K -D] and [1 0; 0 M] without zeros and with time in units of 1/shift: the
// inverse of A - E times E has the eigenvalues 1 / (s/shift - 1).
class DampedVibrations final : public Eigenvalues {
 public:
  explicit DampedVibrations(const MinimalCoordinates& m) : m_(m) {}

  std::vector<Pair> find(double shift) override {
    const WithoutZeros pencil(m_, shift);
    rigid_ = pencil.rigid();
    neutral_ = pencil.neutral();
    n_zeros_ = pencil.n_zeros();
    const MatrixXd A = pencil.A() - pencil.E();
    if (A.size() == 0) return {};
    const VectorXd sizes = A.rowwise().lpNorm<Eigen::Infinity>().cwiseMax(1e-300).cwiseInverse();
    const math::LuFactor lu(sizes.asDiagonal() * A);
    const auto spectrum = math::general_spectrum(lu.solve(sizes.asDiagonal() * pencil.E()));
    if (!spectrum.has_converged)
      throw base::ComputationError("the eigensolver of the linearised system did not converge");
    std::vector<Pair> pairs;
    for (Index k = 0; k < A.rows(); ++k) {
      const Complex nu = spectrum.values[k];
      if (nu.imag() > 0.0 && nu != std::conj(nu)) continue;  // its conjugate has imag(s) > 0
      Complex s = 1.0 + 1.0 / nu;
      if (std::abs(s.imag()) <= kRealEigenvalue * std::abs(s)) s = s.real();
      pairs.push_back({shift * s, pencil.coordinates(s, spectrum.vectors.col(k))});
    }
    return pairs;
  }
  const MatrixXd& rigid() const override { return rigid_; }
  const MatrixXd& neutral() const override { return neutral_; }
  int n_zeros() const override { return n_zeros_; }

 private:
  const MinimalCoordinates& m_;
  MatrixXd rigid_, neutral_;
  int n_zeros_ = 0;
};

std::vector<Pair> find_sorted(const MinimalCoordinates& m, Eigenvalues& eigenvalues, double shift) {
  std::vector<Pair> pairs = eigenvalues.find(shift);
  if (pairs.empty()) return pairs;
  const MissedEquation missed(m, shift);
  for (Pair& pair : pairs) pair.residual = missed.by(pair.s, pair.y);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return std::abs(a.s) < std::abs(b.s); });
  return pairs;
}

int multiplicity(const Pair& pair) { return pair.s.imag() != 0.0 ? 2 : 1; }

int count_eigenvalues(const std::vector<Pair>& pairs) {
  int n = 0;
  for (const Pair& pair : pairs) n += multiplicity(pair);
  return n;
}

// The lowest of `low` and `high` above `middle`, by number, since one whose value the higher shift
// missed may change sides. From above: the lower shift tells slow motions from zeros, so that it
// may find more of them.
std::vector<Pair> joined(const std::vector<Pair>& low, const std::vector<Pair>& high,
                         std::ptrdiff_t n_high) {
  const std::vector<Pair> above(high.end() - n_high, high.end());
  int n_low = count_eigenvalues(low) - count_eigenvalues(above);
  std::vector<Pair> both;
  for (const Pair& pair : low) {
    n_low -= multiplicity(pair);
    if (n_low < 0) break;
    both.push_back(pair);
  }
  both.insert(both.end(), above.begin(), above.end());
  return both;
}

// About a shift that follows the lowest eigenvalue. What is far above a shift loses its digits
// about it, and keeps the value that the shift before it gave.
std::vector<Pair> find_pairs(const MinimalCoordinates& m, Eigenvalues& eigenvalues,
                             double highest) {
  double shift = kFirstDenseShift * highest;
  std::vector<Pair> pairs = find_sorted(m, eigenvalues, shift);
  for (int i = 1; i < kMaxDenseShifts && !pairs.empty(); ++i) {
    const double lowest = std::abs(pairs.front().s);
    if (lowest >= kNearDenseShift * shift && lowest <= shift / kNearDenseShift) break;
    const double next = std::max(kBesideDense * lowest, kFollowsDense * shift),
                 middle = std::sqrt(shift * next);
    std::vector<Pair> found = find_sorted(m, eigenvalues, next);
    if (found.empty()) break;
    const auto n_high = std::count_if(pairs.begin(), pairs.end(), [middle](const Pair& pair) {
      return std::abs(pair.s) >= middle;
    });
    // Upwards nothing is below the middle.
    pairs = next < shift ? joined(found, pairs, n_high) : std::move(found);
    shift = next;
  }
  return pairs;
}

}  // namespace

std::vector<Mode> find_modes(const Linearisation& l, const MinimalCoordinates& m, int count,
                             int* n_missing) {
  std::vector<Mode> modes;
  if (n_missing) *n_missing = 0;
  if (m.n_u() == 0) return modes;
  const double highest = highest_rate(m);
  std::unique_ptr<Eigenvalues> eigenvalues;
  std::vector<Pair> pairs;
  if (m.is_symmetric) {
    eigenvalues = std::make_unique<NaturalVibrations>(m);
    pairs = find_pairs(m, *eigenvalues, highest);
  }
  if (pairs.empty() && !(eigenvalues && eigenvalues->rigid().cols() == m.n_y())) {
    eigenvalues = std::make_unique<DampedVibrations>(m);
    pairs = find_pairs(m, *eigenvalues, highest);
  }
  if (n_missing) *n_missing = m.n_y() + m.n_u() - eigenvalues->n_zeros() - count_eigenvalues(pairs);
  // Zeros are taken for what nothing can be told from beside the lowest of the others.
  const MissedEquation missed(m,
                              pairs.empty() ? highest : std::abs(pairs.front().s) * kBesideDense);
  const auto add_zeros = [&](Mode::Kind kind, const MatrixXd& columns) {
    for (Index k = 0; k < columns.cols(); ++k) {
      modes.push_back(make_mode(l, kind, 0.0, (m.N * columns.col(k)).cast<Complex>()));
      modes.back().residual = missed.by(0.0, columns.col(k).cast<Complex>());
    }
  };
  add_zeros(Mode::Kind::rigid, eigenvalues->rigid());
  add_zeros(Mode::Kind::neutral, eigenvalues->neutral());
  for (int k = 0; k < std::min(count, static_cast<int>(pairs.size())); ++k) {
    modes.push_back(make_mode(l, kind_of(pairs[k].s), pairs[k].s, m.N * pairs[k].y));
    modes.back().residual = pairs[k].residual;
  }
  return modes;
}

}  // namespace solidyn::analyses
