#pragma once
#include "model/language/report.h"
#include "model/language/value.h"

namespace solidyn::model {

/// Puts numbers where the file says formulas of its `parameters`:
///   "=length/2"       a number, alone in its place, in lists too
///   "{=length/2}*t"   within any other text: a formula of t, the name of a file
/// A parameter is a number or such a formula of earlier ones. Reports names that are no parameters,
/// with the nearest that is, and formulas without a finite value; warns of parameters that nothing
/// uses. Values keep their places, and what the file says in Value::formula. Units and ranges are
/// checked afterwards, on the numbers.
void resolve_parameters(Value& root, Report& report);

}  // namespace solidyn::model
