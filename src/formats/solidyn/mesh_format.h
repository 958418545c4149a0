#pragma once
#include <cstdint>

namespace solidyn::formats {

/// What a .smesh file says of itself.
constexpr char kSolidynMeshFormat[] = "solidyn mesh";
constexpr std::int64_t kSolidynMeshVersion = 1;

}  // namespace solidyn::formats
