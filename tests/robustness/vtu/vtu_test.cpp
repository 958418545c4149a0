// Damaged VTU files give a mesh or one InputError, and nothing else.
#include "solidyn/formats/vtu/vtu.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "solidyn/base/error.h"
#include "solidyn/mesh/generators.h"

namespace solidyn {
namespace {

using formats::VtuEncoding;

class DamagedVtu : public ::testing::TestWithParam<VtuEncoding> {
 protected:
  void SetUp() override {
    mesh::BoxOptions box;
    box.type = elements::ElementType::wedge15;
    const std::string path = ::testing::TempDir() + "solidyn_damaged" +
                             std::to_string(static_cast<int>(GetParam())) + ".vtu";
    formats::write_vtu(path, mesh::make_box(box), GetParam());
    std::ifstream stream(path, std::ios::binary);
    whole_.assign(std::istreambuf_iterator<char>(stream), {});
    std::remove(path.c_str());
  }
  /// Whether it was refused.
  static bool refuses(const std::string& bytes) {
    try {
      formats::parse_vtu(bytes, "damaged.vtu");
    } catch (const base::InputError& error) {
      EXPECT_EQ(error.diagnostics().front().where.file, "damaged.vtu");
      return true;
    }
    return false;
  }
  std::string whole_;
};

/// Appended data may be cut in what comes after them.
TEST_P(DamagedVtu, FilesCutAnywhereAreRefused) {
  EXPECT_FALSE(refuses(whole_));
  for (std::size_t n = 0; n + 60 < whole_.size(); n += 97)
    EXPECT_TRUE(refuses(whole_.substr(0, n))) << n;
}

TEST_P(DamagedVtu, ChangedBytesAreReadOrRefused) {
  int n_refused = 0;
  for (std::size_t at = 0; at < whole_.size(); at += 7)
    for (char c : {'\0', '<', '"', '9', '\xff'}) {
      std::string damaged = whole_;
      damaged[at] = c;
      n_refused += refuses(damaged);
    }
  EXPECT_GT(n_refused, 0);
}

TEST_P(DamagedVtu, AbsurdCountsAreRefused) {
  for (const char* attribute : {"NumberOfPoints=\"", "NumberOfCells=\""}) {
    std::string damaged = whole_;
    damaged.insert(damaged.find(attribute) + std::string(attribute).size(), "99999999999");
    EXPECT_TRUE(refuses(damaged));
  }
}

INSTANTIATE_TEST_SUITE_P(Encodings, DamagedVtu,
                         ::testing::Values(VtuEncoding::ascii, VtuEncoding::base64,
                                           VtuEncoding::raw, VtuEncoding::compressed));

TEST(HostileVtu, DeepXmlIsRefused) {
  std::string text = "<VTKFile type=\"UnstructuredGrid\">";
  for (int i = 0; i < 200000; ++i) text += "<a>";
  EXPECT_THROW(formats::parse_vtu(text, "deep.vtu"), base::InputError);
}

}  // namespace
}  // namespace solidyn
