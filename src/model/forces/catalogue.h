#pragma once
#include "model/forces/force_entry.h"

/// The types of forces that a model file may have.
namespace solidyn::model {

/// In the order of the manual.
const std::vector<ForceType>& force_catalogue();

/// Null when no type has this word.
const ForceType* find_force_type(const std::string& word);

/// `forces` of a model. @pre its bodies, joints and sensors have been read
std::vector<std::shared_ptr<const ForceEntry>> read_forces(const TableView& file,
                                                           const Scope& scope);

/// Adds the force to the system. Bodies and joints are there.
void add_force(const ForceEntry& force, const Builder& builder);

}  // namespace solidyn::model
