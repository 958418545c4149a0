// Combinations of the documented -body_ options: each gives the motion of the default, or is
// refused by its name. Others than the usual ones, and more of them:
//   SOLIDYN_DICE=7 SOLIDYN_THROWS=60 build/tests/mpi_solid_body --gtest_filter='BodyOptions.Work*'
#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>

#include "scoped_petsc_options.h"
#include "solid_bar.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

using testing::HasSubstr;
using testing_support::SolidBar;

/// What an option may be; empty where it is not given.
struct Choice {
  const char* option;
  std::vector<const char*> words;
};
const std::vector<Choice> kChoices = {
    {"-body_ksp_type", {"", "cg", "pipecg", "preonly"}},
    {"-body_pc_type", {"", "mg", "gamg", "pbjacobi", "bjacobi", "icc", "hypre", "cholesky"}},
    {"-body_matrix_free", {"", "", "0"}},
    {"-body_precision", {"", "", "single", "double"}},
    {"-body_mg_coarse_pc_type", {"", "", "gamg", "cholesky"}},
    {"-body_mg_levels_ksp_max_it", {"", "", "4"}},
    {"-body_mg_levels_pc_type", {"", "", "", "jacobi"}},
    {"-body_ksp_rtol", {"", "", "1e-11"}},
    {"-body_pc_factor_mat_solver_type", {"", "", "mumps"}}};

using Words = std::vector<std::pair<std::string, std::string>>;

int number(const char* variable, int usual) {
  const char* text = std::getenv(variable);
  return text ? std::atoi(text) : usual;
}

/// The same on all ranks and machines.
class Dice {
 public:
  std::size_t roll(std::size_t n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_ = static_cast<std::uint64_t>(number("SOLIDYN_DICE", 20));
};

Words throw_words(Dice& dice) {
  Words words;
  for (const Choice& choice : kChoices) {
    const std::string word = choice.words[dice.roll(choice.words.size())];
    if (!word.empty()) words.emplace_back(choice.option, word);
  }
  return words;
}

Eigen::VectorXd swing(const Words& words) {
  std::vector<std::string> given;
  for (const auto& [option, word] : words) given.push_back(option + " " + word);
  const test::ScopedPetscOptions scoped(given);
  testing_support::SolidBarOptions options;
  options.attach = mesh::Attachment::rbe2;
  options.motion.w_WB_B = {3.0, 0.0, 10.0};
  SolidBar bar = testing_support::make_solid_bar(PETSC_COMM_WORLD, options);
  integrators::GeneralizedAlphaOptions o;
  o.tolerance = 1e-11;
  return testing_support::run_generalized_alpha(*bar.system, 0.006, 3, o).q;
}

std::string text_of(const Words& words) {
  std::string text;
  for (const auto& [option, word] : words) text += " " + option + " " + word;
  return text;
}

TEST(BodyOptions, WorkOrAreRefusedByName) {
  base::set_log_level(base::LogLevel::off);
  const Eigen::VectorXd expected = swing({});
  Dice dice;
  int n_worked = 0, n_refused = 0;
  // Each costs as much on each rank.
  const int n = number("SOLIDYN_THROWS", 24 / base::size(PETSC_COMM_WORLD));
  for (int i = 0; i < n; ++i) {
    const Words words = throw_words(dice);
    SCOPED_TRACE(text_of(words));
    try {
      EXPECT_LT((swing(words) - expected).lpNorm<Eigen::Infinity>(), 1e-7);
      ++n_worked;
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("-body_"));
      ++n_refused;
    } catch (const std::exception& e) {
      ADD_FAILURE() << e.what();
    }
  }
  EXPECT_GE(n_worked, n / 4);
  EXPECT_GE(n_refused, 1);
  base::set_log_level(base::LogLevel::info);
}

TEST(BodyOptions, ThatPetscDoesNotKnowAreRefused) {
  for (const char* option : {"-body_pc_type", "-body_ksp_type", "-body_mg_levels_pc_type"}) {
    Words words = {{option, "magic"}};
    if (option == std::string("-body_mg_levels_pc_type")) words.emplace_back("-body_pc_type", "mg");
    try {
      swing(words);
      ADD_FAILURE() << option << " magic is accepted";
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(std::string(option) + " magic"));
    }
  }
}

std::string refusal_of(const Words& words) {
  try {
    swing(words);
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "accepted";
}

// Options of a library's own take its factor in place of Solidyn's.
TEST(BodyOptions, OfPetscsFactorAreObeyed) {
  base::set_log_level(base::LogLevel::off);
  const bool is_alone = base::size(PETSC_COMM_WORLD) == 1;
  const Words own = {is_alone ? std::pair{"-body_mat_cholmod_nrelax", "4,8,16"}
                              : std::pair{"-body_mat_mumps_icntl_14", "50"}};
  EXPECT_LT((swing(own) - swing({})).lpNorm<Eigen::Infinity>(), 1e-7);
  EXPECT_THAT(refusal_of({own[0], {"-body_precision", "single"}}), HasSubstr(own[0].first));
  EXPECT_EQ(refusal_of({own[0], {"-body_precision", "double"}}), "accepted");
  base::set_log_level(base::LogLevel::info);
}

TEST(BodyOptions, ThatNumberLevelsAreRefusedWithTheBody) {
  base::set_log_level(base::LogLevel::off);
  for (Words words : {Words{{"-body_pc_type", "mg"}}, Words{{"-body_ksp_type", "cg"}}}) {
    words.emplace_back("-body_pc_mg_levels", "3");
    EXPECT_THAT(refusal_of(words), HasSubstr("body bar: option -body_pc_mg_levels"));
  }
  EXPECT_EQ(refusal_of({{"-body_pc_mg_levels", "3"}}), "accepted");  // unused, with a warning
  base::set_log_level(base::LogLevel::info);
}

TEST(BodyOptions, OfAnotherBodyAreNoneOfThisOne) {
  base::set_log_level(base::LogLevel::off);
  EXPECT_EQ(refusal_of({{"-body_other_ksp_rtol", "-1"}, {"-body_ksp_type", "cg"}}), "accepted");
  EXPECT_THAT(refusal_of({{"-body_bar_ksp_rtol", "-1"}}),
              HasSubstr("body bar: option -body_bar_ksp_rtol is `-1`"));
  // In capitals they are the same options.
  EXPECT_THAT(refusal_of({{"-BODY_KSP_RTOL", "-1"}}), HasSubstr("-BODY_KSP_RTOL is `-1`"));
  base::set_log_level(base::LogLevel::info);
}

}  // namespace
}  // namespace solidyn::bodies
