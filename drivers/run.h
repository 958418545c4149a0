#pragma once
#include <filesystem>

#include "solidyn/model/description.h"

namespace solidyn::drivers {

struct RunOptions {
  std::filesystem::path output;  ///< folder; made when the analyses start, not before
  bool restart = false;          ///< go on from the folder's checkpoint
  bool is_quiet = false;
};

}  // namespace solidyn::drivers
