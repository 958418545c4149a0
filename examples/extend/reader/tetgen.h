#pragma once
#include <solidyn/imported/solid_model.h>

#include <string>

/// Reads a mesh of tetrahedra as TetGen writes it: `name.ele` with `name.node` beside it. Nodes are
/// numbered from 0 or 1, which are their tags; # begins a comment. Tetrahedra of either orientation
/// are taken; those of ten nodes are refused. Markers of nodes other than 0 become sets `marker_1`;
/// attributes are passed over. Numbers stay in the units of the file. Local.
/// @throws solidyn::base::InputError: every complaint about the two files, with its line
solidyn::imported::SolidModel read_tetgen(const std::string& path);
