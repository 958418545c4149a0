#include "simulation/pictures.h"

#include <algorithm>

#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/scales.h"

namespace solidyn::simulation {
namespace {

// Axes of rigid bodies are drawn this long, relative to the mechanism.
constexpr double kAxesLength = 0.1;

using Eigen::Matrix3Xd;

// Nodal displacements and velocities in body axes on the mesh's owned nodes.
struct Motion {
  Matrix3Xd u, du;
};

Motion modal_motion(const reduction::ReducedBody& body, const bodies::BodyState& s) {
  const Eigen::Index rows = 3 * body.mesh.n_owned;
  const Eigen::VectorXd u = body.X.topRows(rows) * s.q_e, du = body.X.topRows(rows) * s.dq_e();
  return {Eigen::Map<const Matrix3Xd>(u.data(), 3, rows / 3),
          Eigen::Map<const Matrix3Xd>(du.data(), 3, rows / 3)};
}

Matrix3Xd owned_columns(::Vec x, std::int32_t n) {
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(x, &values));
  Matrix3Xd columns = Eigen::Map<const Matrix3Xd>(values, 3, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(x, &values));
  return columns;
}

Motion nodal_motion(const bodies::NodalState& state, std::int32_t n) {
  return {owned_columns(state.u, n), owned_columns(state.du, n)};
}

results::FieldValues deformed(const mesh::DistributedMesh& mesh, const bodies::BodyState& s,
                              const Motion& motion) {
  const Matrix3Xd b = mesh.x.leftCols(mesh.n_owned) + motion.u;
  // Bodies with their nodes in absolute coordinates have no velocity of their own beside these.
  const bool is_carried = s.n_rigid() > 0;
  const Eigen::Vector3d v = is_carried ? Eigen::Vector3d(s.v_WB()) : Eigen::Vector3d::Zero(),
                        w = is_carried ? Eigen::Vector3d(s.w_WB_B()) : Eigen::Vector3d::Zero();
  Matrix3Xd velocity = motion.du;
  for (Eigen::Index k = 0; k < b.cols(); ++k) velocity.col(k) += w.cross(Eigen::Vector3d(b.col(k)));
  results::FieldValues values;
  values.positions = (s.R_WB * b).colwise() + s.p_WB;
  values.quantities = {motion.u, (s.R_WB * velocity).colwise() + v};
  return values;
}

// The stress tensor in world axes and von Mises stress on the mesh's owned nodes; zero inside the
// body, which pictures do not show.
void add_stress(const model::BuiltStress& stress, const bodies::BodyState& s, std::int32_t n_owned,
                results::FieldValues& values) {
  constexpr int kOrder[] = {0, 3, 5, 1, 4, 2};  // xx, xy, xz, yy, yz, zz, as XDMF has them
  Eigen::MatrixXd tensor = Eigen::MatrixXd::Zero(6, n_owned);
  Eigen::MatrixXd equivalent = Eigen::MatrixXd::Zero(1, n_owned);
  const auto sigma_B = stress.in_pictures(s);
  for (std::size_t k = 0; k < stress.nodes.size(); ++k) {
    const fem::Stress sigma = fem::rotated(sigma_B.col(static_cast<Eigen::Index>(k)), s.R_WB);
    for (int c = 0; c < 6; ++c) tensor(c, stress.nodes[k]) = sigma[kOrder[c]];
    equivalent(0, stress.nodes[k]) = fem::von_mises(sigma);
  }
  values.quantities.push_back(std::move(tensor));
  values.quantities.push_back(std::move(equivalent));
}

// A beam: lines between its nodes. Rank 0 has them.
results::FieldPart line_part(MPI_Comm comm, const model::BuiltBody& body) {
  results::FieldPart part;
  part.name = body.name;
  part.quantities = {{"velocity", "m/s", 3}};
  if (base::rank(comm) > 0) return part;
  results::FieldCells cells{elements::ElementType::line2, {}};
  for (std::size_t k = 0; k < body.nodes.size(); ++k)
    part.tags.push_back(static_cast<std::int64_t>(k) + 1);
  for (const auto& line : body.lines)
    cells.nodes.insert(cells.nodes.end(), {part.tags[line[0]], part.tags[line[1]]});
  part.cells.push_back(std::move(cells));
  return part;
}

results::FieldValues line_values(MPI_Comm comm, const model::BuiltBody& body,
                                 const bodies::Kinematics& kinematics) {
  const auto n = base::rank(comm) > 0 ? 0 : static_cast<Eigen::Index>(body.nodes.size());
  results::FieldValues values;
  values.positions.resize(3, n);
  Eigen::MatrixXd velocity(3, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const bodies::BodyState& node = kinematics.bodies[body.nodes[k]];
    values.positions.col(k) = node.p_WB;
    velocity.col(k) = node.v_WB();
  }
  values.quantities = {std::move(velocity)};
  return values;
}

const mesh::DistributedMesh* mesh_of(const model::BuiltBody& body) {
  if (body.reduced) return &body.reduced->mesh;
  return body.nodal ? &body.nodal->mesh() : nullptr;
}

}  // namespace

Pictures::Pictures(MPI_Comm comm, const model::BuiltModel& built)
    : comm_(comm), built_(built), axes_length_(kAxesLength * characteristic_length(built.system)) {
  for (const model::BuiltBody& body : built.bodies) {
    if (!body.nodes.empty()) {
      parts_.push_back(line_part(comm, body));
      continue;
    }
    const mesh::DistributedMesh* mesh = mesh_of(body);
    std::vector<results::FieldQuantity> quantities = {{"displacement in body axes", "m", 3},
                                                      {"velocity", "m/s", 3}};
    if (body.stress.in_pictures) {
      quantities.push_back({"stress", "Pa", 6});
      quantities.push_back({"von Mises stress", "Pa", 1});
    }
    parts_.push_back(
        mesh ? results::make_field_part(body.name, *mesh, results::MeshPicture::surface, quantities)
             : results::make_axes_part(comm, body.name));
  }
}

// Each takes its place in the file before the run begins: a million of them would take minutes and
// gigabytes. The file grows for more.
std::int64_t planned_pictures(double duration, double step, double interval) {
  constexpr double kMost = 1e4;
  return static_cast<std::int64_t>(std::min(kMost, duration / std::max(step, interval) + 1e-9)) + 2;
}

std::vector<results::FieldValues> Pictures::values() const {
  std::vector<results::FieldValues> all;
  for (const model::BuiltBody& body : built_.bodies) {
    const bodies::BodyState& s = built_.system.kinematics().bodies[body.index];
    if (!body.nodes.empty()) {
      all.push_back(line_values(comm_, body, built_.system.kinematics()));
    } else if (body.reduced) {
      all.push_back(deformed(body.reduced->mesh, s, modal_motion(*body.reduced, s)));
    } else if (body.nodal) {
      const mesh::DistributedMesh& mesh = body.nodal->mesh();
      all.push_back(deformed(mesh, s, nodal_motion(*s.nodal, mesh.n_owned)));
    } else {
      all.push_back(results::make_axes_values(comm_, s.R_WB, s.p_WB, axes_length_));
    }
    if (body.stress.in_pictures) add_stress(body.stress, s, mesh_of(body)->n_owned, all.back());
  }
  return all;
}

}  // namespace solidyn::simulation
