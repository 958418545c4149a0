#include "model/supports/build_supports.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/joints/coupler.h"
#include "solidyn/joints/joint.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using reduction::HeldPoint;
using reduction::ReducedSupport;

std::vector<int> fixed_axes(const SupportDescription& support) {
  std::vector<int> axes;
  for (int a = 0; a < 3; ++a)
    if (support.fixes[a]) axes.push_back(a);
  return axes;
}

reduction::SupportDefinition definition_of(const SupportDescription& support,
                                           const BodyEntry& body) {
  const Matrix3d in_mesh = body.pose.rotation.normalized().conjugate() * support.axes;
  return {support.name, support.nodes, in_mesh(Eigen::all, fixed_axes(support)), support.moves};
}

const ReducedSupport& find_reduced(const SupportDescription& support, const BodyEntry& body,
                                   const std::vector<ReducedSupport>& supports) {
  const auto found = std::find_if(supports.begin(), supports.end(),
                                  [&](const ReducedSupport& s) { return s.name == support.name; });
  const bool is_known = found != supports.end();
  if (is_known && found->digest == digest(definition_of(support, body))) return *found;
  throw base::InputError(
      fmt::format(
          "supports.{}: the reduced body {} {}", support.name, body.reduced_file().string(),
          is_known
              ? "contains a support of this name on other nodes or along other directions of its mesh"
              : "was created without this support and lacks its nodes"),
      fmt::format(
          "reduce `{}` again from a model with this support, give its mesh instead of reduced_body, or constrain one of its interfaces by a joint",
          body.name),
      support.where);
}

// A file may have been made with supports that this model does not have.
void warn_of_rigid_regions(const ModelDescription& model, const BodyEntry& body,
                           const std::vector<ReducedSupport>& supports) {
  for (const ReducedSupport& reduced : supports) {
    const bool is_used = std::any_of(
        model.supports.begin(), model.supports.end(), [&](const SupportDescription& support) {
          return support.body == body.name && support.name == reduced.name;
        });
    if (!is_used && reduced.is_region)
      base::log_warning(
          "body {}: its file {} was created with the support `{}`, which this model lacks: its nodes are not constrained, but move as a rigid region",
          body.name, body.reduced_file().string(), reduced.name);
  }
}

joints::JointRows held_rows(const SupportDescription& support, const std::vector<int>& axes) {
  joints::JointRows rows;
  for (const int a : axes) {
    const bodies::PointAlongFrameAxis along(Vector3d::Unit(a));
    if (support.moves)
      rows.primitives.emplace_back(along, support.displacement[a]);
    else
      rows.primitives.emplace_back(along);
    rows.names.push_back(fmt::format("{} of the support", "xyz"[a]));
  }
  return rows;
}

// Between where a point of the body is placed and where it is, along the support's axes.
bodies::FrameLink link_point(const SupportDescription& support, const BodyEntry& body,
                             bodies::BodyIndex index, const Vector3d& x_B, const Matrix3Xd& Psi_t,
                             const Matrix3Xd& Psi_r, BuiltModel& built) {
  const system::InitialMotion motion = initial_motion(body);
  bodies::Frame ground, node;
  ground.name = support.name + ".ground";
  ground.x_B = motion.p_WB + motion.q_WB * x_B;
  ground.R_BF = support.axes;
  node.name = support.name + ".node";
  node.body = index;
  node.x_B = x_B;
  node.R_BF = motion.q_WB.conjugate() * support.axes;
  node.Psi_t = Psi_t;
  node.Psi_r = Psi_r;
  const bodies::FrameIndex A = built.system.add_frame(std::move(ground));
  const bodies::FrameIndex B = built.system.add_frame(std::move(node));
  return built.system.link(A, B);
}

bodies::FrameLink link_point(const SupportDescription& support, const BodyEntry& body,
                             bodies::BodyIndex index, const Vector3d& x_B, const Matrix3Xd& Psi_t,
                             BuiltModel& built) {
  return link_point(support, body, index, x_B, Psi_t, Matrix3Xd(3, 0), built);
}

std::string constraint_name(const SupportDescription& support, const BodyEntry& body) {
  return fmt::format("support {} of {}", support.name, body.name);
}

// One point with one to three of its components.
bodies::ConstraintIndex hold_point(const SupportDescription& support, const BodyEntry& body,
                                   bodies::BodyIndex index, const HeldPoint& point,
                                   const std::vector<int>& axes, BuiltModel& built) {
  const joints::JointRows rows = held_rows(support, axes);
  return built.system.add_constraint(std::make_unique<joints::Joint>(
      constraint_name(support, body), link_point(support, body, index, point.x_B, point.Psi, built),
      rows.primitives, rows.names));
}

// A region that cannot turn at all: a frame turns with it. What its modes know of a rotation w,
// (I + skew(w)) x, is also a stretch by w^2 / 2, which rows on single nodes would take for
// rotations about other axes.
void hold_orientation(const SupportDescription& support, const BodyEntry& body,
                      bodies::BodyIndex index, const ReducedSupport& reduced, BuiltModel& built) {
  const HeldPoint& mean = reduced.points.front();
  Matrix3d turned = Matrix3d::Zero();  // by rotations of the region
  Matrix3Xd changed = Matrix3Xd::Zero(3, mean.Psi.cols());
  for (int i = 0; i < 3; ++i)
    for (const HeldPoint& arm : reduced.rotations[i]) {
      turned.row(i) += arm.x_B.cross(arm.d_B).transpose();
      changed.row(i) += arm.d_B.transpose() * arm.Psi;
    }
  const Matrix3Xd Psi_r = turned.partialPivLu().solve(changed);
  const joints::JointRows rows = joints::joint_rows(joints::JointType::orientation);
  built.system.add_constraint(std::make_unique<joints::Joint>(
      constraint_name(support, body),
      link_point(support, body, index, mean.x_B, mean.Psi, Psi_r, built), rows.primitives,
      rows.names, rows.hinge));
}

// One of the rotations of a region that may turn about other axes, which are right in large
// rotations about these too. An arm ends at two points: the mean of its direction, and that point
// moved by the arm.
void hold_rotation(const SupportDescription& support, const BodyEntry& body,
                   bodies::BodyIndex index, const ReducedSupport& reduced,
                   const std::vector<HeldPoint>& arms, BuiltModel& built) {
  const std::vector<int> fixed = fixed_axes(support);
  std::vector<joints::Coupler::Term> terms;
  for (const HeldPoint& arm : arms) {
    const auto mean =
        std::find_if(reduced.points.begin(), reduced.points.end(),
                     [&](const HeldPoint& point) { return point.direction == arm.direction; });
    const bodies::PointAlongFrameAxis along(Vector3d::Unit(fixed.at(arm.direction)));
    const Vector3d x_B = mean->x_B + arm.x_B;
    const Matrix3Xd Psi = mean->Psi + arm.Psi;
    terms.push_back({link_point(support, body, index, x_B, Psi, built), along, 1.0});
    terms.push_back({link_point(support, body, index, mean->x_B, mean->Psi, built), along, -1.0});
  }
  built.system.add_constraint(
      std::make_unique<joints::Coupler>(constraint_name(support, body), std::move(terms), 0.0));
}

void hold_rotations(const SupportDescription& support, const BodyEntry& body,
                    bodies::BodyIndex index, const ReducedSupport& reduced, BuiltModel& built) {
  if (reduced.rotations.size() == 3) return hold_orientation(support, body, index, reduced, built);
  for (const std::vector<HeldPoint>& arms : reduced.rotations)
    hold_rotation(support, body, index, reduced, arms, built);
}

void hold_points(const SupportDescription& support, const BodyEntry& body, bodies::BodyIndex index,
                 const ReducedSupport& reduced, BuiltModel& built) {
  const std::vector<int> fixed = fixed_axes(support);
  std::vector<bodies::ConstraintIndex>& constraints = built.supports[support.name];
  std::vector<bool> is_done(reduced.points.size(), false);
  for (std::size_t i = 0; i < reduced.points.size(); ++i) {
    if (is_done[i]) continue;
    std::vector<int> axes;
    for (std::size_t j = i; j < reduced.points.size(); ++j)
      if (reduced.points[j].x_B == reduced.points[i].x_B) {
        axes.push_back(fixed.at(reduced.points[j].direction));
        is_done[j] = true;
      }
    constraints.push_back(hold_point(support, body, index, reduced.points[i], axes, built));
  }
}

// The rigid motions (a, w) of the body that all its supports leave to it, as columns.
MatrixXd left_motions(const std::vector<ReducedSupport>& supports) {
  constexpr double kRounding = 1e-6;
  Vector3d centre = Vector3d::Zero();
  double n_points = 0.0, spread = 0.0;
  Eigen::Index n_rows = 0;
  for (const ReducedSupport& support : supports) {
    for (const HeldPoint& point : support.points) centre += point.x_B;
    n_points += static_cast<double>(support.points.size());
    n_rows += static_cast<Eigen::Index>(support.n_rows());
  }
  centre /= n_points;
  MatrixXd rows = MatrixXd::Zero(n_rows, 6);
  Eigen::Index row = 0;
  for (const ReducedSupport& support : supports) {
    for (const HeldPoint& point : support.points) {
      const Vector3d arm = point.x_B - centre;
      rows.row(row++) << point.d_B.transpose(), arm.cross(point.d_B).transpose();
      spread = std::max(spread, arm.norm());
    }
    for (const std::vector<HeldPoint>& arms : support.rotations) {
      for (const HeldPoint& arm : arms) {
        rows.row(row).tail<3>() += arm.x_B.cross(arm.d_B).transpose();
        spread = std::max(spread, arm.x_B.norm());
      }
      ++row;
    }
  }
  if (spread > 0.0) rows.rightCols<3>() /= spread;
  Eigen::FullPivLU<MatrixXd> lu(rows);
  lu.setThreshold(kRounding);
  return lu.rank() == 6 ? MatrixXd(6, 0) : MatrixXd(lu.kernel());
}

// Which shapes a held region lets the body have was found for the directions as modelled. Once the
// body turns, these stay in the world; only motions that turn them into themselves do no harm.
void warn_of_turning(const SupportDescription& support, const BodyEntry& body,
                     const ReducedSupport& reduced, const MatrixXd& left) {
  constexpr double kTurns = 1e-4;
  if (!reduced.is_region) return;
  const Matrix3Xd D = definition_of(support, body).directions;
  for (Eigen::Index k = 0; k < left.cols(); ++k)
    for (Eigen::Index a = 0; a < D.cols(); ++a) {
      const Vector3d w = left.col(k).tail<3>().normalized();
      const Vector3d moved = w.cross(Vector3d(D.col(a)));
      if (left.col(k).tail<3>().norm() < kTurns * left.col(k).norm() ||
          (moved - D * (D.transpose() * moved)).norm() < kTurns)
        continue;
      base::log_warning(
          "supports.{} leaves a rotation of `{}` free that rotates the constrained directions relative to the body axes in which its modes were computed: accurate for small rotations only\n  constrain this rotation by joints or supports, fix x, y and z, or write  type: corotational  there",
          support.name, body.name);
      return;
    }
}

}  // namespace

std::vector<reduction::SupportDefinition> support_definitions(const ModelDescription& model,
                                                              const BodyEntry& body) {
  std::vector<reduction::SupportDefinition> definitions;
  for (const SupportDescription& support : model.supports)
    if (support.body == body.name) definitions.push_back(definition_of(support, body));
  return definitions;
}

std::string support_interface_name(const std::string& support) { return "support:" + support; }

std::vector<mesh::InterfaceDefinition> support_interfaces(const ModelDescription& model,
                                                          const BodyEntry& body) {
  std::vector<mesh::InterfaceDefinition> interfaces;
  for (const SupportDescription& support : model.supports)
    if (support.body == body.name)
      interfaces.push_back(
          {support_interface_name(support.name), support.nodes, mesh::Attachment::rbe2});
  return interfaces;
}

void add_supports(const ModelDescription& model, const BodyEntry& body, bodies::BodyIndex index,
                  const std::vector<ReducedSupport>& supports, BuiltModel& built) {
  warn_of_rigid_regions(model, body, supports);
  std::vector<ReducedSupport> used;
  for (const SupportDescription& support : model.supports)
    if (support.body == body.name) used.push_back(find_reduced(support, body, supports));
  if (used.empty()) return;
  const MatrixXd left = left_motions(used);
  for (const SupportDescription& support : model.supports) {
    if (support.body != body.name) continue;
    const ReducedSupport& reduced = find_reduced(support, body, supports);
    hold_points(support, body, index, reduced, built);
    hold_rotations(support, body, index, reduced, built);
    warn_of_turning(support, body, reduced, left);
    base::log_info("body {}: support {} constrains {} independent components{}", body.name,
                   support.name, reduced.n_rows(),
                   reduced.is_region ? " of a region" : ", all of them");
  }
}

}  // namespace solidyn::model
