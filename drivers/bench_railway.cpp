// solidyn bench wheel_rail: processor time of one contact of wheel and rail.
// solidyn bench vehicle MODEL: that of the steps of a vehicle on its track.
//
//   solidyn bench vehicle examples/railway/coach.yaml --steps 500
#include "bench_railway.h"

#include <petsc.h>

#include <iostream>

#include "model_option.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/simulation/railway_bench.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;

void print(const std::string& text) {
  if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << text << std::flush;
  base::warn_of_unused_petsc_options();
}

}  // namespace

int bench_wheel_rail_command(const Arguments& arguments) {
  Options options(
      "solidyn bench wheel_rail [options]",
      "Times what a contact of a wheel and a rail takes: the search of its points along the profile and by a table, the overlap that runs take forces from, Hertz, Polach and FASTSIM. Each answer is checked; a wrong one is an error.",
      "solidyn bench wheel_rail --seconds 1");
  options.add()("seconds", po::value<double>()->value_name("S")->default_value(0.3, "0.3"),
                "processor time of each measurement");
  if (!options.parse(arguments)) return kDone;
  return run_with_petsc(arguments.petsc, [&] {
    print(format(simulation::run_contact_bench(options.value<double>("seconds"))));
  });
}

int bench_vehicle_command(const Arguments& arguments) {
  Options options(
      "solidyn bench vehicle MODEL [options]",
      "Times steps of the `dynamics` of a vehicle on its track, after its `statics`, each with a row of the model's sensors but without files. That the wheels carry the weight is checked; an error if not.",
      "solidyn bench vehicle examples/railway/coach.yaml --steps 500");
  add_model_options(options);
  options.add()("steps", po::value<int>()->value_name("N")->default_value(500), "steps to time");
  if (!options.parse(arguments)) return kDone;
  return run_with_petsc(arguments.petsc, [&] {
    print(format(simulation::run_vehicle_bench(PETSC_COMM_WORLD, load_model(options, arguments),
                                               options.value<int>("steps"))));
  });
}

}  // namespace solidyn::drivers
