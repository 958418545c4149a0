#pragma once
#include <functional>
#include <string>
#include <vector>

#include "report/blob.h"
#include "report/drawn_surface.h"

namespace solidyn::report {

/// A field on nodes as shapes whose factors are among the coordinates of a body.
struct ShapeField {
  int first = 0, n = 0;                         ///< coordinates first .. first + n - 1
  std::function<Eigen::MatrixXf(int k)> shape;  ///< [components x nodes], per unit
  double residual = 0.0;                        ///< of the field, what the shapes leave
};

/// The motion of a body with a surface: the position of a node is x(t) + R(t) b,
/// b = X + sum_k q_k(t) S_k. Its velocity is v + w x (R b) + R (sum_k q'_k S_k), or with a field of
/// velocities sum_k q_k V_k in place of the last sum.
struct BodyMotion {
  results::StoredSurface surface;
  Eigen::MatrixXd coordinates;  ///< [K x T]
  Eigen::MatrixXd rates;    ///< [K x T] of the coordinates; empty: a field of velocities, or none
  Eigen::Matrix3Xd v, w;    ///< [3 x T] of the axes, m/s and rad/s, in W; empty: not known
  ShapeField displacement;  ///< S_k [3 x nodes], m, body axes
  ShapeField velocity;      ///< V_k [3 x nodes], m/s, body axes; or none
  ShapeField stress;        ///< [6 x nodes] Pa, body axes; or none
};

/// What rounding makes of a body's motion.
struct DrawnBody {
  Json mesh;                    ///< an entry of a body's `meshes` (doc/report.md, "The file")
  Json velocity;                ///< further entries of the body: velocities of its axes, rates
  Eigen::MatrixXd coordinates;  ///< [kept K x T]
  double bound = 0.0;           ///< of positions, m: of what was rounded and left out
  double velocity_bound = 0.0;  ///< the same of velocities, m/s
  bool is_simplified = false;
};

/// Packs a body's surface and those of its shapes that matter. Steps of integers follow from the
/// largest |q_k|, so that positions are true to `tolerance` (m), deflections to a two-hundredth of
/// the largest, however small (they may be looked at enlarged), and velocities to a five-hundredth
/// of the body's largest.
DrawnBody pack_body(const BodyMotion& motion, double tolerance, Blob& blob);

/// The same of a body without shapes, which reaches as far as `reach` (m) from its origin.
DrawnBody pack_velocities(const Eigen::Matrix3Xd& v, const Eigen::Matrix3Xd& w, double reach,
                          Blob& blob);

}  // namespace solidyn::report
