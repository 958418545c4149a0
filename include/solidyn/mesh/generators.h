#pragma once
#include "solidyn/mesh/mesh.h"

/// Meshes made by rule: for tests, benchmarks and first models. All are compatible (every inner
/// face has two elements), all solids have positive Jacobians, tags count from 1. Local,
/// deterministic.
namespace solidyn::mesh {

struct BoxOptions {
  ElementType type = ElementType::tet10;  ///< any solid, straight sides
  int nx = 1, ny = 1, nz = 1;             ///< cells: one hexahedron each, two wedges that stand on
                                          ///< z, or six tetrahedra or pyramids
  Eigen::Vector3d size = Eigen::Vector3d::Ones();    ///< m
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< the corner of least coordinates, m
  /// Largest move of a corner node as a fraction of the cell, at most 0.2 (beyond, elements may
  /// invert). The faces of hexahedra and wedges become warped. Boundary nodes slide within their
  /// face, so that the box stays a box.
  double perturbation = 0.0;
  unsigned seed = 1;
};

/// Box with the sets x_min, x_max, y_min, y_max, z_min, z_max (dimension 2) and body (dimension 3).
/// Proved by Generators.BoxFillsItsVolume and Generators.PerturbedBoxStaysABox.
Mesh make_box(const BoxOptions& options);

struct RodOptions {
  enum class Section { circular, rectangular } section = Section::circular;
  ElementType type = ElementType::tet10;  ///< tet4 or tet10
  double length = 0.3;                    ///< along +x from the origin, m
  double diameter = 6e-3;                 ///< circular, m
  double width_y = 1e-3, width_z = 1e-3;  ///< rectangular, m
  int n_section = 2;  ///< circular: rings of triangles; rectangular: cells across each side, even
  int n_axial = 40;   ///< layers, even
};

/// Solid rod with the sets big_end_face (x = 0), small_end_face (x = length), rod (all). Nodes lie
/// exactly on the centreline at both ends and in the middle. The corner and mid-side nodes of a
/// circular skin lie on the circle. The section's mesh has sixfold (circular) or mirror symmetry
/// (rectangular).
///
/// Proved by Rod.VolumeConvergesAtOrderFour and RodGenerator.HasCentrelineNodes.
Mesh make_rod(const RodOptions& options);

/// The patch test of MacNeal and Harder (1985): the unit cube of seven distorted bricks around an
/// inner one, each a hexahedron or split into two wedges, six tetrahedra or six pyramids. Sets:
/// outer (the eight corners and, of quadratic elements, the mid-side nodes of the cube's surface),
/// body. One of the hexahedra is inverted at a corner, though not where it is integrated. Proved by
/// Generators.PatchTestCubeHasUnitVolume.
Mesh make_patch_test_cube(ElementType type);

/// The mesh of quadratic solids with the corners of a mesh of linear ones (of one type) and
/// mid-side nodes halfway. A mid-side node joins a
/// set when both its ends are in it (exact for plane and whole-body sets).
Mesh make_quadratic(const Mesh& linear);

}  // namespace solidyn::mesh
