#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/language/field.h"
#include "model/read.h"
#include "solidyn/model/place_description.h"

namespace solidyn::bodies {
struct SolidLoad;
class LineLoad;
}  // namespace solidyn::bodies

namespace solidyn::forces {
class Force;
}

namespace solidyn::reduction {
struct LoadDefinition;
}

namespace solidyn::model {

class BeamEntry;
struct BeamLine;
struct Builder;

/// A load of the model file (`loads:`): a given function of time. Each type is one class in one
/// file of this folder, and one row of the catalogue (catalogue.cpp); nothing else knows it.
/// Entries do not change once they are read, so that copies of a ModelDescription share them.
class LoadEntry {
 public:
  virtual ~LoadEntry() = default;

  std::string name;
  std::string type;  ///< its word in the model file
  base::SourceLocation where;

  /// Where it acts, for the summary: "on body wing, follows".
  virtual std::string acts_on() const = 0;
  /// The places that it names.
  virtual std::vector<PlaceDescription> places() const { return {}; }
  virtual void visit_laws(const LawVisitor& visit) const = 0;
  /// Whether its components, force_x to torque_z, can be inputs of a linearised mechanism.
  virtual bool has_components() const { return false; }
  /// The beam whose elements carry it; empty: none.
  virtual std::string beam() const { return {}; }

  /// Where on the mesh of a body it acts, and how; nothing when it does not.
  virtual std::optional<reduction::LoadDefinition> definition(const std::string& body) const;
  /// The same with its values, of a body in absolute coordinates.
  virtual std::optional<bodies::SolidLoad> on_solid(const std::string& body) const;
  /// As a body of beam elements carries it; nothing when it acts elsewhere.
  /// @param line of a beam by points; null: lines of a mesh, on all of which it is the same
  virtual std::optional<bodies::LineLoad> on_beam(const BeamEntry& body, const BeamLine* line,
                                                  int n_elements) const;
  /// Bodies are there. Null where the body itself carries it, as the three above say.
  /// @throws base::InputError when it acts on the ground, or on nodes or faces that a reduced-body
  ///   file does not know
  virtual std::unique_ptr<forces::Force> build(const Builder& builder) const;
};

/// A row of the catalogue: what the file's grammar must know of a type before any load is read.
struct LoadType {
  std::string word;
  std::string meaning;  ///< of the word, behind it in parentheses
  std::vector<KeySpec> keys;
  std::function<std::shared_ptr<LoadEntry>(const TableView&, const Scope&)> read;
};

/// An entry whose keys are E::fields(). What takes more than one value to check, E::check reports.
template <class E, class Base = LoadEntry>
class LoadEntryOf : public Base {
 public:
  void visit_laws(const LawVisitor& visit) const final {
    model::visit_laws(E::fields(), static_cast<const E&>(*this), visit);
  }

  static LoadType row(std::string word, std::string meaning) {
    return {std::move(word), std::move(meaning), keys_of(E::fields()),
            [](const TableView& view, const Scope& scope) {
              auto entry = std::make_shared<E>();
              read_fields(E::fields(), view, scope, *entry);
              entry->check(view, scope);
              return entry;
            }};
  }
};

}  // namespace solidyn::model
