#include "model/loads/catalogue.h"

#include "model/bodies/body_entry.h"
#include "model/forces/force_entry.h"
#include "model/language/type_table.h"
#include "solidyn/bodies/line_load.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::model {

// Each in the file of its name.
LoadType force_load_row();
LoadType pressure_row();
LoadType traction_row();
LoadType nodal_force_row();
LoadType distributed_row();

const std::vector<LoadType>& load_catalogue() {
  static const std::vector<LoadType> catalogue = {force_load_row(), pressure_row(), traction_row(),
                                                  nodal_force_row(), distributed_row()};
  return catalogue;
}

const LoadType* find_load_type(const std::string& word) { return find_row(load_catalogue(), word); }

const TableSpec& load_table() {
  static const TableSpec table = table_of_types(
      "load",
      "A load: on a place of any body (`force`), on nodes and outer faces of a flexible body (types `modal`, `floating_frame`, `corotational` and `inertial`), or along a beam (`distributed`). In statics the time of the functions is the load parameter, from 0 to 1.",
      load_catalogue(), {});
  return table;
}

std::vector<std::shared_ptr<const LoadEntry>> read_loads(const TableView& file,
                                                         const Scope& scope) {
  std::vector<std::shared_ptr<const LoadEntry>> loads;
  for (const auto& [name, view] : file.tables("loads")) {
    const LoadType* type = find_load_type(view.type());
    if (!type) continue;  // the grammar has complained
    const std::shared_ptr<LoadEntry> load = type->read(view, scope);
    load->name = name;
    load->type = type->word;
    load->where = view.where();
    loads.push_back(load);
  }
  return loads;
}

std::optional<reduction::LoadDefinition> LoadEntry::definition(const std::string&) const {
  return {};
}
std::optional<bodies::SolidLoad> LoadEntry::on_solid(const std::string&) const { return {}; }
std::optional<bodies::LineLoad> LoadEntry::on_beam(const BeamEntry&, const BeamLine*, int) const {
  return {};
}
std::unique_ptr<forces::Force> LoadEntry::build(const Builder&) const { return nullptr; }

std::vector<reduction::LoadDefinition> load_definitions(const ModelDescription& model,
                                                        const BodyEntry& body) {
  std::vector<reduction::LoadDefinition> definitions;
  for (const auto& load : model.loads)
    if (auto definition = load->definition(body.name))
      definitions.push_back(std::move(*definition));
  return definitions;
}

std::vector<bodies::SolidLoad> solid_loads(const ModelDescription& model, const BodyEntry& body) {
  std::vector<bodies::SolidLoad> loads;
  for (const auto& load : model.loads)
    if (auto solid = load->on_solid(body.name)) loads.push_back(std::move(*solid));
  return loads;
}

std::vector<bodies::LineLoad> line_loads(const ModelDescription& model, const BeamEntry& body,
                                         const BeamLine* line, int n_elements) {
  std::vector<bodies::LineLoad> loads;
  for (const auto& load : model.loads)
    if (auto along = load->on_beam(body, line, n_elements)) loads.push_back(std::move(*along));
  return loads;
}

void add_load(const LoadEntry& load, const Builder& builder) {
  if (std::unique_ptr<forces::Force> force = load.build(builder))
    builder.built.loads[load.name] = builder.built.system.add_force(std::move(force));
}

}  // namespace solidyn::model
