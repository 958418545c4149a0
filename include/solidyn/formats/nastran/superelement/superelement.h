#pragma once
#include <string>
#include <vector>

#include "solidyn/formats/shared/named_bytes.h"
#include "solidyn/imported/matrices.h"

/// Nastran's external superelements (doc/formats/nastran_superelement.md).
namespace solidyn::formats {

/// Reduced matrices of EXTSEOUT: the OP4 file of MATOP4 (recognised by its ending .op4) with KXX,
/// MXX and, if there, BXX, and one or more bulk data files (.pch, .asm) of which one has the EXTRN
/// entry that lists the rows: components of boundary grids, and scalar points, which are
/// generalised coordinates (component 0). Without EXTRN, rows are those of the ASET, BSET, CSET and
/// QSET entries in ascending order of their points, which is reported. Boundary grids come with
/// their places in basic coordinates; those with a CD have their axes, which the rows are in.
/// Matrices of 1 x 1 stand for absent ones. Numbers are in the files' units.
/// @throws base::InputError when a file is damaged, there is no list of rows, stiffness or mass is
///   missing or has another size, is a factor (form 4, 5) or complex, or a grid is not given
/// Local. Proved by tests/interop/nastran_superelement and tests/robustness/nastran_superelement.
imported::MatrixModel read_nastran_superelement(const std::vector<std::string>& paths);

imported::MatrixModel parse_nastran_superelement(const std::vector<NamedBytes>& files);

/// A model of matrices whose rows are given by the caller: those of OP4 with the dofs of
/// read_op2_dofs(). Takes the first that has one of the names, KXX, KAA, KAAX, KGG or the like for
/// MXX and BXX.
/// @param file  its name, for messages; the model's source
/// @throws base::InputError as above; nodes are not placed
imported::MatrixModel make_matrix_model(std::vector<imported::Matrix> matrices,
                                        std::vector<imported::Dof> dofs, const std::string& file);

}  // namespace solidyn::formats
