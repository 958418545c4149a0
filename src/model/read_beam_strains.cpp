#include "model/read_beam_strains.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::model {
namespace {

constexpr BeamStrain kAll[] = {BeamStrain::stretch, BeamStrain::twist, BeamStrain::curvature_y,
                               BeamStrain::curvature_z};
constexpr const char* kForces[] = {"axial", "torsion", "bending_y", "bending_z"};

std::array<std::optional<math::TimeFunction>, kBeamStrains> read_laws(const TableView& table) {
  std::array<std::optional<math::TimeFunction>, kBeamStrains> laws;
  for (BeamStrain strain : kAll)
    if (table.has(name(strain)))
      laws[static_cast<int>(strain)] = read_time_function(table, name(strain));
  return laws;
}

void refuse(const TableView& table, const std::string& key, const std::string& strain) {
  table.report().error(table.where(key),
                       fmt::format("{}: the beam's {} is fixed or driven, and has no stress of its "
                                   "own",
                                   table.path(key), strain),
                       "remove it here, or there");
}

// A strain is given in one way.
void check_driven(const TableView& body, const BeamDescription& beam,
                  const std::vector<std::string>& fixed) {
  const TableView driven = body.table("driven_strains"), prestrain = body.table("prestrain"),
                  prestress = body.table("prestress");
  for (BeamStrain strain : kAll) {
    const std::string word = name(strain);
    const int i = static_cast<int>(strain);
    if (!beam.driven[i]) continue;
    if (driven.has(word) && std::find(fixed.begin(), fixed.end(), word) != fixed.end())
      body.report().error(driven.where(word),
                          fmt::format("{}: {} is among the fixed strains", driven.path(word), word),
                          "give it once");
    if (prestrain.has(word)) refuse(prestrain, word, word);
    if (prestress.has(kForces[i])) refuse(prestress, kForces[i], word);
  }
}

}  // namespace

bool has_driven_strains(const BeamDescription& beam) {
  return std::any_of(beam.driven.begin(), beam.driven.end(),
                     [](const auto& law) { return law.has_value(); });
}

void read_beam_strains(const TableView& body, BeamDescription& beam) {
  const TableView prestress = body.table("prestress");
  for (int i = 0; i < kBeamStrains; ++i) beam.prestress[i] = prestress.number(kForces[i]);
  beam.prestrain = read_laws(body.table("prestrain"));
  beam.driven = read_laws(body.table("driven_strains"));
  std::vector<std::string> fixed;
  if (body.is_good("fixed_strains")) fixed = body.texts("fixed_strains");
  for (BeamStrain strain : kAll)
    if (std::find(fixed.begin(), fixed.end(), name(strain)) != fixed.end())
      beam.driven[static_cast<int>(strain)] = math::TimeFunction();
  check_driven(body, beam, fixed);
  if (!has_driven_strains(beam)) return;
  if (body.has("torsion") && beam.torsion == beams::Torsion::linear)
    body.report().error(
        body.where("torsion"),
        fmt::format("{}: with fixed or driven strains torsion is constant over an element",
                    body.path("torsion")),
        "write  torsion: constant, or leave it out");
  beam.torsion = beams::Torsion::constant;
}

}  // namespace solidyn::model
