#include "model/language/key.h"

namespace solidyn::model {

const TableSpec& import_table() {
  static const TableSpec table{
      "import",
      "A body from what another program computed of it, in place of `mesh` and `material`: its "
      "natural modes, its stiffness and mass matrices, or a superelement's. Nodes are named by "
      "their numbers in all files. doc/import.md has complete examples.",
      {Key("modes", Form::path,
           "natural modes: Nastran .op2 or .pch, CalculiX .frd, Abaqus .fil, or a table .csv with "
           "lines `mode, frequency, node, ux, uy, uz`. The mass comes from the elements of `mesh` "
           "with their density, from `nodes`, `masses` or `mass`",
           "rod.op2"),
       Key("subcase", Form::integer,
           "which subcase (Nastran) or step (Abaqus, CalculiX) of the file the modes are of; 0: "
           "its "
           "first",
           "2")
           .within(kNotNegative)
           .or_else("0")
           .with("modes"),
       Key("stiffness", Form::path,
           "stiffness matrix of the free body: CalculiX .sti, Abaqus .mtx, Matrix Market .mtx "
           "(each "
           "also as .gz), or Nastran .op2 with KGG and MGG",
           "rod.sti"),
       Key("mass", Form::path, "mass matrix, of the kind of `stiffness`; beside `modes` their mass",
           "rod.mas"),
       Key("dofs", Form::path,
           "what the rows of the matrices are: CalculiX .dof, or lines `node component` of Matrix "
           "Market; of a Nastran superelement the .pch",
           "rod.dof"),
       Key("superelement", Form::path,
           "reduced matrices: Nastran .op4 of EXTSEOUT with its .pch as `dofs` and its .asm as "
           "`nodes`, or Abaqus .mtx of *SUBSTRUCTURE MATRIX OUTPUT with its `mesh`",
           "inboard.op4"),
       Key("nodes", Form::path,
           "places of a superelement's nodes: the .asm of EXTSEOUT; beside `modes` a table of all "
           "nodes with their masses: lines `node, x, y, z, mass`; beside `stiffness`, in place of "
           "`mesh`, a table `node, x, y, z` in the order of the rows, of shells and beams too, "
           "whose nodes have six rows each",
           "rod_nodes.csv"),
       Key("masses", Form::path,
           "point masses of the nodes for `modes`: lines `node mass`, a comment after `#`",
           "rod_masses.txt")
           .with("modes"),
       Key("mesh", Form::path,
           "the mesh with the same node numbers: .bdf, .inp, .vtu, .msh. Without it the body is a "
           "cloud of nodes",
           "rod.bdf"),
       Key("units", Form::word, "what the numbers of all these files are in", "tonne-mm-s")
           .among({"SI", "tonne-mm-s", "kg-mm-ms", "kg-mm-s", "lbf-in-s"})
           .or_else("SI")},
      "",
      false,
      {"modes", "stiffness", "superelement"}};
  return table;
}

}  // namespace solidyn::model
