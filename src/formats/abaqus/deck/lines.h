#pragma once
#include "formats/abaqus/assembly/placement.h"

namespace solidyn::formats::abaqus {

/// What lines are made from.
struct LineSource {
  const Deck& deck;
  const Placement& placement;
  SetFinder& sets;
  const AbaqusSource& source;
};

/// Whether the name of an element type is that of a beam: B31, PIPE32H.
bool is_beam_type(const std::string& name);

/// Fills model.lines: B31, B32 (two lines each) and B33 with their variants, their sections, sets
/// of elements and of nodes. Private to the reader.
void add_lines(const LineSource& source, imported::SolidModel& model);

}  // namespace solidyn::formats::abaqus
