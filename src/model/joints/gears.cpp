#include <fmt/format.h>

#include "model/joints/couplings.h"
#include "model/read.h"

// Couplings of two joints by one factor.
namespace solidyn::model {
namespace {

struct GearEntry final : CouplingEntry {
  JointFreedom second = JointFreedom::rotation;  ///< of the first it is the angle
  std::string factor_key;
  double factor = 0.0;  ///< second coordinate over the first

  void check(const TableView& view, const Scope& scope) {
    refuse_zero(view, factor_key.c_str());
    if (!view.is_good("joints")) return;
    const std::vector<std::string> pair = view.texts("joints");
    if (pair[0] == pair[1])
      view.report().error(view.where("joints"),
                          fmt::format("{} names `{}` twice", view.path("joints"), pair[0]),
                          "name two different joints");
    add_term(view, "joints", {pair[0], JointFreedom::rotation, -factor}, scope.names);
    add_term(view, "joints", {pair[1], second, 1.0}, scope.names);
  }
};

JointType gear_type(const char* word, const Key& joints, JointFreedom second, const Key& factor) {
  GearEntry gear;
  gear.type = JointTraits(word).couples();
  gear.second = second;
  gear.factor_key = KeySpec(factor).key;
  return joint_type(gear, Fields<GearEntry>{read_elsewhere<GearEntry>(joints),
                                            field(factor, &GearEntry::factor)});
}

}  // namespace

JointType gear_row() {
  return gear_type(
      "gear",
      Key("joints", Form::references, "the two revolute joints whose angles are coupled",
          "[input, output]")
          .sized(2)
          .needed(),
      JointFreedom::rotation,
      Key("ratio", Form::number,
          "angle of the second joint over that of the first: minus the ratio of the numbers of teeth of the first and the second gear for external gears, plus for a ring gear",
          "-0.5")
          .needed());
}

JointType rack_and_pinion_row() {
  return gear_type(
      "rack_and_pinion",
      Key("joints", Form::references, "the joint of the pinion, and that of the rack",
          "[pinion, rack]")
          .sized(2)
          .needed(),
      JointFreedom::translation,
      Key("radius", Form::number,
          "radius of the pinion: the rack advances by radius times angle; negative values reverse the direction",
          "0.05")
          .in(kLength)
          .needed());
}

}  // namespace solidyn::model
