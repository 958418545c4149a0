#include "model/sensors/catalogue.h"

#include "model/language/type_table.h"
#include "model/sensors/sensor_formula.h"
#include "solidyn/base/error.h"

namespace solidyn::model {

// Each in the file of its name, or of its family: motion, joint_coordinate, section.
SensorType relative_displacement_sensor_row();
SensorType position_sensor_row();
SensorType velocity_sensor_row();
SensorType acceleration_sensor_row();
SensorType orientation_sensor_row();
SensorType angular_velocity_sensor_row();
SensorType angular_acceleration_sensor_row();
SensorType joint_angle_sensor_row();
SensorType joint_translation_sensor_row();
SensorType reaction_sensor_row();
SensorType support_force_sensor_row();
SensorType energy_sensor_row();
SensorType momentum_sensor_row();
SensorType centre_of_mass_sensor_row();
SensorType multiplier_sensor_row();
SensorType stress_sensor_row();
SensorType contact_sensor_row();
SensorType force_sensor_row();
SensorType joint_force_sensor_row();
SensorType drive_sensor_row();
SensorType section_force_sensor_row();
SensorType section_strain_sensor_row();
SensorType expression_sensor_row();

const std::vector<SensorType>& sensor_catalogue() {
  // One row per line, so that a new type is one line more.
  // clang-format off
  static const std::vector<SensorType> catalogue = {relative_displacement_sensor_row(),
                                                    position_sensor_row(),
                                                    velocity_sensor_row(),
                                                    acceleration_sensor_row(),
                                                    orientation_sensor_row(),
                                                    angular_velocity_sensor_row(),
                                                    angular_acceleration_sensor_row(),
                                                    joint_angle_sensor_row(),
                                                    joint_translation_sensor_row(),
                                                    reaction_sensor_row(),
                                                    support_force_sensor_row(),
                                                    energy_sensor_row(),
                                                    momentum_sensor_row(),
                                                    centre_of_mass_sensor_row(),
                                                    multiplier_sensor_row(),
                                                    stress_sensor_row(),
                                                    contact_sensor_row(),
                                                    force_sensor_row(),
                                                    joint_force_sensor_row(),
                                                    drive_sensor_row(),
                                                    section_force_sensor_row(),
                                                    section_strain_sensor_row(),
                                                    expression_sensor_row()};
  // clang-format on
  return catalogue;
}

const SensorType* find_sensor_type(const std::string& word) {
  return find_row(sensor_catalogue(), word);
}

const TableSpec& sensor_table() {
  static const TableSpec table = [] {
    Words words;
    for (const SensorType& type : sensor_catalogue()) words.push_back(type.word);
    TableSpec all{
        "sensor",
        "A quantity to record in `history.csv`, in SI units. A sensor with several components gives the columns name.x, name.y ...",
        {Key("type", Form::word, "what is recorded", "position").among(words).needed()},
        "type"};
    for (const SensorType& type : sensor_catalogue()) add_keys_of_type(type.word, type.keys, all);
    return all;
  }();
  return table;
}

SensorEntries read_sensors(const TableView& file, const Scope& scope) {
  std::vector<std::pair<TableView, std::shared_ptr<SensorEntry>>> read;
  for (const auto& [name, view] : file.tables("sensors")) {
    const SensorType* type = find_sensor_type(view.type());
    if (!type) continue;  // the grammar has complained
    if (name == "time")
      view.report().error(view.where(), "sensors.time: `time` is already the first column",
                          "choose another name");
    const std::shared_ptr<SensorEntry> sensor = type->read(view, scope);
    sensor->name = name;
    sensor->type = type->word;
    sensor->where = view.where();
    read.emplace_back(view, sensor);
  }
  SensorEntries sensors;
  for (const auto& [view, sensor] : read) sensors.push_back(sensor);
  for (const auto& [view, sensor] : read) sensor->read_formula(view, sensors);
  refuse_circles(sensors, file.report());
  return sensors;
}

void add_sensors(const Builder& builder) {
  const SensorEntries& sensors = builder.model.sensors;
  std::vector<base::Diagnostic> errors;
  std::map<std::string, analyses::Sensor> others;
  const SensorBuilder with_others{builder, others};
  for (const auto& sensor : sensors) {
    if (sensor->formula()) continue;
    try {
      others[sensor->name] = sensor->make(with_others);
    } catch (const base::InputError& e) {
      for (base::Diagnostic diagnostic : e.diagnostics()) {
        if (diagnostic.where.file.empty()) diagnostic.where = sensor->where;
        errors.push_back(std::move(diagnostic));
      }
    }
  }
  if (!errors.empty()) throw base::InputError(errors);
  for (const auto& sensor : sensors)
    builder.built.sensors.push_back(sensor->formula() ? sensor->make(with_others)
                                                      : others.at(sensor->name));
}

}  // namespace solidyn::model
