#pragma once
#include <cmath>

/// SIMD packs of doubles, one element per lane, by GCC's vector extensions; and 3 x 3 tensors of
/// them. The width follows the instruction set of the translation unit, so this stays in src/.
namespace solidyn::math {

#if defined(__AVX512F__)
constexpr int kLanes = 8;
#elif defined(__AVX__)
constexpr int kLanes = 4;
#else
constexpr int kLanes = 2;
#endif

using Pack = double __attribute__((vector_size(kLanes * sizeof(double))));

inline Pack broadcast(double value) { return value - Pack{}; }

template <class Function>
inline Pack map_lanes(const Pack& a, const Function& f) {
  Pack out;
  for (int i = 0; i < kLanes; ++i) out[i] = f(a[i]);
  return out;
}

inline Pack sqrt(const Pack& a) {
  return map_lanes(a, [](double v) { return std::sqrt(v); });
}
inline Pack log(const Pack& a) {
  return map_lanes(a, [](double v) { return std::log(v); });
}
/// The smaller of each lane; NaN if either is, so that a broken element is seen.
inline Pack smaller(const Pack& a, const Pack& b) { return ((a < b) | (a != a)) ? a : b; }
inline double largest(const Pack& a) {
  double out = a[0];
  for (int i = 1; i < kLanes; ++i) out = a[i] > out ? a[i] : out;
  return out;
}

struct Vector {
  Pack v[3] = {};
  Pack& operator[](int i) { return v[i]; }
  const Pack& operator[](int i) const { return v[i]; }
};

struct Tensor {
  Pack m[3][3] = {};
  Pack& operator()(int i, int j) { return m[i][j]; }
  const Pack& operator()(int i, int j) const { return m[i][j]; }
};

inline Pack dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector cross(const Vector& a, const Vector& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

inline Vector operator+(const Vector& a, const Vector& b) {
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2]}};
}

inline Vector operator-(const Vector& a, const Vector& b) {
  return {{a[0] - b[0], a[1] - b[1], a[2] - b[2]}};
}

inline Vector operator*(const Pack& s, const Vector& a) { return {{s * a[0], s * a[1], s * a[2]}}; }

inline Vector operator*(double s, const Vector& a) { return broadcast(s) * a; }

/// r += s a
inline void add(const Pack& s, const Vector& a, Vector& r) {
  for (int i = 0; i < 3; ++i) r[i] += s * a[i];
}
inline void add(double s, const Vector& a, Vector& r) { add(broadcast(s), a, r); }

inline void add(const Vector& a, Vector& r) {
  for (int i = 0; i < 3; ++i) r[i] += a[i];
}

inline Vector operator*(const Tensor& A, const Vector& b) {
  return {{A(0, 0) * b[0] + A(0, 1) * b[1] + A(0, 2) * b[2],
           A(1, 0) * b[0] + A(1, 1) * b[1] + A(1, 2) * b[2],
           A(2, 0) * b[0] + A(2, 1) * b[1] + A(2, 2) * b[2]}};
}

/// A^T b
inline Vector transposed_times(const Tensor& A, const Vector& b) {
  return {{A(0, 0) * b[0] + A(1, 0) * b[1] + A(2, 0) * b[2],
           A(0, 1) * b[0] + A(1, 1) * b[1] + A(2, 1) * b[2],
           A(0, 2) * b[0] + A(1, 2) * b[1] + A(2, 2) * b[2]}};
}

/// r += a b^T
inline void add_dyad(const Vector& a, const Vector& b, Tensor& r) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) += a[i] * b[j];
}

inline Tensor operator*(const Tensor& A, const Tensor& B) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(0, j) + A(i, 1) * B(1, j) + A(i, 2) * B(2, j);
  return C;
}

/// A B^T
inline Tensor times_transposed(const Tensor& A, const Tensor& B) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, 0) * B(j, 0) + A(i, 1) * B(j, 1) + A(i, 2) * B(j, 2);
  return C;
}

/// A^T B
inline Tensor transposed_times(const Tensor& A, const Tensor& B) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(0, i) * B(0, j) + A(1, i) * B(1, j) + A(2, i) * B(2, j);
  return C;
}

inline Tensor operator*(const Pack& s, const Tensor& A) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = s * A(i, j);
  return C;
}

inline Tensor operator*(double s, const Tensor& A) { return broadcast(s) * A; }

inline Tensor operator-(const Tensor& A, const Tensor& B) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = A(i, j) - B(i, j);
  return C;
}

/// r += s A
inline void add(const Pack& s, const Tensor& A, Tensor& r) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r(i, j) += s * A(i, j);
}

inline void add(double s, const Tensor& A, Tensor& r) { add(broadcast(s), A, r); }

inline Pack trace(const Tensor& A) { return A(0, 0) + A(1, 1) + A(2, 2); }

/// A + s I
inline Tensor plus_diagonal(Tensor A, const Pack& s) {
  for (int i = 0; i < 3; ++i) A(i, i) += s;
  return A;
}

inline Tensor plus_diagonal(const Tensor& A, double s) { return plus_diagonal(A, broadcast(s)); }

inline Tensor symmetric_part(const Tensor& A) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) C(i, j) = 0.5 * (A(i, j) + A(j, i));
  return C;
}

/// A:B
inline Pack contract(const Tensor& A, const Tensor& B) {
  Pack s = {};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) s += A(i, j) * B(i, j);
  return s;
}

/// det(A) A^-T
inline Tensor cofactor(const Tensor& A) {
  Tensor C;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      C(i, j) = A(i1, j1) * A(i2, j2) - A(i1, j2) * A(i2, j1);
    }
  return C;
}

/// det(A), given its cofactor.
inline Pack determinant(const Tensor& A, const Tensor& cofactor_of_A) {
  return A(0, 0) * cofactor_of_A(0, 0) + A(0, 1) * cofactor_of_A(0, 1) +
         A(0, 2) * cofactor_of_A(0, 2);
}

/// (A32 - A23, A13 - A31, A21 - A12): twice the axial vector of the skew part.
inline Vector axial(const Tensor& A) {
  return {{A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1)}};
}

/// skew(a) B
inline Tensor skew_times(const Vector& a, const Tensor& B) {
  Tensor C;
  for (int j = 0; j < 3; ++j) {
    C(0, j) = a[1] * B(2, j) - a[2] * B(1, j);
    C(1, j) = a[2] * B(0, j) - a[0] * B(2, j);
    C(2, j) = a[0] * B(1, j) - a[1] * B(0, j);
  }
  return C;
}

/// B skew(a): rows b^T skew(a) = (b x a)^T.
inline Tensor times_skew(const Tensor& B, const Vector& a) {
  Tensor C;
  for (int i = 0; i < 3; ++i) {
    C(i, 0) = B(i, 1) * a[2] - B(i, 2) * a[1];
    C(i, 1) = B(i, 2) * a[0] - B(i, 0) * a[2];
    C(i, 2) = B(i, 0) * a[1] - B(i, 1) * a[0];
  }
  return C;
}

/// lame_lambda tr(e) I + 2 mu e
inline Tensor isotropic(const Pack& lame_lambda, const Pack& mu, const Tensor& e) {
  return plus_diagonal(2.0 * mu * e, lame_lambda * trace(e));
}

}  // namespace solidyn::math
