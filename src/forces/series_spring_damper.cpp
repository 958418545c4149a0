#include "solidyn/forces/series_spring_damper.h"

#include "solidyn/base/error.h"

namespace solidyn::forces {

using bodies::Kinematics;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

namespace {

std::vector<bodies::BodyIndex> with(std::vector<bodies::BodyIndex> bodies, bodies::BodyIndex last) {
  bodies.push_back(last);
  return bodies;
}

}  // namespace

// x and dx/dt of the frames; y with its rates; z.
struct SeriesSpringDamper::Motion {
  bodies::CoordinateValue x;
  Vector12 twist;
  double dx = 0.0, y = 0.0, dy = 0.0, z = 0.0;
};

SeriesSpringDamper::SeriesSpringDamper(std::string name, const bodies::FrameLink& link,
                                       bodies::Coordinate coordinate, bodies::BodyIndex internal,
                                       Options options)
    : Force(std::move(name), with(link.bodies(), internal)),
      link_(link),
      coordinate_(std::move(coordinate)),
      internal_(internal),
      stiffness_(options.stiffness),
      free_(options.free),
      damper_(options.damping, std::move(options.by_rate)) {
  SOLIDYN_ASSERT(stiffness_ > 0.0);
}

double SeriesSpringDamper::inertia(const Options& options) {
  const double least = DamperLaw(options.damping, options.by_rate).least_resistance();
  return least * least / options.stiffness;
}

SeriesSpringDamper::Motion SeriesSpringDamper::motion(const Kinematics& k) const {
  const bodies::FramePair f = link_.pair(k);
  Motion m;
  m.x = value_of(coordinate_, f);
  m.twist = f.twist();
  m.dx = m.x.J.dot(m.twist);
  const bodies::BodyState& own = k.bodies[internal_];
  m.y = own.q_e[0];
  m.dy = own.v[0];
  m.z = m.x.value - free_ - m.y;
  return m;
}

// By the damper's rate over its force: where a table is steep, as of friction that sticks, its
// force over the rate would throw Newton's method from one side of it to the other.
void SeriesSpringDamper::add_residual(const Kinematics& k, double, Ref<VectorXd> r) const {
  const int n = link_.n_columns();
  const Motion m = motion(k);
  const double force = stiffness_ * m.z, least = damper_.least_resistance();
  link_.add_force(k, force * m.x.J.transpose(), r.head(n));
  r[n] += least * (m.dy - damper_.rate(force)) -
          least * least * damper_.compliance(force).value * (m.dx - m.dy);
}

// d(dx/dt)/dq at constant velocities of the bodies.
Eigen::RowVectorXd SeriesSpringDamper::rate_by_position(const Kinematics& k,
                                                        const bodies::Row12& by_variation,
                                                        const bodies::Row12& by_twist) const {
  Eigen::RowVectorXd row(link_.n_columns());
  link_.set_row(k, by_variation, row);
  const bodies::FrameIndex frames[] = {link_.frame_A(), link_.frame_B()};
  const bodies::BodyIndex carriers[] = {link_.body_A(), link_.body_B()};
  for (int i = 0; i < 2; ++i) {
    if (carriers[i] == bodies::kGround) continue;
    const auto rates =
        bodies::frame_rate_stiffness(k.frame_definitions[frames[i]], k.bodies[carriers[i]]);
    const Eigen::RowVectorXd part = by_twist.segment<6>(6 * i) * rates;
    if (carriers[i] == carriers[0])
      row.head(part.size()) += part;
    else
      row.tail(part.size()) += part;
  }
  return row;
}

void SeriesSpringDamper::add_tangent(const Kinematics& k, double,
                                     const bodies::TangentCoefficients& c, Ref<MatrixXd> J_rate,
                                     Ref<MatrixXd> J_q) const {
  const int n = link_.n_columns();
  const Motion m = motion(k);
  const double force = stiffness_ * m.z, least = damper_.least_resistance();
  const DamperLaw::Compliance yields = damper_.compliance(force);
  const double by_dx = least * least * yields.value;
  J_rate(n, n) += c.damping * (least + by_dx);
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  Eigen::RowVectorXd x_row(n);
  link_.set_row(k, m.x.J, x_row);
  J_rate.row(n).head(n) -= c.damping * by_dx * x_row;
  if (c.stiffness == 0.0) return;
  Matrix12 H = Matrix12::Zero();
  add_stiffness_of(coordinate_, link_.pair(k), 1.0, H);
  auto K = J_q.topLeftCorner(n, n);
  link_.add_matrix(k, c.stiffness * stiffness_ * (m.x.J.transpose() * m.x.J + m.z * H), K);
  link_.add_geometric_stiffness(k, c.stiffness * force * m.x.J.transpose(), K);
  J_q.col(n).head(n) -= c.stiffness * stiffness_ * x_row.transpose();
  const double by_z = stiffness_ * (least / damper_.resistance(damper_.rate(force)) +
                                    least * least * yields.by_force * (m.dx - m.dy));
  J_q.row(n).head(n) -=
      c.stiffness * (by_z * x_row + by_dx * rate_by_position(k, m.twist.transpose() * H, m.x.J));
  J_q(n, n) += c.stiffness * by_z;
}

InternalState::RateLaw SeriesSpringDamper::rate_law(const Kinematics& k) const {
  const int n = link_.n_columns();
  const Motion m = motion(k);
  RateLaw law{Eigen::RowVectorXd::Zero(n + 1), Eigen::RowVectorXd::Zero(n + 1)};
  law.by_rate[n] = damper_.resistance(m.dy);
  Eigen::RowVectorXd x_row(n);
  link_.set_row(k, m.x.J, x_row);
  law.by_position.head(n) = -stiffness_ * x_row;
  law.by_position[n] = stiffness_;
  return law;
}

// The spring keeps its length, the damper has all of the rate.
InternalState::Value SeriesSpringDamper::steady_value(const Kinematics& k) const {
  const Motion m = motion(k);
  return {m.x.value - free_ - damper_.force(m.dx) / stiffness_, m.dx};
}

double SeriesSpringDamper::energy(const Kinematics& k, double) const {
  const double z = motion(k).z;
  return 0.5 * stiffness_ * z * z;
}

double SeriesSpringDamper::power(const Kinematics& k, double) const {
  const Motion m = motion(k);
  return -stiffness_ * m.z * m.dy;
}

std::optional<Force::PairWrench> SeriesSpringDamper::pair_wrench(const Kinematics& k,
                                                                 double) const {
  const Motion m = motion(k);
  return PairWrench{link_, -stiffness_ * m.z * m.x.J.transpose()};
}

const Readings& SeriesSpringDamper::readings_of_length() {
  static const Readings readings = {{"length", "m"},           {"extension", "m"},
                                    {"rate", "m/s"},           {"force", "N"},
                                    {"damper_extension", "m"}, {"damper_rate", "m/s"}};
  return readings;
}

void SeriesSpringDamper::read(const Kinematics& k, double, double* values) const {
  const Motion m = motion(k);
  values[0] = m.x.value;
  values[1] = m.x.value - free_;
  values[2] = m.dx;
  values[3] = stiffness_ * m.z;
  values[4] = m.y;
  values[5] = m.dy;
}

}  // namespace solidyn::forces
