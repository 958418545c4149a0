#include "solidyn/railway/rail_overlap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "overlap_axle.h"
#include "overlap_patches.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// A summit lies within half a block of one of its ends, where the overlap of a fillet of 2 mm is
// lower by less than this.
constexpr double kNear = 2e-4;  // m
// The overlap of samples beside the rail, m.
constexpr double kBeside = -1.0;

// What the potential of an interval between samples, the integral of o^2/2 with o linear from a to
// b where positive, presses on the first of them, by length; m. The second gets pressed(b, a).
// Beyond the rail's end the overlap goes on as it is.
double pressed(double a, double b) {
  if (a <= kBeside) return 0.0;
  if (b <= kBeside) return 0.5 * std::max(a, 0.0);
  if (a > 0.0 && b >= 0.0) return (2.0 * a + b) / 6.0;
  const double whole = 6.0 * (a - b) * (a - b);
  if (a > 0.0) return a * a * (2.0 * a - 3.0 * b) / whole;
  return b > 0.0 ? b * b * b / whole : 0.0;
}

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

// The rail's height between samples is a cubic. Lane by lane where heights are looked up: what is
// stored by lanes and read as a vector again waits for the stores.
double RailOverlap::trace(const Samples& s, const Axle& a, Trace& t) const {
  const Lanes under = 1.0 - a.xi * s.slope.square();
  const Lanes m = s.L - a.xi * s.r * s.slope, n = s.r * under.max(0.0).sqrt() / a.c;
  t.Y = a.y + a.b.y() * m + a.b.z() * n;
  t.Z = a.z + a.b.z() * m - a.b.y() * n;
  const double per_step = 1.0 / step_;
  const Lanes place = (t.Y - first_) * per_step;
  const auto last = static_cast<double>(heights_.size() - 1);
  double largest = kBeside;
  for (int lane = 0; lane < kBlock; ++lane) {
    if (!(under[lane] > 0.0 && place[lane] >= 0.0 && place[lane] < last)) {
      t.overlap[lane] = kBeside;
      t.rail_slope[lane] = 0.0;
      continue;
    }
    const auto i = static_cast<std::size_t>(place[lane]);
    const double x = place[lane] - static_cast<double>(i), y = 1.0 - x;
    const Vector2d &p = heights_[i], &q = heights_[i + 1];
    const double rise = q[0] - p[0], g = p[1] * step_ - rise, h = rise - q[1] * step_;
    const double bend = y * g + x * h;
    t.overlap[lane] = p[0] + x * rise + x * y * bend - t.Z[lane];
    t.rail_slope[lane] = (rise + (y - x) * bend + x * y * (h - g)) * per_step;
    largest = std::max(largest, t.overlap[lane]);
  }
  return largest;
}

// The elastic forces -dU/do of samples, N, by the intervals on either side of each.
struct RailOverlap::Elastic {
  Lanes inner, outer;
};

// Where the overlap ends between two samples, both share what is left of the interval: forces and
// stiffness go over smoothly as an end wanders from sample to sample.
RailOverlap::Elastic RailOverlap::elastic_of(std::size_t block, const Lanes& overlap, double before,
                                             double after) const {
  const Samples& s = samples_[block];
  const auto weight = [](const Samples& of, int i) {
    return of.k[i] * of.cosine[i] * of.cosine[i] * of.length[i];
  };
  Elastic elastic;
  double last = before, w_last = block > 0 ? weight(samples_[block - 1], kBlock - 1) : weight(s, 0);
  for (int i = 0; i < kBlock; ++i) {
    const double w = weight(s, i), half = 0.5 * (w + w_last);
    elastic.inner[i] = half * pressed(overlap[i], last);
    if (i > 0) elastic.outer[i - 1] = half * pressed(last, overlap[i]);
    last = overlap[i];
    w_last = w;
  }
  const double w_next = block + 1 < samples_.size() ? weight(samples_[block + 1], 0) : w_last;
  elastic.outer[kBlock - 1] = 0.5 * (w_last + w_next) * pressed(last, after);
  return elastic;
}

// What each sample adds to the sums.
struct RailOverlap::Terms {
  Lanes pressure, P_x, P_y, P_z, depth, slope, force, energy, damping_power;
  std::array<Lanes, 3> by_axle;
  Lanes by_rate;  // of its square

  // @param share of the sample's force
  void add_to(OverlapSums& sums, int i, double share, bool by_rates) const {
    const double w = share * pressure[i], y = P_y[i], z = P_z[i], f = share * force[i];
    const Vector3d axle(by_axle[0][i], by_axle[1][i], by_axle[2][i]);
    sums.pressure += w;
    sums.moment += w * Vector3d(P_x[i], y, z);
    sums.second += w * Vector3d(y * y, y * z, z * z);
    sums.depth += w * depth[i];
    sums.force_y -= f * slope[i];
    sums.force_z += f;
    sums.on_axle -= f * axle;
    sums.energy += share * energy[i];
    sums.damping_power -= share * damping_power[i];
    if (!by_rates) return;
    Eigen::Matrix<double, 5, 1> g;
    g << slope[i], -1.0, axle;
    sums.by_rate.noalias() -= share * by_rate[i] * g * g.transpose();
  }
};

// overlap o = h(Y) - Z has the derivatives h' by y, -1 by z and those below by the axle.
RailOverlap::Terms RailOverlap::terms_of(const Samples& s, const Axle& a, const Trace& t,
                                         const Lanes& elastic, const AxlePosition& rates,
                                         const OverlapDamping& damping) const {
  const Vector3d& b = a.b;
  const Lanes root = (1.0 - a.xi * s.slope.square()).max(0.0).sqrt();
  const Lanes m = s.L - a.xi * s.r * s.slope, n = s.r * root / a.c, &h = t.rail_slope;
  const Lanes m_xi = -s.r * s.slope, n_xi = -0.5 * s.r * s.slope.square() / (root * a.c);
  const Lanes by_xi = h * (b.y() * m_xi + b.z() * n_xi) - (b.z() * m_xi - b.y() * n_xi);
  const Lanes by_c = -(2.0 * a.xi * by_xi + n * (h * b.z() + b.y())) / a.c2;
  Terms terms;
  terms.by_axle = {2.0 * b.x() / a.c2 * by_xi, h * m + n + by_c * b.y(), h * n - m + by_c * b.z()};
  const Lanes rate = h * rates.y - rates.z + terms.by_axle[0] * rates.axle.x() +
                     terms.by_axle[1] * rates.axle.y() + terms.by_axle[2] * rates.axle.z();
  terms.by_rate.setZero();
  terms.force = elastic;
  if (damping.ratio > 0.0) {
    const Lanes x = rate / damping.speed, shrinks = (1.0 + x.square()).rsqrt();
    terms.force += damping.ratio * x * shrinks * elastic;
    terms.by_rate = damping.ratio / damping.speed * elastic * shrinks.cube();
  }
  terms.pressure = elastic / s.cosine;
  terms.depth = t.overlap * s.cosine;
  terms.P_x = b.x() * (s.L + s.r * s.slope);
  terms.P_y = t.Y - a.y;
  terms.P_z = t.Z - a.z;
  terms.slope = h;
  terms.energy = 0.5 * elastic * t.overlap;
  terms.damping_power = (terms.force - elastic) * rate;
  return terms;
}

void RailOverlap::compute(const AxlePosition& position, const AxlePosition& rates,
                          const OverlapDamping& damping, std::vector<OverlapPatch>& patches,
                          bool by_rates) const {
  patches.clear();
  const Axle axle(position);
  OverlapRun run;
  Trace t, ends;
  // Where a block of samples ends the next one begins.
  const auto overlap_at_end = [&](std::size_t i) {
    if (i % kBlock == 0) trace(ends_[i / kBlock], axle, ends);
    return ends.overlap[i % kBlock];
  };
  double here = overlap_at_end(0), before = kBeside;
  for (std::size_t k = 0; k < samples_.size(); ++k) {
    const double after = overlap_at_end(k + 1);
    const bool is_near = here > -kNear || after > -kNear || before > 0.0;
    here = after;
    if (!is_near) {
      before = kBeside;
      run.finish(patches);
      continue;
    }
    const double largest = trace(samples_[k], axle, t);
    const double last = std::exchange(before, t.overlap[kBlock - 1]);
    if (!(largest > 0.0 || last > 0.0 || after > 0.0)) {
      run.finish(patches);
      continue;
    }
    const Elastic elastic = elastic_of(k, t.overlap, last, after);
    const Lanes whole = elastic.inner + elastic.outer;
    const Terms terms = terms_of(samples_[k], axle, t, whole, rates, damping);
    const bool adds_rates = by_rates && damping.ratio > 0.0;
    for (int i = 0; i < kBlock; ++i) {
      const std::size_t sample = k * kBlock + static_cast<std::size_t>(i);
      if (t.overlap[i] > 0.0) {
        terms.add_to(run.next(terms.depth[i], sample), i, 1.0, adds_rates);
        continue;
      }
      // The last of what ended before this sample, or the first of what begins behind it.
      const double share = whole[i] > 0.0 ? elastic.inner[i] / whole[i] : 0.0;
      if (share > 0.0) terms.add_to(run.next(0.0, sample), i, share, adds_rates);
      run.finish(patches);
      if (elastic.outer[i] > 0.0) terms.add_to(run.next(0.0, sample), i, 1.0 - share, adds_rates);
    }
  }
  run.finish(patches);
}

double RailOverlap::largest_overlap(const AxlePosition& position) const {
  const Axle axle(position);
  double largest = kBeside;
  Trace t;
  for (const Samples& s : samples_) largest = std::max(largest, trace(s, axle, t));
  return largest;
}

}  // namespace solidyn::railway
