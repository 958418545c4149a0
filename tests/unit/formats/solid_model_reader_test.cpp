#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/formats/solid_model.h"

namespace solidyn::formats {
namespace {

using testing::HasSubstr;

imported::SolidModel read_nothing_of(const std::string& path) {
  imported::SolidModel model;
  model.source = path;
  model.format = "a program's own";
  return model;
}

std::string refusal_of(const std::string& ending) {
  try {
    add_solid_model_reader(ending, read_nothing_of);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SolidModelReader, OfAProgramIsFoundByItsEnding) {
  EXPECT_FALSE(is_imported_model_name("plate.mine"));
  EXPECT_THROW(read_solid_model("plate.mine"), base::InputError);
  add_solid_model_reader(".mine", read_nothing_of);
  EXPECT_TRUE(is_imported_model_name("plate.mine"));
  EXPECT_FALSE(is_written_model_name("plate.mine"));
  EXPECT_EQ(read_solid_model("plate.MINE").source, "plate.MINE");
  EXPECT_THAT(known_model_names(), HasSubstr(".mine"));
}

TEST(SolidModelReader, TakesNoOthersPlace) {
  EXPECT_THAT(refusal_of(".msh"), HasSubstr("files that end in .msh have a reader already"));
  add_solid_model_reader(".once", read_nothing_of);
  EXPECT_THAT(refusal_of(".once"), HasSubstr("have a reader already"));
}

TEST(SolidModelReader, NeedsAFileExtension) {
  for (const char* ending : {"", ".", "ele", ".ELE", ".a.ele", ".gz"})
    EXPECT_THAT(refusal_of(ending), HasSubstr("is no file extension")) << ending;
}

}  // namespace
}  // namespace solidyn::formats
