#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/forces/force_entry.h"
#include "model/language/field.h"
#include "solidyn/analyses/sensors.h"
#include "solidyn/forces/measure.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

struct SectionPoint;   // sensors/section_point.h
struct SensorFormula;  // sensors/sensor_formula.h

/// A pure number, as columns show its unit.
inline const Quantity kNumber{"1", 0, 0, 0, 0, 0};

/// One of the things that a sensor records.
struct Recorded {
  std::string word;  ///< of the key `component`; empty where there is nothing to choose
  std::optional<Quantity> quantity;  ///< nothing of a multiplier, which is a force or a torque
};

/// A column of history.csv, and what it measures.
struct SensorColumn {
  std::string name;
  std::optional<Quantity> quantity;
};

/// Why something cannot be used for a purpose, and what to do about it.
struct Rejection {
  std::string what, remedy;
};

/// What building needs beside the entry.
struct SensorBuilder : Builder {
  /// By their names: of a formula all sensors without one.
  const std::map<std::string, analyses::Sensor>& others;
};

/// A sensor of the model file (`sensors:`). Each type is one class in one file of this folder, and
/// one row of the catalogue (catalogue.cpp); nothing else knows it. Entries do not change once they
/// are read, so that copies of a ModelDescription share them.
class SensorEntry {
 public:
  virtual ~SensorEntry() = default;

  std::string name;
  std::string type;  ///< its word in the model file
  base::SourceLocation where;

  /// In the order of its columns.
  virtual std::vector<Recorded> recorded() const = 0;
  /// The columns of the sensor that is built of it: name, or name.x, name.y ... when it has
  /// several.
  std::vector<SensorColumn> columns() const;

  /// Bodies, joints, contacts and forces are there.
  /// @throws base::InputError when they do not have what the sensor names
  virtual analyses::Sensor make(const SensorBuilder& builder) const = 0;

  /// Whether positions and velocities determine what it records, so that a force can depend on it.
  virtual bool is_measurable() const { return false; }
  /// Why a force cannot depend on a column, where it cannot. @param column its name
  virtual std::optional<Rejection> force_rejection(const std::string& column) const;
  /// A column as a variable of a force. @pre there is no rejection to it
  /// @throws base::InputError when it is of a point that nothing can act on
  virtual std::unique_ptr<forces::Measure> measure(int column, const Builder& builder) const;
  /// Whether it is an angle that continues from turn to turn.
  virtual bool counts_turns() const { return false; }

  /// Whether it needs the joint as a constraint.
  virtual bool reads_joint(const std::string& /*joint*/) const { return false; }
  /// Null where it is not of a section of a beam.
  virtual const SectionPoint* section() const { return nullptr; }

  /// Null where it is not a formula of other sensors.
  virtual const SensorFormula* formula() const { return nullptr; }
  /// When all sensors have been read, each of which a formula may use.
  virtual void read_formula(const TableView&, const SensorEntries& /*all*/) {}
};

/// A row of the catalogue: what is known of a type before any sensor is read.
struct SensorType {
  std::string word;
  std::vector<KeySpec> keys;
  bool is_measurable;  ///< see SensorEntry
  std::function<std::shared_ptr<SensorEntry>(const TableView&, const Scope&)> read;
};

/// An entry whose keys are E::fields(). What takes more than one value to check, E::check reports.
/// @tparam Base what several types have alike
template <class E, class Base = SensorEntry>
class SensorEntryOf : public Base {
 public:
  void check(const TableView&, const Scope&) const {}

  /// @param blank what distinguishes the type among others of the same class
  static SensorType row(std::string word, E blank = E()) {
    return {std::move(word), keys_of(E::fields()), blank.is_measurable(),
            [blank](const TableView& view, const Scope& scope) {
              auto entry = std::make_shared<E>(blank);
              read_fields(E::fields(), view, scope, *entry);
              entry->check(view, scope);
              return entry;
            }};
  }
};

}  // namespace solidyn::model
