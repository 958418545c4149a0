#include "model/bodies/build_superelements.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/build_stress.h"
#include "model/bodies/flexible_places.h"
#include "model/bodies/shared_nodes.h"
#include "model/bodies/superelement_entry.h"
#include "model/supports/build_supports.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kJointRows = 6;  // of a fixed joint

struct Source {
  const SuperelementEntry* entry;
  std::shared_ptr<const reduction::InterfaceBody> reduced;
};

// Enough modes of another kind move every interface, too, but not with the right stiffness.
void warn_of_missing_static_shapes(const BodyEntry& d, const reduction::ReducedBody& body) {
  using Kind = reduction::Mode::Kind;
  const bool has_static =
      std::any_of(body.modes.begin(), body.modes.end(), [](const reduction::Mode& mode) {
        return mode.kind == Kind::static_correction || mode.kind == Kind::constraint;
      });
  if (!has_static)
    base::log_warning(
        "body {}: its modes do not contain the static correction of its interfaces, which are therefore too stiff: use  static_correction: at_interfaces",
        d.name);
}

std::shared_ptr<const reduction::InterfaceBody> reduce(const SuperelementEntry& d,
                                                       const BodyBuilder& builder) {
  const auto body = reduce_body(builder.comm, builder.model, d, builder.options.cache_folder).body;
  warn_of_missing_static_shapes(d, *body);
  try {
    return std::make_shared<reduction::InterfaceBody>(
        reduction::to_interface_coordinates(*body, d.internal_modes));
  } catch (const base::InputError& e) {
    std::vector<base::Diagnostic> diagnostics = e.diagnostics();
    for (base::Diagnostic& diagnostic : diagnostics)
      diagnostic.what = fmt::format("bodies.{}: {}", d.name, diagnostic.what);
    throw base::InputError(diagnostics);
  }
}

// All that the model file says of a body but where it is: alike for bodies that are.
std::string likeness(const ModelDescription& model, const BodyEntry& d) {
  const std::string prefix = "bodies." + d.name + ".";
  std::string text;
  for (auto i = model.entries.lower_bound(prefix);
       i != model.entries.end() && i->first.compare(0, prefix.size(), prefix) == 0; ++i) {
    const std::string key = i->first.substr(prefix.size());
    if (key.rfind("pose", 0) != 0 && key.rfind("velocity", 0) != 0)
      text += key + "=" + i->second + "\n";
  }
  for (const mesh::InterfaceDefinition& held : support_interfaces(model, d))
    text += held.name + "=" + d.name + "\n";  // supports are of one body
  return text;
}

// Bodies that are alike are reduced once.
std::vector<Source> reduce_all(const BodyBuilder& builder) {
  std::vector<Source> sources;
  std::vector<base::Diagnostic> errors;
  std::map<std::string, std::shared_ptr<const reduction::InterfaceBody>> known;
  for (const auto& body : builder.model.bodies) {
    const SuperelementEntry* d = body->superelement();
    if (!d) continue;
    try {
      auto& reduced = known[likeness(builder.model, *d)];
      if (!reduced) reduced = reduce(*d, builder);
      sources.push_back({d, reduced});
    } catch (const base::InputError& e) {
      for (base::Diagnostic diagnostic : e.diagnostics()) {
        if (diagnostic.where.file.empty()) diagnostic.where = d->where;
        errors.push_back(std::move(diagnostic));
      }
    }
  }
  if (!errors.empty()) throw base::InputError(errors);
  return sources;
}

std::set<std::string> interfaces_of(const std::vector<Source>& sources) {
  std::set<std::string> names;
  for (const Source& s : sources)
    for (const reduction::ReducedInterface& i : s.reduced->body.interfaces)
      names.insert(s.entry->name + "." + i.name);
  return names;
}

bodies::BodyIndex body_index(const BuiltModel& built, const std::string& name) {
  for (const BuiltBody& body : built.bodies)
    if (body.name == name) return body.index;
  return bodies::kGround;  // the ground
}

// The nodes that interfaces share, by group.
class NodeMaker {
 public:
  NodeMaker(const SharedNodes& shared, BuiltModel& built, PlaceFinder& places)
      : shared_(shared), built_(built), places_(places) {}

  // The frame of an interface on whatever carries it.
  bodies::Frame frame(const std::string& interface, const system::InitialMotion& motion) {
    return places_.frame_on(carrier(interface, motion), interface, motion.p_WB,
                            motion.q_WB.toRotationMatrix());
  }

 private:
  bodies::BodyIndex carrier(const std::string& interface, const system::InitialMotion& motion) {
    if (const auto anchor = shared_.anchor_of(interface)) return body_index(built_, *anchor);
    const auto [found, is_new] = nodes_.emplace(shared_.group_of(interface), bodies::kGround);
    if (is_new) {
      found->second =
          built_.system.add_body(bodies::make_virtual_body("node " + interface), motion);
      places_.add_carrier(found->second, motion);
    }
    return found->second;
  }

  const SharedNodes& shared_;
  BuiltModel& built_;
  PlaceFinder& places_;
  std::map<std::string, bodies::BodyIndex> nodes_;
};

void add_superelement(const Source& source, NodeMaker& nodes, BuiltModel& built,
                      PlaceFinder& places) {
  const BodyEntry& d = *source.entry;
  const system::InitialMotion motion = initial_motion(d);
  std::vector<bodies::FrameIndex> frames;
  for (const reduction::ReducedInterface& i : source.reduced->body.interfaces) {
    const bodies::Frame frame =
        nodes.frame(d.name + "." + i.name, carried_along(motion, i.x_B, Matrix3d::Identity()));
    places.add_place(d.name, i.name, frame);
    frames.push_back(built.system.add_frame(frame));
  }
  log_interfaces(d, source.reduced->body.interfaces);
  const bodies::BodyIndex index = built.system.add_body(
      std::make_unique<bodies::Superelement>(d.name, *source.reduced, frames), motion);
  places.add_carrier(index, motion);
  for (const reduction::TrackedPoint& p : source.reduced->body.points) {
    bodies::Frame frame;
    frame.body = index;
    frame.x_B = p.x_B;
    frame.Psi_t = p.Psi;
    places.add_place(d.name, p.name, frame);
  }
  const reduction::InertiaInvariants& inertia = source.reduced->body.inertia;
  const Vector3d c = inertia.first_moment / inertia.mass;
  base::log_info(
      "body {}: {:.6g} kg, centre of mass ({:.4g}, {:.4g}, {:.4g}) m, superelement of {} interfaces and {} internal modes",
      d.name, inertia.mass, c.x(), c.y(), c.z(), source.reduced->n_interfaces,
      source.reduced->n_internal);
  const std::shared_ptr<const reduction::ReducedBody> shown(source.reduced, &source.reduced->body);
  built.bodies.push_back({d.name, index, shown, nullptr, stress_of_modal_body(*shown)});
  built.bodies.back().followed_frames = std::move(frames);
}

void sort_as_in_file(const ModelDescription& model, std::vector<BuiltBody>& bodies) {
  std::map<std::string, std::size_t> place_of;
  for (const auto& body : model.bodies) place_of.emplace(body->name, place_of.size());
  const auto place = [&](const BuiltBody& body) { return place_of.at(body.name); };
  std::sort(bodies.begin(), bodies.end(),
            [&](const BuiltBody& a, const BuiltBody& b) { return place(a) < place(b); });
}

}  // namespace

void add_superelements(const BodyBuilder& builder) {
  const ModelDescription& model = builder.model;
  BuiltModel& built = builder.built;
  PlaceFinder& places = builder.places;
  base::Timer timer;
  const std::vector<Source> sources = reduce_all(builder);
  built.seconds_reduction += timer.seconds();
  if (sources.empty()) return;
  const SharedNodes shared(model, interfaces_of(sources));
  built.shared_joints = shared.joints();
  NodeMaker nodes(shared, built, places);
  for (const Source& source : sources) add_superelement(source, nodes, built, places);
  sort_as_in_file(model, built.bodies);
  if (!built.shared_joints.empty())
    base::log_info(
        "{} fixed joints are replaced by shared nodes of superelements, which saves {} multipliers",
        built.shared_joints.size(), kJointRows * built.shared_joints.size());
}

void refuse_point_of_superelement(const BuiltModel& built, const bodies::Frame& frame,
                                  const PlaceDescription& place) {
  if (frame.body == bodies::kGround || frame.Psi_t.cols() == 0) return;
  if (!built.system.body(frame.body).is_carried()) return;
  throw base::InputError(
      fmt::format("{}.{} is a point of a superelement, to which no joint or force can be attached",
                  place.body, place.name),
      "define an interface there", place.where);
}

}  // namespace solidyn::model
