#include "solidyn/forces/plugin_force.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "forces/whole_library.h"
#include "solidyn/base/crash.h"
#include "solidyn/base/error.h"
#include "solidyn/base/lfs_pointer.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/forces/reaction.h"
#include "solidyn/math/rotation.h"
#include "solidyn/plugin/force.h"

namespace solidyn::forces {

using bodies::FrameMotion;
using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

namespace {

using Block = Eigen::Matrix<double, 6, 12, Eigen::RowMajor>;

solidyn_frame plain(const FrameMotion& f) {
  solidyn_frame plain;
  Map<Vector3d>(plain.position) = f.p;
  Map<Matrix3d>(plain.axes) = f.R;
  Map<Vector3d>(plain.velocity) = f.v;
  Map<Vector3d>(plain.angular_velocity) = f.R * f.w;
  return plain;
}

}  // namespace

// A loaded library and an object that it made.
class PluginForce::Object {
 public:
  Object(const std::string& force, const std::string& path, const Parameters& parameters)
      : force_(force), path_(path) {
    load();
    std::vector<const char*> names;
    std::vector<double> values;
    for (const auto& [name, value] : parameters) {
      names.push_back(name.c_str());
      values.push_back(value);
    }
    char message[kMessage] = {};
    run("at the start", [&] {
      object_ = table_->create(static_cast<int>(names.size()), names.data(), values.data(), message,
                               kMessage);
    });
    if (object_) return;
    dlclose(library_);
    throw base::InputError(
        fmt::format("the plug-in `{}` failed to initialise: {}", path_, text_of(message)),
        "check the parameters that the plug-in requires");
  }
  ~Object() {
    if (has_crashed_) return;
    table_->destroy(object_);
    dlclose(library_);
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  bool has_derivatives() const { return table_->derivatives != nullptr; }

  Vector6 force(double t, const solidyn_frame& A, const solidyn_frame& B) const {
    Vector6 f = Vector6::Zero();
    char message[kMessage] = {};
    int error = 0;
    run(at(t), [&] { error = table_->evaluate(object_, t, &A, &B, f.data(), message, kMessage); });
    if (error != 0) fail(t, message);
    if (!f.allFinite()) end(t, "a force that is not finite");
    return f;
  }

  void derivatives(double t, const solidyn_frame& A, const solidyn_frame& B, Block& by_position,
                   Block& by_velocity) const {
    char message[kMessage] = {};
    int error = 0;
    run(at(t), [&] {
      error = table_->derivatives(object_, t, &A, &B, by_position.data(), by_velocity.data(),
                                  message, kMessage);
    });
    if (error != 0) fail(t, message);
    if (!by_position.allFinite() || !by_velocity.allFinite())
      end(t, "derivatives that are not finite");
  }

 private:
  static constexpr std::size_t kMessage = 1024;

  static std::string text_of(char* message) {
    message[kMessage - 1] = '\0';
    return *message ? message : "no reason given";
  }
  [[noreturn]] void fail(double t, char* message) const { end(t, text_of(message)); }
  [[noreturn]] void end(double t, const std::string& message) const {
    throw base::ComputationError(fmt::format("force {}: the plug-in `{}` reports at t = {:g} s: {}",
                                             force_, path_, t, message));
  }

  static std::string at(double t) { return fmt::format("at t = {:g} s", t); }

  // The code of a plug-in may crash, or throw unexpected exceptions. After a crash it is not run
  // again.
  template <class Call>
  void run(const std::string& when, const Call& call) const {
    const auto describe = [&](const std::string& what) {
      return fmt::format("force {}: the plug-in `{}` {} {}", force_, path_, what, when);
    };
    if (has_crashed_) throw base::ResourceError(describe("has crashed and cannot be called"));
    int signal = 0;
    try {
      signal = base::run_guarded(call);
    } catch (const std::exception& e) {
      throw base::ResourceError(describe(fmt::format("throws an exception ({})", e.what())));
    } catch (...) {
      throw base::ResourceError(describe("throws an exception"));
    }
    if (signal == 0) return;
    has_crashed_ = true;
    throw base::ResourceError(describe(fmt::format("crashed ({})", strsignal(signal))));
  }

  void load() {
    base::refuse_lfs_pointer(path_);
    require_whole_library(path_);
    library_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library_)
      throw base::InputError(fmt::format("cannot load the plug-in `{}`: {}", path_, dlerror()),
                             "give a shared library that was built for this machine");
    using Entry = const solidyn_force_plugin_table* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library_, "solidyn_force_plugin"));
    if (!entry)
      refuse(fmt::format("`{}` has no function solidyn_force_plugin()", path_),
             "it is not a force plug-in, see include/solidyn/plugin/force.h");
    table_ = entry();
    if (!table_)
      refuse(fmt::format("the plug-in `{}` returns no function table", path_),
             "contact its author");
    if (table_->version != SOLIDYN_FORCE_PLUGIN_VERSION)
      refuse(fmt::format("the plug-in `{}` has interface version {}, this program has {}", path_,
                         table_->version, SOLIDYN_FORCE_PLUGIN_VERSION),
             "compile it with the header solidyn/plugin/force.h of this program");
    if (!table_->create || !table_->evaluate || !table_->destroy)
      refuse(fmt::format("the plug-in `{}` lacks create, evaluate or destroy", path_),
             "its function table must have all three");
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
    dlclose(library_);
    throw base::InputError(what, remedy);
  }

  std::string force_, path_;
  void* library_ = nullptr;
  const solidyn_force_plugin_table* table_ = nullptr;
  void* object_ = nullptr;
  mutable bool has_crashed_ = false;
};

PluginForce::PluginForce(std::string name, const bodies::FrameLink& link,
                         const std::string& library, const Parameters& parameters)
    : PairForce(std::move(name), link),
      object_(std::make_unique<Object>(this->name(), library, parameters)) {}

PluginForce::~PluginForce() = default;

Vector12 PluginForce::wrench(const FramePair& f, double t) const {
  return reaction_map(f) * object_->force(t, plain(f.A), plain(f.B));
}

namespace {

// Central differences of `force` by one of the twelve components of a frame that `change` moves.
template <class Force, class Change>
Vector6 difference(const Force& force, const solidyn_frame& at, double step, const Change& change) {
  solidyn_frame above = at, below = at;
  change(above, step);
  change(below, -step);
  return (force(above) - force(below)) / (2.0 * step);
}

void turn(solidyn_frame& frame, int axis, double angle) {
  Map<Matrix3d> R(frame.axes);
  R = (math::exp_rotation(angle * Vector3d::Unit(axis)) * R).eval();
}

// By the first six columns: the motion of one frame. @param size of the distances that matter, m
template <class Force>
void add_differences(const Force& force, const solidyn_frame& at, double size,
                     Eigen::Ref<Block> by_position, Eigen::Ref<Block> by_velocity, int column) {
  constexpr double kStep = 1e-6;
  const auto step_of = [&](const double* v) {
    return kStep * std::max(1.0, Map<const Vector3d>(v).norm());
  };
  for (int i = 0; i < 3; ++i) {
    by_position.col(column + i) = difference(
        force, at, kStep * size, [i](solidyn_frame& f, double h) { f.position[i] += h; });
    by_position.col(column + 3 + i) =
        difference(force, at, kStep, [i](solidyn_frame& f, double h) { turn(f, i, h); });
    by_velocity.col(column + i) = difference(
        force, at, step_of(at.velocity), [i](solidyn_frame& f, double h) { f.velocity[i] += h; });
    by_velocity.col(column + 3 + i) =
        difference(force, at, step_of(at.angular_velocity),
                   [i](solidyn_frame& f, double h) { f.angular_velocity[i] += h; });
  }
}

// What variations of the pair (rotations in frame axes) make of rotations about world axes and of
// angular velocities in W: columns of the library's derivatives become those of a law.
void turn_columns(const FramePair& f, const Block& by_position, const Block& by_velocity,
                  Eigen::Matrix<double, 6, 12>& positions, Eigen::Matrix<double, 6, 12>& twists) {
  positions = by_position;
  twists = by_velocity;
  const FrameMotion* frames[] = {&f.A, &f.B};
  for (int i = 0; i < 2; ++i) {
    const int at = 6 * i + 3;
    const Matrix3d& R = frames[i]->R;
    twists.middleCols<3>(at) = by_velocity.middleCols<3>(at) * R;
    positions.middleCols<3>(at) =
        by_position.middleCols<3>(at) * R - twists.middleCols<3>(at) * skew(frames[i]->w);
  }
}

}  // namespace

void PluginForce::add_derivatives(const FramePair& f, double t, Matrix12& by_position,
                                  Matrix12& by_twist) const {
  constexpr double kSmallest = 1e-3;  // m; of places that nearly coincide
  const solidyn_frame A = plain(f.A), B = plain(f.B);
  Block positions = Block::Zero(), velocities = Block::Zero();
  if (object_->has_derivatives()) {
    object_->derivatives(t, A, B, positions, velocities);
  } else {
    const double size = std::max(kSmallest, (f.B.p - f.A.p).norm());
    add_differences([&](const solidyn_frame& moved) { return object_->force(t, moved, B); }, A,
                    size, positions, velocities, 0);
    add_differences([&](const solidyn_frame& moved) { return object_->force(t, A, moved); }, B,
                    size, positions, velocities, 6);
  }
  Eigen::Matrix<double, 6, 12> by_variation, by_rate;
  turn_columns(f, positions, velocities, by_variation, by_rate);
  const Matrix12x6 map = reaction_map(f);
  by_position += reaction_stiffness(f, object_->force(t, A, B)) + map * by_variation;
  by_twist += map * by_rate;
}

}  // namespace solidyn::forces
