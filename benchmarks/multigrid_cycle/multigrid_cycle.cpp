// What one application of the cycle of two levels costs, over a product without the matrix:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_multigrid_cycle --cells 12
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <functional>
#include <sstream>

#include "bodies/matrix_free_tangent.h"
#include "bodies/multigrid/corner_cycle.h"
#include "bodies/nodal_mass.h"
#include "bodies/nodal_view.h"
#include "solidyn/base/blas_kernels.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/program.h"
#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/generators.h"
#include "timing.h"

using namespace solidyn;

namespace {

struct Options {
  int cells = 12;
  std::string element = "tet10";
  double step = 1e-3;  // s
  int repeat = 15;
};

/// The free steel block of solid_steps, without its equations of motion.
class Block {
 public:
  explicit Block(const Options& o)
      : mesh_(make_mesh(o)), pattern_(fem::assemble_masses(mesh_, kSteel)) {
    fem::SolidOptions solid;
    solid.material = kSteel;
    forces_ = std::make_unique<fem::SolidOperator>(mesh_, pattern_, solid);
    mass_ = std::make_unique<bodies::NodalMass>(pattern_, fem::MassKind::lumped, MATAIJ);
    corners_ = std::make_unique<bodies::CornerLevel>(mesh_, kSteel, solid, fem::MassKind::lumped,
                                                     pattern_.lumped_mass);
    corners_->hold({});
    product_ = std::make_unique<bodies::MatrixFreeTangent>(mesh_, *forces_, *mass_,
                                                           std::vector<PetscInt>());
    // Of generalized-alpha steps, to a factor near one.
    const fem::TangentCoefficients c{4.0 / (o.step * o.step), 0.0, 1.0, fem::MassKind::lumped};
    product_->set(mesh_.x, c);
    product_->compute_blocks();
    level_ = corners_->assemble(mesh_.x, c);
    exact_ = product_->matrix();
    single_ = product_->keep_single();
  }

  ::Mat product_in_double() const { return exact_; }
  ::Mat product_in_single() const { return single_; }
  const bodies::CoarseLevel& level() const { return level_; }
  base::Vec field() const {
    base::Vec v = mass_->make_vector();
    SOLIDYN_PETSC(VecCopy(level_.rough, v));
    return v;
  }
  std::int64_t n_unknowns() const { return 3 * mesh_.n_global_nodes; }

 private:
  static inline const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

  static mesh::DistributedMesh make_mesh(const Options& o) {
    mesh::BoxOptions box;
    box.nx = box.ny = box.nz = o.cells;
    for (const elements::ElementTraits& one : elements::kElements)
      if (o.element == one.name) box.type = one.type;
    const bool is_first = base::rank(PETSC_COMM_WORLD) == 0;
    return mesh::distribute(PETSC_COMM_WORLD, is_first ? mesh::make_box(box) : mesh::Mesh{});
  }

  mesh::DistributedMesh mesh_;
  fem::ElasticBody pattern_;
  std::unique_ptr<fem::SolidOperator> forces_;
  std::unique_ptr<bodies::NodalMass> mass_;
  std::unique_ptr<bodies::CornerLevel> corners_;
  std::unique_ptr<bodies::MatrixFreeTangent> product_;
  bodies::CoarseLevel level_;
  ::Mat exact_ = nullptr, single_ = nullptr;
};

/// The parts in turn, so that what else runs on the machine is alike for all. CPU seconds.
std::vector<double> measure(const std::vector<std::function<void()>>& parts, int repeat) {
  std::vector<std::vector<double>> seconds(parts.size());
  for (int i = -1; i < repeat; ++i)  // the first is for the caches
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const double begin = benchmarks::cpu_seconds();
      parts[k]();
      if (i >= 0) seconds[k].push_back(benchmarks::cpu_seconds() - begin);
    }
  std::vector<double> medians;
  medians.reserve(parts.size());
  for (const std::vector<double>& of_part : seconds) medians.push_back(benchmarks::median(of_part));
  return medians;
}

void run(const Options& o, bodies::CornerCycle::Precision precision) {
  const Block block(o);
  const bool is_single = precision == bodies::CornerCycle::Precision::single;
  bodies::CornerCycle cycle({"the block", "body_", PETSC_COMM_WORLD});
  base::Handle<::PC, PCDestroy> pc;
  SOLIDYN_PETSC(PCCreate(PETSC_COMM_WORLD, pc.out()));
  SOLIDYN_PETSC(PCSetOptionsPrefix(pc, "body_"));
  SOLIDYN_PETSC(PCSetOperators(pc, block.product_in_double(), block.product_in_double()));
  const std::string failure =
      cycle.set_up(pc, is_single ? block.product_in_single() : block.product_in_double(),
                   block.level(), precision);
  if (!failure.empty()) throw base::ComputationError(failure);
  SOLIDYN_PETSC(PCSetUp(pc));
  ::KSP coarse = nullptr;
  ::PC coarse_pc = nullptr;
  SOLIDYN_PETSC(PCMGGetCoarseSolve(pc, &coarse));
  SOLIDYN_PETSC(KSPGetPC(coarse, &coarse_pc));
  const base::Vec x = block.field(), y = block.field();
  base::Vec b, c;
  SOLIDYN_PETSC(MatCreateVecs(block.level().interpolation, b.out(), nullptr));
  SOLIDYN_PETSC(VecDuplicate(b, c.out()));
  const std::vector<double> seconds =
      measure({[&] { SOLIDYN_PETSC(MatMult(block.product_in_double(), x, y)); },
               [&] { SOLIDYN_PETSC(MatMult(block.product_in_single(), x, y)); },
               [&] { SOLIDYN_PETSC(PCApply(pc, x, y)); },
               [&] {
                 SOLIDYN_PETSC(MatMultTranspose(block.level().interpolation, x, b));
                 SOLIDYN_PETSC(MatMultAdd(block.level().interpolation, b, x, y));
               },
               [&] { SOLIDYN_PETSC(PCApply(coarse_pc, b, c)); }},
              o.repeat);
  if (base::rank(PETSC_COMM_WORLD) > 0) return;
  fmt::print(
      "{{\"element\": \"{}\", \"cells\": {}, \"n_dofs\": {}, \"np\": {}, \"precision\": \"{}\", "
      "\"coarse\": \"{}\", \"milliseconds\": {{\"double_product\": {:.4g}, \"single_product\": {:.4g}, "
      "\"cycle\": {:.4g}, \"transfers\": {:.4g}, \"corners\": {:.4g}}}, "
      "\"cycle_over_double_product\": {:.2f}, \"cycle_over_single_product\": {:.2f}}}\n",
      o.element, o.cells, block.n_unknowns(), base::size(PETSC_COMM_WORLD),
      is_single ? "single" : "double", cycle.description(), 1e3 * seconds[0], 1e3 * seconds[1],
      1e3 * seconds[2], 1e3 * seconds[3], 1e3 * seconds[4], seconds[2] / seconds[0],
      seconds[2] / seconds[1]);
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  Options options;
  std::string petsc;
  po::options_description description("options");
  description.add_options()("help,h", "show this help")(
      "cells", po::value(&options.cells)->default_value(12), "of the block, along each edge")(
      "element", po::value(&options.element)->default_value("tet10"),
      "tet10, hex20, wedge15 or pyramid13")("step", po::value(&options.step)->default_value(1e-3),
                                            "time step, s")(
      "repeat", po::value(&options.repeat)->default_value(15), "applications; medians count")(
      "petsc", po::value(&petsc)->default_value(""), "PETSc options, in quotes");
  return base::run_program({}, [&] {
    po::variables_map arguments;
    try {
      po::store(po::parse_command_line(argc, argv, description), arguments);
      po::notify(arguments);
    } catch (const po::error& e) {
      throw base::InputError(e.what(), "--help has all options");
    }
    if (arguments.count("help")) {
      std::ostringstream text;
      text << description;
      base::print_once(text.str());
      return 0;
    }
    base::use_blas_kernels_of_this_processor();
    SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, petsc.c_str()));
    base::set_log_level(base::LogLevel::error);
    for (const auto precision :
         {bodies::CornerCycle::Precision::single, bodies::CornerCycle::Precision::full})
      run(options, precision);
    return 0;
  });
}
