#pragma once
#include "command.h"

namespace solidyn::drivers {

/// `solidyn bench wheel_rail`, whose arguments follow these two words.
int bench_wheel_rail_command(const Arguments& arguments);

/// `solidyn bench vehicle`, likewise.
int bench_vehicle_command(const Arguments& arguments);

}  // namespace solidyn::drivers
