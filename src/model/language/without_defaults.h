#pragma once
#include "model/language/value.h"
#include "solidyn/model/grammar.h"
#include "solidyn/model/units.h"

namespace solidyn::model {

/// The table without the keys whose values are their defaults, nor optional tables of nothing else,
/// so that a model that leaves a default out and one that writes it are the same. Keys that do not
/// belong to the table's type stay.
Value without_defaults(const Value& table, const TableSpec& spec, const Units& units);

}  // namespace solidyn::model
