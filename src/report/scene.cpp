#include "report/scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "report/drawn_body.h"
#include "report/moved_surface.h"
#include "report/picture_selection.h"

namespace solidyn::report {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using results::MotionBody;
using results::MotionFrame;
using results::MotionScene;

constexpr double kOfSize = 1.0 / 2000.0, kThinBeam = 1.0 / 150.0;
constexpr double kSingle = 6e-8;  // half the distance of numbers in single precision, relative

Json list(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
Json list(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

// [7 x T], each quaternion on the side of the one before.
MatrixXd on_one_side(MatrixXd poses) {
  for (Index t = 1; t < poses.cols(); ++t)
    if (poses.col(t).tail<4>().dot(poses.col(t - 1).tail<4>()) < 0.0)
      poses.col(t).tail<4>() *= -1.0;
  return poses;
}

MatrixXd poses(const MatrixXd& rows, int column) { return on_one_side(rows.middleRows(column, 7)); }

Quaterniond rotation_of(const MatrixXd& poses, Index t) {
  return Quaterniond(poses(3, t), poses(4, t), poses(5, t), poses(6, t)).normalized();
}

Vector3d extent_of(const results::MotionPrimitive& p) {
  if (p.shape == "box") return 0.5 * Vector3d(p.size[0], p.size[1], p.size[2]);
  if (p.shape == "sphere") return Vector3d::Constant(p.size[0]);
  const double ends = p.shape == "capsule" ? p.size[0] : 0.0;
  return {p.size[0], p.size[0], 0.5 * p.size[1] + ends};
}

AlignedBox3d box_around(const results::MotionPrimitive& p) {
  const Vector3d reach = p.rotation.toRotationMatrix().cwiseAbs() * extent_of(p);
  return {Vector3d(p.position - reach), Vector3d(p.position + reach)};
}

// Grows by what a box in a body's axes passes through.
void extend(AlignedBox3d& all, const AlignedBox3d& in_body, const MatrixXd& poses) {
  if (in_body.isEmpty()) return;
  for (Index t = 0; t < poses.cols(); ++t) {
    const Vector3d p = poses.col(t).head<3>();
    const Eigen::Matrix3d R = rotation_of(poses, t).toRotationMatrix();
    const Vector3d center = p + R * in_body.center();
    const Vector3d reach = R.cwiseAbs() * (0.5 * in_body.sizes());
    all.extend(Vector3d(center - reach));
    all.extend(Vector3d(center + reach));
  }
}

class SceneMaker {
 public:
  SceneMaker(const PictureFiles& files, const PictureSelection& selection, double tolerance,
             Blob& blob)
      : files_(files), selection_(selection), given_(selection.scene), blob_(blob) {
    measure();
    tolerance_ = tolerance > 0.0 ? tolerance : kOfSize * size_;
  }

  Scene make() {
    Scene scene;
    scene.n_pictures = static_cast<int>(selection_.times.size());
    const Vector3d& g = given_.gravity;
    scene.json = {{"size", size_},
                  {"centre", list(center_)},
                  {"up", list(g.norm() > 0.0 ? Vector3d(-g.normalized()) : Vector3d::UnitZ())},
                  {"times", blob_.add_floats(selection_.times)},
                  {"bodies", Json::array()},
                  {"joints", Json::array()},
                  {"symbols", Json::array()}};
    for (int i = 0; i < static_cast<int>(given_.bodies.size()); ++i)
      scene.json["bodies"].push_back(body(i, scene));
    for (const results::MotionJoint& joint : given_.joints)
      scene.json["joints"].push_back({{"name", joint.name},
                                      {"type", joint.type},
                                      {"frames", {frame(joint.frames[0]), frame(joint.frames[1])}},
                                      {"driven", joint.type.find("drive") != std::string::npos}});
    for (int i = 0; i < static_cast<int>(given_.symbols.size()); ++i)
      scene.json["symbols"].push_back(symbol(i));
    scene.bound = bound_ + 4.0 * kSingle * (size_ + center_.norm());
    return scene;
  }

 private:
  const MatrixXd& given_rows() const { return selection_.rows; }
  bool has_surface(int body) const { return files_.motion && files_.motion->has_surface(body); }
  // Null: not in fields.h5.
  const results::FieldsFile::Part* part_of(const MotionBody& body) const {
    return body.is_in_fields && !selection_.snapshots.empty() ? files_.fields->find(body.name)
                                                              : nullptr;
  }

  void measure() {
    AlignedBox3d all;
    for (int i = 0; i < static_cast<int>(given_.bodies.size()); ++i) {
      const MotionBody& body = given_.bodies[i];
      const MatrixXd moves = poses(given_rows(), given_.body_column(i));
      if (body.primitive) extend(all, box_around(*body.primitive), moves);
      if (has_surface(i)) {
        const Eigen::Matrix3Xd x = files_.motion->surface(i).positions.cast<double>();
        if (x.cols() > 0)
          extend(all, AlignedBox3d(x.rowwise().minCoeff(), x.rowwise().maxCoeff()), moves);
      }
      if (const results::FieldsFile::Part* part = part_of(body)) extend_by_part(all, *part);
      for (int k = 0; k < body.n_nodes; ++k) {
        const MatrixXd node = poses(given_rows(), node_column(i, k));
        for (Index t = 0; t < node.cols(); ++t) all.extend(Vector3d(node.col(t).head<3>()));
      }
    }
    for (std::size_t f = 0; f < given_.frames.size(); ++f)
      extend_by_frame(all, static_cast<int>(f));
    if (all.isEmpty()) all.extend(Vector3d::Zero());
    size_ = std::max(all.diagonal().norm(), 1e-6);
    center_ = all.center();
  }

  void extend_by_part(AlignedBox3d& all, const results::FieldsFile::Part& part) const {
    constexpr std::size_t kLooks = 20;
    const std::size_t stride = std::max<std::size_t>(1, selection_.snapshots.size() / kLooks);
    for (std::size_t k = 0; k < selection_.snapshots.size(); k += stride) {
      const Eigen::Matrix3Xd x = files_.fields->positions(part, selection_.snapshots[k]);
      if (x.cols() == 0) continue;
      all.extend(Vector3d(x.rowwise().minCoeff()));
      all.extend(Vector3d(x.rowwise().maxCoeff()));
    }
  }

  void extend_by_frame(AlignedBox3d& all, int f) const {
    const MotionFrame& frame = given_.frames[f];
    if (frame.body == MotionFrame::kGround) {
      all.extend(frame.position);
    } else {
      const MatrixXd moves =
          poses(given_rows(), frame.body == MotionFrame::kItself ? given_.frame_column(f)
                                                                 : given_.body_column(frame.body));
      extend(all,
             AlignedBox3d(frame.body == MotionFrame::kItself ? Vector3d::Zero().eval()
                                                             : frame.position),
             moves);
    }
  }

  int node_column(int body, int node) const {
    return given_.body_column(body) + 7 + given_.bodies[body].n_coordinates + 7 * node;
  }

  Json body(int i, Scene& scene) {
    const MotionBody& given = given_.bodies[i];
    const int column = given_.body_column(i);
    Json json = {{"name", given.name}, {"type", given.type}, {"mass", given.mass}};
    if (!given.colour.empty()) json["colour"] = given.colour;
    json["pose"] = blob_.add_floats(poses(given_rows(), column));
    json["meshes"] = Json::array();
    json["primitives"] = Json::array();
    if (given.primitive) json["primitives"].push_back(primitive(*given.primitive));
    if (has_surface(i)) {
      BodyMotion moves;
      moves.surface = files_.motion->surface(i);
      moves.coordinates = given_rows().middleRows(column + 7, given.n_coordinates);
      moves.shape = [this, i](int k) { return files_.motion->shape(i, k); };
      if (moves.surface.has_stress)
        moves.stress_shape = [this, i](int k) -> Eigen::MatrixXf {
          return files_.motion->stress_shape(i, k);
        };
      add_surface(moves, given.name, json, scene);
    }
    if (const results::FieldsFile::Part* part = part_of(given))
      add_moved(surface_from_fields(*files_.fields, *part, selection_.snapshots, 0.25 * tolerance_),
                given.name, json, scene);
    else if (given.is_in_fields)
      scene.notes.push_back(fmt::format(
          "{} is not drawn: it keeps all nodes of its mesh, whose pictures `fields_interval` asks for.",
          given.name));
    if (given.n_nodes > 0) add_beam(i, json, scene);
    if (Json lines = sticks(i); !lines.empty()) json["lines"] = std::move(lines);
    return json;
  }

  void add_moved(const MovedSurface& moved, const std::string& name, Json& json, Scene& scene) {
    json["pose"] = blob_.add_floats(on_one_side(moved.pose));
    add_surface(moved.motion, name, json, scene);
    bound_ = std::max(bound_, last_bound_ + moved.residual);
  }

  void add_beam(int i, Json& json, Scene& scene) {
    const MotionBody& beam = given_.bodies[i];
    std::vector<MatrixXd> nodes;
    nodes.reserve(beam.n_nodes);
    for (int k = 0; k < beam.n_nodes; ++k) nodes.push_back(poses(given_rows(), node_column(i, k)));
    const double radius = beam.radius > 0.0 ? beam.radius : kThinBeam * size_;
    add_moved(surface_of_beam(beam, nodes, radius, 0.25 * tolerance_), beam.name, json, scene);
  }

  void add_surface(const BodyMotion& moves, const std::string& name, Json& json, Scene& scene) {
    DrawnBody drawn = pack_body(moves, tolerance_, blob_);
    if (drawn.coordinates.rows() > 0) json["coordinates"] = blob_.add_floats(drawn.coordinates);
    json["meshes"].push_back(std::move(drawn.mesh));
    last_bound_ = drawn.bound;
    bound_ = std::max(bound_, drawn.bound);
    if (drawn.is_simplified)
      scene.notes.push_back(fmt::format(
          "The surface of {} is drawn with fewer triangles than the mesh has ({} million).", name,
          kMostTriangles / 1'000'000));
  }

  // From a rigid body's middle to the frames of its joints.
  Json sticks(int i) const {
    Json lines = Json::array();
    const MotionBody& body = given_.bodies[i];
    if (!body.primitive || has_surface(i)) return lines;
    const Vector3d& from = body.primitive->position;
    for (const MotionFrame& frame : given_.frames)
      if (frame.body == i && (frame.position - from).norm() > 1e-9 * size_)
        lines.push_back({from.x(), from.y(), from.z(), frame.position.x(), frame.position.y(),
                         frame.position.z()});
    return lines;
  }

  static Json primitive(const results::MotionPrimitive& p) {
    return {{"shape", p.shape},
            {"size", p.size},
            {"position", list(p.position)},
            {"quaternion", list(p.rotation)}};
  }

  Json frame(int f) {
    const MotionFrame& frame = given_.frames[f];
    if (frame.body == MotionFrame::kItself)
      return {{"body", -1},
              {"pose", blob_.add_floats(poses(given_rows(), given_.frame_column(f)))}};
    return {{"body", frame.body},
            {"position", list(frame.position)},
            {"quaternion", list(frame.rotation)}};
  }

  Eigen::Matrix3Xd origins(int f) const {
    const MotionFrame& frame = given_.frames[f];
    const auto n = static_cast<Index>(selection_.times.size());
    if (frame.body == MotionFrame::kGround) return frame.position.replicate(1, n);
    if (frame.body == MotionFrame::kItself)
      return given_rows().middleRows(given_.frame_column(f), 3);
    const MatrixXd carrier = poses(given_rows(), given_.body_column(frame.body));
    Eigen::Matrix3Xd origins(3, n);
    for (Index t = 0; t < n; ++t)
      origins.col(t) = carrier.col(t).head<3>() + rotation_of(carrier, t) * frame.position;
    return origins;
  }

  Json symbol(int i) {
    const results::MotionSymbol& symbol = given_.symbols[i];
    MatrixXd points(3 * static_cast<Index>(symbol.frames.size()),
                    static_cast<Index>(selection_.times.size()));
    for (std::size_t k = 0; k < symbol.frames.size(); ++k)
      points.middleRows(3 * static_cast<Index>(k), 3) = origins(symbol.frames[k]);
    Json json = {
        {"name", symbol.name}, {"kind", symbol.kind}, {"points", blob_.add_floats(points)}};
    if (symbol.has_vector) {
      json["vector"] =
          blob_.add_floats(MatrixXd(given_rows().middleRows(given_.vector_column(i), 3)));
      json["unit"] = "N";
    }
    return json;
  }

  const PictureFiles& files_;
  const PictureSelection& selection_;
  const MotionScene& given_;
  Blob& blob_;
  double size_ = 0.0, tolerance_ = 0.0, bound_ = 0.0, last_bound_ = 0.0;
  Vector3d center_ = Vector3d::Zero();
};

}  // namespace

Scene make_scene(const PictureFiles& files, double tolerance, Blob& blob) {
  const PictureSelection selection = select_pictures(files);
  if (selection.times.empty()) return {};
  return SceneMaker(files, selection, tolerance, blob).make();
}

}  // namespace solidyn::report
