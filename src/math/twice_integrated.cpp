#include <algorithm>
#include <array>
#include <cmath>

#include "math/time_function_form.h"

namespace solidyn::math {
namespace {

constexpr double kPanel = 0.01;  // s
constexpr int kFirstPieces = 4;  // of a panel: what is shorter than their nodes' distance hides
constexpr double kTolerance = 1e-13;      // of the integral of |f| over the panel
constexpr double kShortest = 1e-15;       // of a panel: the place of a jump
constexpr std::size_t kMaxPieces = 2000;  // of a panel: more do not help against round-off

// Over one piece: of f, of |f|, and of (to - s) f(s).
struct Integrals {
  double rate = 0.0, size = 0.0, value = 0.0;
};

/// Lobatto's rule of seven nodes. The ends are among them: a jump between the last two shows, by
/// the weight of the last one in the piece and in its halves.
template <class F>
Integrals integrate(const F& f, double from, double to) {
  static const double kFar = std::sqrt((5.0 + 2.0 * std::sqrt(5.0 / 3.0)) / 11.0),
                      kNear = std::sqrt((5.0 - 2.0 * std::sqrt(5.0 / 3.0)) / 11.0),
                      kOfFar = (124.0 - 7.0 * std::sqrt(15.0)) / 350.0,
                      kOfNear = (124.0 + 7.0 * std::sqrt(15.0)) / 350.0;
  static const std::array<double, 7> kNodes = {-1.0, -kFar, -kNear, 0.0, kNear, kFar, 1.0};
  static const std::array<double, 7> kWeights = {1.0 / 21.0, kOfFar, kOfNear,   256.0 / 525.0,
                                                 kOfNear,    kOfFar, 1.0 / 21.0};
  const double half = 0.5 * (to - from);
  Integrals sum;
  for (std::size_t i = 0; i < kNodes.size(); ++i) {
    const double to_end = half * (1.0 - kNodes[i]), y = half * kWeights[i] * f(to - to_end);
    sum.rate += y;
    sum.size += std::abs(y);
    sum.value += to_end * y;
  }
  return sum;
}

/// The law is integrated panel by panel, each in pieces in which it is smooth, and their starts are
/// kept. A value costs one rule over part of a piece, agrees with the law wherever in the panel it
/// jumps, and does not depend on what was asked before it.
class TwiceIntegrated final : public TimeFunction::Form {
 public:
  TwiceIntegrated(const TimeFunction& law, double start, double rate)
      : law_(law), starts_({{0.0, start, rate}}) {}
  std::unique_ptr<Form> clone() const override { return std::make_unique<TwiceIntegrated>(*this); }
  double value(double t) const override { return at(t).value; }
  std::string text() const override { return "that is integrated twice"; }
  TimeFunction::Values evaluate(double t) const override {
    const Start end = at(t);
    return {end.value, end.rate, law_.value(t)};
  }

 private:
  struct Start {
    double t, value, rate;
  };

  Start at(double t) const {
    while (t > kPanel * n_panels_) add_panel();
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), t,
                                       [](double time, const Start& s) { return time < s.t; });
    return onward(next == starts_.begin() ? *next : *(next - 1), t);
  }

  Start onward(const Start& s, double t) const {
    if (t == s.t) return s;
    const Integrals sum = integrate([&](double at) { return law_.value(at); }, s.t, t);
    return {t, s.value + s.rate * (t - s.t) + sum.value, s.rate + sum.rate};
  }

  // Halves the piece whose halves differ most from it until all differ by little.
  void add_panel() const {
    struct Piece {
      double from, to, error;
      bool operator<(const Piece& other) const { return error < other.error; }
    };
    const auto f = [&](double at) { return law_.value(at); };
    const auto judged = [&](double from, double to) {
      const double middle = 0.5 * (from + to);
      const double halves = integrate(f, from, middle).rate + integrate(f, middle, to).rate;
      const bool is_shortest = to - from <= kShortest * kPanel * (1.0 + n_panels_);
      return Piece{from, to, is_shortest ? 0.0 : std::abs(integrate(f, from, to).rate - halves)};
    };
    std::vector<Piece> pieces;
    double size = 0.0;
    for (int i = 0; i < kFirstPieces; ++i) {
      const double from = kPanel * (n_panels_ + static_cast<double>(i) / kFirstPieces),
                   to = kPanel * (n_panels_ + static_cast<double>(i + 1) / kFirstPieces);
      pieces.push_back(judged(from, to));
      size += integrate(f, from, to).size;
    }
    std::make_heap(pieces.begin(), pieces.end());
    while (pieces.front().error > kTolerance * size && pieces.size() < kMaxPieces) {
      std::pop_heap(pieces.begin(), pieces.end());
      const Piece worst = pieces.back();
      pieces.pop_back();
      const double middle = 0.5 * (worst.from + worst.to);
      for (const Piece& half : {judged(worst.from, middle), judged(middle, worst.to)}) {
        pieces.push_back(half);
        std::push_heap(pieces.begin(), pieces.end());
      }
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.from < b.from; });
    for (const Piece& piece : pieces) starts_.push_back(onward(starts_.back(), piece.to));
    n_panels_ += 1.0;
  }

  TimeFunction law_;
  mutable std::vector<Start> starts_;  // of pieces
  mutable double n_panels_ = 0.0;
};

}  // namespace

TimeFunction TimeFunction::twice_integrated(const TimeFunction& law, double start,
                                            double start_rate) {
  return TimeFunction(std::make_unique<TwiceIntegrated>(law, start, start_rate));
}

}  // namespace solidyn::math
