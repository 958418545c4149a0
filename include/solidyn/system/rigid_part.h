#pragma once
#include "solidyn/system/system.h"

/// The motion of bodies in absolute coordinates as that of rigid ones.
namespace solidyn::system {

/// Collective. [v; w] in W of full-mesh body k, about the world's origin: of the rigid motion whose
/// port velocities are nearest to the body's; zero where supports hold it, or without ports.
/// @param k an index into System::nodal_bodies(), of a body without a frame
Eigen::Matrix<double, 6, 1> twist_of(const System& system, const State& state, std::size_t k);

/// Collective. Nodal accelerations, and those of ports, of the bodies without a frame become w x v:
/// what a rigid rotation has, held together by as much stress as it takes. Others are left as they
/// are.
/// @param state writes a and nodal[k].ddu
void set_centripetal_of_meshes(const System& system, State& state);

/// Collective. The largest part of nodal velocities, of a body without a frame, that is not of a
/// rigid motion: |v - v_rigid|/|v|, largest components; 0 at rest.
double deforming_part(const System& system, const State& state);

}  // namespace solidyn::system
