#include "simulation/motion_pictures.h"

#include <algorithm>
#include <filesystem>

#include "simulation/body_shapes.h"
#include "simulation/pictures.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/scales.h"

namespace solidyn::simulation {
namespace {

using bodies::BodyIndex;
using bodies::BodyState;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using results::MotionBody;
using results::MotionFrame;

constexpr int kPicturesByDefault = 500;
// Of a body without extent relative to the mechanism: a smaller one would not be seen.
constexpr double kSmallest = 0.02;
// Nodes that lie this much beside a line, relative to how far they lie along it, are on it.
constexpr double kInALine = 1e-5;

void append_pose(const Vector3d& p, const Matrix3d& R, std::vector<double>& row) {
  Eigen::Quaterniond q(R);
  if (q.w() < 0.0) q.coeffs() *= -1.0;
  row.insert(row.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
}

Eigen::MatrixXd owned_shape(const reduction::ReducedBody& body, int k) {
  const Eigen::VectorXd column = body.X.col(k).head(Eigen::Index{3} * body.mesh.n_owned);
  return Eigen::Map<const Eigen::MatrixXd>(column.data(), 3, body.mesh.n_owned);
}

// Of stress that is linear in the coordinates, on all owned nodes; zero inside the body.
Eigen::MatrixXd owned_stress_shape(const model::BuiltBody& body, int k) {
  const Eigen::VectorXd unit = Eigen::VectorXd::Unit(body.reduced->n_modes(), k);
  BodyState state;
  new (&state.q_e) Eigen::Map<const Eigen::VectorXd>(unit.data(), unit.size());
  const auto sigma = body.stress.in_pictures(state);
  constexpr int kOrder[] = {0, 1, 2, 5, 4, 3};  // xx, yy, zz, yz, zx, xy
  Eigen::MatrixXd shape = Eigen::MatrixXd::Zero(6, body.reduced->mesh.n_owned);
  for (std::size_t i = 0; i < body.stress.nodes.size(); ++i)
    for (int c = 0; c < 6; ++c)
      shape(c, body.stress.nodes[i]) = sigma(kOrder[c], static_cast<Eigen::Index>(i));
  return shape;
}

// Velocity of the origin and angular velocity, both in W. A point in absolute coordinates has none
// that it turns with, and a body of them none at all.
void append_twist(const BodyState& s, std::vector<double>& row) {
  const bool is_carried = s.n_rigid() > 0;
  const Vector3d v = is_carried ? Vector3d(s.v_WB()) : Vector3d::Zero(),
                 w = is_carried ? Vector3d(s.R_WB * s.w_WB_B()) : Vector3d::Zero();
  row.insert(row.end(), {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()});
}

// Whether supports hold a body where it is placed: nodes at rest, which do not lie in a line.
bool is_held_by_nodes(const model::ModelDescription& description, const std::string& body,
                      const mesh::DistributedMesh& mesh) {
  std::vector<Vector3d> nodes;
  for (const model::SupportDescription& support : description.supports) {
    if (support.body != body || support.moves) continue;
    if (!support.fixes[0] || !support.fixes[1] || !support.fixes[2]) continue;
    const std::string owner = "support `" + support.name + "`";
    for (const std::int32_t node : mesh::select_nodes(mesh, owner, support.nodes))
      nodes.emplace_back(mesh.x.col(node));
  }
  Eigen::Vector4d sums = Eigen::Vector4d::Zero();
  for (const Vector3d& x : nodes) sums += x.homogeneous();
  base::sum_in_place(mesh.comm, sums.data(), 4);
  if (sums.w() == 0.0) return false;
  const Vector3d middle = sums.hnormalized();
  Matrix3d spread = Matrix3d::Zero();
  for (const Vector3d& x : nodes) spread += (x - middle) * (x - middle).transpose();
  base::sum_in_place(mesh.comm, spread.data(), 9);
  const Vector3d squares = Eigen::SelfAdjointEigenSolver<Matrix3d>(spread).eigenvalues();
  return squares[1] > kInALine * kInALine * squares[2];
}

std::array<double, 7> pose_of(const bodies::InitialMotion& m) {
  const Eigen::Quaterniond q = m.q_WB.normalized();
  return {m.p_WB.x(), m.p_WB.y(), m.p_WB.z(), q.w(), q.x(), q.y(), q.z()};
}

}  // namespace

double motion_interval(const model::OutputDescription& output, double duration) {
  return output.motion_interval.value_or(duration / kPicturesByDefault);
}

MotionPictures::MotionPictures(MPI_Comm comm, const model::ModelDescription& description,
                               const model::BuiltModel& built, const Independent& independent,
                               MotionSymbols::Vectors vectors)
    : comm_(comm), built_(built) {
  scene_.independent = independent.name;
  scene_.unit = independent.unit;
  scene_.has_velocities = vectors == MotionSymbols::Vectors::all && independent.is_time();
  scene_.title = description.title;
  scene_.gravity = description.gravity;
  scene_.model = description.text;
  scene_.overrides = description.overrides;
  const model::DrawnModel drawn = model::drawn_model(description);
  add_bodies(description, drawn);
  add_joints(drawn);
  const auto add_own_frame = [this](const std::string& name, bodies::FrameIndex frame) {
    return add_frame(name, frame);
  };
  symbols_.emplace(built_, drawn, scene_, add_own_frame, vectors);
}

void leave_out_on_failure(MPI_Comm comm, const std::string& path,
                          const std::function<void()>& draw) {
  std::string message;
  try {
    return draw();
  } catch (const base::InputError& error) {
    message = error.what();
  } catch (const base::ComputationError& error) {
    message = error.what();
  }
  base::log_warning("{} is not written, so that reports do not show these pictures: {}", path,
                    message);
  std::error_code ignored;
  if (base::rank(comm) == 0) std::filesystem::remove(path, ignored);
}

void MotionPictures::add_bodies(const model::ModelDescription& description,
                                const model::DrawnModel& drawn) {
  const double smallest = kSmallest * characteristic_length(built_.system);
  for (const model::BuiltBody& built : built_.bodies) {
    const bodies::Body& body = built_.system.body(built.index);
    MotionBody added;
    added.name = built.name;
    added.type = built.type;
    added.mass = body.mass();
    added.colour = built.appearance.colour;
    added.primitive = primitive_of(built.appearance);
    const bool is_held =
        drawn.held_bodies.count(built.name) > 0 ||
        (built.nodal && is_held_by_nodes(description, built.name, built.nodal->mesh()));
    added.keeps_axes = is_held || body.n_rigid() > 0;
    if (!built.nodes.empty()) {
      added.n_nodes = static_cast<int>(built.nodes.size());
      added.lines = built.lines;
      added.radius = built.drawn_radius;
      added.keeps_axes = is_held;
      for (const BodyIndex node : built.nodes)
        added.rest.push_back(pose_of(built_.system.initial_motion(node)));
    } else if (built.nodal) {
      added.is_in_fields = true;
      if (body.n_rigid() == 0)
        added.rest.push_back(pose_of(built_.system.initial_motion(built.index)));
    } else {
      listed_[built.index] = static_cast<int>(scene_.bodies.size());
      // Of a superelement all modes, most of which follow its interfaces.
      added.n_coordinates = built.reduced ? built.reduced->n_modes() : body.n_elastic();
      if (!built.reduced && !built.drawn_mesh && !added.primitive && added.mass > 0.0)
        added.primitive = box_of_inertia(body, smallest);
    }
    scene_.bodies.push_back(std::move(added));
  }
}

int MotionPictures::add_frame(const std::string& name, bodies::FrameIndex index,
                              const std::string& on) {
  const bodies::Frame& frame = built_.system.kinematics().frame_definitions[index];
  MotionFrame added;
  added.name = name;
  added.on = on;
  added.position = frame.x_B;
  added.rotation = Eigen::Quaterniond(frame.R_BF);
  const auto carrier = listed_.find(frame.body);
  if (frame.body == bodies::kGround)
    added.body = MotionFrame::kGround;
  else if (carrier != listed_.end() && frame.Psi_t.cols() == 0 && frame.Psi_r.cols() == 0)
    added.body = carrier->second;
  else
    added.body = MotionFrame::kItself;
  scene_.frames.push_back(std::move(added));
  frames_.push_back(index);
  return static_cast<int>(frames_.size()) - 1;
}

void MotionPictures::add_joints(const model::DrawnModel& drawn) {
  for (const auto& [name, frames] : built_.joint_frames) {
    const auto type = built_.joint_types.find(name);
    if (type == built_.joint_types.end()) continue;
    results::MotionJoint joint{name, type->second, words_for_freedom(built_, name), {}};
    const auto places = drawn.joint_places.find(name);
    for (int i = 0; i < 2; ++i)
      joint.frames[i] =
          add_frame(name, frames[i], places == drawn.joint_places.end() ? "" : places->second[i]);
    scene_.joints.push_back(std::move(joint));
  }
}

bool MotionPictures::needs_fields() const {
  return std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
                     [](const MotionBody& body) { return body.is_in_fields; });
}

std::vector<results::MotionSurface> MotionPictures::surfaces() const {
  std::vector<results::MotionSurface> surfaces;
  for (std::size_t i = 0; i < built_.bodies.size(); ++i) {
    const model::BuiltBody& body = built_.bodies[i];
    if ((!body.reduced && !body.drawn_mesh) || body.nodal || !body.nodes.empty()) continue;
    const mesh::DistributedMesh& mesh = body.reduced ? body.reduced->mesh : *body.drawn_mesh;
    if (base::sum(comm_, std::int64_t{!mesh.surface.empty()}) == 0) continue;
    results::MotionSurface surface;
    surface.body = static_cast<int>(i);
    surface.part = results::make_field_part(body.name, mesh, results::MeshPicture::surface);
    surface.positions = mesh.x.leftCols(mesh.n_owned);
    if (body.reduced) surface.shape = [&body](int k) { return owned_shape(*body.reduced, k); };
    if (body.stress.in_pictures)
      surface.stress_shape = [&body](int k) { return owned_stress_shape(body, k); };
    surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

std::vector<double> MotionPictures::row(const system::State& state) const {
  const bodies::Kinematics& kinematics = built_.system.kinematics();
  const std::size_t n = built_.bodies.size();
  std::vector<double> row;
  row.reserve(scene_.row_length());
  for (std::size_t i = 0; i < n; ++i) {
    const BodyState& s = kinematics.bodies[built_.bodies[i].index];
    append_pose(s.p_WB, s.R_WB, row);
    row.insert(row.end(), s.q_e.data(), s.q_e.data() + scene_.bodies[i].n_coordinates);
    for (const BodyIndex node : built_.bodies[i].nodes)
      append_pose(kinematics.bodies[node].p_WB, kinematics.bodies[node].R_WB, row);
  }
  for (std::size_t i = 0; i < frames_.size(); ++i)
    if (scene_.frames[i].body == MotionFrame::kItself)
      append_pose(kinematics.frames[frames_[i]].p, kinematics.frames[frames_[i]].R, row);
  symbols_->append(state, row);
  for (std::size_t i = 0; i < n && scene_.has_velocities; ++i) {
    const BodyState& s = kinematics.bodies[built_.bodies[i].index];
    append_twist(s, row);
    if (scene_.bodies[i].n_coordinates > 0) {
      const Eigen::VectorXd rates = s.dq_e();
      row.insert(row.end(), rates.data(), rates.data() + scene_.bodies[i].n_coordinates);
    }
    for (const BodyIndex node : built_.bodies[i].nodes) append_twist(kinematics.bodies[node], row);
  }
  return row;
}

}  // namespace solidyn::simulation
