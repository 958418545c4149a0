#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

/// Nastran's bulk data and punch files (doc/formats/nastran.md).
namespace solidyn::formats {

/// Reads the bulk data of a deck, or a file of bulk data alone: grids with their coordinate
/// systems, solid elements, PSOLID and MAT1, point masses, rigid elements, constraints and sets, in
/// the units of the file (PARAM,WTMASS is applied). Each property's elements make the set
/// "PSOLID 3"; SET1, SET3 and the SETs of case control are called "SET 5". Other elements are
/// counted; what changes stiffness or mass and is not understood is in report.unsupported.
/// INCLUDE opens files in the deck's folder and below it.
/// Throws InputError with all complaints, up to 20, each with file and line. Local.
/// Proved by tests/interop/nastran_bulk and tests/robustness/nastran_bulk.
imported::SolidModel read_nastran_bulk(const std::string& path);

/// The same from memory; `file` is the name that errors carry, and INCLUDE is refused.
imported::SolidModel parse_nastran_bulk(std::string_view bytes, const std::string& file);

/// The model as bulk data that read_nastran_bulk() reads back: grids with 12 digits or more, loose
/// nodes and axes of nodes too; solid elements, PSOLID and MAT1; sets as SET3 (of elements where
/// their dimension is 3), masses, rigid elements and supports. Names that are not Nastran's numbers
/// stand in comments, $NAME PSOLID 3 steel part. Faces and lines are not written (a warning).
/// @throws base::InputError when some properties have a material and others have none
/// Local. Proved by NastranWriter.*.
std::string format_nastran_bulk(const imported::SolidModel& model);

/// format_nastran_bulk() to a file. @throws base::ComputationError when it cannot be written.
void write_nastran_bulk(const std::string& path, const imported::SolidModel& model);

/// Reads the eigenvectors of a punch file ($EIGENVECTOR blocks, real, real and imaginary, or
/// magnitude and phase), in the units of the file and in the axes of each node (CD, which the deck
/// tells). Nodes are those of the first mode; every mode must have them all. Scalar and modal
/// points are counted in report.skipped. Punch files hold no coordinates and no masses.
/// Throws InputError with line; one that lists what the file holds when it has no eigenvectors.
/// Local. Proved by tests/interop/nastran_punch and tests/robustness/nastran_punch.
imported::ModalData read_nastran_punch(const std::string& path);
imported::ModalData parse_nastran_punch(std::string_view bytes, const std::string& file);

/// Whether a punch file holds results, such as the eigenvectors for read_nastran_punch(),
/// not bulk data.
bool is_results_punch(const std::string& path);

/// A DMIG matrix, and what its rows and columns are. Of a symmetric one (IFO 6) the terms are the
/// upper triangle. Rows and columns of square matrices are the same, by node and component; a
/// matrix with IFO 9 has columns without meaning.
struct DmigMatrix {
  imported::Matrix matrix;
  std::vector<imported::Dof> rows, columns;
};

/// All DMIG entries of a punch or bulk data file. Throws InputError for terms that are given twice
/// (a symmetric matrix has one triangle) and for columns without a header.
std::vector<DmigMatrix> read_nastran_dmig(const std::string& path);
std::vector<DmigMatrix> parse_nastran_dmig(std::string_view bytes, const std::string& file);

/// Which DMIG matrices are stiffness, mass and damping; PARAM,EXTOUT,DMIGPCH calls them so.
struct DmigNames {
  std::string stiffness = "KAAX", mass = "MAAX", damping = "BAAX";
};

/// Stiffness and mass of a DMIG file; damping if it is there. WTMASS is in them already. `bulk` is
/// the deck that places the nodes and gives their axes; it may be empty. Throws InputError that
/// lists the file's matrices when one is missing, or not square and real.
imported::MatrixModel parse_nastran_matrices(std::string_view bytes, const std::string& dmig,
                                             const DmigNames& names = {});
imported::MatrixModel read_nastran_matrices(const std::string& dmig, const std::string& bulk = {},
                                            const DmigNames& names = {});

}  // namespace solidyn::formats
