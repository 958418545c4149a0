#pragma once
#include "model/language/field.h"
#include "solidyn/analyses/joint_sensors.h"

namespace solidyn::model {

/// On which place of two a force and its torque act, and along whose axes their components are.
struct WrenchPlace {
  analyses::JointSide on = analyses::JointSide::second;
  analyses::ReactionAxes axes = analyses::ReactionAxes::world;

  static Fields<WrenchPlace> fields() {
    using Side = analyses::JointSide;
    using Axes = analyses::ReactionAxes;
    return {
        field(Key("side", Form::word, "the place on which force and torque act", "first")
                  .or_default(),
              Choice<Side>{{"first", Side::first}, {"second", Side::second}}, &WrenchPlace::on),
        field(
            Key("axes", Form::word,
                "axes of force and torque: world axes, or those of the frame on the `first` or `second` place; for joints its z is the axis of the joint ([the catalogue](joints.md))",
                "first")
                .or_default(),
            Choice<Axes>{{"world", Axes::world}, {"first", Axes::first}, {"second", Axes::second}},
            &WrenchPlace::axes)};
  }
};

}  // namespace solidyn::model
