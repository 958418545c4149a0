#include "math/spline_curvature.h"

#include "solidyn/math/sparse_lu.h"

namespace solidyn::math {
namespace {

using Numbers = std::vector<double>;
using Kind = TimeFunction::Ends::Kind;

double slope_of_secant(const Numbers& t, const Numbers& y, std::size_t i) {
  return (y[i + 1] - y[i]) / (t[i + 1] - t[i]);
}

/// No curvature at the ends (Thomas algorithm).
Numbers natural(const Numbers& t, const Numbers& y) {
  const std::size_t n = t.size();
  Numbers curvature(n, 0.0), upper(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double left = t[i] - t[i - 1], right = t[i + 1] - t[i];
    const double pivot = 2.0 * (left + right) - left * upper[i - 1];
    upper[i] = right / pivot;
    curvature[i] = (6.0 * (slope_of_secant(t, y, i) - slope_of_secant(t, y, i - 1)) -
                    left * curvature[i - 1]) /
                   pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) curvature[i] -= upper[i] * curvature[i + 1];
  return curvature;
}

/// Linear equations for the curvatures: a row per point, of a few terms.
class Equations {
 public:
  explicit Equations(std::size_t n) : right_(Eigen::VectorXd::Zero(static_cast<int>(n))) {}

  void add(std::size_t row, std::size_t column, double factor) {
    terms_.emplace_back(static_cast<int>(row), static_cast<int>(column), factor);
  }
  void set_right(std::size_t row, double value) { right_[static_cast<int>(row)] = value; }

  /// The slope is the same on both sides of a point, by intervals of these lengths and secants.
  void add_smooth(std::size_t row, std::size_t before, std::size_t after, double left, double right,
                  double secant_left, double secant_right) {
    add(row, before, left);
    add(row, row, 2.0 * (left + right));
    add(row, after, right);
    set_right(row, 6.0 * (secant_right - secant_left));
  }

  Numbers solve() const {
    const auto n = static_cast<int>(right_.size());
    Eigen::SparseMatrix<double> A(n, n);
    A.setFromTriplets(terms_.begin(), terms_.end());
    const Eigen::VectorXd x = SparseLu(A).solve(right_);
    return {x.data(), x.data() + n};
  }

 private:
  std::vector<Eigen::Triplet<double>> terms_;
  Eigen::VectorXd right_;
};

Numbers periodic(const Numbers& t, const Numbers& y) {
  const std::size_t n = t.size() - 1;  // the last point is the first
  Equations equations(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n;
    equations.add_smooth(i, before, (i + 1) % n, t[before + 1] - t[before], t[i + 1] - t[i],
                         slope_of_secant(t, y, before), slope_of_secant(t, y, i));
  }
  Numbers curvature = equations.solve();
  curvature.push_back(curvature.front());
  return curvature;
}

/// The curvature continues along one line through three points from `end`.
void add_not_a_knot(Equations& equations, const Numbers& t, std::size_t end, std::size_t next,
                    std::size_t third) {
  const double first = t[next] - t[end], second = t[third] - t[next];
  equations.add(end, end, second);
  equations.add(end, next, -(first + second));
  equations.add(end, third, first);
}

Numbers with_ends(const Numbers& t, const Numbers& y, const TimeFunction::Ends& ends) {
  const std::size_t n = t.size(), last = n - 1;
  Equations equations(n);
  for (std::size_t i = 1; i < last; ++i)
    equations.add_smooth(i, i - 1, i + 1, t[i] - t[i - 1], t[i + 1] - t[i],
                         slope_of_secant(t, y, i - 1), slope_of_secant(t, y, i));
  if (ends.kind == Kind::not_a_knot) {
    add_not_a_knot(equations, t, 0, 1, 2);
    add_not_a_knot(equations, t, last, last - 1, last - 2);
    return equations.solve();
  }
  const double first = t[1] - t[0], final = t[last] - t[last - 1];
  equations.add(0, 0, 2.0 * first);
  equations.add(0, 1, first);
  equations.set_right(0, 6.0 * (slope_of_secant(t, y, 0) - ends.first_slope));
  equations.add(last, last - 1, final);
  equations.add(last, last, 2.0 * final);
  equations.set_right(last, 6.0 * (ends.last_slope - slope_of_secant(t, y, last - 1)));
  return equations.solve();
}

}  // namespace

Numbers spline_curvature(const Numbers& t, const Numbers& y, const TimeFunction::Ends& ends) {
  if (ends.kind == Kind::natural) return natural(t, y);
  if (ends.kind == Kind::periodic) return periodic(t, y);
  if (ends.kind == Kind::not_a_knot && t.size() == 2) return {0.0, 0.0};
  if (ends.kind == Kind::not_a_knot && t.size() == 3) {
    const double bend = slope_of_secant(t, y, 1) - slope_of_secant(t, y, 0);
    return Numbers(3, 2.0 * bend / (t[2] - t[0]));
  }
  return with_ends(t, y, ends);
}

}  // namespace solidyn::math
