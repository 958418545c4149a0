#include "solidyn/railway/wheelset_geometry.h"

#include <fmt/format.h>

#include <cmath>

#include "bracketed_root.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {

WheelsetOnTrack::WheelsetOnTrack(WheelOnRail left, WheelOnRail right)
    : left_(std::move(left)), right_(std::move(right)) {}

// The side that is lifted higher rolls down: the difference of both lifts falls with the roll
// angle.
TwoSidedContact WheelsetOnTrack::contact(double y) const {
  const auto difference = [&](double roll) {
    return left_.contact(y, roll).lift - right_.contact(-y, -roll).lift;
  };
  constexpr double kLargestRoll = 0.2;
  double a = 0.0, f_a = difference(a), step = f_a > 0.0 ? 2e-4 : -2e-4;
  double b = step, f_b = difference(b);
  while (f_a * f_b > 0.0) {
    a = b;
    f_a = f_b;
    step *= 2.0;
    b += step;
    if (std::abs(b) > kLargestRoll)
      throw base::ComputationError(fmt::format(
          "no roll angle brings both wheels onto their rails where the wheelset is {:.3f} mm off the centre of the track",
          1e3 * y));
    f_b = difference(b);
  }
  TwoSidedContact result;
  result.y = y;
  result.roll = bracketed_root(difference, a, f_a, b, f_b, 1e-15);
  result.left = left_.contact(y, result.roll);
  result.right = right_.contact(-y, -result.roll);
  result.z = 0.5 * (result.left.lift + result.right.lift);
  return result;
}

namespace {

void check(const WheelsetDimensions& d) {
  std::vector<base::Diagnostic> wrong;
  if (!(d.radius > 0.05 && d.radius < 2.0))
    wrong.push_back({{},
                     fmt::format("the wheel radius is {:g} m", d.radius),
                     "give the nominal radius in metres, for example 0.46"});
  if (!(d.flange_back > 0.2))
    wrong.push_back(
        {{},
         fmt::format("the distance between the backs of the flanges is {:g} m", d.flange_back),
         "give it in metres, for example 1.36"});
  if (!wrong.empty()) throw base::InputError(wrong);
}

}  // namespace

WheelsetOnTrack make_wheelset_on_track(const Profile& wheel, const WheelsetDimensions& dimensions,
                                       const Profile& rail, const RailPlacement& placement) {
  check(dimensions);
  if (dimensions.flange_back >= placement.gauge)
    throw base::InputError(
        fmt::format(
            "the backs of the flanges are {:g} mm apart and the gauge is {:g} mm: the flanges have no room between the rails",
            1e3 * dimensions.flange_back, 1e3 * placement.gauge),
        "give the gauge and the distance between the backs of the flanges of one kind of track");
  const WheelsetOnTrack wheelset(
      WheelOnRail(wheel, dimensions.radius, dimensions.tape_circle(), RailHead(rail, placement)));
  const char* remedy = "check gauge, flange back and which side of the profiles points outwards";
  try {
    const TwoSidedContact central = wheelset.contact(0.0);
    if (std::abs(central.left.angle) > 0.5)
      throw base::InputError(
          fmt::format(
              "the wheels stand on their flanges in the middle of a track of {:g} mm gauge (contact angle {:.3g} rad): there is no clearance",
              1e3 * placement.gauge, central.left.angle),
          remedy);
  } catch (const base::ComputationError&) {
    throw base::InputError(
        fmt::format(
            "wheel {} and rail {} never meet at a gauge of {:g} mm and tape circles {:g} mm apart",
            wheel.name(), rail.name(), 1e3 * placement.gauge, 2e3 * dimensions.tape_circle()),
        remedy);
  }
  return wheelset;
}

}  // namespace solidyn::railway
