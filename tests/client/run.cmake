# cmake -D BUILD=<Solidyn's build> -D PREFIX=<where it is installed> -D COMPILER=<c++> -P run.cmake
# Builds the client against an installed Solidyn as a user would, once with the compiler's default
# instruction set and once with this machine's, and runs both.
set(folder ${BUILD}/tests/client)
file(REMOVE_RECURSE ${folder})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(flags "" "-march=native")
  set(build ${folder}/build${flags})
  run(${CMAKE_COMMAND} -G Ninja -S ${CMAKE_CURRENT_LIST_DIR} -B ${build} -D CMAKE_BUILD_TYPE=Release
      -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${flags}
      -D CMAKE_PREFIX_PATH=${PREFIX})
  run(${CMAKE_COMMAND} --build ${build})
  run(${CMAKE_COMMAND} -E chdir ${build} ./client)
endforeach()
