#pragma once
#include "model/read.h"

namespace solidyn::model {

/// A load per length of a beam (`type: distributed`).
void read_line_load(const TableView& view, LoadDescription& load, const ModelDescription& model,
                    const Names& names);

}  // namespace solidyn::model
