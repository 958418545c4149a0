#include "report/moved_surface.h"

#include <fmt/format.h>

#include <memory>

#include "report/decomposition.h"
#include "report/poses.h"
#include "solidyn/base/error.h"

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

// Of the largest of each, on the sample; drawn_body.cpp rounds to as much again.
constexpr double kShapesOfDeflection = 1.0 / 400.0, kShapesOfSpeed = 1.0 / 1000.0,
                 kShapesOfStress = 1.0 / 1000.0;

// Samples of all pictures, one below the other in each column.
template <class Source>
MatrixXd sample_of(const Source& source, int n_pictures) {
  MatrixXd sample;
  for (int t = 0; t < n_pictures; ++t) {
    const MatrixXd some = sampled(source(t));
    if (t == 0) sample.resize(some.size(), n_pictures);
    sample.col(t) = Eigen::Map<const Eigen::VectorXd>(some.data(), some.size());
  }
  return sample;
}

Matrix3Xd picture_of(const MatrixXd& sample, int t) {
  return Eigen::Map<const Matrix3Xd>(sample.col(t).data(), 3, sample.rows() / 3);
}

double largest_of_nodes(const MatrixXd& sample, int n_components) {
  if (sample.size() == 0) return 0.0;
  return Eigen::Map<const MatrixXd>(sample.data(), n_components, sample.size() / n_components)
      .colwise()
      .norm()
      .maxCoeff();
}

// The same nodes seen from axes that move.
class SeenFromAxes {
 public:
  SeenFromAxes(const MovingNodes& nodes, const MatrixXd& sample)
      : nodes_(nodes), X_sample_(sampled(nodes.X)), sample_(sample) {
    pose = nodes.axes;
    if (pose.size() == 0) find_axes();
    pose = on_one_side(pose);
    if (nodes.velocities) find_velocities();
  }

  MatrixXd pose;
  Matrix3Xd v, w;

  Matrix3Xd deformation(int t, const Matrix3Xd& x, const Matrix3Xd& X) const {
    return R(t).transpose() * (x.colwise() - origin_of(pose, t)) - X;
  }
  Matrix3Xd velocity(int t, Matrix3Xd velocities, const Matrix3Xd& x) const {
    const Vector3d p = origin_of(pose, t), at_origin = v.col(t), spin = w.col(t);
    for (Index i = 0; i < x.cols(); ++i)
      velocities.col(i) -= at_origin + spin.cross(Vector3d(x.col(i) - p));
    return R(t).transpose() * velocities;
  }
  MatrixXd stress(int t, MatrixXd sigma) const {
    const Matrix3d Q = R(t).transpose();
    for (Index i = 0; i < sigma.cols(); ++i) {
      const auto s = sigma.col(i);
      Matrix3d in_W;
      in_W << s[0], s[5], s[4], s[5], s[1], s[3], s[4], s[3], s[2];
      const Matrix3d in_B = Q * in_W * Q.transpose();
      sigma.col(i) << in_B(0, 0), in_B(1, 1), in_B(2, 2), in_B(1, 2), in_B(2, 0), in_B(0, 1);
    }
    return sigma;
  }
  const Matrix3Xd& X_sample() const { return X_sample_; }
  MatrixXd velocity_sample;

 private:
  Matrix3d R(int t) const { return rotation_of(pose, t).toRotationMatrix(); }

  void find_axes() {
    pose.resize(7, nodes_.n_pictures);
    for (int t = 0; t < nodes_.n_pictures; ++t) {
      const RigidMotion m = nearest_motion(X_sample_, picture_of(sample_, t));
      pose.col(t) << m.p, m.q.w(), m.q.x(), m.q.y(), m.q.z();
    }
  }

  void find_velocities() {
    velocity_sample = sample_of(nodes_.velocities, nodes_.n_pictures);
    v = nodes_.v;
    w = nodes_.w;
    if (v.size() > 0) return;
    v = w = Matrix3Xd::Zero(3, nodes_.n_pictures);
    for (int t = 0; t < nodes_.n_pictures && nodes_.axes.size() == 0; ++t) {
      const RigidVelocity rigid = nearest_velocity(
          picture_of(sample_, t), picture_of(velocity_sample, t), origin_of(pose, t));
      v.col(t) = rigid.v;
      w.col(t) = rigid.w;
    }
  }

  const MovingNodes& nodes_;
  Matrix3Xd X_sample_;
  const MatrixXd& sample_;
};

// The last picture of a source: fields of one picture ask for the same positions.
std::function<Matrix3Xd(int)> remembering(const std::function<Matrix3Xd(int)>& source) {
  auto known = std::make_shared<std::pair<int, Matrix3Xd>>(-1, Matrix3Xd());
  return [source, known](int t) {
    if (known->first != t) *known = {t, source(t)};
    return known->second;
  };
}

ShapeField take(Decomposition& found, BodyMotion& motion, int n_pictures) {
  ShapeField field;
  field.first = static_cast<int>(motion.coordinates.rows());
  field.n = static_cast<int>(found.shapes.cols());
  field.residual = found.residual;
  const auto shapes = std::make_shared<const Eigen::MatrixXf>(std::move(found.shapes));
  field.shape = [shapes, n = found.n_components](int k) -> Eigen::MatrixXf {
    return Eigen::Map<const Eigen::MatrixXf>(shapes->col(k).data(), n, shapes->rows() / n);
  };
  motion.coordinates.conservativeResize(field.first + field.n, n_pictures);
  if (field.n > 0) motion.coordinates.bottomRows(field.n) = found.coordinates;
  return field;
}

}  // namespace

MovedSurface as_shapes(const MovingNodes& nodes, double tolerance) {
  const int n = nodes.n_pictures;
  const auto positions = remembering(nodes.positions);
  const MatrixXd sample = sample_of(nodes.positions, n);
  const SeenFromAxes seen(nodes, sample);
  std::vector<FieldPictures> fields(1);
  fields[0].sample = sample;
  for (int t = 0; t < n; ++t) {
    const Matrix3Xd u = seen.deformation(t, picture_of(sample, t), seen.X_sample());
    fields[0].sample.col(t) = Eigen::Map<const Eigen::VectorXd>(u.data(), u.size());
  }
  fields[0].tolerance =
      std::min(tolerance, kShapesOfDeflection * largest_of_nodes(fields[0].sample, 3));
  fields[0].values = [&](int t) -> MatrixXd { return seen.deformation(t, positions(t), nodes.X); };
  if (nodes.velocities) {
    FieldPictures velocity;
    velocity.tolerance = kShapesOfSpeed * largest_of_nodes(seen.velocity_sample, 3);
    velocity.sample = seen.velocity_sample;
    for (int t = 0; t < n; ++t) {
      const Matrix3Xd du =
          seen.velocity(t, picture_of(seen.velocity_sample, t), picture_of(sample, t));
      velocity.sample.col(t) = Eigen::Map<const Eigen::VectorXd>(du.data(), du.size());
    }
    velocity.values = [&](int t) -> MatrixXd {
      return seen.velocity(t, nodes.velocities(t), positions(t));
    };
    fields.push_back(std::move(velocity));
  }
  if (nodes.stress) {
    FieldPictures stress;
    stress.values = [&](int t) { return seen.stress(t, nodes.stress(t)); };
    stress.sample = sample_of(stress.values, n);
    stress.tolerance = kShapesOfStress * largest_of_nodes(stress.sample, 6);
    fields.push_back(std::move(stress));
  }
  std::vector<Decomposition> found = decompose(fields);
  MovedSurface moved;
  moved.pose = seen.pose;
  moved.motion.surface = nodes.surface;
  moved.motion.surface.positions = nodes.X.cast<float>();
  moved.motion.surface.has_stress = static_cast<bool>(nodes.stress);
  moved.motion.displacement = take(found[0], moved.motion, n);
  if (nodes.velocities) {
    moved.motion.velocity = take(found[1], moved.motion, n);
    moved.motion.v = seen.v;
    moved.motion.w = seen.w;
  }
  if (nodes.stress) moved.motion.stress = take(found.back(), moved.motion, n);
  return moved;
}

namespace {

// Of a run that diverges no pictures are taken from there on: what is left must be places.
Matrix3Xd in_measure(Matrix3Xd x, const std::string& part, int snapshot) {
  constexpr double kFarthest = 1e15;
  if (x.size() > 0 && x.cwiseAbs().maxCoeff() > kFarthest)
    throw base::InputError(
        fmt::format("fields.h5 is damaged: nodes of `{}` in snapshot {} are {:.3g} m away", part,
                    snapshot, x.cwiseAbs().maxCoeff()),
        "run the model again");
  return x;
}

}  // namespace

bool knows_rest(const results::FieldsFile::Part& part, const results::MotionBody* body) {
  return part.has_displacement && body && (body->keeps_axes || !body->rest.empty());
}

MovingNodes nodes_of_part(const results::FieldsFile& fields, const results::FieldsFile::Part& part,
                          const std::vector<int>& snapshots, const results::MotionBody* body,
                          const MatrixXd& axes) {
  MovingNodes nodes;
  nodes.surface = part.surface;
  nodes.n_pictures = static_cast<int>(snapshots.size());
  nodes.positions = [&](int t) {
    return in_measure(fields.positions(part, snapshots[t]), part.name, snapshots[t]);
  };
  if (part.has_velocity)
    nodes.velocities = [&](int t) { return fields.velocities(part, snapshots[t]); };
  if (part.has_stress) nodes.stress = [&](int t) { return fields.stress(part, snapshots[t]); };
  nodes.X = fields.positions(part, snapshots.front());
  if (!knows_rest(part, body)) return nodes;
  // Displacements of bodies on absolute coordinates are in the world's axes, and contain how the
  // body is placed.
  const bool has_axes = body->rest.empty();
  const Matrix3d R = has_axes ? rotation_of(axes, 0).toRotationMatrix() : Matrix3d::Identity();
  const Vector3d p = has_axes ? origin_of(axes, 0) : Vector3d::Zero();
  nodes.X = R.transpose() * (nodes.X.colwise() - p) - fields.displacements(part, snapshots.front());
  nodes.X = in_measure(nodes.X, part.name, snapshots.front());
  if (has_axes)
    nodes.axes = axes;
  else if (body->keeps_axes)
    nodes.axes = Eigen::Map<const Eigen::VectorXd>(body->rest.front().data(), 7)
                     .replicate(1, nodes.n_pictures);
  return nodes;
}

}  // namespace solidyn::report
