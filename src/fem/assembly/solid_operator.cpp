#include "solidyn/fem/solid_operator.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "fem/assembly/element_groups.h"
#include "fem/assembly/ghost_exchange.h"
#include "fem/assembly/tangent_plan.h"
#include "fem/assembly/tangent_product.h"
#include "fem/assembly/worst_element.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Ref;

std::vector<ElementGroup> make_groups_together(const mesh::DistributedMesh& mesh,
                                               const SolidOptions& options) {
  if (options.regions.empty()) check(options.material);
  for (const SolidRegion& region : options.regions) check(region.material);
  std::vector<ElementGroup> groups;
  base::run_together(mesh.comm, [&] { groups = make_element_groups(mesh, options); });
  return groups;
}

BlockFormat format_of(Mat A) {
  MatType type = nullptr;
  SOLIDYN_PETSC(MatGetType(A, &type));
  const std::string name = type ? type : "";
  if (name.find("sbaij") != std::string::npos) return BlockFormat::upper;
  if (name.find("baij") != std::string::npos) return BlockFormat::full;
  return BlockFormat::rows;
}

using SixRows = Eigen::Matrix<double, 6, Eigen::Dynamic>;

Eigen::Matrix<double, 6, 1> lane_of(const Tensor& s, int lane) {
  Eigen::Matrix<double, 6, 1> out;
  out << s(0, 0)[lane], s(1, 1)[lane], s(2, 2)[lane], s(0, 1)[lane], s(1, 2)[lane], s(2, 0)[lane];
  return out;
}

}  // namespace

struct SolidOperator::Implementation {
  Implementation(const mesh::DistributedMesh& the_mesh, const ElasticBody& the_body,
                 const SolidOptions& options)
      : mesh(the_mesh),
        body(the_body),
        groups(make_groups_together(mesh, options)),
        ghosts(mesh),
        f(Matrix3Xd::Zero(3, mesh.n_local())) {}

  const mesh::DistributedMesh& mesh;
  const ElasticBody& body;
  std::vector<ElementGroup> groups;
  GhostExchange ghosts;
  Matrix3Xd f;  // [3 x n_local] under construction
  std::array<std::unique_ptr<TangentPlan>, 3> plans;
  std::vector<Tensor> blocks;

  // Visits all batches with (group, its number, batch); `visit` returns det F.
  template <class Visit>
  SmallestVolumeRatio for_batches(const Visit& visit) const {
    WorstElement worst;
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (std::size_t batch = 0; batch < groups[g].n_batches(); ++batch)
        worst.note(groups[g], batch, visit(groups[g], g, batch));
    return worst.found;
  }

  // Sums nodal vectors of elements, compute(group, batch, x, result) -> det F, to the owned nodes.
  template <class Compute>
  void sum_nodal(const double* x, const Compute& compute, Ref<Matrix3Xd> out) {
    f.setZero();
    const SmallestVolumeRatio worst =
        for_batches([&](const ElementGroup& group, std::size_t, std::size_t batch) {
          Vector nodes[kMaxNodes], result[kMaxNodes];
          group.gather(batch, x, nodes);
          const Pack det = compute(group, batch, nodes, result);
          group.scatter(batch, result, f.data());
          return det;
        });
    throw_if_inverted(mesh.comm, worst);
    ghosts.add_to_owners(f);
    out = f.leftCols(mesh.n_owned);
  }

  TangentPlan& plan(BlockFormat format) {
    auto& plan = plans[static_cast<int>(format)];
    if (!plan) plan = std::make_unique<TangentPlan>(mesh, body, groups, format);
    return *plan;
  }

  // Local. Visits the elements with (group, batch, lane) and their stress at the points.
  template <class Visit>
  void for_stresses(const double* x, const Visit& visit) const {
    std::vector<Tensor> sigma;
    std::vector<Pack> weight;
    for (const ElementGroup& group : groups) {
      sigma.resize(group.kernel->n_points());
      weight.resize(group.kernel->n_points());
      Vector nodes[kMaxNodes];
      for (std::size_t batch = 0; batch < group.n_batches(); ++batch) {
        group.gather(batch, x, nodes);
        group.kernel->compute_stress(batch, nodes, sigma.data(), weight.data());
        for (int lane = 0; lane < group.n_valid(batch); ++lane)
          visit(group, batch, lane, sigma, weight);
      }
    }
  }
};

SolidOperator::SolidOperator(const mesh::DistributedMesh& mesh, const ElasticBody& body,
                             const SolidOptions& options)
    : implementation_(std::make_unique<Implementation>(mesh, body, options)) {}
SolidOperator::~SolidOperator() = default;
SolidOperator::SolidOperator(SolidOperator&&) noexcept = default;
SolidOperator& SolidOperator::operator=(SolidOperator&&) noexcept = default;

void SolidOperator::update_ghosts(Ref<Matrix3Xd> x) const { implementation_->ghosts.update(x); }

void SolidOperator::add_ghosts_to_owners(Ref<Matrix3Xd> f) const {
  implementation_->ghosts.add_to_owners(f);
}

void SolidOperator::compute_force(const Ref<const Matrix3Xd>& x, Ref<Matrix3Xd> f) const {
  implementation_->sum_nodal(
      x.data(),
      [](const ElementGroup& group, std::size_t batch, const Vector* nodes, Vector* force) {
        return group.kernel->compute_force(batch, nodes, nullptr, force);
      },
      f);
}

void SolidOperator::compute_force(const Ref<const Matrix3Xd>& x, const Ref<const Matrix3Xd>& v,
                                  Ref<Matrix3Xd> f) const {
  implementation_->sum_nodal(
      x.data(),
      [&](const ElementGroup& group, std::size_t batch, const Vector* nodes, Vector* force) {
        Vector velocities[kMaxNodes];
        group.gather(batch, v.data(), velocities);
        return group.kernel->compute_force(batch, nodes, velocities, force);
      },
      f);
}

double SolidOperator::compute_energy(const Ref<const Matrix3Xd>& x) const {
  double energy = 0.0;
  const SmallestVolumeRatio worst =
      implementation_->for_batches([&](const ElementGroup& group, std::size_t, std::size_t batch) {
        Vector nodes[kMaxNodes];
        group.gather(batch, x.data(), nodes);
        Pack det;
        const Pack of_lanes = group.kernel->compute_energy(batch, nodes, det);
        for (int lane = 0; lane < group.n_valid(batch); ++lane) energy += of_lanes[lane];
        return det;
      });
  throw_if_inverted(implementation_->mesh.comm, worst);
  base::sum_in_place(implementation_->mesh.comm, &energy, 1);
  return energy;
}

base::Mat SolidOperator::make_matrix(MatType type) const {
  return make_zero_matrix(implementation_->body, type);
}

void SolidOperator::assemble_tangent(const Ref<const Matrix3Xd>& x,
                                     const TangentCoefficients& coefficients, Mat A) const {
  const base::LogStage stage(base::Stage::tangent);
  Implementation& self = *implementation_;
  TangentPlan& plan = self.plan(format_of(A));
  plan.begin(A, coefficients.mass, coefficients.mass_kind);
  const SmallestVolumeRatio worst =
      self.for_batches([&](const ElementGroup& group, std::size_t g, std::size_t batch) {
        const int n = group.n_nodes();
        self.blocks.resize(n * (n + 1) / 2);
        Vector nodes[kMaxNodes];
        group.gather(batch, x.data(), nodes);
        plan.prefetch(g, batch);
        const Pack det = group.kernel->compute_tangent(batch, nodes, coefficients.stiffness,
                                                       coefficients.damping, self.blocks.data());
        plan.add(g, batch, self.blocks.data());
        return det;
      });
  plan.finish(A);
  throw_if_inverted(self.mesh.comm, worst);
}

void SolidOperator::apply_tangent(const Ref<const Matrix3Xd>& x,
                                  const TangentCoefficients& coefficients,
                                  const Ref<const Matrix3Xd>& v, Ref<Matrix3Xd> y) const {
  implementation_->sum_nodal(
      x.data(),
      [&](const ElementGroup& group, std::size_t batch, const Vector* nodes, Vector* product) {
        Vector factor[kMaxNodes];
        group.gather(batch, v.data(), factor);
        return group.kernel->apply_tangent(batch, nodes, coefficients.stiffness,
                                           coefficients.damping, factor, product);
      },
      y);
}

std::unique_ptr<TangentProduct> SolidOperator::keep_tangent(const Ref<const Matrix3Xd>& x,
                                                            const TangentCoefficients& coefficients,
                                                            ProductPrecision precision) const {
  const base::LogStage stage(base::Stage::tangent);
  return std::make_unique<GroupedProduct>(implementation_->mesh, implementation_->groups,
                                          implementation_->ghosts, x, coefficients, precision);
}

void SolidOperator::compute_diagonal_blocks(
    const Ref<const Matrix3Xd>& x, const TangentCoefficients& coefficients,
    Ref<Eigen::Matrix<double, 9, Eigen::Dynamic>> blocks) const {
  const base::LogStage stage(base::Stage::tangent);
  Implementation& self = *implementation_;
  std::array<Matrix3Xd, 3> columns;
  for (Matrix3Xd& column : columns) column.setZero(3, self.mesh.n_local());
  const SmallestVolumeRatio worst =
      self.for_batches([&](const ElementGroup& group, std::size_t, std::size_t batch) {
        const int n = group.n_nodes();
        self.blocks.resize(n * (n + 1) / 2);
        Vector nodes[kMaxNodes], column[kMaxNodes];
        group.gather(batch, x.data(), nodes);
        const Pack det = group.kernel->compute_tangent(batch, nodes, coefficients.stiffness,
                                                       coefficients.damping, self.blocks.data());
        for (int j = 0; j < 3; ++j) {
          const Tensor* block = self.blocks.data();
          for (int a = 0; a < n; block += n - a, ++a)
            for (int i = 0; i < 3; ++i) column[a][i] = (*block)(i, j);
          group.scatter(batch, column, columns[j].data());
        }
        return det;
      });
  throw_if_inverted(self.mesh.comm, worst);
  for (int j = 0; j < 3; ++j) {
    self.ghosts.add_to_owners(columns[j]);
    blocks.middleRows(3 * j, 3) = columns[j].leftCols(self.mesh.n_owned);
  }
}

PointStress SolidOperator::compute_point_stress(const Ref<const Matrix3Xd>& x) const {
  PointStress out;
  std::int64_t n = 0, at = 0;
  for (const ElementGroup& group : implementation_->groups)
    n += group.n_elements * group.kernel->n_points();
  out.sigma.resize(6, n);
  out.position.setZero(3, n);
  implementation_->for_stresses(
      x.data(), [&](const ElementGroup& group, std::size_t batch, int lane,
                    const std::vector<Tensor>& sigma, const std::vector<Pack>&) {
        for (std::size_t q = 0; q < sigma.size(); ++q, ++at) {
          out.sigma.col(at) = lane_of(sigma[q], lane);
          for (int a = 0; a < group.n_nodes(); ++a)
            out.position.col(at) += group.kernel->value(a, static_cast<int>(q)) *
                                    x.col(group.batch_nodes(batch)[a * kLanes + lane]);
          out.element.push_back(group.tags[batch * kLanes + lane]);
        }
      });
  return out;
}

void SolidOperator::compute_nodal_stress(const Ref<const Matrix3Xd>& x, Ref<SixRows> sigma) const {
  const mesh::DistributedMesh& mesh = implementation_->mesh;
  Matrix3Xd normal = Matrix3Xd::Zero(3, mesh.n_local()), shear = normal, volumes = normal;
  implementation_->for_stresses(
      x.data(), [&](const ElementGroup& group, std::size_t batch, int lane,
                    const std::vector<Tensor>& stress, const std::vector<Pack>& weight) {
        double volume = 0.0;
        for (const Pack& w : weight) volume += w[lane];
        for (int a = 0; a < group.n_nodes(); ++a) {
          const std::int32_t node = group.batch_nodes(batch)[a * kLanes + lane];
          for (std::size_t q = 0; q < stress.size(); ++q) {
            const double share = volume * group.kernel->to_nodes(a, static_cast<int>(q));
            const Eigen::Matrix<double, 6, 1> s = lane_of(stress[q], lane);
            normal.col(node) += share * s.head<3>();
            shear.col(node) += share * s.tail<3>();
          }
          volumes(0, node) += volume;
        }
      });
  for (Matrix3Xd* values : {&normal, &shear, &volumes})
    implementation_->ghosts.add_to_owners(*values);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    sigma.col(i) << normal.col(i) / volumes(0, i), shear.col(i) / volumes(0, i);
}

SmallestVolumeRatio SolidOperator::find_smallest_volume_ratio(const Ref<const Matrix3Xd>& x) const {
  SmallestVolumeRatio worst =
      implementation_->for_batches([&](const ElementGroup& group, std::size_t, std::size_t batch) {
        Vector nodes[kMaxNodes];
        group.gather(batch, x.data(), nodes);
        return group.kernel->compute_volume_ratio(batch, nodes);
      });
  const MPI_Comm comm = implementation_->mesh.comm;
  struct {
    double det;
    int rank;
  } mine{std::isnan(worst.det_F) ? -std::numeric_limits<double>::infinity() : worst.det_F,
         base::rank(comm)},
      all{};
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
  std::int64_t type_and_tag[2] = {static_cast<std::int64_t>(worst.type), worst.tag};
  MPI_Bcast(type_and_tag, 2, MPI_INT64_T, all.rank, comm);
  return {all.det, static_cast<elements::ElementType>(type_and_tag[0]), type_and_tag[1]};
}

double SolidOperator::bytes_per_element() const {
  std::size_t bytes = implementation_->ghosts.bytes();
  std::int64_t n_elements = 0;
  for (const ElementGroup& group : implementation_->groups) {
    bytes += group.nodes.size() * sizeof(std::int32_t) + group.tags.size() * sizeof(std::int64_t) +
             group.kernel->bytes();
    n_elements += group.n_elements;
  }
  for (const auto& plan : implementation_->plans)
    if (plan) bytes += plan->bytes();
  return n_elements ? static_cast<double>(bytes) / static_cast<double>(n_elements) : 0.0;
}

}  // namespace solidyn::fem
