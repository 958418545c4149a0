// Spectra, their synthesis and files of irregularities. Reference values by another program, twice
// (quadrature, closed form).
#include "solidyn/track/irregularity.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "solidyn/base/error.h"

namespace solidyn::track {
namespace {

namespace fs = std::filesystem;

Spectrum spectrum(const std::string& name, Channel channel) {
  return find_spectrum(name, channel).value();
}

constexpr double kBands[5][2] = {{3, 25}, {25, 70}, {70, 150}, {1, 100}, {2, 200}};

TEST(Spectrum, VariancesOfBandsAreThoseOfTheTables) {
  struct Row {
    const char* name;
    Channel channel;
    double mm2[5];
  };
  for (const Row& row :
       {Row{"erri_low", kVertical, {0.968794, 2.724882, 4.504980, 5.473150, 10.614113}},
        Row{"erri_low", kLateral, {0.509145, 1.432050, 2.367573, 2.876390, 5.578201}},
        Row{"erri_high", kVertical, {2.594984, 7.298792, 12.066912, 14.660223, 28.430660}},
        Row{"erri_high", kLateral, {1.471692, 4.139361, 6.843503, 8.314247, 16.123870}},
        Row{"fra_4", kVertical, {32.390142, 93.201523, 170.183193, 189.526694, 402.729725}},
        Row{"fra_4", kLateral, {18.237530, 52.477867, 95.823014, 106.714528, 226.760208}},
        Row{"fra_5", kVertical, {12.622275, 36.320162, 66.319529, 73.857594, 156.941736}},
        Row{"fra_5", kLateral, {4.591013, 13.210484, 24.121948, 26.863717, 57.083343}},
        Row{"fra_6", kVertical, {2.042459, 5.877105, 10.731418, 11.951181, 25.395345}}})
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(1e6 * spectrum(row.name, row.channel).variance(kBands[i][0], kBands[i][1]),
                  row.mm2[i], 1e-6 * row.mm2[i] + 5e-7)
          << row.name << i;
}

// Published as roll angles, rad^2.
TEST(Spectrum, CrossLevelIsARollOverItsBase) {
  const double low[5] = {8.317659e-7, 4.902105e-7, 1.562421e-7, 1.427149e-6, 1.518406e-6};
  const double high[5] = {2.227944e-6, 1.313064e-6, 4.185056e-7, 3.822720e-6, 4.067158e-6};
  for (int i = 0; i < 5; ++i) {
    const double base = kCrossLevelBase * kCrossLevelBase;
    EXPECT_NEAR(spectrum("erri_low", kCrossLevel).variance(kBands[i][0], kBands[i][1]) / base,
                low[i], 1e-6 * low[i]);
    EXPECT_NEAR(spectrum("erri_high", kCrossLevel).variance(kBands[i][0], kBands[i][1]) / base,
                high[i], 1e-6 * high[i]);
  }
}

TEST(Spectrum, IsTheClosedFormAndThePolynomialOfOtherPrograms) {
  const Spectrum low = spectrum("erri_low", kVertical);
  EXPECT_NEAR(low.at(2.0 * M_PI / 10.0), 6.45466464e-7, 1e-14);
  const Spectrum polynomial({2.741619e-7}, {0.00028855, 0.6803895, 1.0});
  EXPECT_NEAR(polynomial.at(0.3), low.at(0.3), 1e-6 * low.at(0.3));
  EXPECT_NEAR(spectrum("erri_high", kLateral).at(0.7),
              Spectrum({4.164787e-7}, {0.00028855, 0.6803895, 1.0}).at(0.7), 1e-12);
}

TEST(Spectrum, ConventionsAreOfTheSameVariance) {
  const Spectrum one({2e-7}, {0.1, 0.7, 1.0});
  const Spectrum two({1e-7}, {0.1, 0.7, 1.0}, SpectrumConvention::two_sided_wavenumber);
  // S_f(f) = 2 pi S(2 pi f)
  const double q = 4.0 * M_PI * M_PI;
  const Spectrum cycles({2.0 * M_PI * 2e-7}, {0.1, 0.7 * q, q * q},
                        SpectrumConvention::one_sided_frequency);
  for (double W : {0.05, 0.4, 2.0}) {
    EXPECT_NEAR(two.at(W), one.at(W), 1e-13 * one.at(W));
    EXPECT_NEAR(cycles.at(W), one.at(W), 1e-13 * one.at(W));
  }
}

TEST(Spectrum, UnknownOrEmptyOnesAreRefused) {
  EXPECT_THROW(find_spectrum("erri_middle", kVertical), base::InputError);
  EXPECT_FALSE(find_spectrum("erri_low", kGauge).has_value());
  EXPECT_THROW(Spectrum({}, {1.0}), base::InputError);
  EXPECT_THROW(Spectrum({-1.0}, {1.0}), base::InputError);
  EXPECT_EQ(spectrum_names().size(), 8u);
}

// p_k = 2 pi frac(k (sqrt 5 - 1)/2 + k^2 (sqrt 2 - 1))
std::vector<double> test_phases(int n) {
  std::vector<double> phases;
  for (double k = 1.0; k <= n; ++k) {
    const double x = k * (std::sqrt(5.0) - 1.0) / 2.0 + k * k * (std::sqrt(2.0) - 1.0);
    phases.push_back(2.0 * M_PI * (x - std::floor(x)));
  }
  return phases;
}

TEST(WaveSum, HasTheValuesOfTheTable) {
  EXPECT_NEAR(test_phases(4)[3], 0.62550965, 1e-8);
  const WaveSum sum(spectrum("erri_low", kVertical), 3.0, 70.0, test_phases(500));
  const double rows[5][2] = {{0, 2.475998597e-3},
                             {1, 1.984909569e-3},
                             {10, -2.665107092e-3},
                             {100, -3.667333607e-3},
                             {500, 7.751712164e-4}};
  for (const auto& row : rows) EXPECT_NEAR(sum.at(row[0]).value, row[1], 1e-9);
  EXPECT_NEAR(sum.variance(), 3.693002372e-6, 1e-14);
  EXPECT_NEAR(spectrum("erri_low", kVertical).variance(3.0, 70.0), 3.693676242e-6, 1e-14);
  EXPECT_NEAR(sum.period(), 500.0 / (1.0 / 3.0 - 1.0 / 70.0), 1e-9);  // 2 pi/dW
}

TEST(WaveSum, DerivativesAreThoseOfDifferences) {
  const WaveSum sum(spectrum("fra_5", kLateral), 2.0, 60.0, random_phases(3, kLateral, 300));
  const double h = 1e-4;
  for (double s : {0.0, 13.7, 400.3}) {
    const Deviation a = sum.at(s - h), b = sum.at(s), c = sum.at(s + h);
    EXPECT_NEAR((c.value - a.value) / (2 * h), b.first, 1e-9);
    EXPECT_NEAR((c.first - a.first) / (2 * h), b.second, 1e-9);
  }
}

// The mean of the samples' variances over seeds tends to that of the sum: 40 samples of a length of
// some 30 long waves scatter by a few per cent.
TEST(WaveSum, VarianceDoesNotDependOnTheSeed) {
  double mean = 0.0;
  const Spectrum low = spectrum("erri_low", kVertical);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const WaveSum sum(low, 3.0, 70.0, random_phases(seed, kVertical, 200));
    double square = 0.0;
    for (int i = 0; i < 500; ++i) square += std::pow(sum.at(4.0 * i).value, 2) / 500.0;
    mean += square / 40.0;
  }
  EXPECT_NEAR(mean, low.variance(3.0, 70.0), 0.05 * mean);
}

std::array<std::optional<Spectrum>, kChannels> erri_low() {
  std::array<std::optional<Spectrum>, kChannels> spectra;
  for (int k = 0; k < kChannels; ++k)
    spectra[static_cast<std::size_t>(k)] = find_spectrum("erri_low", static_cast<Channel>(k));
  return spectra;
}

SynthesisOptions options() {
  SynthesisOptions o;
  o.shortest = 3.0;
  o.longest = 70.0;
  o.seed = 7;
  o.n_waves = 300;
  return o;
}

TEST(Irregularities, FadeInSmoothlyAndRepeatWithTheirSeed) {
  const Irregularities a = synthesise(erri_low(), options(), 500.0),
                       b = synthesise(erri_low(), options(), 500.0);
  EXPECT_EQ(a.at(kVertical, 0.0).value, 0.0);
  EXPECT_EQ(a.at(kVertical, 123.4).value, b.at(kVertical, 123.4).value);
  SynthesisOptions other = options();
  other.seed = 8;
  EXPECT_NE(a.at(kVertical, 123.4).value,
            synthesise(erri_low(), other, 500.0).at(kVertical, 123.4).value);
  EXPECT_NE(a.at(kVertical, 123.4).value,
            a.at(kLateral, 123.4).value * std::sqrt(4.032 / 2.119));  // own phases
  const double h = 1e-4;
  for (double s : {h, 5.0, 19.9999, 20.0, 50.0}) {
    const Deviation left = a.vertical(true, s - h), here = a.vertical(true, s),
                    right = a.vertical(true, s + h);
    EXPECT_NEAR((right.value - left.value) / (2 * h), here.first, 1e-9);
    EXPECT_NEAR((right.first - left.first) / (2 * h), here.second, 1e-7);
  }
  const double s = 80.0;
  EXPECT_NEAR(a.vertical(true, s).value - a.vertical(false, s).value, a.at(kCrossLevel, s).value,
              1e-18);
  EXPECT_NEAR(0.5 * (a.lateral(true, s).value + a.lateral(false, s).value), a.at(kLateral, s).value,
              1e-18);
}

TEST(Irregularities, BandSeedAndLengthAreAskedFor) {
  try {
    synthesise(erri_low(), SynthesisOptions(), 100.0);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2u);
    EXPECT_NE(std::string(error.what()).find("need a band of wavelengths"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("need a seed"), std::string::npos);
  }
  std::vector<std::string> warnings;
  synthesise(erri_low(), options(), 2000.0, &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(
      warnings[0].find("repeat after 940.3 m, and the run is 2000 m long: take 639 waves or more"),
      std::string::npos)
      << warnings[0];
}

// A table of so many terms would take minutes: waves are summed where the run comes by.
TEST(Irregularities, OfLongTracksTakeNoTimeAtTheStart) {
  SynthesisOptions many = options();
  many.n_waves = 300000;
  many.fade_in = 0.0;
  const Irregularities all = synthesise(erri_low(), many, 5e4);
  const WaveSum sum(*erri_low()[kVertical], many.shortest, many.longest,
                    random_phases(*many.seed, kVertical, 300000));
  EXPECT_EQ(all.at(kVertical, 40.3).value, sum.at(40.3).value);
  std::vector<std::string> warnings;
  many.n_waves = 1;
  synthesise(erri_low(), many, 4e6, &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("take up to 1000000 waves"), std::string::npos) << warnings[0];
}

// Blocks of waves, the last one not full, and turns that are renewed.
// Of channels that have a table and of those that are too long for one, with their beginning.
TEST(Irregularities, SamplesAreTheirValues) {
  for (const int n_waves : {100, 100000}) {
    SynthesisOptions o = options();
    o.n_waves = n_waves;
    Irregularities all = synthesise(erri_low(), o, n_waves == 100 ? 300.0 : 1e6);
    all.begin_at(30.0);
    const std::vector<Deviation> samples = all.samples(kLateral, 0.37, 60, 25.0);
    for (const std::size_t i : {0u, 20u, 59u}) {
      const Deviation at = all.at(kLateral, 25.0 + 0.37 * static_cast<double>(i));
      EXPECT_NEAR(samples[i].value, at.value, 1e-13) << n_waves << ' ' << i;
      EXPECT_NEAR(samples[i].second, at.second, 1e-12) << n_waves << ' ' << i;
    }
    EXPECT_EQ(samples[0].value, 0.0);
    EXPECT_NE(samples[20].value, 0.0);
  }
}

TEST(WaveSum, SamplesAreItsValues) {
  const WaveSum sum(*erri_low()[kVertical], 3.0, 70.0, random_phases(3, kVertical, 150));
  const std::vector<Deviation> samples = sum.samples(0.1, 3000);
  for (std::size_t i : {0u, 1u, 1023u, 1024u, 2999u}) {
    const Deviation at = sum.at(0.1 * static_cast<double>(i));
    EXPECT_NEAR(samples[i].value, at.value, 1e-14) << i;
    EXPECT_NEAR(samples[i].first, at.first, 1e-14) << i;
    EXPECT_NEAR(samples[i].second, at.second, 1e-14) << i;
  }
}

TEST(Irregularities, NegativeSpectraAreRefused) {
  std::array<std::optional<Spectrum>, kChannels> spectra;
  spectra[kVertical] = Spectrum({2.0, -1.0}, {1.0});  // negative beyond 1.41 rad/m
  try {
    synthesise(spectra, options(), 100.0);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("in the band"), std::string::npos) << error.what();
  }
}

class IrregularityFile : public testing::Test {
 protected:
  void SetUp() override {
    file_ =
        (fs::temp_directory_path() / ("irregularity_test_" + std::to_string(::getpid()) + ".csv"))
            .string();
  }
  void TearDown() override { fs::remove(file_); }
  void expect_refused(const std::string& text, const std::string& part, double length = 4.0) const {
    std::ofstream(file_) << text;
    try {
      read_irregularities(file_, length, 0.0);
      FAIL() << "not refused: " << part;
    } catch (const base::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
  std::string file_;
};

// A cubic spline over steps h of waves of at least 3 m is within (2 pi h/3)^4/384 of the amplitude.
TEST_F(IrregularityFile, IsTheRealisationThatWasWritten) {
  const Irregularities written = synthesise(erri_low(), options(), 100.0);
  write_irregularities(file_, written, 100.0, 0.1);
  const Irregularities read = read_irregularities(file_, 100.0, 0.0);
  for (int k = 0; k < kChannels; ++k)
    for (double s : {0.0, 11.13, 62.777, 99.98}) {
      const Deviation a = written.at(static_cast<Channel>(k), s),
                      b = read.at(static_cast<Channel>(k), s);
      EXPECT_NEAR(a.value, b.value, 2e-8) << k << " " << s;
      EXPECT_NEAR(a.second, b.second, 2e-5) << k << " " << s;
    }
}

TEST_F(IrregularityFile, TakesBothRailsToo) {
  std::ofstream(file_)
      << "# measured\ns left_vertical right_vertical\n0 0 0\n1 2e-3 0\n2 3e-3 1e-3\n3 1e-3 1e-3\n4 0 0\n";
  const Irregularities read = read_irregularities(file_, 4.0, 0.0);
  EXPECT_NEAR(read.vertical(true, 1.0).value, 2e-3, 1e-15);
  EXPECT_NEAR(read.vertical(false, 2.0).value, 1e-3, 1e-15);
  EXPECT_NEAR(read.at(kCrossLevel, 2.0).value, 2e-3, 1e-15);
  EXPECT_EQ(read.lateral(true, 1.0).value, 0.0);
}

TEST_F(IrregularityFile, WrongTablesAreRefused) {
  expect_refused("", "is empty");
  expect_refused("s,height\n0,1\n", "unknown column `height`");
  expect_refused("vertical,s\n0,1\n", "the first line has to name the columns, s first");
  expect_refused("s,left_lateral\n0,1\n",
                 "there is a column `left_lateral` and none `right_lateral`");
  expect_refused("s,vertical,vertical\n0,1,1\n", "the column `vertical` is there twice");
  expect_refused("s,vertical,left_vertical,right_vertical\n0,1,1,1\n",
                 "columns of single rails and of both together");
  expect_refused("s,vertical\n0,0\n1,0\n0.5,0\n2,0\n4,0\n",
                 ":4: error: s = 0.5 m follows s = 1 m: rows have to be in increasing order");
  expect_refused(
      "s,vertical\n0,0\n1,0\n2,0\n3,0\n7,0\n8,0\n",
      ":6: error: the irregularities have a gap: 4 m from s = 3 m, where rows are 1 m apart elsewhere");
  expect_refused("s,vertical\n0,0\n1,0\n2,0\n3,0\n4,0\n",
                 "goes from s = 0 to 4 m, and the run from 0 to 50 m", 50.0);
  expect_refused("s,vertical\n0,0\n1,x\n", ":3: error: `x` is not a finite number");
  expect_refused("s,vertical\n0,0\n1\n",
                 ":3: error: 1 numbers in this line, and 2 columns have names");
  EXPECT_THROW(read_irregularities("/nonexistent/file.csv", 1.0, 0.0), base::InputError);
  EXPECT_THROW(read_irregularities(file_, 4.0, -1.0), base::InputError);
  EXPECT_THROW(write_irregularities(file_, Irregularities(), 4.0, 0.0), base::InputError);
}

}  // namespace
}  // namespace solidyn::track
