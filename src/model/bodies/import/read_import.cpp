#include "model/bodies/import/read_import.h"

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
      complain(body, key, "is given beside `import`",
               std::string(key) == "mesh"
                   ? "name the mesh of the imported data in  import: {mesh: ..}"
                   : "keep one of them");
}

void check_matrices(const TableView& view) {
  const bool is_op2 = view.has("stiffness") && !view.has("mass") &&
                      formats::file_ending(view.text("stiffness")) == ".op2";
  if (view.has("stiffness") && !view.has("mass") && !is_op2)
    complain(view, "stiffness", "needs `mass`",
             "name the mass matrix that was written with the stiffness");
  if (view.has("stiffness") && !view.has("mesh") && !view.has("nodes"))
    complain(view, "stiffness", "needs `mesh` or `nodes`",
             "name the mesh file that says where the nodes of the matrices are, or a table  node, "
             "x, y, z");
  if (view.has("stiffness") && view.has("mesh") && view.has("nodes"))
    complain(view, "nodes", "and `mesh` are both given", "keep one of them: either places nodes");
  if (view.has("nodes") && !view.has("modes") && !view.has("superelement") &&
      !view.has("stiffness"))
    complain(view, "nodes", "is given without `modes`, `stiffness` or `superelement`",
             "leave it out");
  if (view.has("dofs") && !view.has("stiffness") && !view.has("mass") && !view.has("superelement"))
    complain(view, "dofs", "is given without matrices, whose rows it explains", "leave it out");
  if (view.has("mass") && view.has("superelement"))
    complain(view, "mass", "does not go with `superelement`",
             "a superelement's file has both of its matrices");
}

void check_modes(const TableView& view) {
  if (!view.has("modes")) return;
  std::vector<const char*> masses;
  for (const char* key : {"mass", "masses", "nodes"})
    if (view.has(key)) masses.push_back(key);
  if (masses.size() > 1)
    complain(view, masses[1], fmt::format("and `{}` are both given", masses[0]),
             "keep one of them: either gives the masses");
  if (masses.empty() && !view.has("mesh"))
    complain(view, "modes", "needs a mass",
             "name a `mesh` whose materials have a density, a table of `nodes`, or `masses`");
}

// What imported data do not know. The mass of modes may be that of the elements of `mesh`.
void warn_of_unused_by_import(const TableView& body, const TableView& view) {
  const bool has_elements =
      view.has("modes") && !view.has("masses") && !view.has("nodes") && !view.has("mass");
  for (const char* key : {"mesh_units", "hex8", "hex20", "material", "mass_matrix"})
    if (body.has(key) && !(has_elements && std::string(key) == "material"))
      body.report().warning(
          body.where(key), fmt::format("{} is not used by imported data", body.path(key)),
          std::string(key) == "mesh_units" ? "write  import: {units: tonne-mm-s}" : "leave it out");
}

}  // namespace

ImportDescription read_import(const TableView& body) {
  const TableView view = body.table("import");
  reject_other_sources(body);
  warn_of_unused_by_import(body, view);
  check_matrices(view);
  check_modes(view);
  ImportDescription import;
  import.is_given = true;
  const auto path = [&](const char* key) {
    return view.is_good(key) ? (body.context().directory / view.text(key)).lexically_normal()
                             : std::filesystem::path();
  };
  import.modes = path("modes");
  import.stiffness = path("stiffness");
  import.mass = path("mass");
  import.dofs = path("dofs");
  import.superelement = path("superelement");
  import.nodes = path("nodes");
  import.masses = path("masses");
  import.mesh = path("mesh");
  import.subcase = view.integer("subcase");
  import.units = imported::units_by_name(view.text("units"));
  return import;
}

}  // namespace solidyn::model
