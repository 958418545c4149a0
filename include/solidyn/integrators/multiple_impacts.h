#pragma once

namespace solidyn::integrators {

/// Several contacts at one instant: all in one impact, or a sequence of impacts of one contact each
/// (doc/theory/nonsmooth.md).
enum class MultipleImpacts { simultaneous, sequential };

}  // namespace solidyn::integrators
