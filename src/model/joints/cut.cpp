#include "model/joints/joint_entry.h"

namespace solidyn::model {

Fields<JointEntry> fields_of_cut(const JointTraits& traits) {
  if (!traits.is_hinge) return {};
  return {read_by<JointEntry>(
      Key("cut", Form::word,
          "`true`: with `formulation: recursive` the loop to which the joint belongs is cut here ([recursive dynamics](recursive.md)); by default the program chooses",
          "true")
          .among({"false", "true"}),
      [](JointEntry& joint, const TableView& view, const Scope&) {
        joint.is_cut = view.is_good("cut") && view.text("cut") == "true";
      })};
}

}  // namespace solidyn::model
