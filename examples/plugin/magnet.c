/* Two magnets: they attract each other, turn their z axes together, and eddy currents brake them.
 *   d: from the first to the second, r^2 = |d|^2 + core^2, v: relative velocity, z: axes
 *   force  -strength d/r^4 - eddy v,   torque  align z2 x z1
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solidyn/plugin/force.h"

typedef struct {
  double strength; /* N m^3 */
  double core;     /* m */
  double align;    /* N m */
  double eddy;     /* N s/m */
} Magnets;

static double* find(Magnets* m, const char* name) {
  if (strcmp(name, "strength") == 0) return &m->strength;
  if (strcmp(name, "core") == 0) return &m->core;
  if (strcmp(name, "align") == 0) return &m->align;
  if (strcmp(name, "eddy") == 0) return &m->eddy;
  return NULL;
}

static void* create(int n, const char* const* names, const double* values, char* message,
                    size_t size) {
  Magnets* m = calloc(1, sizeof(Magnets));
  for (int i = 0; i < n; ++i) {
    double* parameter = find(m, names[i]);
    if (!parameter) {
      snprintf(message, size, "unknown parameter `%s`; there are strength, core, align and eddy",
               names[i]);
      free(m);
      return NULL;
    }
    *parameter = values[i];
  }
  if (m->core > 0.0) return m;
  snprintf(message, size, "`core` must be given and positive");
  free(m);
  return NULL;
}

static void cross(const double a[3], const double b[3], double c[3]) {
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

static int evaluate(void* object, double t, const solidyn_frame* first, const solidyn_frame* second,
                    double force[6], char* message, size_t size) {
  const Magnets* m = object;
  double r2 = m->core * m->core;
  (void)t, (void)message, (void)size;
  for (int i = 0; i < 3; ++i) r2 += pow(second->position[i] - first->position[i], 2);
  for (int i = 0; i < 3; ++i)
    force[i] = -m->strength * (second->position[i] - first->position[i]) / (r2 * r2) -
               m->eddy * (second->velocity[i] - first->velocity[i]);
  cross(second->axes + 6, first->axes + 6, force + 3);
  for (int i = 0; i < 3; ++i) force[3 + i] *= m->align;
  return 0;
}

#ifndef MAGNET_WITHOUT_DERIVATIVES
static int derivatives(void* object, double t, const solidyn_frame* first,
                       const solidyn_frame* second, double by_position[72], double by_velocity[72],
                       char* message, size_t size) {
  const Magnets* m = object;
  const double *z1 = first->axes + 6, *z2 = second->axes + 6;
  double d[3], r2 = m->core * m->core, dot = 0.0;
  (void)t, (void)message, (void)size;
  for (int i = 0; i < 3; ++i) {
    d[i] = second->position[i] - first->position[i];
    r2 += d[i] * d[i];
    dot += z1[i] * z2[i];
  }
  for (int i = 0; i < 3; ++i) {
    by_velocity[12 * i + i] = m->eddy;
    by_velocity[12 * i + 6 + i] = -m->eddy;
    for (int j = 0; j < 3; ++j) {
      const double same = i == j;
      const double k = m->strength * (4.0 * d[i] * d[j] / r2 - same) / (r2 * r2);
      by_position[12 * i + j] = -k;
      by_position[12 * i + 6 + j] = k;
      /* d(z2 x z1): -z2 x (z1 x turn 1) + z1 x (z2 x turn 2) */
      by_position[12 * (3 + i) + 3 + j] = -m->align * (z1[i] * z2[j] - dot * same);
      by_position[12 * (3 + i) + 9 + j] = m->align * (z2[i] * z1[j] - dot * same);
    }
  }
  return 0;
}
#endif

static const solidyn_force_plugin_table table = {SOLIDYN_FORCE_PLUGIN_VERSION, create, evaluate,
#ifdef MAGNET_WITHOUT_DERIVATIVES
                                                 NULL,
#else
                                                 derivatives,
#endif
                                                 free};

const solidyn_force_plugin_table* solidyn_force_plugin(void) { return &table; }
