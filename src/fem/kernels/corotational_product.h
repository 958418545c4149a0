#pragma once
#include <algorithm>
#include <vector>

#include "fem/kernels/batch_geometry.h"
#include "fem/kernels/batch_product.h"

namespace solidyn::fem {

/// Elements in the lanes of a pack of single or of double precision, with as many bytes as a Pack:
/// one batch of doubles, or two that become one of floats.
template <class Scalar>
struct Wide {
  using Pack = Scalar __attribute__((vector_size(kLanes * sizeof(double))));
  static constexpr int kWidth = kLanes * static_cast<int>(sizeof(double) / sizeof(Scalar));
  static constexpr int kBatches = kWidth / kLanes;
};

/// Products with the tangent of corotational elements of an isotropic material. All that depends on
/// the configuration alone is kept at the points: with u_a = R g_a the turned gradients,
///   G = sum v_a u_a^T,  theta = D^-1 axial(mean G),  S = w both(sym(G - skew(theta) H)),
///   m = D^-1 (sum of -axial(S H^T + T G^T) + B theta),
///   y_a = sum of (S + skew(theta) T + w/V skew(m)) u_a
/// over the points, where T = stiffness (w sigma + w/V skew(m_0)) makes the elements' forces,
/// H = F R^T - I and B = stiffness (A2 + A3): ElementRotation::add_rotation_product() says the same
/// of the nodes. What multiplies dN_a/d(r,s,t) is summed there, so that gradients are not made.
template <class Element, Shape shape, class Scalar>
class CorotationalProduct : public BatchProduct {
 public:
  static constexpr int n = Element::n_nodes;
  using P = typename Wide<Scalar>::Pack;
  static constexpr int kWidth = Wide<Scalar>::kWidth;

  /// Of stiffness times the elastic law and damping times the viscous one.
  CorotationalProduct(const PointTable<Element>& table, double lame_lambda, double mu)
      : n_points_(static_cast<int>(table.points.size())),
        lame_lambda_(static_cast<Scalar>(lame_lambda)),
        mu_(static_cast<Scalar>(mu)),
        points_(n_points_),
        work_(n_points_) {
    Scalar sum = 0;
    for (int q = 0; q < n_points_; ++q) {
      points_[q].weight = static_cast<Scalar>(table.points[q].weight);
      sum += points_[q].weight;
      for (int a = 0; a < n; ++a)
        for (int k = 0; k < 3; ++k)
          points_[q].gradients[a][k] = static_cast<Scalar>(table.points[q].gradients[a][k]);
    }
    for (auto& point : points_) point.share = point.weight / sum;
  }

  std::size_t bytes() const override {
    return elements_.size() * sizeof(OfElement) + at_points_.size() * sizeof(OfPoint) +
           maps_.size() * sizeof(Map);
  }

  void multiply(const std::int32_t* nodes, std::int64_t n_elements, const double* v,
                double* y) const override {
    constexpr int kBatches = Wide<Scalar>::kBatches;
    const std::int64_t n_batches = (n_elements + kLanes - 1) / kLanes;
    for (std::size_t e = 0; e < elements_.size(); ++e) {
      const std::int32_t* first = nodes + e * kBatches * n * kLanes;
      const auto here = static_cast<int>(
          std::min<std::int64_t>(kBatches, n_batches - static_cast<std::int64_t>(e) * kBatches));
      P in[n][3] = {}, out[n][3] = {};
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < here; ++b)
          for (int lane = 0; lane < kLanes; ++lane) {
            const double* from = v + 3 * std::ptrdiff_t{first[(b * n + a) * kLanes + lane]};
            for (int i = 0; i < 3; ++i) in[a][i][b * kLanes + lane] = static_cast<Scalar>(from[i]);
          }
      multiply_elements(e, in, out);
      const auto valid = static_cast<int>(
          std::min<std::int64_t>(kWidth, n_elements - static_cast<std::int64_t>(e) * kWidth));
      for (int a = 0; a < n; ++a)
        for (int lane = 0; lane < valid; ++lane) {
          const int at = (lane / kLanes * n + a) * kLanes + lane % kLanes;
          double* to = y + 3 * std::ptrdiff_t{first[at]};
          for (int i = 0; i < 3; ++i) to[i] += static_cast<double>(out[a][i][lane]);
        }
    }
  }

 protected:
  /// Starts the elements of a batch. @param A  stiffness (A2 + A3)
  void add_element(std::size_t batch, const Tensor& inverse_D, const Tensor& A,
                   const Pack& volume) {
    half_ = static_cast<int>(batch % Wide<Scalar>::kBatches);
    if (half_ == 0) {
      elements_.emplace_back();
      at_points_.resize(at_points_.size() + n_points_);
      maps_.resize(maps_.size() + (shape == Shape::affine ? 1 : n_points_));
    }
    OfElement& element = elements_.back();
    put(inverse_D, element.inverse_D);
    put(A, element.A);
    put(1.0 / volume, element.inverse_volume);
  }

  /// @param B  derivatives of the reference coordinates by place, in axes that R has turned: u_a =
  ///   B^T dN_a/d(r,s,t)     @param w  weight     @param H, T  see above
  void set_point(int q, const Tensor& B, const Pack& w, const Tensor& H, const Tensor& T) {
    OfPoint& point = at_points_[at_points_.size() - n_points_ + q];
    put(H, point.H);
    put(T, point.T);
    if (shape == Shape::affine && q > 0) return;
    Map& map = shape == Shape::affine ? maps_.back() : maps_[maps_.size() - n_points_ + q];
    put(B, map.B);
    put(shape == Shape::affine ? w / double{points_[q].weight} : w, map.w);
  }

 private:
  struct Point {
    Scalar weight, share, gradients[n][3];
  };
  struct OfElement {
    P inverse_D[3][3] = {}, A[3][3] = {}, inverse_volume = {};
  };
  struct OfPoint {
    P H[3][3] = {}, T[3][3] = {};
  };
  struct Map {
    P B[3][3] = {}, w = {};  // w of an affine element: for a point of weight 1
  };
  struct Matrix {
    P m[3][3];
  };

  void put(const Pack& from, P& to) const {
    for (int lane = 0; lane < kLanes; ++lane)
      to[half_ * kLanes + lane] = static_cast<Scalar>(from[lane]);
  }
  void put(const Tensor& from, P (&to)[3][3]) const {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) put(from(i, j), to[i][j]);
  }

  static void multiply3(const P (&A)[3][3], const P (&b)[3], P (&c)[3]) {
    for (int i = 0; i < 3; ++i) c[i] = A[i][0] * b[0] + A[i][1] * b[1] + A[i][2] * b[2];
  }
  // r += skew(a) B
  static void add_skew_times(const P (&a)[3], const P (&B)[3][3], P (&r)[3][3]) {
    for (int j = 0; j < 3; ++j) {
      r[0][j] += a[1] * B[2][j] - a[2] * B[1][j];
      r[1][j] += a[2] * B[0][j] - a[0] * B[2][j];
      r[2][j] += a[0] * B[1][j] - a[1] * B[0][j];
    }
  }
  // r -= axial(A B^T)
  static void subtract_axial(const P (&A)[3][3], const P (&B)[3][3], P (&r)[3]) {
    for (int k = 0; k < 3; ++k) {
      r[0] -= A[2][k] * B[1][k] - A[1][k] * B[2][k];
      r[1] -= A[0][k] * B[2][k] - A[2][k] * B[0][k];
      r[2] -= A[1][k] * B[0][k] - A[0][k] * B[1][k];
    }
  }

  void multiply_elements(std::size_t e, const P (&v)[n][3], P (&y)[n][3]) const {
    const OfElement& element = elements_[e];
    const OfPoint* at = &at_points_[e * n_points_];
    P mean[3] = {};
    for (int q = 0; q < n_points_; ++q) {
      const Map& map = map_of(e, q);
      auto& G = work_[q].m;
      compute_gradient(q, v, map, G);
      const P share = share_of(q, element, map);
      mean[0] += share * (G[2][1] - G[1][2]);
      mean[1] += share * (G[0][2] - G[2][0]);
      mean[2] += share * (G[1][0] - G[0][1]);
    }
    P theta[3], minus_theta[3], t[3], m[3];
    multiply3(element.inverse_D, mean, theta);
    for (int i = 0; i < 3; ++i) minus_theta[i] = -theta[i];
    multiply3(element.A, theta, t);
    for (int q = 0; q < n_points_; ++q) {
      auto& G = work_[q].m;
      subtract_axial(at[q].T, G, t);
      add_skew_times(minus_theta, at[q].H, G);
      P S[3][3];
      compute_stress(G, weight_of(q, map_of(e, q)), S);
      subtract_axial(S, at[q].H, t);
      add_skew_times(theta, at[q].T, S);
      std::copy_n(&S[0][0], 9, &G[0][0]);
    }
    multiply3(element.inverse_D, t, m);
    for (int q = 0; q < n_points_; ++q) {
      const Map& map = map_of(e, q);
      auto& A = work_[q].m;
      const P share = share_of(q, element, map);
      A[0][1] -= share * m[2];
      A[1][0] += share * m[2];
      A[0][2] += share * m[1];
      A[2][0] -= share * m[1];
      A[1][2] -= share * m[0];
      A[2][1] += share * m[0];
      add_forces(q, A, map, y);
    }
  }

  const Map& map_of(std::size_t e, int q) const {
    return shape == Shape::affine ? maps_[e] : maps_[e * n_points_ + q];
  }
  P weight_of(int q, const Map& map) const {
    return shape == Shape::affine ? points_[q].weight * map.w : map.w;
  }
  P share_of(int q, const OfElement& element, const Map& map) const {
    if constexpr (shape == Shape::affine)
      return points_[q].share - P{};
    else
      return map.w * element.inverse_volume;
  }

  void compute_gradient(int q, const P (&v)[n][3], const Map& map, P (&G)[3][3]) const {
    P L[3][3] = {};
    for (int a = 0; a < n; ++a)
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) L[i][k] += v[a][i] * points_[q].gradients[a][k];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        G[i][j] = L[i][0] * map.B[0][j] + L[i][1] * map.B[1][j] + L[i][2] * map.B[2][j];
  }

  // S = w both(sym(G))
  void compute_stress(const P (&G)[3][3], const P& w, P (&S)[3][3]) const {
    const P pressure = (lame_lambda_ * w) * (G[0][0] + G[1][1] + G[2][2]), shear = mu_ * w;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) S[i][j] = shear * (G[i][j] + G[j][i]);
    for (int i = 0; i < 3; ++i) S[i][i] += pressure;
  }

  // y_a += (A B^T) dN_a
  void add_forces(int q, const P (&A)[3][3], const Map& map, P (&y)[n][3]) const {
    P L[3][3];
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        L[i][k] = A[i][0] * map.B[k][0] + A[i][1] * map.B[k][1] + A[i][2] * map.B[k][2];
    for (int a = 0; a < n; ++a)
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 3; ++i) y[a][i] += L[i][k] * points_[q].gradients[a][k];
  }

  int n_points_;
  Scalar lame_lambda_, mu_;
  int half_ = 0;  // of the lanes, to which add_element() belongs
  std::vector<Point> points_;
  std::vector<OfElement> elements_;
  std::vector<OfPoint> at_points_;
  std::vector<Map> maps_;  // of elements, of all points of curved ones
  mutable std::vector<Matrix> work_;
};

}  // namespace solidyn::fem
