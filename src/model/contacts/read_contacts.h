#pragma once
#include "model/read.h"

namespace solidyn::model {

/// `contacts` of a model. @pre its bodies have been read
std::vector<ContactDescription> read_contacts(const TableView& file, const Scope& scope);

}  // namespace solidyn::model
