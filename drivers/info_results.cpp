#include "info_results.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "solidyn/formats/calculix_frd.h"
#include "solidyn/formats/nastran_op4.h"
#include "solidyn/imported/checks.h"
#include "solidyn/imported/describe.h"
#include "solidyn/mesh/report.h"

namespace solidyn::drivers {
namespace {

using imported::Units;

std::string describe(const imported::ImportReport& report) {
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, report.warnings.size()); ++i)
    text += fmt::format("warning    {}\n", report.warnings[i].what);
  return text;
}

std::string describe_modes(imported::ModalData modes, const Units& units) {
  convert_to_si(modes, units);
  const imported::CheckReport checks = imported::report(imported::measure(modes));
  std::string text = fmt::format("format     {}\nmodes      {} of {} nodes\n", modes.format,
                                 modes.modes.size(), modes.node_tags.size()) +
                     imported::format(checks) + describe(modes.report);
  for (const base::Diagnostic& doubt : checks.warnings)
    text += fmt::format("doubt      {}\n", doubt.what);
  return text;
}

std::string describe_frd(const std::string& file, const Units& units) {
  formats::CalculixResults results = formats::read_calculix_frd(file);
  convert_to_si(results.model, units);
  return imported::describe(results.model) + mesh::format(mesh::make_report(results.model.mesh)) +
         describe_modes(std::move(results.modes), units);
}

std::string describe_op4(const std::string& file, const Units&) {
  constexpr std::size_t kMost = 20;
  const std::vector<imported::Matrix> matrices = formats::read_op4(file);
  std::string text = fmt::format("matrices   {}\n", matrices.size());
  for (std::size_t i = 0; i < std::min(kMost, matrices.size()); ++i) {
    const imported::Matrix& m = matrices[i];
    text += fmt::format("{:<10} {} x {}, {} terms, form {}, type {}\n", m.name, m.n_rows,
                        m.n_columns, m.values.size(), m.form, m.type);
  }
  if (matrices.size() > kMost) text += fmt::format("and {} more\n", matrices.size() - kMost);
  return text;
}

using Describe = std::string (*)(const std::string& file, const Units& units);

const std::map<std::string, Describe>& kinds() {
  static const std::map<std::string, Describe> by_extension = {{".frd", describe_frd},
                                                               {".op4", describe_op4}};
  return by_extension;
}

}  // namespace

std::optional<std::string> describe_results(const std::string& file, const Units& units) {
  const auto found = kinds().find(std::filesystem::path(file).extension().string());
  if (found == kinds().end()) return std::nullopt;
  return found->second(file, units);
}

std::string known_results_names() {
  std::string names;
  for (const auto& [extension, describe] : kinds())
    names += (names.empty() ? "" : ", ") + extension;
  return names;
}

}  // namespace solidyn::drivers
