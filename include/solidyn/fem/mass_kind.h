#pragma once

namespace solidyn::fem {

/// The mass matrix of a body: of its nodes alone, or of its shape functions.
enum class MassKind { lumped, consistent };

}  // namespace solidyn::fem
