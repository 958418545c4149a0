// Times the assembly of large-rotation tangents into PETSc's matrices, and the usual code beside
// it:
//   build/benchmarks/benchmark_solid_assembly --cells 24
//   mpirun -n 2 build/benchmarks/benchmark_solid_assembly --cells 24 --no-usual
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <functional>
#include <iostream>
#include <numeric>
#include <random>

#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/tetrahedron.h"
#include "solidyn/fem/solid_operator.h"
#include "solidyn/mesh/generators.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::cpu_seconds;
using benchmarks::median;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

namespace {

const fem::IsotropicElastic kSteel{2.0e11, 0.3, 7870.0};

struct Options {
  int cells = 24, runs = 7;
  bool shuffle = false, usual = true;
};

// Nodes and elements in an order without any sense, as some mesh generators leave them.
void shuffle(mesh::Mesh& mesh) {
  std::mt19937 random(1);
  std::vector<std::int32_t> place(mesh.n_nodes());
  std::iota(place.begin(), place.end(), 0);
  std::shuffle(place.begin(), place.end(), random);
  const mesh::Mesh old = mesh;
  for (std::int64_t i = 0; i < mesh.n_nodes(); ++i) {
    mesh.x.col(place[i]) = old.x.col(i);
    mesh.node_tags[place[i]] = old.node_tags[i];
  }
  mesh.sets.clear();
  for (mesh::ElementBlock& block : mesh.blocks) {
    const int n = elements::n_nodes(block.type);
    std::vector<std::int64_t> order(block.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    const mesh::ElementBlock from = block;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      block.tags[e] = from.tags[order[e]];
      for (int a = 0; a < n; ++a)
        block.connectivity[e * n + a] = place[from.connectivity[order[e] * n + a]];
    }
  }
}

mesh::DistributedMesh make_mesh(const Options& options) {
  mesh::Mesh mesh;
  if (base::rank(PETSC_COMM_WORLD) == 0) {
    mesh::BoxOptions box;
    box.nx = 2 * options.cells;
    box.ny = box.nz = options.cells;
    box.size = {2.0, 1.0, 1.0};
    box.perturbation = 0.15;
    mesh = mesh::make_box(box);
    if (options.shuffle) shuffle(mesh);
  }
  return mesh::distribute(PETSC_COMM_WORLD, std::move(mesh));
}

struct Seconds {
  double cpu, wall;
};

// Medians over the runs of the slowest rank's times; the first run is not counted.
Seconds measure(int runs, const std::function<void()>& work) {
  std::vector<double> cpu, wall;
  for (int run = 0; run <= runs; ++run) {
    MPI_Barrier(PETSC_COMM_WORLD);
    const double start = cpu_seconds();
    const base::Timer timer;
    work();
    const double cpu_of_rank = cpu_seconds() - start;
    const double wall_of_rank = timer.seconds();
    if (run == 0) continue;
    cpu.push_back(base::max(PETSC_COMM_WORLD, cpu_of_rank));
    wall.push_back(base::max(PETSC_COMM_WORLD, wall_of_rank));
  }
  return {median(cpu), median(wall)};
}

// The tangent of St. Venant-Kirchhoff tet10 as textbooks write it: strain-displacement matrix B of
// F at each point, K = int B^T C B + geometric part, MatSetValues per element.
class UsualAssembly {
 public:
  explicit UsualAssembly(const mesh::DistributedMesh& mesh) : mesh_(mesh) {
    C_.setZero();
    C_.topLeftCorner<3, 3>().setConstant(kSteel.lame_lambda());
    for (int i = 0; i < 3; ++i) {
      C_(i, i) += 2.0 * kSteel.shear_modulus();
      C_(3 + i, 3 + i) = kSteel.shear_modulus();
    }
  }

  void assemble(const Matrix3Xd& x, bool is_blocked, Mat A) const {
    SOLIDYN_PETSC(MatZeroEntries(A));
    for (const mesh::ElementBlock& block : mesh_.solids)
      for (std::int64_t e = 0; e < block.size(); ++e)
        add_element(&block.connectivity[10 * e], x, is_blocked, A);
    SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  }

 private:
  void add_element(const std::int32_t* nodes, const Matrix3Xd& x, bool is_blocked, Mat A) const {
    Eigen::Matrix<double, 3, 10> X, current;
    for (int a = 0; a < 10; ++a) {
      X.col(a) = mesh_.x.col(nodes[a]);
      current.col(a) = x.col(nodes[a]);
    }
    Eigen::Matrix<double, 30, 30, Eigen::RowMajor> K = decltype(K)::Zero();
    for (Eigen::Index q = 0; q < rule_.weights.size(); ++q) {
      const Eigen::Matrix<double, 10, 3> dN = elements::Tet10::gradients(rule_.points.col(q));
      const Matrix3d J = X * dN;
      add_point(current, dN * J.inverse(), rule_.weights[q] * J.determinant(), K);
    }
    PetscInt rows[30];
    for (int a = 0; a < 10; ++a) {
      const PetscInt global = static_cast<PetscInt>(mesh_.global[nodes[a]]);
      if (is_blocked)
        rows[a] = global;
      else
        for (int i = 0; i < 3; ++i) rows[3 * a + i] = 3 * global + i;
    }
    if (is_blocked)
      SOLIDYN_PETSC(MatSetValuesBlocked(A, 10, rows, 10, rows, K.data(), ADD_VALUES));
    else
      SOLIDYN_PETSC(MatSetValues(A, 30, rows, 30, rows, K.data(), ADD_VALUES));
  }

  void add_point(const Eigen::Matrix<double, 3, 10>& x, const Eigen::Matrix<double, 10, 3>& g,
                 double w, Eigen::Matrix<double, 30, 30, Eigen::RowMajor>& K) const {
    const Matrix3d F = x * g;
    const Matrix3d E = 0.5 * (F.transpose() * F - Matrix3d::Identity());
    const Matrix3d S =
        kSteel.lame_lambda() * E.trace() * Matrix3d::Identity() + 2.0 * kSteel.shear_modulus() * E;
    Eigen::Matrix<double, 6, 30> B;
    for (int a = 0; a < 10; ++a)
      for (int i = 0; i < 3; ++i) {
        B.col(3 * a + i) << F(i, 0) * g(a, 0), F(i, 1) * g(a, 1), F(i, 2) * g(a, 2),
            F(i, 0) * g(a, 1) + F(i, 1) * g(a, 0), F(i, 1) * g(a, 2) + F(i, 2) * g(a, 1),
            F(i, 2) * g(a, 0) + F(i, 0) * g(a, 2);
      }
    K += w * B.transpose() * C_ * B;
    const Eigen::Matrix<double, 10, 10> geometric = w * g * S * g.transpose();
    for (int a = 0; a < 10; ++a)
      for (int b = 0; b < 10; ++b)
        for (int i = 0; i < 3; ++i) K(3 * a + i, 3 * b + i) += geometric(a, b);
  }

  const mesh::DistributedMesh& mesh_;
  Eigen::Matrix<double, 6, 6> C_;
  elements::Quadrature rule_ = elements::make_tetrahedron_rule(2);
};

// |A v| for a fixed v: what two assemblies must agree in.
double fingerprint(const mesh::DistributedMesh& mesh, Mat A) {
  base::Vec v, y;
  SOLIDYN_PETSC(MatCreateVecs(A, v.out(), y.out()));
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    for (int c = 0; c < 3; ++c)
      SOLIDYN_PETSC(VecSetValue(v, static_cast<PetscInt>(3 * (mesh.first_owned + i) + c),
                                std::sin(double(mesh.node_tags[i] % 1000) + c), INSERT_VALUES));
  SOLIDYN_PETSC(VecAssemblyBegin(v));
  SOLIDYN_PETSC(VecAssemblyEnd(v));
  SOLIDYN_PETSC(MatMult(A, v, y));
  double norm = 0.0;
  SOLIDYN_PETSC(VecNorm(y, NORM_2, &norm));
  return norm;
}

class Study {
 public:
  explicit Study(const Options& options)
      : options_(options),
        mesh_(make_mesh(options)),
        body_(fem::assemble(mesh_, kSteel)),
        x_(deformed(mesh_)) {
    body_.stiffness = {};
  }

  void run() const {
    using fem::SolidFormulation;
    time_laws("st_venant_kirchhoff", SolidFormulation::st_venant_kirchhoff);
    time_laws("neo_hookean", SolidFormulation::neo_hookean);
    time_laws("corotational", SolidFormulation::corotational);
    if (!options_.usual || base::size(PETSC_COMM_WORLD) > 1) return;
    const UsualAssembly usual(mesh_);
    for (const char* type : {MATAIJ, MATBAIJ}) {
      const base::Mat A = fem::make_zero_matrix(body_, type);
      const bool is_blocked = type != std::string(MATAIJ);
      const Seconds t =
          measure(std::min(options_.runs, 3), [&] { usual.assemble(x_, is_blocked, A); });
      report("usual", is_blocked ? "MatSetValuesBlocked" : "MatSetValues", t, 0.0,
             fingerprint(mesh_, A));
    }
  }

 private:
  static Matrix3Xd deformed(const mesh::DistributedMesh& mesh) {
    const Matrix3d R =
        Eigen::AngleAxisd(1.0, Vector3d(1.0, 2.0, 3.0).normalized()).toRotationMatrix();
    Matrix3Xd x = mesh.x;
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      const Vector3d X = x.col(i);
      x.col(i) = R * (X + 0.01 * Vector3d(std::sin(X.y()), std::sin(3.0 * X.x()), X.x() * X.z()));
    }
    return x;
  }

  void time_laws(const char* name, fem::SolidFormulation formulation) const {
    const fem::SolidOperator solid(mesh_, body_, {formulation, kSteel, {}});
    for (const char* type : {MATSBAIJ, MATBAIJ, MATAIJ}) {
      const base::Mat A = solid.make_matrix(type);
      const Seconds t = measure(options_.runs, [&] { solid.assemble_tangent(x_, {}, A); });
      report(name, type, t, solid.bytes_per_element(), fingerprint(mesh_, A));
      if (type != std::string(MATSBAIJ)) continue;
      base::Vec v, y;
      SOLIDYN_PETSC(MatCreateVecs(A, v.out(), y.out()));
      SOLIDYN_PETSC(VecSet(v, 1.0));
      report(name, "MatMult sbaij",
             measure(options_.runs, [&] { SOLIDYN_PETSC(MatMult(A, v, y)); }), 0.0, 0.0);
    }
    Matrix3Xd f(3, mesh_.n_owned);
    report(name, "force", measure(options_.runs, [&] { solid.compute_force(x_, f); }), 0.0, 0.0);
    report(name, "apply", measure(options_.runs, [&] { solid.apply_tangent(x_, {}, x_, f); }), 0.0,
           0.0);
  }

  void report(const std::string& law, const std::string& what, const Seconds& t, double bytes,
              double check) const {
    if (base::rank(PETSC_COMM_WORLD) != 0) return;
    const int ranks = base::size(PETSC_COMM_WORLD);
    const double n = static_cast<double>(mesh_.n_global_elements) / ranks;
    std::cout << fmt::format(
                     R"({{"law": "{}", "what": "{}", "ranks": {}, "elements": {}, "nodes": {}, )"
                     R"("million_elements_per_s_and_core": {{"cpu": {:.3f}, "wall": {:.3f}}}, )"
                     R"("bytes_per_element": {:.0f}, "norm": {:.9e}}})",
                     law, what, ranks, mesh_.n_global_elements, mesh_.n_global_nodes,
                     1e-6 * n / t.cpu, 1e-6 * n / t.wall, bytes, check)
              << std::endl;
  }

  Options options_;
  mesh::DistributedMesh mesh_;
  fem::ElasticBody body_;
  Matrix3Xd x_;
};

Options read_options(int argc, char** argv) {
  namespace po = boost::program_options;
  Options options;
  po::options_description description("Options");
  description.add_options()("help", "this text")("cells", po::value(&options.cells),
                                                 "cells across the box; 12 cells^3 elements")(
      "runs", po::value(&options.runs), "measured runs, of which the median is printed")(
      "shuffle", po::bool_switch(&options.shuffle), "nodes and elements in random order")(
      "no-usual", "without the usual code");
  po::variables_map map;
  po::store(po::parse_command_line(argc, argv, description), map);
  po::notify(map);
  options.usual = !map.count("no-usual");
  if (map.count("help")) std::cout << description;
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = read_options(argc, argv);
  int no_arguments = 1;
  SOLIDYN_PETSC(PetscInitialize(&no_arguments, &argv, nullptr, nullptr));
  Study(options).run();
  SOLIDYN_PETSC(PetscFinalize());
  return 0;
}
