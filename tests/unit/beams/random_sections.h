#pragma once
#include <random>

#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/section_pair.h"
#include "solidyn/math/rotation.h"

namespace solidyn::beams {

inline Eigen::VectorXd random_vector(int n, double size, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> distribution(-size, size);
  return Eigen::VectorXd::NullaryExpr(n, [&] { return distribution(generator); });
}

/// Two sections of an element of length `l`, turned against each other by up to `turn` rad per
/// axis.
struct RandomSections {
  SectionMotion p, q;
  RandomSections(double l, double turn, unsigned seed) {
    const Eigen::VectorXd x = random_vector(40, 1.0, seed);
    p.p = x.segment<3>(0);
    p.R = math::exp_rotation(2.0 * x.segment<3>(3));
    q.R = p.R * math::exp_rotation(turn * x.segment<3>(6));
    q.p = p.p + l * p.R * (Eigen::Vector3d(1.02, 0.0, 0.0) + 0.4 * turn * x.segment<3>(9));
    p.v = x.segment<3>(12);
    p.w = 2.0 * x.segment<3>(15);
    q.v = x.segment<3>(18);
    q.w = 2.0 * x.segment<3>(21);
    p.a = 3.0 * x.segment<3>(24);
    p.dw = 3.0 * x.segment<3>(27);
    q.a = 3.0 * x.segment<3>(30);
    q.dw = 3.0 * x.segment<3>(33);
  }
};

inline SectionMotion moved(SectionMotion s, const Vector6& d) {
  s.p += d.head<3>();
  s.R = s.R * math::exp_rotation(d.tail<3>());
  return s;
}

inline Vector12 unit12(int i) { return Vector12::Unit(i); }

}  // namespace solidyn::beams
