#include "solidyn/contact/contact_force.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/relative_motion.h"

namespace solidyn::contact {
namespace {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Row = Eigen::Matrix<double, 1, 12>;

// What a contact remembers: whether and when a state was accepted, then for each point its gap,
// the gap's rate, the speed of its impact, and the normal.
enum Memory { was_accepted, accepted_at, n_common };
enum PointMemory {
  gap_then,
  rate_then,
  speed_of_impact,
  normal_then,
  n_per_point = normal_then + 3
};
int at_point(int point, PointMemory what) { return n_common + n_per_point * point + what; }

// The cosine of the largest angle by which a normal may turn in one step.
constexpr double kSteady = 0.5;

// Of what the damper may be off by: what counts, so that the onset of a damper is seen to a
// percent of the impact's energy at a resolution of 0.1, without steps below what its decay takes.
constexpr double kOnset = 1.0 / 3.0;

// How far the trapezoidal rule is from Simpson's in what the law's damper takes in a step from gap
// and rate g, r to others: all of it where the damper begins within the step.
double damper_uncertainty(const NormalLaw& law, double g_0, double r_0, double g_1, double r_1,
                          double h) {
  if (law.damping == 0.0) return 0.0;
  NormalLaw damped = law;
  damped.dissipation = 0.0;
  const auto power = [&](double gap, double rate) {
    const NormalLaw::Value v = damped.at(-gap, -rate, 1.0);
    return (v.elastic - v.force) * rate;
  };
  const double g_m = 0.5 * (g_0 + g_1) + 0.125 * h * (r_0 - r_1);  // of the cubic through both
  const double r_m = 1.5 * (g_1 - g_0) / h - 0.25 * (r_0 + r_1);
  return h / 3.0 * std::abs(2.0 * power(g_m, r_m) - power(g_0, r_0) - power(g_1, r_1));
}

}  // namespace

// One point in contact: its force and what that is made of.
struct ContactForce::Touch {
  ContactPoint geometry;
  NormalLaw::Value law;
  Vector3d velocity, slip;  // of B against A; its part across the normal
  double rate;              // of the gap
  double slip_squared;
  Vector3d friction, force;  // on B
};

ContactForce::ContactForce(std::string name, const bodies::FrameLink& link,
                           std::unique_ptr<PairGeometry> geometry, const NormalLaw& law,
                           const Friction& friction, double resolution)
    : PairContact(std::move(name), link),
      geometry_(std::move(geometry)),
      law_(law),
      friction_(friction),
      resolution_(resolution),
      memory_(Eigen::VectorXd::Zero(n_memory())) {}

int ContactForce::n_memory_of(int n_points) { return n_common + n_per_point * n_points; }

double ContactForce::impact_speed(int point) const {
  return memory_[at_point(point, speed_of_impact)];
}

ContactForce::Touch ContactForce::touch(const FramePair& f, int point) const {
  Touch t;
  t.geometry = geometry_->at(f, point);
  const Vector3d& n = t.geometry.normal;
  t.velocity = slip_jacobian(f, t.geometry.point) * f.twist();
  t.rate = n.dot(t.velocity);
  t.slip = t.velocity - n * t.rate;
  t.slip_squared = t.slip.squaredNorm();
  t.law = law_.at(-t.geometry.gap, -t.rate, impact_speed(point)).scaled(t.geometry.share);
  t.friction = -t.law.force * friction_.factor(t.slip_squared) * t.slip;
  t.force = t.law.force * n + t.friction;
  return t;
}

Vector12 ContactForce::wrench(const FramePair& f, double) const {
  Vector12 w = Vector12::Zero();
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const Touch t = touch(f, i);
    if (t.law.force > 0.0) w += slip_jacobian(f, t.geometry.point).transpose() * t.force;
  }
  return w;
}

// With v = J twist, v_t its part across n, q = |v_t|^2, h = friction factor:
//   df = (n - h v_t) dF + F dn - F (h 1 + 2 h' v_t v_t^T) dv_t
//   dF = -F_d dgap - F_d' drate + F dshare / share,   dgap = n^T J,   drate = n^T dv + v^T dn
void ContactForce::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                                   Matrix12& by_twist) const {
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const Touch t = touch(f, i);
    if (t.law.force <= 0.0) continue;
    const ContactPoint& g = t.geometry;
    const Vector3d& n = g.normal;
    const Matrix3x12 J = slip_jacobian(f, g.point);
    const Matrix3x12 dv = slip_derivative(f, g.point, g.d_point);
    const double h = friction_.factor(t.slip_squared), slope = friction_.slope(t.slip_squared);
    const Vector3d by_normal_force = n - h * t.slip;
    const Matrix3d by_slip =
        -t.law.force * (h * Matrix3d::Identity() + 2.0 * slope * t.slip * t.slip.transpose());
    const Matrix3d across = Matrix3d::Identity() - n * n.transpose();

    const Row along_dn = t.velocity.transpose() * g.d_normal;
    const Row d_rate = n.transpose() * dv + along_dn;
    const Row d_force = -t.law.by_penetration * n.transpose() * J - t.law.by_rate * d_rate +
                        t.law.force / g.share * g.d_share;
    const Matrix3x12 d_slip = across * dv - t.rate * g.d_normal - n * along_dn;
    by_position +=
        J.transpose() * (by_normal_force * d_force + t.law.force * g.d_normal + by_slip * d_slip);
    add_turning(f, g, t.force, by_position);
    by_twist +=
        J.transpose() * (by_slip * across - t.law.by_rate * by_normal_force * n.transpose()) * J;
  }
}

double ContactForce::energy(const FramePair& f, double) const {
  double energy = 0.0;
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const ContactPoint g = geometry_->at(f, i);
    energy += g.share * law_.at(-g.gap, 0.0, 0.0).energy;
  }
  return energy;
}

double ContactForce::power(const FramePair& f, double) const {
  double power = 0.0;
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const Touch t = touch(f, i);
    power += (t.law.force - t.law.elastic) * t.rate + t.friction.dot(t.velocity);
    // Where points share out a force, what they store changes with the shares as well.
    if (t.law.energy > 0.0)
      power += t.law.energy / t.geometry.share * t.geometry.d_share.dot(f.twist());
  }
  return power;
}

void ContactForce::remember(const bodies::Kinematics& kinematics, double t,
                            Eigen::Ref<Eigen::VectorXd> memory) const {
  const FramePair f = pair(kinematics);
  memory[was_accepted] = 1.0;
  memory[accepted_at] = t;
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const Touch touched = touch(f, i);
    const double gap = touched.geometry.gap;
    memory[at_point(i, gap_then)] = gap;
    memory[at_point(i, rate_then)] = touched.rate;
    memory.segment<3>(at_point(i, normal_then)) = touched.geometry.normal;
    // Surfaces that touch already may be hit again, or begin so: the fastest approach counts. No
    // law creates energy whatever this speed is.
    double& speed = memory[at_point(i, speed_of_impact)];
    speed = std::max(gap > 0.0 ? 0.0 : speed, -touched.rate);
  }
}

// What the potential gains, less what the force takes from the bodies, plus what it dissipates,
// each by the trapezoidal rule over the step: small only where the step sees how the force goes.
// Relative to the energy m v^2 / 2 of an impact, with m from the impulse and the change of the
// rate:
//   2 |dU + J (g_0' + g_1') / 2 + D| |g_1' - g_0'| / J,   m^2/s^2, to be divided by v^2
// That rule takes D from the forces it takes J from, and so sees no error of a damper that begins
// between the two states: what it may be off by counts too.
double ContactForce::energy_mismatch(int point, const Touch& now, double h) const {
  const double rate = memory_[at_point(point, rate_then)];
  const double share = now.geometry.share;
  const NormalLaw::Value then =
      law_.at(-memory_[at_point(point, gap_then)], -rate, impact_speed(point)).scaled(share);
  const double impulse = 0.5 * h * (then.force + now.law.force);
  if (impulse == 0.0) return 0.0;
  const double dissipated =
      0.5 * h * ((then.elastic - then.force) * rate + (now.law.elastic - now.law.force) * now.rate);
  const double appeared =
      now.law.energy - then.energy + 0.5 * impulse * (rate + now.rate) + dissipated;
  const double uncertain = share * damper_uncertainty(law_, memory_[at_point(point, gap_then)],
                                                      rate, now.geometry.gap, now.rate, h);
  return 2.0 * (std::abs(appeared) + kOnset * uncertain) * std::abs(now.rate - rate) / impulse;
}

std::string ContactForce::rejection_at(int i, const Touch& now, double h) const {
  const double gap = memory_[at_point(i, gap_then)], rate = memory_[at_point(i, rate_then)];
  const bool touched = gap < 0.0, touches = now.geometry.gap < 0.0;
  if (!touched && !touches) {
    if (gap + h * rate >= 0.0 || now.rate <= 0.0) return {};
    return fmt::format("was missed: surfaces {:.3g} m apart approached at {:.3g} m/s", gap, -rate);
  }
  const double speed = std::max({law_.slow_speed, impact_speed(i), std::abs(rate)});
  if (std::abs(now.rate - rate) > resolution_ * speed)
    return fmt::format(
        "changed its speed from {:.3g} to {:.3g} m/s within one step (resolution {:g} of {:.3g} m/s)",
        -rate, -now.rate, resolution_, speed);
  if (touched && touches &&
      now.geometry.normal.dot(memory_.segment<3>(at_point(i, normal_then))) < kSteady)
    return fmt::format(
        "changed its normal direction within one step: at a penetration of {:.3g} m another face or edge is closer; if shorter steps do not help, use a stiffer contact law, or a larger radius of the touching sphere",
        -now.geometry.gap);
  const double share = energy_mismatch(i, now, h) / (speed * speed);
  if (share <= kEnergyShare * resolution_) return {};
  return fmt::format(
      "gains or loses {:.2g} % of its impact energy within one step (limit {:.2g} % at resolution {:g})",
      100.0 * share, 100.0 * kEnergyShare * resolution_, resolution_);
}

std::string ContactForce::rejection(const bodies::Kinematics& kinematics, double t) const {
  if (memory_[was_accepted] == 0.0) return {};
  const FramePair f = pair(kinematics);
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const std::string reason = rejection_at(i, touch(f, i), t - memory_[accepted_at]);
    if (!reason.empty()) return name() + " " + reason;
  }
  return {};
}

void ContactForce::add_slips(const bodies::Kinematics& kinematics,
                             std::vector<forces::Slip>& slips) const {
  const FramePair f = pair(kinematics);
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const Touch t = touch(f, i);
    const bool rubs = t.law.force > 0.0 && friction_.static_coefficient > 0.0;
    slips.push_back({t.slip, rubs ? friction_.transition_speed : 0.0});
  }
}

ContactState ContactForce::state(const FramePair& f) const {
  std::vector<ContactState> points;
  for (int i = 0; i < geometry_->n_points(); ++i) {
    const Touch t = touch(f, i);
    const double slip_speed = t.geometry.gap < 0.0 ? t.slip.norm() : 0.0;
    points.push_back(
        {t.geometry.gap, t.law.force, t.friction, t.force, slip_speed, t.geometry.gap < 0.0});
    points.back().point = t.geometry.point;
  }
  return combined(points);
}

ContactState combined(const std::vector<ContactState>& parts) {
  ContactState sum = parts.front();
  double largest = sum.normal_force;
  for (auto part = parts.begin() + 1; part != parts.end(); ++part) {
    if (sum.normal_force + part->normal_force > 0.0)
      sum.point +=
          part->normal_force / (sum.normal_force + part->normal_force) * (part->point - sum.point);
    else if (part->gap < sum.gap)
      sum.point = part->point;
    sum.gap = std::min(sum.gap, part->gap);
    sum.normal_force += part->normal_force;
    sum.friction += part->friction;
    sum.force += part->force;
    sum.impulse += part->impulse;
    sum.moment += part->moment;
    sum.sticks =
        sum.is_closed && part->is_closed ? sum.sticks && part->sticks : sum.sticks || part->sticks;
    sum.is_closed = sum.is_closed || part->is_closed;
    if (part->normal_force > largest) {
      largest = part->normal_force;
      sum.slip_speed = part->slip_speed;
    }
  }
  return sum;
}

}  // namespace solidyn::contact
