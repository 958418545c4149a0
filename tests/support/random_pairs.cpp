#include "random_pairs.h"

#include <cmath>

#include "solidyn/bodies/pair_coordinates.h"

namespace solidyn::testing_support {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;

namespace {

constexpr double kStep = 1e-5;

template <class Change>
Matrix12 differences(const forces::PairForce& law, const Change& change) {
  Matrix12 derivative;
  for (int j = 0; j < 12; ++j) {
    const Vector12 step = kStep * Vector12::Unit(j);
    const MovingFrames above = change(step), below = change(-step);
    derivative.col(j) =
        (law.wrench(above.pair(), 0.3) - law.wrench(below.pair(), 0.3)) / (2.0 * kStep);
  }
  return derivative;
}

}  // namespace

FramePair MovingFrames::pair() const {
  return {A, B, bodies::RotationAngle().wrapped({A, B}) + 2.0 * M_PI * turns};
}

MovingFrames random_frames(std::mt19937& g, double angle) {
  MovingFrames f;
  f.A.p = random_vector(g, 3);
  f.A.R = random_rotation(g).toRotationMatrix();
  f.B.p = random_vector(g, 3);
  f.B.R = f.A.R * math::exp_rotation(angle * random_number(g) * random_vector(g, 3).normalized());
  return with_twist(f, random_vector(g, 12));
}

MovingFrames moved(const MovingFrames& frames, const Vector12& d) {
  MovingFrames f = frames;
  f.A.p += d.head<3>();
  f.A.R *= math::exp_rotation(d.segment<3>(3));
  f.B.p += d.segment<3>(6);
  f.B.R *= math::exp_rotation(d.tail<3>());
  return f;
}

MovingFrames with_twist(const MovingFrames& frames, const Vector12& twist) {
  MovingFrames f = frames;
  f.A.v = twist.head<3>();
  f.A.w = twist.segment<3>(3);
  f.B.v = twist.segment<3>(6);
  f.B.w = twist.tail<3>();
  return f;
}

Matrix12 wrench_by_position(const forces::PairForce& law, const MovingFrames& f) {
  return differences(law, [&](const Vector12& step) { return moved(f, step); });
}

Matrix12 wrench_by_twist(const forces::PairForce& law, const MovingFrames& f) {
  return differences(law,
                     [&](const Vector12& step) { return with_twist(f, f.pair().twist() + step); });
}

Vector12 energy_gradient(const forces::PairForce& law, const MovingFrames& f) {
  Vector12 gradient;
  for (int j = 0; j < 12; ++j) {
    const MovingFrames above = moved(f, kStep * Vector12::Unit(j));
    const MovingFrames below = moved(f, -kStep * Vector12::Unit(j));
    gradient[j] = (law.energy(above.pair(), 0.3) - law.energy(below.pair(), 0.3)) / (2.0 * kStep);
  }
  return gradient;
}

Eigen::Matrix<double, 6, 1> resultant(const MovingFrames& f, const Vector12& w) {
  Eigen::Matrix<double, 6, 1> sum;
  sum << w.head<3>() + w.segment<3>(6), f.A.p.cross(w.head<3>()) + f.A.R * w.segment<3>(3) +
                                            f.B.p.cross(w.segment<3>(6)) + f.B.R * w.tail<3>();
  return sum;
}

}  // namespace solidyn::testing_support
