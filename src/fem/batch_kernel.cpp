#include "batch_kernel.h"

#include "corotational.h"
#include "total_lagrangian.h"

namespace solidyn::fem {
namespace {

Eigen::Matrix<double, 3, 10> tetrahedron_nodes() {
  Eigen::Matrix<double, 3, 10> nodes;
  nodes.leftCols<4>() << Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity();
  for (int e = 0; e < 6; ++e)
    nodes.col(4 + e) = 0.5 * (nodes.col(Tet10::edges[e][0]) + nodes.col(Tet10::edges[e][1]));
  return nodes;
}

// The rules of compute_stiffness(), so that all formulations have its stiffness at zero strain.
template <class Element, Shape shape>
const PointTable<Element>& tetrahedron_table() {
  constexpr int degree = Element::n_nodes == 4 ? 1 : shape == Shape::affine ? 2 : 5;
  static const PointTable<Element> table(make_tetrahedron_rule(degree),
                                         tetrahedron_nodes().leftCols<Element::n_nodes>());
  return table;
}

template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const PointTable<Element>& table,
                                         const SolidOptions& options) {
  switch (options.formulation) {
    case SolidFormulation::st_venant_kirchhoff:
      return std::make_unique<TotalLagrangianKernel<Element, shape, StVenantKirchhoff>>(table,
                                                                                        options);
    case SolidFormulation::neo_hookean:
      return std::make_unique<TotalLagrangianKernel<Element, shape, NeoHookean>>(table, options);
    case SolidFormulation::corotational:
      return std::make_unique<CorotationalKernel<Element, shape>>(table, options);
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<BatchKernel> make_tetrahedron_kernel(mesh::ElementType type, Shape shape,
                                                     const SolidOptions& options) {
  if (type == mesh::ElementType::tet4)
    return make_kernel<Tet4, Shape::affine>(tetrahedron_table<Tet4, Shape::affine>(), options);
  if (type != mesh::ElementType::tet10) return nullptr;
  if (shape == Shape::affine)
    return make_kernel<Tet10, Shape::affine>(tetrahedron_table<Tet10, Shape::affine>(), options);
  return make_kernel<Tet10, Shape::curved>(tetrahedron_table<Tet10, Shape::curved>(), options);
}

}  // namespace solidyn::fem
