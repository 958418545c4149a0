#pragma once

namespace solidyn::beams {

/// What a beam takes from its cross-section, about its centroid and along its principal axes y and
/// z. Shear factors are those of shear forces along y and z.
struct Section {
  double area = 0.0;                            ///< m^2
  double I_y = 0.0, I_z = 0.0;                  ///< second moments, of z^2 and of y^2, m^4
  double torsion_constant = 0.0;                ///< St Venant's, m^4
  double shear_y = 5.0 / 6, shear_z = 5.0 / 6;  ///< of the area that carries shear
  /// Distances of its outermost fibres from the centroid, m; zero if unknown.
  double outer_y = 0.0, outer_z = 0.0;
  bool is_round = false;  ///< instead of corners
};

/// Sides along y and z, m. Torsion by St Venant's series; shear factors 10 (1 + nu)/(12 + 11 nu),
/// Cowper 1966.
Section make_rectangle(double width_y, double height_z, double poissons_ratio);

/// A full circle; shear factors 6 (1 + nu)/(7 + 6 nu), Cowper 1966.
Section make_circle(double radius, double poissons_ratio);

/// A tube of any wall; shear factors of Cowper 1966. @pre 0 < wall < outer_radius
Section make_tube(double outer_radius, double wall, double poissons_ratio);

/// A doubly symmetric I: flanges along y, web along z. Exact area and second moments; torsion as
/// that of the three plates, each by St Venant's series, which leaves out what their joints add;
/// shear along z is carried by the web over the full height, along y by 5/6 of the flanges.
/// @param height of the whole section, m  @pre 2 flange < height, web < width
Section make_i_section(double width, double height, double flange, double web);

/// Largest stress along the beam that bending moments make, in the outermost fibre or corner, Pa.
/// @pre outer_y and outer_z are known
double bending_stress(const Section& section, double M_y, double M_z);

}  // namespace solidyn::beams
