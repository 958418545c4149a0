#include "solidyn/forces/bump_stop.h"

#include <fmt/format.h>

#include "model/forces/force_places.h"
#include "model/forces/springs.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::model {
namespace {

using StopLaw = forces::BumpStop::Options;
enum class Sides { both, positive, negative };

/// A bump stop along an axis of the first place.
struct BumpStopEntry final : BetweenFrames, ForceEntryOf<BumpStopEntry> {
  StopLaw law;
  Sides sides = Sides::both;

  static const Fields<BumpStopEntry>& fields();
  void check(const TableView& view, const Scope&);
  std::string acts_on() const override { return text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  const char* drawn_as() const override { return "spring"; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<BumpStopEntry>& BumpStopEntry::fields() {
  using Self = BumpStopEntry;
  static const Choice<Sides> sides = {
      {"both", Sides::both}, {"positive", Sides::positive}, {"negative", Sides::negative}};
  static const Fields<Self> list = {
      read_by<Self>(Key("between", Form::references, "the two places", "[bogie.top, body.bolster]")
                        .sized(2)
                        .needed(),
                    [](Self& entry, const TableView& view, const Scope& scope) {
                      entry.BetweenPlaces::read(view, Turns::no, scope);
                    }),
      field(Key("axis", Form::direction,
                "world axes at t = 0: the direction of travel, which turns with the first place",
                "[0, 1, 0]")
                .needed(),
            &BetweenFrames::axis)
          .of_derived<Self>(),
      field(
          Key("at", Form::vector,
              "the point, world at t = 0; by default the origin of the interface or frame in `between`",
              "[0, 0, 0.8]")
              .in(kLength),
          &BetweenFrames::at)
          .of_derived<Self>(),
      read_by<Self>(
          Key("force_by_travel", Form::table,
              "force against the travel of the second place from where it is as modelled: from zero at the gap, rising; beyond the last point with the last slope",
              "{table: [[0.025, 0], [0.03, 600], [0.065, 23e4]]}")
              .holds(curve_table())
              .needed(),
          [](Self& entry, const TableView& view, const Scope&) {
            entry.law.force = read_curve(view, "force_by_travel", kLength, kForce);
          }),
      field(Key("sides", Form::word, "in which directions of `axis` it stops", "positive"), sides,
            &Self::sides),
      field(
          Key("damping", Form::number,
              "the force is larger by this times the rate at which it is pressed in, and smaller on the way out; it never pulls",
              "0.3")
              .in({"s/m", -1, 0, 1, 0, 0})
              .within(kNotNegative),
          &Self::law, &StopLaw::damping)};
  return list;
}

// Where the characteristic falls it would let go as it is pressed in.
void BumpStopEntry::check(const TableView& view, const Scope&) {
  BetweenFrames::check(view);
  if (!law.force) return;
  constexpr int kSamples = 1000;
  const math::Curve& f = *law.force;
  const auto complain = [&](const std::string& what, const char* remedy) {
    view.report().error(view.where("force_by_travel"), view.path("force_by_travel") + what, remedy);
  };
  if (f.first() < 0.0 || f.value(f.first()) != 0.0)
    return complain(
        fmt::format(" begins with {:g} N at {:g} m", f.value(f.first()), f.first()),
        "begin with a travel of the gap, which is not negative, and force 0, for example  [0.025, 0]; `sides` says in which directions");
  double before = 0.0;
  for (int i = 1; i <= kSamples; ++i) {
    const double travel = f.first() + (f.last() - f.first()) * i / kSamples;
    const double force = f.value(travel);
    if (force < before)
      return complain(fmt::format(" falls at {:g} m, to {:g} N", travel, force),
                      "let the force rise with the travel, and do not let a spline swing below");
    before = force;
  }
}

std::unique_ptr<forces::Force> BumpStopEntry::build(const Builder& builder) const {
  StopLaw options = law;
  options.is_positive = sides != Sides::negative;
  options.is_negative = sides != Sides::positive;
  return std::make_unique<forces::CoordinateForce>(
      name, add_force_frames(*this, *this, false, builder),
      bodies::PointAlongFrameAxis(Eigen::Vector3d::UnitZ()),
      std::make_unique<forces::BumpStop>(std::move(options)));
}

}  // namespace

ForceType bump_stop_row() {
  return BumpStopEntry::row("bump_stop", "stops along an axis, by a characteristic",
                            forces::CoordinateForce::readings_of_length());
}

}  // namespace solidyn::model
