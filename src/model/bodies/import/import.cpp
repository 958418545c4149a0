#include "model/bodies/import/import.h"

#include <fmt/format.h>

#include "solidyn/formats/shared/file_ending.h"

namespace solidyn::model {
namespace {

void complain(const TableView& view, const std::string& key, const std::string& problem,
              const std::string& remedy) {
  view.report().error(view.where(key), fmt::format("{} {}", view.path(key), problem), remedy);
}

// One source only.
void reject_other_sources(const TableView& body) {
  for (const char* key : {"mesh", "reduced_body"})
    if (body.has(key))
      complain(body, key, "is given together with `import`",
               std::string(key) == "mesh"
                   ? "give the mesh of the imported data as  import: {mesh: ..}"
                   : "keep one of them");
}

void check_matrices(const TableView& view) {
  const bool is_op2 = view.has("stiffness") && !view.has("mass") &&
                      formats::file_ending(view.text("stiffness")) == ".op2";
  if (view.has("stiffness") && !view.has("mass") && !is_op2)
    complain(view, "stiffness", "needs `mass`",
             "give the mass matrix that was written with the stiffness");
  if (view.has("stiffness") && !view.has("mesh") && !view.has("nodes"))
    complain(
        view, "stiffness", "needs `mesh` or `nodes`",
        "give the mesh file with the coordinates of the nodes of the matrices, or a table  node, x, y, z");
  if (view.has("stiffness") && view.has("mesh") && view.has("nodes"))
    complain(view, "nodes", "and `mesh` are both given",
             "keep one of them: both give node coordinates");
  if (view.has("nodes") && !view.has("modes") && !view.has("superelement") &&
      !view.has("stiffness"))
    complain(view, "nodes", "is given without `modes`, `stiffness` or `superelement`", "remove it");
  if (view.has("dofs") && !view.has("stiffness") && !view.has("mass") && !view.has("superelement"))
    complain(view, "dofs", "is given without matrices, whose rows it explains", "remove it");
  if (view.has("mass") && view.has("superelement"))
    complain(view, "mass", "cannot be combined with `superelement`",
             "the file of a superelement contains both matrices");
}

void check_modes(const TableView& view) {
  if (!view.has("modes")) return;
  std::vector<const char*> masses;
  for (const char* key : {"mass", "masses", "nodes"})
    if (view.has(key)) masses.push_back(key);
  if (masses.size() > 1)
    complain(view, masses[1], fmt::format("and `{}` are both given", masses[0]),
             "keep one of them: both give the masses");
  if (masses.empty() && !view.has("mesh"))
    complain(view, "modes", "needs a mass",
             "give a `mesh` whose materials have a density, a table of `nodes`, or `masses`");
}

// What imported data do not know. The mass of modes may be that of the elements of `mesh`.
void warn_of_unused_by_import(const TableView& body, const TableView& view) {
  const bool has_elements =
      view.has("modes") && !view.has("masses") && !view.has("nodes") && !view.has("mass");
  for (const char* key : {"mesh_units", "hex8", "hex20", "material", "mass_matrix"})
    if (body.has(key) && !(has_elements && std::string(key) == "material"))
      body.report().warning(
          body.where(key), fmt::format("{} is not used by imported data", body.path(key)),
          std::string(key) == "mesh_units" ? "write  import: {units: tonne-mm-s}" : "remove it");
}

using Self = ImportDescription;

void read_import_units(Self& import, const TableView& view, const Scope&) {
  import.units = imported::units_by_name(view.text("units"));
}

}  // namespace

const Fields<Self>& Self::fields() {
  static const Fields<Self> list = {
      field(
          Key("modes", Form::path,
              "natural modes: Nastran .op2 or .pch, CalculiX .frd, Abaqus .fil, or a .csv table with lines `mode, frequency, node, ux, uy, uz`. The mass comes from the elements of `mesh` with their density, from `nodes`, `masses` or `mass`",
              "rod.op2"),
          &Self::modes),
      field(
          Key("subcase", Form::integer,
              "subcase (Nastran) or step (Abaqus, CalculiX) of the modes in the file; 0: the first",
              "2")
              .within(kNotNegative)
              .or_default()
              .with("modes"),
          &Self::subcase),
      field(
          Key("stiffness", Form::path,
              "stiffness matrix of the free body: CalculiX .sti, Abaqus .mtx, Matrix Market .mtx (each also as .gz), or Nastran .op2 with KGG and MGG",
              "rod.sti"),
          &Self::stiffness),
      field(Key("mass", Form::path,
                "mass matrix, in the same format as `stiffness`; with `modes`, their mass matrix",
                "rod.mas"),
            &Self::mass),
      field(
          Key("dofs", Form::path,
              "degrees of freedom of the matrix rows: CalculiX .dof, or lines `node component` for Matrix Market; for a Nastran superelement the .pch",
              "rod.dof"),
          &Self::dofs),
      field(
          Key("superelement", Form::path,
              "reduced matrices: Nastran .op4 of EXTSEOUT with its .pch as `dofs` and its .asm as `nodes`, or Abaqus .mtx of *SUBSTRUCTURE MATRIX OUTPUT with its `mesh`",
              "inboard.op4"),
          &Self::superelement),
      field(
          Key("nodes", Form::path,
              "coordinates of the nodes: of a superelement the .asm of EXTSEOUT; with `modes` a table of all nodes with their masses: lines `node, x, y, z, mass`; with `stiffness`, instead of `mesh`, a table `node, x, y, z` in the order of the rows, also for shells and beams, whose nodes have six rows each",
              "rod_nodes.csv"),
          &Self::nodes),
      field(Key("masses", Form::path,
                "nodal masses for `modes`: lines `node mass`, comments after `#`", "rod_masses.txt")
                .with("modes"),
            &Self::masses),
      field(
          Key("mesh", Form::path,
              "the mesh with the same node numbers: .bdf, .inp, .vtu, .msh. Without it the body consists of nodes only",
              "rod.bdf"),
          &Self::mesh),
      read_by<Self>(Key("units", Form::word, "unit system of all these files", "tonne-mm-s")
                        .among({"SI", "tonne-mm-s", "kg-mm-ms", "kg-mm-s", "lbf-in-s"})
                        .or_else("SI"),
                    read_import_units)};
  return list;
}

const TableSpec& import_table() {
  static const TableSpec table{
      "import",
      "An imported body, from results of another program instead of `mesh` and `material`: its natural modes, its stiffness and mass matrices, or those of a superelement. Node numbers must agree between all files. doc/import.md has complete examples.",
      keys_of(Self::fields()),
      "",
      false,
      {"modes", "stiffness", "superelement"}};
  return table;
}

const std::filesystem::path& Self::main_file() const {
  return !modes.empty() ? modes : !stiffness.empty() ? stiffness : superelement;
}

std::vector<std::pair<std::string, std::filesystem::path>> Self::files() const {
  std::vector<std::pair<std::string, std::filesystem::path>> given;
  for (const auto& [key, file] :
       {std::pair("modes", &modes), std::pair("stiffness", &stiffness), std::pair("mass", &mass),
        std::pair("dofs", &dofs), std::pair("superelement", &superelement),
        std::pair("nodes", &nodes), std::pair("masses", &masses), std::pair("mesh", &mesh)})
    if (!file->empty()) given.emplace_back(key, *file);
  return given;
}

void check_import(const TableView& body) {
  const TableView view = body.table("import");
  reject_other_sources(body);
  warn_of_unused_by_import(body, view);
  check_matrices(view);
  check_modes(view);
}

}  // namespace solidyn::model
