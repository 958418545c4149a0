#include "contact/polytope.h"

#include <algorithm>
#include <map>

#include "solidyn/base/error.h"

namespace solidyn::contact {
namespace {

using Eigen::Vector3d;
using Face = Polytope::Face;

// Newell's: twice the area of a loop, along its normal.
Vector3d area_of(const std::vector<Vector3d>& x, const std::vector<int>& loop) {
  Vector3d sum = Vector3d::Zero();
  for (std::size_t i = 0; i < loop.size(); ++i)
    sum += (x[loop[i]] - x[loop[0]]).cross(x[loop[(i + 1) % loop.size()]] - x[loop[0]]);
  return sum;
}

void set_plane(const std::vector<Vector3d>& x, Face& face) {
  face.normal = area_of(x, face.loop).normalized();
  face.offset = 0.0;
  for (const int v : face.loop) face.offset += face.normal.dot(x[v]) / face.loop.size();
}

// Edges, and what each vertex belongs to, from vertices and faces. False: not a closed surface.
bool connect(Polytope& body) {
  std::map<std::array<int, 2>, int> face_of;  // by directed edge
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    const std::vector<int>& loop = body.faces[f].loop;
    for (std::size_t i = 0; i < loop.size(); ++i)
      face_of[{loop[i], loop[(i + 1) % loop.size()]}] = static_cast<int>(f);
  }
  body.edges.clear();
  body.faces_of.assign(body.vertices.size(), {});
  body.edges_of.assign(body.vertices.size(), {});
  for (const auto& [ends, face] : face_of) {
    body.faces_of[ends[0]].push_back(face);
    const auto back = face_of.find({ends[1], ends[0]});
    if (back == face_of.end()) return false;
    if (ends[0] > ends[1]) continue;
    for (const int v : ends) body.edges_of[v].push_back(static_cast<int>(body.edges.size()));
    body.edges.push_back({ends, {face, back->second}});
  }
  return true;
}

}  // namespace

int Polytope::longest_loop() const {
  std::size_t longest = 0;
  for (const Face& face : faces) longest = std::max(longest, face.loop.size());
  return static_cast<int>(longest);
}

double Polytope::radius() const {
  double largest = 0.0;
  for (const Vector3d& v : vertices) largest = std::max(largest, v.norm());
  return largest;
}

Vector3d Polytope::centre() const {
  Vector3d sum = Vector3d::Zero();
  for (const Vector3d& v : vertices) sum += v;
  return sum / static_cast<double>(vertices.size());
}

double inner_radius(const Polytope& body) {
  const Vector3d c = body.centre();
  double smallest = body.faces.front().offset - body.faces.front().normal.dot(c);
  for (const Face& face : body.faces)
    smallest = std::min(smallest, face.offset - face.normal.dot(c));
  return smallest;
}

Polytope make_polytope(std::vector<Vector3d> vertices, std::vector<std::vector<int>> loops) {
  Polytope body;
  body.vertices = std::move(vertices);
  for (std::vector<int>& loop : loops) {
    body.faces.push_back({std::move(loop)});
    if (body.faces.back().has_plane()) set_plane(body.vertices, body.faces.back());
  }
  if (!connect(body))
    throw base::InputError("the points make no convex body: some of them are too close together",
                           "leave out points that differ by less than a millionth of its size");
  return body;
}

Polytope box_polytope(const Vector3d& half) {
  std::vector<Vector3d> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back(
        half.cwiseProduct(Vector3d(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0)));
  return make_polytope(
      std::move(corners),
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
}

Polytope segment_polytope(double half) {
  return make_polytope({Vector3d(0.0, 0.0, -half), Vector3d(0.0, 0.0, half)}, {{0, 1}});
}

// The dual of a dual: about a point inside, a plane n . x = c becomes the point n / c, and a face
// of the hull of these points a vertex.
Polytope shrunk(const Polytope& body, double depth) {
  const Vector3d inside = body.centre();
  std::vector<Vector3d> planes;
  for (const Face& face : body.faces)
    planes.push_back(face.normal / (face.offset - face.normal.dot(inside) - depth));
  const Polytope dual = convex_hull(planes);
  std::vector<Vector3d> vertices;
  for (const Face& face : dual.faces) vertices.push_back(inside + face.normal / face.offset);
  return convex_hull(vertices);
}

}  // namespace solidyn::contact
