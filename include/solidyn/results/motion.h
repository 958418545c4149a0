#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/results/fields.h"

namespace solidyn::results {

/// Where something stands that moves: by itself, in the world, or fixed in a body.
struct MotionFrame {
  static constexpr int kGround = -1;
  static constexpr int kItself = -2;  ///< its pose is in each picture
  std::string name;
  int body = kGround;                                  ///< of MotionScene::bodies, or one of these
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< in that body's axes, m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  std::string on = {};  ///< for people: "rod.big_end", "ground"; empty where nobody asks
};

/// A simple solid that stands for a body without a mesh.
struct MotionPrimitive {
  std::string shape;  ///< "box", "cylinder", "sphere" or "capsule"
  /// Box: its edges; cylinder and capsule: radius, length along z; sphere: radius. m
  std::vector<double> size;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of its centre, body axes, m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// What is known of a body before anything moves.
struct MotionBody {
  std::string name, type;
  double mass = 0.0;   ///< kg
  std::string colour;  ///< "#rrggbb"; empty: chosen by the page
  int n_coordinates = 0;
  /// Lines of a beam, between nodes whose poses are in each picture; empty: no beam.
  std::vector<std::array<int, 2>> lines;
  int n_nodes = 0;
  /// Poses as modelled, x y z, quaternion w x y z: of a beam's nodes; of a body on absolute
  /// coordinates its own. Empty: not known, or a body with axes.
  std::vector<std::array<double, 7>> rest;
  double radius = 0.0;        ///< of the beam's section as a circle of the same area, m
  bool is_in_fields = false;  ///< its surface is in fields.h5, where it is written at all
  /// Its own axes are what it deforms in: it has some, or is held to the ground. Else a body of
  /// many nodes is seen from the rigid motion that is nearest to its own.
  bool keeps_axes = false;
  std::optional<MotionPrimitive> primitive;
};

struct MotionJoint {
  std::string name, type;
  std::string leaves;                  ///< in words: "rotation about z"
  std::array<int, 2> frames = {0, 0};  ///< of MotionScene::frames
};

/// Something else that is drawn between frames or at one of them.
struct MotionSymbol {
  std::string name;
  /// "spring", "damper", "bushing", "force" (between two frames); "contact", "load", "support",
  /// "reaction".
  std::string kind;
  std::vector<int> frames;  ///< of MotionScene::frames
  bool has_vector = false;  ///< a vector in W at the last point is in each picture
  std::string unit = "N";   ///< of it
  bool has_point = false;   ///< its point, in W, is in each picture, and no frame says where it is
};

/// What motion.h5 says once. A picture is a row of numbers: for each body its pose (x y z in W, m;
/// quaternion w x y z, body to world), its coordinates and the poses of its nodes; then the pose of
/// each frame that moves by itself; then point and vector of each symbol that has them; then, with
/// velocities, for each body those of its origin (m/s) and its angular velocity (rad/s, both in W),
/// the rates of its coordinates, and six such numbers for each of its nodes.
struct MotionScene {
  std::string title, independent = "time", unit = "s";
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< m/s^2, in W
  std::string model;                                  ///< text of the model file
  std::vector<std::string> overrides;                 ///< "path=value"
  bool has_velocities = false;
  std::vector<MotionBody> bodies;
  std::vector<MotionFrame> frames;
  std::vector<MotionJoint> joints;
  std::vector<MotionSymbol> symbols;

  static int n_numbers(const MotionBody& body) { return 7 + body.n_coordinates + 7 * body.n_nodes; }
  static int n_rates(const MotionBody& body) { return 6 + body.n_coordinates + 6 * body.n_nodes; }
  int row_length() const;
  /// Where in a row the numbers of a body, a frame that moves by itself, a symbol, a body's
  /// velocities begin.
  int body_column(int body) const;
  int frame_column(int frame) const;
  int symbol_column(int symbol) const;
  int rate_column(int body) const;

  std::string to_json() const;
  /// @throws base::InputError when the text is no scene that hangs together
  static MotionScene from_json(const std::string& text, const std::string& source);
};

/// The surface of a flexible body and its shapes, the part of one rank: the position of a node is
/// x + sum_k q_k S_k in body axes.
struct MotionSurface {
  int body = 0;                                        ///< of MotionScene::bodies
  FieldPart part;                                      ///< as for pictures; without quantities
  Eigen::Matrix3Xd positions;                          ///< [3 x n_owned] undeformed, m, body axes
  std::function<Eigen::MatrixXd(int k)> shape;         ///< S_k [3 x n_owned], m per unit
  std::function<Eigen::MatrixXd(int k)> stress_shape;  ///< [6 x n_owned] Pa, or empty
};

/// Writes motion.h5: what a report draws (doc/report.md). Bodies of few coordinates cost as many
/// numbers for a picture as they have; the nodes of surfaces are written at the start and never
/// again. The promise against crashes is that of FieldWriter: all that describes the datasets is on
/// the disk before the first picture, and a picture counts when its time is there. Proved by
/// Motion.*.
class MotionWriter {
 public:
  /// Collective. Begins a new file, or, with `resume_at`, continues after the last picture that is
  /// not later. @throws base::InputError as FieldWriter
  MotionWriter(MPI_Comm comm, std::string path, const MotionScene& scene,
               const std::vector<MotionSurface>& surfaces, std::int64_t n_pictures,
               std::optional<double> resume_at = std::nullopt);
  MotionWriter(MotionWriter&&) noexcept;
  MotionWriter& operator=(MotionWriter&&) noexcept;
  ~MotionWriter();

  /// Collective. @param row [row_length()], the same on all ranks; that of rank 0 is written
  void write(double time, const std::vector<double>& row);
  std::int64_t n_written() const;

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace solidyn::results
