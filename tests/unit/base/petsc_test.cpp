// The seam to PETSc: owners of its objects, its error codes, its options.
#include "solidyn/base/petsc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::base {
namespace {

using testing::HasSubstr;

Vec vector_of(PetscInt n) {
  Vec v;
  SOLIDYN_PETSC(VecCreateSeq(PETSC_COMM_SELF, n, v.out()));
  return v;
}

PetscInt references(PetscObject object) {
  PetscInt n = 0;
  SOLIDYN_PETSC(PetscObjectGetReference(object, &n));
  return n;
}

TEST(PetscHandle, OwnsItsObjectAlone) {
  Vec a = vector_of(3);
  const ::Vec object = a.get();
  Vec b = std::move(a);
  EXPECT_FALSE(a);  // NOLINT: what a handle is after it was moved from is what is tested
  EXPECT_EQ(b.get(), object);
  Vec c;
  c = std::move(b);
  EXPECT_EQ(c.get(), object);
  EXPECT_TRUE(c);
}

TEST(PetscHandle, DestroysItOnce) {
  Vec keeper = vector_of(3);
  PetscObject object = reinterpret_cast<PetscObject>(keeper.get());
  {
    Vec second;
    SOLIDYN_PETSC(PetscObjectReference(object));
    *second.out() = keeper.get();
    EXPECT_EQ(references(object), 2);
    Vec third = std::move(second);
    EXPECT_EQ(references(object), 2);
  }
  EXPECT_EQ(references(object), 1);
}

TEST(PetscHandle, ReplacedByAnotherGivesTheOldOneBack) {
  Vec keeper = vector_of(3), other = vector_of(2);
  PetscObject object = reinterpret_cast<PetscObject>(keeper.get());
  SOLIDYN_PETSC(PetscObjectReference(object));
  {
    Vec handle;
    *handle.out() = keeper.get();
    handle = std::move(other);  // the old one goes with `other`
  }
  other = Vec();
  EXPECT_EQ(references(object), 1);
}

TEST(PetscCalls, ThatFailAreErrorsWithCallAndPlace) {
  SOLIDYN_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  try {
    SOLIDYN_PETSC(PetscOptionsInsertFile(PETSC_COMM_SELF, nullptr, "/no/such/file", PETSC_TRUE));
    ADD_FAILURE() << "there is no such file";
  } catch (const ComputationError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr(
            "PetscOptionsInsertFile(PETSC_COMM_SELF, nullptr, \"/no/such/file\", PETSC_TRUE)"));
    EXPECT_THAT(error.what(), HasSubstr("petsc_test.cpp"));
  }
  SOLIDYN_PETSC(PetscPopErrorHandler());
}

std::string option(const char* name) {
  char text[64] = "";
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsGetString(nullptr, nullptr, name, text, sizeof text, &is_set));
  return is_set ? text : "(not set)";
}

TEST(PetscOptions, OfTheFileAreOverriddenByTheCommandLine) {
  insert_petsc_options("-solidyn_test_a 1 -solidyn_test_b two", {"-solidyn_test_b", "three"});
  EXPECT_EQ(option("-solidyn_test_a"), "1");
  EXPECT_EQ(option("-solidyn_test_b"), "three");
  insert_petsc_options("", {});
  EXPECT_EQ(option("-solidyn_test_a"), "1");
}

TEST(PetscOptions, MayBeNegativeNumbers) {
  insert_petsc_options("-solidyn_test_shift -1.5", {});
  EXPECT_EQ(option("-solidyn_test_shift"), "-1.5");
}

// PETSc itself passes over words that are none.
TEST(PetscOptions, ThatAreNoneAreRefusedByName) {
  const std::pair<const char*, const char*> cases[] = {
      {"ksp_type", "`ksp_type` is not a PETSc option"},
      {"cg -ksp_type", "`cg` in `cg -ksp_type` is neither a PETSc option nor the value of one"},
      {"-ksp_type cg gmres", "`gmres` in `-ksp_type cg gmres`"},
      {"-ksp_rtol -1.5 -2", "`-2` in"}};
  for (const auto& [text, said] : cases) {
    try {
      insert_petsc_options(text, {});
      ADD_FAILURE() << text << " was accepted";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(said));
    }
  }
}

TEST(PetscOptions, ThatNothingUsedAreWarnedOf) {
  clear_logged_warnings();
  insert_petsc_options("-solidyn_test_misspelt 3", {});
  warn_of_unused_petsc_options();
  ASSERT_FALSE(logged_warnings().empty());
  EXPECT_THAT(logged_warnings().back(), HasSubstr("-solidyn_test_misspelt"));
  clear_logged_warnings();
}

/// Two equations that conjugate gradients solve in two iterations.
struct Equations {
  Mat A;
  Vec b = vector_of(2), x = vector_of(2);
  Ksp ksp;
  explicit Equations(PetscInt most) {
    SOLIDYN_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, 2, 2, 2, nullptr, A.out()));
    const PetscScalar values[] = {2.0, 1.0, 1.0, 3.0};
    const PetscInt rows[] = {0, 1};
    SOLIDYN_PETSC(MatSetValues(A, 2, rows, 2, rows, values, INSERT_VALUES));
    SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    SOLIDYN_PETSC(VecSet(b, 1.0));
    SOLIDYN_PETSC(VecSetValue(b, 0, 5.0, INSERT_VALUES));
    SOLIDYN_PETSC(KSPCreate(PETSC_COMM_SELF, ksp.out()));
    SOLIDYN_PETSC(KSPSetOperators(ksp, A, A));
    SOLIDYN_PETSC(KSPSetType(ksp, KSPCG));
    PC pc = nullptr;
    SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
    SOLIDYN_PETSC(PCSetType(pc, PCNONE));
    SOLIDYN_PETSC(KSPSetTolerances(ksp, 1e-12, 1e-50, 1e5, most));
    SOLIDYN_PETSC(KSPSolve(ksp, b, x));
  }
};

TEST(IterationsOf, AreCountedOrSaidToHaveFailed) {
  const Equations enough(10), few(1);
  EXPECT_EQ(iterations_of(enough.ksp, "the test"), 2);
  try {
    iterations_of(few.ksp, "the test");
    FAIL();
  } catch (const ComputationError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("the test"));
  }
}

TEST(Petsc, IsRunningInTests) { EXPECT_TRUE(petsc_is_running()); }

}  // namespace
}  // namespace solidyn::base
