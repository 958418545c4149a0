#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/railway/elliptic_contact.h"
#include "solidyn/railway/rail_head.h"
#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::railway {

/// The axle over a rail, in the axes of that side: x forward, y outwards, z up.
struct AxlePosition {
  double y = 0.0, z = 0.0;  ///< of the wheelset's middle from the track's, less the rail's, m
  Eigen::Vector3d axle = Eigen::Vector3d::UnitY();  ///< unit, from the middle outwards
};

/// Sums over samples of the wheel that overlap the rail. Those of two neighbouring parts add up.
struct OverlapSums {
  double pressure = 0.0;                              ///< w = undamped normal force, N
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();   ///< sum of w P, P from the axle's middle, N m
  Eigen::Vector3d second = Eigen::Vector3d::Zero();   ///< sum of w times P_y^2, P_y P_z, P_z^2
  double depth = 0.0;                                 ///< sum of w times the normal overlap, N m
  double force_y = 0.0, force_z = 0.0;                ///< on the wheel, with damping, N
  Eigen::Vector3d on_axle = Eigen::Vector3d::Zero();  ///< generalised force on the axle's direction
  double energy = 0.0;                                ///< J
  double damping_power = 0.0;                         ///< W, not positive
  /// Derivative of force_y, force_z and on_axle by the rates of y, z and the axle.
  Eigen::Matrix<double, 5, 5> by_rate = Eigen::Matrix<double, 5, 5>::Zero();
  OverlapSums& operator+=(const OverlapSums& other);
};

/// A part of the overlap that is one contact patch. Where the overlap has several summits with a
/// shallow valley in between, it is taken as one patch and as several, with shares between 0 and 1
/// that go over into each other: a valley that appears or fills changes no force by a jump.
struct OverlapPatch {
  double share = 1.0;  ///< of the patch's tangential force that counts
  OverlapSums sums;
  std::size_t first = 0, last = 0;  ///< samples of the wheel that press
};

/// The ellipse that a patch amounts to.
struct EquivalentPatch {
  Eigen::Vector3d c;          ///< its centre, from the axle's middle, m
  Eigen::Vector2d normal;     ///< from the rail into the wheel, y and z
  double normal_force = 0.0;  ///< N
  double radius = 0.0;        ///< of the wheel there, m
  ContactGeometry geometry;   ///< curvature across from the width of the overlap
};

/// What the stiffness of the overlap and the ellipses of patches follow from.
enum class PatchModel {
  hertz,          ///< Hertz' theory with the curvature of EquivalentPatch
  piotrowski_kik  ///< the zone of interpenetration, whose shape may be any
};

struct OverlapDamping {
  double ratio = 0.0;  ///< e, 0 to < 1: loading takes 1 + e of the elastic force, unloading 1 - e
  double speed = 0.1;  ///< v_0 over which one goes over into the other, m/s
};

/// Normal contact of a wheel of revolution and a rail by the potential
///   U = integral over the meridian of k/2 d^2 ds,
/// d = overlap along the normal where positive, so that forces are U's derivatives: they have no
/// jumps where patches appear, merge or wander over joints of arcs, and make no energy. k varies
/// along the wheel so that a parabolic gap gets Hertz' force N = K d^1.5: k = 3/4 K sqrt(B), or any
/// gap the force of its zone of interpenetration at a usual depth (PatchModel).
/// Yaw: samples are on the line where the wheel's normal has no part along the rail, which for a
/// wheel of revolution is a closed form. doc/theory/wheel_rail.md. Proved by RailOverlap.*
class RailOverlap {
 public:
  /// @throws base::InputError where wheel and rail do not meet at any lateral position
  RailOverlap(const Profile& wheel, const WheelsetDimensions& dimensions, const RailHead& rail,
              const ElasticMaterial& material, PatchModel model = PatchModel::hertz);

  /// @param rates  of y, z and the axle's direction  @param[out] patches  of the last call's size
  /// @param by_rates  whether to compute OverlapSums::by_rate
  void compute(const AxlePosition& position, const AxlePosition& rates,
               const OverlapDamping& damping, std::vector<OverlapPatch>& patches,
               bool by_rates = true) const;
  /// The largest overlap, vertical, m; negative: the gap. Far below where they do not meet.
  double largest_overlap(const AxlePosition& position) const;
  EquivalentPatch equivalent(const OverlapSums& sums, const AxlePosition& position) const;
  /// The half axes for creep, by the force, of a patch that compute() found at this position.
  /// @param shape  its equivalent()
  EllipticContact ellipse(const OverlapPatch& patch, const EquivalentPatch& shape,
                          const AxlePosition& position) const;
  /// k of the wheel u metres outwards of the tape circle, Pa.
  double stiffness(double u) const;
  const ElasticMaterial& material() const { return material_; }

 private:
  /// Of so many neighbouring samples of the wheel, which are computed together.
  static constexpr int kBlock = 8;
  using Lanes = Eigen::Array<double, kBlock, 1>;
  struct Samples {
    Lanes u, L, r, slope;  ///< from the tape circle and the axle's middle, radius, dr/du, m
    Lanes cosine, length;  ///< of the meridian's angle; ds, m
    Lanes k;               ///< Pa
  };
  struct Trace {
    Lanes Y, Z, overlap, rail_slope;  ///< overlap: -1 beside the rail
  };
  struct Axle;     // of a position
  struct Elastic;  // forces of samples
  struct Terms;    // of sums
  /// @return the largest overlap
  double trace(const Samples& samples, const Axle& axle, Trace& t) const;
  /// @param before, after  overlaps of the samples next to the block
  Elastic elastic_of(std::size_t block, const Lanes& overlap, double before, double after) const;
  Terms terms_of(const Samples& samples, const Axle& axle, const Trace& t, const Lanes& elastic,
                 const AxlePosition& rates, const OverlapDamping& damping) const;
  void sample_wheel(const Profile& wheel, const WheelsetDimensions& dimensions);
  void sample_rail(const RailHead& rail);
  void match_stiffness();
  /// k with which a patch that was computed with k = 1 has the force of the model.
  double stiffness_of(const OverlapPatch& patch, const EquivalentPatch& shape,
                      const AxlePosition& position) const;
  /// Place along the common tangent and overlap along the normal of a patch's samples, with those
  /// beside it.
  std::vector<Eigen::Vector2d> section(const OverlapPatch& patch, const Eigen::Vector2d& normal,
                                       const AxlePosition& position) const;

  ElasticMaterial material_;
  PatchModel model_;
  std::vector<Samples> samples_;
  std::vector<Samples> ends_;               ///< first sample of each block, and the last one
  double first_ = 0.0, step_ = 0.0;         ///< of the rail's heights, m
  std::vector<Eigen::Vector2d> heights_;    ///< height and slope
  std::vector<Eigen::Vector2d> stiffness_;  ///< u, k
};

}  // namespace solidyn::railway
