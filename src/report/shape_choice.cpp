#include "report/shape_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Eigen::VectorXd;

constexpr Index kSamples = 400;
constexpr double kMostSteps = 32766.0;  // of a 16-bit integer

VectorXd amplitudes(const MatrixXd& q) {
  return q.cols() > 0 ? q.cwiseAbs().rowwise().maxCoeff().eval() : VectorXd::Zero(q.rows());
}

// The smallest shares, as many as stay below half of the tolerance together.
std::vector<bool> negligible(const VectorXd& share, double tolerance) {
  std::vector<int> order(share.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return share[a] < share[b]; });
  std::vector<bool> is_negligible(share.size(), false);
  double sum = 0.0;
  for (const int k : order) {
    sum += share[k];
    if (sum > 0.5 * tolerance) break;
    is_negligible[k] = true;
  }
  return is_negligible;
}

}  // namespace

double Extent::largest(const MatrixXd& q) const {
  constexpr Index kPicturesAtOnce = 256;
  double largest = 0.0;
  for (Index t = 0; t < q.cols() && sample.size() > 0; t += kPicturesAtOnce) {
    const MatrixXd values = sample * q.middleCols(t, std::min(kPicturesAtOnce, q.cols() - t));
    for (Index row = 0; row < values.rows(); row += n_components)
      largest = std::max(largest, values.middleRows(row, n_components).colwise().norm().maxCoeff());
  }
  return largest;
}

Extent extent_of(const ShapeField& field, Index n_nodes) {
  Extent extent;
  extent.of_shape = extent.of_entry = VectorXd::Zero(field.n);
  const Index stride = std::max<Index>(1, n_nodes / kSamples);
  const Index n_samples = n_nodes > 0 ? (n_nodes - 1) / stride + 1 : 0;
  for (int k = 0; k < field.n; ++k) {
    const MatrixXf F = field.shape(k);
    if (k == 0) {
      extent.n_components = static_cast<int>(F.rows());
      extent.sample.resize(F.rows() * n_samples, field.n);
    }
    if (F.size() == 0) continue;
    extent.of_shape[k] = F.colwise().norm().maxCoeff();
    extent.of_entry[k] = F.cwiseAbs().maxCoeff();
    for (Index s = 0; s < n_samples; ++s)
      extent.sample.block(F.rows() * s, k, F.rows(), 1) = F.col(s * stride).cast<double>();
  }
  return extent;
}

Choice choose(const Extent& extent, const std::vector<Demand>& demands) {
  const auto K = static_cast<int>(extent.of_shape.size());
  std::vector<VectorXd> amplitude;
  std::vector<bool> is_left_out(K, true);
  for (const Demand& demand : demands) {
    amplitude.push_back(amplitudes(demand.q));
    const std::vector<bool> here =
        negligible(amplitude.back().cwiseProduct(extent.of_shape), demand.tolerance);
    for (int k = 0; k < K; ++k) is_left_out[k] = is_left_out[k] && here[k];
  }
  Choice choice;
  choice.bounds.assign(demands.size(), 0.0);
  for (int k = 0; k < K; ++k) {
    if (!is_left_out[k]) choice.kept.push_back(k);
    for (std::size_t d = 0; d < demands.size() && is_left_out[k]; ++d)
      choice.bounds[d] += amplitude[d][k] * extent.of_shape[k];
  }
  const double of_vector = 0.5 * std::sqrt(static_cast<double>(extent.n_components));  // per step
  for (const int k : choice.kept) {
    double wanted = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < demands.size(); ++d)
      if (amplitude[d][k] > 0.0)
        wanted =
            std::min(wanted, 0.5 * demands[d].tolerance / static_cast<double>(choice.kept.size()) /
                                 (of_vector * amplitude[d][k]));
    choice.steps.push_back(std::max(wanted, extent.of_entry[k] / kMostSteps));
    for (std::size_t d = 0; d < demands.size(); ++d)
      choice.bounds[d] += of_vector * choice.steps.back() * amplitude[d][k];
  }
  return choice;
}

}  // namespace solidyn::report
