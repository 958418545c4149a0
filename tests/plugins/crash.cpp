// A force plug-in that pulls like a spring until t = 0.05 s and then crashes: by `way` 1 a wrong
// address, 2 a division of integers by zero, 3 abort(), 4 an exception.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "solidyn/plugin/force.h"

namespace {

volatile int zero = 0;

void* create(int n, const char* const* names, const double* values, char*, std::size_t) {
  auto* way = new int(0);
  for (int i = 0; i < n; ++i)
    if (std::strcmp(names[i], "way") == 0) *way = static_cast<int>(std::lround(values[i]));
  return way;
}

int evaluate(void* way, double t, const solidyn_frame* first, const solidyn_frame* second,
             double force[6], char*, std::size_t) {
  for (int i = 0; i < 3; ++i) force[i] = -10.0 * (second->position[i] - first->position[i]);
  if (t < 0.05) return 0;
  switch (*static_cast<int*>(way)) {
    case 1:
      *reinterpret_cast<volatile int*>(8) = 1;
      break;
    case 2:
      force[0] = 7 / zero;
      break;
    case 3:
      std::abort();
    default:
      throw std::runtime_error("the spring is gone");
  }
  return 0;
}

void destroy(void* way) { delete static_cast<int*>(way); }

const solidyn_force_plugin_table table = {SOLIDYN_FORCE_PLUGIN_VERSION, create, evaluate, nullptr,
                                          destroy};

}  // namespace

extern "C" const solidyn_force_plugin_table* solidyn_force_plugin(void) { return &table; }
