#pragma once
#include <string>
#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

/// Geometry tables of an OP2 file as the bulk data entries that they were made of, in free field:
/// so they are read by the same code as a deck. Private to the OP2 readers.
namespace solidyn::formats {

/// Grids (in basic coordinates where BGPDT gives them) and coordinate systems. "" without grids.
/// A grid whose CD the file does not define has none here, and the report warns.
/// @throws base::InputError with the byte for tables that are damaged
std::string op2_grids_as_bulk(const Op2File& file, imported::ImportReport& report);

/// Solid elements, point masses, properties and materials. What has no entry here is counted in the
/// report as "GEOM2 (2408,24,180)".
/// @throws base::InputError with the byte for tables that are damaged
std::string op2_elements_as_bulk(const Op2File& file, imported::ImportReport& report);

/// Calls f, which reads such entries. Errors lose their lines, which are of no file of the user.
template <class F>
auto without_lines(const F& f) {
  try {
    return f();
  } catch (const base::InputError& error) {
    auto diagnostics = error.diagnostics();
    for (base::Diagnostic& diagnostic : diagnostics)
      diagnostic.where.line = diagnostic.where.column = 0;
    throw base::InputError(std::move(diagnostics));
  }
}

}  // namespace solidyn::formats
