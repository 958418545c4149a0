#pragma once
#include <map>
#include <string>

#include "model/language/field.h"
#include "model/read.h"

namespace solidyn::model {

std::map<std::string, MaterialDescription> read_materials(const TableView& file,
                                                          const Scope& scope);

/// What the `material` of a body names; empty without the key. Complains of one that is not there.
std::string read_material(const TableView& body, const Scope& scope);

/// That the body cannot do without.
void complain_of_missing_material(const TableView& body, const Scope& scope);

/// The key of bodies that takes one.
Key material_key();

}  // namespace solidyn::model
