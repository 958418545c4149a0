#include "report/picture_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <type_traits>

#include "report/notes_of_bodies.h"
#include "solidyn/base/error.h"

namespace solidyn::report {
namespace {

// Without motion.h5: a body for each part, without anything but its surface.
PictureSelection select_fields(const results::FieldsFile& fields) {
  PictureSelection all;
  std::vector<std::string> unseen;
  for (const results::FieldsFile::Part& part : fields.parts()) {
    if (!part.has_faces()) {
      unseen.push_back(part.name);
      continue;
    }
    results::MotionBody body;
    body.name = part.name;
    body.is_in_fields = true;
    all.scene.bodies.push_back(std::move(body));
  }
  if (!unseen.empty())
    all.notes.push_back(fmt::format(
        "Not drawn: {}. Without motion.h5 (`output.motion_interval`) only bodies with a mesh are.",
        names_in_words(unseen)));
  all.times = fields.times();
  all.rows =
      Eigen::MatrixXd::Zero(all.scene.row_length(), static_cast<Eigen::Index>(all.times.size()));
  for (std::size_t k = 0; k < all.times.size(); ++k) all.snapshots.push_back(static_cast<int>(k));
  return all;
}

// Beyond this, m or any other unit, a run has diverged, and single precision ends soon.
constexpr double kLargestNumber = 1e15;

bool is_within_measure(const PictureFiles& files, const PictureSelection& all, int picture) {
  return std::all_of(
      all.scene.bodies.begin(), all.scene.bodies.end(), [&](const results::MotionBody& body) {
        const results::FieldsFile::Part* part = all.part_of(files, body);
        return !part ||
               files.fields->positions(*part, all.snapshots[picture]).cwiseAbs().maxCoeff() <
                   kLargestNumber;
      });
}

// Leaves out what comes from the first picture on that is beyond all measure. Nodes that diverge
// stay so: they are looked at from the end.
void end_where_it_diverges(const PictureFiles& files, PictureSelection& all) {
  Eigen::Index n = 0;
  while (n < all.rows.cols() &&
         (all.rows.rows() == 0 || all.rows.col(n).cwiseAbs().maxCoeff() < kLargestNumber))
    ++n;
  while (n > 0 && !is_within_measure(files, all, static_cast<int>(n) - 1)) --n;
  if (n == all.rows.cols()) return;
  all.notes.push_back(
      fmt::format("From {} = {:.6g} {} on nothing is drawn: numbers exceed {:g}, the run diverged.",
                  all.scene.independent, all.times[n], all.scene.unit, kLargestNumber));
  all.times.resize(n);
  all.rows.conservativeResize(Eigen::NoChange, n);
  if (!all.snapshots.empty()) all.snapshots.resize(n);
}

PictureSelection common_pictures(const PictureFiles& files) {
  if (!files.motion) return files.fields ? select_fields(*files.fields) : PictureSelection();
  PictureSelection all{files.motion->scene(), files.motion->times(), files.motion->rows(), {}, {}};
  const bool has_full_meshes =
      std::any_of(all.scene.bodies.begin(), all.scene.bodies.end(),
                  [](const results::MotionBody& body) { return body.is_in_fields; });
  if (!has_full_meshes || !files.fields) return all;
  PictureSelection common{all.scene, {}, Eigen::MatrixXd(all.rows.rows(), all.rows.cols()), {}, {}};
  const std::vector<double>& snapshots = files.fields->times();
  for (std::size_t k = 0; k < all.times.size(); ++k) {
    const auto same = std::lower_bound(snapshots.begin(), snapshots.end(), all.times[k]);
    if (same == snapshots.end() || *same != all.times[k]) continue;
    common.rows.col(static_cast<Eigen::Index>(common.times.size())) =
        all.rows.col(static_cast<Eigen::Index>(k));
    common.times.push_back(all.times[k]);
    common.snapshots.push_back(static_cast<int>(same - snapshots.begin()));
  }
  common.rows.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(common.times.size()));
  if (snapshots.empty() || common.times.size() < std::min<std::size_t>(2, snapshots.size())) {
    all.notes.push_back(fmt::format(
        "fields.h5 has no pictures{}: bodies that keep all nodes are not drawn.",
        snapshots.empty() ? "" : " at the times of motion.h5, as if it were of another run"));
    return all;
  }
  if (common.times.size() < snapshots.size())
    common.notes.push_back(fmt::format(
        "{} of the {} pictures in fields.h5 have none beside them in motion.h5, and are left out.",
        snapshots.size() - common.times.size(), snapshots.size()));
  return common;
}

}  // namespace

PictureSelection select_pictures(const PictureFiles& files) {
  PictureSelection all = common_pictures(files);
  end_where_it_diverges(files, all);
  return all;
}

const results::FieldsFile::Part* PictureSelection::part_of(const PictureFiles& files,
                                                           const results::MotionBody& body) const {
  return body.is_in_fields && !snapshots.empty() ? files.fields->find(body.name) : nullptr;
}

PictureFiles open_pictures(const RunFolder& run, std::vector<std::string>& notes) {
  PictureFiles files;
  // Large files take a while to be laid out, and a run may have been killed in it.
  const bool may_be_unborn = run.status == "running" || run.status == "stopped";
  const auto open = [&](const char* name, auto& file) {
    const std::string path = run.path + "/" + name;
    if (!std::filesystem::exists(path)) return;
    try {
      file = std::make_unique<typename std::decay_t<decltype(file)>::element_type>(path);
    } catch (const base::InputError& error) {
      if (!may_be_unborn) throw;
      notes.push_back(fmt::format("{}: {} has no pictures yet, or none that can be read ({}).",
                                  run.name, name, error.diagnostics().front().what));
    }
  };
  open("motion.h5", files.motion);
  open("fields.h5", files.fields);
  return files;
}

}  // namespace solidyn::report
