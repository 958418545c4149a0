// solidyn convert IN OUT: writes a mesh in another format.
//
//   solidyn convert meshes/rod_circular.msh rod.smesh
#include <fmt/format.h>
#include <petsc.h>

#include <filesystem>
#include <iostream>
#include <map>

#include "command.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/gmsh.h"
#include "solidyn/formats/solidyn_mesh.h"
#include "solidyn/mesh/check.h"

namespace solidyn::drivers {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using base::InputError;

struct GmshKind {
  formats::GmshVersion version;
  formats::GmshEncoding encoding;
};

GmshKind gmsh_kind(const std::string& name) {
  using formats::GmshEncoding;
  using formats::GmshVersion;
  static const std::map<std::string, GmshKind> kinds = {
      {"msh41", {GmshVersion::v4_1, GmshEncoding::ascii}},
      {"msh41_binary", {GmshVersion::v4_1, GmshEncoding::binary}},
      {"msh22", {GmshVersion::v2_2, GmshEncoding::ascii}},
      {"msh22_binary", {GmshVersion::v2_2, GmshEncoding::binary}}};
  const auto found = kinds.find(name);
  if (found == kinds.end())
    throw UsageError(fmt::format(
        "unknown format `{}`; known are msh41, msh41_binary, msh22, msh22_binary", name));
  return found->second;
}

void check_target(const std::string& in, const std::string& out) {
  const fs::path folder = fs::absolute(out).parent_path();
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("the folder of {} does not exist", out),
                     "create it, or choose another file");
  if (fs::exists(in) && fs::exists(out) && fs::equivalent(in, out))
    throw InputError(fmt::format("{} would be written over itself", in), "choose another file");
}

void convert(const std::string& in, const std::string& out, double scale, const GmshKind& kind) {
  check_target(in, out);
  mesh::Mesh mesh = formats::read_mesh_file(in, scale);
  mesh::check(mesh, in);
  if (formats::is_solidyn_mesh_name(out))
    formats::write_solidyn_mesh(out, mesh);
  else
    formats::write_gmsh(out, mesh, kind.version, kind.encoding);
  std::int64_t n_solids = 0;
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (mesh::dimension(block.type) == 3) n_solids += block.size();
  std::cout << fmt::format("{}: {} nodes, {} solid elements, {} sets\n", out, mesh.n_nodes(),
                           n_solids, mesh.sets.size())
            << std::flush;
}

}  // namespace

int convert_command(const Arguments& arguments) {
  Options options(
      "solidyn convert IN OUT [--mesh-units UNIT] [--format FORMAT]",
      "Reads a mesh (.msh of Gmsh, or .smesh), checks it, and writes it: OUT ending in .smesh in "
      "Solidyn's own format, of which each rank of a run reads its share; in .msh for Gmsh. "
      "Coordinates keep their numbers, or become metres if --mesh-units is given.",
      "solidyn convert meshes/rod_circular.msh rod.smesh");
  options.add_positional("IN", "the mesh to read");
  options.add_positional("OUT", "the file to write");
  options.add()("mesh-units", po::value<std::string>()->value_name("UNIT")->default_value("m"),
                "unit of length of IN")(
      "format", po::value<std::string>()->value_name("FORMAT")->default_value("msh41"),
      "of a .msh file: msh41, msh41_binary, msh22 or msh22_binary");
  if (!options.parse(arguments)) return kDone;
  const std::string in = options.text("IN"), out = options.text("OUT");
  const double scale = metres_per(options.text("mesh-units"));
  const GmshKind kind = gmsh_kind(options.text("format"));
  if (!formats::is_solidyn_mesh_name(out) && fs::path(out).extension() != ".msh")
    throw UsageError(fmt::format("`{}` ends neither in .smesh nor in .msh", out));
  return run_with_petsc(arguments.petsc, [&] {
    base::run_together(PETSC_COMM_WORLD, [&] {
      if (base::rank(PETSC_COMM_WORLD) == 0) convert(in, out, scale, kind);
    });
  });
}

}  // namespace solidyn::drivers
