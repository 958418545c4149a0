#pragma once
#include <petscsys.h>

#include <fstream>
#include <string>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "solidyn/model/reduce_body.h"

/// A bar as a mesh file of another program, with materials, a rigid element and a mass; the file is
/// written by our own writer.
namespace solidyn::test {

inline constexpr std::int64_t kBarReference = 90001;
inline constexpr double kBarVolume = 60.0 * 20.0 * 10.0;  // mm^3

/// In tonne, mm, s: half steel, half aluminium; on the end x_max a reference node with a mass of 10
/// g beside it, tied by a rigid element. @param n elements along it
inline imported::SolidModel make_foreign_bar(int n = 4) {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = n, box.ny = n / 2, box.nz = (n + 3) / 4;
  box.size = {60.0, 20.0, 10.0};
  imported::SolidModel model;
  model.mesh = mesh::make_box(box);
  mesh::ElementBlock& block = model.mesh.blocks[0];
  for (std::int64_t e = 0; e < block.size(); ++e) {
    Eigen::Vector3d centre = Eigen::Vector3d::Zero();
    for (int a = 0; a < 8; ++a) centre += model.mesh.x.col(block.connectivity[20 * e + a]) / 8.0;
    block.regions.push_back(centre.x() > 30.0);
  }
  model.materials = {{"Steel", 2.1e5, 0.3, 7.85e-9, {}}, {"Alu", 7e4, 0.33, 2.7e-9, {}}};
  model.regions = {{"left", "C3D20R", 0, imported::Integration::reduced},
                   {"right", "C3D20R", 1, imported::Integration::reduced}};
  model.loose_nodes = {{kBarReference, {65.0, 10.0, 5.0}}};
  imported::RigidElement rigid;
  rigid.name = "END";
  rigid.reference = kBarReference;
  for (const std::int32_t node : model.mesh.sets.at("x_max").nodes)
    rigid.nodes.push_back(model.mesh.node_tags[node]);
  rigid.components = "123";
  model.rigid_elements = {rigid};
  model.masses = {
      {"BALLAST", kBarReference, 1e-5, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero(), {}}};
  return model;
}

/// On the reference node, held in the mean: a wheel as heavy as the bar's outer half that has
/// inertia about its axis alone. 0.04 kg, 2e-5 kg m^2
inline imported::SolidModel make_bar_with_wheel(int n = 4) {
  imported::SolidModel model = make_foreign_bar(n);
  model.rigid_elements[0].kind = imported::RigidElement::Kind::rbe3;
  model.rigid_elements[0].weights.assign(model.rigid_elements[0].nodes.size(), 1.0);
  model.masses[0].mass = 4e-5;
  model.masses[0].inertia(0, 0) = 2e-2;
  return model;
}

/// Collective. The bar in a folder of the test, and models that use it.
class ForeignBarFiles {
 public:
  explicit ForeignBarFiles(MPI_Comm comm = PETSC_COMM_SELF) : comm_(comm), folder_(comm) {}

  void write(const imported::SolidModel& bar, const std::string& more = "") const {
    if (base::rank(comm_) == 0) {
      formats::write_abaqus_input(folder_ / "bar.inp", bar);
      std::ofstream(folder_ / "bar.inp", std::ios::app) << more;
    }
    MPI_Barrier(comm_);
  }
  /// The same as Nastran's bulk data, in which masses have offsets.
  void write_bulk(const imported::SolidModel& bar) const {
    if (base::rank(comm_) == 0) formats::write_nastran_bulk(folder_ / "bar.bdf", bar);
    MPI_Barrier(comm_);
  }
  /// A free body of the file; `keys` of the body, `rest` of the model.
  model::ModelDescription modal(const std::string& keys = "", const std::string& rest = "",
                                const std::string& file = "bar.inp") const {
    return of_body("{type: modal, mesh: " + file +
                       ", mesh_units: tonne-mm-s, modes: {free_free: 4}" + keys + "}",
                   rest);
  }
  model::ModelDescription of_body(const std::string& body, const std::string& rest = "") const {
    return model::parse_model("solidyn: 1\n" + rest + "bodies:\n  bar: " + body +
                                  "\nanalyses:\n  - dynamics: {duration: 0.1, step: 1e-3}\n",
                              "model.yaml", folder_.path());
  }
  reduction::ReducedBody reduced(const model::ModelDescription& model) const {
    return *model::reduce_body(comm_, model, *model.bodies[0], "").body;
  }
  /// Of the refusal; "accepted" when there is none.
  std::string message_of(const model::ModelDescription& model) const {
    try {
      model::build(comm_, model, {""});
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  const std::string& path() const { return folder_.path(); }

 private:
  MPI_Comm comm_;
  ScratchFolder folder_;
};

}  // namespace solidyn::test
