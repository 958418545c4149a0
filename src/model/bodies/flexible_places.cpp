#include "model/bodies/flexible_places.h"

#include "model/bodies/plausibility.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/reduced_modal_body.h"
#include "solidyn/joints/rigid_flexible_joint.h"

namespace solidyn::model {
namespace {

// The virtual body of an interface, its rigid-flexible joint, and the place they make.
void add_virtual_body(const FlexibleEntry& d, bodies::BodyIndex flexible,
                      const reduction::ReducedInterface& i, const system::InitialMotion& motion,
                      int n_elastic, const BodyBuilder& builder) {
  const Eigen::Matrix3d x = i.x_nodes;
  const Eigen::Matrix3d R_BV = joints::RigidFlexibleJoint::triad(x);
  const system::InitialMotion virtual_motion = carried_along(motion, x.col(0), R_BV);
  const std::string name = d.name + "." + i.name;
  system::System& system = builder.built.system;
  const bodies::BodyIndex index =
      system.add_body(bodies::make_virtual_body("virtual body " + name), virtual_motion);
  builder.places.add_carrier(index, virtual_motion);
  system.add_constraint(std::make_unique<joints::RigidFlexibleJoint>(
      "rigid-flexible joint of " + name, flexible, index, n_elastic, x,
      std::array<Eigen::Matrix3Xd, 3>{i.Psi_nodes[0], i.Psi_nodes[1], i.Psi_nodes[2]}, R_BV));
  bodies::Frame frame;
  frame.body = index;
  frame.R_BF = R_BV.transpose();  // the interface's axes are the mesh axes
  builder.places.add_place(d.name, i.name, frame);
}

}  // namespace

void add_flexible_places(const FlexibleEntry& d, bodies::BodyIndex index, int n_elastic,
                         const std::vector<reduction::ReducedInterface>& interfaces,
                         const std::vector<reduction::TrackedPoint>& points,
                         const BodyBuilder& builder) {
  const system::InitialMotion motion = initial_motion(d);
  for (const reduction::ReducedInterface& i : interfaces) {
    if (i.attach == mesh::Attachment::virtual_body) {
      add_virtual_body(d, index, i, motion, n_elastic, builder);
      continue;
    }
    builder.places.add_place(d.name, i.name, bodies::frame_at(index, i));
  }
  for (const reduction::TrackedPoint& p : points)
    builder.places.add_place(d.name, p.name, bodies::frame_at(index, p));
}

void log_whole_mass(const FlexibleEntry& d, double mass, const Eigen::Vector3d& c,
                    const std::string& what) {
  base::log_info("body {}: {:.6g} kg, centre of mass ({:.4g}, {:.4g}, {:.4g}) m, {}", d.name, mass,
                 c.x(), c.y(), c.z(), what);
  warn_of_doubtful_units(d, mass, 0.0);
}

}  // namespace solidyn::model
