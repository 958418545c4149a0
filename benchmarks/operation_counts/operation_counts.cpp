// One evaluation of the sweeps of a chain, for count.py to count the operations of.
//   build/benchmarks/benchmark_operation_counts 6 10
#include <slepc.h>

#include <Eigen/Cholesky>
#include <iostream>
#include <string>

#include "recursive/chain.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/mechanism.h"

using namespace solidyn;

// What count.py counts within: the sweep outwards, and those inwards and outwards again, as
// Mechanism::compute_accelerations() has them without closures and forces between bodies.
extern "C" {
[[gnu::noinline]] void counted_outwards(recursive::ArticulatedBodies* bodies, const double* q,
                                        const double* u) {
  bodies->move(q, u, Eigen::Vector3d(0.0, -9.81, 0.0));
}
[[gnu::noinline]] void counted_elimination(recursive::ArticulatedBodies* bodies,
                                           Eigen::VectorXd* du) {
  bodies->eliminate_and_solve(*du);
}
// The other way to the same: the mass matrix of composite bodies and its Cholesky factor.
[[gnu::noinline]] void counted_composite(recursive::Tree* tree, const double* q, const double* u,
                                         Eigen::VectorXd* du) {
  recursive::InverseDynamics inverse_dynamics(*tree);
  Eigen::VectorXd C;
  inverse_dynamics.compute_alone(q, u, Eigen::Vector3d(0.0, -9.81, 0.0),
                                 Eigen::VectorXd::Zero(tree->n_speeds()), C);
  *du = -composite_mass_matrix(*tree).llt().solve(C);
}
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: benchmark_operation_counts BODIES MODES\n";
    return 2;
  }
  const int n = std::stoi(argv[1]), n_modes = std::stoi(argv[2]);
  int no_arguments = 1;
  if (SlepcInitialize(&no_arguments, &argv, nullptr, nullptr)) return 1;
  benchmarks::Chain chain(n, n_modes);
  system::State state = chain.system.make_state();
  chain.system.update(state);
  recursive::Tree tree(chain.system);
  recursive::ArticulatedBodies bodies(tree);
  Eigen::VectorXd q, u, du = Eigen::VectorXd::Zero(tree.n_speeds());
  tree.find_coordinates(state, q, u);
  for (int i = 0; i < u.size(); ++i) u[i] = 0.1 * std::sin(1.0 + i);
  counted_outwards(&bodies, q.data(), u.data());
  counted_elimination(&bodies, &du);
  recursive::Mechanism mechanism(chain.system);
  Eigen::VectorXd expected;
  mechanism.compute_accelerations(q, u, state, expected);
  bool is_right = du == expected;
  std::cout << "du = " << du.norm() << (is_right ? "\n" : ", not that of the mechanism\n");
  counted_composite(&tree, q.data(), u.data(), &du);
  if ((du - expected).norm() > 1e-9 * expected.norm()) {
    std::cout << "composite bodies give another one: " << du.norm() << "\n";
    is_right = false;
  }
  SlepcFinalize();
  return is_right ? 0 : 1;
}
