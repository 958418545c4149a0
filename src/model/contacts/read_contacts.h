#pragma once
#include "model/read.h"

namespace solidyn::model {

/// `contacts` of a model. @pre its bodies have been read
std::vector<ContactDescription> read_contacts(const TableView& file, const Scope& scope);

/// Reports what set-valued contacts cannot take part in. @pre all of the file has been read
void check_set_valued_contacts(const ModelDescription& model, Report& report);

/// Reports events of `stop_when` that cannot happen, and methods of `contact_solver` that cannot
/// take the model's laws. @pre all of the file has been read
void check_set_valued_options(const ModelDescription& model, Report& report);

}  // namespace solidyn::model
