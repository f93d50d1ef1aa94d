# Install rules of the module that was built against an installed ns-3: library, headers, a CMake
# package (find_package(via), target via::via) and via.pc. All of it can be moved as a whole. The
# Python package is pip's: see wheel.cmake.
include(CMakePackageConfigHelpers)
include(cmake/install-data.cmake)
set(via_cmake_package ${CMAKE_INSTALL_LIBDIR}/cmake/via)

# Interfaces still change between versions, so a program finds the one that it was linked to.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" via_soversion ${via_version})
set_target_properties(
  via PROPERTIES VERSION ${via_version} SOVERSION ${via_soversion} INSTALL_RPATH_USE_LINK_PATH ON
)
target_compile_features(via PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
install(
  TARGETS via
  EXPORT viaTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/via
)
# Headers lie flat beside ns-3's own: #include "ns3/via-helper.h".
install(FILES ${via_headers} ${via_include}/ns3/via-module.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ns3
)

install(EXPORT viaTargets NAMESPACE via:: DESTINATION ${via_cmake_package})
configure_package_config_file(
  cmake/install/viaConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/viaConfig.cmake
  INSTALL_DESTINATION ${via_cmake_package}
  PATH_VARS CMAKE_INSTALL_DATADIR CMAKE_INSTALL_BINDIR
)
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/viaConfigVersion.cmake VERSION ${via_version}
  COMPATIBILITY SameMinorVersion
)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/viaConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/viaConfigVersion.cmake DESTINATION ${via_cmake_package}
)

# pkg-config finds the prefix from where the file lies. Until 3.42 ns-3 names libraries "libcore" in
# CMake; the files of pkg-config are called ns3-core in all versions.
file(RELATIVE_PATH via_prefix_of_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX}
)
configure_file(cmake/install/via.pc.in ${CMAKE_CURRENT_BINARY_DIR}/via.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/via.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
