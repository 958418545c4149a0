#include "report/scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "report/moved_surface.h"
#include "report/notes_of_bodies.h"
#include "report/picture_selection.h"
#include "report/poses.h"
#include "report/scene_extent.h"

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using results::MotionBody;
using results::MotionFrame;
using results::MotionScene;

constexpr double kOfSize = 1.0 / 2000.0, kThinBeam = 1.0 / 150.0;
// Mechanisms this many sizes away from the world's origin are drawn from an origin of their own.
constexpr double kFarAway = 100.0;
constexpr double kOfVectors = 1.0 / 2000.0;  // of the largest of a symbol
constexpr double kSteadyTurn = 0.5 * M_PI;   // between two pictures, beyond which one sees it wrong
// Of the size: what bodies may be off between two pictures before one is told.
constexpr double kSeenBeside = 1.0 / 500.0;

class SceneMaker {
 public:
  SceneMaker(const PictureFiles& files, const PictureSelection& selection, double tolerance,
             Blob& blob)
      : files_(files), selection_(selection), given_(selection.scene), blob_(blob) {
    const Eigen::AlignedBox3d all = extent_of_scene(files, selection);
    size_ = std::max(all.diagonal().norm(), 1e-6);
    center_ = all.center();
    if (center_.norm() > kFarAway * size_) origin_ = center_;
    tolerance_ = tolerance > 0.0 ? tolerance : kOfSize * size_;
  }

  Scene make() {
    scene_.n_pictures = static_cast<int>(selection_.times.size());
    scene_.notes = selection_.notes;
    const Vector3d& g = given_.gravity;
    scene_.json = {{"size", size_},
                   {"centre", list(Vector3d(center_ - origin_))},
                   {"up", list(g.norm() > 0.0 ? Vector3d(-g.normalized()) : Vector3d::UnitZ())},
                   {"times", blob_.add_times(selection_.times)},
                   {"bodies", Json::array()},
                   {"joints", Json::array()},
                   {"symbols", Json::array()}};
    if (!origin_.isZero(0.0)) scene_.json["origin"] = list(origin_);
    for (int i = 0; i < static_cast<int>(given_.bodies.size()); ++i)
      scene_.json["bodies"].push_back(body(i));
    for (const results::MotionJoint& joint : given_.joints)
      scene_.json["joints"].push_back({{"name", joint.name},
                                       {"type", joint.type},
                                       {"leaves", joint.leaves},
                                       {"frames", {frame(joint.frames[0]), frame(joint.frames[1])}},
                                       {"driven", joint.type.find("drive") != std::string::npos}});
    for (int i = 0; i < static_cast<int>(given_.symbols.size()); ++i) add_symbol(i);
    for (std::string& sentence : notes_.sentences()) scene_.notes.push_back(std::move(sentence));
    if (has_velocities_) scene_.json["velocity_tolerance"] = velocity_bound_;
    if (!has_velocities_ && given_.independent == "time" && scene_.n_pictures > 1)
      scene_.notes.emplace_back(
          "The run recorded no velocities: those shown are differences between pictures, wrong where bodies turn far in between.");
    scene_.bound = bound_ + 4.0 * kSingle * (size_ + (center_ - origin_).norm());
    return std::move(scene_);
  }

 private:
  const MatrixXd& rows() const { return selection_.rows; }
  bool has_surface(int body) const { return files_.motion && files_.motion->has_surface(body); }
  MatrixXd poses(int column) const { return on_one_side(rows().middleRows(column, 7)); }
  int node_column(int body, int node) const {
    return given_.body_column(body) + 7 + given_.bodies[body].n_coordinates + 7 * node;
  }

  int add_poses(MatrixXd poses) {
    poses.topRows(3).colwise() -= origin_;
    return blob_.add_floats(poses);
  }

  Json body(int i) {
    const MotionBody& given = given_.bodies[i];
    Json json = {{"name", given.name}, {"type", given.type}, {"mass", given.mass}};
    if (!given.colour.empty()) json["colour"] = given.colour;
    json["pose"] = nullptr;
    json["meshes"] = Json::array();
    json["primitives"] = Json::array();
    if (given.primitive) json["primitives"].push_back(primitive(*given.primitive));
    MovedSurface moved;
    moved.pose = poses(given_.body_column(i));
    const results::FieldsFile::Part* part = selection_.part_of(files_, given);
    if (part)
      moved = as_shapes(full_mesh(i, *part), 0.25 * tolerance_);
    else if (given.n_nodes > 0)
      moved = as_shapes(beam(i), 0.25 * tolerance_);
    else
      moved.motion = reduced(i);
    json["pose"] = add_poses(moved.pose);
    if (part || given.n_nodes > 0 || has_surface(i))
      add_drawn(pack_body(moved.motion, tolerance_, blob_), given.name, json);
    else if (given_.has_velocities && !given.is_in_fields)
      add_drawn(pack_velocities(moved.motion.v, moved.motion.w, reach(given), blob_), given.name,
                json);
    if (given.is_in_fields && !part && !selection_.snapshots.empty())
      notes_.not_in_fields.push_back(given.name);
    else if (given.is_in_fields && !part && !files_.fields)
      notes_.without_pictures.push_back(given.name);
    note_ways(given.name, moved.motion.v, moved.motion.w);
    if (Json lines = sticks(i); !lines.empty()) json["lines"] = std::move(lines);
    return json;
  }

  MovingNodes full_mesh(int i, const results::FieldsFile::Part& part) {
    const MotionBody* body = files_.motion ? &given_.bodies[i] : nullptr;
    MovingNodes nodes = nodes_of_part(*files_.fields, part, selection_.snapshots, body,
                                      poses(given_.body_column(i)));
    if (!knows_rest(part, body)) notes_.from_first_picture.push_back(part.name);
    if (nodes.axes.size() > 0 && given_.has_velocities) {
      nodes.v = rows().middleRows(given_.rate_column(i), 3);
      nodes.w = rows().middleRows(given_.rate_column(i) + 3, 3);
    }
    if (!given_.has_velocities && files_.motion) nodes.velocities = nullptr;
    return nodes;
  }

  MovingNodes beam(int i) const {
    const MotionBody& beam = given_.bodies[i];
    std::vector<MatrixXd> places, twists;
    for (int k = 0; k < beam.n_nodes; ++k) {
      places.push_back(poses(node_column(i, k)));
      if (given_.has_velocities)
        twists.emplace_back(
            rows().middleRows(given_.rate_column(i) + 6 + beam.n_coordinates + 6 * k, 6));
    }
    return nodes_of_beam(beam, places, twists, beam.radius > 0.0 ? beam.radius : kThinBeam * size_);
  }

  // A body of few coordinates, or none.
  BodyMotion reduced(int i) const {
    const MotionBody& given = given_.bodies[i];
    BodyMotion moves;
    moves.coordinates = rows().middleRows(given_.body_column(i) + 7, given.n_coordinates);
    if (given_.has_velocities) {
      const int first = given_.rate_column(i);
      moves.v = rows().middleRows(first, 3);
      moves.w = rows().middleRows(first + 3, 3);
      moves.rates = rows().middleRows(first + 6, given.n_coordinates);
    }
    if (!has_surface(i)) return moves;
    moves.surface = files_.motion->surface(i);
    moves.displacement.n = given.n_coordinates;
    moves.displacement.shape = [this, i](int k) { return files_.motion->shape(i, k); };
    if (moves.surface.has_stress) {
      moves.stress.n = given.n_coordinates;
      moves.stress.shape = [this, i](int k) -> Eigen::MatrixXf {
        return files_.motion->stress_shape(i, k);
      };
    }
    return moves;
  }

  void add_drawn(DrawnBody drawn, const std::string& name, Json& json) {
    if (drawn.coordinates.rows() > 0) json["coordinates"] = blob_.add_floats(drawn.coordinates);
    if (!drawn.mesh.is_null()) json["meshes"].push_back(std::move(drawn.mesh));
    if (!drawn.velocity.is_null()) {
      json.update(drawn.velocity);
      has_velocities_ = true;
      velocity_bound_ = std::max(velocity_bound_, drawn.velocity_bound);
    }
    bound_ = std::max(bound_, drawn.bound);
    if (drawn.is_simplified) notes_.simplified.push_back(name);
  }

  static double reach(const MotionBody& body) {
    if (!body.primitive) return 0.0;
    const Eigen::AlignedBox3d box = box_around(*body.primitive);
    return box.center().norm() + 0.5 * box.diagonal().norm();
  }

  // What turns far between two pictures seems to turn more slowly, or backwards. In between, places
  // are taken along straight lines: half way they are off by the change of velocity times an eighth
  // of the time.
  void note_ways(const std::string& name, const Matrix3Xd& v, const Matrix3Xd& w) {
    double turn = 0.0, error = 0.0;
    for (Index t = 0; t + 1 < w.cols(); ++t) {
      const double between = selection_.times[t + 1] - selection_.times[t];
      turn = std::max(turn, w.col(t).norm() * between);
      error = std::max(error, (v.col(t + 1) - v.col(t)).norm() * between / 8.0);
    }
    if (turn > kSteadyTurn) {
      notes_.fast.push_back(name);
      notes_.largest_turn = std::max(notes_.largest_turn, turn);
    } else if (error > kSeenBeside * size_) {
      notes_.beside.push_back(name);
      notes_.largest_error = std::max(notes_.largest_error, error);
    }
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
      return {{"body", -1}, {"pose", add_poses(poses(given_.frame_column(f)))}};
    const bool is_ground = frame.body == MotionFrame::kGround;
    return {{"body", frame.body},
            {"position", list(is_ground ? Vector3d(frame.position - origin_) : frame.position)},
            {"quaternion", list(frame.rotation)}};
  }

  Matrix3Xd origins(int f) const {
    const MotionFrame& frame = given_.frames[f];
    const auto n = static_cast<Index>(selection_.times.size());
    if (frame.body == MotionFrame::kGround) return frame.position.replicate(1, n);
    if (frame.body == MotionFrame::kItself) return rows().middleRows(given_.frame_column(f), 3);
    const MatrixXd carrier = poses(given_.body_column(frame.body));
    Matrix3Xd origins(3, n);
    for (Index t = 0; t < n; ++t)
      origins.col(t) = origin_of(carrier, t) + rotation_of(carrier, t) * frame.position;
    return origins;
  }

  // One whose vector is never other than zero says nothing, unless it is between two places.
  void add_symbol(int i) {
    const results::MotionSymbol& symbol = given_.symbols[i];
    int column = given_.symbol_column(i);
    std::vector<Matrix3Xd> points;
    for (const int f : symbol.frames) points.push_back(origins(f));
    if (symbol.has_point) points.emplace_back(rows().middleRows(column, 3));
    if (symbol.has_point) column += 3;
    Json json = {{"name", symbol.name}, {"kind", symbol.kind}};
    if (symbol.has_vector) {
      const Matrix3Xd vectors = rows().middleRows(column, 3);
      const double largest = vectors.size() > 0 ? vectors.cwiseAbs().maxCoeff() : 0.0;
      if (largest == 0.0 && points.size() < 2) return;
      if (largest > 0.0) {
        json["vector"] = blob_.add_steps(vectors.cast<float>(), kOfVectors * largest);
        json["unit"] = symbol.unit;
      }
    }
    MatrixXd all(3 * static_cast<Index>(points.size()),
                 static_cast<Index>(selection_.times.size()));
    for (std::size_t k = 0; k < points.size(); ++k)
      all.middleRows(3 * static_cast<Index>(k), 3) = points[k].colwise() - origin_;
    json["points"] = blob_.add_floats(all);
    scene_.json["symbols"].push_back(std::move(json));
  }

  const PictureFiles& files_;
  const PictureSelection& selection_;
  const MotionScene& given_;
  Blob& blob_;
  Scene scene_;
  NotesOfBodies notes_;
  double size_ = 0.0, tolerance_ = 0.0, bound_ = 0.0, velocity_bound_ = 0.0;
  bool has_velocities_ = false;
  Vector3d center_ = Vector3d::Zero(), origin_ = Vector3d::Zero();
};

}  // namespace

Scene make_scene(const PictureFiles& files, double tolerance, Blob& blob) {
  const PictureSelection selection = select_pictures(files);
  if (selection.times.empty()) return {};
  return SceneMaker(files, selection, tolerance, blob).make();
}

}  // namespace solidyn::report
