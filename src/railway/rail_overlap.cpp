#include "solidyn/railway/rail_overlap.h"

#include <algorithm>
#include <cmath>

#include "overlap_patches.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kMeridianStep = 1e-4;    // m; twice that on treads, whose patches are wide
constexpr double kTreadCurvature = 10.0;  // 1/m, below which it is one
constexpr double kRailStep = 1e-4;        // m
constexpr double kSteepest = 8.0;         // slope of a rail's side beyond which it carries nothing
constexpr int kBlock = 8;                 // samples that are looked at together first

// A summit lies within half a block of one of its ends, where the overlap of a fillet of 2 mm is
// lower by less than this.
constexpr double kNear = 2e-4;  // m

}  // namespace

OverlapSums& OverlapSums::operator+=(const OverlapSums& other) {
  pressure += other.pressure;
  moment += other.moment;
  second += other.second;
  depth += other.depth;
  force_y += other.force_y;
  force_z += other.force_z;
  on_axle += other.on_axle;
  energy += other.energy;
  damping_power += other.damping_power;
  by_rate += other.by_rate;
  return *this;
}

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
  Vector3d b;
  double c2, c, xi;
};

RailOverlap::RailOverlap(const Profile& wheel, const WheelsetDimensions& dimensions,
                         const RailHead& rail, const ElasticMaterial& material)
    : material_(material) {
  sample_wheel(wheel, dimensions);
  sample_rail(rail);
  if (heights_.size() > 1) match_stiffness();
  if (stiffness_.empty())
    throw base::InputError(
        "wheel " + wheel.name() + " and its rail do not meet at any lateral position",
        "check gauge, flange back and which side of the profiles points outwards");
  for (Sample& s : samples_) s.k = stiffness(s.u);
}

void RailOverlap::sample_wheel(const Profile& wheel, const WheelsetDimensions& dimensions) {
  for (std::size_t s = 0; s < wheel.n_sections(); ++s) {
    const double to = wheel.to(s);
    for (double t = wheel.from(s), part = 0.0; t < to; t += part) {
      const CurvePoint begin = wheel.at(s, t);
      const bool is_tread = std::abs(begin.curvature()) < kTreadCurvature;
      part = std::min((is_tread ? 2.0 : 1.0) * kMeridianStep / begin.d.norm(), to - t);
      const CurvePoint at = wheel.at(s, t + 0.5 * part);
      if (at.d.x() > 1e-6 * at.d.norm())  // else the back of the flange
        samples_.push_back({at.p.x(), dimensions.tape_circle() + at.p.x(),
                            dimensions.radius - at.p.y(), -at.slope(), at.d.x() / at.d.norm(),
                            at.d.norm() * part, 1.0});
      if (t + part == t) break;  // roundoff at the end
    }
  }
}

void RailOverlap::sample_rail(const RailHead& rail) {
  const auto n = static_cast<int>(std::floor((rail.last() - rail.first()) / kRailStep));
  step_ = kRailStep;
  for (int i = 1; i < n; ++i) {
    const double y = rail.first() + i * kRailStep;
    const CurvePoint at = rail.at(y);
    const double slope = at.slope();
    if (!(std::abs(slope) < kSteepest)) {
      if (y > 0.5 * (rail.first() + rail.last())) break;  // the field side
      heights_.clear();
      continue;
    }
    if (heights_.empty()) first_ = y;
    heights_.emplace_back(at.p.y(), slope);
  }
}

// The rail's height between samples is a cubic.
bool RailOverlap::trace(const Sample& s, const Axle& a, Trace& t) const {
  const double under = 1.0 - s.slope * s.slope * a.xi;
  if (!(under > 0.0)) return false;
  const double m = s.L - s.r * s.slope * a.xi, n = s.r * std::sqrt(under) / a.c;
  t.Y = a.y + a.b.y() * m + a.b.z() * n;
  t.Z = a.z + a.b.z() * m - a.b.y() * n;
  const double place = (t.Y - first_) / step_;
  const auto last = static_cast<double>(heights_.size() - 1);
  if (!(place >= 0.0 && place < last)) return false;
  const auto i = static_cast<std::size_t>(place);
  const double x = place - static_cast<double>(i);
  const Vector2d &p = heights_[i], &q = heights_[i + 1];
  const double rise = q[0] - p[0], g = p[1] * step_ - rise, h = rise - q[1] * step_;
  t.overlap = p[0] + x * rise + x * (1.0 - x) * ((1.0 - x) * g + x * h) - t.Z;
  t.rail_slope =
      (rise + (1.0 - 2.0 * x) * ((1.0 - x) * g + x * h) + x * (1.0 - x) * (h - g)) / step_;
  return true;
}

// overlap o = h(Y) - Z has the derivatives h' by y, -1 by z and those below by the axle.
void RailOverlap::add(const Sample& s, const Axle& a, const Trace& t, const AxlePosition& rates,
                      const OverlapDamping& damping, bool by_rates, OverlapSums& sums) const {
  const Vector3d& b = a.b;
  const double root = std::sqrt(1.0 - s.slope * s.slope * a.xi);
  const double m = s.L - s.r * s.slope * a.xi, n = s.r * root / a.c, h = t.rail_slope;
  const double m_xi = -s.r * s.slope, n_xi = -0.5 * s.r * s.slope * s.slope / (root * a.c);
  const double by_xi = h * (b.y() * m_xi + b.z() * n_xi) - (b.z() * m_xi - b.y() * n_xi);
  const double by_c = -(2.0 * a.xi * by_xi + n * (h * b.z() + b.y())) / a.c2;
  const Vector3d by_axle(2.0 * b.x() / a.c2 * by_xi, h * m + n + by_c * b.y(),
                         h * n - m + by_c * b.z());

  const double rate = h * rates.y - rates.z + by_axle.dot(rates.axle);
  const double elastic = s.k * s.cosine * s.cosine * t.overlap * s.length;  // = -dU/do
  const double x = rate / damping.speed;
  const double share = damping.ratio > 0.0 ? x / std::sqrt(1.0 + x * x) : 0.0;
  const double force = (1.0 + damping.ratio * share) * elastic;
  const double pressure = elastic / s.cosine, depth = t.overlap * s.cosine;
  const Vector3d P(b.x() * (s.L + s.r * s.slope), t.Y - a.y, t.Z - a.z);
  sums.pressure += pressure;
  sums.moment += pressure * P;
  sums.second += pressure * Vector3d(P.y() * P.y(), P.y() * P.z(), P.z() * P.z());
  sums.depth += pressure * depth;
  sums.force_y -= force * h;
  sums.force_z += force;
  sums.on_axle -= force * by_axle;
  sums.energy += 0.5 * elastic * t.overlap;
  sums.damping_power -= (force - elastic) * rate;
  if (by_rates && damping.ratio > 0.0) {
    Eigen::Matrix<double, 5, 1> g;
    g << h, -1.0, by_axle;
    sums.by_rate.noalias() -= (elastic * damping.ratio / damping.speed * (1.0 - share * share) *
                               std::sqrt(1.0 - share * share)) *
                              g * g.transpose();
  }
}

void RailOverlap::compute(const AxlePosition& position, const AxlePosition& rates,
                          const OverlapDamping& damping, std::vector<OverlapPatch>& patches,
                          bool by_rates) const {
  patches.clear();
  const Axle axle(position);
  OverlapRun run;
  const std::size_t n = samples_.size();
  Trace t;
  double here = trace(samples_[0], axle, t) ? t.overlap : -1.0;
  for (std::size_t from = 0; from < n; from += kBlock) {
    const std::size_t to = std::min(from + kBlock, n), next = std::min(to, n - 1);
    const double after = trace(samples_[next], axle, t) ? t.overlap : -1.0;
    const bool is_near = here > -kNear || after > -kNear;
    here = after;
    if (!is_near) {
      run.finish(patches);
      continue;
    }
    for (std::size_t i = from; i < to; ++i) {
      if (!trace(samples_[i], axle, t) || t.overlap <= 0.0) {
        run.finish(patches);
        continue;
      }
      add(samples_[i], axle, t, rates, damping, by_rates, run.next(t.overlap * samples_[i].cosine));
    }
  }
  run.finish(patches);
}

double RailOverlap::largest_overlap(const AxlePosition& position) const {
  const Axle axle(position);
  double largest = -1.0;
  Trace t;
  for (const Sample& s : samples_)
    if (trace(s, axle, t)) largest = std::max(largest, t.overlap);
  return largest;
}

// Of a parabola d (1 - s^2/w^2): variance w^2/5, mean overlap under the pressure 4/5 d.
EquivalentPatch RailOverlap::equivalent(const OverlapSums& sums,
                                        const AxlePosition& position) const {
  EquivalentPatch patch;
  patch.c = sums.moment / sums.pressure;
  const Vector2d force(sums.force_y, sums.force_z);
  patch.normal_force = force.norm();
  patch.normal = force / patch.normal_force;
  const Vector2d along(patch.normal.y(), -patch.normal.x());
  const Vector2d c = patch.c.tail<2>();
  const Vector3d spread =
      sums.second / sums.pressure - Vector3d(c.x() * c.x(), c.x() * c.y(), c.y() * c.y());
  const double variance = along.x() * along.x() * spread[0] +
                          2.0 * along.x() * along.y() * spread[1] +
                          along.y() * along.y() * spread[2];
  // A patch that is narrower than a sample has that for its width.
  constexpr double kNarrowest = kMeridianStep * kMeridianStep / 12.0;
  const double depth = 1.25 * sums.depth / sums.pressure;
  const double lean = patch.normal.dot(position.axle.tail<2>());
  const double on_axle = patch.c.dot(position.axle);
  patch.radius = (patch.c - on_axle * position.axle).norm();
  patch.geometry.A = 0.5 * std::sqrt(std::max(0.0, 1.0 - lean * lean)) / patch.radius;
  patch.geometry.B = depth / (5.0 * std::max(variance, 0.0) + 5.0 * kNarrowest);
  return patch;
}

double RailOverlap::stiffness(double u) const {
  constexpr double kWidth = 3e-3;  // m, over which stiffness is smoothed
  double weight = 0.0, sum = 0.0;
  const Vector2d* nearest = &stiffness_.front();
  for (const Vector2d& at : stiffness_) {
    const double x = (at[0] - u) / kWidth, w = std::exp(-x * x);
    weight += w;
    sum += w * at[1];
    if (std::abs(at[0] - u) < std::abs((*nearest)[0] - u)) nearest = &at;
  }
  return weight > 1e-12 ? sum / weight : (*nearest)[1];
}

// Where the wheel touches as it moves across the rail, a gap of usual depth has A and B.
void RailOverlap::match_stiffness() {
  constexpr double kDepth = 6e-5, kRange = 0.03, kStep = 2.5e-4;  // m
  std::vector<OverlapPatch> patches;
  for (double y = -kRange; y <= kRange; y += kStep) {
    AxlePosition position;
    position.y = y;
    const double lift = largest_overlap(position);
    if (lift <= -1.0) continue;
    position.z = lift - kDepth;
    compute(position, {0.0, 0.0, Vector3d::Zero()}, {}, patches);
    for (const OverlapPatch& patch : patches) {
      if (patch.share < 0.5 || !(patch.sums.pressure > 0.0)) continue;
      const EquivalentPatch e = equivalent(patch.sums, position);
      if (!(e.geometry.A > 0.0)) continue;
      const double K = elliptic_contact(e.geometry, material_).stiffness;
      stiffness_.emplace_back(e.c.y() - samples_.front().L + samples_.front().u,
                              0.75 * K * std::sqrt(e.geometry.B));
    }
  }
}

}  // namespace solidyn::railway
