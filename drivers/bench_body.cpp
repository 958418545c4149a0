#include "bench_body.h"

#include <petsc.h>

#include <fstream>
#include <sstream>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/read_mesh.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using base::InputError;
using simulation::BenchOptions;

Eigen::Vector3d three_lengths(const std::string& text) {
  std::istringstream in(text);
  Eigen::Vector3d size;
  char comma[2] = {',', ','};
  in >> size[0] >> comma[0] >> size[1] >> comma[1] >> size[2];
  if (!in || !in.eof() || comma[0] != ',' || comma[1] != ',')
    throw UsageError(
        fmt::format("--box takes three lengths in m, such as 1,0.1,0.1; not `{}`", text));
  return size;
}

}  // namespace

void declare_bench_body(Options& options) {
  const auto text = [](const char* name, const char* fallback) {
    return po::value<std::string>()->value_name(name)->default_value(fallback);
  };
  options.add()("mesh", po::value<std::string>()->value_name("FILE"),
                "the body's mesh (.smesh or .msh); without it, a box is generated")(
      "mesh-units", text("UNIT", "m"), "unit of length of the mesh file")(
      "dofs", po::value<std::int64_t>()->value_name("N"),
      "unknowns of the box, constant for strong scaling (default 100000)")(
      "dofs-per-rank", po::value<std::int64_t>()->value_name("N"),
      "unknowns of the box per rank, for weak scaling")("box", text("X,Y,Z", "1,1,1"),
                                                        "lengths of the box, m")(
      "element", text("TYPE", "tet10"), "elements of the box: tet4, tet10, hex8 or hex20")(
      "formulation", text("NAME", "corotational"),
      "corotational, st_venant_kirchhoff or neo_hookean")(
      "step", po::value<double>()->value_name("S")->default_value(1e-3), "time step, s")(
      "repeat", po::value<int>()->value_name("N")->default_value(3),
      "samples of each timing; medians are reported")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "append the result as a line of JSON, and print the table of all results in the file");
}

BenchOptions bench_body(const Options& options) {
  BenchOptions bench;
  using elements::ElementType;
  using fem::SolidFormulation;
  if (options.has("mesh") && (options.has("dofs") || options.has("dofs-per-rank")))
    throw UsageError(
        "--dofs and --dofs-per-rank apply to the box: a --mesh has a fixed number of unknowns");
  if (options.has("dofs") && options.has("dofs-per-rank"))
    throw UsageError("give --dofs (strong scaling) or --dofs-per-rank (weak scaling), not both");
  const double metres = metres_per(options.text("mesh-units"));
  if (options.has("mesh")) {
    bench.mesh_file = options.text("mesh");
    bench.read_mesh = [file = bench.mesh_file, metres](MPI_Comm comm) {
      return formats::read_mesh(comm, file, metres);
    };
  }
  bench.element = choice<ElementType>("element", options.text("element"),
                                      {{"tet4", ElementType::tet4},
                                       {"tet10", ElementType::tet10},
                                       {"hex8", ElementType::hex8},
                                       {"hex20", ElementType::hex20}});
  bench.formulation =
      choice<SolidFormulation>("formulation", options.text("formulation"),
                               {{"corotational", SolidFormulation::corotational},
                                {"st_venant_kirchhoff", SolidFormulation::st_venant_kirchhoff},
                                {"neo_hookean", SolidFormulation::neo_hookean}});
  bench.box_size = three_lengths(options.text("box"));
  bench.repeat = options.value<int>("repeat");
  bench.step = options.value<double>("step");
  return bench;
}

void size_bench_body(const Options& options, BenchOptions& bench) {
  if (options.has("dofs")) bench.n_dofs = options.value<std::int64_t>("dofs");
  if (options.has("dofs-per-rank"))
    bench.n_dofs = options.value<std::int64_t>("dofs-per-rank") * base::size(PETSC_COMM_WORLD);
}

void append(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::app);
  out << text << std::flush;
  if (!out) throw InputError(fmt::format("cannot write {}", file), "choose another with -o");
}

void for_each_line(const std::string& file,
                   const std::function<void(const std::string&, const std::string&)>& visit) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("cannot read {}", file), "check the path");
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty()) visit(line, fmt::format("{}:{}", file, number));
  }
}

void on_first_rank(const std::function<void()>& work) {
  base::run_together(PETSC_COMM_WORLD, [&] {
    if (base::rank(PETSC_COMM_WORLD) == 0) work();
  });
}

}  // namespace solidyn::drivers
