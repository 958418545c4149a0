#include "model/bodies/mesh_source.h"

#include <fmt/format.h>

#include "model/bodies/materials.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn::model {
namespace {

// A unit of length, or the name of a set of units.
void read_mesh_units(MeshFile& source, const TableView& view, const Scope&) {
  const std::string word = view.text("mesh_units");
  if (const std::optional<double> metres = find_length_unit(word)) {
    source.mesh_units.length = *metres;
    source.has_unit_system = *metres == 1.0;
  } else if (view.is_good("mesh_units")) {
    source.mesh_units = imported::units_by_name(word);
  }
}

}  // namespace

bool MeshSource::is_imported() const { return formats::is_imported_model_name(mesh.string()); }

Fields<MeshFile> MeshFile::file_fields() {
  return {
      field(
          Key("mesh", Form::path,
              "file of solid elements, or of lines for a `beam`: Gmsh (.msh), .smesh of `solidyn convert`, or of another program (.bdf, .inp; doc/meshes.md), including its materials, masses and rigid elements",
              "rod.msh"),
          &MeshFile::mesh),
      read_by<MeshFile>(
          Key("mesh_units", Form::word,
              "unit of length of the mesh file, or its unit system if it contains materials", "mm")
              .among({"m", "dm", "cm", "mm", "um", "in", "ft", "SI", "tonne-mm-s", "kg-mm-ms",
                      "kg-mm-s", "lbf-in-s"})
              .or_else("m"),
          read_mesh_units)};
}

Field<MeshSource> MeshSource::material_field() {
  return read_by<MeshSource>(material_key(),
                             [](MeshSource& source, const TableView& view, const Scope& scope) {
                               source.material = read_material(view, scope);
                             });
}

void MeshSource::check_mesh(const TableView& view, const Scope& scope) const {
  if (is_imported() && !view.has("material") && !has_unit_system)
    view.report().error(
        view.where("mesh_units"),
        fmt::format(
            "{} is {}: a unit of length does not define the units of the materials in the file",
            view.path("mesh_units"), view.text("mesh_units")),
        "give a unit system, for example  mesh_units: tonne-mm-s, or give the body a `material`");
  if (view.has("mesh") && !view.has("material") && !is_imported())
    complain_of_missing_material(view, scope);
}

}  // namespace solidyn::model
