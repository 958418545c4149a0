#include "solid_bar.h"

#include "selections.h"
#include "solidyn/base/mpi.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/tied_axes.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::testing_support {
namespace {

const fem::IsotropicElastic kRubber{2e6, 0.3, 1000.0};

bodies::BodyIndex add_tie(system::System& system, bodies::BodyIndex solid,
                          const bodies::SolidBody& body, const bodies::SolidInterface& i,
                          const system::InitialMotion& motion) {
  system::InitialMotion virtual_motion = motion;
  virtual_motion.p_WB = motion.p_WB + motion.q_WB * i.region.p_ref;
  virtual_motion.v_WB = motion.v_WB + motion.q_WB * motion.w_WB_B.cross(i.region.p_ref);
  const auto index =
      system.add_body(bodies::make_virtual_body("virtual " + i.name), virtual_motion);
  if (i.attach == mesh::Attachment::rbe2)
    system.add_constraint(
        std::make_unique<joints::RigidRegion>(i.name, solid, index, body.n_elastic(), i.region));
  else
    system.add_constraint(
        std::make_unique<joints::AveragedFrame>(i.name, solid, index, body.n_elastic(), i.region));
  return index;
}

}  // namespace

mesh::Mesh make_bar_mesh() {
  mesh::BoxOptions box;
  box.nx = 6;
  box.ny = 2;
  box.nz = 2;
  box.size = {0.3, 0.05, 0.04};
  box.perturbation = 0.15;
  return mesh::make_box(box);
}

std::unique_ptr<bodies::SolidBody> make_solid_bar_body(MPI_Comm comm,
                                                       const SolidBarOptions& options) {
  bodies::SolidBodyOptions o;
  o.formulation = options.formulation;
  o.mass = options.mass;
  o.rayleigh_alpha = options.rayleigh_alpha;
  o.viscosity = fem::Viscosity::proportional(kRubber, options.rayleigh_beta);
  o.interfaces = {test::at_set("x_min", options.attach),
                  test::at_set("x_max", mesh::Attachment::rbe3)};
  o.points = {{"middle", {0.15, 0.025, 0.02}}, {"corner", {0.0, 0.0, 0.0}}};
  return bodies::SolidBody::make(
      "bar", mesh::distribute(comm, base::rank(comm) == 0 ? make_bar_mesh() : mesh::Mesh{}),
      kRubber, o);
}

SolidBar make_solid_bar(MPI_Comm comm, const SolidBarOptions& options) {
  SolidBar bar;
  bar.system = std::make_unique<system::System>();
  auto body = make_solid_bar_body(comm, options);
  bar.body = body.get();
  const auto solid = bar.system->add_body(std::move(body), options.motion);
  bar.virtual_body =
      add_tie(*bar.system, solid, *bar.body, bar.body->interfaces()[0], options.motion);
  bar.end = add_tie(*bar.system, solid, *bar.body, bar.body->interfaces()[1], options.motion);
  if (options.is_hung) {
    bodies::Frame on_body, on_ground;
    on_body.body = bar.virtual_body;
    on_ground.x_B =
        options.motion.p_WB + options.motion.q_WB * bar.body->interfaces()[0].region.p_ref;
    const auto A = bar.system->add_frame(on_ground), B = bar.system->add_frame(on_body);
    joints::JointRows rows = joints::joint_rows(joints::JointType::spherical);
    bar.system->add_constraint(std::make_unique<joints::Joint>("joint", bar.system->link(A, B),
                                                               rows.primitives, rows.names));
    bar.system->set_gravity({0.0, -9.81, 2.0});
  }
  bar.system->finalize();
  return bar;
}

}  // namespace solidyn::testing_support
