#include "model/language/key.h"

namespace solidyn::model {

const TableSpec& static_load_table() {
  static const TableSpec table{
      "static load",
      "A pattern of loads whose static answer joins the modes; its size does not matter. The body "
      "is free: what the pattern does not balance accelerates it.",
      {Key("pressure", Form::number, "a pressure on `faces`, against the outward normal", "1")
           .in(kPressure)
           .with("faces"),
       Key("traction", Form::vector, "force per area on `faces`, mesh axes", "[0, 0, 1]")
           .in(kPressure)
           .with("faces"),
       Key("force", Form::vector, "force on `nodes`, shared like their masses, mesh axes",
           "[0, 0, -1]")
           .in(kForce)
           .with("nodes"),
       Key("faces", Form::table, "the outer faces whose nodes are all selected", "{in_set: skin}")
           .holds(nodes_table()),
       Key("nodes", Form::table, "the nodes", "{in_set: payload}").holds(nodes_table())},
      "",
      false,
      {"pressure", "traction", "force"}};
  return table;
}

const TableSpec& modes_of_body_table() {
  static const TableSpec table{
      "body modes",
      "Which modes describe the deformation of a modal body or a superelement: the union of all "
      "that is named here. "
      "doc/reduction.md says which to choose.",
      {Key("free_free", Form::integer,
           "number of elastic free-free modes; where `supports` hold the body, of its modes as "
           "they "
           "hold it",
           "8")
           .within(kNotNegative)
           .or_else("0"),
       Key("free_free_up_to", Form::number,
           "in place of `free_free`: every free-free mode up to this frequency in Hz, none missed",
           "2000")
           .within(kPositive),
       Key("fixed_interface", Form::integer,
           "number of eigenmodes with all interfaces held; with the static answers at the "
           "interfaces the basis of Craig and Bampton",
           "10")
           .within(kNotNegative)
           .or_else("0"),
       Key("fixed_interface_up_to", Form::number,
           "in place of `fixed_interface`: every one up to this frequency in Hz, none missed",
           "3000")
           .within(kPositive),
       Key("constraint_modes", Form::word,
           "Craig and Bampton's static answers alone: those to unit motions of one interface with "
           "the others held, or not. `static_correction` spans them and is better with little more",
           "at_interfaces")
           .among({"at_interfaces", "none"})
           .or_else("none"),
       Key("static_correction", Form::word,
           "keep the static deformation of the free body under unit loads at the interfaces, or "
           "not (`residual_flexibility` means the same: beside free-free modes what it adds is "
           "their residual flexibility, Craig-Chang); `at_interfaces` by default, `none` with "
           "`constraint_modes`",
           "at_interfaces")
           .among({"at_interfaces", "residual_flexibility", "none"}),
       Key("static_loads", Form::named_tables,
           "keep the static deformation under these patterns of loads as well",
           "{wind: {faces: {in_set: skin}, pressure: 1}}")
           .holds(static_load_table()),
       Key("cut_off", Form::number,
           "drop the modes of the finished union above this frequency in Hz; static answers "
           "suffer, and a warning says so",
           "20000")
           .within(kPositive)}};
  return table;
}

}  // namespace solidyn::model
