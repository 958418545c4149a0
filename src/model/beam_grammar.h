#pragma once
#include "model/key.h"

namespace solidyn::model {

/// A body's table with the keys that only `type: beam` has.
TableSpec with_beam_keys(TableSpec body);
/// `section` of a beam.
const TableSpec& section_table();
/// `groups` and `places` of a beam with a mesh.
const TableSpec& beam_group_table();
const TableSpec& beam_place_table();

/// What a body's table has of a beam's strains, and the tables in it.
std::vector<KeySpec> beam_strain_keys();
const TableSpec& prestress_table();
const TableSpec& prestrain_table();
const TableSpec& driven_strains_table();

}  // namespace solidyn::model
