// solidyn info FILE: what is in a mesh file or a reduced body.
//
//   solidyn info meshes/rod_circular.msh
#include <fmt/format.h>
#include <petsc.h>

#include <filesystem>
#include <iostream>

#include "command.h"
#include "info_results.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/imported/checks.h"
#include "solidyn/imported/describe.h"
#include "solidyn/mesh/report.h"
#include "solidyn/reduction/modal_table.h"
#include "solidyn/reduction/sbody.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;

/// Rank 0 reads and prints; the others wait for its verdict.
void print_imported(const std::string& file, const std::string& unit) {
  const imported::Units units = mesh_units(unit);
  base::run_together(PETSC_COMM_WORLD, [&] {
    if (base::rank(PETSC_COMM_WORLD) > 0) return;
    if (const std::optional<std::string> results = describe_results(file, units)) {
      refuse_unit_of_length(file, "modes or matrices", unit);
      std::cout << *results << std::flush;
      return;
    }
    imported::SolidModel model = formats::read_solid_model(file);
    refuse_unit_of_length(model, unit);
    convert_to_si(model, units);
    std::string text = imported::describe(model);
    if (model.mesh.n_nodes() > 0) text += mesh::format(mesh::make_report(model.mesh));
    if (!model.materials.empty()) {
      const imported::CheckReport checks = imported::report(imported::measure(model));
      text += imported::format(checks);
      for (const base::Diagnostic& doubt : checks.warnings)
        text += fmt::format("doubt      {}\n", doubt.what);
    }
    std::cout << text << std::flush;
  });
}

std::string point_text(const Eigen::Vector3d& x) {
  return fmt::format("at ({:g}, {:g}, {:g}) m", x.x(), x.y(), x.z());
}

void print_reduced_body(const std::string& file) {
  reduction::Provenance origin;
  const reduction::ReducedBody body = reduction::read_sbody(PETSC_COMM_WORLD, file, &origin);
  const std::string modal_table = reduction::format_modal_table(body);
  if (base::rank(PETSC_COMM_WORLD) > 0) return;
  std::cout << fmt::format("reduced from {} by solidyn {}: {}\nmass       {:g} kg, centre {}\n",
                           origin.mesh_file, origin.solidyn_version, origin.options,
                           body.inertia.mass,
                           point_text(body.inertia.first_moment / body.inertia.mass));
  for (const reduction::ReducedInterface& interface : body.interfaces)
    std::cout << mesh::describe(interface.report) << "\n";
  for (const reduction::TrackedPoint& point : body.points)
    std::cout << fmt::format("point      {} {}\n", point.name, point_text(point.x_B));
  std::cout << modal_table << std::flush;
}

}  // namespace

int info_command(const Arguments& arguments) {
  Options options(
      "solidyn info FILE [--mesh-units UNIT]",
      "Prints the contents of a mesh file (materials, masses, rigid elements, nodes, elements, sets, bounding box, volume, mass, element quality) or in a reduced body (.sbody: mass, interfaces, modes). Mesh files are " +
          formats::known_model_names() + ". Of imported modes and matrices (" +
          known_results_names() +
          ") it prints the data blocks, the numbers of modes and nodes, frequencies and generalised masses, sizes and symmetry of matrices, and warnings. All but .smesh and .sbody may be compressed by gzip.",
      "solidyn info meshes/rod_circular.msh");
  options.add_positional("FILE", "the file");
  options.add()(
      "mesh-units", po::value<std::string>()->value_name("UNIT")->default_value("m"),
      "unit of length of a mesh file, or its unit system: SI, tonne-mm-s, kg-mm-ms, kg-mm-s, lbf-in-s");
  if (!options.parse(arguments)) return kDone;
  const std::string unit = options.text("mesh-units");
  mesh_units(unit);  // a usage error comes before MPI starts
  const std::string file = options.text("FILE");
  return run_with_petsc(arguments.petsc, [&] {
    if (std::filesystem::path(file).extension() == ".sbody")
      print_reduced_body(file);
    else
      print_imported(file, unit);
  });
}

}  // namespace solidyn::drivers
