#pragma once
#include <string>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

/// Files that other programs computed of a body, by one name: the reader is found by the file's
/// ending and first bytes. Numbers stay in the units of the file. Local; all throw
/// base::InputError: what the reader complains of, or an ending that no reader takes.
namespace solidyn::formats {

/// Natural modes: .op2, .pch (Nastran), .frd (CalculiX), .fil (Abaqus), .csv (modal_tables.h).
/// @param subcase  of Nastran, the step of others; 0: the first, and a warning names the others
imported::ModalData read_modal_file(const std::string& path, int subcase = 0);

/// Stiffness and mass by the names of their files; empty where there is none.
struct MatrixFiles {
  std::string stiffness, mass;
  std::string dofs;  ///< what the rows are
};

/// .sti with .mas and .dof of CalculiX, .mtx of Abaqus or Matrix Market, each also as .gz. Without
/// a stiffness (for modes that need a mass) that of the result is 0 x 0.
/// @param mesh  its nodes stand for the rows of files without a map: in ascending order of their
///   numbers (Abaqus), in their own order (Matrix Market). Without elements it is a list of nodes,
///   which may have rotations
imported::MatrixModel read_matrix_files(const MatrixFiles& files, const imported::SolidModel& mesh);

/// A matrix file by itself, for a look into it: .sti, .mas (CalculiX), .mtx (Abaqus, Matrix
/// Market). The matrix is the result's `stiffness`, whatever it is, and called as the file; rows
/// are named where the file names them. A substructure of Abaqus comes with all its matrices.
imported::MatrixModel read_lone_matrix(const std::string& path);

/// A superelement: .op4 with .pch (`dofs`) and .asm (`nodes`) of Nastran's EXTSEOUT, or .mtx of
/// Abaqus' *SUBSTRUCTURE MATRIX OUTPUT, which places no nodes.
imported::MatrixModel read_superelement_files(const std::string& path, const std::string& dofs,
                                              const std::string& nodes);

}  // namespace solidyn::formats
