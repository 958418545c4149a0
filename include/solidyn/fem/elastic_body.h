#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/base/petsc.h"
#include "solidyn/fem/attached_mass.h"
#include "solidyn/fem/mass_kind.h"
#include "solidyn/fem/sections.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// Mass, centre of mass and inertia about it, all in mesh axes.
struct MassProperties {
  double mass = 0.0;                                         ///< kg
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  ///< m
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();         ///< about the centre of mass, kg m^2
};

/// Stiffness and mass of a body on its own nodes, as sparse rows of node blocks; no PETSc object
/// yet, so that each user makes the matrix format of its solver without a conversion. Row i is
/// the mesh's owned node i.
struct ElasticBody {
  MPI_Comm comm = MPI_COMM_SELF;
  std::int64_t first_owned = 0;         ///< global index of row 0
  std::vector<std::int64_t> row_start;  ///< [n_owned + 1] into the arrays below
  std::vector<std::int64_t> columns;    ///< global node indices, ascending in each row
  std::vector<double> stiffness;        ///< 9 per entry: the 3 x 3 block by rows, N/m; or none
  std::vector<double> mass;             ///< 1 per entry: consistent m_ab, kg; M = m (x) I3
  Eigen::VectorXd lumped_mass;          ///< [n_owned] kg, HRZ (see solid_element.h)
  MassProperties properties;            ///< of the consistent mass: exact for the mesh's geometry

  std::int32_t n_owned() const { return static_cast<std::int32_t>(row_start.size()) - 1; }
};

/// Collective. Integrates all solid elements, exchanges the rows of ghost nodes once.
/// @param sections  a material, {material, how its hex8 are}, or one section per region
/// Throws InputError (on all ranks) for a material out of range, a region without a section, or an
/// inverted element, named by its tag, or a mass on a node that no element has.
/// Proved by ElasticBodyOf.*, SectionsOf.* and NodeMassOf.*.
ElasticBody assemble(const mesh::DistributedMesh& mesh, const Sections& sections,
                     const std::vector<NodeMass>& masses = {});

/// Collective. The same without the stiffness, which takes nine tenths of the memory. Inverted
/// elements pass: the SolidOperator of the mesh refuses them.
/// Proved by ElasticBodyOf.MassesAloneAreThoseBesideTheStiffness
ElasticBody assemble_masses(const mesh::DistributedMesh& mesh, const Sections& sections,
                            const std::vector<NodeMass>& masses = {});

/// Collective. K + shift M with block size 3; `type` is MATBAIJ, MATSBAIJ (upper triangle) or
/// MATAIJ. Marked symmetric; positive definite for shift > 0. Entry order is PETSc's, so the sum
/// costs nothing.
base::Mat make_stiffness(const ElasticBody& body, MatType type = MATBAIJ, double shift = 0.0,
                         MassKind kind = MassKind::consistent);

/// Collective. The scalar mass m (n x n, AIJ): diagonal when lumped. M x is m applied to three
/// columns.
base::Mat make_scalar_mass(const ElasticBody& body, MassKind kind);

/// Collective. M = m (x) I3 as an operator that stores only m (PETSc's MAIJ).
base::Mat make_mass_operator(const ElasticBody& body, MassKind kind);

/// Collective. M = m (x) I3 written out with block size 3, type MATBAIJ, MATSBAIJ or MATAIJ.
base::Mat make_mass(const ElasticBody& body, MassKind kind, MatType type = MATBAIJ);

/// Collective. The pattern of K with zeros, for others to fill; `stiffness` is not read.
base::Mat make_zero_matrix(const ElasticBody& body, MatType type);

}  // namespace solidyn::fem
