# Compiler settings shared by every target, and the one way to declare a test.
add_library(solidyn_options INTERFACE)
target_compile_options(solidyn_options INTERFACE -Wall -Wextra -Wpedantic -Wno-unused-parameter)
if(SOLIDYN_WARNINGS_AS_ERRORS)
  target_compile_options(solidyn_options INTERFACE -Werror)
endif()
if(SOLIDYN_SANITIZE)
  target_compile_options(solidyn_options INTERFACE -fsanitize=${SOLIDYN_SANITIZE}
                                                   -fno-omit-frame-pointer)
  target_link_options(solidyn_options INTERFACE -fsanitize=${SOLIDYN_SANITIZE})
endif()

# solidyn_add_test(<name> LABEL <label> SOURCES <files> [NP 1 2 4] [TIMEOUT s])
# Declares the executable <label>_<name> and the ctest <label>.<name>, or, with NP, one ctest
# <label>.<name>.np<N> for each number of ranks.
function(solidyn_add_test name)
  cmake_parse_arguments(ARG "" "LABEL;TIMEOUT" "SOURCES;NP" ${ARGN})
  set(target ${ARG_LABEL}_${name})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE solidyn_test_support)
  target_precompile_headers(${target} REUSE_FROM solidyn_test_support)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(ARG_NP)
    foreach(np ${ARG_NP})
      set(test ${ARG_LABEL}.${name}.np${np})
      add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${np}
                                    --oversubscribe $<TARGET_FILE:${target}>)
      set_tests_properties(${test} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT}
                                              PROCESSORS ${np} ENVIRONMENT "${SOLIDYN_MPI_ENV}")
    endforeach()
  else()
    set(test ${ARG_LABEL}.${name})
    add_test(NAME ${test} COMMAND ${target})
    set_tests_properties(${test} PROPERTIES LABELS ${ARG_LABEL} TIMEOUT ${ARG_TIMEOUT}
                                            ENVIRONMENT "${SOLIDYN_MPI_ENV}")
  endif()
endfunction()

# Lets tests run as root and on more ranks than cores; one BLAS thread per rank.
set(SOLIDYN_MPI_ENV
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_btl_vader_single_copy_mechanism=none;OMP_NUM_THREADS=1;OPENBLAS_NUM_THREADS=1"
)
