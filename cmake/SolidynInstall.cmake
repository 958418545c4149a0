# Installation, and the package that find_package(solidyn) finds.
include(CMakePackageConfigHelpers)
install(TARGETS solidyn solidyn_options EXPORT solidynTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS solidyn_executable RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/solidyn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# The program carries the page of reports, and with it these two packages.
if(SOLIDYN_HAS_VIEWER)
  foreach(package three uplot)
    install(FILES ${CMAKE_BINARY_DIR}/viewer/node_modules/${package}/LICENSE
            DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/solidyn/licences RENAME ${package}.txt)
  endforeach()
endif()
install(EXPORT solidynTargets NAMESPACE solidyn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/solidyn)
configure_package_config_file(
  ${CMAKE_CURRENT_SOURCE_DIR}/cmake/solidynConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/solidynConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/solidyn)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/solidynConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/solidynConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/solidynConfigVersion.cmake
              ${CMAKE_CURRENT_SOURCE_DIR}/cmake/SolidynDependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/solidyn)
