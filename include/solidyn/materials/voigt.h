#pragma once
#include <Eigen/Dense>
#include <array>

/// Symmetric tensors as six numbers, in the order of stresses everywhere: xx, yy, zz, xy, yz, zx.
/// Strains have engineering shears, 2 eps_xy, so that stress times strain is a work.
namespace solidyn::materials {

using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

constexpr std::array<std::array<int, 2>, 6> kComponents = {
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};
/// The place of component (i, j).
constexpr int kPlaces[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};

/// The tensor of a strain in six numbers, and back.
Eigen::Matrix3d strain_tensor(const Vector6d& strain);
Vector6d strain_vector(const Eigen::Matrix3d& strain);

/// T with strain_A = T strain_B: R_AB strain_B R_AB^T in six numbers.
Matrix6d strain_turn(const Eigen::Matrix3d& R_AB);

/// A stiffness given in axes B, in axes A: T^T C_B T with T = strain_turn(R_BA).
Matrix6d turned_stiffness(const Matrix6d& C_B, const Eigen::Matrix3d& R_AB);

}  // namespace solidyn::materials
