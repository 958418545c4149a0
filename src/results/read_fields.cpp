#include "solidyn/results/read_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/field_layout.h"
#include "results/link_name.h"
#include "results/stored_cells.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"

namespace solidyn::results {
namespace {

constexpr const char *kDisplacement = "displacement in body axes", *kVelocity = "velocity",
                     *kStress = "stress";

base::InputError damaged_fields(const std::string& path, const std::string& why) {
  return base::InputError(fmt::format("{} is damaged: {}", path, why), "run the model again");
}

FieldsFile::Part read_part(hid_t file, const std::string& path, const std::string& link) {
  FieldsFile::Part part;
  part.link = link;
  const base::H5Group group = base::open_group(file, "parts/" + link);
  part.name = base::read_string_attribute(group, "name");
  part.surface.tags = base::read_integers(group, "nodes");
  part.has_displacement = base::contains(group, link_name(kDisplacement));
  part.has_velocity = base::contains(group, link_name(kVelocity));
  part.has_stress = base::contains(group, link_name(kStress));
  for (const std::string& shape : base::names_in(base::open_group(group, "cells")))
    for (const elements::ElementTraits& traits : elements::kElements)
      if (shape == traits.name)
        part.surface.cells.push_back(read_cells(group, "cells/" + shape, traits.type,
                                                static_cast<std::int64_t>(part.surface.tags.size()),
                                                path));
  require_sound_surface(part.surface, part.name, path);
  return part;
}

}  // namespace

FieldsFile::FieldsFile(const std::string& path) : path_(path), file_(base::open_hdf5(path)) {
  try {
    require_fields_format(file_, path_);
    times_ = base::read_doubles(file_, "times");
    times_.erase(std::find_if(times_.begin(), times_.end(), [](double t) { return std::isnan(t); }),
                 times_.end());
    for (const std::string& link : base::names_in(base::open_group(file_, "parts")))
      parts_.push_back(read_part(file_, path_, link));
  } catch (const base::Hdf5Error& error) {
    throw damaged_fields(path_, error.what());
  }
}

const FieldsFile::Part* FieldsFile::find(const std::string& name) const {
  const auto found = std::find_if(parts_.begin(), parts_.end(),
                                  [&](const Part& part) { return part.name == name; });
  return found == parts_.end() ? nullptr : &*found;
}

Eigen::Matrix3Xd FieldsFile::positions(const Part& part, int snapshot) const {
  return read(part, "positions", snapshot);
}

Eigen::Matrix3Xd FieldsFile::displacements(const Part& part, int snapshot) const {
  return read(part, kDisplacement, snapshot);
}

Eigen::Matrix3Xd FieldsFile::velocities(const Part& part, int snapshot) const {
  return read(part, kVelocity, snapshot);
}

Eigen::MatrixXd FieldsFile::stress(const Part& part, int snapshot) const {
  constexpr int kInXdmf[] = {0, 3, 5, 4, 2, 1};  // of xx xy xz yy yz zz
  const Eigen::MatrixXd as_stored = read(part, kStress, snapshot, 6);
  Eigen::MatrixXd stress(6, as_stored.cols());
  for (int c = 0; c < 6; ++c) stress.row(c) = as_stored.row(kInXdmf[c]);
  return stress;
}

bool FieldsFile::Part::has_faces() const {
  return std::any_of(surface.cells.begin(), surface.cells.end(),
                     [](const StoredSurface::Cells& cells) {
                       return cells.shape != elements::ElementType::line2 &&
                              cells.shape != elements::ElementType::line3;
                     });
}

Eigen::MatrixXd FieldsFile::read(const Part& part, const std::string& quantity, int snapshot,
                                 int n_components) const {
  XdmfPart in_file;
  in_file.link = part.link;
  try {
    Eigen::MatrixXd values = base::read_matrix(file_, values_path(in_file, quantity, snapshot));
    if (values.rows() != n_components ||
        values.cols() != static_cast<Eigen::Index>(part.surface.tags.size()) || !values.allFinite())
      throw damaged_fields(path_,
                           fmt::format("{} of `{}` in snapshot {}", quantity, part.name, snapshot));
    return values;
  } catch (const base::Hdf5Error& error) {
    throw damaged_fields(path_, error.what());
  }
}

}  // namespace solidyn::results
