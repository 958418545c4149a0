#include "supernodal_panels.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>

#if defined(__SSE__)
#include <immintrin.h>
#endif

#include "solidyn/base/error.h"

namespace solidyn::solvers {
namespace {

constexpr std::size_t kLine = 64;  // bytes
constexpr int kStrip = 8;
constexpr int kLeastTile = 4;  // rows that a strip is filled up to a multiple of
// Numbers of a factor that are below are as good as zero: its rows have the norm one.
constexpr double kNothing = 1e-30;

template <class Real>
constexpr int kTile = static_cast<int>(kLine / sizeof(Real));

template <class Real, int N>
using Line = Eigen::Array<Real, N, 1>;
template <class Real, int N>
using ConstLine = Eigen::Map<const Line<Real, N>>;
template <class Real, int N>
using MutableLine = Eigen::Map<Line<Real, N>>;

int filled_up(int n_rows) { return (n_rows + kLeastTile - 1) / kLeastTile * kLeastTile; }

// Widths of strips: eight, and what is left by halves, each a kernel that is compiled for it.
int width_of_strip(int n_columns) {
  int width = kStrip;
  while (width > n_columns) width /= 2;
  return width;
}

std::size_t size_of_strip(int width, int below) {
  return static_cast<std::size_t>(width) * static_cast<std::size_t>(width + filled_up(below));
}

std::size_t size_of_panel(int n_columns, int n_rows) {
  std::size_t size = 0;
  for (int j = 0; j < n_columns;) {
    const int width = width_of_strip(n_columns - j);
    j += width;
    size += size_of_strip(width, n_rows - j);
  }
  return size;
}

// Numbers of a column times the scales of their rows.
template <class Real>
void round(const double* values, const double* scales, int n, Real* to) {
  for (int i = 0; i < n; ++i) {
    const double value = values[i] * scales[i];
    to[i] = static_cast<Real>(std::abs(value) < kNothing ? 0.0 : value);
  }
}

// Solutions decay by many powers of ten over a body where masses dominate: what single precision
// cannot hold would cost a hundred times an ordinary operation each.
class FlushToZero {
 public:
#if defined(__SSE__)
  FlushToZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | kFlush); }
  ~FlushToZero() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned kFlush = 0x8040;  // results, and operands
  unsigned before_;
#else
  FlushToZero() {}
#endif
 public:
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;
};

// Rows of one strip, of K right-hand sides that are `ld` apart.
template <class Real, int W, int K>
struct StripOf {
  using Index = std::ptrdiff_t;
  Index ld;

  // w := L^-1 w in the triangle, of which x is a copy.
  void solve_triangle(const Real* L, Real* w, Real (&x)[K][W]) const {
    for (int k = 0; k < K; ++k)
      for (int j = 0; j < W; ++j) {
        Real sum = w[k * ld + j];
        for (int i = 0; i < j; ++i) sum -= L[i * W + j] * x[k][i];
        w[k * ld + j] = x[k][j] = sum * L[j * W + j];
      }
  }
  template <int H>
  void subtract(const Real* L, const Real (&x)[K][W], Real* w) const {
    Line<Real, H> sum[K];
    for (int k = 0; k < K; ++k) sum[k] = ConstLine<Real, H>(w + k * ld);
    for (int j = 0; j < W; ++j) {
      const Line<Real, H> column = ConstLine<Real, H>(L + j * H);
      for (int k = 0; k < K; ++k) sum[k] -= column * x[k][j];
    }
    for (int k = 0; k < K; ++k) MutableLine<Real, H>(w + k * ld) = sum[k];
  }
  const Real* forward(const Real* L, int below, Real* w) const {
    constexpr int H = kTile<Real>;
    Real x[K][W];
    solve_triangle(L, w, x);
    L += W * W;
    w += W;
    int left = filled_up(below);
    for (; left >= H; left -= H, L += H * W, w += H) subtract<H>(L, x, w);
    for_rest(left, [&](auto height) {
      subtract<height>(L, x, w);
      L += height * W;
      w += height;
    });
    return L;
  }

  template <int H, int First, int N>
  void add_products(const Real* L, const Real* w, Line<Real, H> (&sums)[K][N]) const {
    for (int k = 0; k < K; ++k) {
      const Line<Real, H> given = ConstLine<Real, H>(w + k * ld);
      for (int j = 0; j < N; ++j) sums[k][j] += ConstLine<Real, H>(L + (First + j) * H) * given;
    }
  }
  // The products of N columns with the rows below: as many as registers hold.
  template <int First, int N>
  void multiply_below(const Real* L, int below, const Real* w, Real (&x)[K][W]) const {
    constexpr int H = kTile<Real>;
    Line<Real, H> sums[K][N];
    for (int k = 0; k < K; ++k)
      for (int j = 0; j < N; ++j) sums[k][j].setZero();
    int left = filled_up(below);
    for (; left >= H; left -= H, L += H * W, w += H) add_products<H, First, N>(L, w, sums);
    for (int k = 0; k < K; ++k)
      for (int j = 0; j < N; ++j) x[k][First + j] = sums[k][j].sum();
    for_rest(left, [&](auto height) {
      Line<Real, height> rest[K][N];
      for (int k = 0; k < K; ++k)
        for (int j = 0; j < N; ++j) rest[k][j].setZero();
      add_products<height, First, N>(L, w, rest);
      for (int k = 0; k < K; ++k)
        for (int j = 0; j < N; ++j) x[k][First + j] += rest[k][j].sum();
      L += height * W;
      w += height;
    });
  }
  void backward(const Real* L, int below, Real* w) const {
    constexpr int N = K == 1 ? W : std::min(W, 4);
    Real x[K][W];
    multiply_below<0, N>(L + W * W, below, w + W, x);
    if constexpr (N < W) multiply_below<N, W - N>(L + W * W, below, w + W, x);
    for (int k = 0; k < K; ++k)
      for (int j = W - 1; j >= 0; --j) {
        Real sum = w[k * ld + j] - x[k][j];
        for (int i = j + 1; i < W; ++i) sum -= L[j * W + i] * x[k][i];
        w[k * ld + j] = x[k][j] = sum * L[j * W + j];
      }
  }

  // Tiles of half and of a quarter of the height.
  template <class Tile>
  static void for_rest(int left, const Tile& tile) {
    constexpr int H = kTile<Real>;
    if constexpr (H / 2 > kLeastTile)
      if (left & (H / 2)) tile(std::integral_constant<int, H / 2>());
    if (left & kLeastTile) tile(std::integral_constant<int, kLeastTile>());
  }
};

template <class Real, int K, class Act>
auto with_width(int width, std::ptrdiff_t ld, const Act& act) {
  switch (width) {
    case 8:
      return act(StripOf<Real, 8, K>{ld});
    case 4:
      return act(StripOf<Real, 4, K>{ld});
    case 2:
      return act(StripOf<Real, 2, K>{ld});
    default:
      return act(StripOf<Real, 1, K>{ld});
  }
}

}  // namespace

template <class Real>
void SupernodalPanels<Real>::Free::operator()(Real* values) const {
  ::operator delete[](values, std::align_val_t(kLine));
}

template <class Real>
SupernodalPanels<Real>::SupernodalPanels(int n, const std::vector<Supernode>& supernodes) : n_(n) {
  std::size_t n_rows = 0, most_rows = 0;
  panels_.reserve(supernodes.size());
  for (const Supernode& one : supernodes) {
    panels_.push_back({one.first, one.n_columns, one.n_rows, n_values_, n_rows});
    n_values_ += size_of_panel(one.n_columns, one.n_rows);
    n_rows += one.n_rows - one.n_columns;
    most_rows = std::max(most_rows, static_cast<std::size_t>(one.n_rows));
  }
  rows_.resize(n_rows);
  ld_ = (most_rows + 2 * kLine) / kLine * kLine;  // what strips are filled up with too
  values_.reset(static_cast<Real*>(
      ::operator new[](n_values_ * sizeof(Real) + kLine, std::align_val_t(kLine))));
}

template <class Real>
bool SupernodalPanels<Real>::append(const Supernode& one, const double* scale) {
  const Panel& panel = panels_[n_appended_++];
  SOLIDYN_ASSERT(panel.first == one.first && panel.n_rows == one.n_rows);
  std::copy(one.rows + one.n_columns, one.rows + one.n_rows, rows_.begin() + panel.rows);
  scales_.assign(ld_, 0.0);
  for (int i = 0; i < one.n_rows; ++i) scales_[i] = scale[one.rows[i]];
  const auto column = [&](int j) { return one.values + static_cast<std::size_t>(j) * one.n_rows; };
  Real* to = values_.get() + panel.values;
  for (int j = 0; j < one.n_columns;) {
    const int width = width_of_strip(one.n_columns - j), next = j + width;
    for (int c = j; c < next; ++c) {
      const double pivot = column(c)[c] * scales_[c];
      if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
      std::fill(to, to + (c - j), Real(0));
      to[c - j] = static_cast<Real>(1.0 / pivot);
      round(column(c) + c + 1, scales_.data() + c + 1, next - c - 1, to + (c - j) + 1);
      to += width;
    }
    j = next;
    for (int i = j, left = filled_up(one.n_rows - j); left > 0;) {
      int height = kTile<Real>;
      while (height > left) height /= 2;
      const int there = std::min(height, one.n_rows - i);
      for (int c = j - width; c < j; ++c, to += height) {
        round(column(c) + i, scales_.data() + i, there, to);
        std::fill(to + there, to + height, Real(0));
      }
      i += height;
      left -= height;
    }
  }
  return true;
}

template <class Real>
template <int K>
void SupernodalPanels<Real>::forward_columns(const Panel& panel, Real* w) const {
  const Real* L = values_.get() + panel.values;
  for (int j = 0; j < panel.n_columns;) {
    const int width = width_of_strip(panel.n_columns - j);
    L = with_width<Real, K>(width, static_cast<std::ptrdiff_t>(ld_), [&](auto strip) {
      return strip.forward(L, panel.n_rows - j - width, w + j);
    });
    j += width;
  }
}

template <class Real>
template <int K>
void SupernodalPanels<Real>::backward_columns(const Panel& panel, Real* w) const {
  const Real* end = values_.get() + panel.values + size_of_panel(panel.n_columns, panel.n_rows);
  // From the last strip: those that are narrower come last.
  const int n_wide = panel.n_columns / kStrip * kStrip;
  for (int j = panel.n_columns; j > 0;) {
    int width = kStrip;
    if (j > n_wide) width = (j - n_wide) & -(j - n_wide);
    j -= width;
    end -= size_of_strip(width, panel.n_rows - j - width);
    with_width<Real, K>(width, static_cast<std::ptrdiff_t>(ld_),
                        [&](auto strip) { strip.backward(end, panel.n_rows - j - width, w + j); });
  }
}

// Four columns at a time, and what is left one by one.
template <class Real>
template <class Of1, class Of4>
void SupernodalPanels<Real>::for_columns(int n_columns, const Of1& of_1, const Of4& of_4) {
  int k = 0;
  for (; k + 4 <= n_columns; k += 4) of_4(work_.data() + k * ld_);
  for (; k < n_columns; ++k) of_1(work_.data() + k * ld_);
}

template <class Real>
void SupernodalPanels<Real>::forward(Real* x, int n_columns) {
  const FlushToZero flush;
  work_.resize(ld_ * n_columns);
  for (const Panel& panel : panels_) {
    const int below = panel.n_rows - panel.n_columns;
    for (int k = 0; k < n_columns; ++k) {
      Real* const w = work_.data() + k * ld_;
      std::copy_n(x + k * n_ + panel.first, panel.n_columns, w);
      std::fill_n(w + panel.n_columns, filled_up(below) + kLeastTile, Real(0));
    }
    for_columns(
        n_columns, [&](Real* w) { forward_columns<1>(panel, w); },
        [&](Real* w) { forward_columns<4>(panel, w); });
    const int* const rows = rows_.data() + panel.rows;
    for (int k = 0; k < n_columns; ++k) {
      const Real* const w = work_.data() + k * ld_;
      Real* const to = x + k * n_;
      std::copy_n(w, panel.n_columns, to + panel.first);
      for (int i = 0; i < below; ++i) to[rows[i]] += w[panel.n_columns + i];
    }
  }
}

template <class Real>
void SupernodalPanels<Real>::backward(Real* x, int n_columns) {
  const FlushToZero flush;
  work_.resize(ld_ * n_columns);
  for (auto it = panels_.rbegin(); it != panels_.rend(); ++it) {
    const Panel& panel = *it;
    const int below = panel.n_rows - panel.n_columns;
    const int* const rows = rows_.data() + panel.rows;
    for (int k = 0; k < n_columns; ++k) {
      Real* const w = work_.data() + k * ld_;
      const Real* const from = x + k * n_;
      std::copy_n(from + panel.first, panel.n_columns, w);
      for (int i = 0; i < below; ++i) w[panel.n_columns + i] = from[rows[i]];
      std::fill_n(w + panel.n_rows, filled_up(below) - below + kLeastTile, Real(0));
    }
    for_columns(
        n_columns, [&](Real* w) { backward_columns<1>(panel, w); },
        [&](Real* w) { backward_columns<4>(panel, w); });
    for (int k = 0; k < n_columns; ++k)
      std::copy_n(work_.data() + k * ld_, panel.n_columns, x + k * n_ + panel.first);
  }
}

template <class Real>
double SupernodalPanels<Real>::bytes() const {
  return static_cast<double>(n_values_) * sizeof(Real);
}

template class SupernodalPanels<float>;
template class SupernodalPanels<double>;

}  // namespace solidyn::solvers
