#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <functional>
#include <utility>
#include <vector>

namespace solidyn::solvers::friction {

class ContactBlocks;

/// The operator W of u = W r + q: what the forces of contacts make of their relative velocities. A
/// contact has three rows, in the order normal, first and second tangent; all tangents of a contact
/// are orthogonal to its normal and to each other. W is positive semidefinite where it comes from a
/// mass matrix; it may be singular, and need not be symmetric.
class ContactOperator {
 public:
  virtual ~ContactOperator() = default;
  virtual int n_contacts() const = 0;
  /// u := W r. r, u: [3 n]; they are different vectors.
  virtual void multiply(const Eigen::VectorXd& r, Eigen::VectorXd& u) const = 0;
  virtual Eigen::Matrix3d diagonal_block(int contact) const = 0;
  /// To round-off.
  virtual bool is_symmetric() const = 0;
  /// Itself where it has its blocks at hand; else null.
  virtual const ContactBlocks* as_blocks() const { return nullptr; }
};

/// One 3x3 block of W.
struct ContactBlock {
  int row = 0, col = 0;  ///< contacts
  Eigen::Matrix3d value;
};

/// A part of W that is a product, left^T right over the columns of some contacts: what these do to
/// each other by way of one body, whose few unknowns are the rows.
struct ContactProduct {
  std::vector<int> contacts;
  Eigen::MatrixXd left, right;  ///< [rows x 3 contacts]
};

/// W as 3x3 blocks in compressed rows. The diagonal block is the first of its row and always there,
/// the others follow in the order of their columns. All methods can use it.
class ContactBlocks final : public ContactOperator {
 public:
  /// Blocks of the same place are summed. @throws base::InputError for entries that are not finite
  ContactBlocks(int n_contacts, const std::vector<ContactBlock>& blocks);
  /// Of a square matrix of 3 n rows; blocks of zeros are left out.
  /// @throws base::InputError for other shapes and entries that are not finite
  static ContactBlocks from_dense(const Eigen::MatrixXd& W);
  static ContactBlocks from_sparse(const Eigen::SparseMatrix<double>& W);
  /// factor W.
  ContactBlocks scaled(double factor) const;
  /// W + diag(d_1 ... d_n). @param d [n]
  ContactBlocks plus_diagonal(const std::vector<Eigen::Vector3d>& d) const;
  /// W diag(T_1 ... T_n). @param T [n]
  ContactBlocks times(const std::vector<Eigen::Matrix3d>& T) const;
  /// W (diag(T_1 ... T_n) + T'). @param beside  the blocks of T', one in a row at most
  ContactBlocks times(const std::vector<Eigen::Matrix3d>& T,
                      const std::vector<ContactBlock>& beside) const;
  /// What is left with these contacts alone, in this order. @param contacts distinct
  ContactBlocks of_contacts(const std::vector<int>& contacts) const;
  Eigen::MatrixXd to_dense() const;
  /// The same W as a sum of such parts, by which multiply() then goes if they have fewer entries.
  void set_products(std::vector<ContactProduct> parts);

  int n_contacts() const override { return static_cast<int>(starts_.size()) - 1; }
  int n_blocks() const { return starts_.back(); }
  void multiply(const Eigen::VectorXd& r, Eigen::VectorXd& u) const override;
  Eigen::Matrix3d diagonal_block(int contact) const override { return block(starts_[contact]); }
  bool is_symmetric() const override { return is_symmetric_; }
  const ContactBlocks* as_blocks() const override { return this; }

  /// Blocks [start(i), start(i + 1)) are those of row i.
  int start(int row) const { return starts_[row]; }
  int column(int block) const { return columns_[block]; }
  /// Nine numbers, column by column, and at least one readable number behind them.
  const double* values(int block) const { return values_.data() + 9 * block; }
  Eigen::Map<const Eigen::Matrix3d> block(int k) const {
    return Eigen::Map<const Eigen::Matrix3d>(values(k));
  }

 private:
  ContactBlocks() = default;
  void find_symmetry();

  std::vector<int> starts_, columns_;
  std::vector<double> values_;
  std::vector<ContactProduct> products_;  // empty: by blocks
  bool is_symmetric_ = true;
};

inline Eigen::VectorXd operator*(const ContactBlocks& W, const Eigen::VectorXd& r) {
  Eigen::VectorXd u;
  W.multiply(r, u);
  return u;
}
inline ContactBlocks operator*(double factor, const ContactBlocks& W) { return W.scaled(factor); }

/// W by its products: for what has no blocks at hand. Only projected gradients can use it.
class ContactProducts final : public ContactOperator {
 public:
  using Product = std::function<void(const Eigen::VectorXd& r, Eigen::VectorXd& u)>;
  /// @param diagonal  the 3x3 blocks, or estimates of them: they only scale
  ContactProducts(std::vector<Eigen::Matrix3d> diagonal, Product product, bool is_symmetric)
      : diagonal_(std::move(diagonal)), product_(std::move(product)), is_symmetric_(is_symmetric) {}
  int n_contacts() const override { return static_cast<int>(diagonal_.size()); }
  void multiply(const Eigen::VectorXd& r, Eigen::VectorXd& u) const override { product_(r, u); }
  Eigen::Matrix3d diagonal_block(int contact) const override { return diagonal_[contact]; }
  bool is_symmetric() const override { return is_symmetric_; }

 private:
  std::vector<Eigen::Matrix3d> diagonal_;
  Product product_;
  bool is_symmetric_;
};

}  // namespace solidyn::solvers::friction
