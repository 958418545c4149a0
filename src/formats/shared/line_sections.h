#pragma once
#include "solidyn/imported/line_elements.h"

namespace solidyn::formats {

/// Turns a general section to its principal axes. @param I_yz  the integral of y z
/// @return from y to the principal y about x, rad. Private to the readers.
double make_principal(beams::Section& section, double I_yz);

/// An I whose web runs along y: ours run along z. @param depth  along y @param width  of a flange
/// Fills the shape; the property's `turn` becomes a right angle.
void set_upright_i_section(imported::LineProperty& property, double depth, double width,
                           double flange, double web);

}  // namespace solidyn::formats
