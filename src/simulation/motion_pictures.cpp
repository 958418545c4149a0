#include "simulation/motion_pictures.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/mpi.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/dense.h"
#include "solidyn/system/scales.h"

namespace solidyn::simulation {
namespace {

using bodies::BodyIndex;
using bodies::BodyState;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using results::MotionBody;
using results::MotionFrame;
using results::MotionPrimitive;

constexpr int kPicturesByDefault = 500;
// Of a box of the same inertia, relative to its longest edge, and of a body without extent relative
// to the mechanism: thinner ones would not be seen.
constexpr double kThinnest = 0.02, kSmallest = 0.02;

// Mass, centre of mass and inertia about it, in body axes.
struct Inertia {
  double mass = 0.0;
  Vector3d center = Vector3d::Zero();
  Matrix3d about_center = Matrix3d::Zero();
};

// What the momenta of unit angular velocities say: of any kind of body with a frame.
Inertia inertia_of(const bodies::Body& body) {
  Inertia inertia;
  inertia.mass = body.mass();
  if (body.n_rigid() == 0 || !(inertia.mass > 0.0)) return inertia;
  const Eigen::VectorXd q = Eigen::VectorXd::Zero(body.n_elastic());
  Matrix3d skew = Matrix3d::Zero(), about_origin = Matrix3d::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    Eigen::VectorXd v = Eigen::VectorXd::Zero(body.n_velocities());
    v[3 + axis] = 1.0;
    BodyState state;
    new (&state.q_e) Eigen::Map<const Eigen::VectorXd>(q.data(), q.size());
    new (&state.v) Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
    new (&state.a) Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
    const bodies::Momentum momentum = body.momentum(state);
    skew.col(axis) = momentum.linear;  // e_axis x m c
    about_origin.col(axis) = momentum.angular;
  }
  inertia.center = Vector3d(skew(1, 2), skew(2, 0), skew(0, 1)) / inertia.mass;
  const Vector3d& c = inertia.center;
  inertia.about_center =
      about_origin - inertia.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
  return inertia;
}

// A box of the same mass and inertia: edges a_i^2 = 6 (J_j + J_k - J_i) / m.
MotionPrimitive box_of(const Inertia& inertia, double smallest) {
  const auto [J, axes, has_converged] = math::symmetric_spectrum(
      Matrix3d(0.5 * (inertia.about_center + inertia.about_center.transpose())));
  Vector3d edges;
  for (int i = 0; i < 3; ++i)
    edges[i] = std::sqrt(std::max(0.0, 6.0 * (J.sum() - 2.0 * J[i]) / inertia.mass));
  if (!has_converged || edges.maxCoeff() < 1e-6 * smallest)
    return {"sphere", {0.5 * smallest}, inertia.center, Eigen::Quaterniond::Identity()};
  edges = edges.cwiseMax(kThinnest * edges.maxCoeff());
  Matrix3d R = axes;
  if (R.determinant() < 0.0) R.col(0) *= -1.0;
  return {"box", {edges[0], edges[1], edges[2]}, inertia.center, Eigen::Quaterniond(R)};
}

std::optional<MotionPrimitive> primitive_of(const model::Appearance& a) {
  using Shape = model::Appearance::Shape;
  const auto with = [&](const char* shape, std::vector<double> size) {
    return MotionPrimitive{shape, std::move(size), a.position, a.rotation};
  };
  switch (a.shape) {
    case Shape::none:
      return {};
    case Shape::box:
      return with("box", {a.size[0], a.size[1], a.size[2]});
    case Shape::cylinder:
      return with("cylinder", {a.radius, a.length});
    case Shape::sphere:
      return with("sphere", {a.radius});
    case Shape::capsule:
      return with("capsule", {a.radius, a.length});
  }
  return {};
}

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

}  // namespace

double motion_interval(const model::OutputDescription& output, double duration) {
  return output.motion_interval.value_or(duration / kPicturesByDefault);
}

MotionPictures::MotionPictures(MPI_Comm comm, const model::ModelDescription& description,
                               const model::BuiltModel& built, const Independent& independent)
    : comm_(comm), built_(built) {
  scene_.independent = independent.name;
  scene_.unit = independent.unit;
  scene_.title = description.title;
  scene_.gravity = description.gravity;
  scene_.model = description.text;
  scene_.overrides = description.overrides;
  add_bodies();
  add_joints();
  add_forces();
}

void MotionPictures::add_bodies() {
  const double smallest = kSmallest * characteristic_length(built_.system);
  for (const model::BuiltBody& built : built_.bodies) {
    const bodies::Body& body = built_.system.body(built.index);
    MotionBody added;
    added.name = built.name;
    added.type = built.type;
    added.mass = body.mass();
    added.colour = built.appearance.colour;
    added.primitive = primitive_of(built.appearance);
    if (!built.nodes.empty()) {
      added.n_nodes = static_cast<int>(built.nodes.size());
      added.lines = built.lines;
      added.radius = built.drawn_radius;
    } else if (built.nodal) {
      added.is_in_fields = true;
    } else {
      listed_[built.index] = static_cast<int>(scene_.bodies.size());
      // Of a superelement all modes, most of which follow its interfaces.
      added.n_coordinates = built.reduced ? built.reduced->n_modes() : body.n_elastic();
      if (!built.reduced && !added.primitive && added.mass > 0.0)
        added.primitive = box_of(inertia_of(body), smallest);
    }
    scene_.bodies.push_back(std::move(added));
  }
}

int MotionPictures::add_frame(const std::string& name, bodies::FrameIndex index) {
  const bodies::Frame& frame = built_.system.kinematics().frame_definitions[index];
  MotionFrame added;
  added.name = name;
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

void MotionPictures::add_joints() {
  for (const auto& [name, frames] : built_.joint_frames) {
    const auto type = built_.joint_types.find(name);
    if (type == built_.joint_types.end()) continue;
    results::MotionJoint joint{name, type->second, {}};
    for (int i = 0; i < 2; ++i) joint.frames[i] = add_frame(name, frames[i]);
    scene_.joints.push_back(std::move(joint));
  }
}

// Forces between two frames, springs and contacts among them, by the force on their second frame.
void MotionPictures::add_forces() {
  const bodies::Kinematics& kinematics = built_.system.kinematics();
  for (const auto& [name, indices] : built_.forces)
    for (const forces::ForceIndex index : indices) {
      const forces::Force& force = built_.system.force(index);
      const auto pair = force.pair_wrench(kinematics, 0.0);
      if (!pair || pair->link.is_within_one_body()) continue;
      results::MotionSymbol symbol{name, "spring", {}, true};
      symbol.frames = {add_frame(name, pair->link.frame_A()),
                       add_frame(name, pair->link.frame_B())};
      scene_.symbols.push_back(std::move(symbol));
      pair_forces_.push_back(&force);
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
    if (!body.reduced || body.nodal || !body.nodes.empty()) continue;
    const mesh::DistributedMesh& mesh = body.reduced->mesh;
    if (base::sum(comm_, std::int64_t{!mesh.surface.empty()}) == 0) continue;
    results::MotionSurface surface;
    surface.body = static_cast<int>(i);
    surface.part = results::make_field_part(body.name, mesh, results::MeshPicture::surface);
    surface.positions = mesh.x.leftCols(mesh.n_owned);
    surface.shape = [&body](int k) { return owned_shape(*body.reduced, k); };
    if (body.stress.in_pictures)
      surface.stress_shape = [&body](int k) { return owned_stress_shape(body, k); };
    surfaces.push_back(std::move(surface));
  }
  return surfaces;
}

std::vector<double> MotionPictures::row(double t) const {
  const bodies::Kinematics& kinematics = built_.system.kinematics();
  std::vector<double> row;
  row.reserve(scene_.row_length());
  for (std::size_t i = 0; i < built_.bodies.size(); ++i) {
    const BodyState& s = kinematics.bodies[built_.bodies[i].index];
    append_pose(s.p_WB, s.R_WB, row);
    row.insert(row.end(), s.q_e.data(), s.q_e.data() + scene_.bodies[i].n_coordinates);
    for (const BodyIndex node : built_.bodies[i].nodes)
      append_pose(kinematics.bodies[node].p_WB, kinematics.bodies[node].R_WB, row);
  }
  for (std::size_t i = 0; i < frames_.size(); ++i)
    if (scene_.frames[i].body == MotionFrame::kItself)
      append_pose(kinematics.frames[frames_[i]].p, kinematics.frames[frames_[i]].R, row);
  for (const forces::Force* force : pair_forces_) {
    const auto pair = force->pair_wrench(kinematics, t);
    const Vector3d f = pair ? Vector3d(pair->wrench.segment<3>(6)) : Vector3d::Zero();
    row.insert(row.end(), f.data(), f.data() + 3);
  }
  return row;
}

}  // namespace solidyn::simulation
