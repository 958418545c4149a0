#pragma once
#include <array>
#include <vector>

#include "solidyn/contact/shape.h"

namespace solidyn::contact {

/// A convex body with flat faces, in a frame's axes, m; or one edge with two vertices, the axis of
/// a capsule, whose only face is that edge and back, without a plane.
struct Polytope {
  struct Face {
    std::vector<int> loop;  ///< vertices, counter-clockwise seen from outside
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< outwards, unit
    double offset = 0.0;                               ///< normal . x, m
    bool has_plane() const { return loop.size() > 2; }
  };
  struct Edge {
    std::array<int, 2> ends;
    std::array<int, 2> faces;  ///< the first has the ends in this order
  };
  std::vector<Eigen::Vector3d> vertices;
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<std::vector<int>> faces_of, edges_of;  ///< of each vertex

  double length(int edge) const {
    return (vertices[edges[edge].ends[1]] - vertices[edges[edge].ends[0]]).norm();
  }
  int longest_loop() const;
  double radius() const;           ///< of the ball about the frame's origin that holds it
  Eigen::Vector3d centre() const;  ///< mean of the vertices
};

/// Of vertices and the loops of its faces. @throws base::InputError where these do not close
Polytope make_polytope(std::vector<Eigen::Vector3d> vertices, std::vector<std::vector<int>> loops);

/// The hull of at least four points, by gift wrapping; points within 1e-9 of its size of a
/// plane lie in it. @throws base::InputError when they lie in a plane, or so close together that
/// they make no body
Polytope convex_hull(const std::vector<Eigen::Vector3d>& points);

/// The smaller body whose faces lie `depth` further inside. @pre depth < inner_radius()
Polytope shrunk(const Polytope& body, double depth);

/// Distance of the centre from the nearest face.
double inner_radius(const Polytope& body);

Polytope box_polytope(const Eigen::Vector3d& half);
/// From -half to half along z.
Polytope segment_polytope(double half);

}  // namespace solidyn::contact
