#pragma once
#include "contact/polytope.h"
#include "contact/surface.h"

namespace solidyn::contact {

/// The distance of y, in the axes of a polytope, from one of its faces: from its plane above it
/// (and below, where it is negative), and from its edges and corners beside it.
Distance from_face(const Polytope& body, int face, const Eigen::Vector3d& y);

/// From a polytope; within it minus the distance to its surface.
class FromPolytope final : public Surface {
 public:
  explicit FromPolytope(Polytope body) : body_(std::move(body)) {}
  Distance at(const Eigen::Vector3d& y) const override;

 private:
  Polytope body_;
};

}  // namespace solidyn::contact
