#include "report/scene_extent.h"

#include <algorithm>

#include "report/poses.h"

namespace solidyn::report {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using results::MotionBody;
using results::MotionFrame;
using results::MotionScene;

Vector3d extent_of(const results::MotionPrimitive& p) {
  if (p.shape == "box") return 0.5 * Vector3d(p.size[0], p.size[1], p.size[2]);
  if (p.shape == "sphere") return Vector3d::Constant(p.size[0]);
  const double ends = p.shape == "capsule" ? p.size[0] : 0.0;
  return {p.size[0], p.size[0], 0.5 * p.size[1] + ends};
}

// Grows by what a box in a body's axes passes through.
void extend(AlignedBox3d& all, const AlignedBox3d& in_body, const MatrixXd& poses) {
  if (in_body.isEmpty()) return;
  for (Index t = 0; t < poses.cols(); ++t) {
    const Eigen::Matrix3d R = rotation_of(poses, t).toRotationMatrix();
    const Vector3d center = origin_of(poses, t) + R * in_body.center();
    const Vector3d reach = R.cwiseAbs() * (0.5 * in_body.sizes());
    all.extend(Vector3d(center - reach));
    all.extend(Vector3d(center + reach));
  }
}

AlignedBox3d box_around_points(const Eigen::Matrix3Xd& x) {
  AlignedBox3d box;
  if (x.cols() > 0) {
    box.extend(Vector3d(x.rowwise().minCoeff()));
    box.extend(Vector3d(x.rowwise().maxCoeff()));
  }
  return box;
}

AlignedBox3d box_around_part(const PictureFiles& files, const PictureSelection& selection,
                             const results::FieldsFile::Part& part) {
  constexpr std::size_t kLooks = 20;
  AlignedBox3d box;
  const std::size_t stride = std::max<std::size_t>(1, selection.snapshots.size() / kLooks);
  for (std::size_t k = 0; k < selection.snapshots.size(); k += stride)
    box.extend(box_around_points(files.fields->positions(part, selection.snapshots[k])));
  return box;
}

AlignedBox3d box_around_frame(const PictureSelection& selection, int f) {
  const MotionFrame& frame = selection.scene.frames[f];
  AlignedBox3d box;
  if (frame.body == MotionFrame::kGround) return AlignedBox3d(frame.position);
  const bool is_itself = frame.body == MotionFrame::kItself;
  extend(box, AlignedBox3d(is_itself ? Vector3d(Vector3d::Zero()) : frame.position),
         selection.rows.middleRows(
             is_itself ? selection.scene.frame_column(f) : selection.scene.body_column(frame.body),
             7));
  return box;
}

}  // namespace

AlignedBox3d box_around(const results::MotionPrimitive& p) {
  const Vector3d reach = p.rotation.toRotationMatrix().cwiseAbs() * extent_of(p);
  return {Vector3d(p.position - reach), Vector3d(p.position + reach)};
}

AlignedBox3d extent_of_scene(const PictureFiles& files, const PictureSelection& selection) {
  const MotionScene& scene = selection.scene;
  AlignedBox3d all;
  for (int i = 0; i < static_cast<int>(scene.bodies.size()); ++i) {
    const MotionBody& body = scene.bodies[i];
    const MatrixXd moves = selection.rows.middleRows(scene.body_column(i), 7);
    if (body.primitive) extend(all, box_around(*body.primitive), moves);
    if (files.motion && files.motion->has_surface(i))
      extend(all, box_around_points(files.motion->surface(i).positions.cast<double>()), moves);
    if (const results::FieldsFile::Part* part = selection.part_of(files, body))
      all.extend(box_around_part(files, selection, *part));
    const int first = scene.body_column(i) + 7 + body.n_coordinates;
    for (int k = 0; k < body.n_nodes; ++k)
      all.extend(box_around_points(selection.rows.middleRows(first + 7 * k, 3)));
  }
  for (int f = 0; f < static_cast<int>(scene.frames.size()); ++f)
    all.extend(box_around_frame(selection, f));
  if (all.isEmpty()) all.extend(Vector3d::Zero());
  return all;
}

}  // namespace solidyn::report
