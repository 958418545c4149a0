#pragma once
#include <mpi.h>

#include "mechanisms.h"
#include "solidyn/bodies/solid_body.h"

/// A soft bar on absolute coordinates, hung up at one end by a spherical joint on a virtual body.
namespace solidyn::testing_support {

struct SolidBarOptions {
  fem::SolidFormulation formulation = fem::SolidFormulation::corotational;
  fem::MassKind mass = fem::MassKind::lumped;
  mesh::Attachment attach = mesh::Attachment::rbe3;
  double rayleigh_alpha = 0.0;
  double rayleigh_beta = 0.0;  ///< stiffness-proportional viscosity, s
  bool is_hung = true;         ///< else it flies
  system::InitialMotion motion;
};

struct SolidBar {
  std::unique_ptr<system::System> system;
  const bodies::SolidBody* body = nullptr;
  bodies::BodyIndex virtual_body;  ///< that of the end x_min; kGround without
  bodies::BodyIndex end;           ///< that of the end x_max (rbe3)
};

mesh::Mesh make_bar_mesh();  ///< 0.3 x 0.05 x 0.04 m of irregular tet10, along x
std::unique_ptr<bodies::SolidBody> make_solid_bar_body(MPI_Comm comm,
                                                       const SolidBarOptions& options);
SolidBar make_solid_bar(MPI_Comm comm, const SolidBarOptions& options);

}  // namespace solidyn::testing_support
