#include "solidyn/model/load.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "model/analyses/formulation.h"
#include "model/bodies/catalogue.h"
#include "model/bodies/materials.h"
#include "model/check.h"
#include "model/contacts/read_contacts.h"
#include "model/forces/catalogue.h"
#include "model/joints/catalogue.h"
#include "model/language/overrides.h"
#include "model/language/parameters.h"
#include "model/language/report.h"
#include "model/language/value.h"
#include "model/language/without_defaults.h"
#include "model/loads/catalogue.h"
#include "model/read.h"
#include "model/sensors/catalogue.h"
#include "model/supports/support.h"
#include "model/track/rail_track.h"
#include "solidyn/base/lfs_pointer.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/model/grammar.h"

namespace solidyn::model {
namespace {

std::string read_text(const std::filesystem::path& path) {
  constexpr std::uintmax_t kLargest = 64u << 20;
  std::error_code code;
  const std::string name = path.string();
  if (!std::filesystem::exists(path, code))
    throw base::InputError(fmt::format("there is no file `{}`", name),
                           "check the name and the folder");
  if (!std::filesystem::is_regular_file(path, code))
    throw base::InputError(fmt::format("`{}` is not a file", name), "name a model file (YAML)");
  if (std::filesystem::file_size(path, code) > kLargest)
    throw base::InputError(fmt::format("`{}` is larger than 64 MB", name),
                           "a model file is a short text file; name a YAML file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw base::InputError(fmt::format("cannot read `{}`", name), "check its permissions");
  base::refuse_lfs_pointer(text.str(), name);
  return text.str();
}

/// The parts in an order in which each refers only to earlier ones.
void read_parts(const TableView& file, ModelDescription& model) {
  Names names;
  model.title = file.text("title");
  model.gravity = file.vector("gravity");
  read_formulation(file, model);
  model.materials = read_materials(file, {model, names});
  read_body_names(file, names);
  model.bodies = read_bodies(file, {model, names});
  read_joint_names(file, names);
  const auto joints = read_joints(file, {model, names});
  model.joints.assign(joints.begin(), joints.end());
  model.loads = read_loads(file, {model, names});
  model.contacts = read_contacts(file, {model, names});
  model.supports = read_supports(file, {model, names});
  for (const auto& [name, view] : file.tables("forces")) names.forces[name] = view.type();
  model.sensors = read_sensors(file, {model, names});
  read_joint_actuators(file, model.sensors, joints);
  names.has_track = file.has("track");
  model.track = read_track(file, {model, names});
  model.forces = read_forces(file, {model, names});  // after the sensors that they may depend on
  check_wheelsets(file, model);
  check_track_is_used(file, model);
  model.analyses = read_analyses(file, {model, names});
  check_running_speed(file, model);
  check_flexible_rails(file, model);
  model.solver = read_solver(file, {model, names});
  model.output = read_output(file, {model, names});
}

/// The same keys, of which `analyses` may be left out.
const TableSpec& grammar_without_analyses() {
  static const TableSpec grammar = [] {
    TableSpec table = model_grammar();
    for (KeySpec& key : table.keys)
      if (key.key == "analyses") key.is_required = false;
    return table;
  }();
  return grammar;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return std::filesystem::absolute(path).lexically_normal().parent_path();
}

}  // namespace

ModelDescription parse_model(const std::string& text, const std::string& source,
                             const std::filesystem::path& directory,
                             const std::vector<std::string>& overrides, Purpose purpose) {
  Report report;
  Value root = parse_yaml(text, source, report);
  for (const std::string& override_text : overrides) apply_override(override_text, root, report);
  resolve_parameters(root, report);
  report.throw_if_any();  // what is not evaluated is no number either
  const base::SourceLocation top{source, 1, 1};
  const TableSpec& grammar = purpose == Purpose::run ? model_grammar() : grammar_without_analyses();
  check_table(root, grammar, "", top, directory, report);
  if (root.kind != Value::Kind::map) report.throw_if_any();

  Context context{Units(), directory, report};
  const TableView file(root, grammar, "", top, context);
  ModelDescription model;
  context.units = read_units(file, {model, Names()});
  model.source = source;
  model.text = text;
  model.overrides = overrides;
  model.directory = directory;
  model.entries = flattened(root);
  model.entries_beside_defaults = flattened(without_defaults(root, model_grammar(), context.units));
  read_parts(file, model);
  check_rates_in_statics(model, report);
  check_formulation(model, report);
  check_set_valued_contacts(model, report);
  model.data_files = context.data_files;
  if (report.is_empty()) check_functions_in_time(model, report);
  report.throw_if_any();
  model.warnings = report.warnings();
  return model;
}

ModelDescription load_model(const std::filesystem::path& path,
                            const std::vector<std::string>& overrides, Purpose purpose) {
  return parse_model(read_text(path), path.string(), folder_of(path), overrides, purpose);
}

ModelDescription load_model(MPI_Comm comm, const std::filesystem::path& path,
                            const std::vector<std::string>& overrides, Purpose purpose) {
  std::string text;
  base::run_together(comm, [&] {
    if (base::rank(comm) == 0) text = read_text(path);
  });
  base::broadcast(comm, text);
  ModelDescription model;
  base::run_together(
      comm, [&] { model = parse_model(text, path.string(), folder_of(path), overrides, purpose); });
  return model;
}

void log_warnings(const ModelDescription& model) {
  for (const base::Diagnostic& warning : model.warnings) {
    const base::SourceLocation& at = warning.where;
    const std::string where =
        at.line > 0 ? fmt::format("{}:{}:{}", at.file, at.line, at.column) : at.file;
    const std::string remedy = warning.remedy.empty() ? "" : "\n  " + warning.remedy;
    base::log_warning("{}: {}{}", where, warning.what, remedy);
  }
}

}  // namespace solidyn::model
