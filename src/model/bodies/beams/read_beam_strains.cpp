#include "model/bodies/beams/read_beam_strains.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::model {
namespace {

constexpr BeamStrain kAll[] = {BeamStrain::stretch, BeamStrain::twist, BeamStrain::curvature_y,
                               BeamStrain::curvature_z};
constexpr const char* kForces[] = {"axial", "torsion", "bending_y", "bending_z"};

// The tables that hold for a group: its own, else the body's.
class StrainTables {
 public:
  StrainTables(const TableView& own, const TableView& body)
      : own_(own),
        body_(body),
        prestress_(holder("prestress").table("prestress")),
        prestrain_(holder("prestrain").table("prestrain")),
        driven_(holder("driven_strains").table("driven_strains")) {}

  GivenStrains read() const {
    GivenStrains given;
    for (int i = 0; i < kBeamStrains; ++i) given.prestress[i] = prestress_.number(kForces[i]);
    given.prestrain = read_laws(prestrain_);
    given.driven = read_laws(driven_);
    const TableView& fixing = holder("fixed_strains");
    std::vector<std::string> fixed;
    if (fixing.is_good("fixed_strains")) fixed = fixing.texts("fixed_strains");
    for (BeamStrain strain : kAll)
      if (std::find(fixed.begin(), fixed.end(), name(strain)) != fixed.end())
        given.driven[static_cast<int>(strain)] = math::TimeFunction();
    check_driven(given, fixed);
    check_torsion(given);
    check_rule(given);
    return given;
  }

 private:
  const TableView& holder(const char* key) const { return own_.has(key) ? own_ : body_; }

  static GivenStrains::Laws read_laws(const TableView& table) {
    GivenStrains::Laws laws;
    for (BeamStrain strain : kAll)
      if (table.has(name(strain)))
        laws[static_cast<int>(strain)] = read_time_function(table, name(strain));
    return laws;
  }

  // The group where it is one: what it has does not go with what it takes from the body.
  std::string together() const {
    return own_.path() == body_.path() ? "" : fmt::format(" ({})", own_.path());
  }

  void refuse(const TableView& table, const std::string& key, const std::string& strain) const {
    table.report().error(table.where(key),
                         fmt::format("{}: the beam's {} is fixed or driven, and has no stress of "
                                     "its own{}",
                                     table.path(key), strain, together()),
                         "remove it here, or there");
  }

  // A strain is given in one way.
  void check_driven(const GivenStrains& given, const std::vector<std::string>& fixed) const {
    for (BeamStrain strain : kAll) {
      const std::string word = name(strain);
      const int i = static_cast<int>(strain);
      if (!given.driven[i]) continue;
      if (driven_.has(word) && std::find(fixed.begin(), fixed.end(), word) != fixed.end())
        own_.report().error(driven_.where(word),
                            fmt::format("{}: {} is among the fixed strains{}", driven_.path(word),
                                        word, together()),
                            "give it once");
      if (prestrain_.has(word)) refuse(prestrain_, word, word);
      if (prestress_.has(kForces[i])) refuse(prestress_, kForces[i], word);
    }
  }

  void check_torsion(const GivenStrains& given) const {
    if (!given.has_driven() || !body_.has("torsion") || body_.text("torsion") != "linear") return;
    body_.report().error(
        body_.where("torsion"),
        fmt::format("{}: with fixed or driven strains torsion is constant over an element{}",
                    body_.path("torsion"), together()),
        "write  torsion: constant, or leave it out");
  }

  void check_rule(const GivenStrains& given) const {
    if (!given.has_driven() || !body_.has("curvature_rule") ||
        body_.text("curvature_rule") != "lobatto")
      return;
    body_.report().error(
        body_.where("curvature_rule"),
        fmt::format("{}: `lobatto` is unstable under tension, which is not watched in beams with "
                    "fixed or driven strains{}",
                    body_.path("curvature_rule"), together()),
        "leave it out: `magnus` is stable");
  }

  const TableView &own_, &body_;
  const TableView prestress_, prestrain_, driven_;
};

}  // namespace

GivenStrains read_given_strains(const TableView& own, const TableView& body) {
  return StrainTables(own, body).read();
}

}  // namespace solidyn::model
