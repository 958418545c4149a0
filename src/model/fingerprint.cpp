#include "solidyn/model/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/bodies/body_entry.h"
#include "model/forces/force_entry.h"
#include "model/joints/joint_entry.h"
#include "model/loads/load_entry.h"
#include "solidyn/base/content_hash.h"
#include "solidyn/base/mpi.h"

namespace solidyn::model {
namespace {

using Entries = std::map<std::string, std::string>;

bool may_change(const std::string& path) {
  // What parameters do is in the values that they were put into.
  static const std::set<std::string> free = {"title",  "parameters", "analyses",   "sensors",
                                             "solver", "output",     "formulation"};
  return free.count(path.substr(0, path.find('.'))) > 0;
}

// Asked of each body: a search, for a look at all entries would take time with the square of a
// chain.
void erase_below(Entries& entries, const std::string& path) {
  constexpr char kAfterDot = '.' + 1;
  entries.erase(path);
  entries.erase(entries.lower_bound(path + '.'), entries.lower_bound(path + kAfterDot));
}

bool is_used(const ModelDescription& model, const std::string& body, const std::string& frame) {
  const auto is_meant = [&](const PlaceDescription& place) {
    return place.kind == PlaceDescription::Kind::frame && place.body == body && place.name == frame;
  };
  const auto joins = [&](const ContactDescription& contact) {
    const auto stands = [&](const ContactShapeDescription& shape) {
      return std::any_of(shape.places.begin(), shape.places.end(), is_meant);
    };
    return is_meant(contact.between[0]) || is_meant(contact.between[1]) ||
           stands(contact.shapes[0]) || stands(contact.shapes[1]);
  };
  const auto acts = [&](const auto& entry) {
    const std::vector<PlaceDescription> places = entry->places();
    return std::any_of(places.begin(), places.end(), is_meant);
  };
  return std::any_of(model.joints.begin(), model.joints.end(), acts) ||
         std::any_of(model.forces.begin(), model.forces.end(), acts) ||
         std::any_of(model.contacts.begin(), model.contacts.end(), joins) ||
         std::any_of(model.loads.begin(), model.loads.end(), acts);
}

std::string content_of(MPI_Comm comm, const std::filesystem::path& file) {
  constexpr std::size_t kDigits = 16;
  std::string digits;
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    base::ContentHash hash;
    hash.add_file(file.string());
    digits = hash.hex().substr(0, kDigits);
  });
  base::broadcast(comm, digits);
  return "a file with checksum " + digits;
}

}  // namespace

std::map<std::string, std::filesystem::path> input_files(const ModelDescription& model) {
  std::map<std::string, std::filesystem::path> files = model.data_files;
  for (const auto& body : model.bodies)
    for (const auto& [key, file] : body->files())
      files[fmt::format("bodies.{}.{}", body->name, key)] = file;
  for (const auto& force : model.forces)
    for (const auto& [key, file] : force->files())
      files[fmt::format("forces.{}.{}", force->name, key)] = file;
  return files;
}

Entries physics_of(MPI_Comm comm, const ModelDescription& model) {
  Entries entries;
  for (const auto& [path, text] : model.entries_beside_defaults)
    if (!may_change(path)) entries[path] = text;
  for (const auto& [path, file] : input_files(model)) entries[path] = content_of(comm, file);
  for (const auto& body : model.bodies) {
    const std::string path = "bodies." + body->name;
    erase_below(entries, path + ".appearance");
    for (const std::string& frame : body->place_names(PlaceDescription::Kind::frame))
      if (!is_used(model, body->name, frame))
        erase_below(entries, fmt::format("{}.frames.{}", path, frame));
  }
  return entries;
}

std::vector<std::string> differences(const Entries& before, const Entries& now) {
  std::vector<std::string> list;
  for (const auto& [path, was] : before) {
    const auto found = now.find(path);
    if (found == now.end())
      list.push_back(fmt::format("{} was {}, is not given", path, was));
    else if (found->second != was)
      list.push_back(fmt::format("{} was {}, is {}", path, was, found->second));
  }
  for (const auto& [path, is] : now)
    if (before.count(path) == 0) list.push_back(fmt::format("{} was not given, is {}", path, is));
  return list;
}

}  // namespace solidyn::model
