#pragma once

namespace solidyn::system {

/// Along which axes twists of frames, and forces on them, are written.
enum class TwistAxes : unsigned char { world, own };

}  // namespace solidyn::system
