#pragma once
#include <array>
#include <memory>

#include "contact/polytope.h"

/// How far two convex bodies are apart, and in which direction.
namespace solidyn::contact {

/// A polytope with its vertices in other axes.
struct PlacedPolytope {
  const Polytope* body;
  std::vector<Eigen::Vector3d> x;        ///< vertices
  std::vector<Eigen::Vector3d> normals;  ///< of faces

  void move_to(const Eigen::Matrix3d& R, const Eigen::Vector3d& p);
  const Polytope::Face& face(int i) const { return body->faces[i]; }
  const Polytope::Edge& edge(int i) const { return body->edges[i]; }
  Eigen::Vector3d along(int edge) const {
    return x[body->edges[edge].ends[1]] - x[body->edges[edge].ends[0]];
  }
};

/// What of a body is nearest to another.
struct Feature {
  enum class Kind { vertex, edge, face } kind = Kind::vertex;
  int index = 0;
};

/// The unit direction from A to B along which the two are farthest apart, where they do not
/// overlap, or least deep in each other, where they do:  value = min n . b - max n . a,  at its
/// maximum.
struct Separation {
  Eigen::Vector3d normal = Eigen::Vector3d::UnitX();
  double value = 0.0;                    ///< m; negative: they overlap
  std::array<Feature, 2> features = {};  ///< of A and B, nearest to each other
};

/// The distance of two convex bodies by Bullet's GJK, whose tolerances are absolute: of bodies that
/// are scaled to a size of 1. It ends too early now and then (of 20,000 pairs of boxes in four), so
/// that what it finds is to be checked: `distance` is never too small.
class ConvexDistance {
 public:
  ConvexDistance(const Polytope& A, const Polytope& B);
  ~ConvexDistance();
  struct Apart {
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< from A to B, unit
    double distance = 0.0;                             ///< m; 0 where they overlap
  };
  /// Of B at R, p of A's axes. @param guess a direction to begin with, from A to B
  Apart find(const Eigen::Matrix3d& R, const Eigen::Vector3d& p,
             const Eigen::Vector3d& guess) const;

 private:
  struct Bullet;
  std::unique_ptr<Bullet> bullet_;
  double scale_;  ///< 1/m
};

/// min n . b - max n . a
double separation_along(const PlacedPolytope& A, const PlacedPolytope& B, const Eigen::Vector3d& n);

/// The separation near a direction that is nearly it: exact, by the features that it leads to.
Separation refined(const PlacedPolytope& A, const PlacedPolytope& B, const Eigen::Vector3d& near,
                   double size);

/// That of bodies that overlap: of all faces and pairs of edges the one of least depth. @pre at
/// least one of them has faces
Separation least_overlap(const PlacedPolytope& A, const PlacedPolytope& B, double size);

/// That of bodies that are apart, by all faces and all pairs of edges.
Separation separation_by_all(const PlacedPolytope& A, const PlacedPolytope& B);

/// The points of two edges that are nearest to each other, as parts of their lengths, and in which
/// direction; both of the ends count.
struct NearestOfEdges {
  double on_A = 0.0, on_B = 0.0;
  double distance = 0.0;
};
NearestOfEdges nearest(const Eigen::Vector3d& a, const Eigen::Vector3d& along_A,
                       const Eigen::Vector3d& b, const Eigen::Vector3d& along_B);

}  // namespace solidyn::contact
