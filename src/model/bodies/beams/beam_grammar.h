#pragma once
#include "model/language/key.h"

namespace solidyn::model {

/// A body's table with the keys that only `type: beam` has.
TableSpec with_beam_keys(TableSpec body);
/// `section` of a beam.
const TableSpec& section_table();
/// `groups` and `places` of a beam with a mesh.
const TableSpec& beam_group_table();
const TableSpec& beam_place_table();

/// A table with the keys of a beam's strains, for bodies of these types; the tables in them.
TableSpec with_strain_keys(TableSpec table, const Words& types);
const TableSpec& prestress_table();
const TableSpec& prestrain_table();
const TableSpec& driven_strains_table();

}  // namespace solidyn::model
