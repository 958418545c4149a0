#pragma once
#include "command.h"

namespace solidyn::drivers {

/// `solidyn bench friction`, whose arguments follow these two words.
int bench_friction_command(const Arguments& arguments);

}  // namespace solidyn::drivers
