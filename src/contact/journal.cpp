#include "contact/pair_geometries.h"

namespace solidyn::contact {
namespace {

using Eigen::Vector3d;

// The ends of one of the two, over a bore that stands for the other. `arm`: see PointsOnSurface.
PointsOnSurface ends(On on, const Cylinder& of, const Cylinder& other, double clearance,
                     double mouth, double arm) {
  const Vector3d end(0.0, 0.0, 0.5 * of.length);
  return {{on, {-end, end}, -mouth, arm},
          std::make_unique<FromBore>(clearance + mouth, 0.5 * other.length)};
}

}  // namespace

Journal::Journal(On on_pin, const Cylinder& pin, const Cylinder& bush)
    : pin_ends_(
          ends(on_pin, pin, bush, bush.radius - pin.radius, kMouth * pin.radius, -pin.radius)),
      bush_ends_(ends(on_pin == On::A ? On::B : On::A, bush, pin, bush.radius - pin.radius,
                      kMouth * pin.radius, bush.radius)) {}

ContactPoint Journal::at(const bodies::FramePair& f, int point) const {
  const bool is_turned_round = f.A.R.col(2).dot(f.B.R.col(2)) < 0.0;
  const ContactPoint of_pin = pin_ends_.at(f, point);
  const ContactPoint of_bush = bush_ends_.at(f, is_turned_round ? 1 - point : point);
  return of_pin.gap <= of_bush.gap ? of_pin : of_bush;
}

}  // namespace solidyn::contact
