#include <fmt/format.h>

#include "model/forces/line_between.h"
#include "model/forces/springs.h"
#include "model/joints/joint_coordinates.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::model {
namespace {

using LineLaw = forces::SpringDamper::Options;

/// A spring, damper and actuator along the line between two points.
struct SpringDamperEntry final : LineBetween, ForceEntryOf<SpringDamperEntry> {
  SpringLaw spring;

  static const Fields<SpringDamperEntry>& fields();
  void check(const TableView& view, const Scope&) const;
  std::string acts_on() const override { return text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  const char* drawn_as() const override { return spring.drawn_as(); }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<SpringDamperEntry>& SpringDamperEntry::fields() {
  using Self = SpringDamperEntry;
  static const Fields<Self> list = joined_fields(
      line_fields<Self>(),
      Fields<Self>{
          field(Key("stiffness", Form::number, "force per extension", "2e4").in(kStiffness),
                &Self::spring, &SpringLaw::options, &LineLaw::stiffness),
          field(Key("damping", Form::number, "force per rate of extension", "1500")
                    .in(kViscosity)
                    .within(kNotNegative),
                &Self::spring, &SpringLaw::options, &LineLaw::damping),
          field(
              Key("free_length", Form::number,
                  "free length of the spring; by default the length at t = 0 (as modelled)", "0.35")
                  .in(kLength)
                  .within(kNotNegative),
              &Self::spring, &SpringLaw::free),
          field(Key("preload", Form::number, "tension at the free length", "-200").in(kForce),
                &Self::spring, &SpringLaw::options, &LineLaw::preload),
          spring_curve<Self>(Key("force_by_extension", Form::table,
                                 "tension as a table over the extension from the free length",
                                 "{table: [[-0.1, -900], [0, 0], [0.1, 300]]}")
                                 .holds(curve_table()),
                             kLength, kForce, &LineLaw::by_extension),
          spring_curve<Self>(
              Key("force_by_rate", Form::table, "tension as a table over the rate of extension",
                  "{table: [[-1, -600], [0, 0], [1, 1500]]}")
                  .holds(curve_table()),
              kVelocity, kForce, &LineLaw::by_rate),
          spring_formula<Self>(
              Key("force", Form::text,
                  "tension as an expression of the extension `x`, its rate `v` and `t`, in the units of the file",
                  "\"1e4*x + 1e6*x^3 + 50*v\""),
              kLength, kForce),
          spring_actuator<Self>(Key("actuator", Form::time_function,
                                    "force that pushes the two ends apart", "\"100*sin(t)\"")
                                    .in(kForce))});
  return list;
}

void SpringDamperEntry::check(const TableView& view, const Scope&) const {
  check_ends(view);
  spring.check(view, along_a_line());
}

std::unique_ptr<forces::Force> SpringDamperEntry::build(const Builder& builder) const {
  const PlacedLine line = place(*this, builder);
  LineLaw law = spring.options;
  law.free = spring.free.value_or(line.length);
  return make_coordinate_force(name, {line.link, bodies::Distance()},
                               std::make_unique<forces::SpringDamper>(std::move(law)),
                               spring.actuator, builder);
}

}  // namespace

ForceType spring_damper_row() {
  return SpringDamperEntry::row("spring_damper", "along the line between two points",
                                forces::CoordinateForce::readings_of_length());
}

}  // namespace solidyn::model
