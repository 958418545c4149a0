// OP2 files that Nastran wrote: every fact that is known of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formats/nastran/op2/words.h"
#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn {
namespace {

using formats::Op2File;
using imported::ModalData;
using nlohmann::json;

const std::vector<std::string> kSamples = {"nastran/modal/dmg401ns.op2",
                                           "nastran/modal/fsi.op2",
                                           "nastran/modal/mode_solid_shell_bar.op2",
                                           "nastran/modal/tugd_2020_32bit.op2",
                                           "nastran/modal/tugd_2020_64bit.op2",
                                           "nastran/superelement/inboard.op2"};

Op2File open(const std::string& name) { return Op2File(testing_support::sample(name)); }

constexpr double kSingle = 1e-6;  // relative: the samples hold floats, facts seven digits or more

void expect_close(double value, double fact, double scale = 0.0) {
  EXPECT_NEAR(value, fact, kSingle * std::max(std::abs(fact), scale));
}

/// Components of a grid in a mode, imaginary ones where the real one is zero (the facts of
/// undamped complex modes).
double component(const ModalData& modes, Eigen::Index mode, std::int64_t tag, int c) {
  const auto at = std::find(modes.node_tags.begin(), modes.node_tags.end(), tag);
  if (at == modes.node_tags.end()) throw std::runtime_error("no such grid");
  const Eigen::Index row = 3 * (at - modes.node_tags.begin()) + c % 3;
  if (c >= 3 && modes.rotations.rows() == 0) return 0.0;
  return (c < 3 ? modes.translations : modes.rotations)(row, mode);
}

void expect_vector(const ModalData& modes, Eigen::Index mode, const json& facts) {
  for (const auto& [tag, values] : facts.items())
    for (std::size_t c = 0; c < values.size(); ++c)
      expect_close(component(modes, mode, std::stol(tag), static_cast<int>(c)),
                   values[c].get<double>(), 1e-6);
}

int n_points(const ModalData& modes) {
  const auto scalars = modes.report.skipped.find("scalar points");
  return static_cast<int>(modes.node_tags.size()) +
         (scalars == modes.report.skipped.end() ? 0 : static_cast<int>(scalars->second));
}

void expect_eigenvalues(const ModalData& modes, const json& facts, double ImportedValue(double)) {
  ASSERT_EQ(modes.modes.size(), facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i)
    expect_close(ImportedValue(modes.modes[i].eigenvalue), facts[i].get<double>());
}

double same(double value) { return value; }
double radians(double value) { return std::sqrt(value); }
double hertz(double value) { return std::sqrt(value) / (2.0 * std::acos(-1.0)); }

/// Facts of eigenvectors; false for others.
bool expect_modal_fact(const Op2File& file, const std::string& key, const json& fact) {
  const std::vector<std::string> keys = {
      "modes", "points",    "complex",   "eigenvalues", "cycles_hz", "radians", "imag_lambda",
      "lama",  "phi_mode1", "phi_mode2", "ids",         "grid_ids",  "subcase"};
  if (std::find(keys.begin(), keys.end(), key) == keys.end()) return false;
  const ModalData modes = formats::read_op2_modes(file);
  if (key == "modes") {
    EXPECT_EQ(modes.modes.size(), fact.get<std::size_t>());
  }
  if (key == "points") {
    EXPECT_EQ(n_points(modes), fact.get<int>());
  }
  if (key == "complex") {
    EXPECT_EQ(modes.is_complex, fact.get<bool>());
  }
  if (key == "eigenvalues") expect_eigenvalues(modes, fact, same);
  if (key == "cycles_hz") expect_eigenvalues(modes, fact, hertz);
  if (key == "radians") expect_eigenvalues(modes, fact, radians);
  if (key == "phi_mode1") expect_vector(modes, 0, fact);
  if (key == "phi_mode2") expect_vector(modes, 1, fact);
  if (key == "ids" || key == "grid_ids") {
    EXPECT_EQ(modes.node_tags, fact.get<std::vector<std::int64_t>>());
  }
  if (key == "subcase") {
    for (const auto& mode : modes.modes) EXPECT_EQ(mode.subcase, fact.get<int>());
  }
  if (key == "imag_lambda")
    for (std::size_t i = 0; i < fact.size(); ++i)
      expect_close(modes.modes.at(i).eigenvalue_imaginary, fact[i].get<double>());
  if (key == "lama") {
    expect_eigenvalues(modes, fact.at("eigenvalues"), same);
    expect_eigenvalues(modes, fact.at("cycles_hz"), hertz);
    for (std::size_t i = 0; i < modes.modes.size(); ++i)
      expect_close(modes.modes[i].generalized_mass, fact.at("generalized_mass")[i].get<double>());
  }
  return true;
}

std::vector<std::array<std::int64_t, 2>> pairs(const Op2File& file, std::size_t record) {
  const formats::Op2Words words(file, file.find("EQEXIN")->records.at(record));
  std::vector<std::array<std::int64_t, 2>> result;
  for (std::int64_t at = 0; at < words.size(); at += 2)
    result.push_back({words.integer(at), words.integer(at + 1)});
  return result;
}

/// Facts of the last row of the first mode.
void expect_last_point(const Op2File& file, const json& fact) {
  const formats::Op2Words words(file, file.find("OUGV1")->records.at(1));
  const std::int64_t at = words.size() - 14;
  EXPECT_EQ(words.integer(at) / 10, fact.at("id").get<std::int64_t>());
  EXPECT_EQ(words.integer(at + 1), fact.at("type").get<std::int64_t>());
  expect_close(words.real(at + 2), fact.at("mode1").get<double>());
}

void expect_file_fact(const Op2File& file, const std::string& key, const json& fact) {
  if (key == "tables") {
    std::vector<std::string> names;
    for (const auto& block : file.blocks()) names.push_back(block.name);
    EXPECT_EQ(names, fact.get<std::vector<std::string>>());
  } else if (key == "version") {
    EXPECT_EQ(file.version(), fact.get<std::string>());
  } else if (key == "date") {
    EXPECT_EQ(file.date(), (fact.get<std::array<int, 3>>()));
  } else if (key == "word") {
    EXPECT_EQ(file.word_bytes(), fact.get<int>());
  } else if (key == "endian") {
    EXPECT_EQ(file.is_big_endian(), fact.get<std::string>() == "big");
  } else if (key == "ident_word7") {
    const formats::Op2Words ident(file, file.find("OUGV1")->records.at(0));
    EXPECT_EQ(ident.real(6), fact.get<double>());
  } else if (key == "last_point") {
    expect_last_point(file, fact);
  } else if (key == "eigenvectors") {
    EXPECT_FALSE(formats::has_op2_modes(file));
    EXPECT_THROW(formats::read_op2_modes(file), base::InputError);
  } else if (key == "grids") {
    EXPECT_EQ(file.find("BGPDT")->trailer[1], fact.get<std::int64_t>());
    EXPECT_EQ(formats::read_op2_dofs(file).size(), 6 * fact.get<std::size_t>());
  } else if (key == "first_grid_id") {
    EXPECT_EQ(formats::read_op2_dofs(file).front().node, fact.get<std::int64_t>());
  } else if (key == "bgpdt_words_per_grid") {
    const formats::Op2Block& block = *file.find("BGPDT");
    EXPECT_EQ(formats::Op2Words(file, block.records.at(0)).size() / block.trailer[1],
              fact.get<std::int64_t>());
  } else if (key == "eqexin_first" || key == "eqexin_sil") {
    const auto found = pairs(file, key == "eqexin_first" ? 0 : 1);
    for (std::size_t i = 0; i < fact.size(); ++i)
      EXPECT_EQ(found.at(i), (fact[i].get<std::array<std::int64_t, 2>>()));
  } else {
    ADD_FAILURE() << "no test knows the fact " << key;
  }
}

class Op2Sample : public testing::TestWithParam<std::string> {};

TEST_P(Op2Sample, HoldsWhatIsKnownOfIt) {
  SOLIDYN_REQUIRE_SAMPLE(GetParam());
  const Op2File file = open(GetParam());
  const json facts = testing_support::facts_of(GetParam());
  for (const auto& [key, fact] : facts.items()) {
    SCOPED_TRACE(key);
    if (!expect_modal_fact(file, key, fact)) expect_file_fact(file, key, fact);
  }
}

TEST_P(Op2Sample, IsFilledByItsBlocks) {
  SOLIDYN_REQUIRE_SAMPLE(GetParam());
  const Op2File file = open(GetParam());
  for (const auto& block : file.blocks())
    for (const auto& record : block.records)
      EXPECT_EQ(static_cast<std::size_t>(formats::Op2Words(file, record).size()) *
                    static_cast<std::size_t>(file.word_bytes()),
                record.n_bytes);
}

INSTANTIATE_TEST_SUITE_P(All, Op2Sample, testing::ValuesIn(kSamples), [](const auto& info) {
  const std::size_t start = info.param.rfind('/') + 1;
  return info.param.substr(start, info.param.rfind('.') - start);
});

TEST(Op2Samples, ModesAreNormalisedAndUndampedComplexOnesHaveNoRealPart) {
  SOLIDYN_REQUIRE_SAMPLE("nastran/modal/fsi.op2");
  const ModalData modes = formats::read_op2_modes(open("nastran/modal/fsi.op2"));
  EXPECT_EQ(modes.node_tags.size(), 9);  // 27 others are scalar points of the fluid
  EXPECT_EQ(modes.imaginary_translations.rows(), 27);
  for (const auto& mode : modes.modes) EXPECT_NEAR(mode.eigenvalue, 0.0, 1e-3);
}

TEST(Op2Samples, CoordinatesComeInDoublesWhereBgpdtHasThem) {
  SOLIDYN_REQUIRE_SAMPLE("nastran/modal/dmg401ns.op2");
  const ModalData modes = formats::read_op2_modes(open("nastran/modal/dmg401ns.op2"));
  const json facts = testing_support::facts_of("nastran/modal/dmg401ns.bdf");
  ASSERT_EQ(modes.x.cols(), 12);
  for (const std::int64_t tag : {1, 18}) {
    const auto at = std::find(modes.node_tags.begin(), modes.node_tags.end(), tag);
    const json& x = facts.at("grid_" + std::to_string(tag));
    for (Eigen::Index c = 0; c < 3; ++c)
      EXPECT_EQ(modes.x(c, at - modes.node_tags.begin()), x[static_cast<std::size_t>(c)]);
  }
}

TEST(Op2Samples, TwoGridsOfASuperelementHaveTheCoordinatesOfItsDeck) {
  SOLIDYN_REQUIRE_SAMPLE("nastran/superelement/inboard.op2");
  const ModalData modes = formats::read_op2_modes(open("nastran/superelement/inboard.op2"));
  ASSERT_EQ(modes.x.cols(), 2);
  EXPECT_EQ(modes.x.col(0), Eigen::Vector3d(900, 0, 300));     // GRID 4 of inboard.blk
  EXPECT_EQ(modes.x.col(1), Eigen::Vector3d(2100, 300, 300));  // GRID 16
  // CORD2R 10 of grid 11: local z along x, local x along y, so local y along z
  Eigen::Matrix3d axes;
  axes << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  ASSERT_EQ(modes.node_axes.size(), 1);
  EXPECT_TRUE(modes.node_axes.at(11).isApprox(axes, 1e-12)) << modes.node_axes.at(11);
}

class Op2MatrixSample : public testing::TestWithParam<std::string> {};

TEST_P(Op2MatrixSample, HoldsWhatIsKnownOfItsMatrices) {
  SOLIDYN_REQUIRE_SAMPLE(GetParam());
  const Op2File file = open(GetParam());
  EXPECT_FALSE(file.has_label());
  EXPECT_EQ(file.is_big_endian(), GetParam().find("_be") != std::string::npos);
  const json facts = testing_support::facts_of(GetParam());
  const auto matrices = formats::read_op2_matrices(file);
  ASSERT_EQ(matrices.size(), 3);
  for (const auto& matrix : matrices) {
    const json& fact = facts.at(matrix.name);
    EXPECT_EQ(matrix.n_rows, fact.at("shape")[0].get<std::int64_t>());
    EXPECT_EQ(matrix.n_columns, fact.at("shape")[1].get<std::int64_t>());
    EXPECT_EQ(matrix.values.size(), fact.at("nnz").get<std::size_t>());
    double real = 0.0, imaginary = 0.0, squares = 0.0;
    for (double value : matrix.values) real += value, squares += value * value;
    for (double value : matrix.imaginary) imaginary += value, squares += value * value;
    expect_close(std::sqrt(squares), fact.at("fro").get<double>());
    if (fact.count("sum_imag")) expect_close(imaginary, fact.at("sum_imag").get<double>());
    if (!fact.count("sum")) continue;
    const json& sum = fact.at("sum");
    expect_close(real, sum.is_array() ? sum[0].get<double>() : sum.get<double>());
    if (sum.is_array()) expect_close(imaginary, sum[1].get<double>());
  }
  const auto trailer = facts.at("trailer_ZUZR01").get<std::array<std::int64_t, 7>>();
  EXPECT_EQ(file.find("ZUZR01")->trailer, trailer);
}

INSTANTIATE_TEST_SUITE_P(BothByteOrders, Op2MatrixSample,
                         testing::Values("nastran/op2_matrices/double_le.op2",
                                         "nastran/op2_matrices/double_be.op2"),
                         [](const auto& info) {
                           return info.param.find("_be") == std::string::npos ? "little" : "big";
                         });

}  // namespace
}  // namespace solidyn
