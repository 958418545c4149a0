#include "solidyn/beams/section_shape.h"

namespace solidyn::beams {
namespace {

Section numbers_of(const Rectangle& s, double nu) { return make_rectangle(s.width, s.height, nu); }
Section numbers_of(const Circle& s, double nu) { return make_circle(s.radius, nu); }
Section numbers_of(const Tube& s, double nu) { return make_tube(s.radius, s.wall, nu); }
Section numbers_of(const ISection& s, double) {
  return make_i_section(s.width, s.height, s.flange, s.web);
}
Section numbers_of(const Section& s, double) { return s; }

}  // namespace

Section section_of(const SectionShape& shape, double nu) {
  return std::visit([nu](const auto& s) { return numbers_of(s, nu); }, shape);
}

}  // namespace solidyn::beams
