#include "solidyn/analyses/modes.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "eigen_pairs.h"
#include "missed_equation.h"
#include "mode_shapes.h"
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
// Where pairs miss the equations by more, they are looked for with the zeros among them.
constexpr double kMissed = 1e-4, kHidden = 1e-2;
constexpr double kRoundOffOfZero = 1e-15;  // of the highest rate

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
  virtual EigenPairs find(double shift) = 0;
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
  EigenPairs find(double shift) override {
    if (M_.size() == 0) return {};
    const MatrixXd shifted = K_ + shift * shift * M_;
    if (!math::CholeskyFactor(shifted).is_positive_definite()) return {};
    const auto spectrum = math::generalized_spectrum(M_, shifted);
    EigenPairs pairs;
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

  EigenPairs find(double shift) override {
    const WithoutZeros pencil(m_, shift);
    rigid_ = pencil.rigid();
    neutral_ = pencil.neutral();
    n_zeros_ = pencil.n_zeros();
    return eigen_pairs_about(shift, pencil.A(), pencil.E(), [&](Complex s, const VectorXcd& w) {
      return pencil.coordinates(s, w);
    });
  }
  const MatrixXd& rigid() const override { return rigid_; }
  const MatrixXd& neutral() const override { return neutral_; }
  int n_zeros() const override { return n_zeros_; }

 private:
  const MinimalCoordinates& m_;
  MatrixXd rigid_, neutral_;
  int n_zeros_ = 0;
};

EigenPairs find_sorted(const MinimalCoordinates& m, Eigenvalues& eigenvalues, double shift) {
  EigenPairs pairs = eigenvalues.find(shift);
  if (pairs.empty()) return pairs;
  const MissedEquation missed(m, shift);
  for (EigenPair& pair : pairs) pair.residual = missed.by(pair.s, pair.y);
  sort_by_size(pairs);
  return pairs;
}

// About a shift that follows the lowest eigenvalue. What is far above a shift loses its digits
// about it, and keeps the value that the shift before it gave.
EigenPairs find_pairs(const MinimalCoordinates& m, Eigenvalues& eigenvalues, double highest) {
  double shift = kFirstDenseShift * highest;
  EigenPairs pairs = find_sorted(m, eigenvalues, shift);
  for (int i = 1; i < kMaxDenseShifts && !pairs.empty(); ++i) {
    const double lowest = std::abs(pairs.front().s);
    if (lowest >= kNearDenseShift * shift && lowest <= shift / kNearDenseShift) break;
    const double next = std::max(kBesideDense * lowest, kFollowsDense * shift),
                 middle = std::sqrt(shift * next);
    EigenPairs found = find_sorted(m, eigenvalues, next);
    if (found.empty()) break;
    // Upwards nothing is below the middle.
    pairs = next < shift ? joined(found, pairs, middle) : std::move(found);
    shift = next;
  }
  return pairs;
}

// What is found of a linearisation, and how well. Zeros have s = 0.
struct Found {
  EigenPairs pairs, rigid, neutral;
  int n_missing = 0;
  double missed_by = 0.0, zeros_missed_by = 0.0;  // the largest, of the pairs that are wanted
};

// Zeros are taken for what nothing can be told from beside the lowest of the others.
Found judged(const MinimalCoordinates& m, EigenPairs pairs, const Eigenvalues& zeros,
             double highest, int count) {
  Found found;
  found.pairs = std::move(pairs);
  found.n_missing = m.n_y() + m.n_u() - zeros.n_zeros() - count_eigenvalues(found.pairs);
  const auto note = [](double residual, double& largest) {
    if (!(residual <= largest)) largest = residual;
  };
  const MissedEquation missed(
      m, found.pairs.empty() ? highest : std::abs(found.pairs.front().s) * kBesideDense);
  const auto judge = [&](const MatrixXd& columns, EigenPairs& judged) {
    for (Index k = 0; k < columns.cols(); ++k) {
      const VectorXcd y = columns.col(k).cast<Complex>();
      judged.push_back({0.0, y, missed.by(0.0, y)});
      note(judged.back().residual, found.zeros_missed_by);
    }
  };
  judge(zeros.rigid(), found.rigid);
  judge(zeros.neutral(), found.neutral);
  for (int k = 0; k < std::min(count, static_cast<int>(found.pairs.size())); ++k)
    note(found.pairs[k].residual, found.missed_by);
  return found;
}

bool is_sound(const Found& found) {
  return found.n_missing == 0 && found.missed_by <= kMissed && found.zeros_missed_by <= kMissed;
}

// Taking zeros off may go wrong, where motions lie many decades apart and errors of the stiff ones
// hide the slow ones. Eigenvalues that are found beside those that were missing may miss more.
bool is_better(const Found& other, const Found& found) {
  const int n_other = std::abs(other.n_missing), n_found = std::abs(found.n_missing);
  if (n_other != n_found)
    return n_other < n_found && other.missed_by <= std::max(found.missed_by, kHidden);
  return other.missed_by < found.missed_by;
}

}  // namespace

std::vector<Mode> find_modes(const Linearisation& l, const MinimalCoordinates& m, int count,
                             ModeSearch* search) {
  if (search) *search = {};
  if (m.n_u() == 0) return {};
  const double highest = highest_rate(m);
  std::unique_ptr<Eigenvalues> eigenvalues;
  EigenPairs pairs;
  if (m.is_symmetric) {
    eigenvalues = std::make_unique<NaturalVibrations>(m);
    pairs = find_pairs(m, *eigenvalues, highest);
  }
  if (pairs.empty() && !(eigenvalues && eigenvalues->rigid().cols() == m.n_y())) {
    eigenvalues = std::make_unique<DampedVibrations>(m);
    pairs = find_pairs(m, *eigenvalues, highest);
  }
  Found found = judged(m, std::move(pairs), *eigenvalues, highest, count);
  ModeSearch how{found.n_missing, found.missed_by, std::nullopt};
  if (!is_sound(found)) {
    double fastest_zero = 0.0;
    Found other =
        judged(m, eigen_pairs_with_zeros(m, highest, eigenvalues->n_zeros(), fastest_zero),
               *eigenvalues, highest, count);
    if (is_better(other, found)) {
      if (fastest_zero <= kRoundOffOfZero * highest) fastest_zero = 0.0;
      how = {other.n_missing, other.missed_by,
             ModeSearch::Poor{found.n_missing, found.missed_by, fastest_zero}};
      found = std::move(other);
    }
  }
  if (search) *search = how;
  std::vector<Mode> modes;
  const auto add = [&](Mode::Kind kind, const EigenPair& pair) {
    modes.push_back(make_mode(l, kind, pair.s, m.N * pair.y));
    modes.back().residual = pair.residual;
  };
  for (const EigenPair& pair : found.rigid) add(Mode::Kind::rigid, pair);
  for (const EigenPair& pair : found.neutral) add(Mode::Kind::neutral, pair);
  for (int k = 0; k < std::min(count, static_cast<int>(found.pairs.size())); ++k)
    add(kind_of(found.pairs[k].s), found.pairs[k]);
  return modes;
}

}  // namespace solidyn::analyses
