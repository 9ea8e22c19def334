# Install rules and the CMake package: find_package(Fuser) works on an installed tree and on this build tree.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_destination ${CMAKE_INSTALL_LIBDIR}/cmake/fuser)
get_property(rooms GLOBAL PROPERTY FUSER_ROOMS)
get_property(tools GLOBAL PROPERTY FUSER_TOOLS)

if(tools)
  install(TARGETS ${tools} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fuser DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/fuser DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)

# With `cmake --install --prefix`, the prefix is known when it runs.
function(fuser_install_package_config library description)
  install(CODE "set(CMAKE_INSTALL_LIBDIR \"${CMAKE_INSTALL_LIBDIR}\")
set(CMAKE_INSTALL_INCLUDEDIR \"${CMAKE_INSTALL_INCLUDEDIR}\")
set(PROJECT_VERSION \"${PROJECT_VERSION}\")
set(library ${library})
set(description \"${description}\")
configure_file(\"${PROJECT_SOURCE_DIR}/cmake/library.pc.in\"
  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/${library}.pc\" @ONLY)")
endfunction()
fuser_install_package_config(fuser_capi "C interface of the fuser compiler")
fuser_install_package_config(fuser_runtime "Runs programs that fuser has compiled")

if(rooms)
  install(TARGETS ${rooms} EXPORT FuserTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT FuserTargets NAMESPACE fuser:: DESTINATION ${package_destination})
  export(EXPORT FuserTargets NAMESPACE fuser:: FILE ${PROJECT_BINARY_DIR}/lib/cmake/fuser/FuserTargets.cmake)

  list(TRANSFORM rooms PREPEND fuser:: OUTPUT_VARIABLE FUSER_EXPORTED_ROOMS)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/FuserConfig.cmake.in
    ${PROJECT_BINARY_DIR}/lib/cmake/fuser/FuserConfig.cmake INSTALL_DESTINATION ${package_destination})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/lib/cmake/fuser/FuserConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/lib/cmake/fuser/FuserConfig.cmake
    ${PROJECT_BINARY_DIR}/lib/cmake/fuser/FuserConfigVersion.cmake DESTINATION ${package_destination})
endif()
