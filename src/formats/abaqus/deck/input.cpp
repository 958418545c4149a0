#include "solidyn/formats/abaqus/deck/input.h"

#include <fmt/format.h>

#include <filesystem>

#include "formats/abaqus/deck/deck.h"
#include "formats/shared/import_bytes.h"

namespace solidyn::formats {
namespace {

namespace fs = std::filesystem;

/// Files beside the main one or below: a deck from elsewhere must not make us read anything else.
AbaqusInclude include_beside(const std::string& main_file) {
  return [folder = fs::path(main_file).parent_path()](
             const std::string& name, std::string& reason) -> std::optional<FileBytes> {
    const fs::path given = fs::path(name).lexically_normal();
    if (name.empty() || given.is_absolute() || *given.begin() == "..") {
      reason = "it lies outside the folder of the main file";
      return std::nullopt;
    }
    try {
      return FileBytes((folder / given).string());
    } catch (const base::InputError& error) {
      reason = error.diagnostics().front().what;
      return std::nullopt;
    }
  };
}

/// Then no number was cut off, though the line may have no end.
bool ends_with_keyword(std::string_view bytes) {
  const std::size_t line = bytes.find_last_of('\n') + 1;
  return line < bytes.size() && bytes[line] == '*';
}

imported::SolidModel parse(std::string_view bytes, const std::string& file, AbaqusInclude include) {
  AbaqusComplaints complaints;
  if (bytes.empty())
    throw base::InputError("the file is empty", "is this an Abaqus input file (.inp)?",
                           {file, 0, 0});
  AbaqusSource source(bytes, file, std::move(include), complaints);
  const abaqus::Deck deck = abaqus::read_deck(source, complaints);
  imported::SolidModel model = abaqus::assemble_deck(deck, source, complaints);
  if (model.mesh.n_nodes() + static_cast<std::int64_t>(model.loose_nodes.size()) == 0)
    throw base::InputError("the file defines no nodes", "is this an Abaqus input file (.inp)?",
                           {file, 0, 0});
  if (!ends_with_keyword(bytes)) warn_of_open_end(ImportBytes(bytes, file), model.report);
  return model;
}

}  // namespace

imported::SolidModel parse_abaqus_input(std::string_view bytes, const std::string& file) {
  return parse(bytes, file,
               [](const std::string&, std::string& reason) -> std::optional<FileBytes> {
                 reason = "files cannot be read";
                 return std::nullopt;
               });
}

imported::SolidModel read_abaqus_input(const std::string& path) {
  const FileBytes bytes(path);
  return parse(bytes.bytes(), path, include_beside(path));
}

}  // namespace solidyn::formats
