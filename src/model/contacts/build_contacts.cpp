#include "model/contacts/build_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/bodies/build_superelements.h"
#include "model/contacts/contact_groups.h"
#include "model/places/axes.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/contact/contact_force.h"
#include "solidyn/contact/group_force.h"
#include "solidyn/contact/set_valued_contact.h"
#include "solidyn/contact/set_valued_group.h"
#include "solidyn/system/scales.h"

namespace solidyn::model {
namespace {

using contact::ContactForce;
using contact::PairContact;
using Eigen::Matrix3d;
using Eigen::Vector3d;

// Relative to the mechanism's length.
constexpr double kOverlap = 1e-2;

class ContactBuilder {
 public:
  ContactBuilder(const ContactDescription& contact, const PlaceFinder& places, double first_step,
                 BuiltModel& built)
      : contact_(contact), places_(places), first_step_(first_step), built_(built) {}

  void add() {
    if (contact_.is_group) return add_group();
    const std::vector<bodies::FrameIndex> first = frames_of(0), second = frames_of(1);
    for (const bodies::FrameIndex A : first)
      for (const bodies::FrameIndex B : second)
        add_force(A, contact_.shapes[0].shape, B, contact_.shapes[1].shape);
    if (contact_.axial_clearance) add_collars(second.front());
  }

 private:
  // Those of the shape: one, or one for each point of the body.
  std::vector<bodies::FrameIndex> frames_of(int side) {
    const ContactShapeDescription& shape = contact_.shapes[side];
    const PlaceDescription& place = contact_.between[side];
    if (!shape.is_points) return {add_frame(place, pose_of(shape, place))};
    std::vector<bodies::FrameIndex> frames;
    for (const std::string& point : points_of(shape, place)) {
      PlaceDescription there = place;
      there.kind = PlaceDescription::Kind::point;
      there.name = point;
      bodies::Frame frame = places_.own_frame(there);
      refuse_point_of_superelement(built_, frame, there);
      frames.push_back(built_.system.add_frame(std::move(frame)));
    }
    return frames;
  }

  std::vector<std::string> points_of(const ContactShapeDescription& shape,
                                     const PlaceDescription& place) const {
    if (!shape.points.empty()) return shape.points;
    std::vector<std::string> names;
    for (const BuiltBody& body : built_.bodies)
      if (body.name == place.body && body.reduced)
        for (const reduction::TrackedPoint& point : body.reduced->points)
          names.push_back(point.name);
    if (names.empty())
      throw base::InputError(fmt::format("contacts.{}: the reduced body of `{}` has no points",
                                         contact_.name, place.body),
                             "reduce the body again with `points` in the contact region",
                             place.where);
    return names;
  }

  struct Pose {
    Vector3d p;
    Matrix3d R;
  };
  Pose pose_of(const ContactShapeDescription& shape, const PlaceDescription& place) const {
    const Vector3d p = shape.at ? *shape.at : places_.position(place);
    return {p, shape.axis ? axes_along(shape.axis, shape.reference) : places_.orientation(place)};
  }

  bodies::FrameIndex add_frame(const PlaceDescription& place, const Pose& pose) {
    bodies::Frame frame = places_.frame(place, "contact " + contact_.name, pose.p, pose.R);
    refuse_point_of_superelement(built_, frame, place);
    return built_.system.add_frame(std::move(frame));
  }

  // The shapes of a side on all of its places.
  void add_members(int side, std::vector<contact::ContactGroup::Member>& members) {
    const ContactShapeDescription& shape = contact_.shapes[side];
    for (const PlaceDescription& place : shape.places) {
      const bodies::FrameIndex frame = add_frame(place, pose_of(shape, place));
      members.push_back({built_.system.end_at(frame), side});
    }
  }

  std::set<contact::ContactGroup::Pair> ignored() const {
    std::vector<std::string> names;
    for (const ContactShapeDescription& shape : contact_.shapes)
      for (const PlaceDescription& place : shape.places)
        names.push_back(place.body.empty() ? "ground" : place.body);
    const auto meant = [&](const std::string& pattern) {
      std::vector<int> members;
      for (std::size_t i = 0; i < names.size(); ++i)
        if (matches(pattern, names[i])) members.push_back(static_cast<int>(i));
      return members;
    };
    std::set<contact::ContactGroup::Pair> pairs;
    for (const auto& [first, second] : contact_.ignore)
      for (const int i : meant(first))
        for (const int j : meant(second)) pairs.insert({std::min(i, j), std::max(i, j)});
    return pairs;
  }

  void add_group() {
    std::vector<contact::ContactGroup::Member> members;
    add_members(0, members);
    const int n_first = static_cast<int>(members.size());
    std::vector<contact::Shape> shapes = {contact_.shapes[0].shape};
    if (!contact_.shapes[1].places.empty()) shapes.push_back(contact_.shapes[1].shape);
    add_members(1, members);
    auto group = std::make_shared<contact::ContactGroup>(std::move(shapes), std::move(members),
                                                         n_first, ignored());
    std::unique_ptr<contact::GroupContact> force = make_group_force(std::move(group));
    built_.contact_groups[contact_.name] = force.get();
    built_.system.add_force(std::move(force));
  }

  std::unique_ptr<contact::GroupContact> make_group_force(
      std::shared_ptr<const contact::ContactGroup> group) const {
    const std::string name = "contact " + contact_.name;
    if (!contact_.set_valued)
      return std::make_unique<contact::GroupForce>(name, std::move(group), contact_.law,
                                                   contact_.friction, contact_.resolution);
    contact::SetValuedGroup::Options options{*contact_.set_valued, contact_.name, {}};
    options.first_step = first_step_;
    for (const ContactShapeDescription& shape : contact_.shapes)
      for (const PlaceDescription& place : shape.places) options.members.push_back(place.text());
    const ContactShapeDescription& first = contact_.shapes[0];
    for (const PlaceDescription& place : first.places)
      if (!contact_.surface_velocity.isZero(0.0))
        options.surface_velocities.push_back(pose_of(first, place).R.transpose() *
                                             contact_.surface_velocity);
    return std::make_unique<contact::SetValuedGroup>(name, std::move(group), std::move(options));
  }

  // The middle of the pin between planes across the bush's axis.
  void add_collars(bodies::FrameIndex pin) {
    const Pose bush = pose_of(contact_.shapes[0], contact_.between[0]);
    const Vector3d axis = bush.R.col(2);
    for (const double side : {-1.0, 1.0}) {
      const Pose collar{bush.p + side * *contact_.axial_clearance * axis,
                        axes_along(-side * axis, std::nullopt)};
      add_force(add_frame(contact_.between[0], collar), contact::Plane{}, pin,
                contact::Sphere{0.0});
    }
  }

  void add_force(bodies::FrameIndex A, const contact::Shape& shape_A, bodies::FrameIndex B,
                 const contact::Shape& shape_B) {
    auto force = make_force(A, B, contact::make_geometry(shape_A, shape_B));
    built_.contacts[contact_.name].push_back(force.get());
    built_.system.add_force(std::move(force));
  }

  std::unique_ptr<PairContact> make_force(bodies::FrameIndex A, bodies::FrameIndex B,
                                          std::unique_ptr<contact::PairGeometry> geometry) const {
    const std::string name = "contact " + contact_.name;
    const bodies::FrameLink link = built_.system.link(A, B);
    if (!contact_.set_valued)
      return std::make_unique<ContactForce>(name, link, std::move(geometry), contact_.law,
                                            contact_.friction, contact_.resolution);
    return std::make_unique<contact::SetValuedContact>(
        name, contact_.name, link, std::move(geometry), *contact_.set_valued,
        pose_of(contact_.shapes[0], contact_.between[0]).R.transpose() * contact_.surface_velocity);
  }

  const ContactDescription& contact_;
  const PlaceFinder& places_;
  double first_step_;
  BuiltModel& built_;
};

}  // namespace

void add_contact(const ContactDescription& contact, const PlaceFinder& places, double first_step,
                 BuiltModel& built) {
  ContactBuilder(contact, places, first_step, built).add();
}

void warn_of_overlaps(BuiltModel& built) {
  if (built.contacts.empty() && built.contact_groups.empty()) return;
  const system::State state = built.system.make_state();
  built.system.update(state);
  const double allowed = kOverlap * characteristic_length(built.system);
  std::map<std::string, double> gaps;
  for (const auto& [name, forces] : built.contacts)
    for (const PairContact* force : forces)
      gaps[name] = std::min(gaps[name], *force->gap(built.system.kinematics()));
  for (const auto& [name, force] : built.contact_groups)
    gaps[name] = force->group().smallest_gap(built.system.kinematics());
  for (const auto& [name, gap] : gaps) {
    if (gap < -allowed)
      base::log_warning(
          "contacts.{}: the shapes penetrate by {:.3g} m as modelled; if this is not intended, move them apart, or reverse the `axis` of a plane, which points away from its material",
          name, -gap);
  }
}

}  // namespace solidyn::model
