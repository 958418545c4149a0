#include <fmt/format.h>

#include "model/forces/force_places.h"
#include "model/forces/springs.h"
#include "model/joints/joint_coordinates.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using Law = forces::SpringDamper::Options;

/// A spring, damper and actuator along the line between two points.
struct SpringDamperEntry final : BetweenPlaces, ForceEntryOf<SpringDamperEntry> {
  std::optional<Vector3d> at_first, at_second;  ///< world, t = 0, m
  SpringLaw spring;

  static const Fields<SpringDamperEntry>& fields();
  void check(const TableView& view, const Scope&) const;
  std::string acts_on() const override { return text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<SpringDamperEntry>& SpringDamperEntry::fields() {
  using Self = SpringDamperEntry;
  static const Fields<Self> list = {
      read_by<Self>(Key("between", Form::references, "the two places", "[chassis.top, wheel.hub]")
                        .sized(2)
                        .needed(),
                    [](Self& entry, const TableView& view, const Scope& scope) {
                      entry.BetweenPlaces::read(view, Turns::no, scope);
                    }),
      field(Key("at_first", Form::vector,
                "the end on the first place, world at t = 0; by default the place's origin",
                "[0, 0, 0.5]")
                .in(kLength),
            &Self::at_first),
      field(
          Key("at_second", Form::vector, "the end on the second place", "[0, 0, 0.1]").in(kLength),
          &Self::at_second),
      field(Key("stiffness", Form::number, "force per extension", "2e4").in(kStiffness),
            &Self::spring, &SpringLaw::options, &Law::stiffness),
      field(Key("damping", Form::number, "force per rate of extension", "1500")
                .in(kViscosity)
                .within(kNotNegative),
            &Self::spring, &SpringLaw::options, &Law::damping),
      field(Key("free_length", Form::number,
                "free length of the spring; by default the length at t = 0 (as modelled)", "0.35")
                .in(kLength)
                .within(kNotNegative),
            &Self::spring, &SpringLaw::free),
      field(Key("preload", Form::number, "tension at the free length", "-200").in(kForce),
            &Self::spring, &SpringLaw::options, &Law::preload),
      spring_curve<Self>(Key("force_by_extension", Form::table,
                             "tension as a table over the extension from the free length",
                             "{table: [[-0.1, -900], [0, 0], [0.1, 300]]}")
                             .holds(curve_table()),
                         kLength, kForce, &Law::by_extension),
      spring_curve<Self>(
          Key("force_by_rate", Form::table, "tension as a table over the rate of extension",
              "{table: [[-1, -600], [0, 0], [1, 1500]]}")
              .holds(curve_table()),
          kVelocity, kForce, &Law::by_rate),
      spring_formula<Self>(
          Key("force", Form::text,
              "tension as an expression of the extension `x`, its rate `v` and `t`, in the units of the file",
              "\"1e4*x + 1e6*x^3 + 50*v\""),
          kLength, kForce),
      spring_actuator<Self>(Key("actuator", Form::time_function,
                                "force that pushes the two ends apart", "\"100*sin(t)\"")
                                .in(kForce))};
  return list;
}

void SpringDamperEntry::check(const TableView& view, const Scope&) const {
  using Kind = PlaceDescription::Kind;
  const char* keys[] = {"at_first", "at_second"};
  for (int i = 0; i < 2; ++i) {
    if (view.has(keys[i]) && between[i].kind == Kind::point)
      view.report().error(view.where(keys[i]),
                          fmt::format("{}: the place is already a point", view.path(keys[i])),
                          "remove it, or give an interface");
    if (view.is_good("between") && !view.has(keys[i]) && between[i].kind == Kind::ground)
      view.report().error(view.where(), fmt::format("{} is missing", view.path(keys[i])),
                          "give the end on the ground in world coordinates, for example  " +
                              std::string(keys[i]) + ": [0, 0, 1]");
  }
  spring.check(view, along_a_line());
}

std::unique_ptr<forces::Force> SpringDamperEntry::build(const Builder& builder) const {
  const std::optional<Vector3d>* given[] = {&at_first, &at_second};
  std::array<Vector3d, 2> ends;
  std::array<bodies::FrameIndex, 2> frames;
  for (int i = 0; i < 2; ++i) {
    ends[i] = *given[i] ? **given[i] : builder.places.position(between[i]);
    frames[i] =
        add_force_frame(*this, between[i], i, ends[i], Eigen::Matrix3d::Identity(), builder);
  }
  refuse_force_within(*this, frames[0], frames[1], builder);
  const double drawn = (ends[1] - ends[0]).norm();
  if (drawn == 0.0)
    throw base::InputError(
        fmt::format(
            "forces.{}: its two ends coincide at ({:g}, {:g}, {:g}) m, so that its force has no direction",
            name, ends[0].x(), ends[0].y(), ends[0].z()),
        "move an end by `at_first` or `at_second`, or use a bushing", where);
  Law law = spring.options;
  law.free = spring.free.value_or(drawn);
  return make_coordinate_force(
      name, {builder.built.system.link(frames[0], frames[1]), bodies::Distance()},
      std::make_unique<forces::SpringDamper>(std::move(law)), spring.actuator, builder);
}

}  // namespace

ForceType spring_damper_row() {
  return SpringDamperEntry::row("spring_damper", "along the line between two points",
                                forces::CoordinateForce::readings_of_length());
}

}  // namespace solidyn::model
