#include "formats/shared/line_sections.h"

#include <cmath>

namespace solidyn::formats {

double make_principal(beams::Section& s, double I_yz) {
  if (I_yz == 0.0) return 0.0;
  // 1/2 sin(2 a) (I_y - I_z) + cos(2 a) I_yz = 0
  const double angle = 0.5 * std::atan2(2.0 * I_yz, s.I_z - s.I_y);
  const double c = std::cos(angle), d = std::sin(angle);
  const double I_y = s.I_y, I_z = s.I_z;
  s.I_z = c * c * I_z + d * d * I_y + 2.0 * c * d * I_yz;
  s.I_y = d * d * I_z + c * c * I_y - 2.0 * c * d * I_yz;
  return angle;
}

void set_upright_i_section(imported::LineProperty& property, double depth, double width,
                           double flange, double web) {
  property.shape = beams::ISection{width, depth, flange, web};
  property.turn = -0.5 * EIGEN_PI;  // our z becomes the element's y
}

}  // namespace solidyn::formats
