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
# Not kept unless it was asked for: tools that are installed later are found by the next configuration.
set(is_viewer_wanted OFF)
if(DEFINED SOLIDYN_VIEWER)
  set(is_viewer_wanted ${SOLIDYN_VIEWER})
else()
  set(SOLIDYN_VIEWER ${has_viewer_tools})
endif()

set(viewer_folder ${CMAKE_BINARY_DIR}/viewer)
set(viewer_source ${viewer_folder}/viewer_script.cpp)

# Fetches the packages that the lock file pins, unless they are there. Without them SOLIDYN_VIEWER is switched off, aloud,
# unless it was asked for.
macro(solidyn_fetch_viewer_packages)
  set(lock ${PROJECT_SOURCE_DIR}/viewer/package-lock.json)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(MAKE_DIRECTORY ${viewer_folder})
  file(SHA256 ${lock} wanted)
  set(stamp ${viewer_folder}/packages)
  set(found "")
  if(EXISTS ${stamp})
    file(READ ${stamp} found)
  endif()
  if(NOT found STREQUAL wanted)
    solidyn_run_npm()
  endif()
endmacro()

macro(solidyn_run_npm)
  message(STATUS "Fetching the packages of viewer/package-lock.json")
  file(COPY ${PROJECT_SOURCE_DIR}/viewer/package.json ${lock} DESTINATION ${viewer_folder})
  if(EXISTS ${PROJECT_SOURCE_DIR}/viewer/.npmrc)
    file(COPY ${PROJECT_SOURCE_DIR}/viewer/.npmrc DESTINATION ${viewer_folder})
  endif()
  execute_process(COMMAND ${NPM_PROGRAM} ci --ignore-scripts --no-audit --no-fund
                  WORKING_DIRECTORY ${viewer_folder} RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE reason)
  if(status EQUAL 0)
    file(WRITE ${stamp} ${wanted})
  elseif(is_viewer_wanted)
    message(FATAL_ERROR "npm could not fetch the packages of viewer/package-lock.json:\n${reason}\n"
                        "Repeat it with a network, or configure with -DSOLIDYN_VIEWER=OFF: then there is no `solidyn report`.")
  else()
    message(WARNING "npm could not fetch the packages of viewer/package-lock.json:\n${reason}\n"
                    "Solidyn is built without `solidyn report`; configure again with a network for it.")
    set(SOLIDYN_VIEWER OFF)
  endif()
endmacro()

if(SOLIDYN_VIEWER)
  if(NOT has_viewer_tools)
    message(FATAL_ERROR "SOLIDYN_VIEWER needs npm, esbuild and python3: run scripts/install_packages viewer, "
                        "or configure with -DSOLIDYN_VIEWER=OFF: then there is no `solidyn report`.")
  endif()
  solidyn_fetch_viewer_packages()
endif()
if(SOLIDYN_VIEWER)
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
set(SOLIDYN_HAS_VIEWER ${SOLIDYN_VIEWER} CACHE INTERNAL "the library has the page of `solidyn report`")
