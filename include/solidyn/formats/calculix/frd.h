#pragma once
#include <string>
#include <string_view>

#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

/// Results files of CalculiX, .frd (doc/formats/calculix_frd.md).
namespace solidyn::formats {

struct CalculixResults {
  imported::SolidModel model;  ///< the mesh; materials by name only, no sets
  imported::ModalData modes;   ///< none when the file holds no modal step
};

/// Reads mesh and mode shapes, in the units of the file: text with short or long node numbers, and
/// binary in either byte order. Solids come with the material that the file names, whose values it
/// does not give; shells and beams are counted. DISP of modal steps becomes modes, everything else
/// is counted in the report. Node order becomes ours.
/// @throws base::InputError with line, or byte in binary files. Local.
/// Proved by tests/interop/calculix_frd and tests/robustness/calculix_frd.
CalculixResults read_calculix_frd(const std::string& path);

/// The same from memory; `file` is the name that errors carry.
CalculixResults parse_calculix_frd(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
