#include "solvers/friction/contact_products.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Of a rigid body the size is known, which is half of the time.
template <int Rows>
void add_product(const ContactProduct& part, const VectorXd& r, VectorXd& u) {
  using Columns = Eigen::Map<const Eigen::Matrix<double, Rows, 3>>;
  const Index rows = part.left.rows();
  Eigen::Matrix<double, Rows, 1> motion = Eigen::Matrix<double, Rows, 1>::Zero(rows);
  const double *right = part.right.data(), *left = part.left.data();
  for (const int contact : part.contacts) {
    motion.noalias() += Columns(right, rows, 3) * r.segment<3>(3 * contact);
    right += 3 * rows;
  }
  for (const int contact : part.contacts) {
    u.segment<3>(3 * contact).noalias() += Columns(left, rows, 3).transpose() * motion;
    left += 3 * rows;
  }
}

}  // namespace

void multiply_products(const std::vector<ContactProduct>& parts, const VectorXd& r, VectorXd& u) {
  constexpr int kRigid = 6;
  u.setZero();
  for (const ContactProduct& part : parts)
    if (part.left.rows() == kRigid)
      add_product<kRigid>(part, r, u);
    else
      add_product<Eigen::Dynamic>(part, r, u);
}

}  // namespace solidyn::solvers::friction
