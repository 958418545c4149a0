#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/bodies/build_bodies.h"
#include "model/language/field.h"
#include "solidyn/forces/reading.h"
#include "solidyn/model/place_description.h"

namespace solidyn::model {

/// What building needs beside the entry.
struct Builder {
  const ModelDescription& model;
  const PlaceFinder& places;
  BuiltModel& built;
};

/// A force of the model file (`forces:`). Each type is one class in one file of this folder, and
/// one row of the catalogue (catalogue.cpp); nothing else knows it. Entries do not change once they
/// are read, so that copies of a ModelDescription share them.
class ForceEntry {
 public:
  virtual ~ForceEntry() = default;

  std::string name;
  std::string type;  ///< its word in the model file
  base::SourceLocation where;

  /// Where it acts, for the summary: "crank - rod.small_end".
  virtual std::string acts_on() const = 0;
  /// The places that it names.
  virtual std::vector<PlaceDescription> places() const = 0;
  virtual void visit_laws(const LawVisitor& visit) const = 0;
  /// What a report draws for it: "spring", "damper", "bushing" or "force".
  virtual const char* drawn_as() const { return "force"; }
  /// Files beside the model file that say what the force is, by their keys.
  virtual std::vector<std::pair<std::string, std::filesystem::path>> files() const { return {}; }
  /// Bodies and joints are there.
  /// @throws base::InputError when its places do not move relative to each other, or meet
  virtual std::unique_ptr<forces::Force> build(const Builder& builder) const = 0;
};

/// A row of the catalogue: what the file's grammar and sensors must know of a type before any force
/// is read.
struct ForceType {
  std::string word;
  std::string meaning;  ///< of the word, behind it in parentheses
  std::vector<KeySpec> keys;
  forces::Readings readings;  ///< of its own, as forces::Force::readings()
  std::function<std::shared_ptr<ForceEntry>(const TableView&, const Scope&)> read;
};

/// An entry whose keys are E::fields(). What takes more than one value to check, E::check reports.
template <class E>
class ForceEntryOf : public ForceEntry {
 public:
  void visit_laws(const LawVisitor& visit) const final {
    model::visit_laws(E::fields(), static_cast<const E&>(*this), visit);
  }
  void check(const TableView&, const Scope&) const {}

  static ForceType row(std::string word, std::string meaning, forces::Readings readings = {}) {
    return {std::move(word), std::move(meaning), keys_of(E::fields()), std::move(readings),
            [](const TableView& view, const Scope& scope) {
              auto entry = std::make_shared<E>();
              read_fields(E::fields(), view, scope, *entry);
              entry->check(view, scope);
              return entry;
            }};
  }
};

}  // namespace solidyn::model
