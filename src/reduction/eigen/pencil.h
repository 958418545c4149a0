#pragma once
#include <vector>

#include "reduction/eigen/multivector.h"
#include "reduction/eigen/route.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/mesh/interface.h"
#include "solidyn/reduction/support.h"

namespace solidyn::reduction {

/// The pair (K, M) of a free body on its independent coordinates: all nodes, or, with rigid (RBE2)
/// regions and regions that supports hold, the nodes outside of them and per region two blocks of
/// three: translation and small rotation of its frame. Where a region takes one or two components
/// of a node, or has fewer than six motions, the blocks keep their size: what has no meaning in
/// them is a coordinate for itself, with a mass and a stiffness that put it above the mesh's
/// frequencies, and is zero in every field that the mesh knows.
struct Pencil {
  MPI_Comm comm = MPI_COMM_SELF;
  base::Mat K, M;  ///< block size 3; M without what frames carry
  /// K + shift M, positive definite, in the factorisation's favourite format; empty once multigrid
  /// has taken it
  base::Mat shifted;
  /// [rows x r] V of rigid masses that frames carry: the mass matrix is M + V V^T. Empty without
  /// them; dense rows never enter a sparse matrix.
  MultiVector frame_masses;
  double shift = 0.0;  ///< rad^2/s^2, > 0
  Route route = Route::direct;
  base::Mat expansion;  ///< T: u = T v; empty without rigid regions
  /// From the coordinates of the corners of the mesh's elements to all; empty where all nodes are
  /// corners, on the direct route and of imported matrices.
  base::Mat interpolation;
  std::vector<std::int32_t> corner_blocks;  ///< of the corners' coordinates: the same of all, local
  std::int64_t n_idle = 0;                  ///< coordinates without a meaning
  MultiVector rigid;                        ///< [rows x 6] the exact rigid motions, M-orthonormal
  MultiVector M_rigid;                      ///< M times these

  /// Collective. (M + V V^T) x, the whole mass matrix.
  MultiVector multiply_mass(const MultiVector& X) const;
  bool has_frame_masses() const { return frame_masses.cols() > 0; }

  /// Collective. u = T v on this rank's owned nodes, [3 n_owned x k].
  MultiVector expand(const MultiVector& v) const;
  /// Collective. T^T f: nodal forces to forces on the independent coordinates.
  MultiVector gather_forces(const MultiVector& f) const;
  /// Collective. Takes the rigid part out of v: (I - Phi Phi^T M) v, twice for rounding's sake.
  void remove_rigid_motion(MultiVector& v) const;
  /// Collective. Inertia loads balance f: (I - M Phi Phi^T) f.
  void balance(MultiVector& f) const;
};

/// Collective. Makes pencil.rigid M-orthonormal, and M_rigid. Symmetric: no direction is preferred,
/// so that the basis does not depend on ranks.
void orthonormalise_rigid(Pencil& pencil);

/// The shift of a pencil from an estimate of its lowest elastic eigenvalue, both rad^2/s^2;
/// -modes_shift overrides it. @throws InputError when it is not positive
double choose_shift(double lowest_eigenvalue);
bool is_shift_chosen();  ///< -modes_shift is not given

/// Collective. K + shift M anew, with another shift.
void change_shift(Pencil& pencil, double shift);

/// Collective. Throws InputError when two rigid regions share a node.
/// @param frame_masses  [3 n_owned x r] root of the masses that frames carry, on the owned nodes
/// @param supports  those that hold regions
Pencil make_pencil(const mesh::DistributedMesh& mesh, const fem::ElasticBody& body,
                   fem::MassKind kind, const std::vector<mesh::Interface>& interfaces, double shift,
                   Route route = Route::direct, const MultiVector& frame_masses = {},
                   const std::vector<HeldNodes>& supports = {});

}  // namespace solidyn::reduction
