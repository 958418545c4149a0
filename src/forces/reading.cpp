#include "solidyn/forces/reading.h"

#include <cstring>

namespace solidyn::forces {

bool Reading::operator==(const Reading& other) const {
  return std::strcmp(name, other.name) == 0 && std::strcmp(si, other.si) == 0;
}

const Readings& readings_of_every_force() {
  static const Readings readings = {{"force_x", "N"},    {"force_y", "N"},    {"force_z", "N"},
                                    {"torque_x", "N m"}, {"torque_y", "N m"}, {"torque_z", "N m"},
                                    {"energy", "J"},     {"power", "W"}};
  return readings;
}

}  // namespace solidyn::forces
