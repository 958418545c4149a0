#pragma once
#include "model/read.h"

namespace solidyn::model {

/// `import` of a body, with what does not go with it.
ImportDescription read_import(const TableView& body);

}  // namespace solidyn::model
