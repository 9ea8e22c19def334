# Finds the packaged LLVM/MLIR and sets the flags that go with it.
set(FUSER_LLVM_ROOT /usr/lib/llvm-${FUSER_PIN_LLVM_VERSION} CACHE PATH "Root of the LLVM installation")
set(MLIR_DIR ${FUSER_LLVM_ROOT}/lib/cmake/mlir CACHE PATH "")

# A static link takes the archives of what LLVM compresses with, so that its result needs the C library alone.
set(archive_suffix ${CMAKE_STATIC_LIBRARY_SUFFIX})
find_library(FUSER_ZSTD_ARCHIVE libzstd${archive_suffix} REQUIRED)
if(NOT FUSER_LINK_DYLIB)
  set(ZLIB_USE_STATIC_LIBS ON)
  find_library(ZLIB_LIBRARY libz${archive_suffix} REQUIRED)
endif()
# LLVMExports names this target; only static links use it and Debian ships no config for it.
if(NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared SHARED IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES IMPORTED_LOCATION ${FUSER_ZSTD_ARCHIVE})
endif()

find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL FUSER_PIN_LLVM_VERSION)
  message(FATAL_ERROR
    "expected LLVM ${FUSER_PIN_LLVM_VERSION} (utils/versions.env), but found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
endif()

set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(LLVM_LINK_LLVM_DYLIB ${FUSER_LINK_DYLIB})
set(MLIR_LINK_MLIR_DYLIB ${FUSER_LINK_DYLIB})
# HandleLLVMOptions takes these from LLVM's own build; the packaged vtables are not instrumented.
set(LLVM_UBSAN_FLAGS "-fsanitize=undefined -fno-sanitize=vptr,function -fno-sanitize-recover=all")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

separate_arguments(definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${definitions})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
# The packaged libraries have assertions off; ours stay on outside of a shipping build.
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR FUSER_ENABLE_TESTS)
  add_compile_options(-UNDEBUG)
endif()
# As LLVM is built: errors are values. RTTI stays on, as in the packaged libraries.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
add_compile_options(-Wall -Wextra -Wno-unused-parameter)
if(FUSER_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()

# A static link must not pull the LLVM dylib in through the exported interfaces of the MLIR archives.
if(NOT FUSER_LINK_DYLIB)
  llvm_map_components_to_libnames(static_llvm Core Support Analysis AsmParser BitReader BitWriter IRReader
    Linker MC Passes Target TargetParser ipo FrontendOpenMP BinaryFormat OrcJIT
    # fuser-opt registers every upstream target; an archive that nothing refers to adds nothing to a program.
    AllTargetsCodeGens AllTargetsAsmParsers AllTargetsDescs AllTargetsDisassemblers AllTargetsInfos)
  get_property(mlir_libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  foreach(lib IN LISTS mlir_libs)
    if(TARGET ${lib})
      get_target_property(deps ${lib} INTERFACE_LINK_LIBRARIES)
      if("LLVM" IN_LIST deps OR "$<LINK_ONLY:LLVM>" IN_LIST deps)
        list(REMOVE_ITEM deps LLVM "$<LINK_ONLY:LLVM>")
        list(APPEND deps ${static_llvm})
        set_target_properties(${lib} PROPERTIES INTERFACE_LINK_LIBRARIES "${deps}")
      endif()
    endif()
  endforeach()
endif()

# The only way our targets name MLIR and LLVM libraries: fuser_link_mlir(<target> MLIRIR MLIRGPUDialect ...).
function(fuser_link_mlir target)
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "EXECUTABLE")
    set(scope PRIVATE)
  endif()
  if(FUSER_LINK_DYLIB)
    target_link_libraries(${target} ${scope} MLIR LLVM)
  else()
    target_link_libraries(${target} ${scope} ${ARGN} ${static_llvm})
  endif()
endfunction()
