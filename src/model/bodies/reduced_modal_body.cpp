#include "model/bodies/reduced_modal_body.h"

#include <fmt/format.h>

#include "model/bodies/build_stress.h"
#include "model/bodies/flexible_places.h"
#include "model/supports/build_supports.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn::model {
namespace {

void log_load_report(const ReducedEntry& d, const reduction::ReducedBody& body) {
  const reduction::InertiaInvariants& i = body.inertia;
  const Eigen::Vector3d c = i.first_moment / i.mass;
  std::string frequencies;
  int shown = 0;
  for (const reduction::Mode& mode : body.modes)
    if (mode.kind != reduction::Mode::Kind::rigid && shown++ < 4)
      frequencies += fmt::format(" {:.4g}", mode.frequency);
  base::log_info(
      "body {}: {:.6g} kg, centre of mass ({:.4g}, {:.4g}, {:.4g}) m, {}", d.name, i.mass, c.x(),
      c.y(), c.z(),
      d.is_rigid()
          ? "rigid"
          : fmt::format("{} modes{}, first elastic frequencies{} Hz", body.n_modes(),
                        body.has_second_order() ? " with geometric stiffening" : "", frequencies));
}

// A file made without the rigid modes cannot serve the multiplier route, and the other way round.
void check_rigid_modes(const ReducedEntry& d, const reduction::ReducedBody& reduced) {
  const bool has_rigid =
      !reduced.modes.empty() && reduced.modes.front().kind == reduction::Mode::Kind::rigid;
  if (has_rigid == d.basis.keep_rigid_modes) return;
  throw base::InputError(
      fmt::format(
          "bodies.{}: the reduced body {} {} its rigid-body modes, which enforced_by: {} {}",
          d.name, d.reduced_body.string(), has_rigid ? "keeps" : "does not use",
          has_rigid ? "orthogonal_modes" : "multipliers", has_rigid ? "must not have" : "needs"),
      has_rigid
          ? "set enforced_by: multipliers, or reduce the body again without them"
          : "set enforced_by: orthogonal_modes, or reduce the body again with its rigid modes");
}

}  // namespace

ReducedModalBody add_reduced_modal_body(const ReducedEntry& d, const BodyBuilder& builder) {
  BuiltModel& built = builder.built;
  base::Timer timer;
  const auto reduced =
      reduce_body(builder.comm, builder.model, d, builder.options.cache_folder).body;
  built.seconds_reduction += timer.seconds();
  check_rigid_modes(d, *reduced);
  log_load_report(d, *reduced);
  log_interfaces(d, reduced->interfaces);
  const system::InitialMotion motion = initial_motion(d);
  const bodies::BodyIndex index = built.system.add_body(
      std::make_unique<bodies::ModalBody>(d.name, reduced->inertia, reduced->M, reduced->K,
                                          reduced->D, reduced->amplitude),
      motion);
  built.bodies.push_back({d.name, index, reduced, nullptr, stress_of_modal_body(*reduced)});
  builder.places.add_carrier(index, motion);
  return {index, reduced};
}

void add_places_of_modal_body(const ReducedEntry& d, bodies::BodyIndex index,
                              const reduction::ReducedBody& reduced, const BodyBuilder& builder) {
  add_flexible_places(d, index, reduced.n_modes(), reduced.interfaces, reduced.points, builder);
  add_supports(builder.model, d, index, reduced.supports, builder.built);
}

}  // namespace solidyn::model
