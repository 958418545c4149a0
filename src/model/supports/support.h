#pragma once
#include "model/language/field.h"
#include "model/read.h"

namespace solidyn::model {

/// `supports` of a model. @pre its bodies have been read
std::vector<SupportDescription> read_supports(const TableView& file, const Scope& scope);

void visit_laws(const SupportDescription& support, const LawVisitor& visit);

}  // namespace solidyn::model
