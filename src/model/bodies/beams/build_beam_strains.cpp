#include "model/bodies/beams/build_beam_strains.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "model/analyses/simulated_time.h"
#include "solidyn/math/constants.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr int kSamples = 1000;

// What laws of strains add up to in the course of time, per length but for the stretch.
std::vector<Vector4d> sampled_laws(const GivenStrains& given, double end) {
  std::vector<Vector4d> strains(kSamples + 1, Vector4d::Zero());
  for (const GivenStrains::Laws* laws : {&given.prestrain, &given.driven})
    for (int i = 0; i < 4; ++i)
      for (int k = 0; (*laws)[i] && k <= kSamples; ++k)
        strains[k][i] += (*laws)[i]->value(end * k / kSamples);
  return strains;
}

// Mean turn over the element as drawn, rad.
Vector3d drawn_turn(const beams::BeamElement& element) {
  const beams::Strains& strains = element.unstressed();
  return 0.5 * (strains.segment<3>(1) + strains.segment<3>(4));
}

// What goes farthest, and when.
struct Worst {
  double value = 0.0, t = 0.0;
};

void check_element(const BeamEntry& body, const bodies::BeamBody& beam, int e,
                   const std::vector<Vector4d>& laws, double end) {
  const Vector4d constant = beam.prestrain(e).constant;
  const Vector3d drawn = drawn_turn(beam.element(e));
  const double length = beam.data(e).length;
  Worst stretch, turn;
  for (int k = 0; k <= kSamples; ++k) {
    const Vector4d strains = constant + laws[k];
    const double t = end * k / kSamples, turned = (drawn + length * strains.tail<3>()).norm();
    if (strains[0] < stretch.value) stretch = {strains[0], t};
    if (turned > turn.value) turn = {turned, t};
  }
  if (stretch.value <= -1.0)
    throw base::InputError(
        fmt::format(
            "bodies.{}: prestress and prestrain together stretch element {} by {:.4g} at t = {:.4g} s, so that its length is not positive",
            body.name, e + 1, stretch.value, stretch.t),
        "a prestress N counts as a stretch of -N/(E A): check the units of both", body.where);
  if (turn.value >= math::kPi)
    throw base::InputError(
        fmt::format(
            "bodies.{}: the prescribed strains rotate the ends of element {}, {:.4g} m long, by {:.4g} rad at t = {:.4g} s: an element is limited to less than half a turn",
            body.name, e + 1, length, turn.value, turn.t),
        fmt::format("use {} times as many elements, or more",
                    static_cast<int>(std::floor(turn.value / math::kPi)) + 1),
        body.where);
}

}  // namespace

void check_own_strains(const ModelDescription& model, const BeamEntry& body,
                       const bodies::BeamBody& beam,
                       const std::vector<const GivenStrains*>& given) {
  const double end = longest_time(model);
  std::map<const GivenStrains*, std::vector<Vector4d>> laws;
  for (int e = 0; e < beam.n_elements(); ++e) {
    const auto [of_element, is_new] = laws.try_emplace(given[e]);
    if (is_new) of_element->second = sampled_laws(*given[e], end);
    check_element(body, beam, e, of_element->second, end);
  }
}

void check_tension(const BeamEntry& body, const bodies::BeamElementData& e, double tension) {
  if (tension >= e.rigidity.EA)
    throw base::InputError(
        fmt::format(
            "bodies.{}: its prestress of {:g} N is not below E A = {:g} N: its stress-free length would not be positive",
            body.name, tension, e.rigidity.EA),
        "check the units of `prestress` and `youngs_modulus`", body.where);
  if (tension < beams::largest_tension(e.length, e.rigidity, e.torsion, e.rule)) return;
  throw base::InputError(
      fmt::format(
          "bodies.{}: under its tension of {:g} N elements of {:g} m are unstable with the curvature rule `lobatto`",
          body.name, tension, e.length),
      "remove curvature_rule: `magnus` has no such limit", body.where);
}

bodies::Prestrain make_prestrain(const GivenStrains& given, const beams::Rigidity& r) {
  bodies::Prestrain prestrain;
  prestrain.constant = -given.prestress.cwiseQuotient(Eigen::Vector4d(r.EA, r.GJ, r.EI_y, r.EI_z));
  prestrain.laws = given.prestrain;
  return prestrain;
}

}  // namespace solidyn::model
