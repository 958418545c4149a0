#include "report/blob.h"

#include <cmath>

#include "report/packing.h"
#include "solidyn/base/error.h"

namespace solidyn::report {

int Blob::add(const char* type, const std::vector<std::int64_t>& shape, const void* elements,
              std::size_t n, int width, std::size_t delta, double scale) {
  const std::string packed = pack(elements, n, width, delta);
  Json array = {{"type", type},
                {"shape", shape},
                {"at", bytes_.size()},
                {"bytes", packed.size()},
                {"delta", delta}};
  if (scale != 0.0) array["scale"] = scale;
  bytes_ += packed;
  list_.push_back(std::move(array));
  return static_cast<int>(list_.size()) - 1;
}

int Blob::add_floats(const Eigen::MatrixXd& rows) {
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> values =
      rows.cast<float>();
  return add("f32", {rows.rows(), rows.cols()}, values.data(), values.size(), 4, 1);
}

int Blob::add_floats(const std::vector<double>& values) {
  const std::vector<float> floats(values.begin(), values.end());
  return add("f32", {static_cast<std::int64_t>(floats.size())}, floats.data(), floats.size(), 4, 1);
}

int Blob::add_times(const std::vector<double>& values) {
  const double first = values.empty() ? 0.0 : values.front();
  std::vector<double> since(values);
  for (double& value : since) value -= first;
  const int array = add_floats(since);
  if (first != 0.0) list_[array]["offset"] = first;
  return array;
}

int Blob::add_steps(const Eigen::Ref<const Eigen::MatrixXf>& rows, double step) {
  const double largest = rows.size() > 0 ? rows.cwiseAbs().maxCoeff() : 0.0;
  SOLIDYN_ASSERT(step > 0.0 && largest / step < 2147483000.0);
  const std::vector<std::int64_t> shape = {rows.rows(), rows.cols()};
  const auto n = static_cast<std::size_t>(rows.size());
  const auto fill = [&](auto& integers) {
    integers.resize(n);
    std::size_t i = 0;
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      for (Eigen::Index c = 0; c < rows.cols(); ++c)
        integers[i++] = static_cast<typename std::decay_t<decltype(integers)>::value_type>(
            std::llround(rows(r, c) / step));
  };
  if (largest / step < 32767.0) {
    std::vector<std::int16_t> integers;
    fill(integers);
    return add("i16", shape, integers.data(), n, 2, 1, step);
  }
  std::vector<std::int32_t> integers;
  fill(integers);
  return add("i32", shape, integers.data(), n, 4, 1, step);
}

int Blob::add_indices(const std::vector<std::uint32_t>& values, int width) {
  const auto n = static_cast<std::int64_t>(values.size());
  return add(
      "u32",
      width == 1 ? std::vector<std::int64_t>{n} : std::vector<std::int64_t>{n / width, width},
      values.data(), values.size(), 4, 1);
}

int Blob::add_integers(const std::vector<std::int32_t>& values) {
  return add("i32", {static_cast<std::int64_t>(values.size())}, values.data(), values.size(), 4, 1);
}

}  // namespace solidyn::report
