// Microseconds of the kernels of one wheel on one rail:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_wheel_rail
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "solidyn/railway/contact_search.h"
#include "solidyn/railway/creep_law.h"
#include "timing.h"

using namespace solidyn::railway;
using solidyn::benchmarks::cpu_seconds;
using solidyn::benchmarks::median;

namespace {

constexpr double kSeconds = 0.5;  // of each measurement
bool all_right = true;

// CPU microseconds of one call, median of five groups. @param call(i) for i = 0, 1 ...
template <class Call>
void report(const std::string& name, bool is_right, const Call& call) {
  all_right = all_right && is_right;
  int n = 64;
  double seconds = 0.0;
  for (; seconds < 0.02; n *= 2) {
    const double before = cpu_seconds();
    for (int i = 0; i < n; ++i) call(i);
    seconds = cpu_seconds() - before;
  }
  n = std::max(1, static_cast<int>(n / 2 / seconds * kSeconds / 5));
  std::vector<double> times;
  for (int group = 0; group < 5; ++group) {
    const double before = cpu_seconds();
    for (int i = 0; i < n; ++i) call(i);
    times.push_back(1e6 * (cpu_seconds() - before) / n);
  }
  std::cout << fmt::format("{:<44} {:9.3f} us   {}\n", name, median(times),
                           is_right ? "answer checked" : "WRONG ANSWER");
}

bool is_near(double value, double expected, double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

/// A wheelset that runs through its clearance, one point after another.
WheelPosition position(const std::vector<double>& lifts, int i) {
  const auto k = static_cast<std::size_t>(i) % lifts.size();
  const double s = static_cast<double>(k) / static_cast<double>(lifts.size());
  return {6e-3 * std::sin(2.0 * M_PI * s), lifts[k] - 6e-5, 1e-3 * std::sin(2.0 * M_PI * s),
          3e-3 * std::cos(2.0 * M_PI * s)};
}

void searches() {
  const WheelOnRail pair(
      make_built_in_profile(ProfileKind::wheel, "s1002"), 0.46, 0.75,
      RailHead(make_built_in_profile(ProfileKind::rail, "60e1"), RailPlacement()));
  const OnlineSearch online(pair, ContactOptions()),
      overlap(pair, {PatchCurvature::from_overlap, ContactOptions().least_curvature});
  double before = cpu_seconds();
  const TabulatedSearch table(pair, ContactRange(), ContactOptions());
  std::cout << fmt::format("table: {} cells with {:.1f} of {} samples each, made in {:.2f} s\n",
                           table.n_cells(), table.samples_in_cell(), pair.samples().size(),
                           cpu_seconds() - before);
  std::vector<double> lifts(500, 0.0);
  for (int i = 0; i < 500; ++i) {
    const WheelPosition at = position(lifts, i);
    lifts[static_cast<std::size_t>(i)] = pair.contact(at.y, at.roll).lift;
  }
  std::vector<ContactPoint> a, b;
  double mean = 0.0;
  bool is_same = true;
  for (int i = 0; i < 500; ++i) {
    online.find(position(lifts, i), a);
    table.find(position(lifts, i), b);
    is_same = is_same && a.size() == b.size() && !a.empty();
    mean += static_cast<double>(a.size()) / 500.0;
    for (std::size_t k = 0; is_same && k < a.size(); ++k)
      is_same = a[k].u == b[k].u && a[k].approach.value == b[k].approach.value;
  }
  std::cout << fmt::format("points at a time: {:.2f}\n", mean);
  report("online search, with derivatives", is_same,
         [&](int i) { online.find(position(lifts, i), a); });
  report("search by the table, with derivatives", is_same,
         [&](int i) { table.find(position(lifts, i), b); });
  report("online search, curvature of the overlap", is_same,
         [&](int i) { overlap.find(position(lifts, i), a); });
}

void forces() {
  const EllipticContact hertz = elliptic_contact({1.080524, 3.121804}, ElasticMaterial());
  double sum = 0.0;
  report("Hertz, with derivatives", is_near(hertz.stiffness, 8.214719e10, 1e-6), [&](int i) {
    sum += elliptic_contact_derivatives({1.08, 0.3 + 1e-4 * (i % 10000)}, ElasticMaterial())
               .by_A.stiffness;
  });
  CreepParameters p;
  p.coefficients = {4.34, 4.0, 1.71, 0.0};
  const CreepState state{{0.001, 0.001, 0.3}, 80e3, 0.3, 6e-3, 4.5e-3};
  CreepParameters fine = p;
  fine.cells_along = fine.cells_across = 100;
  const auto run = [&](const char* name, bool is_right) {
    const CreepLaw& law = creep_law(name);
    const auto state_of = [&](int i) {
      CreepState s = state;
      s.creepages.longitudinal += 1e-7 * (i % 1000);
      return s;
    };
    report(fmt::format("{}, value", name), is_right,
           [&](int i) { sum += law.value(state_of(i), p).x(); });
    report(fmt::format("{}, with derivatives", name), is_right,
           [&](int i) { sum += law.force(state_of(i), p).by(0, 0); });
  };
  run("polach", is_near(creep_law("polach").value(state, p).y(), -11347.332, 1e-6));
  run("fastsim", is_near(creep_law("fastsim").value(state, p).y(),
                         creep_law("fastsim").value(state, fine).y(), 0.02));
  if (!std::isfinite(sum)) all_right = false;
}

}  // namespace

int main() {
  searches();
  forces();
  return all_right ? 0 : 1;
}
