#pragma once
#include <optional>
#include <variant>

#include "model/language/field.h"
#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/section_shape.h"

namespace solidyn::model {

/// What a section is, and where it stands.
struct SectionDescription {
  /// Its shape; or of `type: stiffness`, which has no shape and needs no material, its stiffness:
  /// then its mass is given too.
  std::variant<beams::SectionShape, beams::Rigidity> given;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of the centroid, section axes, m
  std::optional<double> mass_per_length;             ///< kg/m, in place of density times area
  /// Mass moments of inertia per length about x, y and z of the section, kg m, in place of density
  /// times second moments.
  std::optional<Eigen::Vector3d> mass_moments;

  /// Null where the other one is given.
  const beams::SectionShape* shape() const { return std::get_if<beams::SectionShape>(&given); }
  const beams::Rigidity* rigidity() const { return std::get_if<beams::Rigidity>(&given); }

  static const Fields<SectionDescription>& fields();
  /// That its walls are thinner than the section, and its moments those of a mass.
  void check(const TableView& section) const;
};

/// `section` of a beam.
Key section_key();

/// That its stiffness of shear is there where the beam has shear, and not in vain where it has not.
void check_shear(const TableView& section, bool beam_has_shear);

}  // namespace solidyn::model
