#include "solidyn/forces/series_spring_damper.h"

#include <fmt/format.h>

#include <cmath>

#include "model/forces/line_between.h"
#include "model/forces/springs.h"
#include "solidyn/bodies/internal_coordinate.h"

namespace solidyn::model {
namespace {

using SeriesLaw = forces::SeriesSpringDamper::Options;

/// A spring and a damper one behind the other along the line between two points.
struct SeriesSpringDamperEntry final : LineBetween, ForceEntryOf<SeriesSpringDamperEntry> {
  SeriesLaw law;

  static const Fields<SeriesSpringDamperEntry>& fields();
  void check(const TableView& view, const Scope&) const;
  std::string acts_on() const override { return text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  const char* drawn_as() const override { return "spring"; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<SeriesSpringDamperEntry>& SeriesSpringDamperEntry::fields() {
  using Self = SeriesSpringDamperEntry;
  static const Fields<Self> list = joined_fields(
      line_fields<Self>(),
      Fields<Self>{
          field(Key("stiffness", Form::number,
                    "of the spring behind the damper: force per extension", "6e6")
                    .in(kStiffness)
                    .within(kPositive)
                    .needed(),
                &Self::law, &SeriesLaw::stiffness),
          field(Key("damping", Form::number, "of the damper: force per rate of its own extension",
                    "1500")
                    .in(kViscosity)
                    .within(kPositive)
                    .needed(),
                &Self::law, &SeriesLaw::damping),
          read_by<Self>(
              Key("force_by_rate", Form::table,
                  "tension as a table over the rate of the damper's own extension, beside `damping`: a valve, or friction that sticks through the spring",
                  "{table: [[-0.1, -4e3], [0, 0], [0.1, 4e3]]}")
                  .holds(curve_table()),
              [](Self& entry, const TableView& view, const Scope&) {
                entry.law.by_rate = read_curve(view, "force_by_rate", kVelocity, kForce);
              })});
  return list;
}

void SeriesSpringDamperEntry::check(const TableView& view, const Scope&) const {
  check_ends(view);
  if (!law.by_rate) return;
  const auto refuse = [&](const std::string& what, const char* remedy) {
    view.report().error(view.where("force_by_rate"),
                        fmt::format("{} {}", view.path("force_by_rate"), what), remedy);
  };
  constexpr int kSamples = 1000;
  constexpr double kRoundoff = 1e-12;
  const double from = law.by_rate->first(), to = law.by_rate->last();
  const double at_rest = law.by_rate->value(0.0);
  if (std::abs(at_rest) >
      kRoundoff * (std::abs(law.by_rate->value(from)) + std::abs(law.by_rate->value(to))))
    return refuse(
        fmt::format("is {:g} N at no rate, and a damper at rest carries nothing", at_rest),
        "let the table go through [0, 0]");
  for (int i = 0; i <= kSamples; ++i) {
    const double rate = from + (to - from) * i / kSamples;
    if ((law.by_rate->value(rate) + law.damping * rate) * rate < 0.0)
      return refuse(
          fmt::format("has the wrong sign at {:g} m/s: it drives what it should damp", rate),
          "give tension for positive rates, pressure for negative ones");
    // Where the table falls faster than `damping` rises, one force has several rates.
    if (!(law.by_rate->slope(rate) + law.damping > 0.0))
      return refuse(
          fmt::format(
              "falls at {:g} m/s by {:g} N s/m, faster than `damping` rises: one force would belong to several rates",
              rate, -law.by_rate->slope(rate)),
          "let the table rise, or give more `damping`");
  }
}

std::unique_ptr<forces::Force> SeriesSpringDamperEntry::build(const Builder& builder) const {
  const PlacedLine line = place(*this, builder);
  SeriesLaw options = law;
  options.free = line.length;
  const bodies::BodyIndex internal = builder.built.system.add_body(
      std::make_unique<bodies::InternalCoordinate>(fmt::format("damper of force {}", name),
                                                   forces::SeriesSpringDamper::inertia(options)),
      {});
  return std::make_unique<forces::SeriesSpringDamper>(name, line.link, bodies::Distance(), internal,
                                                      std::move(options));
}

}  // namespace

ForceType series_spring_damper_row() {
  return SeriesSpringDamperEntry::row("series_spring_damper",
                                      "a spring and a damper one behind the other",
                                      forces::SeriesSpringDamper::readings_of_length());
}

}  // namespace solidyn::model
