# Finds two files of the CUDA toolkit: libdevice (bitcode of the math functions) and ptxas (the assembler).
# Both are optional to the build and come from the wheels of utils/setup.sh, else from an installed toolkit.
#   FUSER_LIBDEVICE  path of libdevice.10.bc, or FUSER_LIBDEVICE-NOTFOUND
#   FUSER_PTXAS      path of ptxas, or FUSER_PTXAS-NOTFOUND
file(GLOB wheel_roots ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/nvidia/cu*)
foreach(found FUSER_LIBDEVICE FUSER_PTXAS)
  if(${found} AND NOT EXISTS ${${found}})
    unset(${found} CACHE)  # of an environment that was made anew
  endif()
endforeach()
set(toolkit_roots ${wheel_roots} $ENV{CUDA_PATH} /usr/local/cuda)
find_file(FUSER_LIBDEVICE libdevice.10.bc PATHS ${toolkit_roots} PATH_SUFFIXES nvvm/libdevice NO_DEFAULT_PATH
  DOC "NVIDIA's bitcode of the math functions")
find_program(FUSER_PTXAS ptxas PATHS ${toolkit_roots} PATH_SUFFIXES bin NO_DEFAULT_PATH
  DOC "NVIDIA's assembler, for checks and for compiling ahead of time")

# The build and an installed tree hold libdevice at the same place below their root.
set(FUSER_LIBDEVICE_DESTINATION share/fuser/libdevice.10.bc)
set(FUSER_LIBDEVICE_PATH "")
if(FUSER_LIBDEVICE)
  set(FUSER_LIBDEVICE_PATH ${PROJECT_BINARY_DIR}/${FUSER_LIBDEVICE_DESTINATION})
  configure_file(${FUSER_LIBDEVICE} ${FUSER_LIBDEVICE_PATH} COPYONLY)
  install(FILES ${FUSER_LIBDEVICE} DESTINATION share/fuser)
  install(FILES ${FUSER_LIBDEVICE} DESTINATION share/fuser COMPONENT python EXCLUDE_FROM_ALL)
else()
  message(STATUS "libdevice.10.bc not found: CUDA kernels with math functions will not compile. Run utils/setup.sh.")
endif()
set(FUSER_PTXAS_PATH "")
if(FUSER_PTXAS)
  set(FUSER_PTXAS_PATH ${FUSER_PTXAS})
else()
  message(STATUS "ptxas not found: PTX will not be assembled in tests. Run utils/setup.sh.")
endif()
configure_file(${PROJECT_SOURCE_DIR}/include/fuser/Support/Config.h.in
  ${PROJECT_BINARY_DIR}/include/fuser/Support/Config.h @ONLY)
