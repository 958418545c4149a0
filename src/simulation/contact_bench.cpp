#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "solidyn/base/cpu_time.h"
#include "solidyn/base/error.h"
#include "solidyn/railway/contact_search.h"
#include "solidyn/railway/creep_law.h"
#include "solidyn/railway/rail_overlap.h"
#include "solidyn/simulation/railway_bench.h"

namespace solidyn::simulation {
namespace {

// Microseconds of one call, median of five groups.
double microseconds_of(double seconds, const std::function<void(int)>& call) {
  int n = 16;
  double taken = 0.0;
  for (; taken < 0.1 * seconds; n *= 2) {
    const double before = base::cpu_seconds();
    for (int i = 0; i < n; ++i) call(i);
    taken = base::cpu_seconds() - before;
  }
  n = std::max(1, static_cast<int>(0.5 * n / taken * seconds / 5.0));
  std::vector<double> times;
  for (int group = 0; group < 5; ++group) {
    const double before = base::cpu_seconds();
    for (int i = 0; i < n; ++i) call(i);
    times.push_back(1e6 * (base::cpu_seconds() - before) / n);
  }
  std::sort(times.begin(), times.end());
  return times[2];
}

class ContactTimes {
 public:
  explicit ContactTimes(double seconds)
      : seconds_(seconds),
        pair_(railway::make_built_in_profile(railway::ProfileKind::wheel, "s1002"), 0.46, 0.75,
              railway::RailHead(railway::make_built_in_profile(railway::ProfileKind::rail, "60e1"),
                                railway::RailPlacement())) {
    if (!(seconds > 0.0 && std::isfinite(seconds)))
      throw base::InputError("a measurement needs a positive time", "give --seconds such as 0.3");
  }

  ContactBench run() {
    place();
    search();
    find_overlaps();
    find_patches();
    find_creep_forces();
    for (const ContactTime& time : out_.times)
      if (!(time.error <= time.allowed))
        throw base::ComputationError(fmt::format(
            "a benchmark check failed, so that its timings are invalid: {} is wrong by {:.3g}, allowed are {:.0e}",
            time.what, time.error, time.allowed));
    return out_;
  }

 private:
  static constexpr int kPlaces = 500;
  static constexpr double kDepth = 6e-5;  // m

  void add(const std::string& what, double error, double allowed,
           const std::function<void(int)>& call) {
    out_.times.push_back({what, microseconds_of(seconds_, call), error, allowed});
  }

  // A wheelset that runs through its clearance, one place after another, pressed in.
  void place() {
    for (int i = 0; i < kPlaces; ++i) {
      const double turn = 2.0 * M_PI * i / kPlaces;
      railway::WheelPosition at{6e-3 * std::sin(turn), 0.0, 1e-3 * std::sin(turn),
                                3e-3 * std::cos(turn)};
      at.z = pair_.contact(at.y, at.roll).lift - kDepth;
      places_.push_back(at);
    }
  }
  const railway::WheelPosition& at(int i) const {
    return places_[static_cast<std::size_t>(i % kPlaces)];
  }

  void search() {
    const railway::OnlineSearch online(pair_, railway::ContactOptions());
    const double before = base::cpu_seconds();
    const railway::TabulatedSearch table(pair_, railway::ContactRange(), railway::ContactOptions());
    out_.table_seconds = base::cpu_seconds() - before;
    out_.n_cells = static_cast<int>(table.n_cells());
    std::vector<railway::ContactPoint> a, b;
    double differs = 0.0;
    for (int i = 0; i < kPlaces; ++i) {
      online.find(at(i), a);
      table.find(at(i), b);
      out_.points += static_cast<double>(a.size()) / kPlaces;
      if (a.size() != b.size()) differs = 1.0;
      for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
        differs = std::max(differs, std::abs(a[k].u - b[k].u));
    }
    add("points along the whole profile, with derivatives", differs, 0.0,
        [&](int i) { online.find(at(i), a); });
    add("points by the table, with derivatives", differs, 0.0,
        [&](int i) { table.find(at(i), b); });
  }

  // Forces of the overlap's energy, against differences of it.
  void find_overlaps() {
    const railway::RailOverlap overlap(
        railway::make_built_in_profile(railway::ProfileKind::wheel, "s1002"),
        railway::WheelsetDimensions(),
        railway::RailHead(railway::make_built_in_profile(railway::ProfileKind::rail, "60e1"),
                          railway::RailPlacement()),
        railway::ElasticMaterial());
    std::vector<railway::AxlePosition> placed;  // pressed in as deep as those of the search
    for (const railway::WheelPosition& p : places_) {
      placed.push_back({p.y, 0.0,
                        Eigen::Vector3d(-std::sin(p.yaw), std::cos(p.yaw) * std::cos(p.roll),
                                        std::cos(p.yaw) * std::sin(p.roll))});
      placed.back().z = overlap.largest_overlap(placed.back()) - kDepth;
    }
    const auto axle = [&](int i, double dz) {
      railway::AxlePosition position = placed[static_cast<std::size_t>(i % kPlaces)];
      position.z += dz;
      return position;
    };
    const railway::AxlePosition still{0.0, 0.0, Eigen::Vector3d::Zero()};
    std::vector<railway::OverlapPatch> patches;
    const auto sum = [&](int i, double dz, double railway::OverlapSums::*member) {
      overlap.compute(axle(i, dz), still, {}, patches);
      double total = 0.0;
      for (const railway::OverlapPatch& patch : patches) total += patch.share * patch.sums.*member;
      return total;
    };
    constexpr double kStep = 1e-7;
    const double force = sum(0, 0.0, &railway::OverlapSums::force_z),
                 slope = (sum(0, -kStep, &railway::OverlapSums::energy) -
                          sum(0, kStep, &railway::OverlapSums::energy)) /
                         (2.0 * kStep);
    add("forces and patches of the overlap, of a run", std::abs(force / slope - 1.0), 1e-5,
        [&](int i) { overlap.compute(axle(i, 0.0), still, {}, patches); });
  }

  void find_patches() {
    const railway::EllipticContact hertz =
        railway::elliptic_contact({1.080524, 3.121804}, railway::ElasticMaterial());
    add("Hertz, with derivatives", std::abs(hertz.stiffness / 8.214719e10 - 1.0), 1e-6, [&](int i) {
      sink_ += railway::elliptic_contact_derivatives({1.08, 0.3 + 1e-4 * (i % 10000)},
                                                     railway::ElasticMaterial())
                   .by_A.stiffness;
    });
  }

  void find_creep_forces() {
    railway::CreepParameters p;
    p.coefficients = {4.34, 4.0, 1.71, 0.0};
    const railway::CreepState state{{0.001, 0.001, 0.3}, 80e3, 0.3, 6e-3, 4.5e-3};
    railway::CreepParameters fine = p;
    fine.cells_along = fine.cells_across = 100;
    const auto time = [&](const char* name, double exact, double allowed) {
      const railway::CreepLaw& law = railway::creep_law(name);
      const auto state_of = [&](int i) {
        railway::CreepState s = state;
        s.creepages.longitudinal += 1e-7 * (i % 1000);
        return s;
      };
      const double error = std::abs(law.value(state, p).y() / exact - 1.0);
      add(fmt::format("{}, value", name), error, allowed,
          [&](int i) { sink_ += law.value(state_of(i), p).x(); });
      add(fmt::format("{}, with derivatives", name), error, allowed,
          [&](int i) { sink_ += law.force(state_of(i), p).by(0, 0); });
    };
    time("polach", -11347.332, 1e-6);
    time("fastsim", railway::creep_law("fastsim").value(state, fine).y(), 0.02);
  }

  double seconds_;
  railway::WheelOnRail pair_;
  std::vector<railway::WheelPosition> places_;
  ContactBench out_;
  volatile double sink_ = 0.0;  // what is computed is used
};

}  // namespace

ContactBench run_contact_bench(double seconds) { return ContactTimes(seconds).run(); }

std::string format(const ContactBench& bench) {
  std::string text = fmt::format(
      "one wheel S1002 on one rail 60E1: {:.2f} points at a time; a table of {} cells is made in {:.2f} s\n",
      bench.points, bench.n_cells, bench.table_seconds);
  for (const ContactTime& time : bench.times)
    text += fmt::format("  {:<50} {:9.3f} us   wrong by {:.1e}, allowed {:.0e}\n", time.what,
                        time.microseconds, time.error, time.allowed);
  return text;
}

}  // namespace solidyn::simulation
