// Bullet's GJK (libBulletCollision-float64), which no other file sees.
#define BT_USE_DOUBLE_PRECISION
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include "contact/separation.h"

namespace solidyn::contact {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

btVector3 to_bullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

void fill(btConvexHullShape& hull, const Polytope& body, double scale) {
  for (const Vector3d& v : body.vertices) hull.addPoint(to_bullet(scale * v), false);
  hull.setMargin(0.0);
  hull.recalcLocalAabb();
}

}  // namespace

struct ConvexDistance::Bullet {
  btConvexHullShape A, B;
};

ConvexDistance::ConvexDistance(const Polytope& A, const Polytope& B)
    : bullet_(std::make_unique<Bullet>()), scale_(1.0 / std::max(A.radius(), B.radius())) {
  fill(bullet_->A, A, scale_);
  fill(bullet_->B, B, scale_);
}

ConvexDistance::~ConvexDistance() = default;

ConvexDistance::Apart ConvexDistance::find(const Matrix3d& R, const Vector3d& p,
                                           const Vector3d& guess) const {
  constexpr double kNear = 1e-7;  // of the size: what is nearer has no direction
  const btTransform at_A(btMatrix3x3::getIdentity());
  const btTransform at_B(
      btMatrix3x3(R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)),
      to_bullet(scale_ * p));
  btGjkEpaSolver2::sResults found;
  const bool is_apart = btGjkEpaSolver2::Distance(&bullet_->A, at_A, &bullet_->B, at_B,
                                                  to_bullet(scale_ * guess), found);
  if (!is_apart) return {};
  const btVector3 d = found.witnesses[1] - found.witnesses[0];
  const Vector3d apart(d.x(), d.y(), d.z());
  const double distance = apart.norm();
  if (!(distance > kNear)) return {};
  return {apart / distance, distance / scale_};
}

}  // namespace solidyn::contact
