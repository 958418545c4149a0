#include "damaged_readers.h"

#include <fmt/format.h>

#include "nastran_op2_body.h"
#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/formats/abaqus/fil/fil.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/formats/calculix/matrices.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/formats/nastran/op2/op2.h"
#include "solidyn/formats/nastran/op4/op4.h"
#include "solidyn/formats/nastran/superelement/superelement.h"
#include "solidyn/formats/tables/matrix_market.h"
#include "solidyn/formats/tables/modal_tables.h"
#include "solidyn/formats/vtu/vtu.h"
#include "solidyn/imported/checks.h"
#include "solidyn/mesh/check.h"

namespace solidyn::testing_support {
namespace {

using namespace formats;
using imported::MatrixModel;
using imported::ModalData;
using imported::SolidModel;

constexpr const char* kDamaged = "damaged";

class Numbers {
 public:
  template <class T>
  void add(const T& value, double roundoff = 0.0) {
    body_.all.push_back(static_cast<double>(value));
    body_.roundoff.push_back(roundoff);
  }
  template <class Derived>
  void add_all(const Eigen::DenseBase<Derived>& values, double roundoff = 0.0) {
    add(values.size());
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      for (Eigen::Index i = 0; i < values.rows(); ++i) add(values(i, j), roundoff);
  }
  template <class T>
  void add_all(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
  }
  /// A name is one number: a damaged name is one difference.
  void add_name(const std::string& text) { add(std::hash<std::string>()(text) % 1'000'003); }
  void add_set(const std::string& name, const std::vector<std::int32_t>& members) {
    body_.sets[name] = members;
  }
  BodyNumbers take() { return std::move(body_); }

 private:
  BodyNumbers body_;
};

void add_mesh(const mesh::Mesh& mesh, Numbers& numbers) {
  numbers.add_all(mesh.node_tags);
  numbers.add_all(mesh.x);
  for (const mesh::ElementBlock& block : mesh.blocks) {
    numbers.add(static_cast<int>(block.type));
    numbers.add_all(block.connectivity);
    numbers.add_all(block.tags);
    numbers.add_all(block.regions);
  }
  for (const auto& [name, set] : mesh.sets) numbers.add_set(name, set.nodes);
}

void add_attachments(const SolidModel& model, Numbers& numbers) {
  for (const imported::LooseNode& node : model.loose_nodes) {
    numbers.add(node.tag);
    numbers.add_all(node.x);
  }
  for (const imported::PointMass& mass : model.masses) {
    numbers.add(mass.node);
    numbers.add(mass.mass);
    numbers.add_all(mass.offset);
    numbers.add_all(mass.inertia);
  }
  for (const imported::RigidElement& element : model.rigid_elements) {
    numbers.add(element.reference);
    numbers.add_all(element.nodes);
    numbers.add_all(element.weights);
    numbers.add_name(element.components + "/" + element.node_components);
  }
  for (const imported::Support& support : model.supports) {
    numbers.add(support.node);
    numbers.add_name(support.components);
  }
  for (const auto& [tag, axes] : model.node_axes) {
    numbers.add(tag);
    numbers.add_all(axes);
  }
}

/// A body of solids would be refused for these.
void refuse_as_body(const SolidModel& model) {
  for (const auto& [card, where] : model.report.unsupported)
    throw base::InputError(card + " is not understood");
  for (const imported::Region& region : model.regions)
    if (region.material < 0) throw base::InputError(region.name + " has no material");
}

void add_told(const imported::ImportReport& report, Told& told) {
  told.add(report.warnings);
  told.add_names(report.skipped);
}

/// Cards that were passed over are told in the log, those that are no solids when a body is made.
void add_told(const SolidModel& model, Told& told) {
  add_told(model.report, told);
  told.add_names(model.other_elements);
  told.add(model.lines.errors);
}

BodyNumbers numbers_of_solids(SolidModel model, Told& told, bool has_materials) {
  if (has_materials) refuse_as_body(model);
  mesh::check(model.mesh, kDamaged);
  add_told(model, told);
  told.add(imported::report(imported::measure(model)).warnings);
  Numbers numbers;
  add_mesh(model.mesh, numbers);
  for (const imported::Material& material : model.materials)
    numbers.add_all(
        std::vector<double>{material.youngs_modulus, material.poissons_ratio, material.density});
  for (const imported::Region& region : model.regions) {
    numbers.add(region.material);
    numbers.add(static_cast<int>(region.integration));
  }
  add_attachments(model, numbers);
  return numbers.take();
}

BodyNumbers numbers_of_mesh(mesh::Mesh mesh) {
  mesh::check(mesh, kDamaged);
  Numbers numbers;
  add_mesh(mesh, numbers);
  return numbers.take();
}

void add_modes(const ModalData& modes, Numbers& numbers) {
  numbers.add_all(modes.node_tags);
  numbers.add_all(modes.x);
  for (const imported::ImportedMode& mode : modes.modes)
    numbers.add_all(std::vector<double>{1.0 * mode.number, mode.eigenvalue,
                                        mode.eigenvalue_imaginary, mode.generalized_mass});
  // Rotations that are all zero may have been left out.
  const Eigen::Index n_rows = modes.translations.rows(), n_modes = modes.translations.cols();
  for (const Eigen::MatrixXd* values : {&modes.translations, &modes.rotations,
                                        &modes.imaginary_translations, &modes.imaginary_rotations})
    numbers.add_all(values->rows() == n_rows ? *values : Eigen::MatrixXd::Zero(n_rows, n_modes));
}

BodyNumbers numbers_of_modes(const ModalData& modes, Told& told) {
  if (modes.modes.empty() || modes.node_tags.empty())
    throw base::InputError("there are no modes");  // as reduce_modes() says
  add_told(modes.report, told);
  told.add(imported::report(imported::measure(modes)).warnings);
  Numbers numbers;
  add_modes(modes, numbers);
  return numbers.take();
}

void add_matrix(const imported::Matrix& matrix, Numbers& numbers) {
  numbers.add_name(matrix.name);
  numbers.add(matrix.n_rows);
  numbers.add(matrix.n_columns);
  constexpr std::int64_t kLargest = 400;
  if (matrix.imaginary.empty() && matrix.n_rows <= kLargest && matrix.n_columns <= kLargest) {
    constexpr double kRoundoff = 1e-12;
    const Eigen::MatrixXd dense = imported::assemble(matrix);
    return numbers.add_all(dense, dense.size() ? kRoundoff * dense.cwiseAbs().maxCoeff() : 0.0);
  }
  numbers.add_all(matrix.rows);
  numbers.add_all(matrix.columns);
  numbers.add_all(matrix.values);
  numbers.add_all(matrix.imaginary);
}

BodyNumbers numbers_of_matrices(const std::vector<imported::Matrix>& matrices) {
  Numbers numbers;
  numbers.add(matrices.size());
  for (const imported::Matrix& matrix : matrices) add_matrix(matrix, numbers);
  return numbers.take();
}

/// As a body is made of them: see reduce_imported().
BodyNumbers numbers_of_model(MatrixModel model, const SolidModel& mesh, Told& told) {
  imported::place_nodes(model, mesh);
  imported::refuse_missing_rows(model, mesh);
  const imported::MatrixChecks checks = imported::measure(model);
  imported::CheckReport report = imported::report(checks);
  imported::compare_with_mesh(report, checks, imported::measure(mesh));
  add_told(model.report, told);
  told.add(report.warnings);
  Numbers numbers;
  for (const imported::Dof& dof : model.dofs) {
    numbers.add(dof.node);
    numbers.add(dof.component);
  }
  add_matrix(model.stiffness, numbers);
  add_matrix(model.mass, numbers);
  for (const auto& [tag, x] : model.nodes) {
    numbers.add(tag);
    numbers.add_all(x);
  }
  return numbers.take();
}

using Readers = std::vector<DamagedReader>;

DamagedReader binary(DamagedReader reader) {
  reader.is_text = false;
  return reader;
}

DamagedReader with_cards(DamagedReader reader) {
  reader.has_cards = true;
  return reader;
}

void add_decks(Readers& readers) {
  const auto bulk = [](const std::string& bytes, Told& told) {
    return numbers_of_solids(parse_nastran_bulk(bytes, kDamaged), told, true);
  };
  for (const char* name : {"nastran/solids/CHEXA08_.nas", "nastran/solids/CTETRA10_.nas"})
    readers.push_back(with_cards({"bulk data", name, bytes_of(name), true, false, bulk}));
  const auto input = [](const std::string& bytes, Told& told) {
    return numbers_of_solids(parse_abaqus_input(bytes, kDamaged), told, true);
  };
  for (const char* name : {"generated/blocks/block_c3d20r.inp", "abaqus/exudyn/rotorDiscTest.inp"})
    readers.push_back(with_cards({"Abaqus input", name, bytes_of(name), true, false, input}));
}

void add_meshes(Readers& readers) {
  const auto gmsh = [](const std::string& bytes, Told&) {
    return numbers_of_mesh(parse_gmsh(bytes, kDamaged));
  };
  for (const char* name :
       {"generated/gmsh/hex8_msh41_asc.msh", "generated/gmsh/tet4_msh22_asc.msh"})
    readers.push_back({"Gmsh, text", name, bytes_of(name), true, false, gmsh});
  for (const char* name :
       {"generated/gmsh/hex8_msh41_bin.msh", "generated/gmsh/tet4_msh22_bin.msh"})
    readers.push_back(binary({"Gmsh, binary", name, bytes_of(name), true, false, gmsh}));
  const auto vtu = [](const std::string& bytes, Told&) {
    return numbers_of_mesh(parse_vtu(bytes, kDamaged));
  };
  for (const char* name : {"vtu/vtk_tet10_ascii.vtu", "vtu/vtk_hex8_inline_zlib.vtu"})
    readers.push_back({"VTK", name, bytes_of(name), true, false, vtu});
}

BodyNumbers joined(BodyNumbers modes, const BodyNumbers& solids) {
  modes.all.insert(modes.all.end(), solids.all.begin(), solids.all.end());
  modes.roundoff.insert(modes.roundoff.end(), solids.roundoff.begin(), solids.roundoff.end());
  modes.sets = solids.sets;
  return modes;
}

void add_results(Readers& readers) {
  const auto frd = [](const std::string& bytes, Told& told) {
    CalculixResults results = parse_calculix_frd(bytes, kDamaged);
    BodyNumbers body = numbers_of_modes(results.modes, told);
    return joined(std::move(body), numbers_of_solids(std::move(results.model), told, false));
  };
  for (const char* name : {"generated/blocks/block_c3d8.frd", "generated/blocks/block_c3d20.frd"})
    readers.push_back({"CalculiX results", name, bytes_of(name), true, false, frd});
  const auto fil = [](const std::string& bytes, Told& told) {
    AbaqusResults results = parse_abaqus_fil(bytes, kDamaged);
    BodyNumbers body = numbers_of_modes(results.modes, told);
    return joined(std::move(body), numbers_of_solids(std::move(results.model), told, false));
  };
  const std::string stem = "generated/abaqus_like/modal_constructed_";
  readers.push_back(
      {"Abaqus results", stem + "ascii.fil", bytes_of(stem + "ascii.fil"), true, false, fil});
  readers.push_back(
      binary({"Abaqus results", stem + "le.fil", bytes_of(stem + "le.fil"), true, false, fil}));
  const auto punch = [](const std::string& bytes, Told& told) {
    return numbers_of_modes(parse_nastran_punch(bytes, kDamaged), told);
  };
  for (const char* name : {"nastran/modal/fsi.pch", "nastran/modal/one_grid_real.pch"})
    readers.push_back({"Nastran punch", name, bytes_of(name), true, false, punch});
  const auto table = [](const std::string& bytes, Told& told) {
    return numbers_of_modes(parse_mode_table(bytes, kDamaged), told);
  };
  readers.push_back(with_cards({"table of modes", "generated/tables/modes.csv",
                                bytes_of("generated/tables/modes.csv"), true, false, table}));
  // A body asks for its nodes by their numbers.
  const std::vector<std::int64_t> wanted =
      parse_node_table(bytes_of("generated/tables/nodes.csv"), kDamaged).order;
  const auto nodes = [wanted](const std::string& bytes, Told& told) {
    imported::ImportReport report;
    const NodeTable read = parse_node_table(bytes, kDamaged);
    add_told(read.report, told);
    for (const std::int64_t tag : wanted)
      if (read.places.count(tag) == 0) throw base::InputError("there is no such node");
    Numbers numbers;
    for (const auto& [tag, x] : read.places) {
      numbers.add(tag);
      numbers.add_all(x);
      numbers.add(read.masses.at(tag));
    }
    return numbers.take();
  };
  readers.push_back(with_cards({"table of nodes", "generated/tables/nodes.csv",
                                bytes_of("generated/tables/nodes.csv"), true, false, nodes}));
}

void add_op2(Readers& readers) {
  const auto modes = [](const std::string& bytes, Told& told) {
    return numbers_of_modes(read_op2_modes(Op2File(bytes, kDamaged)), told);
  };
  for (const char* name : {"nastran/superelement/inboard.op2", "nastran/modal/dmg401ns.op2"})
    readers.push_back(binary({"OP2, modes", name, bytes_of(name), true, false, modes}));
  const auto matrices = [](const std::string& bytes, Told& told) {
    const Op2File file(bytes, kDamaged);
    if (!file.is_closed()) told.add("open");
    return numbers_of_matrices(read_op2_matrices(file));
  };
  for (const char* name :
       {"nastran/op2_matrices/double_le.op2", "nastran/op2_matrices/double_be.op2"})
    readers.push_back(binary({"OP2, matrices", name, bytes_of(name), true, false, matrices}));
}

void add_op4(Readers& readers) {
  // A body asks for its matrices by name, see make_matrix_model(): all of these are needed.
  const auto read = [](const std::string& bytes, const std::vector<std::string>& names) {
    const std::vector<imported::Matrix> matrices = parse_op4(bytes, kDamaged);
    for (const std::string& name : names)
      if (std::none_of(matrices.begin(), matrices.end(),
                       [&](const imported::Matrix& matrix) { return matrix.name == name; }))
        throw base::InputError("there is no matrix " + name);
    return numbers_of_matrices(matrices);
  };
  const auto reader_of = [&read](const char* name) {
    std::vector<std::string> names;
    for (const imported::Matrix& matrix : parse_op4(bytes_of(name), name))
      names.push_back(matrix.name);
    return [read, names](const std::string& bytes, Told&) { return read(bytes, names); };
  };
  for (const char* name : {"nastran/op4/mat_t_dn.op4", "nastran/op4/mat_t_s2.op4"})
    readers.push_back({"OP4, text", name, bytes_of(name), true, false, reader_of(name)});
  for (const char* name : {"nastran/op4/double_bigmat_le.op4", "nastran/op4/mat_b_dn.op4"})
    readers.push_back(binary({"OP4, binary", name, bytes_of(name), true, false, reader_of(name)}));
}

/// One of a body's files is damaged, the others are good.
template <class Read>
void add_each(Readers& readers, const char* reader, const std::vector<std::string>& names,
              const std::vector<bool>& are_text, const Read& read) {
  std::vector<std::string> good;
  good.reserve(names.size());
  for (const std::string& name : names) good.push_back(bytes_of(name));
  for (std::size_t i = 0; i < names.size(); ++i)
    readers.push_back({reader, names[i], good[i], are_text[i], false,
                       [good, i, read](const std::string& bytes, Told& told) {
                         std::vector<std::string> files = good;
                         files[i] = bytes;
                         return read(files, told);
                       }});
}

void add_superelements(Readers& readers) {
  const std::string stem = "nastran/superelement/inboard";
  add_each(readers, "superelement", {stem + ".op4", stem + ".pch", stem + ".asm"},
           {false, true, true}, [](const std::vector<std::string>& files, Told& told) {
             return numbers_of_model(
                 parse_nastran_superelement(
                     {{files[0], "a.op4"}, {files[1], "a.pch"}, {files[2], "a.asm"}}),
                 {}, told);
           });
  const SolidModel block = read_abaqus_input(sample("generated/blocks/block_c3d8.inp"));
  add_each(readers, "Abaqus substructure", {"generated/abaqus_like/superelement_constructed.mtx"},
           {true}, [block](const std::vector<std::string>& files, Told& told) {
             MatrixModel model = parse_abaqus_substructure(files[0], kDamaged);
             imported::place_nodes(model, block);
             return numbers_of_model(std::move(model), {}, told);
           });
}

void add_matrices(Readers& readers) {
  for (const char* name : {"c3d8", "c3d20r"}) {
    const std::string stem = fmt::format("generated/blocks/block_{}", name);
    const SolidModel mesh = read_abaqus_input(sample(stem + ".inp"));
    add_each(
        readers, "CalculiX matrices", {stem + "_mat.sti", stem + "_mat.mas", stem + "_mat.dof"},
        {true, true, true}, [mesh](const std::vector<std::string>& files, Told& told) {
          return numbers_of_model(parse_calculix_matrices({files[0], "a.sti"}, {files[1], "a.mas"},
                                                          {files[2], "a.dof"}),
                                  mesh, told);
        });
  }
  const std::string rotor = "abaqus/exudyn/rotorDiscTest";
  const SolidModel mesh = read_abaqus_input(sample(rotor + ".inp"));
  std::vector<std::int64_t> tags = mesh.mesh.node_tags;
  std::sort(tags.begin(), tags.end());
  add_each(readers, "Abaqus matrices", {rotor + "STIF1.mtx", rotor + "MASS1.mtx"}, {true, true},
           [mesh, tags](const std::vector<std::string>& files, Told& told) {
             return numbers_of_model(
                 parse_abaqus_matrices(files[0], "a.mtx", files[1], "b.mtx", tags), mesh, told);
           });
  // a term is a card: a matrix without one is another matrix
  add_each(readers, "DMIG", {"nastran/dmig/test_case.pch"}, {true},
           [](const std::vector<std::string>& files, Told& told) {
             return numbers_of_model(parse_nastran_matrices(files[0], kDamaged), {}, told);
           });
  readers.back().has_cards = true;
}

/// Stiffness and mass of the block as other programs would write them.
std::string labelled(const imported::Matrix& matrix, const std::vector<imported::Dof>& dofs) {
  std::string text;
  for (std::size_t e = 0; e < matrix.values.size(); ++e) {
    const imported::Dof &row = dofs[matrix.rows[e]], &column = dofs[matrix.columns[e]];
    text += fmt::format("{},{}, {},{}, {:.15e}\n", row.node, row.component, column.node,
                        column.component, matrix.values[e]);
  }
  return text;
}

std::string matrix_market(const imported::Matrix& matrix) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{} {} {}\n",
                                 matrix.n_rows, matrix.n_columns, matrix.values.size());
  for (std::size_t e = 0; e < matrix.values.size(); ++e)
    text +=
        fmt::format("{} {} {:.15e}\n", matrix.columns[e] + 1, matrix.rows[e] + 1, matrix.values[e]);
  return text;
}

void add_written_matrices(Readers& readers) {
  const std::string stem = "generated/blocks/block_c3d8";
  const SolidModel mesh = read_abaqus_input(sample(stem + ".inp"));
  const MatrixModel model = read_calculix_matrices(
      sample(stem + "_mat.sti"), sample(stem + "_mat.mas"), sample(stem + "_mat.dof"));
  const std::string k = labelled(model.stiffness, model.dofs), m = labelled(model.mass, model.dofs);
  readers.push_back({"Abaqus matrices", "labelled stiffness", k, true, false,
                     [=](const std::string& bytes, Told& told) {
                       return numbers_of_model(parse_abaqus_matrices(bytes, "a.mtx", m, "b.mtx"),
                                               mesh, told);
                     }});
  readers.push_back({"Abaqus matrices", "labelled mass", m, true, false,
                     [=](const std::string& bytes, Told& told) {
                       return numbers_of_model(parse_abaqus_matrices(k, "a.mtx", bytes, "b.mtx"),
                                               mesh, told);
                     }});
  MatrixModel placed = model;
  imported::place_nodes(placed, mesh);
  readers.push_back(binary({"OP2, KGG and MGG", "of a block", op2_of(placed), true, false,
                            [=](const std::string& bytes, Told& told) {
                              return numbers_of_model(
                                  read_op2_matrix_model(Op2File(bytes, kDamaged)), mesh, told);
                            }}));
  const std::string mm_k = matrix_market(model.stiffness), mm_m = matrix_market(model.mass);
  const std::vector<std::int64_t> tags = mesh.mesh.node_tags;
  readers.push_back(
      {"Matrix Market", "stiffness", mm_k, true, false, [=](const std::string& bytes, Told& told) {
         return numbers_of_model(parse_matrix_market_pair({bytes, "a.mtx"}, {mm_m, "b.mtx"}, tags),
                                 mesh, told);
       }});
  readers.push_back(
      {"Matrix Market", "mass", mm_m, true, false, [=](const std::string& bytes, Told& told) {
         return numbers_of_model(parse_matrix_market_pair({mm_k, "a.mtx"}, {bytes, "b.mtx"}, tags),
                                 mesh, told);
       }});
}

}  // namespace

std::vector<DamagedReader> damaged_readers() {
  Readers readers;
  add_decks(readers);
  add_meshes(readers);
  add_results(readers);
  add_op2(readers);
  add_op4(readers);
  add_superelements(readers);
  add_matrices(readers);
  add_written_matrices(readers);
  return readers;
}

}  // namespace solidyn::testing_support
