#include "solidyn/forces/bushing.h"

#include "solidyn/forces/mid_frame.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;

Vector12 Bushing::wrench(const FramePair& f, double) const {
  const MidFrame m(f);
  return -m.G().transpose() * (K_ * m.q() + D_ * (m.G() * f.twist()) + f0_);
}

void Bushing::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                              Matrix12& by_twist) const {
  const MidFrame m(f);
  const Vector12 twist = f.twist();
  const Vector6 force = K_ * m.q() + D_ * (m.G() * twist) + f0_;
  by_position -= m.geometric_stiffness(force) +
                 m.G().transpose() * (K_ * m.G() + D_ * m.rate_stiffness(twist));
  by_twist -= m.G().transpose() * D_ * m.G();
}

double Bushing::energy(const FramePair& f, double) const {
  const MidFrame m(f);
  return 0.5 * m.q().dot(K_ * m.q()) + f0_.dot(m.q());
}

double Bushing::power(const FramePair& f, double) const {
  const Vector6 rate = MidFrame(f).G() * f.twist();
  return -rate.dot(D_ * rate);
}

}  // namespace solidyn::forces
