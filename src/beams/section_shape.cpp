#include "solidyn/beams/section_shape.h"

namespace solidyn::beams {

Section section_of(const SectionShape& s, double nu) {
  using Shape = SectionShape::Shape;
  switch (s.shape) {
    case Shape::rectangle:
      return make_rectangle(s.width, s.height, nu);
    case Shape::circle:
      return make_circle(s.radius, nu);
    case Shape::tube:
      return make_tube(s.radius, s.wall, nu);
    case Shape::i_section:
      return make_i_section(s.width, s.height, s.flange, s.web);
    case Shape::general:
      break;
  }
  return s.general;
}

}  // namespace solidyn::beams
