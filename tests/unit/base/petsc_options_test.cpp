// PETSc's options as input: what cannot be taken is refused by its name.
#include "solidyn/base/petsc_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petscksp.h>

#include "solidyn/base/error.h"
#include "solidyn/base/petsc.h"

namespace solidyn::base {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Options that are there as long as this lives.
class Given {
 public:
  explicit Given(std::vector<std::pair<std::string, std::string>> options)
      : options_(std::move(options)) {
    for (const auto& [name, value] : options_)
      SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, name.c_str(), value.c_str()));
  }
  ~Given() {
    for (const auto& [name, value] : options_) PetscOptionsClearValue(nullptr, name.c_str());
  }
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

 private:
  std::vector<std::pair<std::string, std::string>> options_;
};

template <class Call>
std::string refusal_of(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const OptionsReader kReader = {"the test", "t_"};

TEST(PetscOptions, AreReadByTheirForm) {
  const Given given(
      {{"-t_word", "b"}, {"-t_number", "-2.5"}, {"-t_count", "-3"}, {"-t_flag", "no"}});
  EXPECT_EQ(option_choice("t_", "-word", {"a", "b"}), 1);
  EXPECT_EQ(option_number("t_", "-number"), -2.5);
  EXPECT_EQ(option_count("t_", "-count"), -3);
  EXPECT_FALSE(option_flag("t_", "-flag", true));
  EXPECT_TRUE(has_option("t_", "-word"));
  EXPECT_EQ(option_choice("u_", "-word", {"a", "b"}), std::nullopt);
  EXPECT_EQ(option_number("u_", "-number"), std::nullopt);
  EXPECT_TRUE(option_flag("u_", "-flag", true));
  EXPECT_THAT(options_given(kReader), AllOf(HasSubstr(" -t_number -2.5"), HasSubstr(" -t_word b"),
                                            HasSubstr(" -t_flag no")));
  EXPECT_EQ(options_given({"another", "u_"}), "");
}

TEST(PetscOptions, OfAnotherFormAreRefused) {
  const Given given(
      {{"-t_word", "c"}, {"-t_number", "many"}, {"-t_count", "2.5"}, {"-t_flag", "perhaps"}});
  EXPECT_THAT(refusal_of([] {
                option_choice("t_", "-word", {"a", "b", "d"});
              }),
              AllOf(HasSubstr("option -t_word is `c`"), HasSubstr("write a, b or d")));
  EXPECT_THAT(refusal_of([] { option_number("t_", "-number"); }),
              HasSubstr("option -t_number is `many`"));
  EXPECT_THAT(refusal_of([] { option_count("t_", "-count"); }),
              HasSubstr("option -t_count is 2.5"));
  EXPECT_THAT(refusal_of([] { option_flag("t_", "-flag", true); }),
              HasSubstr("option -t_flag is `perhaps`"));
}

TEST(PetscOptions, WithNumbersThatNoSolverCanWorkWithAreRefused) {
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"-t_ksp_rtol", "-1"},
                                                        {"-t_ksp_max_it", "default"},
                                                        {"-t_ksp_rtol", "1"},
                                                        {"-t_ksp_rtol", "nan"},
                                                        {"-t_ksp_rtol", ""},
                                                        {"-t_ksp_atol", "-1e-9"},
                                                        {"-t_ksp_divtol", "0.5"},
                                                        {"-t_ksp_max_it", "0"},
                                                        {"-t_ksp_max_it", "2.5"},
                                                        {"-t_ksp_max_it", "few"},
                                                        {"-t_mg_levels_ksp_max_it", "0"},
                                                        {"-t_snes_stol", "-1"},
                                                        {"-t_eps_tol", "0"},
                                                        {"-t_eps_max_it", "-1"}}) {
    const Given given({{name, value}});
    EXPECT_THAT(refusal_of([] { check_option_numbers(kReader); }),
                AllOf(HasSubstr("the test: option " + name), HasSubstr("give a")))
        << value;
    EXPECT_EQ(refusal_of([] { check_option_numbers({"another", "u_"}); }), "accepted");
  }
  const Given right({{"-t_ksp_rtol", "1e-9"},
                     {"-t_ksp_atol", "0"},
                     {"-t_eps_max_it", "PETSC_DEFAULT"},
                     {"-t_mg_levels_ksp_max_it", "4"},
                     {"-t_ksp_view", ""},
                     {"-t_tksp_rtol", "7"}});  // some other option
  EXPECT_EQ(refusal_of([] { check_option_numbers(kReader); }), "accepted");
}

// As for PETSc itself.
TEST(PetscOptions, AreTheSameInCapitals) {
  const Given given({{"-T_KSP_rtol", "-1"}});
  EXPECT_TRUE(has_option("t_", "-ksp_rtol"));
  EXPECT_THAT(refusal_of([] { check_option_numbers(kReader); }),
              HasSubstr("the test: option -T_KSP_rtol is `-1`"));
}

TEST(PetscOptions, ThatBeginOtherwiseAreOthers) {
  const Given given({{"-t_ksp_rtol", "-1"}, {"-t_rod_ksp_rtol", "-2"}});
  const OptionsReader of_rod = {"rod", "t_rod_", PETSC_COMM_SELF, "", {"ksp_"}},
                      of_all = {"all", "t_", PETSC_COMM_SELF, "", {"ksp_", "pc_"}};
  EXPECT_EQ(options_given(of_all), " -t_ksp_rtol -1");
  EXPECT_EQ(options_given(of_rod), " -t_rod_ksp_rtol -2");
}

TEST(PetscOptions, ThatPetscRefusesAreTheUsers) {
  Ksp ksp;
  SOLIDYN_PETSC(KSPCreate(PETSC_COMM_SELF, ksp.out()));
  SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp, "t_"));
  const auto set = [&] { obey_options(kReader, [&] { return KSPSetFromOptions(ksp); }); };
  {
    const Given given({{"-t_ksp_type", "magic"}});
    EXPECT_THAT(refusal_of(set), AllOf(HasSubstr("the test"), HasSubstr("-t_ksp_type magic"),
                                       HasSubstr("on 1 rank"), HasSubstr("doc/solvers.md")));
  }
  EXPECT_EQ(refusal_of(set), "accepted");
  // Without options it is no fault of theirs.
  EXPECT_THROW(obey_options(kReader, [&] { return KSPSetType(ksp, "magic"); }), ComputationError);
}

}  // namespace
}  // namespace solidyn::base
