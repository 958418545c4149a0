#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solidyn/base/petsc.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/fem/solid_options.h"
#include "solidyn/fem/stress_recovery.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// A = mass M + damping D(x) + stiffness K(x): K = df/dx of the elastic force, D = df_v/dv of the
/// viscous one. The derivative of the viscous force by x is left out, which keeps A symmetric.
struct TangentCoefficients {
  double mass = 0.0;
  double damping = 0.0;
  double stiffness = 1.0;
  MassKind mass_kind = MassKind::lumped;
};

/// Cauchy stress (xx, yy, zz, xy, yz, zx) in world axes, Pa, at this rank's quadrature points.
struct PointStress {
  Eigen::Matrix<double, 6, Eigen::Dynamic> sigma;  ///< [6 x n_points]
  Eigen::Matrix3Xd position;                       ///< [3 x n_points] current position, m
  std::vector<std::int64_t> element;               ///< [n_points] tag of the element
};

/// The worst element of a body: where the volume ratio is smallest.
struct SmallestVolumeRatio {
  double det_F = 0.0;
  elements::ElementType type = elements::ElementType::tet10;
  std::int64_t tag = 0;  ///< the element's number in the file
};

/// y = (damping D(x) + stiffness K(x)) v at one x, see SolidOperator::keep_tangent().
class TangentProduct {
 public:
  virtual ~TangentProduct() = default;
  /// Collective. @param v [3 x n_local]     @param[out] y [3 x n_owned]
  virtual void multiply(const Eigen::Ref<const Eigen::Matrix3Xd>& v,
                        Eigen::Ref<Eigen::Matrix3Xd> y) const = 0;
  virtual std::size_t bytes() const = 0;  ///< on this rank
};

/// Internal forces, tangents and stresses of one body on its nodes' current positions in inertial
/// axes. Elements of one type are worked on in SIMD batches, along a space-filling curve; positions
/// `x`, velocities `v` are [3 x n_local] with ghosts up to date (update_ghosts), in the mesh's
/// order of local nodes; results are [3 x n_owned]. An inverted element (det F <= 0 at a quadrature
/// point; corotational: of the mean deformation gradient) is a ComputationError on all ranks that
/// names its type, tag and det F. All calls are collective on the mesh's communicator; no call
/// allocates after the first of its kind. Proved by SolidKernel.*, and SolidOperatorOnRanks.*.
class SolidOperator {
 public:
  /// @param mesh, body  must outlive this object; body = assemble(mesh, material), of which pattern
  ///   and masses are read but not the stiffness, which may be released.
  /// Throws InputError (on all ranks) for a material out of range, or an element inverted in the
  /// reference configuration, or hex8 elements that the options cannot make.
  SolidOperator(const mesh::DistributedMesh& mesh, const ElasticBody& body,
                const SolidOptions& options);
  ~SolidOperator();
  SolidOperator(SolidOperator&&) noexcept;
  SolidOperator& operator=(SolidOperator&&) noexcept;

  /// Copies the owners' columns into the ghosts' columns. @param[in,out] x [3 x n_local]
  void update_ghosts(Eigen::Ref<Eigen::Matrix3Xd> x) const;

  /// Adds the ghosts' columns to the owners', where ghosts come back as zero.
  /// @param[in,out] f [3 x n_local]
  void add_ghosts_to_owners(Eigen::Ref<Eigen::Matrix3Xd> f) const;

  /// f = dE/dx, N: the left-hand side of the motion equation. @param[out] f [3 x n_owned]
  void compute_force(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                     Eigen::Ref<Eigen::Matrix3Xd> f) const;

  /// Elastic force plus the viscous one, D(x) v.
  void compute_force(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                     const Eigen::Ref<const Eigen::Matrix3Xd>& v,
                     Eigen::Ref<Eigen::Matrix3Xd> f) const;

  /// Elastic energy of the whole body, J; the same on all ranks.
  double compute_energy(const Eigen::Ref<const Eigen::Matrix3Xd>& x) const;

  /// A matrix with block size 3 and the body's pattern, zero: MATSBAIJ (upper triangle; Cholesky),
  /// MATBAIJ or MATAIJ (multigrid). Marked symmetric. On more than one rank, AIJ and BAIJ are
  /// written in place; of SBAIJ the blocks with other ranks' columns are inserted, since PETSc does
  /// not give access to them.
  base::Mat make_matrix(MatType type) const;

  /// Overwrites A, made by make_matrix(). Adds straight to the matrix' arrays at places found in
  /// the first call for its type; ghost rows are exchanged once.
  void assemble_tangent(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                        const TangentCoefficients& coefficients, Mat A) const;

  /// y = (damping D(x) + stiffness K(x)) v without a matrix; the mass is not included.
  /// @param v [3 x n_local]     @param[out] y [3 x n_owned]
  void apply_tangent(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                     const TangentCoefficients& coefficients,
                     const Eigen::Ref<const Eigen::Matrix3Xd>& v,
                     Eigen::Ref<Eigen::Matrix3Xd> y) const;

  /// The same for many v: what depends on x alone is computed once, where that makes products
  /// faster (corotational elements of isotropic materials: about a kilobyte for a tet10 in double
  /// precision, half of that in single). It must not outlive this object.
  std::unique_ptr<TangentProduct> keep_tangent(
      const Eigen::Ref<const Eigen::Matrix3Xd>& x, const TangentCoefficients& coefficients,
      ProductPrecision precision = ProductPrecision::double_) const;

  /// The 3 x 3 blocks on the diagonal of damping D(x) + stiffness K(x), without the mass.
  /// @param[out] blocks [9 x n_owned], by columns (they are symmetric)
  void compute_diagonal_blocks(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                               const TangentCoefficients& coefficients,
                               Eigen::Ref<Eigen::Matrix<double, 9, Eigen::Dynamic>> blocks) const;

  /// Local. Stress at every quadrature point of this rank's elements.
  PointStress compute_point_stress(const Eigen::Ref<const Eigen::Matrix3Xd>& x) const;

  /// Cauchy stress at the owned nodes: each element's fit to its quadrature points (see
  /// StressRecovery), averaged over the node's elements by reference volume. @param[out] sigma [6 x
  /// n_owned], Pa
  void compute_nodal_stress(const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                            Eigen::Ref<Eigen::Matrix<double, 6, Eigen::Dynamic>> sigma) const;

  /// The element of all ranks with the smallest det F; throws nothing, inverted or not.
  SmallestVolumeRatio find_smallest_volume_ratio(const Eigen::Ref<const Eigen::Matrix3Xd>& x) const;

  /// Bytes per element that this object keeps on this rank (connectivity, geometry, places in the
  /// matrix), and of the ghost exchange.
  double bytes_per_element() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace solidyn::fem
