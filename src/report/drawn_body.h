#pragma once
#include <functional>
#include <string>
#include <vector>

#include "report/blob.h"
#include "report/drawn_surface.h"

namespace solidyn::report {

/// The motion of a body with a surface: the position of a node is
/// x(t) + R(t) (X + sum_k q_k(t) S_k).
struct BodyMotion {
  results::StoredSurface surface;
  Eigen::MatrixXd coordinates;                         ///< [K x T]
  std::function<Eigen::Matrix3Xf(int k)> shape;        ///< S_k [3 x nodes], m per unit
  std::function<Eigen::MatrixXf(int k)> stress_shape;  ///< [6 x nodes] Pa, body axes; or empty
};

/// What rounding makes of positions in the body's axes.
struct DrawnBody {
  Json mesh;                    ///< an entry of a body's `meshes` (doc/report.md, "The file")
  Eigen::MatrixXd coordinates;  ///< [kept K x T]
  double bound = 0.0;           ///< of positions, m: of what was rounded and left out
  bool is_simplified = false;
};

/// Packs a body's surface and those of its shapes that matter. Steps of integers follow from the
/// largest |q_k|, so that positions are true to `tolerance` (m) and deflections to a two-hundredth
/// of the largest, however small: they may be looked at enlarged.
DrawnBody pack_body(const BodyMotion& motion, double tolerance, Blob& blob);

}  // namespace solidyn::report
