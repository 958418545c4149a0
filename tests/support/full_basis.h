#pragma once
#include "solidyn/bodies/modal_body.h"
#include "solidyn/fem/elastic_body.h"

/// A small mesh as a modal body whose modes are all 3n unit displacements: what a full-mesh body
/// must agree with.
namespace solidyn::testing_support {

struct FullBasis {
  reduction::InertiaInvariants inertia;
  Eigen::MatrixXd M, K;  // [3n x 3n]

  /// @pre the mesh is whole on this rank
  FullBasis(const mesh::DistributedMesh& mesh, const fem::IsotropicElastic& material,
            fem::MassKind kind);
  std::unique_ptr<bodies::ModalBody> make_body(double rayleigh_alpha, double rayleigh_beta) const;
};

}  // namespace solidyn::testing_support
