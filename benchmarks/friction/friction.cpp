// Times of the solvers of contacts with friction: README.md of this folder.
//
//   benchmark_friction tests/data/friction/*.hdf5
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/formats/fclib/friction_problem.h"
#include "solidyn/solvers/friction/delassus.h"
#include "solidyn/solvers/friction/friction_contact.h"
#include "timing.h"

namespace {

using namespace solidyn::solvers::friction;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kRepeat = 5;
constexpr double kGravity = 9.81, kStep = 1e-3;

/// A problem with what it is made of.
struct Case {
  std::string name;
  CondensedProblem local;
  Problem problem;
  double setup_seconds = 0.0;
};

void set_problem(Case& c, const VectorXd& mu) {
  c.problem.W = &c.local.W;
  c.problem.q = c.local.q;
  for (Eigen::Index i = 0; i < mu.size(); ++i)
    c.problem.laws.push_back({ContactLaw::Type::coulomb, mu[i]});
}

/// Free rigid bodies and their contacts, one step of gravity from rest.
class Scene {
 public:
  int add_body(double mass, double inertia, const Vector3d& at) {
    Eigen::Matrix<double, 6, 6> A = Eigen::Matrix<double, 6, 6>::Zero();
    A.diagonal() << Vector3d::Constant(1.0 / mass), Vector3d::Constant(1.0 / inertia);
    inverse_masses_.push_back(A);
    centres_.push_back(at);
    weight_ += mass * kGravity;
    return static_cast<int>(centres_.size()) - 1;
  }
  /// The normal points to `upper`; `lower` -1: the ground.
  void add_contact(int lower, int upper, const Vector3d& at, const Vector3d& normal) {
    Matrix3d axes;
    const Vector3d t =
        normal.cross(std::abs(normal[0]) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY())
            .normalized();
    axes << normal.transpose(), t.transpose(), normal.cross(t).transpose();
    if (lower >= 0) legs_.push_back({n_contacts_, lower, -leg(axes, at - centres_[lower])});
    legs_.push_back({n_contacts_, upper, leg(axes, at - centres_[upper])});
    ++n_contacts_;
  }
  Case make(std::string name) const {
    const double since = solidyn::benchmarks::cpu_seconds();
    Case c{std::move(name), {delassus_of_bodies(n_contacts_, inverse_masses_, legs_), {}}, {}, 0};
    c.setup_seconds = solidyn::benchmarks::cpu_seconds() - since;
    c.local.q = free_velocity(0.0, 1);
    return c;
  }
  /// @param push  random velocity, m/s, beside that of the step's gravity
  VectorXd free_velocity(double push, unsigned seed) const {
    std::mt19937 g(seed);
    std::normal_distribution<double> normal(0.0, push > 0.0 ? push : 1.0);
    VectorXd q = VectorXd::Zero(3 * n_contacts_);
    std::vector<Eigen::Matrix<double, 6, 1>> twists(centres_.size());
    for (auto& twist : twists) {
      twist.setZero();
      twist[2] = -kStep * kGravity;
      if (push > 0.0)
        for (int i = 0; i < 3; ++i) twist[i] += normal(g);
    }
    for (const ContactLeg& one : legs_) q.segment<3>(3 * one.contact) += one.J * twists[one.body];
    return q;
  }
  double weight() const { return weight_; }

 private:
  static Eigen::Matrix<double, 3, 6> leg(const Matrix3d& axes, const Vector3d& arm) {
    Matrix3d skew;
    skew << 0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0;
    Eigen::Matrix<double, 3, 6> J;
    J << axes, -axes * skew;
    return J;
  }
  std::vector<Eigen::Matrix<double, 6, 6>> inverse_masses_;
  std::vector<Vector3d> centres_;
  std::vector<ContactLeg> legs_;
  int n_contacts_ = 0;
  double weight_ = 0.0;
};

/// Bricks of 0.2 x 0.1 x 0.1 m in bond, with halves at the ends: each rests on the halves of two
/// others, with four contacts on each.
Scene brick_wall(int rows, int columns) {
  struct Brick {
    double low, high;
    int body;
  };
  Scene scene;
  const double a = 0.2, b = 0.1, h = 0.1;
  std::vector<Brick> below, row;
  for (int r = 0; r < rows; ++r, std::swap(below, row)) {
    row.clear();
    const int n = r % 2 ? columns + 1 : columns;
    for (int c = 0; c < n; ++c) {
      const double shift = r % 2 ? 0.5 * a : 0.0;
      const double low = std::max(0.0, a * c - shift),
                   high = std::min(a * columns, a * (c + 1) - shift);
      const double length = high - low, mass = 2000.0 * length * b * h, z = h * (r + 0.5);
      const int body = scene.add_body(mass, mass * (length * length + b * b) / 12.0,
                                      {0.5 * (low + high), 0.0, z});
      row.push_back({low, high, body});
      if (r == 0) below = {{0.0, a * columns, -1}};
      for (const Brick& under : below) {
        const double from = std::max(low, under.low), to = std::min(high, under.high);
        if (to - from < 0.01 * a) continue;
        for (const double x : {from + 0.01 * a, to - 0.01 * a})
          for (const double side : {-0.5, 0.5})
            scene.add_contact(under.body, body, {x, side * b, z - 0.5 * h}, Vector3d::UnitZ());
      }
    }
  }
  return scene;
}

/// Spheres in layers of square pattern, each in the hollow of four below: 6 from 24 x 24 make 9,436
/// contacts.
Scene sphere_pile(int layers, int side) {
  Scene scene;
  const double R = 0.01, mass = 2500.0 * 4.0 / 3.0 * M_PI * R * R * R;
  const double rise = std::sqrt(2.0) * R;
  std::vector<std::vector<int>> layer_bodies;
  for (int l = 0; l < layers; ++l) {
    const int n = side - l;
    layer_bodies.emplace_back();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Vector3d at(2.0 * R * (i + 0.5 * l), 2.0 * R * (j + 0.5 * l), R + rise * l);
        const int ball = scene.add_body(mass, 0.4 * mass * R * R, at);
        layer_bodies.back().push_back(ball);
        if (l == 0) {
          scene.add_contact(-1, ball, at - R * Vector3d::UnitZ(), Vector3d::UnitZ());
          continue;
        }
        for (const int di : {0, 1})
          for (const int dj : {0, 1}) {
            const int below = layer_bodies[l - 1][(i + di) * (n + 1) + j + dj];
            const Vector3d normal =
                Vector3d(-(2.0 * di - 1.0) * R, -(2.0 * dj - 1.0) * R, rise).normalized();
            scene.add_contact(below, ball, at - R * normal, normal);
          }
      }
  }
  return scene;
}

void print_row(const Case& c, const char* what, Method method, double tolerance,
               const VectorXd& start = {}, int max_iterations = 0) {
  std::vector<double> seconds;
  Result result;
  for (int k = 0; k < kRepeat; ++k) {
    const double since = solidyn::benchmarks::cpu_seconds();
    result = try_solve(c.problem, {method, tolerance, max_iterations}, start);
    seconds.push_back(solidyn::benchmarks::cpu_seconds() - since);
  }
  const double time = solidyn::benchmarks::median(seconds);
  int iterations = 0;
  for (const Attempt& attempt : result.attempts) iterations += attempt.iterations;
  const bool sweeps = method == Method::gauss_seidel && iterations > 0;
  fmt::print("| {} | {} | {} | {} | {:.3f} | {} | {} | {:.1e} | {:.9e} |\n", c.name,
             c.problem.n_contacts(), what, result.has_converged ? "yes" : "no", 1e3 * time,
             iterations,
             sweeps ? fmt::format("{:.3f}", 1e6 * time / iterations / c.problem.n_contacts()) : "",
             result.error.relative, result.u.norm());
  std::fflush(stdout);
}

void print_file(const std::string& path) {
  const auto file = solidyn::formats::read_fclib(path);
  const double since = solidyn::benchmarks::cpu_seconds();
  Case c{std::filesystem::path(path).stem().string(),
         file.is_global ? condense(file.M, file.H, file.f, file.w)
                        : CondensedProblem{ContactBlocks::from_sparse(file.W), file.q},
         {},
         0.0};
  c.setup_seconds = solidyn::benchmarks::cpu_seconds() - since;
  set_problem(c, file.mu);
  for (const Method method : {Method::automatic, Method::gauss_seidel, Method::newton,
                              Method::interior_point, Method::projected_gradient})
    print_row(c, name(method), method, 1e-8);
}

/// A step from nothing, and the next one, whose velocities differ a little, from its forces.
void print_scene(const Scene& scene, const std::string& name, double mu, double tolerance) {
  Case c = scene.make(name);
  set_problem(c, VectorXd::Constant(c.local.q.size() / 3, mu));
  fmt::print("| {} | {} | W of the bodies | | {:.3f} | | | | |\n", name, c.problem.n_contacts(),
             1e3 * c.setup_seconds);
  std::fflush(stdout);
  print_row(c, "automatic, cold", Method::automatic, tolerance);
  print_row(c, "gauss_seidel, cold", Method::gauss_seidel, tolerance, {}, 2000);
  print_row(c, "projected_gradient, cold", Method::projected_gradient, tolerance, {}, 5000);
  const Result last = try_solve(c.problem, {Method::automatic, tolerance, 0});
  c.problem.q += 1e-3 * scene.free_velocity(kStep * kGravity, 2);
  print_row(c, "automatic, warm", Method::automatic, tolerance, last.r);
}

}  // namespace

int main(int argc, char** argv) {
  solidyn::base::set_log_level(solidyn::base::LogLevel::off);
  fmt::print(
      "| problem | contacts | method | converged | CPU, ms | iterations | us per contact and sweep | error | norm of u |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  try {
    for (int i = 1; i < argc; ++i) print_file(argv[i]);
    print_scene(brick_wall(25, 10), "wall of 250 bricks", 0.6, 1e-6);
    print_scene(sphere_pile(6, 24), "pile of spheres, mu 0.8", 0.8, 1e-6);
    print_scene(sphere_pile(3, 6), "small pile, mu 0.4", 0.4, 1e-6);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
