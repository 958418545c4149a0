// Linear analyses of equations that are given as matrices, against dense algebra.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>

#include "analyses/missed_equation.h"
#include "analyses/mode_shapes.h"
#include "analyses/row_space.h"
#include "analyses/zero_eigenvalues.h"
#include "random_bodies.h"
#include "solidyn/analyses/frequency_response.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/analyses/state_space.h"
#include "solidyn/base/error.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;
using testing_support::random_vector;
using Complex = std::complex<double>;
using Generator = std::mt19937;

MatrixXd random_columns(Generator& generator, Index rows, Index columns) {
  MatrixXd m(rows, columns);
  for (Index j = 0; j < columns; ++j) m.col(j) = random_vector(generator, static_cast<int>(rows));
  return m;
}

MatrixXd random_positive(Generator& generator, Index n) {
  const MatrixXd R = random_columns(generator, n, n);
  return R * R.transpose() + 0.3 * MatrixXd::Identity(n, n);
}

struct Kinds {
  const char* name;
  bool is_damped, is_circulatory, forces_follow_multipliers, has_rates;
};

// n unknowns of unlike weights under `n_rows` constraints, at rest.
Linearisation random_equations(const Kinds& kinds, Index n, Index n_rows, unsigned seed) {
  Generator generator(seed);
  Linearisation l;
  MatrixXd M = random_positive(generator, n), K = 40.0 * random_positive(generator, n),
           D = MatrixXd::Zero(n, n);
  if (kinds.is_damped) {
    D = 0.4 * random_positive(generator, n);
    const MatrixXd R = random_columns(generator, n, n);
    D += R - R.transpose();  // gyroscopic
  }
  if (kinds.is_circulatory) K += 4.0 * random_columns(generator, n, n);
  const MatrixXd G = random_columns(generator, n_rows, n);
  MatrixXd B = G.transpose(), E = MatrixXd::Zero(n_rows, n);
  if (kinds.forces_follow_multipliers) B += 0.1 * random_columns(generator, n, n_rows);
  l.is_rate.assign(n_rows, false);
  if (kinds.has_rates) {
    l.is_rate.back() = true;
    E.row(n_rows - 1) = random_vector(generator, static_cast<int>(n)).transpose();
  }
  l.weights = random_vector(generator, static_cast<int>(n)).cwiseAbs().array() + 0.3;
  l.M = M.sparseView();
  l.D = D.sparseView();
  l.K = K.sparseView();
  l.B = B.sparseView();
  l.G = G.sparseView();
  l.E = E.sparseView();
  l.dG = l.ddG = Linearisation::Matrix(n_rows, n);
  for (Index i = 0; i < n_rows; ++i) l.rows.push_back(static_cast<int>(i));
  return l;
}

LinearInputs force_inputs(Generator& generator, Index n, int n_inputs) {
  LinearInputs inputs;
  inputs.forces = random_columns(generator, n, n_inputs);
  for (int i = 0; i < n_inputs; ++i) inputs.force_names.push_back("f" + std::to_string(i));
  return inputs;
}

LinearOutputs all_outputs(Generator& generator, Index n, Index n_rows, int n_inputs,
                          int n_outputs) {
  LinearOutputs outputs;
  for (int i = 0; i < n_outputs; ++i) outputs.columns.push_back({"o" + std::to_string(i), "m"});
  outputs.by_x = random_columns(generator, n_outputs, n);
  outputs.by_dx = random_columns(generator, n_outputs, n);
  outputs.by_ddx = random_columns(generator, n_outputs, n);
  outputs.by_mu = random_columns(generator, n_outputs, n_rows);
  outputs.by_force = random_columns(generator, n_outputs, n_inputs);
  return outputs;
}

const Kinds kKinds[] = {{"natural", false, false, false, false},
                        {"damped", true, false, false, false},
                        {"circulatory", true, true, false, false},
                        {"friction", true, true, true, false},
                        {"rolling", true, false, false, true}};

class GivenEquations : public testing::TestWithParam<Kinds> {
 protected:
  static constexpr Index kUnknowns = 7, kRows = 3;
  Linearisation l_ = random_equations(GetParam(), kUnknowns, kRows, 5);
  MatrixXd M_ = MatrixXd(l_.M), D_ = MatrixXd(l_.D), K_ = MatrixXd(l_.K), B_ = MatrixXd(l_.B),
           G_ = MatrixXd(l_.G), E_ = MatrixXd(l_.E);

  // [K + s D + s^2 M, B; G, 0], velocity-level rows s G + E.
  MatrixXcd saddle(Complex s) const {
    MatrixXcd A = MatrixXcd::Zero(kUnknowns + kRows, kUnknowns + kRows);
    A.topLeftCorner(kUnknowns, kUnknowns) = K_.cast<Complex>() + s * D_ + s * s * M_;
    A.topRightCorner(kUnknowns, kRows) = B_.cast<Complex>();
    for (Index i = 0; i < kRows; ++i)
      A.row(kUnknowns + i).head(kUnknowns) =
          l_.is_rate[i] ? VectorXcd(s * G_.row(i).transpose() + E_.row(i).transpose())
                        : VectorXcd(G_.row(i).transpose().cast<Complex>());
    return A;
  }
  // The same at a frequency, for forces and motions of drives.
  MatrixXcd dense_response(const LinearInputs& inputs, const LinearOutputs& o, double hz) const {
    const Complex s(0.0, 2.0 * M_PI * hz);
    const Index n_f = inputs.forces.cols();
    MatrixXcd b = MatrixXcd::Zero(kUnknowns + kRows, inputs.n());
    b.topLeftCorner(kUnknowns, n_f) = inputs.forces.cast<Complex>();
    for (std::size_t k = 0; k < inputs.motions.size(); ++k)
      b(kUnknowns + inputs.motions[k].row, n_f + static_cast<Index>(k)) = 1.0;
    const MatrixXcd z = saddle(s).fullPivLu().solve(b);
    const MatrixXcd x = z.topRows(kUnknowns);
    MatrixXcd answer = (o.by_x.cast<Complex>() + s * o.by_dx + s * s * o.by_ddx) * x +
                       o.by_mu.cast<Complex>() * z.bottomRows(kRows);
    answer.leftCols(n_f) += o.by_force.cast<Complex>();
    return answer;
  }
};
INSTANTIATE_TEST_SUITE_P(, GivenEquations, testing::ValuesIn(kKinds),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(GivenEquations, HaveFrequencyResponsesOfDenseAlgebra) {
  Generator generator(3);
  LinearInputs inputs = force_inputs(generator, kUnknowns, 2);
  inputs.motions = {{"drive", 1}, {"last", kRows - 1}};
  const LinearOutputs outputs = all_outputs(generator, kUnknowns, kRows, 2, 3);
  for (const double hz : {0.0, 0.1, 0.9, 1.1, 30.0}) {
    if (hz == 0.0 && GetParam().has_rates) continue;  // moves on for ever
    const MatrixXcd found = frequency_response(l_, inputs, outputs, hz),
                    expected = dense_response(inputs, outputs, hz);
    EXPECT_LT((found - expected).norm(), 1e-10 * expected.norm()) << hz;
  }
}

// ... and the state space says the same of forces, without knowing of frequencies.
TEST_P(GivenEquations, HaveStateSpacesWithTheSameResponses) {
  Generator generator(4);
  const LinearInputs inputs = force_inputs(generator, kUnknowns, 2);
  const LinearOutputs outputs = all_outputs(generator, kUnknowns, kRows, 2, 3);
  const MinimalCoordinates m = make_minimal_coordinates(l_);
  const StateSpace s = make_state_space(l_, m, find_driven_motions(l_, m, {}), inputs, outputs);
  EXPECT_EQ(s.A.rows(), m.n_y() + m.n_u());
  EXPECT_EQ(s.states.size(), static_cast<std::size_t>(s.A.rows()));
  for (const double hz : {0.2, 1.3, 8.0}) {
    const MatrixXcd iw =
        Complex(0.0, 2.0 * M_PI * hz) * MatrixXcd::Identity(s.A.rows(), s.A.rows());
    const MatrixXcd response =
        s.C * (iw - s.A).fullPivLu().solve(MatrixXcd(s.B.cast<Complex>())) + s.D.cast<Complex>();
    const MatrixXcd expected = dense_response(inputs, outputs, hz);
    EXPECT_LT((response - expected).norm(), 1e-9 * expected.norm()) << hz;
  }
}

// Each mode makes the saddle-point matrix singular at its s, with its shape in the null space; and
// they are as many as the motions that are left.
TEST_P(GivenEquations, HaveModesThatSolveThem) {
  const MinimalCoordinates m = make_minimal_coordinates(l_);
  const std::vector<Mode> modes = find_modes(l_, m, 100);
  int n_eigenvalues = 0;
  for (const Mode& mode : modes) {
    n_eigenvalues += mode.kind == Mode::Kind::oscillation ? 2 : 1;
    EXPECT_GE(mode.s.imag(), 0.0);
    EXPECT_LT(mode.residual, 1e-9);
    VectorXcd x = mode.shape;
    const VectorXcd forces = (K_ + mode.s * D_ + mode.s * mode.s * M_) * x;
    // What is left of the forces is what multipliers make of them.
    const MatrixXcd B = B_.cast<Complex>();
    const VectorXcd mu = B.fullPivHouseholderQr().solve(forces);
    EXPECT_LT((forces - B * mu).norm(), 1e-8 * forces.norm() + 1e-8) << mode.s;
    const VectorXcd violated = saddle(mode.s).bottomRows(kRows).leftCols(kUnknowns) * x;
    EXPECT_LT(violated.norm(), 1e-9 * (1.0 + std::abs(mode.s)));
    EXPECT_NEAR(std::abs(x.dot(M_ * x)), 1.0, 1e-9);
    Index largest = 0;
    x.cwiseProduct(l_.weights).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(x[largest].real(), 0.0);
    EXPECT_NEAR(x[largest].imag(), 0.0, 1e-12);
  }
  EXPECT_EQ(n_eigenvalues, m.n_y() + m.n_u());
  EXPECT_TRUE(std::is_sorted(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) {
    return std::abs(a.s) < std::abs(b.s) * (1.0 - 1e-9);
  }));
}

TEST_P(GivenEquations, HaveMotionsThatKeepTheConstraintsAndForcesThatDoNotSeeThem) {
  const MinimalCoordinates m = make_minimal_coordinates(l_);
  const int n_rates = GetParam().has_rates ? 1 : 0;
  EXPECT_EQ(m.n_y(), kUnknowns - kRows + n_rates);
  EXPECT_EQ(m.n_u(), kUnknowns - kRows);
  EXPECT_LT((G_.topRows(kRows - n_rates) * m.N).norm(), 1e-12);
  EXPECT_LT((G_ * m.P).norm(), 1e-12);
  EXPECT_LT((G_ * m.Q + E_ * m.N).bottomRows(n_rates).norm(), 1e-11);
  EXPECT_LT((m.L.transpose() * B_).norm(), 1e-12);
  EXPECT_LT((m.Y * m.N - MatrixXd::Identity(m.n_y(), m.n_y())).norm(), 1e-12);
  const MatrixXd weighted = l_.weights.asDiagonal() * m.N;
  EXPECT_LT((weighted.transpose() * weighted - MatrixXd::Identity(m.n_y(), m.n_y())).norm(), 1e-12);
  EXPECT_EQ(m.is_symmetric, std::string(GetParam().name) == "natural");
}

// Other coordinates of the same motions: the same eigenvalues, and y is what was asked for.
TEST_P(GivenEquations, HaveTheSameEigenvaluesInOtherCoordinates) {
  Generator generator(9);
  const MinimalCoordinates m = make_minimal_coordinates(l_);
  const MatrixXd Y = random_columns(generator, m.n_y(), kUnknowns),
                 U = random_columns(generator, m.n_u(), m.n_y());
  const MinimalCoordinates other = make_minimal_coordinates(l_, Y, U);
  EXPECT_LT((Y * other.N - MatrixXd::Identity(m.n_y(), m.n_y())).norm(), 1e-11);
  EXPECT_LT((U * other.Z - MatrixXd::Identity(m.n_u(), m.n_u())).norm(), 1e-11);
  EXPECT_LT((U * other.C).norm(), 1e-10 * (1.0 + other.C.norm()));
  const auto eigenvalues = [](const MatrixXd& A) {
    VectorXcd values = A.eigenvalues();
    std::sort(values.begin(), values.end(), [](Complex a, Complex b) {
      return std::abs(a.imag() - b.imag()) > 1e-6 ? a.imag() < b.imag() : a.real() < b.real();
    });
    return values;
  };
  const VectorXcd a = eigenvalues(state_matrix(m)), b = eigenvalues(state_matrix(other));
  ASSERT_EQ(a.size(), b.size());
  EXPECT_LT((a - b).norm(), 1e-7 * a.norm());
}

TEST(MotionWithoutMass, CannotBeLinearised) {
  Linearisation l = random_equations(kKinds[0], 4, 1, 2);
  MatrixXd M = MatrixXd::Zero(4, 4);
  M.topLeftCorner(2, 2).setIdentity();
  l.M = M.sparseView();
  EXPECT_THROW(make_minimal_coordinates(l), base::ComputationError);
}

// Twelve decades between the weights change nothing of what is orthonormal when weighted.
TEST(RowsAndTheirNullSpace, AreMeasuredByTheWeights) {
  Generator generator(21);
  for (const double spread : {0.0, 6.0}) {
    const Index n = 6, n_rows = 2;
    VectorXd weights(n);
    for (Index i = 0; i < n; ++i)
      weights[i] = std::pow(10.0, spread * (2.0 * static_cast<double>(i) / (n - 1) - 1.0));
    const MatrixXd G = random_columns(generator, n_rows, n) * weights.asDiagonal();
    const RowSpace rows(G, weights);
    const MatrixXd N = rows.null_space(), W = weights.asDiagonal(), weighted = W * N;
    ASSERT_EQ(N.cols(), n - n_rows);
    EXPECT_TRUE((weighted.transpose() * weighted).isIdentity(1e-12));
    EXPECT_LT((G * N).norm(), 1e-12 * G.norm());
    EXPECT_LT((rows.projector() * N - MatrixXd::Identity(n - n_rows, n - n_rows)).norm(), 1e-12);
    const MatrixXd b = random_columns(generator, n_rows, 2), x = rows.solve(b);
    EXPECT_LT((G * x - b).norm(), 1e-11 * b.norm());
    EXPECT_LT((rows.projector() * x).norm(), 1e-11 * (W * x).norm());  // the smallest: no free part
  }
}

TEST(RowsAndTheirNullSpace, WithoutRowsAreEverything) {
  const VectorXd weights = Eigen::Vector3d(1, 2, 4);
  const RowSpace none(MatrixXd(0, 3), weights);
  EXPECT_EQ(none.null_space().cols(), 3);
  EXPECT_TRUE(none.solve(MatrixXd(0, 2)).isZero(0.0));
}

// A soft direction beside one that is ten decades stiffer is there; what cancels within the error
// is not.
TEST(NullSpaceWithin, TellsSoftFromNothing) {
  MatrixXd K = MatrixXd::Zero(4, 4);
  K.diagonal() << 1e10, 1.0, 1e-7, 0.0;
  MatrixXd error = MatrixXd::Zero(4, 4);
  error.diagonal() << 1e-4, 1e-14, 1e-6, 1e-6;
  const MatrixXd N = null_space_within(K, error);
  ASSERT_EQ(N.cols(), 2);
  EXPECT_LT(N.topRows(2).norm(), 1e-9);
  EXPECT_TRUE((N.transpose() * N).isIdentity(1e-12));
  error(2, 2) = 1e-9;
  EXPECT_EQ(null_space_within(K, error).cols(), 1);
}

// A row without errors is met: it is not measured by the units of those that have large ones.
TEST(NullSpaceWithin, MeetsExactRows) {
  MatrixXd A(2, 3), error = MatrixXd::Zero(2, 3);
  A << 1e10, -1e10, 0.0, 1e-3, 2e-3, -1e-3;
  error.row(0).setConstant(1e-2);
  const MatrixXd N = null_space_within(A, error);
  ASSERT_EQ(N.cols(), 1);
  EXPECT_LT((A.row(1) * N).norm(), 1e-16);
  A(1, 2) = 0.0;
  EXPECT_EQ(null_space_within(A, error).cols(), 1);
  EXPECT_NEAR(std::abs(null_space_within(A, error)(2, 0)), 1.0, 1e-12);
}

TEST(Complement, AndBasisSpanTheWholeSpace) {
  Generator generator(31);
  for (const Index k : {1, 3, 5}) {
    const MatrixXd basis = random_columns(generator, 5, k), Q = orthonormal(basis);
    EXPECT_TRUE((Q.transpose() * Q).isIdentity(1e-12));
    EXPECT_LT((basis - Q * (Q.transpose() * basis)).norm(), 1e-12 * basis.norm());
    const MatrixXd C = complement(Q);
    ASSERT_EQ(C.cols(), 5 - k);
    EXPECT_TRUE((C.transpose() * C).isIdentity(1e-12));
    EXPECT_LT((Q.transpose() * C).norm(), 1e-12);
  }
}

// M, D, K without constraints, measured as they are.
Linearisation linear_system(const MatrixXd& M, const MatrixXd& D, const MatrixXd& K) {
  Linearisation l;
  const Index n = M.rows();
  l.M = M.sparseView();
  l.D = D.sparseView();
  l.K = K.sparseView();
  l.B = Linearisation::Matrix(n, 0);
  l.G = l.dG = l.ddG = l.E = Linearisation::Matrix(0, n);
  l.weights = VectorXd::Ones(n);
  return l;
}

// A free mass is a chain of two zeros, a braked one a zero and a decay, beside an oscillator that
// keeps every digit.
TEST(ChainsOfZeros, AreTakenOffAndNamed) {
  MatrixXd M = MatrixXd::Zero(3, 3), D = M, K = M;
  M.diagonal() << 1e6, 2.0, 1e-3;
  D(1, 1) = 8.0;
  K(2, 2) = 1e7;
  const Linearisation l = linear_system(M, D, K);
  const std::vector<Mode> modes = find_modes(l, make_minimal_coordinates(l), 10);
  ASSERT_EQ(modes.size(), 4U);
  EXPECT_EQ(modes[0].kind, Mode::Kind::rigid);
  EXPECT_EQ(modes[1].kind, Mode::Kind::neutral);
  EXPECT_EQ(modes[2].kind, Mode::Kind::aperiodic);
  EXPECT_NEAR(modes[2].s.real(), -4.0, 1e-12);
  EXPECT_EQ(modes[3].kind, Mode::Kind::oscillation);
  EXPECT_NEAR(modes[3].s.imag(), 1e5, 1e-7);
  EXPECT_NEAR(std::abs(modes[0].shape[0]), 1e-3, 1e-12);  // modal mass 1
}

// Rows whose entries are known to a part of the mass only, as where constraints turn, do not make
// other directions zeros: the soft ones beside them stay, with as many digits as the matrices have.
TEST(ChainsOfZeros, LeaveWhatIsSoftBesideUncertainEntries) {
  Generator generator(5);
  MatrixXd M = MatrixXd::Zero(6, 6), D = M, K = M;
  M.diagonal() << 2e3, 1e3, 1e3, 1e2, 1.0, 1e3;
  D.diagonal() << 0.0, 1e5, 1e5, 30.0, 1e-2, 1e4;
  K.diagonal() << 0.0, 0.0, 3e6, 1e2, 1e1, 1e9;
  const MatrixXd mixed = orthonormal(random_columns(generator, 6, 6));
  const auto turned = [&](const MatrixXd& m) { return MatrixXd(mixed.transpose() * m * mixed); };
  const Linearisation l = linear_system(turned(M), turned(D), turned(K));
  MinimalCoordinates m = make_minimal_coordinates(l);
  m.K_error.array() += 1e-6 * M.maxCoeff();
  m.D_error.array() += 1e-9 * M.maxCoeff();
  for (const double rate : {1e3, 1.0, 1e-2}) {
    const WithoutZeros pencil(m, rate);
    EXPECT_EQ(pencil.rigid().cols(), 1) << rate;
    EXPECT_EQ(pencil.neutral().cols(), 1) << rate;
    EXPECT_EQ(pencil.n_zeros(), 3) << rate;
  }
}

// The relative error of s, of a pair that is right and of ones that are not.
TEST(MissedEquation, IsTheErrorOfTheEigenvalue) {
  Generator generator(7);
  const MatrixXd M = random_positive(generator, 4), D = random_positive(generator, 4),
                 K = 1e4 * random_positive(generator, 4);
  const Linearisation l = linear_system(M, D, K);
  const MinimalCoordinates m = make_minimal_coordinates(l);
  const std::vector<Mode> modes = find_modes(l, m, 4);
  ASSERT_FALSE(modes.empty());
  const MissedEquation missed(m, 0.5 * std::abs(modes[0].s));
  for (const Mode& mode : modes) {
    const VectorXcd y = m.Y.cast<Complex>() * mode.shape;
    EXPECT_LT(mode.residual, 1e-12);
    EXPECT_LT(missed.by(mode.s, y), 1e-12);
    const double error = missed.by(mode.s * (1.0 + 1e-4), y);
    EXPECT_GT(error, 3e-5);
    EXPECT_LT(error, 1e-3);
  }
}

// A law of first order, d y' = k (x - y), that leaves no rate u free: y is displaced alone, and x
// is held by a stiff spring, K [x; y] = 0.
TEST(MissedEquation, SeesLawsOfFirstOrder) {
  const double k = 3.0, d = 2.0, held = 5.0;
  Linearisation l =
      linear_system(Eigen::Matrix2d(Eigen::Vector2d(1.0, 1e-3).asDiagonal()), MatrixXd::Zero(2, 2),
                    (Eigen::Matrix2d() << held + k, -k, 0.0, 0.0).finished());
  l.G = Linearisation::Matrix((MatrixXd(1, 2) << 0.0, d).finished().sparseView());
  l.E = Linearisation::Matrix((MatrixXd(1, 2) << -k, k).finished().sparseView());
  l.B = Linearisation::Matrix(l.G.transpose());
  l.dG = l.ddG = Linearisation::Matrix(1, 2);
  l.is_rate = {true};
  const MinimalCoordinates m = make_minimal_coordinates(l);
  ASSERT_EQ(m.n_y(), 2);
  ASSERT_EQ(m.n_u(), 1);
  EXPECT_GT(m.C_error.maxCoeff(), 0.0);
  const std::vector<Mode> modes = find_modes(l, m, 3);
  double product = 1.0;  // s^3 m d + s^2 m k + s d (held + k) + k held = 0
  for (const Mode& mode : modes) {
    EXPECT_LT(mode.residual, 1e-12);
    product *= mode.s.imag() == 0.0 ? mode.s.real() : -std::norm(mode.s);
  }
  EXPECT_NEAR(std::abs(product), k * held / d, 1e-10);
  const MissedEquation missed(m, 0.5);
  const VectorXcd y = (m.Y * Eigen::Vector2d(k, held + k)).cast<Complex>();  // K y = 0, y' is not
  EXPECT_LT((m.K * y.real()).norm(), 1e-14 * m.K.norm());
  EXPECT_GT(missed.by(0.0, y), 0.1);
}

}  // namespace
}  // namespace solidyn::analyses
