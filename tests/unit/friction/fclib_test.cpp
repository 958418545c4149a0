// Problems of other codes (page D14 of the verification set), and the files that they come in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/formats/fclib/friction_problem.h"
#include "solidyn/solvers/friction/delassus.h"
#include "solidyn/solvers/friction/friction_contact.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

struct Known {
  const char* file;
  int n_contacts;
  double norm_q, norm_u;
};
// Norms of u: Gauss-Seidel and Newton of Siconos 4.4 agree to these digits.
constexpr Known kProblems[] = {
    {"Box_Stacks-i0122-82-5.hdf5", 82, 0.0112475833, 2.110121419e-3},
    {"Capsules-i125-1213.hdf5", 286, 7.08379014, 7.151374213},
    {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 60, 0.844533711, 0.3119524},
    {"Spheres-i099-356-679.hdf5", 356, 24.7833131, 2.638962071},
    {"spheres-in-a-box-98-i10000-256-10.hdf5", 256, 0.113168157, 0.1075678444}};

std::string file_of(const Known& known) {
  return std::string(SOLIDYN_SOURCE_DIR "/tests/data/friction/") + known.file;
}

struct Loaded {
  CondensedProblem local;
  Problem problem;
  explicit Loaded(const Known& known) : Loaded(formats::read_fclib(file_of(known))) {}
  explicit Loaded(const formats::FclibProblem& file)
      : local(file.is_global ? condense(file.M, file.H, file.f, file.w)
                             : CondensedProblem{ContactBlocks::from_sparse(file.W), file.q}) {
    problem.W = &local.W;
    problem.q = local.q;
    for (Eigen::Index i = 0; i < file.mu.size(); ++i)
      problem.laws.push_back({ContactLaw::Type::coulomb, file.mu[i]});
  }
  Loaded(const Loaded&) = delete;
  double largest_eigenvalue() const {
    VectorXd x = VectorXd::LinSpaced(problem.q.size(), 1.0, 2.0), Wx;
    for (int k = 0; k < 300; ++k) {
      local.W.multiply(x, Wx);
      x = Wx / Wx.norm();
    }
    local.W.multiply(x, Wx);
    return Wx.norm();
  }
};

/// The page's judge, written here once more: |r - P_K(r - rho (u + mu |u_T| n))|.
double judge(const Problem& problem, double rho, const VectorXd& r) {
  VectorXd u;
  problem.W->multiply(r, u);
  u += problem.q;
  double sum = 0.0;
  for (int i = 0; i < problem.n_contacts(); ++i) {
    const double mu = problem.laws[i].mu;
    Vector3d z = r.segment<3>(3 * i) - rho * u.segment<3>(3 * i);
    z[0] -= rho * mu * u.segment<2>(3 * i + 1).norm();
    const double t = z.tail<2>().norm();
    Vector3d P = z;
    if (mu * t <= -z[0])
      P.setZero();
    else if (t > mu * z[0])
      P << 1.0, mu * z[1] / t, mu * z[2] / t;
    if (t > mu * z[0] && mu * t > -z[0]) P *= (z[0] + mu * t) / (1.0 + mu * mu);
    sum += (r.segment<3>(3 * i) - P).squaredNorm();
  }
  return std::sqrt(sum);
}

class FclibProblems : public testing::TestWithParam<Known> {};
INSTANTIATE_TEST_SUITE_P(D14, FclibProblems, testing::ValuesIn(kProblems), [](const auto& info) {
  return "contacts" + std::to_string(info.param.n_contacts);
});

TEST_P(FclibProblems, AreReadAsTheyAre) {
  const Loaded loaded(GetParam());
  EXPECT_EQ(loaded.problem.n_contacts(), GetParam().n_contacts);
  EXPECT_NEAR(loaded.problem.q.norm(), GetParam().norm_q, 1e-8 * GetParam().norm_q);
  EXPECT_EQ(loaded.local.W.is_symmetric(), GetParam().n_contacts != 286);
}

TEST_P(FclibProblems, AreSolvedByTheMethodsThatSeeAllContacts) {
  const Loaded loaded(GetParam());
  for (const Method method : {Method::automatic, Method::newton, Method::interior_point}) {
    const Result result = solve(loaded.problem, {method, 1e-9, 0});
    EXPECT_LE(result.error.relative, 1e-9) << name(method);
    EXPECT_NEAR(result.u.norm(), GetParam().norm_u, 1e-6 * GetParam().norm_u) << name(method);
  }
}

// Forces of 1e5 against velocities of 1: the page's number is of forces, so that the periodic box
// takes a tighter tolerance of ours, which is of velocities.
TEST_P(FclibProblems, AutomaticMeetsThePagesJudge) {
  const Loaded loaded(GetParam());
  const double tolerance = GetParam().n_contacts == 60 ? 1e-13 : 1e-8;
  const Result result = solve(loaded.problem, {Method::automatic, tolerance, 0});
  const double rho = 1.0 / loaded.largest_eigenvalue();
  EXPECT_LE(judge(loaded.problem, rho, result.r), 1e-8 * loaded.problem.q.norm());
}

TEST_P(FclibProblems, SweepsSolveAllButThePacking) {
  const Loaded loaded(GetParam());
  const bool is_packing = GetParam().n_contacts == 256;
  const Result result =
      try_solve(loaded.problem, {Method::gauss_seidel, 1e-8, is_packing ? 500 : 5000});
  EXPECT_EQ(result.has_converged, !is_packing);
  if (!is_packing) EXPECT_NEAR(result.u.norm(), GetParam().norm_u, 1e-6 * GetParam().norm_u);
}

TEST_P(FclibProblems, OrderAndUnitsChangeNothing) {
  const formats::FclibProblem file = formats::read_fclib(file_of(GetParam()));
  const Loaded loaded(file);
  const ContactBlocks& W = loaded.local.W;
  const int n = W.n_contacts();
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(17));
  for (const double scale : {1e-9, 1.0, 1e9}) {
    std::vector<ContactBlock> blocks;
    Problem problem;
    problem.q.resize(3 * n);
    problem.laws.resize(n);
    for (int i = 0; i < n; ++i) {
      problem.q.segment<3>(3 * order[i]) = loaded.problem.q.segment<3>(3 * i);
      problem.laws[order[i]] = loaded.problem.laws[i];
      for (int k = W.start(i); k < W.start(i + 1); ++k)
        blocks.push_back({order[i], order[W.column(k)], scale * W.block(k)});
    }
    const ContactBlocks other(n, blocks);
    problem.W = &other;
    const Result result = solve(problem, {Method::automatic, 1e-9, 0});
    EXPECT_NEAR(result.u.norm(), GetParam().norm_u, 1e-6 * GetParam().norm_u) << scale;
  }
}

TEST(SpheresTower, HasTheForcesAndStatesOfThePage) {
  const Loaded loaded(kProblems[3]);
  const Result result = solve(loaded.problem, {Method::newton, 1e-11, 0});
  double sum = 0.0;
  for (int i = 0; i < 356; ++i) sum += result.r[3 * i];
  EXPECT_NEAR(sum, 187.6161806, 1e-7);
  const auto count = [&](ContactState state) {
    return std::count(result.states.begin(), result.states.end(), state);
  };
  EXPECT_EQ(count(ContactState::open), 88);
  EXPECT_EQ(count(ContactState::stick), 253);
  EXPECT_EQ(count(ContactState::slip), 15);
}

TEST(FclibFiles, WhatIsWrittenIsReadAgain) {
  const test::ScratchFolder folder;
  for (const Known& known : kProblems) {
    formats::FclibProblem file = formats::read_fclib(file_of(known));
    file.r = VectorXd::LinSpaced(3 * file.mu.size(), 1.0, 2.0);
    formats::write_fclib(folder / "copy.hdf5", file);
    const formats::FclibProblem copy = formats::read_fclib(folder / "copy.hdf5");
    EXPECT_EQ(copy.is_global, file.is_global);
    EXPECT_EQ(copy.title, file.title);
    EXPECT_EQ(copy.mu, file.mu);
    EXPECT_EQ(copy.r, file.r);
    if (file.is_global) {
      EXPECT_EQ((copy.M - file.M).norm() + (copy.H - file.H).norm(), 0.0);
      EXPECT_EQ((copy.f - file.f).norm() + (copy.w - file.w).norm(), 0.0);
    } else {
      EXPECT_EQ((copy.W - file.W).norm() + (copy.q - file.q).norm(), 0.0);
    }
  }
}

std::string reading_message(const std::string& path) {
  try {
    formats::read_fclib(path);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "read";
}

/// A small problem whose file is then changed.
std::string good_file(const test::ScratchFolder& folder) {
  formats::FclibProblem file;
  file.mu = VectorXd::Constant(1, 0.3);
  file.q = Vector3d(-1.0, 0.5, 0.0);
  file.W = MatrixXd(Eigen::Matrix3d::Identity()).sparseView();
  formats::write_fclib(folder / "problem.hdf5", file);
  return folder / "problem.hdf5";
}

void replace(const std::string& path, const std::string& group, const std::string& name,
             const std::vector<double>& values) {
  base::H5File file = base::update_hdf5(path);
  const base::H5Group at = base::open_group(file, group);
  if (base::contains(at, name)) SOLIDYN_HDF5(H5Ldelete(at, name.c_str(), H5P_DEFAULT));
  if (!values.empty()) base::write_dataset(at, name, values);
}

TEST(FclibFiles, WrongOnesAreRefusedByName) {
  const test::ScratchFolder folder;
  const std::string path = good_file(folder);
  EXPECT_EQ(reading_message(path), "read");
  struct Damage {
    const char *group, *name;
    std::vector<double> values;
    const char* message;
  };
  for (const Damage& damage :
       {Damage{"fclib_local/vectors", "q", {1.0, 2.0}, "2 numbers in `fclib_local/vectors/q`"},
        Damage{"fclib_local/vectors", "q", {1.0, 2.0, NAN}, "not finite"},
        Damage{"fclib_local/vectors", "mu", {-0.3}, "contact 1 the coefficient of friction -0.3"},
        Damage{"fclib_local/vectors", "mu", {}, "cannot be read"},
        Damage{"fclib_local", "spacedim", {2.0}, "a problem in 2 dimensions"},
        Damage{"fclib_local/W", "m", {6.0}, "6 x 3, where 3 x 3 belongs"},
        Damage{"fclib_local/W", "i", {0.0, 1.0, 7.0}, "column 7"},
        Damage{"fclib_local/W", "i", {0.0, 1.0}, "of which 2 are there"},
        Damage{"fclib_local/W", "p", {0.0, 2.0, 1.0, 3.0}, "no ascending 4 places"},
        Damage{"fclib_local/W", "nz", {-7.0}, "-7"},
        Damage{"fclib_local/W", "x", {}, "cannot be read"},
        Damage{"fclib_local", "V", {1.0}, "bilateral constraints"}}) {
    good_file(folder);
    replace(path, damage.group, damage.name, damage.values);
    const std::string message = reading_message(path);
    EXPECT_THAT(message, HasSubstr(damage.message)) << damage.group << "/" << damage.name;
    EXPECT_THAT(message, HasSubstr(path));
  }
  EXPECT_THAT(reading_message(folder / "missing.hdf5"), HasSubstr("missing.hdf5"));
}

}  // namespace
}  // namespace solidyn::solvers::friction
