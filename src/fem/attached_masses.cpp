#include "attached_masses.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/solid_element.h"
#include "solidyn/fem/visit_element.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// S = int dx dx^T dm of an inertia; parts of it that are negative are left out.
Matrix3d second_moments(const Matrix3d& inertia) {
  const Matrix3d S = 0.5 * inertia.trace() * Matrix3d::Identity() - inertia;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> parts(0.5 * (S + S.transpose()));
  return parts.eigenvectors() * parts.eigenvalues().cwiseMax(0.0).asDiagonal() *
         parts.eigenvectors().transpose();
}

struct Place {
  std::size_t block;
  std::int64_t element;
};

// This rank's elements that have one of the nodes.
std::vector<Place> find_elements(const mesh::DistributedMesh& mesh, const AttachedMass& mass) {
  std::vector<Place> found;
  for (std::size_t b = 0; b < mesh.solids.size(); ++b) {
    const mesh::ElementBlock& block = mesh.solids[b];
    const int n = mesh::n_nodes(block.type);
    const auto is_held = [&](std::int32_t node) {
      return std::binary_search(mass.nodes.begin(), mass.nodes.end(), mesh.node_tags[node]);
    };
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const auto nodes = block.connectivity.begin() + n * e;
      if (std::any_of(nodes, nodes + n, is_held)) found.push_back({b, e});
    }
  }
  return found;
}

constexpr int n_corners_of(int n_nodes) {
  return n_nodes == 10 ? 4 : n_nodes == 20 ? 8 : n_nodes == 15 ? 6 : n_nodes == 13 ? 5 : n_nodes;
}

// The scalar mass matrix of a part of the mass, by the affine motion of the corners.
template <class Element>
ElementMass<Element> affine_mass(const ElementNodes<Element>& x, const AttachedMass& mass,
                                 double part) {
  constexpr int k = n_corners_of(Element::n_nodes);
  const Vector3d centre = x.template leftCols<k>().rowwise().mean();
  Eigen::Matrix<double, 4, k> p;
  p << Eigen::Matrix<double, 1, k>::Ones(), x.template leftCols<k>().colwise() - centre;
  // Columns: weights that give the value at the centre and the three derivatives.
  const Eigen::Matrix<double, k, 4> weights = p.transpose() * (p * p.transpose()).inverse();
  const Eigen::Matrix<double, k, 1> v =
      weights.col(0) + weights.template rightCols<3>() * (mass.x - centre);
  const Eigen::Matrix<double, k, 3> G = weights.template rightCols<3>();
  ElementMass<Element> m = ElementMass<Element>::Zero();
  m.template topLeftCorner<k, k>() =
      part * (mass.mass * v * v.transpose() + G * second_moments(mass.inertia) * G.transpose());
  return m;
}

// Adds an element's matrix of this mass only: no stiffness.
template <class Element>
void add_to_element(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block,
                    std::int64_t e, const ElementMass<Element>& m, NodeRows& rows,
                    MassMoments& moments) {
  const std::int32_t* nodes = &block.connectivity[Element::n_nodes * e];
  ElementNodes<Element> x;
  for (int a = 0; a < Element::n_nodes; ++a) x.col(a) = mesh.x.col(nodes[a]);
  rows.add_element<Element::n_nodes>(nodes, ElementStiffness<Element>::Zero(), m,
                                     make_lumped_mass<Element>(m));
  moments.add(x, m);
}

template <class Element>
void add_part(const mesh::DistributedMesh& mesh, const Place& place, const AttachedMass& mass,
              double part, NodeRows& rows, MassMoments& moments) {
  const mesh::ElementBlock& block = mesh.solids[place.block];
  const std::int32_t* nodes = &block.connectivity[Element::n_nodes * place.element];
  ElementMass<Element> m = ElementMass<Element>::Zero();
  if (mass.is_at_node) {
    for (int a = 0; a < Element::n_nodes; ++a)
      if (mesh.node_tags[nodes[a]] == mass.nodes.front()) m(a, a) = part * mass.mass;
  } else {
    ElementNodes<Element> x;
    for (int a = 0; a < Element::n_nodes; ++a) x.col(a) = mesh.x.col(nodes[a]);
    m = affine_mass<Element>(x, mass, part);
  }
  add_to_element<Element>(mesh, block, place.element, m, rows, moments);
}

}  // namespace

void add_attached_masses(const mesh::DistributedMesh& mesh, const std::vector<AttachedMass>& masses,
                         NodeRows& rows, MassMoments& moments) {
  for (const AttachedMass& mass : masses) {
    const std::vector<Place> places = find_elements(mesh, mass);
    const std::int64_t n = base::sum(mesh.comm, static_cast<std::int64_t>(places.size()));
    if (n == 0)
      throw base::InputError(fmt::format("{}: no solid element has one of its nodes", mass.name),
                             "fix it to nodes of the solids, directly or by a rigid element");
    for (const Place& place : places)
      visit_element(mesh.solids[place.block].type, [&](auto element) {
        add_part<decltype(element)>(mesh, place, mass, 1.0 / static_cast<double>(n), rows, moments);
      });
  }
}

}  // namespace solidyn::fem
