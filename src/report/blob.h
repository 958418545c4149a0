#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace solidyn::report {

using Json = nlohmann::ordered_json;

/// Half the distance of numbers in single precision, relative.
constexpr double kSingle = 6e-8;

/// The arrays of a page: their bytes one behind the other, and a list that says how to read them.
/// Each add_* returns the array's place in the list.
class Blob {
 public:
  /// Rows of the matrix one behind the other, e.g. [components x pictures].
  int add_floats(const Eigen::MatrixXd& rows);
  int add_floats(const std::vector<double>& values);
  /// The same less the first of them, which is told beside: instants late in a long run differ by
  /// less than single precision.
  int add_times(const std::vector<double>& values);
  /// Integers of 16 bits, or 32 where they do not suffice: value = scale * integer, each off by
  /// half of `step` at most.
  int add_steps(const Eigen::Ref<const Eigen::MatrixXf>& rows, double step);
  /// [n x width] of indices, row by row; width 1 gives [n].
  int add_indices(const std::vector<std::uint32_t>& values, int width);
  int add_integers(const std::vector<std::int32_t>& values);

  const Json& list() const { return list_; }
  const std::string& bytes() const { return bytes_; }

 private:
  int add(const char* type, const std::vector<std::int64_t>& shape, const void* elements,
          std::size_t n, int width, std::size_t delta, double scale = 0.0);

  Json list_ = Json::array();
  std::string bytes_;
};

}  // namespace solidyn::report
