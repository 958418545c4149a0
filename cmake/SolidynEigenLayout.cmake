# Eigen's memory layout, fixed once for the library and for everyone who links it.
#
# Eigen derives the alignment of its types, and whether its arrays come from malloc or from its own
# aligned allocator, from the instruction set of each translation unit. A client compiled with other
# flags than the library would then disagree about sizeof, alignof and how to free an array. So we ask
# Eigen what it chooses under our flags and export the answer as definitions.
include(CheckCXXSourceCompiles)

# solidyn_find_eigen_alignment(<variable> [compile options ...]): Eigen's own choice, in bytes.
function(solidyn_find_eigen_alignment variable)
  get_target_property(CMAKE_REQUIRED_INCLUDES Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  string(JOIN " " CMAKE_REQUIRED_FLAGS ${ARGN})
  string(MAKE_C_IDENTIFIER "${CMAKE_REQUIRED_FLAGS}" flags)
  foreach(bytes 64 32 16)
    set(answer SOLIDYN_EIGEN_ALIGNS_TO_${bytes}${flags})
    check_cxx_source_compiles(
      "#include <Eigen/Core>
       static_assert(EIGEN_MAX_ALIGN_BYTES == ${bytes}, \"other alignment\");
       int main() {}"
      ${answer})
    if(${answer})
      set(${variable} ${bytes} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "Eigen aligns to neither 16, 32 nor 64 bytes with: ${CMAKE_REQUIRED_FLAGS}")
endfunction()

# solidyn_fix_eigen_layout(<target> <bytes>): PUBLIC, in the build and after installation.
function(solidyn_fix_eigen_layout target bytes)
  target_compile_definitions(
    ${target} PUBLIC EIGEN_MAX_ALIGN_BYTES=${bytes} EIGEN_MAX_STATIC_ALIGN_BYTES=${bytes}
                     EIGEN_MALLOC_ALREADY_ALIGNED=0)
endfunction()
