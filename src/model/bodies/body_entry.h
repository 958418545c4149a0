#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/language/field.h"
#include "model/places/poses.h"
#include "model/read.h"
#include "solidyn/model/appearance.h"
#include "solidyn/model/place_description.h"

namespace solidyn::model {

class BeamEntry;          // beams/beam_entry.h
class FlexibleEntry;      // flexible_entry.h
class ReducedEntry;       // reduced_entry.h
class SuperelementEntry;  // superelement_entry.h
struct BodyBuilder;       // build_bodies.h

/// What others ask of every body of a type before they ask the body: data.
struct BodyTraits {
  /// Rigid by its mass and inertia: its origin and its named frames are places. A rigid body that a
  /// mesh describes has interfaces instead.
  bool carries_frames = false;
  /// The displacements of all nodes of a mesh are unknowns.
  bool keeps_all_nodes = false;
  /// Nodes are in absolute coordinates: no axes turn with them.
  bool has_absolute_nodes = false;
  /// Nodes and faces of its mesh can be loaded.
  bool takes_loads_on_mesh = false;
  /// Its points follow its interfaces, and take no forces.
  bool has_passive_points = false;
};

/// Why something cannot be done with a body, as the end of "`rod` ...", and what to do.
struct Refusal {
  std::string why, remedy;
  explicit operator bool() const { return !why.empty(); }
};

/// A function of time among what a file says of a body.
struct BodyLaw {
  const math::TimeFunction& law;
  std::string path;  ///< "bodies.mast.prestrain.stretch"
  base::SourceLocation where;
  bool is_stretch = false;  ///< of which -1 leaves no length
  bool is_driven = false;   ///< the body follows it
};
using BodyLawVisitor = std::function<void(const BodyLaw&)>;

/// What a file says of every body.
struct BodyPlacement {
  PoseDescription pose;          ///< body axes in the world at t = 0
  VelocityDescription velocity;  ///< of the body's origin
  Appearance appearance;

  static const Fields<BodyPlacement>& fields();
};

/// A body of the model file (`bodies:`). Each type is one class in one file of this folder, and one
/// row of the catalogue (catalogue.cpp); others know it by its traits and by what it answers.
/// Entries do not change once they are read, so that copies of a ModelDescription share them.
class BodyEntry : public BodyPlacement {
 public:
  virtual ~BodyEntry() = default;

  std::string name;
  std::string type;  ///< its word in the model file
  base::SourceLocation where;

  virtual const BodyTraits& traits() const = 0;
  /// For the summary: "mass 2 kg, 1 frames".
  virtual std::string in_words() const = 0;
  /// Adds it to the system. @throws base::InputError
  virtual void build(const BodyBuilder& builder) const = 0;

  /// Frames, interfaces and points by which others name places of it, as far as the model file says
  /// them.
  virtual std::vector<PlaceDescription> places() const = 0;
  std::vector<std::string> place_names(PlaceDescription::Kind kind) const;
  /// Whether files that are not read yet bring more of them.
  virtual bool has_open_places() const { return false; }
  /// Where its stress is wanted.
  virtual std::vector<std::string> stress_places() const { return {}; }
  /// Files that say what the body is, by their keys: "import.modes".
  virtual std::vector<std::pair<std::string, std::filesystem::path>> files() const { return {}; }
  virtual void visit_laws(const BodyLawVisitor&) const {}

  /// Whether its nodes can be held, and what else it asks of a support.
  virtual Refusal refuses_supports() const = 0;
  virtual void check_support(const TableView&, const SupportDescription&) const {}
  /// Whether it has natural modes by itself.
  virtual Refusal refuses_own_modes() const { return {}; }

  /// Of a body that is read from a file of `solidyn reduce`: that file; else empty.
  virtual std::filesystem::path reduced_file() const { return {}; }
  /// Null where it is none of these.
  virtual const BeamEntry* beam() const { return nullptr; }
  virtual const FlexibleEntry* flexible() const { return nullptr; }  ///< by solid elements
  virtual const ReducedEntry* reduced() const { return nullptr; }
  virtual const SuperelementEntry* superelement() const { return nullptr; }

 protected:
  PlaceDescription place(PlaceDescription::Kind kind, const std::string& of) const;
};

/// A row of the catalogue: what the file's grammar must know of a type before any body is read.
struct BodyType {
  std::string word;
  std::vector<KeySpec> keys;
  std::function<std::shared_ptr<BodyEntry>(const TableView&, const Scope&)> read;
};

/// An entry whose keys are E::fields(). What takes more than one value to check, E::check reports.
/// @tparam Base what several types have alike
template <class E, class Base = BodyEntry>
class BodyEntryOf : public Base {
 public:
  static std::shared_ptr<BodyEntry> read(const TableView& view, const Scope& scope) {
    auto entry = std::make_shared<E>();
    read_fields(E::fields(), view, scope, *entry);
    entry->check(view, scope);
    return entry;
  }
  static BodyType row(std::string word) { return {std::move(word), keys_of(E::fields()), read}; }
};

}  // namespace solidyn::model
