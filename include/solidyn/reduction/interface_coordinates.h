#pragma once
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// A reduced body in the coordinates of its interfaces: coordinates 6 k ... 6 k + 5 are the
/// displacement and small rotation of interface k in mesh axes (Psi is the identity there, zero
/// elsewhere), the last n_internal ones eigenmodes with all interfaces held. Rigid motions are
/// among the former: K has six of them.
struct InterfaceBody {
  ReducedBody body;
  int n_interfaces = 0, n_internal = 0;
  /// [6 x 6 N] The floating frame moves with the body such that frame_rows * [q_1; ...; q_N] = 0
  /// for displacements seen from it. A rigid motion r = [translation; rotation], of the mesh origin
  /// and in mesh axes, gives frame_rows * q = r.
  Matrix6X frame_rows;
};

/// Those of the same shapes in coordinates z, q = T z. @pre no terms of second order
InertiaInvariants transform_invariants(const InertiaInvariants& in, const Eigen::MatrixXd& T);

/// Another basis of the space that the body's elastic modes and its rigid motions span; the inertia
/// invariants of rigid motions follow from mass, first and second moments in closed form. Static
/// shapes have the least elastic energy for given motions of the interfaces: they are constraint
/// modes, and interface stiffness is exact, where the modes hold the static correction of every
/// interface. A second order of the modes (geometric stiffening) is left out. The frame is the mean
/// axis, M-orthogonal to rigid motions of the undeformed body.
/// Collective (largest displacements). doc/theory/superelements.md.
/// @param n_internal fixed-interface modes to keep, lowest first
/// @throws base::InputError when there are fewer than two interfaces, one that cannot move by
///   itself (its static correction is missing), or fewer than n_internal modes to choose from
/// Proved by InterfaceCoordinates.*.
InterfaceBody to_interface_coordinates(const ReducedBody& body, int n_internal);

}  // namespace solidyn::reduction
