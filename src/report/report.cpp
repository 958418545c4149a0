#include "solidyn/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "report/linear.h"
#include "report/page.h"
#include "report/scene.h"
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

Table joints_table(const results::MotionScene& scene) {
  Table table{"Joints", {"name", "type", "between"}, {}};
  const auto on = [&](int frame) -> std::string {
    const int body = scene.frames[frame].body;
    if (body == results::MotionFrame::kGround) return "ground";
    return body < 0 ? "a flexible body" : scene.bodies[body].name;
  };
  for (const results::MotionJoint& joint : scene.joints)
    table.rows.push_back(
        {joint.name, joint.type, on(joint.frames[0]) + " - " + on(joint.frames[1])});
  return table;
}

Json to_json(const std::vector<Table>& tables) {
  Json json = Json::array();
  for (const Table& table : tables)
    json.push_back({{"title", table.title}, {"columns", table.columns}, {"rows", table.rows}});
  return json;
}

/// Of one run: its part of the manifest and of the static page.
struct DrawnRun {
  Json json;
  StaticRun page;
  double bound = 0.0;
  int n_pictures = 0;
};

DrawnRun draw_run_of(const std::string& folder, double tolerance, Blob& blob) {
  const RunFolder run = read_run_folder(folder);
  DrawnRun drawn;
  drawn.page = {run.name, run.status,   run.message, run.summary.value("title", ""),
                {},       run.warnings, {}};
  drawn.json = {{"name", run.name},       {"status", run.status},     {"message", run.message},
                {"summary", run.summary}, {"warnings", run.warnings}, {"log", run.log}};
  drawn.page.tables = tables_of_summary(run.summary);
  const PictureFiles files = open_pictures(folder);
  if (files.motion) {
    const results::MotionScene& given = files.motion->scene();
    drawn.json["model"] = given.model;
    drawn.json["set"] = given.overrides;
    drawn.json["independent"] = {{"name", given.independent}, {"unit", given.unit}};
    drawn.page.tables.insert(drawn.page.tables.begin(),
                             {bodies_table(*files.motion), joints_table(given)});
  }
  Scene scene = make_scene(files, tolerance, blob);
  if (!scene.json.is_null()) drawn.json["scene"] = std::move(scene.json);
  drawn.page.notes = std::move(scene.notes);
  drawn.bound = scene.bound;
  drawn.n_pictures = scene.n_pictures;
  if (Json history = pack_history(run, blob); !history.is_null())
    drawn.json["history"] = std::move(history);
  if (Json events = read_events(run); !events.is_null()) drawn.json["events"] = std::move(events);
  if (Json linear = read_linear(run, blob); !linear.is_null())
    drawn.json["linear"] = std::move(linear);
  drawn.json["tables"] = to_json(drawn.page.tables);
  return drawn;
}

DrawnRun draw_run(const std::string& folder, double tolerance, Blob& blob) {
  try {
    return draw_run_of(folder, tolerance, blob);
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}/summary.json is damaged: {}", folder, error.what()),
                     "run the model again");
  }
}

// Of a sweep: its table, and the first of its runs.
constexpr int kMostRunsOfSweep = 12;

bool is_sweep(const std::string& folder) {
  return !fs::exists(folder + "/summary.json") && fs::exists(folder + "/sweep.csv");
}

DrawnRun draw_sweep(const std::string& folder, std::vector<std::string>& runs) {
  DrawnRun drawn;
  drawn.page.name = folder_name(folder);
  drawn.page.title = "sweep";
  drawn.page.status = "completed";
  drawn.json = {{"name", drawn.page.name}, {"status", "completed"}, {"sweep", read_sweep(folder)}};
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().rfind("run_", 0) == 0 &&
        fs::exists(entry.path() / "summary.json"))
      found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  if (found.size() > kMostRunsOfSweep) {
    drawn.page.notes.push_back(fmt::format(
        "The first {} of {} runs are shown; `solidyn report` of their folders shows others.",
        kMostRunsOfSweep, found.size()));
    found.resize(kMostRunsOfSweep);
  }
  runs.insert(runs.begin(), found.begin(), found.end());
  return drawn;
}

// No file is left where it cannot be written whole.
void write(const std::string& path, const std::string& page) {
  try {
    base::write_atomically(path, page, false);
  } catch (const base::ComputationError& error) {
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
  std::vector<std::string> folders = options.folders;
  while (!folders.empty()) {
    const std::string folder = folders.front();
    folders.erase(folders.begin());
    DrawnRun run =
        is_sweep(folder) ? draw_sweep(folder, folders) : draw_run(folder, options.tolerance, blob);
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
