#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/loads/on_mesh.h"
#include "solidyn/forces/pressure_load.h"
#include "solidyn/model/build.h"

namespace solidyn::model {
namespace {

using Follows = bodies::SolidLoad::Follows;

/// Against the outward normals of faces.
struct PressureEntry final : LoadEntryOf<PressureEntry, LoadOnMesh> {
  Kind kind() const override { return Kind::pressure; }
  math::TimeFunction pressure;  ///< Pa
  Follows follows = Follows::reference;

  static const Fields<PressureEntry>& fields();
  void check(const TableView& view, const Scope& scope) const;
  std::string acts_on() const override {
    return LoadOnMesh::acts_on() + (follows == Follows::deformed ? ", follows" : "");
  }
  void set_values(bodies::SolidLoad& load) const override {
    load.follows = follows;
    load.pressure = pressure;
  }
  std::unique_ptr<forces::Force> build_rows(const BuiltBody& on, const reduction::LoadRows& rows,
                                            const Builder&) const override {
    return std::make_unique<forces::PressureLoad>(name, on.index, rows, pressure);
  }
};

const Fields<PressureEntry>& PressureEntry::fields() {
  using Self = PressureEntry;
  static const Choice<Follows> words = {{"reference", Follows::reference},
                                        {"deformed", Follows::deformed}};
  static const Fields<Self> list = joined_fields(
      Fields<Self>{}, fields_on_faces(),
      Fields<Self>{
          field(Key("pressure", Form::time_function, "the pressure", "\"1e5*t\"")
                    .in(kPressure)
                    .needed(),
                &Self::pressure),
          field(
              Key("follows", Form::word,
                  "area and normal: of the undeformed body (`reference`; they rotate with the frame of a `modal` or `floating_frame` body and remain constant for other types), or of the deformed body (`deformed`, a follower load; not for `modal` and `floating_frame` bodies)",
                  "deformed")
                  .or_default(),
              words, &Self::follows)});
  return list;
}

void PressureEntry::check(const TableView& view, const Scope& scope) const {
  const BodyEntry* on = scope.model.find_body(body);
  if (on && follows == Follows::deformed && !on->traits().has_absolute_nodes &&
      on->traits().takes_loads_on_mesh)
    view.report().error(
        view.where("follows"),
        fmt::format(
            "{}: `{}` is of type {}, whose small deflections do not affect a pressure: it rotates with the body frame",
            view.path("follows"), body, on->type),
        "remove it, or write  type: corotational  or  type: inertial  there");
}

}  // namespace

LoadType pressure_row() { return PressureEntry::row("pressure", "against the outward normal"); }

}  // namespace solidyn::model
