#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace solidyn::solvers {

/// Part of a Cholesky factor: neighbouring columns with the same rows below their triangle.
struct Supernode {
  int first = 0;  ///< column
  int n_columns = 0;
  int n_rows = 0;                      ///< with those of the triangle, which are the columns
  const std::int64_t* rows = nullptr;  ///< [n_rows], ascending
  const double* values = nullptr;      ///< [n_rows x n_columns], by columns; the triangle's upper
                                       ///< half is not read
};

/// A Cholesky factor L as substitutions read it: once in the order in which it lies in memory, at
/// the memory's speed. Columns of a supernode lie in strips of up to eight; of a strip first the
/// triangle, with the inverse of its diagonal, then the rows below in tiles that are as high as a
/// line of the cache. What would be above the triangle takes no room.
/// Numbers are Real: float or double; float's must be of a matrix with ones on the diagonal, or
/// they leave the range. Local. Proved by SupernodalFactorIn.*
template <class Real>
class SupernodalPanels {
 public:
  /// Room for a factor of n rows. @throws std::bad_alloc
  /// @param supernodes  without their rows and values
  SupernodalPanels(int n, const std::vector<Supernode>& supernodes);

  /// Another factor with the same supernodes takes the place of this one: they are appended anew.
  void begin_anew() { n_appended_ = 0; }
  /// Takes over the next supernode, in the order of the constructor's.
  /// @param scale [n]  rows are multiplied by it
  /// @return false where a pivot is not positive, or not finite
  bool append(const Supernode& supernode, const double* scale);

  /// x := L^-1 x. Rows that are no column of a supernode keep what elimination makes of them.
  /// @param x [n x n_columns], columns follow each other
  void forward(Real* x, int n_columns);
  /// x := L^-T x, where rows that are no column of a supernode are known.
  void backward(Real* x, int n_columns);

  double bytes() const;  ///< of the numbers

 private:
  struct Panel {
    int first, n_columns, n_rows;
    std::size_t values, rows;  // where they begin
  };
  struct Free {
    void operator()(Real* values) const;
  };
  template <int K>
  void forward_columns(const Panel& panel, Real* w) const;
  template <int K>
  void backward_columns(const Panel& panel, Real* w) const;
  template <class Of1, class Of4>
  void for_columns(int n_columns, const Of1& of_1, const Of4& of_4);

  std::size_t n_ = 0, n_values_ = 0, ld_ = 0;
  std::vector<Panel> panels_;
  std::size_t n_appended_ = 0;
  std::vector<int> rows_;  // below the triangles
  std::unique_ptr<Real[], Free> values_;
  std::vector<Real> work_;  // [ld_ x columns]
  std::vector<double> scales_;
};

}  // namespace solidyn::solvers
