#pragma once
#include "contact/separation.h"

namespace solidyn::contact {

/// Where the two faces of bodies that are nearest to each other lie over each other: corners of the
/// polygon that they have in common, seen along the direction in which the bodies are apart. Each
/// is a corner of one of the faces over the other, or where an edge of the one crosses one of the
/// other.
struct ManifoldPoint {
  enum class Kind { corner_of_A, corner_of_B, crossing } kind = Kind::crossing;
  int on_A = 0;  ///< vertex; of a crossing the edge, of a corner of B the face, of the body
  int on_B = 0;
  /// Its number, the same as long as the faces are: that of the edge of the polygon that begins
  /// here, edges of A's face before those of B's. Below n_slots.
  int slot = 0;
};

struct Manifold {
  int face_A = 0, face_B = 0;
  /// In the order of the polygon, counter-clockwise about the separation's normal; at least one.
  std::vector<ManifoldPoint> points;
  /// Of each slot the place among `points` where its edge has vanished, if it has: there it would
  /// begin again. Of slots that the faces do not have none.
  std::vector<int> nearest;
};

/// @param size of the bodies
Manifold make_manifold(const PlacedPolytope& A, const PlacedPolytope& B,
                       const Separation& separation, double size);

/// How many slots the manifolds of two bodies need.
int n_slots(const Polytope& A, const Polytope& B);

}  // namespace solidyn::contact
