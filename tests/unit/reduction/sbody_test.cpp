#include "solidyn/reduction/sbody.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "scratch_folder.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::reduction {
namespace {

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::Mesh make_bar() {
  mesh::BoxOptions box;
  box.size = {0.1, 0.02, 0.01};
  box.nx = 5;
  return mesh::make_box(box);
}

ReductionOptions make_options() {
  ReductionOptions options;
  options.free_free = 3;
  mesh::InterfaceDefinition left;
  left.name = "left";
  left.nodes = mesh::NodesInSet{"x_min"};
  mesh::InterfaceDefinition right = left;
  right.name = "right";
  right.nodes = mesh::NodesInSet{"x_max"};
  right.attach = mesh::Attachment::three_nodes;
  options.interfaces = {left, right};
  options.points = {{"tip", {0.1, 0.02, 0.01}}};
  return options;
}

ReducedBody make_body() {
  return reduce(mesh::distribute(PETSC_COMM_SELF, make_bar()), kSteel, make_options());
}

TEST(Sbody, RoundTripKeepsEveryValue) {
  const test::ScratchFolder folder;
  ReductionOptions options = make_options();
  options.geometric_stiffening = GeometricStiffening::second_order;
  options.loads = {{"pull", LoadDefinition::Kind::traction, options.interfaces[1].nodes},
                   {"air", LoadDefinition::Kind::pressure, options.interfaces[1].nodes}};
  const ReducedBody body = reduce(mesh::distribute(PETSC_COMM_SELF, make_bar()), kSteel, options);
  write_sbody(folder / "bar.sbody", body, {"1.2.3", "bar.msh", "abc", "some options"});
  Provenance provenance;
  const ReducedBody read = read_sbody(PETSC_COMM_SELF, folder / "bar.sbody", &provenance);
  EXPECT_EQ(provenance.solidyn_version, "1.2.3");
  EXPECT_EQ(provenance.mesh_file, "bar.msh");
  EXPECT_EQ(provenance.mesh_hash, "abc");
  EXPECT_EQ(provenance.options, "some options");
  EXPECT_EQ(read.inertia.mass, body.inertia.mass);
  EXPECT_EQ(read.inertia.first_moment, body.inertia.first_moment);
  EXPECT_EQ(read.inertia.N00, body.inertia.N00);
  EXPECT_EQ(read.inertia.S, body.inertia.S);
  EXPECT_EQ(read.inertia.N0, body.inertia.N0);
  EXPECT_EQ(read.inertia.N, body.inertia.N);
  EXPECT_EQ(read.inertia.C, body.inertia.C);
  EXPECT_EQ(read.inertia.C.size(), read.inertia.N.size());
  EXPECT_EQ(read.M, body.M);
  EXPECT_EQ(read.K, body.K);
  EXPECT_EQ(read.D, body.D);
  EXPECT_EQ(read.amplitude, body.amplitude);
  ASSERT_EQ(read.n_modes(), body.n_modes());
  for (int i = 0; i < body.n_modes(); ++i) {
    EXPECT_EQ(read.modes[i].kind, body.modes[i].kind);
    EXPECT_EQ(read.modes[i].frequency, body.modes[i].frequency);
  }
  ASSERT_EQ(read.interfaces.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(read.interfaces[i].name, body.interfaces[i].name);
    EXPECT_EQ(read.interfaces[i].attach, body.interfaces[i].attach);
    EXPECT_EQ(read.interfaces[i].x_B, body.interfaces[i].x_B);
    EXPECT_EQ(read.interfaces[i].Psi_t, body.interfaces[i].Psi_t);
    EXPECT_EQ(read.interfaces[i].Psi_r, body.interfaces[i].Psi_r);
    EXPECT_EQ(read.interfaces[i].Y_t, body.interfaces[i].Y_t);
    EXPECT_EQ(read.interfaces[i].Y_r, body.interfaces[i].Y_r);
    EXPECT_EQ(read.interfaces[i].x_nodes, body.interfaces[i].x_nodes);
    EXPECT_EQ(read.interfaces[i].Psi_nodes, body.interfaces[i].Psi_nodes);
  }
  ASSERT_EQ(read.points.size(), 1u);
  EXPECT_EQ(read.points[0].name, "tip");
  EXPECT_EQ(read.points[0].Psi, body.points[0].Psi);
  EXPECT_EQ(read.points[0].Y, body.points[0].Y);
  ASSERT_EQ(read.loads.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(read.loads[i].name, options.loads[i].name);
    EXPECT_EQ(read.loads[i].kind, options.loads[i].kind);
    EXPECT_EQ(read.loads[i].digest, digest(options.loads[i]));
    EXPECT_EQ(read.loads[i].amount, body.loads[i].amount);
    EXPECT_EQ(read.loads[i].x_B, body.loads[i].x_B);
    EXPECT_EQ(read.loads[i].force, body.loads[i].force);
    EXPECT_EQ(read.loads[i].moment, body.loads[i].moment);
    EXPECT_EQ(read.loads[i].rows, body.loads[i].rows);
    EXPECT_EQ(read.loads[i].Y, body.loads[i].Y);
  }
  ASSERT_EQ(read.mesh.n_local(), body.mesh.n_local());
  EXPECT_EQ(read.mesh.sets.size(), body.mesh.sets.size());
  EXPECT_EQ(read.mesh.n_global_elements, body.mesh.n_global_elements);
  // Distribution may number the nodes anew; their tags do not change.
  std::map<std::int64_t, int> row;
  for (int k = 0; k < read.mesh.n_local(); ++k) row[read.mesh.node_tags[k]] = k;
  for (int k = 0; k < body.mesh.n_local(); ++k) {
    const int r = row.at(body.mesh.node_tags[k]);
    EXPECT_EQ(read.mesh.x.col(r), body.mesh.x.col(k));
    EXPECT_EQ(read.X.middleRows(3 * r, 3), body.X.middleRows(3 * k, 3));
  }
}

// A block with an inside: 4 x 4 x 4 cells, of which 8 have no outer face.
TEST(Sbody, SkinInSinglePrecisionKeepsTheMechanicsAndWhatShows) {
  const test::ScratchFolder folder;
  mesh::BoxOptions box;
  box.nx = box.ny = box.nz = 4;
  const ReducedBody body =
      reduce(mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)), kSteel, make_options());
  write_sbody(folder / "whole.sbody", body, {});
  write_sbody(folder / "skin.sbody", body, {}, {FieldPrecision::single, Geometry::skin});
  EXPECT_LT(std::filesystem::file_size(folder / "skin.sbody"),
            0.75 * static_cast<double>(std::filesystem::file_size(folder / "whole.sbody")));
  const ReducedBody read = read_sbody(PETSC_COMM_SELF, folder / "skin.sbody");
  EXPECT_EQ(read.K, body.K);
  EXPECT_EQ(read.inertia.N, body.inertia.N);
  EXPECT_EQ(read.interfaces[1].Psi_t, body.interfaces[1].Psi_t);
  EXPECT_EQ(read.points[0].Psi, body.points[0].Psi);

  std::map<std::int64_t, int> row;
  for (int k = 0; k < read.mesh.n_local(); ++k) row[read.mesh.node_tags[k]] = k;
  int n_outer = 0;
  for (int k = 0; k < body.mesh.n_local(); ++k) {
    const Eigen::Vector3d x = body.mesh.x.col(k);
    if (x.minCoeff() > 1e-9 && x.maxCoeff() < 1.0 - 1e-9) continue;
    ++n_outer;
    ASSERT_EQ(row.count(body.mesh.node_tags[k]), 1u);
    const int r = row.at(body.mesh.node_tags[k]);
    EXPECT_EQ(read.mesh.x.col(r), body.mesh.x.col(k));
    const Eigen::MatrixXd u = body.X.middleRows(3 * k, 3);
    EXPECT_EQ(read.X.middleRows(3 * r, 3), u.cast<float>().cast<double>());
  }
  EXPECT_EQ(n_outer, 9 * 9 * 9 - 7 * 7 * 7);
  EXPECT_LT(read.mesh.n_local(), body.mesh.n_local());
  EXPECT_EQ(read.mesh.sets.at("x_min").nodes.size(), body.mesh.sets.at("x_min").nodes.size());
}

void expect_refused(const std::string& path, const std::string& reason) {
  try {
    read_sbody(PETSC_COMM_SELF, path);
    FAIL() << path << " was accepted";
  } catch (const base::InputError& e) {
    ASSERT_EQ(e.diagnostics().size(), 1u);
    EXPECT_NE(std::string(e.what()).find(path), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(reason), std::string::npos) << e.what();
  }
}

TEST(Sbody, RefusesMissingForeignAndDamagedFiles) {
  const test::ScratchFolder folder;
  const std::string good = folder / "good.sbody";
  write_sbody(good, make_body(), {});
  expect_refused(folder / "missing.sbody", "missing.sbody");
  std::ofstream(folder / "text.sbody") << "not HDF5 at all\n";
  expect_refused(folder / "text.sbody", "text.sbody");
  base::write_dataset(base::create_hdf5(folder / "foreign.sbody"), "x", std::vector<double>{1.0});
  expect_refused(folder / "foreign.sbody", "foreign.sbody");

  std::filesystem::copy_file(good, folder / "cut.sbody");
  std::filesystem::resize_file(folder / "cut.sbody", std::filesystem::file_size(good) / 2);
  expect_refused(folder / "cut.sbody", "cut.sbody");

  std::filesystem::copy_file(good, folder / "changed.sbody");
  {
    const base::H5File file{
        SOLIDYN_HDF5(H5Fopen((folder / "changed.sbody").c_str(), H5F_ACC_RDWR, H5P_DEFAULT))};
    const base::H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, "amplitude", H5P_DEFAULT))};
    const double values[] = {1.0, 2.0, 3.0};
    SOLIDYN_HDF5(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }
  expect_refused(folder / "changed.sbody", "checksum");
}

TEST(Cache, SecondReductionSolvesNoEigenproblem) {
  const test::ScratchFolder folder;
  const std::string file = folder / "bar.msh", cache = folder / "cache";
  formats::write_gmsh(file, make_bar());
  int n_loads = 0;
  const MeshSource source{file, 1.0, [&] {
                            ++n_loads;
                            return mesh::distribute(PETSC_COMM_SELF, formats::read_gmsh(file));
                          }};
  const ReductionOptions options = make_options();
  ReductionTimings first, second, third;
  const ReducedBody computed =
      reduce_cached(PETSC_COMM_SELF, cache, source, kSteel, options, &first);
  const ReducedBody cached =
      reduce_cached(PETSC_COMM_SELF, cache, source, kSteel, options, &second);
  EXPECT_EQ(first.n_eigenproblems, 1);
  EXPECT_EQ(second.n_eigenproblems, 0);
  EXPECT_EQ(n_loads, 1);
  EXPECT_EQ(cached.K, computed.K);
  // Another material is another key, and a damaged entry is computed again.
  fem::IsotropicElastic softer = kSteel;
  softer.youngs_modulus *= 0.5;
  reduce_cached(PETSC_COMM_SELF, cache, source, softer, options, &third);
  EXPECT_EQ(third.n_eigenproblems, 1);
  for (const auto& entry : std::filesystem::directory_iterator(cache))
    std::filesystem::resize_file(entry.path(), 100);
  const ReducedBody again = reduce_cached(PETSC_COMM_SELF, cache, source, kSteel, options, &third);
  EXPECT_EQ(third.n_eigenproblems, 1);
  EXPECT_NEAR(again.modes[0].frequency, computed.modes[0].frequency,
              1e-9 * computed.modes[0].frequency);
}

TEST(Cache, KeyChangesWithEveryOption) {
  std::set<std::string> keys;
  const auto add = [&](const fem::Sections& sections, const ReductionOptions& options,
                       const std::string& mesh = "m", double scale = 1.0) {
    EXPECT_TRUE(keys.insert(cache_key(mesh, scale, sections, options)).second) << keys.size();
  };
  const ReductionOptions base = make_options();
  add(kSteel, base);
  EXPECT_EQ(cache_key("m", 1.0, kSteel, base), *keys.begin());
  add(kSteel, base, "n");
  add({kSteel, fem::Hex8Formulation::b_bar}, base);
  add(fem::Section{kSteel, {}, fem::Hex20Integration::reduced}, base);
  add(fem::Sections({fem::Section{kSteel}, fem::Section{kSteel}}), base);
  ReductionOptions loaded = base;
  loaded.masses.at_nodes.push_back({"ballast", 1.0, 7});
  add(kSteel, loaded);
  add(kSteel, base, "m", 1e-3);
  add(fem::IsotropicElastic{2.1e11, 0.3, 7851.0}, base);
  add(fem::IsotropicElastic{2.1e11, 0.31, 7850.0}, base);
  const auto with = [&](auto change) {
    ReductionOptions options = base;
    change(options);
    add(kSteel, options);
  };
  with([](auto& o) { o.free_free = 4; });
  with([](auto& o) { o.static_correction = StaticCorrection::at_interfaces; });
  with([](auto& o) { o.keep_rigid_modes = true; });
  with([](auto& o) { o.geometric_stiffening = GeometricStiffening::second_order; });
  with([](auto& o) { o.mass = fem::MassKind::lumped; });
  with([](auto& o) { o.damping.rayleigh_alpha = 1.0; });
  with([](auto& o) { o.damping.rayleigh_beta = 1.0; });
  with([](auto& o) { o.damping.modal_ratio = 1.0; });
  with([](auto& o) { o.damping.modal_from = 1.0; });
  with([](auto& o) { o.tolerance = 1e-8; });
  with([](auto& o) { o.interfaces.pop_back(); });
  with([](auto& o) { o.interfaces[0].name = "x"; });
  with([](auto& o) { o.interfaces[0].attach = mesh::Attachment::rbe2; });
  const auto at = [&](const mesh::NodeSelection& nodes) {
    with([&](auto& o) { o.interfaces[0].nodes = nodes; });
  };
  const Eigen::Vector3d p(0.0, 0.0, 1.0), q(0.0, 1.0, 0.0), z = Eigen::Vector3d::UnitZ();
  at(mesh::NodesNear{});
  at(mesh::NodesNear{p});
  at(mesh::NodesNear{p, 1.0});
  at(mesh::NodesInSet{"x"});
  at(mesh::NodesInBox{});
  at(mesh::NodesInBox{p, p});
  at(mesh::NodesInBox{p, q});
  at(mesh::NodesInCylinder{});
  at(mesh::NodesInCylinder{p});
  at(mesh::NodesInCylinder{p, q});
  at(mesh::NodesInCylinder{p, z, 1.0});
  at(mesh::NodesInCylinder{p, z, 0.0, 1.0});
  at(mesh::NumberedNodes{});
  at(mesh::NumberedNodes{p, {}, {}});
  at(mesh::NumberedNodes{p, {1}, {}});
  at(mesh::NumberedNodes{p, {1}, {1.0}});
  with([](auto& o) { o.points[0].name = "x"; });
  with([](auto& o) { o.points[0].x_B[0] = 1.0; });
  with([](auto& o) { o.points.clear(); });
}

}  // namespace
}  // namespace solidyn::reduction
