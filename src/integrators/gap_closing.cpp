#include "integrators/gap_closing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/nodal_jumps.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// Gaps are closed to this part of the mechanism's length, ...
constexpr double kClosed = 1e-15;
// What no longer falls below this part is round-off.
constexpr double kRoundOffOfGaps = 1e-12;
// Directions in which contacts move each other by less than this part do so not at all.
constexpr double kRankOfGaps = 1e-10;
// ... by so many steps of Newton's method at most, with the same directions while each leaves no
// more than this.
constexpr double kGoodClosing = 1e-3;
constexpr int kMaxClosings = 20;
// What closes gaps moves surfaces along each other, where levers are bad farther than the gaps are
// wide. Beyond this ratio, and this part of the length, it is the answer to gaps that cannot all be
// closed.
constexpr double kFarthest = 1e3, kFar = 1e-6;
// Of redundant points, whose gaps contradict each other by the squares of small angles, some
// combination moves by hardly more than round-off. Beyond this ratio such are left out, ...
constexpr double kFarther = 30.0;
// ... unless all of it moves by less than this part of the length, ...
constexpr double kHarmless = 1e-7;
// ... those of less than this part. What they leave no longer falls, ...
constexpr double kRankOfFewerGaps = 1e-5;
// ... by this part.
constexpr double kStillFalls = 0.5;
}  // namespace

GapClosing::Directions GapClosing::find_directions(const std::vector<int>& points,
                                                   const ContactFactors& factors, int n_unknowns,
                                                   double rank) const {
  Directions found;
  found.compliance = contact_compliance(points_, points, factors, n_unknowns);
  std::vector<Index> normals(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) normals[k] = static_cast<Index>(3 * k);
  found.normals = DirectionsOfContacts(found.compliance.A, normals, rank);
  found.factors = factors.number;
  return found;
}

// In the metric of the iteration matrix, whose factors are there and which moves what is stiff
// least: n += x + X mu with x of the joints, which moves that are not small violate, and
// gap + W_N^T (x + X mu) = 0. Directions are kept while that gains enough.
bool GapClosing::close(system::System& system, const VectorXd& q_before, State& s,
                       const ContactFactors& factors, double length, VectorXd& n, Joints joints,
                       const std::vector<int>& met) {
  const int n_v = system.layout().n_velocities(), n_l = system.layout().n_constraints();
  double before = 0.0, first = 0.0, way = 0.0;
  bool has_moved = false, has_fewer = false;
  const VectorXd n_first = n;
  // Closed one after the other, two ends of a body would push each other in again.
  std::vector<bool> has_touched(points_.size(), false);
  for (const int i : met) has_touched[i] = true;
  for (int i = 0; i < kMaxClosings; ++i) {
    const Touching touching = joints == Joints::alone ? Touching{} : find_touching(s, has_touched);
    const bool has_none =
        touching.points.empty() || (i == 0 && touching.largest <= kClosed * length);
    if (has_none && joints == Joints::beside_gaps) break;
    VectorXd phi, rhs = VectorXd::Zero(n_v + n_l), x;
    system.compute_constraints(s, phi);
    for (int k = 0; k < n_l; ++k)
      if (!system.layout().is_velocity_level()[k]) rhs[n_v + k] = -phi[k];
    const double violation =
        std::max(touching.largest, n_l > 0 ? rhs.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0);
    const bool is_round_off = violation >= before && violation <= kRoundOffOfGaps * length;
    if (violation <= kClosed * length || (i > 0 && is_round_off)) break;
    if (has_fewer && violation > kStillFalls * before && violation <= kFar * length) break;
    if (i == 0) first = violation;
    if (kept_.compliance.points != touching.points || kept_.factors != factors.number ||
        (i > 0 && !(violation <= kGoodClosing * before)))
      kept_ = find_directions(touching.points, factors, n_v + n_l,
                              has_fewer ? kRankOfFewerGaps : kRankOfGaps);
    before = violation;
    factors.whole.solve(rhs, x);
    VectorXd step = x.head(n_v);
    if (!touching.points.empty()) {
      const auto farthest_of = [&](VectorXd& own) {
        const VectorXd moved = kept_.compliance.W.transpose() * own;
        const VectorXd left = touching.gaps + moved(kept_.normals.directions());
        own -= (kept_.compliance.X * kept_.normals.forces_for(left)).head(n_v);
        return VectorXd(kept_.compliance.W.transpose() * own).lpNorm<Eigen::Infinity>();
      };
      const VectorXd of_joints = step;
      double farthest = farthest_of(step);
      if (!has_fewer && !(farthest <= std::max(kFarther * violation, kHarmless * length))) {
        has_fewer = true;
        kept_ = find_directions(touching.points, factors, n_v + n_l, kRankOfFewerGaps);
        step = of_joints;
        farthest = farthest_of(step);
      }
      way += farthest;
      const bool is_far = !(farthest <= std::max(kFarthest * violation, kFar * length) &&
                            way <= std::max(kFarthest * first, kMaxClosings * kFar * length));
      // Small gaps that contradict each other do no harm.
      if (is_far && first <= kFar * length && s.nodal.empty() && joints == Joints::beside_gaps) {
        n = n_first;
        system.advance(q_before, n, s.q);
        system.update(s);
        return false;
      }
      if (is_far)
        throw base::ComputationError(fmt::format(
            "the gaps of {} closed contacts cannot all be closed: that would move surfaces by {:.2g} m, where the largest gap is {:.2g} m; bodies may be jammed\n  try a smaller `step`",
            touching.points.size(), farthest, touching.largest));
    }
    n += step;
    system.advance(q_before, n, s.q);
    follow_ports(system, step, &bodies::NodalState::u, s);
    system.update(s);
    has_moved = true;
  }
  return has_moved;
}

// What presses, or penetrates, or has done so before.
GapClosing::Touching GapClosing::find_touching(const State& s,
                                               std::vector<bool>& has_touched) const {
  Touching touching;
  std::vector<double> gaps;
  for (int k = 0; k < points_.size(); ++k) {
    // One that faces no longer share, as they turn, is nowhere.
    if (!points_.law(k).has_gap() || !points_.exists(k)) continue;
    const double gap = points_.gap(k);
    const bool presses = points_.is_closed(s, k) && points_.has_force(s, k) &&
                         points_.normal(k).dot(points_.read(s, k).force) > 0.0;
    if (!(gap < 0.0) && !presses && !has_touched[k]) continue;
    has_touched[k] = true;
    touching.points.push_back(k);
    gaps.push_back(gap);
    touching.largest = std::max(touching.largest, std::abs(gap));
  }
  touching.gaps = Eigen::Map<const VectorXd>(gaps.data(), static_cast<Eigen::Index>(gaps.size()));
  return touching;
}

}  // namespace solidyn::integrators
