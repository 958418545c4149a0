#include "model/language/key.h"

namespace solidyn::model {

const TableSpec& stress_table() {
  static const TableSpec table{
      "stress",
      "Where the stress of a flexible body is recovered.",
      {Key("places", Form::named_tables,
           "named places for sensors; `near` without a radius takes the nearest node",
           "{fillet: {near: [0.1, 0, 0]}}")
           .holds(nodes_table()),
       Key("pictures", Form::word,
           "pictures show the stress tensor and von Mises stress on the surface, or not", "none")
           .among({"surface", "none"})
           .or_else("surface")}};
  return table;
}

}  // namespace solidyn::model
