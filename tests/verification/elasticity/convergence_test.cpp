#include <gtest/gtest.h>

#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/visit_element.h"
#include "solidyn/mesh/generators.h"
#include "static_solution.h"

// Manufactured solution u = d sin(k . x + phase), whose volume force is
//   f = -div sigma = ((lambda + mu) (k . d) k + mu |k|^2 d) sin(k . x + phase).
// Error in L2 of the displacement, on smoothly distorted meshes: order 2 for linear elements, 3 for
// quadratic ones (Strang and Fix 1973).
namespace solidyn::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const IsotropicElastic kMaterial{1.0, 0.3, 1.0};
const Vector3d kWave(1.9, -1.3, 1.6), kDirection(0.8, 1.0, -0.6);
constexpr double kPhase = 0.4;

Vector3d exact(const Vector3d& x) { return kDirection * std::sin(kWave.dot(x) + kPhase); }

Vector3d volume_force(const Vector3d& x) {
  const double lambda = kMaterial.lame_lambda(), mu = kMaterial.shear_modulus();
  return ((lambda + mu) * kWave.dot(kDirection) * kWave + mu * kWave.squaredNorm() * kDirection) *
         std::sin(kWave.dot(x) + kPhase);
}

// No face stays plane and no element a brick; mid-side nodes move with the map, so that sides are
// curved.
Vector3d distorted(const Vector3d& x) {
  return x + 0.06 * Vector3d(std::sin(2.0 * x[1] + x[2]), std::cos(2.0 * x[2] - x[0]),
                             std::sin(2.0 * x[0] + x[1]));
}

mesh::DistributedMesh make_mesh(elements::ElementType type, int n) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = box.ny = box.nz = n;
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) mesh.x.col(k) = distorted(mesh.x.col(k));
  return mesh::distribute(PETSC_COMM_SELF, mesh);
}

// Calls visit(nodes, N, x, dV) at each point of each element.
template <class Visit>
void for_each_point(const mesh::DistributedMesh& mesh, const Visit& visit) {
  const mesh::ElementBlock& block = mesh.solids[0];
  elements::visit_element(block.type, [&](auto element) {
    using Element = decltype(element);
    const elements::Quadrature rule = elements::make_rule<Element>(7);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = &block.connectivity[e * Element::n_nodes];
      Eigen::Matrix<double, 3, Element::n_nodes> x;
      for (int a = 0; a < Element::n_nodes; ++a) x.col(a) = mesh.x.col(nodes[a]);
      for (Eigen::Index q = 0; q < rule.weights.size(); ++q) {
        const Vector3d rst = rule.points.col(q);
        const Eigen::Matrix3d J = x * Element::gradients(rst);
        const VectorXd N = Element::values(rst);
        visit(nodes, N, Vector3d(x * N), rule.weights[q] * J.determinant());
      }
    }
  });
}

VectorXd load_vector(const mesh::DistributedMesh& mesh) {
  VectorXd f = VectorXd::Zero(3 * mesh.n_local());
  for_each_point(mesh,
                 [&](const std::int32_t* nodes, const VectorXd& N, const Vector3d& x, double dV) {
                   const Vector3d force = dV * volume_force(x);
                   for (Eigen::Index a = 0; a < N.size(); ++a)
                     f.segment<3>(3 * nodes[a]) += N[a] * force;
                 });
  return f;
}

double error_norm(const mesh::DistributedMesh& mesh, const VectorXd& u) {
  double sum = 0.0;
  for_each_point(mesh,
                 [&](const std::int32_t* nodes, const VectorXd& N, const Vector3d& x, double dV) {
                   Vector3d error = -exact(x);
                   for (Eigen::Index a = 0; a < N.size(); ++a)
                     error += N[a] * u.segment<3>(3 * nodes[a]);
                   sum += dV * error.squaredNorm();
                 });
  return std::sqrt(sum);
}

double solve_error(elements::ElementType type, Hex8Formulation hex8, int n) {
  const mesh::DistributedMesh mesh = make_mesh(type, n);
  std::vector<bool> is_fixed(3 * mesh.n_local(), false);
  VectorXd u = VectorXd::Zero(3 * mesh.n_local());
  for (const auto& [name, set] : mesh.sets) {
    if (set.dimension != 2) continue;
    for (const std::int32_t node : set.nodes) {
      u.segment<3>(3 * node) = exact(mesh.x.col(node));
      for (int c = 0; c < 3; ++c) is_fixed[3 * node + c] = true;
    }
  }
  const auto K = test::make_sparse_stiffness(assemble(mesh, {kMaterial, hex8}));
  return error_norm(mesh, test::solve_static(K, load_vector(mesh), is_fixed, u));
}

struct Case {
  elements::ElementType type;
  Hex8Formulation hex8 = Hex8Formulation::incompatible_modes;
};

class ManufacturedElasticity : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Elements, ManufacturedElasticity,
    testing::Values(Case{elements::ElementType::tet4}, Case{elements::ElementType::tet10},
                    Case{elements::ElementType::hex8, Hex8Formulation::standard},
                    Case{elements::ElementType::hex8, Hex8Formulation::b_bar},
                    Case{elements::ElementType::hex8, Hex8Formulation::incompatible_modes},
                    Case{elements::ElementType::hex20}, Case{elements::ElementType::wedge6},
                    Case{elements::ElementType::wedge15}, Case{elements::ElementType::pyramid5},
                    Case{elements::ElementType::pyramid13}),
    [](const auto& info) {
      return std::string(elements::name(info.param.type)) + "_" +
             std::to_string(static_cast<int>(info.param.hex8));
    });

TEST_P(ManufacturedElasticity, DisplacementConvergesWithTheOrderOfTheElement) {
  const auto [type, hex8] = GetParam();
  const bool is_linear = elements::linear_of(type) == type;
  const int coarse = 4;
  const double first = solve_error(type, hex8, coarse),
               second = solve_error(type, hex8, 2 * coarse);
  const double order = std::log2(first / second);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, is_linear ? 2.0 : 3.0, 0.2) << first << " then " << second;
}

}  // namespace
}  // namespace solidyn::fem
