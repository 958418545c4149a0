#include "solidyn/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "report/curves.h"
#include "report/linear.h"
#include "report/linear_scene.h"
#include "report/page.h"
#include "report/scene.h"
#include "report/sweep.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/results/output_folder.h"

namespace solidyn::report {
namespace {

namespace fs = std::filesystem;
using base::InputError;

void refuse_foreign_output(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none)
    throw InputError(fmt::format("{} cannot be written: {}", path, error.message()),
                     "choose another file with -o");
  if (fs::exists(status) && !results::is_report(path))
    throw InputError(fmt::format("{} exists and is no report of Solidyn", path),
                     "choose another file with -o, or move it away");
}

Table bodies_table(const results::MotionFile& motion) {
  Table table{
      "Bodies", {"name", "type", "mass, kg", "coordinates of deformation", "nodes drawn"}, {}};
  const auto& bodies = motion.scene().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const int body = static_cast<int>(i);
    const std::size_t n_nodes =
        motion.has_surface(body) ? motion.surface(body).tags.size() : bodies[i].n_nodes;
    table.rows.push_back({bodies[i].name, bodies[i].type, fmt::format("{:.6g}", bodies[i].mass),
                          fmt::format("{}", bodies[i].n_coordinates), fmt::format("{}", n_nodes)});
  }
  return table;
}

std::string place_of(const results::MotionScene& scene, int frame) {
  const results::MotionFrame& at = scene.frames[frame];
  if (!at.on.empty()) return at.on;
  if (at.body == results::MotionFrame::kGround) return "ground";
  return at.body < 0 ? "a flexible body" : scene.bodies[at.body].name;
}

// Of the force of a joint on its second place, over the pictures; empty: not known.
std::string largest_reaction(const results::MotionFile& motion, const std::string& joint) {
  const auto& symbols = motion.scene().symbols;
  for (std::size_t i = 0; i < symbols.size(); ++i)
    if (symbols[i].kind == "reaction" && symbols[i].name == joint && motion.rows().cols() > 0)
      return fmt::format("{:.6g}",
                         motion.rows()
                             .middleRows(motion.scene().symbol_column(static_cast<int>(i)), 3)
                             .colwise()
                             .norm()
                             .maxCoeff());
  return {};
}

Table joints_table(const results::MotionFile& motion) {
  const results::MotionScene& scene = motion.scene();
  Table table{"Joints",
              {"name", "type", "between", "leaves free (axes of the first place)",
               "largest force in the pictures, N"},
              {}};
  for (const results::MotionJoint& joint : scene.joints)
    table.rows.push_back(
        {joint.name, joint.type,
         place_of(scene, joint.frames[0]) + " - " + place_of(scene, joint.frames[1]), joint.leaves,
         largest_reaction(motion, joint.name)});
  return table;
}

Json to_json(const std::vector<Table>& tables) {
  Json json = Json::array();
  for (const Table& table : tables)
    json.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  return json;
}

/// What a run of the page is made of.
struct Entry {
  std::string folder, name;
  std::optional<SweepFolder> sweep;
  int first_run;  ///< of a sweep: the entry of its first run
};

/// Of one run: its part of the manifest and of the static page.
struct DrawnRun {
  Json json;
  StaticRun page;
  double bound = 0.0;
  int n_pictures = 0;
};

DrawnRun draw_run_of(const Entry& entry, double tolerance, Blob& blob) {
  RunFolder run = read_run_folder(entry.folder);
  run.name = entry.name;
  DrawnRun drawn;
  drawn.page = {run.name, run.status,   run.message, run.summary.value("title", ""),
                {},       run.warnings, {}};
  drawn.json = {{"name", run.name},       {"status", run.status},     {"message", run.message},
                {"summary", run.summary}, {"warnings", run.warnings}, {"log", run.log}};
  std::vector<Table>& tables = drawn.page.tables;
  std::vector<std::string>& notes = drawn.page.notes;
  tables = tables_of_summary(run.summary);
  const PictureFiles files = open_pictures(run, notes);
  if (files.motion) {
    const results::MotionScene& given = files.motion->scene();
    drawn.json["model"] = given.model;
    drawn.json["set"] = given.overrides;
    drawn.json["independent"] = {{"name", given.independent}, {"unit", given.unit}};
    tables.insert(tables.begin(), {bodies_table(*files.motion), joints_table(*files.motion)});
  }
  Scene scene = make_scene(files, tolerance, blob);
  if (!scene.json.is_null()) drawn.json["scene"] = std::move(scene.json);
  for (const std::string& note : scene.notes) notes.push_back(run.name + ": " + note);
  drawn.bound = scene.bound;
  drawn.n_pictures = scene.n_pictures;
  const bool is_by_step = files.motion && files.motion->scene().independent == "load step";
  if (Json history = pack_curves(run, is_by_step, blob, notes); !history.is_null())
    drawn.json["history"] = std::move(history);
  if (Json events = read_events(run, notes); !events.is_null())
    drawn.json["events"] = std::move(events);
  if (Json linear = read_linear(run, blob, notes); !linear.is_null())
    drawn.json["linear"] = std::move(linear);
  if (LinearScene modes = make_linear_scene(entry.folder, tolerance, blob);
      !modes.scene.json.is_null() && drawn.json.contains("linear")) {
    drawn.json["linear"]["scene"] = std::move(modes.scene.json);
    drawn.json["linear"]["periods"] = std::move(modes.periods);
    drawn.bound = std::max(drawn.bound, modes.scene.bound);
    for (const std::string& note : modes.scene.notes)
      notes.push_back(run.name + ", modes: " + note);
  }
  if (std::optional<Table> statics = table_of_statics(run, notes))
    tables.push_back(std::move(*statics));
  drawn.json["tables"] = to_json(tables);
  return drawn;
}

DrawnRun draw_run(const Entry& entry, double tolerance, Blob& blob) {
  try {
    return draw_run_of(entry, tolerance, blob);
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}/summary.json is damaged: {}", entry.folder, error.what()),
                     "run the model again");
  }
}

DrawnRun draw_sweep(const Entry& entry) {
  const SweepFolder& sweep = *entry.sweep;
  DrawnRun drawn;
  drawn.page = {entry.name, sweep.status, sweep.message, "sweep", {}, {}, sweep.notes};
  drawn.json = {{"name", entry.name},
                {"status", sweep.status},
                {"message", sweep.message},
                {"sweep", sweep.table}};
  for (const int run : sweep.run_of_row)
    drawn.json["sweep"]["runs"].push_back(run < 0 ? Json() : Json(entry.first_run + run));
  return drawn;
}

// Runs of sweeps behind them.
std::vector<Entry> entries_of(const std::vector<std::string>& folders) {
  std::vector<Entry> entries;
  std::vector<std::string> paths;
  for (const std::string& folder : folders) {
    Entry& entry = entries.emplace_back(Entry{folder, "", {}, 0});
    paths.push_back(folder);
    if (!is_sweep(folder)) continue;
    entry.sweep = read_sweep_folder(folder);
    entry.first_run = static_cast<int>(entries.size());
    for (const std::string& run : std::vector<std::string>(entry.sweep->runs)) {
      entries.push_back({run, "", {}, 0});
      paths.push_back(run);
    }
  }
  const std::vector<std::string> names = names_of_folders(paths);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].name = names[i];
  return entries;
}

// No file is left where it cannot be written whole. What a link leads to is written, not the link.
void write(const std::string& path, const std::string& page) {
  try {
    const std::string file = fs::is_symlink(path) ? fs::weakly_canonical(path).string() : path;
    const std::string temporary = base::own_temporary_name(file);
    base::write_atomically(file, page, false, temporary);
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{} could not be written: {}", path, error.what()),
                     "check the folder and the room on its disk, or choose another place with -o");
  }
}

}  // namespace

void require_viewer() {
  if (viewer_script().empty())
    throw InputError(
        "this Solidyn was built without the page of reports",
        "build it with -DSOLIDYN_VIEWER=ON (doc/building.md), or install one that has it");
}

WrittenReport write_report(const ReportOptions& options) {
  require_viewer();
  refuse_foreign_output(options.output);
  Blob blob;
  Json runs = Json::array(), notes = Json::array();
  std::vector<StaticRun> pages;
  WrittenReport written;
  for (const Entry& entry : entries_of(options.folders)) {
    DrawnRun run = entry.sweep ? draw_sweep(entry) : draw_run(entry, options.tolerance, blob);
    for (const std::string& note : run.page.notes) notes.push_back(note);
    written.n_pictures = std::max(written.n_pictures, run.n_pictures);
    written.tolerance = std::max(written.tolerance, run.bound);
    runs.push_back(std::move(run.json));
    pages.push_back(std::move(run.page));
  }
  const std::string title = pages.front().title.empty() ? pages.front().name : pages.front().title;
  const Json manifest = {{"format", 1},
                         {"solidyn", SOLIDYN_VERSION},
                         {"title", title},
                         {"tolerance", written.tolerance},
                         {"notes", std::move(notes)},
                         {"runs", std::move(runs)},
                         {"arrays", blob.list()}};
  const std::string page = make_page(title, pages, manifest, blob.bytes(), viewer_script());
  write(options.output, page);
  written.n_bytes = static_cast<std::int64_t>(page.size());
  return written;
}

}  // namespace solidyn::report
