#pragma once

namespace solidyn::base {

/// True after a file could not be closed (a full disk). HDF5 tries once more at the program's exit
/// and crashes: leave by MPI_Abort. Local.
bool has_unclosed_hdf5_file();

}  // namespace solidyn::base
