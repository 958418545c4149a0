// What the normal contact of a run is computed from: samples of the wheel with their stiffness, and
// the rail's heights.
#include <algorithm>
#include <cmath>

#include "overlap_patches.h"
#include "solidyn/base/error.h"
#include "solidyn/railway/rail_overlap.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kTreadCurvature = 10.0;  // 1/m, below which it is one
constexpr double kRailStep = 1e-4;        // m
constexpr double kSteepest = 8.0;         // slope of a rail's side beyond which it carries nothing

}  // namespace

RailOverlap::RailOverlap(const Profile& wheel, const WheelsetDimensions& dimensions,
                         const RailHead& rail, const ElasticMaterial& material, PatchModel model)
    : material_(material), model_(model) {
  sample_wheel(wheel, dimensions);
  sample_rail(rail);
  if (heights_.size() > 1) match_stiffness();
  if (stiffness_.empty())
    throw base::InputError(
        "wheel " + wheel.name() + " and its rail do not meet at any lateral position",
        "check gauge, flange back and which side of the profiles points outwards");
  for (Samples& s : samples_) s.k = s.u.unaryExpr([this](double u) { return stiffness(u); });
}

void RailOverlap::sample_wheel(const Profile& wheel, const WheelsetDimensions& dimensions) {
  using Sample = Eigen::Matrix<double, 7, 1>;
  std::vector<Sample> all;
  for (std::size_t s = 0; s < wheel.n_sections(); ++s) {
    const double to = wheel.to(s);
    for (double t = wheel.from(s), part = 0.0; t < to; t += part) {
      const CurvePoint begin = wheel.at(s, t);
      const bool is_tread = std::abs(begin.curvature()) < kTreadCurvature;
      part = std::min((is_tread ? 2.0 : 1.0) * kMeridianStep / begin.d.norm(), to - t);
      const CurvePoint at = wheel.at(s, t + 0.5 * part);
      if (at.d.x() > 1e-6 * at.d.norm()) {  // else the back of the flange
        const double u = at.p.x(), size = at.d.norm();
        all.emplace_back();
        all.back() << u, dimensions.tape_circle() + u, dimensions.radius - at.p.y(), -at.slope(),
            at.d.x() / size, size * part, 1.0;
      }
      if (t + part == t) break;  // roundoff at the end
    }
  }
  // The last block is filled up by what is beside every rail.
  const auto pack = [](const std::vector<Sample>& list, std::vector<Samples>& blocks) {
    constexpr double kFarAway = 1e6;  // m
    Sample nowhere;
    nowhere << kFarAway, kFarAway, 1.0, 0.0, 1.0, 0.0, 1.0;
    for (std::size_t from = 0; from < list.size(); from += kBlock) {
      Samples& block = blocks.emplace_back();
      for (int i = 0; i < kBlock; ++i) {
        const Sample& s = from + i < list.size() ? list[from + i] : nowhere;
        block.u[i] = s[0];
        block.L[i] = s[1];
        block.r[i] = s[2];
        block.slope[i] = s[3];
        block.cosine[i] = s[4];
        block.length[i] = s[5];
        block.k[i] = s[6];
      }
    }
  };
  std::vector<Sample> ends;
  for (std::size_t i = 0; i < all.size(); i += kBlock) ends.push_back(all[i]);
  if (!all.empty()) ends.push_back(all.back());
  pack(all, samples_);
  pack(ends, ends_);
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
      stiffness_.emplace_back(e.c.y() - samples_.front().L[0] + samples_.front().u[0],
                              stiffness_of(patch, e, position));
    }
  }
}

}  // namespace solidyn::railway
