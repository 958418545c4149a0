#pragma once
#include "model/bodies/body_entry.h"

/// The types of bodies that a model file may have.
namespace solidyn::model {

/// In the order of the manual.
const std::vector<BodyType>& body_catalogue();

/// Null when no type has this word.
const BodyType* find_body_type(const std::string& word);

/// Those whose type is wrong; complaints about what refers to them would only confuse.
void read_body_names(const TableView& file, Names& names);

/// `bodies` of a model. @pre its materials have been read
std::vector<std::shared_ptr<const BodyEntry>> read_bodies(const TableView& file,
                                                          const Scope& scope);

}  // namespace solidyn::model
