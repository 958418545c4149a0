#include "mode_shapes.h"

#include <cmath>

namespace solidyn::analyses {

Mode make_mode(const system::Linearisation& l, Mode::Kind kind, std::complex<double> s,
               const Eigen::VectorXcd& x) {
  Mode mode;
  mode.kind = kind;
  mode.s = s;
  mode.shape = x;
  Eigen::Index largest = 0;
  x.cwiseProduct(l.weights).cwiseAbs().maxCoeff(&largest);
  const std::complex<double> phase = x[largest] / std::abs(x[largest]);
  const double mass = std::abs(x.dot(l.M.cast<std::complex<double>>() * x));
  mode.shape /= phase * (mass > 0.0 ? std::sqrt(mass) : 1.0);
  return mode;
}

Mode::Kind kind_of(std::complex<double> s) {
  return s.imag() == 0.0 ? Mode::Kind::aperiodic : Mode::Kind::oscillation;
}

Eigen::VectorXd energy_shares(const system::System& system, const system::Linearisation& l,
                              const Mode& mode) {
  const Eigen::VectorXcd motion = l.T.cast<std::complex<double>>() * mode.shape,
                         momentum = l.bodies.M.cast<std::complex<double>>() * motion;
  Eigen::VectorXd shares(system.bodies().size());
  for (const bodies::BodyIndex b : system.bodies()) {
    const int at = system.layout().velocity_offset(b), n = system.body(b).n_velocities();
    shares[b.value()] = motion.segment(at, n).dot(momentum.segment(at, n)).real();
  }
  const double total = shares.sum();
  return total > 0.0 ? Eigen::VectorXd(shares / total) : shares;
}

}  // namespace solidyn::analyses
