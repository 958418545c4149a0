#pragma once
#include <memory>

#include "model/bodies/build_bodies.h"
#include "model/forces/formula_reader.h"
#include "solidyn/forces/effort.h"
#include "solidyn/forces/force.h"
#include "solidyn/forces/measure.h"
#include "solidyn/forces/measured_columns.h"
#include "solidyn/model/sensor_variable.h"

/// Forces that depend on sensors of the motion.
namespace solidyn::model {

struct BuiltCoordinate;
struct Builder;

/// Why a force cannot depend on what a sensor records: accelerations, forces and so on.
std::optional<Rejection> rejection_by_force(const FormulaVariable& variable);

/// What a column of a sensor of the motion records, as a variable of a force.
/// @throws base::InputError when it is a point that nothing can act on
std::unique_ptr<forces::Measure> make_measure(const SensorVariable& variable,
                                              const Builder& builder);

/// Whether the key has a table over a sensor: {table, of}.
bool is_over_sensor(const TableView& view, const std::string& key);

/// Such a table under `key`, an actuator; nothing where there is none, or after a complaint.
std::optional<TableOverSensor> read_over_sensor(const TableView& view, const std::string& key,
                                                const SensorEntries& sensors);

/// Which velocities of the system are whose.
forces::SystemLayout layout_of(const system::System& system);

/// A law along a coordinate, with an actuator over a sensor where there is one.
std::unique_ptr<forces::Force> make_coordinate_force(const std::string& name,
                                                     const BuiltCoordinate& along,
                                                     std::unique_ptr<forces::EffortLaw> law,
                                                     const std::optional<TableOverSensor>& actuator,
                                                     const Builder& builder);

}  // namespace solidyn::model
