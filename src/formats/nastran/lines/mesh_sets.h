#pragma once
#include "formats/nastran/lines/sets.h"

namespace solidyn::formats {

/// Adds the nodes of each property's elements as the set "PSOLID 3".
/// @pre block.regions holds PIDs
void add_property_sets(mesh::Mesh& mesh);

/// Adds sets of the deck; those that have no node of the mesh are left out and counted. A set whose
/// kind is not known holds grids, unless more of its numbers are elements'.
/// Throws InputError when the sets have so many members that the deck must be damaged.
void add_listed_sets(const std::vector<NastranSets::Set>& sets, imported::SolidModel& model);

/// Calls properties, materials and sets by the names that $NAME comments give them.
void apply_names(const std::vector<NastranDeck::Named>& names, imported::SolidModel& model);

/// The sets of grids and elements that beams have, and names of their sets, properties and
/// materials.
void add_line_sets(const std::vector<NastranSets::Set>& sets, imported::LineElements& lines);
void apply_names(const std::vector<NastranDeck::Named>& names, imported::LineElements& lines);

}  // namespace solidyn::formats
