#pragma once
#include "model/read.h"

namespace solidyn::model {

/// The key `formulation`. To be read before the analyses.
void read_formulation(const TableView& file, ModelDescription& model);
/// Reports analyses that have no relative coordinates. @pre the analyses have been read
void check_formulation(const ModelDescription& model, Report& report);

}  // namespace solidyn::model
