// The kernels without anything else: this program links their objects, Eigen, fmt and muParser, and
// neither PETSc nor MPI. It does not link when one of them calls either.
#include <cstdio>

#include "solidyn/fem/solid_element.h"

namespace {

using namespace solidyn;

bool stretch_resists_and_rotation_does_not() {
  const fem::ElementNodes<elements::Tet4> x = elements::Tet4::nodes();
  fem::ElementStiffness<elements::Tet4> K;
  fem::compute_stiffness<elements::Tet4>(x, materials::IsotropicElastic{1.0, 0.3, 1.0}, K);
  const Eigen::Matrix<double, 3, 4> arm = x.colwise() - x.col(0);
  Eigen::Matrix<double, 3, 4> u;
  u << -arm.row(1), arm.row(0), Eigen::RowVector4d::Zero();
  return (K * x.reshaped()).norm() > 0.1 && (K * u.reshaped()).norm() < 1e-14;
}

}  // namespace

int main() {
  const bool is_good = stretch_resists_and_rotation_does_not();
  std::puts(is_good ? "kernels work alone" : "kernels are wrong");
  return is_good ? 0 : 1;
}
