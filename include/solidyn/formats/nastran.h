#pragma once
#include <string>
#include <string_view>

#include "solidyn/imported/solid_model.h"

/// Nastran's bulk data (doc/formats/nastran.md).
namespace solidyn::formats {

/// Reads the bulk data of a deck, or a file of bulk data alone: grids with their coordinate
/// systems, solid elements, PSOLID and MAT1, point masses, rigid elements, constraints and sets, in
/// the units of the file (PARAM,WTMASS is applied). Each property's elements make the set
/// "PSOLID 3"; SET1, SET3 and the SETs of case control are called "SET 5". Other elements are
/// counted; what changes stiffness or mass and is not understood is in report.unsupported.
/// INCLUDE opens files in the deck's folder and below it.
/// Throws InputError with all complaints, up to 20, each with file and line. Local.
/// Proved by tests/interop/nastran_bulk and tests/robustness/nastran_bulk.
imported::SolidModel read_nastran_bulk(const std::string& path);

/// The same from memory; `file` is the name that errors carry, and INCLUDE is refused.
imported::SolidModel parse_nastran_bulk(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
