#pragma once
#include <cmath>

#include "solidyn/railway/rail_overlap.h"

namespace solidyn::railway {

// What all samples of a position share. With b the axle, x the rail's direction, c^2 = b_y^2 +
// b_z^2 and xi = b_x^2 / c^2 the wheel's normal has no part along x on
//   P = (b_x (L + r r'),  b_y m + b_z n,  b_z m - b_y n),
//   m = L - r r' xi,  n = r sqrt(1 - r'^2 xi) / c
struct RailOverlap::Axle {
  explicit Axle(const AxlePosition& p)
      : y(p.y),
        z(p.z),
        b(p.axle),
        c2(b.y() * b.y() + b.z() * b.z()),
        c(std::sqrt(c2)),
        xi(b.x() * b.x() / c2) {}
  double y, z;
  Eigen::Vector3d b;
  double c2, c, xi;
};

}  // namespace solidyn::railway
