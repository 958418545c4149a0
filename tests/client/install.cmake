# cmake -D BUILD=<Solidyn's build> -D PREFIX=<folder> -P install.cmake
# Installs Solidyn, once for all tests of programs that find it there. Nothing of an earlier
# installation is left, which could hide what is no longer installed.
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
