#pragma once
#include <hdf5.h>

#include <string>

namespace solidyn::base {

/// HDF5's way to a file that one process writes. HDF5 itself cannot live with a write that fails (a
/// full disk): it forgets what dataset it was, may close the file as if all were well, and crashes
/// at the program's end over what it still wants to write. This driver keeps the first failure for
/// take_write_failure() and swallows what is written after it, so that everything closes in peace.
/// A file that it has created and could not write whole is removed when it is closed.
///
/// The driver's number for H5Pset_driver(properties, .., nullptr). Local.
hid_t reporting_driver();

/// True after a failed write that has not been reported yet.
bool has_write_failed();
/// What has failed: "cannot write out/fields.h5: No space left on device"; empty when nothing has.
/// The next call has nothing to say.
std::string take_write_failure();

}  // namespace solidyn::base
