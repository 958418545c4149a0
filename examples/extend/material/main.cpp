// A material of our own: a fibre composite from five constants, pulled at an angle to its fibres.
//
//   out/extend/material/extend_material
//   mpirun -n 2 out/extend/material/extend_material     (the same numbers)
//
// Known: the modulus at an angle a to the fibres, c = cos a, s = sin a (Lekhnitskii),
//   1 / E = c^4 / E_along + s^4 / E_across + (1 / G_along - 2 nu_along / E_along) c^2 s^2,
// and the patch test: any mesh of a block under a uniform stress is in equilibrium.
#include <solidyn/fem/solid_operator.h>
#include <solidyn/solidyn.h>

#include <algorithm>
#include <cmath>

#include "fibre_composite.h"

using namespace solidyn;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using materials::Matrix6d;
using materials::Vector6d;

// Carbon fibres in epoxy.
const FibreComposite kComposite = {138e9, 9e9, 0.3, 0.42, 5.2e9, 1580};
constexpr double kStress = 1e6;  // Pa

// The strain energy per volume, from engineering constants alone.
double energy_density(const Vector6d& strain) {
  return 0.5 * strain.dot(kComposite.compliance().ldlt().solve(strain));
}

// How far the stress is from the differences of the energy, of what it is.
double error_of_stress() {
  const materials::Elasticity law(kComposite.along(Vector3d::UnitX()), Vector3d::Zero());
  Vector6d strain;
  strain << 2e-3, -1e-3, 5e-4, 3e-3, -2e-3, 1e-3;
  Vector6d by_differences;
  const double h = 1e-6;
  for (int i = 0; i < 6; ++i) {
    const Vector6d e = h * Vector6d::Unit(i);
    by_differences[i] = (energy_density(strain + e) - energy_density(strain - e)) / (2 * h);
  }
  return (law.stress(strain) - by_differences).norm() / by_differences.norm();
}

struct Patch {
  double unbalanced = 0.0;  // the largest force on a node inside, of those on the ends
  double pull = 0.0;        // force on the end, N
};

// A block of 1 m x 1 m x 1 m with an irregular mesh, strained uniformly and turned as a whole.
Patch pull(const materials::Material& material, const Matrix3d& strain, const Matrix3d& turn) {
  mesh::BoxOptions box;
  box.type = elements::ElementType::tet10;
  box.nx = box.ny = box.nz = 3;
  box.perturbation = 0.15;
  const bool makes_it = base::rank(PETSC_COMM_WORLD) == 0;
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_WORLD, makes_it ? mesh::make_box(box) : mesh::Mesh());
  const fem::ElasticBody body = fem::assemble(mesh, material);
  fem::SolidOptions options;
  options.formulation = fem::SolidFormulation::corotational;
  options.material = material;
  const fem::SolidOperator solid(mesh, body, options);
  const Matrix3Xd x = turn * (Matrix3d::Identity() + strain) * mesh.x;
  Matrix3Xd force(3, mesh.n_owned);
  solid.compute_force(x, force);

  const auto on_surface = [&](int node) {
    const auto X = mesh.x.col(node).array();
    return (X < 1e-9).any() || (X > 1 - 1e-9).any();
  };
  Vector3d end = Vector3d::Zero();
  double inside = 0.0, largest = 0.0;
  for (int i = 0; i < mesh.n_owned; ++i) {
    largest = std::max(largest, force.col(i).norm());
    if (!on_surface(i)) inside = std::max(inside, force.col(i).norm());
    if (mesh.x(0, i) > 1 - 1e-9) end += force.col(i);
  }
  base::sum_in_place(PETSC_COMM_WORLD, end.data(), 3);
  largest = base::max(PETSC_COMM_WORLD, largest);
  return {base::max(PETSC_COMM_WORLD, inside) / largest, (turn.transpose() * end).x()};
}

int run() {
  const double derivatives = error_of_stress();
  base::print_once("stress {:.0e} from differences of the energy\n", derivatives);
  base::print_once("angle deg   E GPa   by Lekhnitskii\n");
  const Matrix3d turn = math::exp_rotation(Vector3d(1.0, -2.0, 0.5));
  double worst = 0.0, unbalanced = 0.0;
  for (const double degrees : {0.0, 15.0, 30.0, 45.0, 60.0, 90.0}) {
    const double c = std::cos(degrees * M_PI / 180), s = std::sin(degrees * M_PI / 180);
    const FibreComposite& f = kComposite;
    const double exact = 1 / (std::pow(c, 4) / f.E_along + std::pow(s, 4) / f.E_across +
                              (1 / f.G_along - 2 * f.nu_along / f.E_along) * c * c * s * s);
    const materials::Material material = f.along({c, s, 0});
    const materials::Elasticity law(material, Vector3d::Zero());
    const Vector6d strain = law.stiffness().ldlt().solve(kStress * Vector6d::Unit(0));
    const Patch patch = pull(material, materials::strain_tensor(strain), turn);
    const double found = patch.pull / strain[0];  // over an area of 1 m^2
    base::print_once("{:9} {:7.2f} {:16.2f}\n", degrees, found * 1e-9, exact * 1e-9);
    worst = std::max(worst, std::abs(found / exact - 1));
    unbalanced = std::max(unbalanced, patch.unbalanced);
  }
  base::print_once("{} inside\n", unbalanced < 1e-7 ? "in equilibrium" : "not in equilibrium");
  return derivatives < 1e-8 && worst < 1e-6 && unbalanced < 1e-7 ? 0 : 1;
}

int main() { return base::run_program({}, run); }
