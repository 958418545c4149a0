# The page's script for `solidyn report`: bundled from viewer/ by esbuild, and made a source of the library. Its packages
# come by npm once, at configuration; the build itself needs no network.
set(viewer_source "")
if(SOLIDYN_ROOMS AND NOT report IN_LIST SOLIDYN_ROOMS)
  return()
endif()
find_program(NPM_PROGRAM npm)
find_program(ESBUILD_PROGRAM esbuild)
find_program(PYTHON3_PROGRAM python3)
set(has_viewer_tools OFF)
if(NPM_PROGRAM AND ESBUILD_PROGRAM AND PYTHON3_PROGRAM)
  set(has_viewer_tools ON)
endif()
option(SOLIDYN_VIEWER "Build the page of `solidyn report` (npm and esbuild: scripts/install_packages viewer)"
       ${has_viewer_tools})

set(viewer_folder ${CMAKE_BINARY_DIR}/viewer)
set(viewer_source ${viewer_folder}/viewer_script.cpp)

# Fetches the packages that the lock file pins, unless they are there.
function(solidyn_fetch_viewer_packages)
  set(lock ${PROJECT_SOURCE_DIR}/viewer/package-lock.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(MAKE_DIRECTORY ${viewer_folder})
  file(SHA256 ${lock} wanted)
  set(stamp ${viewer_folder}/packages)
  set(found "")
  if(EXISTS ${stamp})
    file(READ ${stamp} found)
  endif()
  if(found STREQUAL wanted)
    return()
  endif()
  message(STATUS "Fetching the packages of viewer/package-lock.json")
  file(COPY ${PROJECT_SOURCE_DIR}/viewer/package.json ${lock} DESTINATION ${viewer_folder})
  if(EXISTS ${PROJECT_SOURCE_DIR}/viewer/.npmrc)
    file(COPY ${PROJECT_SOURCE_DIR}/viewer/.npmrc DESTINATION ${viewer_folder})
  endif()
  execute_process(COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-audit --no-fund
                  WORKING_DIRECTORY ${viewer_folder} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE reason)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "npm could not fetch the packages of viewer/package-lock.json:\n${reason}\n"
                        "Repeat it with a network, or configure with -DSOLIDYN_VIEWER=OFF: then there is no `solidyn report`.")
  endif()
  file(WRITE ${stamp} ${wanted})
endfunction()

if(SOLIDYN_VIEWER)
  if(NOT has_viewer_tools)
    message(FATAL_ERROR "SOLIDYN_VIEWER needs npm, esbuild and python3: run scripts/install_packages viewer, "
                        "or configure with -DSOLIDYN_VIEWER=OFF: then there is no `solidyn report`.")
  endif()
  solidyn_fetch_viewer_packages()
  file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/src/*)
  add_custom_command(
    OUTPUT ${viewer_source}
    COMMAND ${PYTHON3_PROGRAM} ${PROJECT_SOURCE_DIR}/viewer/bundle ${viewer_folder}/node_modules
            ${viewer_folder}/viewer.js --esbuild ${ESBUILD_PROGRAM}
    COMMAND ${PYTHON3_PROGRAM} ${PROJECT_SOURCE_DIR}/cmake/embed_script.py ${viewer_folder}/viewer.js ${viewer_source}
    DEPENDS ${viewer_sources} ${PROJECT_SOURCE_DIR}/viewer/bundle ${PROJECT_SOURCE_DIR}/cmake/embed_script.py
            ${viewer_folder}/packages
    COMMENT "Bundling the page of reports" VERBATIM)
else()
  message(STATUS "Without the page of `solidyn report` (SOLIDYN_VIEWER=OFF)")
  file(CONFIGURE OUTPUT ${viewer_source} CONTENT [[
#include "report/page.h"
const std::string& solidyn::report::viewer_script() {
  static const std::string none;
  return none;
}
]] @ONLY)
endif()
