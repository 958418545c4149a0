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
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/solid_model.h"
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
        "unknown format `{}`; expected msh41, msh41_binary, msh22 or msh22_binary", name));
  return found->second;
}

bool is_gmsh_name(const std::string& path) { return fs::path(path).extension() == ".msh"; }

void check_target(const std::string& in, const std::string& out) {
  const fs::path folder = fs::absolute(out).parent_path();
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("the folder of {} does not exist", out),
                     "create it, or choose another file");
  if (fs::exists(in) && fs::exists(out) && fs::equivalent(in, out))
    throw InputError(fmt::format("the output file {} is the input file", in),
                     "choose another file");
}

/// A body of the file would be refused for them, one of the converted file would not.
void refuse_loss(const imported::SolidModel& model) {
  std::vector<base::Diagnostic> complaints;
  for (const auto& [card, where] : model.report.unsupported)
    complaints.push_back(
        {where,
         fmt::format("{} changes stiffness or mass, and the converted file would lack it", card),
         "convert without it by --leave-out, or remove it from the file"});
  if (!complaints.empty()) throw InputError(std::move(complaints));
}

std::string counted(const std::map<std::string, std::int64_t>& names) {
  std::string text;
  for (const auto& [name, n] : names)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name);
  return text;
}

void print_notes(const std::string& out, const imported::SolidModel& model) {
  for (const base::Diagnostic& warning : model.report.warnings)
    std::cerr << base::format(warning, "warning") << "\n";
  for (const auto& [card, where] : model.report.unsupported)
    std::cerr << base::format({where, fmt::format("{} is left out", card), ""}, "warning") << "\n";
  const std::string left_out = formats::left_out_of(out, model);
  if (!left_out.empty())
    std::cout << fmt::format("left out, since {} cannot hold them: {}\n", out, left_out);
  if (!model.other_elements.empty())
    std::cout << fmt::format("left out, since they are not solids: {}\n",
                             counted(model.other_elements));
  if (!model.report.skipped.empty())
    std::cout << fmt::format("ignored: {}\n", counted(model.report.skipped));
  for (const imported::Material& material : model.materials)
    if (!(material.youngs_modulus > 0.0) && !material.stiffness && left_out.empty())
      std::cerr << base::format({{model.source, 0, 0},
                                 fmt::format("material {} has no Young's modulus", material.name),
                                 "add it in the converted file"},
                                "warning")
                << "\n";
}

enum class Loss { refused, accepted };

void convert(const std::string& in, const std::string& out, const std::string& unit,
             const GmshKind& kind, Loss loss) {
  check_target(in, out);
  imported::SolidModel model = formats::read_solid_model(in);
  if (loss == Loss::refused) refuse_loss(model);
  const bool keeps_materials = formats::left_out_of(out, model).empty();
  if (keeps_materials) refuse_unit_of_length(model, unit);
  convert_to_si(model, mesh_units(unit));
  mesh::Mesh& mesh = model.mesh;
  mesh::check(mesh, in);
  if (is_gmsh_name(out))
    formats::write_gmsh(out, mesh, kind.version, kind.encoding);
  else
    formats::write_solid_model(out, model);
  print_notes(out, model);
  std::int64_t n_solids = 0;
  for (const mesh::ElementBlock& block : mesh.blocks)
    if (elements::dimension(block.type) == 3) n_solids += block.size();
  std::cout << fmt::format("{}: {} nodes, {} solid elements, {} sets\n", out, mesh.n_nodes(),
                           n_solids, mesh.sets.size())
            << std::flush;
}

}  // namespace

int convert_command(const Arguments& arguments) {
  Options options(
      "solidyn convert IN OUT [--mesh-units UNIT] [--format FORMAT] [--leave-out]",
      "Reads a mesh with its sets, materials, masses and rigid elements, checks it, and writes it in the format given by the file extension of OUT: .smesh is Solidyn's own, of which each rank of a run reads its share. Numbers are unchanged, or converted to SI if --mesh-units is given. A file with entries that change stiffness or mass and that OUT cannot hold (springs, shells, contacts) is rejected, or converted without them by --leave-out. Formats read:  " +
          formats::known_model_names() + ", written " + formats::written_model_names() + ".",
      "solidyn convert meshes/rod_circular.msh rod.smesh");
  options.add_positional("IN", "the mesh to read");
  options.add_positional("OUT", "the file to write");
  options.add()(
      "mesh-units", po::value<std::string>()->value_name("UNIT")->default_value("m"),
      "unit of length of IN, or its unit system: SI, tonne-mm-s, kg-mm-ms, kg-mm-s, lbf-in-s")(
      "format", po::value<std::string>()->value_name("FORMAT")->default_value("msh41"),
      "variant of a .msh file: msh41, msh41_binary, msh22 or msh22_binary")(
      "leave-out",
      "omit entries that change stiffness or mass and cannot be converted, with a warning");
  if (!options.parse(arguments)) return kDone;
  const std::string in = options.text("IN"), out = options.text("OUT");
  const std::string unit = options.text("mesh-units");
  mesh_units(unit);  // a usage error comes before MPI starts
  const Loss loss = options.has("leave-out") ? Loss::accepted : Loss::refused;
  const GmshKind kind = gmsh_kind(options.text("format"));
  if (!formats::is_written_model_name(out))
    throw UsageError(fmt::format("cannot write `{}`: the file extension of OUT must be one of {}",
                                 out, formats::written_model_names()));
  return run_with_petsc(arguments.petsc, [&] {
    base::run_together(PETSC_COMM_WORLD, [&] {
      if (base::rank(PETSC_COMM_WORLD) == 0) convert(in, out, unit, kind, loss);
    });
  });
}

}  // namespace solidyn::drivers
