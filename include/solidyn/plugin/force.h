#ifndef SOLIDYN_PLUGIN_FORCE_H
#define SOLIDYN_PLUGIN_FORCE_H
/*
 * A force of your own, as a shared library that a model file names:
 *
 *   forces:
 *     grip: {type: plugin, library: libgrip.so, between: [a.tool, b.part], parameters: {stiffness:
 * 1e4}}
 *
 * The library exports one function, solidyn_force_plugin(), which returns the table below. Plain C,
 * so that any compiler and language does. Numbers are SI and radians, vectors are in world axes.
 * Each rank of a parallel run makes its own object; what evaluate() says must depend on its
 * arguments alone: it is called in any order of times and states, several times for each.
 */
#include <stddef.h>

#define SOLIDYN_FORCE_PLUGIN_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* The motion of one of the two places. */
typedef struct solidyn_frame {
  double position[3];         /* of its origin, m */
  double axes[9];             /* its x, y and z axis, one after the other */
  double velocity[3];         /* m/s */
  double angular_velocity[3]; /* rad/s */
} solidyn_frame;

typedef struct solidyn_force_plugin_table {
  /* SOLIDYN_FORCE_PLUGIN_VERSION of the header that the library was compiled with. */
  int version;

  /* Makes an object. names, values: the n `parameters` of the model file, as written there.
   * On an error returns NULL and writes a sentence into message (size bytes). */
  void* (*create)(int n, const char* const* names, const double* values, char* message,
                  size_t size);

  /* Force (N, 3) and torque (N m, 3) on the second place at its origin. The opposite acts on the
   * first place's body at the same point of space. Returns 0, or on an error anything else with a
   * sentence in message: the run ends with it. */
  int (*evaluate)(void* object, double t, const solidyn_frame* first, const solidyn_frame* second,
                  double force[6], char* message, size_t size);

  /* May be NULL: then derivatives are found by differences of evaluate(). The derivatives of
   * force[6], row by row: by_position[6][12] by the positions (3) and small rotations (3, about
   * world axes) of the first and of the second place, by_velocity[6][12] by their velocities and
   * angular velocities. Both arrive filled with zeros. Returns as evaluate(). */
  int (*derivatives)(void* object, double t, const solidyn_frame* first,
                     const solidyn_frame* second, double by_position[72], double by_velocity[72],
                     char* message, size_t size);

  void (*destroy)(void* object);
} solidyn_force_plugin_table;

/* What the library exports. The table lives as long as the library. */
const solidyn_force_plugin_table* solidyn_force_plugin(void);

#ifdef __cplusplus
}
#endif
#endif
