#pragma once
#include <algorithm>
#include <optional>

#include "model/language/field.h"
#include "solidyn/bodies/prestrain.h"

namespace solidyn::model {

/// Strains of a beam that a model file can give, per length but for the first: 1, rad/m, 1/m, 1/m.
enum class BeamStrain { stretch, twist, curvature_y, curvature_z };
constexpr BeamStrain kBeamStrains[] = {BeamStrain::stretch, BeamStrain::twist,
                                       BeamStrain::curvature_y, BeamStrain::curvature_z};
/// The word that the model file uses for a value.
const char* name(BeamStrain strain);

/// What a beam has as drawn, and strains of its own.
struct GivenStrains {
  using Laws = bodies::Prestrain::Laws;
  /// Strains beyond those as drawn that the beam takes by itself; it has no stress there.
  Laws prestrain;
  /// Axial force, torque and bending moments about y and z of the beam as drawn, N, N m.
  Eigen::Vector4d prestress = Eigen::Vector4d::Zero();
  /// Strains beyond those as drawn that the beam has whatever it takes.
  Laws driven;

  /// Then strains of elements are unknowns of the system.
  bool has_driven() const {
    return std::any_of(driven.begin(), driven.end(),
                       [](const auto& law) { return law.has_value(); });
  }

  /// `prestress`, `prestrain`, `fixed_strains` and `driven_strains`.
  static const Fields<GivenStrains>& fields();
};

/// Whether a table of the file has one of these keys.
bool gives_strains(const TableView& table);

/// Of a group of a beam's lines: those of the keys that the group has not are the body's.
GivenStrains read_strains_of_group(const TableView& group, const TableView& body,
                                   const Scope& scope);

/// Complains of what does not go together. @param own the body, or a group
void check_given_strains(const TableView& own, const TableView& body, const GivenStrains& given);

}  // namespace solidyn::model
