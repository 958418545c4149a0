#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/bodies/build_superelements.h"
#include "model/forces/force_entry.h"
#include "model/loads/load_entry.h"
#include "solidyn/forces/frame_load.h"

namespace solidyn::model {
namespace {

using forces::FrameLoad;

/// A force and a torque on a place.
struct ForceLoad final : LoadEntryOf<ForceLoad> {
  PlaceDescription at;
  FrameLoad::Axes axes = FrameLoad::Axes::world;
  forces::VectorFunction force, torque;  ///< N, N m

  static const Fields<ForceLoad>& fields();
  void check(const TableView& view, const Scope& scope) const;
  std::string acts_on() const override {
    return "on " + at.text() + (axes == FrameLoad::Axes::frame ? ", follows" : "");
  }
  std::vector<PlaceDescription> places() const override { return {at}; }
  bool has_components() const override { return true; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

void read_loaded_place(ForceLoad& load, const TableView& view, const Scope& scope) {
  if (!view.is_good("at")) return;
  load.at = read_place(view.text("at"), view.path("at"), view.where("at"), scope.model, scope.names,
                       false, view.report());
}

const Fields<ForceLoad>& ForceLoad::fields() {
  using Self = ForceLoad;
  static const Choice<FrameLoad::Axes> axes_of = {{"world", FrameLoad::Axes::world},
                                                  {"body", FrameLoad::Axes::frame}};
  static const Fields<Self> list = {
      read_by<Self>(
          Key("at", Form::reference,
              "the place: `body` (its origin; rigid bodies), `body.frame`, `body.interface` or `body.point`",
              "beam.tip")
              .needed(),
          read_loaded_place),
      field(Key("force", Form::time_vector, "components of the force", "[0, 0, \"-100*t\"]")
                .in(kForce),
            &Self::force),
      field(Key("torque", Form::time_vector, "components of the torque", "[0, \"5*t\", 0]")
                .in(kTorque),
            &Self::torque),
      field(
          Key("axes", Form::word,
              "axes of the components: of the `world`, or of the place or body (`body`), following its rotation; nodes in absolute coordinates have no axes",
              "body")
              .or_default(),
          axes_of, &Self::axes)};
  return list;
}

// A point of a body with nodes in absolute coordinates has no axes; no point takes a torque.
void check_loaded_place(const TableView& view, const ForceLoad& load, const Scope& scope) {
  const BodyEntry* body = scope.model.find_body(load.at.body);
  if (!body || body->has_open_places()) return;
  const bool is_point = load.at.kind == PlaceDescription::Kind::point;
  const char* remedy = "define an interface there";
  if (is_point && view.has("torque"))
    view.report().error(view.where("torque"),
                        fmt::format("{}: `{}` is a point, to which no torque can be applied",
                                    view.path("torque"), view.text("at")),
                        remedy);
  if (is_point && load.axes == FrameLoad::Axes::frame && body->traits().has_absolute_nodes)
    view.report().error(
        view.where("axes"),
        fmt::format("{}: `{}` is a point without axes", view.path("axes"), view.text("at")),
        remedy);
  if (load.at.kind == PlaceDescription::Kind::body && !body->traits().carries_frames)
    view.report().error(
        view.where("at"),
        fmt::format("{}: `{}` is flexible; a force needs one of its interfaces or points",
                    view.path("at"), load.at.body),
        fmt::format("define one under bodies.{}.interfaces", body->name));
}

void ForceLoad::check(const TableView& view, const Scope& scope) const {
  if (!view.has("force") && !view.has("torque"))
    view.report().error(view.where(), fmt::format("{} has neither force nor torque", view.path()),
                        "give one, for example  force: [0, 0, \"10*t\"]");
  if (view.is_good("at")) check_loaded_place(view, *this, scope);
}

std::unique_ptr<forces::Force> ForceLoad::build(const Builder& builder) const {
  bodies::Frame frame = builder.places.own_frame(at);
  refuse_point_of_superelement(builder.built, frame, at);
  if (frame.body == bodies::kGround)  // an interface of a superelement
    throw base::InputError(
        fmt::format("loads.{} acts on the ground: its place is fixed by a joint", name),
        "remove it, or apply it to an interface that moves", where);
  frame.name = "load " + name;
  const bodies::FrameIndex index = builder.built.system.add_frame(std::move(frame));
  return std::make_unique<FrameLoad>(name, index, builder.places.carrier_of_frame(index), axes,
                                     force, torque);
}

}  // namespace

LoadType force_load_row() { return ForceLoad::row("force", "force and torque on a place"); }

}  // namespace solidyn::model
