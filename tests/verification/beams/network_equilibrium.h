#pragma once
#include <petsc.h>

#include <memory>
#include <string>
#include <vector>

#include "scratch_folder.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "text_file.h"

namespace solidyn::testing_support {

inline const char* const kNetworkHead = R"(solidyn: 1
materials:
  steel: {youngs_modulus: 2.0e11, poissons_ratio: 0.25, density: 8000}
analyses:
  - statics: {load_steps: 1, tolerance: 1.0e-13}
)";

/// A model in equilibrium; net.bdf is its mesh.
class Equilibrium {
 public:
  explicit Equilibrium(const std::string& text, const std::string& bulk = "") {
    const test::ScratchFolder folder;
    test::write_text(folder / "net.bdf", bulk);
    const model::ModelDescription description =
        model::parse_model(kNetworkHead + text, "net.yaml", folder.path(), {});
    built_ = model::build(PETSC_COMM_SELF, description, {});
    analyses::Statics statics(
        built_->system,
        model::statics_options(std::get<model::StaticsDescription>(description.analyses[0]),
                               description.solver));
    statics.start();
    while (!statics.is_done()) statics.advance();
    built_->system.update(statics.state());
    for (const analyses::Sensor& sensor : built_->sensors) {
      seen_.emplace_back(Eigen::Vector3d::Zero());
      sensor.read({built_->system, statics.state()}, seen_.back().data());
    }
  }
  /// What the first, second ... sensor of the model reads, three numbers each.
  const Eigen::Vector3d& seen(std::size_t sensor) const { return seen_[sensor]; }
  std::size_t n_nodes() const { return built_->bodies[0].nodes.size(); }
  int n_constraints() const { return built_->system.layout().n_constraints(); }

 private:
  std::unique_ptr<model::BuiltModel> built_;
  std::vector<Eigen::Vector3d> seen_;
};

/// A = 1 m^2 against stretch, K = 0: rigid in shear.
inline const char* const kSlender = R"(
PBAR,1,1,1.,2.e-6,3.e-6,4.e-6
MAT1,1,2.e11,8.e10,,8000.
)";

}  // namespace solidyn::testing_support
