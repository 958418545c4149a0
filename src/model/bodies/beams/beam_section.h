#pragma once
#include <optional>

#include "model/language/field.h"
#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/section_shape.h"

namespace solidyn::model {

/// What a section is, and where it stands.
struct SectionDescription : beams::SectionShape {
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of the centroid, section axes, m
  /// Of `type: stiffness`, which has no shape, and needs no material: its mass is given too.
  std::optional<beams::Rigidity> rigidity;
  std::optional<double> mass_per_length;  ///< kg/m, in place of density times area
  /// Mass moments of inertia per length about x, y and z of the section, kg m, in place of density
  /// times second moments.
  std::optional<Eigen::Vector3d> mass_moments;

  static const Fields<SectionDescription>& fields();
  /// That its walls are thinner than the section, and its moments those of a mass.
  void check(const TableView& section) const;
};

/// `section` of a beam.
Key section_key();

/// That its stiffness of shear is there where the beam has shear, and not in vain where it has not.
void check_shear(const TableView& section, bool beam_has_shear);

}  // namespace solidyn::model
