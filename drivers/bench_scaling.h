#pragma once
#include "command.h"

namespace solidyn::drivers {

/// `solidyn bench scaling`, whose arguments follow these two words.
int bench_scaling_command(const Arguments& arguments);

}  // namespace solidyn::drivers
