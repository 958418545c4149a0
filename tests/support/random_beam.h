#pragma once
#include "random_bodies.h"
#include "solidyn/bodies/beam_body.h"
#include "solidyn/system/beam_strains.h"

namespace solidyn::testing_support {

/// A beam of three elements between four nodes that are turned in any way against the sections.
struct RandomBeam {
  static constexpr int kElements = 3;
  std::vector<system::InitialMotion> poses;
  std::vector<bodies::BeamElementData> elements;
  std::vector<bodies::LineLoad> loads;
  bodies::Prestrain prestrain;

  explicit RandomBeam(unsigned seed) {
    std::mt19937 g(seed);
    std::vector<Eigen::Matrix3d> sections;
    Eigen::Matrix3d R = random_rotation(g).toRotationMatrix();
    Eigen::Vector3d p = random_vector(g, 3);
    for (int k = 0; k <= kElements; ++k) {
      system::InitialMotion pose;
      pose.p_WB = p;
      pose.q_WB = random_rotation(g);
      poses.push_back(pose);
      sections.push_back(R);
      p += R * Eigen::Vector3d(0.5, 0.02, -0.03);
      R = R * Eigen::AngleAxisd(0.2, Eigen::Vector3d(1, 2, -1).normalized());
    }
    for (int e = 0; e < kElements; ++e) {
      bodies::BeamElementData d;
      d.p = e;
      d.q = e + 1;
      d.R_p = poses[e].q_WB.conjugate() * sections[e];
      d.R_q = poses[e + 1].q_WB.conjugate() * sections[e + 1];
      d.length = 0.5 + 0.01 * e;
      d.rigidity = {900.0, 7.0, 11.0, 17.0, 400.0, 300.0};
      d.mass_per_length = 2.0 + e;
      d.inertia_per_length = Eigen::Vector3d(0.05, 0.02, 0.03);
      elements.push_back(d);
    }
  }

  std::vector<bodies::BodyIndex> add_nodes(system::System& system) const {
    std::vector<bodies::BodyIndex> nodes;
    for (const system::InitialMotion& pose : poses)
      nodes.push_back(system.add_body(std::make_unique<bodies::Node>("node"), pose));
    return nodes;
  }

  /// Strains eliminated, or as unknowns of the system.
  std::vector<bodies::BodyIndex> add_to(system::System& system, bodies::ElementStrains strains) {
    for (bodies::BeamElementData& d : elements) d.strains = strains;
    std::vector<bodies::BodyIndex> nodes = add_nodes(system);
    auto body = std::make_unique<bodies::BeamBody>("beam", nodes, poses, elements);
    for (const bodies::LineLoad& load : loads) body->add_load(load);
    body->set_prestrain(std::vector<bodies::Prestrain>(kElements, prestrain));
    const bodies::BeamBody& beam = *body;
    system.add_body(std::move(body), {});
    if (strains == bodies::ElementStrains::unknown)
      for (int e = 0; e < kElements; ++e) system::add_strain_unknowns(system, beam, e);
    return nodes;
  }
};

}  // namespace solidyn::testing_support
