#pragma once
#include <string>

#include "model/language/report.h"
#include "model/language/value.h"

namespace solidyn::model {

/// Applies "path.in.model=value" to the tree. Keys that the grammar knows are made when missing; a
/// path that leads nowhere is reported with the nearest one that does not.
void apply_override(const std::string& text, Value& root, Report& report);

}  // namespace solidyn::model
