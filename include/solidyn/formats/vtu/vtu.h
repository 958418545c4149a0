#pragma once
#include <string>
#include <string_view>

#include "solidyn/mesh/mesh.h"

/// VTK's unstructured grids in XML (.vtu), see doc/formats/vtu.md.
namespace solidyn::formats {

/// Reads a mesh of one piece: ASCII, base64 or raw data, inline or appended, of either byte order
/// and header type, plain or compressed by zlib. Solids, faces and lines of first and second order
/// become blocks; voxels become hex8; cells with nodes inside their faces (hex27, wedge18, quad9)
/// lose these nodes, with a warning; vertices are left out; other cells are refused by their
/// number. Wedges that are turned inside out, as VTK documents its linear one, are turned. Integer
/// arrays with one component become sets: one with the values 0 and 1 a set of its name, others one
/// set `<name>_<value>` per value but 0 (at most 100 values; arrays of more are ignored). Sets
/// of cells have the cells' dimension, sets of points 0, or the array's attribute
/// `SolidynDimension`. Tags are the arrays that the attribute GlobalIds names, or count from 1.
/// @param scale  metres per unit of the file, e.g. 1e-3 for millimetres
/// @throws base::InputError naming the array. Local. Proved by tests/interop/vtu and
/// tests/robustness/vtu.
mesh::Mesh read_vtu(const std::string& path, double scale = 1.0);

/// The same from memory; `file` is the name that errors carry.
mesh::Mesh parse_vtu(std::string_view bytes, const std::string& file, double scale = 1.0);

enum class VtuEncoding { ascii, base64, raw, compressed };

/// Writes nodes, elements, tags and sets so that read_vtu finds them again: inline text or base64,
/// or appended raw bytes, or base64 compressed by zlib. Lengths are in metres, or divided by
/// `scale`.
/// @throws base::ComputationError when the file cannot be written. Local.
void write_vtu(const std::string& path, const mesh::Mesh& mesh,
               VtuEncoding encoding = VtuEncoding::raw, double scale = 1.0);

}  // namespace solidyn::formats
