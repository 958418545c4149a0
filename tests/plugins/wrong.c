/* Force plug-ins that are wrong, each in one way (WRONG_...). */
#include <math.h>
#include <stdio.h>

#include "solidyn/plugin/force.h"

static int object;

static void* create(int n, const char* const* names, const double* values, char* message,
                    size_t size) {
  (void)n, (void)names, (void)values, (void)message, (void)size;
  return &object;
}

/* Before t = 1 not a number, later an error with a reason, after t = 2 one without. */
static int evaluate(void* o, double t, const solidyn_frame* first, const solidyn_frame* second,
                    double force[6], char* message, size_t size) {
  (void)o, (void)first, (void)second;
  force[2] = NAN;
  if (t >= 1.0 && t < 2.0) snprintf(message, size, "the magnet is too hot");
  return t >= 1.0;
}

static void destroy(void* o) { (void)o; }

static const solidyn_force_plugin_table table = {
#ifdef WRONG_VERSION
    SOLIDYN_FORCE_PLUGIN_VERSION + 1,
#else
    SOLIDYN_FORCE_PLUGIN_VERSION,
#endif
    create,
#ifdef WRONG_TABLE
    NULL,
#else
    evaluate,
#endif
    NULL, destroy};

#ifdef WRONG_SYMBOL
const solidyn_force_plugin_table* some_other_function(void) { return &table; }
#else
const solidyn_force_plugin_table* solidyn_force_plugin(void) { return &table; }
#endif
