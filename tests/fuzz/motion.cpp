// seeds: motion/*.h5
#include <unistd.h>

#include <fstream>
#include <string>

#include "reader.h"
#include "solidyn/results/read_motion.h"

/// HDF5 reads files, not bytes: in memory where the system has a folder for it.
static std::string written(std::string_view bytes) {
  static const std::string path = std::string(::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".") +
                                  "/fuzzed_motion_" + std::to_string(::getpid()) + ".h5";
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace solidyn::results;
  return solidyn::fuzz::feed(data, size, [](std::string_view bytes) {
    const std::string path = written(bytes);
    const MotionFile file(path);
    ::unlink(path.c_str());
    for (int body = 0; body < static_cast<int>(file.scene().bodies.size()); ++body) {
      if (!file.has_surface(body)) continue;
      const StoredSurface surface = file.surface(body);
      for (int k = 0; k < file.scene().bodies[body].n_coordinates; ++k) {
        file.shape(body, k);
        if (surface.has_stress) file.stress_shape(body, k);
      }
    }
  });
}
