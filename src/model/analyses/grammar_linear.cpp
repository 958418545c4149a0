#include "model/language/key.h"

namespace solidyn::model {
namespace {

Key times_key() {
  return Key("times", Form::vector,
             "instants of the model's `dynamics` at whose states this is done; by default once, at "
             "the state that the analyses before it have left, or as drawn",
             "[0.1, 0.2]")
      .in(kTime)
      .within(kNotNegative)
      .sized(kAnySize);
}

Key axes_key() {
  return Key("axes", Form::word,
             "what small motions of bodies are seen from: `body`, each from its own axes, which "
             "turn "
             "with it; `world`, all from the world's. At rest it makes no difference",
             "world")
      .among({"body", "world"})
      .or_else("body");
}

Key inputs_key() {
  return Key("inputs", Form::references,
             "components of loads (`push.force_z`, `push.torque_x`), also along beams, drives by "
             "name (`motor`), and "
             "components of a `point_path` (`path.x`)",
             "[push.force_z, motor]")
      .sized(kAnySize)
      .needed();
}

Key outputs_key() {
  return Key("outputs", Form::references, "sensors; by default all of the model", "[tip]")
      .sized(kAnySize);
}

}  // namespace

const TableSpec& modes_table() {
  static const TableSpec table{
      "modes",
      "Natural modes: frequencies, damping and shapes of small motions of the whole mechanism "
      "about "
      "its state; or, with `body`, of one flexible body by itself, as its supports hold it.",
      {Key("body", Form::reference, "the flexible body", "rod"),
       Key("count", Form::integer, "how many, rigid ones not counted", "10")
           .within(kOneOrMore)
           .needed(),
       times_key(), axes_key(),
       Key("pictures", Form::integer,
           "shapes for ParaView, so many in a period of each mode; not with `speeds`", "8")
           .within(kNotNegative)
           .or_else("0"),
       Key("about", Form::reference,
           "a joint or drive on the ground: the whole mechanism turns about its axis with "
           "constant `speeds`, in its steady state. A drive keeps the speed; a joint leaves it "
           "free",
           "bearing")
           .with("speeds"),
       Key("axis", Form::direction,
           "of the rotation, through the joint, world axes; by default the joint's own",
           "[1, 0, 0]")
           .with("about"),
       Key("speeds", Form::vector, "the speeds, one after the other (a Campbell diagram)",
           "[0, 50, 100]")
           .in(kAngularVelocity)
           .sized(kAnySize)
           .with("about")}};
  return table;
}

const TableSpec& linearise_table() {
  static const TableSpec table{
      "linearise",
      "The linearised equations in minimal coordinates as matrices A, B, C, D, with those of mass, "
      "damping, stiffness and constraints, in files for other programs.",
      {inputs_key(), outputs_key(), times_key(), axes_key()}};
  return table;
}

const TableSpec& frequency_response_table() {
  static const TableSpec table{
      "frequency response",
      "Amplitude and phase of the steady answer to harmonic inputs of size 1.",
      {inputs_key(), outputs_key(),
       Key("frequencies", Form::vector, "frequencies in Hz", "[1, 2, 5, 10]")
           .within(kNotNegative)
           .sized(kAnySize),
       Key("from", Form::number, "in place of `frequencies`: the first of a range, Hz", "1")
           .within(kNotNegative)
           .with("to"),
       Key("to", Form::number, "the last, Hz", "100").within(kPositive).with("points"),
       Key("points", Form::integer, "how many", "200")
           .within({2.0, kInfinity, true, true})
           .with("from"),
       Key("spacing", Form::word, "equal ratios or equal steps", "linear")
           .among({"logarithmic", "linear"})
           .or_else("logarithmic"),
       times_key(), axes_key()},
      "",
      false,
      {"frequencies", "from"}};
  return table;
}

}  // namespace solidyn::model
