// A sensor of our own: where the mass centre of a thrown, tumbling pair of bodies is.
//
//   out/extend/sensor/extend_sensor
//   mpirun -n 2 out/extend/sensor/extend_sensor     (the same numbers)
//
// Known: whatever the bodies do to each other, their mass centre flies along the parabola
// p + v t + g t^2 / 2.
#include <solidyn/analyses/sensors.h>
#include <solidyn/results/history.h>
#include <solidyn/solidyn.h>

#include <filesystem>
#include <string>
#include <vector>

#include "mass_centre.h"

using namespace solidyn;
using Eigen::Vector3d;

const Vector3d kGravity(0, 0, -9.81);

struct Body {
  const char* name;
  double mass;
  Vector3d centre, p, v, w;  // mass centre in body axes; where its origin is, its velocity; spin
};
const Body kBodies[] = {{"club", 1.5, {0, 0, 0.1}, {0, 0, 1}, {2, 0, 3}, {0, 4, 1}},
                        {"ball", 0.5, {0, 0, 0}, {0.4, 0, 1}, {2, 1, 4}, {0, 0, 0}}};

void record(const std::string& path) {
  // Model: two bodies and a spring between their origins.
  system::System mechanism;
  mechanism.set_gravity(kGravity);
  std::vector<bodies::FrameIndex> frames;
  for (const Body& body : kBodies) {
    bodies::InitialMotion start;
    start.p_WB = body.p;
    start.v_WB = body.v;
    start.w_WB_B = body.w;
    const bodies::BodyIndex i =
        mechanism.add_body(bodies::make_rigid_body(body.name, body.mass, body.centre,
                                                   Vector3d(0.02, 0.03, 0.01).asDiagonal()),
                           start);
    frames.push_back(system::add_frame(mechanism, i, body.p));
  }
  forces::SpringDamper::Options spring;
  spring.stiffness = 60.0;
  spring.free = 0.3;
  system::add_spring(mechanism, "tie", bodies::Distance(), spring, {frames[0], frames[1]});
  mechanism.finalize();

  // Analysis: a flight of a second, with the sensor's columns in a history.
  analyses::DynamicsOptions options;
  options.duration = 1.0;
  options.step = 1e-3;
  analyses::Dynamics dynamics(mechanism, options);
  dynamics.start();
  const analyses::Sensor sensor = mass_centre_sensor("centre");
  std::vector<results::HistoryColumn> columns;
  for (const auto& column : sensor.columns) columns.push_back({column.name, column.unit});
  results::HistoryWriter history(PETSC_COMM_WORLD, path, columns);
  Vector3d values;
  while (!dynamics.is_done()) {
    dynamics.advance();
    dynamics.refresh();
    sensor.read({mechanism, dynamics.state()}, values.data());
    history.write(dynamics.state().t, values);
  }
  history.flush();
}

int run() {
  const std::string path = "out/extend_sensor/history.csv";
  base::run_together(PETSC_COMM_WORLD,
                     [&] { std::filesystem::create_directories("out/extend_sensor"); });
  record(path);
  double worst = 0.0;
  base::run_together(PETSC_COMM_WORLD, [&] {
    Vector3d p = Vector3d::Zero(), v = Vector3d::Zero();
    double mass = 0.0;
    for (const Body& body : kBodies) {
      p += body.mass * (body.p + body.centre);
      v += body.mass * (body.v + body.w.cross(body.centre));
      mass += body.mass;
    }
    const results::History history = results::read_history(path);
    for (Eigen::Index row = 0; row < history.time.size(); ++row) {
      const double t = history.time[row];
      const Vector3d exact = p / mass + t * v / mass + 0.5 * t * t * kGravity;
      worst = std::max(worst, (history.values.row(row).transpose() - exact).norm());
    }
    if (history.time.size() < 1000) worst = 1.0;  // rows are missing
  });
  base::print_once("mass centre {:.1e} m from the parabola\n", worst);
  return worst < 1e-5 ? 0 : 1;
}

int main() { return base::run_program({}, run); }
