#pragma once
#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/imported/material.h"

namespace solidyn::formats {

/// Writers of decks have materials without directions only.
inline void refuse_directions(const imported::Material& material, const std::string& source) {
  const materials::Vector6d& alpha = material.expansion;
  if (material.stiffness || alpha[0] != alpha[1] || alpha[1] != alpha[2] ||
      !alpha.tail<3>().isZero(0.0))
    throw base::InputError(
        fmt::format("material {} is orthotropic or anisotropic, which can be read but not written",
                    material.name),
        "write a mesh without materials, for example .msh", {source, 0, 0});
}

}  // namespace solidyn::formats
