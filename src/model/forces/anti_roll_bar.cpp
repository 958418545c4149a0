#include "solidyn/forces/anti_roll_bar.h"

#include <fmt/format.h>

#include "model/forces/force_places.h"
#include "model/forces/springs.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

/// A torsion bar on the first place, whose arms hold the second by two links.
struct AntiRollBarEntry final : BetweenPlaces, ForceEntryOf<AntiRollBarEntry> {
  std::vector<Vector3d> left, right;  ///< two points each, world, t = 0, m
  double arm = 0.0, stiffness = 0.0, damping = 0.0;

  static const Fields<AntiRollBarEntry>& fields();
  void check(const TableView& view, const Scope&) const;
  std::string acts_on() const override { return text(); }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<AntiRollBarEntry>& AntiRollBarEntry::fields() {
  using Self = AntiRollBarEntry;
  static const Fields<Self> list = {
      read_by<Self>(
          Key("between", Form::references,
              "the two places: of the bar, and of the far ends of the links", "[bogie, coach]")
              .sized(2)
              .needed(),
          [](Self& entry, const TableView& view, const Scope& scope) {
            entry.BetweenPlaces::read(view, Turns::yes, scope);
          }),
      field(
          Key("left", Form::positions,
              "one link: its end at the arm of the bar, and that on the second place, world at t = 0",
              "[[0, 1, 0.5], [0, 1, 0.8]]")
              .in(kLength)
              .needed(),
          &Self::left),
      field(Key("right", Form::positions, "the other link", "[[0, -1, 0.5], [0, -1, 0.8]]")
                .in(kLength)
                .needed(),
            &Self::right),
      field(Key("arm", Form::number, "length of the arms, from the bar to the links", "0.25")
                .in(kLength)
                .within(kPositive)
                .needed(),
            &Self::arm),
      field(Key("stiffness", Form::number, "of the bar in torsion, with its arms: torque per angle",
                "4e4")
                .in(kTorsionalStiffness)
                .within(kNotNegative)
                .needed(),
            &Self::stiffness),
      field(Key("damping", Form::number, "of the bar in torsion", "100")
                .in(kTorsionalViscosity)
                .within(kNotNegative),
            &Self::damping)};
  return list;
}

void AntiRollBarEntry::check(const TableView& view, const Scope&) const {
  const auto check_link = [&](const char* key, const std::vector<Vector3d>& ends) {
    if (!view.is_good(key) || (ends.size() == 2 && ends[0] != ends[1])) return;
    view.report().error(
        view.where(key),
        ends.size() == 2
            ? fmt::format("{}: both ends of the link are one point", view.path(key))
            : fmt::format("{}: a link has two ends, not {}", view.path(key), ends.size()),
        "give the end at the arm and the end on the second place");
  };
  check_link("left", left);
  check_link("right", right);
  if (view.is_good("left") && left == right)
    view.report().error(
        view.where("right"),
        fmt::format("{} is the same link as `left`: nothing would be resisted", view.path("right")),
        "give the link at the other end of the bar");
}

std::unique_ptr<forces::Force> AntiRollBarEntry::build(const Builder& builder) const {
  std::array<Vector3d, 2> origins;
  std::array<bodies::FrameIndex, 2> frames;
  for (int i = 0; i < 2; ++i) {
    origins[i] = 0.5 * (left[i] + right[i]);
    frames[i] =
        add_force_frame(*this, between[i], i, origins[i], Eigen::Matrix3d::Identity(), builder);
  }
  refuse_force_within(*this, frames[0], frames[1], builder);
  const auto of_frames = [&](const std::vector<Vector3d>& link) {
    return forces::LinkDifference::Link{link[0] - origins[0], link[1] - origins[1]};
  };
  forces::SpringDamper::Options law;
  law.stiffness = stiffness / (arm * arm);
  law.damping = damping / (arm * arm);
  law.free = (left[1] - left[0]).norm() - (right[1] - right[0]).norm();
  return std::make_unique<forces::CoordinateForce>(
      name, builder.built.system.link(frames[0], frames[1]),
      bodies::UserCoordinate(
          std::make_shared<forces::LinkDifference>(of_frames(left), of_frames(right))),
      std::make_unique<forces::SpringDamper>(std::move(law)));
}

}  // namespace

ForceType anti_roll_bar_row() {
  return AntiRollBarEntry::row("anti_roll_bar", "a torsion bar with two links",
                               forces::CoordinateForce::readings_of_length());
}

}  // namespace solidyn::model
