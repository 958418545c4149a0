# Compiler settings shared by every target, and the one way to declare a test.
add_library(solidyn_options INTERFACE)
target_compile_options(solidyn_options INTERFACE -Wall -Wextra -Wpedantic -Wno-unused-parameter)
# GCC 12 warns of array bounds in vector code of Eigen's that a 3 x 3 product never reaches, and of uninitialised
# values in its own AVX-512 intrinsics (GCC bug 105593); the sanitizers watch the real ones.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(solidyn_options INTERFACE -Wno-array-bounds -Wno-maybe-uninitialized
                                                   -Wno-uninitialized)
  # In a unity build every file is an included one, whose unnamed namespace GCC takes for a header's.
  if(CMAKE_UNITY_BUILD)
    target_compile_options(solidyn_options INTERFACE -Wno-subobject-linkage)
  endif()
endif()
if(SOLIDYN_WARNINGS_AS_ERRORS)
  target_compile_options(solidyn_options INTERFACE -Werror)
endif()
if(SOLIDYN_SANITIZE)
  # Checks of every pointer before its use double the compilation of Eigen's code and find little that
  # the address sanitizer does not.
  target_compile_options(solidyn_options INTERFACE -fsanitize=${SOLIDYN_SANITIZE}
                                                   -fno-sanitize=null,alignment,object-size,vptr
                                                   -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(solidyn_options INTERFACE
                           -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignorelist.txt)
  endif()
  target_link_options(solidyn_options INTERFACE -fsanitize=${SOLIDYN_SANITIZE})
endif()
# Counters of what an input reaches; they steer libFuzzer and cost other programs a tenth.
if(SOLIDYN_BUILD_FUZZERS)
  target_compile_options(solidyn_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# solidyn_compile_by_folder(<root> <sources>)
# Several files per compilation, as many as CMAKE_UNITY_BUILD_BATCH_SIZE says, are of one room or folder of a large
# room: a file that comes or goes leaves the compilations of the other rooms as they are, and names in unnamed
# namespaces need only differ within a folder. For targets with UNITY_BUILD_MODE GROUP of the calling directory.
function(solidyn_compile_by_folder root)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  foreach(source ${ARGN})
    file(RELATIVE_PATH folder ${root} ${source})
    get_filename_component(folder ${folder} DIRECTORY)
    string(REGEX REPLACE "^(model/bodies|formats/nastran|formats/abaqus|base|reduction)/.*" "\\1" folder ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    math(EXPR n_of_${folder} "0${n_of_${folder}} + 1")
    math(EXPR batch "${n_of_${folder}} / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${batch})
  endforeach()
endfunction()

# Lets tests run as root and on more ranks than cores, unpinned; one BLAS thread per rank; no search for a network,
# a quarter of a second of each start. Under
# sanitizers: stop at the first finding, and know the libraries that keep memory until the end.
set(SOLIDYN_MPI_ENV
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_btl_vader_single_copy_mechanism=none
    OMPI_MCA_pml=ob1
    OMPI_MCA_btl=self,vader
    OMP_NUM_THREADS=1
    OPENBLAS_NUM_THREADS=1)
if(SOLIDYN_SANITIZE)
  list(APPEND SOLIDYN_MPI_ENV
       LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0
       UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1)
endif()

# Reads name and ARG_LABEL, ARG_TIMEOUT of solidyn_add_test().
macro(solidyn_set_test_properties test)
  set(labels ${ARG_LABEL})
  set(timeout 600)
  if("${name}" MATCHES "_slow$")
    list(APPEND labels slow)
    set(timeout 7200)
  endif()
  if(ARG_TIMEOUT)
    set(timeout ${ARG_TIMEOUT})
  endif()
  set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout}
                                          ENVIRONMENT "${SOLIDYN_MPI_ENV}")
endmacro()

# solidyn_add_test(<name> LABEL <label> SOURCES <files> [NP 1 2 4] [TIMEOUT s])
# Declares the executable <label>_<name> and the ctest <label>.<name>, or, with NP, one ctest
# <label>.<name>.np<N> for each number of ranks. A name that ends in _slow has the label slow too.
function(solidyn_add_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;NP" ${ARGN})
  set(target ${ARG_LABEL}_${name})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE solidyn_test_support)
  target_precompile_headers(${target} REUSE_FROM solidyn_test_support)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT ARG_NP)
    add_test(NAME ${ARG_LABEL}.${name} COMMAND ${target})
    solidyn_set_test_properties(${ARG_LABEL}.${name})
    return()
  endif()
  foreach(np ${ARG_NP})
    set(test ${ARG_LABEL}.${name}.np${np})
    set(launcher)  # one rank needs none, which takes a second
    if(np GREATER 1)
      set(launcher ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${np} --oversubscribe)
    endif()
    add_test(NAME ${test} COMMAND ${launcher} $<TARGET_FILE:${target}>)
    solidyn_set_test_properties(${test})
    set_tests_properties(${test} PROPERTIES PROCESSORS ${np})
  endforeach()
endfunction()

# solidyn_add_kernel_test(<name> LABEL <label> SOURCES <files>)
# The same for what the rooms without PETSc and MPI do: links their objects and no library of ours.
function(solidyn_add_kernel_test name)
  cmake_parse_arguments(ARG "" "LABEL" "SOURCES" ${ARGN})
  set(target ${ARG_LABEL}_${name})
  add_executable(${target} ${ARG_SOURCES} $<TARGET_OBJECTS:solidyn_kernels>)
  target_link_libraries(${target} PRIVATE solidyn_options Eigen3::Eigen fmt::fmt PkgConfig::MUPARSER GTest::gtest_main)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:solidyn_kernels,INTERFACE_COMPILE_OPTIONS>)
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:solidyn_kernels,INTERFACE_COMPILE_DEFINITIONS>
                                               SOLIDYN_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_features(${target} PRIVATE cxx_std_17)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests UNITY_BUILD OFF)
  add_test(NAME ${ARG_LABEL}.${name} COMMAND ${target})
  solidyn_set_test_properties(${ARG_LABEL}.${name})
endfunction()
