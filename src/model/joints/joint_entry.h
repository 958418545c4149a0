#pragma once
#include <functional>
#include <map>
#include <memory>

#include "model/bodies/build_bodies.h"
#include "model/joints/joint_traits.h"
#include "model/language/field.h"
#include "solidyn/forces/effort.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/model/place_description.h"
#include "solidyn/model/sensor_variable.h"

namespace solidyn::model {

struct Builder;  // model/forces/force_entry.h
struct Names;    // model/read.h

/// Along one of a joint's freedoms.
struct CoordinateForces {
  std::optional<forces::SpringDamper::Options> spring;  ///< springs, dampers and actuators
  std::optional<TableOverSensor> actuator;              ///< instead of that of `spring`
  std::optional<forces::Stops::Options> limits;
  std::optional<forces::SetValuedLaw> stop;  ///< of the limits, instead of their stiffness
  enum class Clutch { none, positive, negative };
  Clutch clutch = Clutch::none;  ///< to where the coordinate may go

  bool is_set_valued() const { return stop || clutch != Clutch::none; }
};

struct FrictionOfJoint {
  joints::JointFriction::Options options;  ///< what follows from the joint is filled in later
  double thrust_radius = 0.0;              ///< m; 0: forces along the axis press nothing
  bool is_set_valued = false;              ///< sticks exactly
};

/// `spring`, `damper`, `actuator`, `limits`, `one_way` and `friction` of a joint.
struct JointForces {
  std::map<JointFreedom, CoordinateForces> along;
  std::optional<FrictionOfJoint> friction;
};

/// What a function of time in a joint gives.
enum class LawKind { effort, rate, position, length };
using JointLawVisitor =
    std::function<void(const math::TimeFunction& law, const std::string& key, LawKind kind)>;

/// A joint, a coupling or a drive of the model file (`joints:`). Each type is one class and a row
/// of the catalogue (catalogue.cpp), with traits that are data; nothing else knows it. Entries do
/// not change once a model is read, so that copies of a ModelDescription share them.
class JointEntry {
 public:
  virtual ~JointEntry() = default;

  std::string name;
  JointTraits type;
  JointForces forces;
  bool is_cut = false;  ///< the loop that it belongs to, in relative coordinates
  base::SourceLocation where;

  /// For the summary: "ground - crank", "drives main_bearing, angle \"150*t\"".
  virtual std::string acts_on() const = 0;
  /// The two places between which it is; of couplings, and of drives of other joints, none.
  virtual std::vector<PlaceDescription> places() const { return {}; }
  /// The joint whose frames it has, of a drive; else empty.
  virtual std::string driven_joint() const { return {}; }
  /// Whether it is to be built after the joints that it acts on.
  bool acts_on_joints() const {
    return type.family == JointFamily::coupling || !driven_joint().empty();
  }
  virtual bool has_axis() const { return false; }  ///< `axis` is given
  /// Whether it may be a node that bodies share, and no constraint.
  virtual bool may_share_node() const { return false; }
  /// What in it is set-valued: "limits", "one_way" or "friction", with its freedom before it where
  /// it has several; and what makes it no longer that.
  struct SetValuedPart {
    std::string path, remedy;
  };
  std::vector<SetValuedPart> set_valued_parts() const;
  /// The same as events.csv and sensors have them, each direction of a limit by itself:
  /// "hinge.limits.upper".
  struct SetValuedName {
    std::string name;
    forces::SetValuedLaw::Kind kind;
  };
  std::vector<SetValuedName> set_valued_names() const;
  /// What a linear analysis can take as its inputs, by their names.
  virtual std::vector<std::string> inputs() const { return {}; }
  virtual bool prescribes_rate() const { return false; }
  virtual int n_multipliers() const = 0;
  /// How much of the force along the axis presses where it rubs. @pre it has friction
  virtual double thrust() const;
  virtual void visit_laws(const JointLawVisitor& visit) const;
  /// Adds its frames and its constraint. @pre the joints that it names have been added
  virtual void build(const Builder& builder) const = 0;
  /// Warns where its places do not fit as modelled, and appends an error where they are far from
  /// it.
  virtual void check_gap(const PlaceFinder&, std::vector<base::Diagnostic>&) const {}
};

/// A row of the catalogue.
struct JointType {
  JointTraits traits;
  /// Its own; `spring`, `damper`, `actuator`, `limits` and `one_way`; `friction`; `cut`.
  std::array<std::vector<KeySpec>, 4> keys;
  std::function<std::shared_ptr<JointEntry>(const TableView&, const Scope&)> read;
};

/// The keys of what acts in joints of a type.
Fields<JointEntry> fields_of_joint_forces(const JointTraits& traits);
Fields<JointEntry> fields_of_friction(const JointTraits& traits);
Fields<JointEntry> fields_of_cut(const JointTraits& traits);

/// A row of joints that are E, with these fields. What takes more than one value to check,
/// E::check reports.
/// @param prototype what all of them have in common, such as their traits
template <class E>
JointType joint_type(const E& prototype, const Fields<E>& fields) {
  const Fields<JointEntry> of_forces = fields_of_joint_forces(prototype.type);
  const Fields<JointEntry> of_friction = fields_of_friction(prototype.type);
  const Fields<JointEntry> of_cut = fields_of_cut(prototype.type);
  return {prototype.type,
          {keys_of(fields), keys_of(of_forces), keys_of(of_friction), keys_of(of_cut)},
          [=](const TableView& view, const Scope& scope) {
            auto entry = std::make_shared<E>(prototype);
            read_fields(fields, view, scope, *entry);
            entry->check(view, scope);
            for (const auto* more : {&of_forces, &of_friction, &of_cut})
              read_fields(*more, view, scope, static_cast<JointEntry&>(*entry));
            return entry;
          }};
}

}  // namespace solidyn::model
