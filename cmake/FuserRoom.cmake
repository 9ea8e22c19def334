# Rooms (one folder of lib/ = one static library), tools, and TableGen.
include(GNUInstallDirs)

# fuser_add_room(<Name> SOURCES a.cpp ... [LINK FuserX ...] [MLIR MLIRIR ...] [DEPENDS target ...])
#   LINK    rooms that this one may include (utils/check_layering.py checks the table)
#   MLIR    archives named in a static link; without it the room is compiled and linked without MLIR
#   DEPENDS TableGen targets whose headers must exist first
function(fuser_add_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;LINK;MLIR;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ROOM_SOURCES})
  # What is the same for all of them is compiled for more sources at once than tests have.
  set_target_properties(${name} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(ROOM_LINK)
    target_link_libraries(${name} PUBLIC ${ROOM_LINK})
  endif()
  if(ROOM_DEPENDS)
    add_dependencies(${name} ${ROOM_DEPENDS})
  endif()
  if(ROOM_MLIR)
    fuser_link_mlir(${name} ${ROOM_MLIR})
    target_include_directories(${name} SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
    fuser_use_pch(${name})
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/lib ${CMAKE_CURRENT_SOURCE_DIR})
  if(folder IN_LIST FUSER_COVERAGE)
    # Counters are files that processes share, so that those count as well that crash or never exit.
    target_compile_options(${name} PRIVATE -fprofile-instr-generate -fcoverage-mapping -fprofile-continuous
      -fprofile-update=atomic)
    target_link_options(${name} INTERFACE -fprofile-instr-generate)
  endif()
  set_property(GLOBAL APPEND PROPERTY FUSER_ROOMS ${name})
endfunction()

# The headers that most sources include. A class of an op costs as much time in each source that includes it as the rest of
# that source; in a precompiled header, classes that a source does not use cost nothing.
set(FUSER_PRECOMPILED
  ${PROJECT_SOURCE_DIR}/cmake/include/FuserLLVMStatistic.h # first
  <mlir/IR/Builders.h> <mlir/IR/BuiltinTypes.h> <mlir/IR/BuiltinOps.h> <mlir/IR/Dialect.h>
  <mlir/IR/DialectImplementation.h> <mlir/IR/OpImplementation.h> <mlir/IR/PatternMatch.h>
  <mlir/IR/SymbolTable.h> <mlir/Interfaces/FunctionInterfaces.h> <mlir/Interfaces/SideEffectInterfaces.h>
  <mlir/Pass/Pass.h> <mlir/Pass/PassManager.h> <llvm/ADT/TypeSwitch.h> <llvm/ADT/SetVector.h>
  <mlir/Dialect/Arith/IR/Arith.h> <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/GPU/IR/GPUDialect.h>
  <mlir/Dialect/Math/IR/Math.h> <mlir/Dialect/MemRef/IR/MemRef.h> <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h> <mlir/Dialect/Vector/IR/VectorOps.h> <mlir/Conversion/LLVMCommon/Pattern.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/LLVMIR/NVVMDialect.h> <fuser/Dialect/IR/Fuser.h>)

# A target whose precompiled header others reuse.
function(fuser_add_precompiled)
  file(WRITE ${PROJECT_BINARY_DIR}/pch.cpp.tmp "// Carrier of a precompiled header.\n")
  configure_file(${PROJECT_BINARY_DIR}/pch.cpp.tmp ${PROJECT_BINARY_DIR}/pch.cpp COPYONLY)
  add_library(FuserPrecompiled STATIC ${PROJECT_BINARY_DIR}/pch.cpp)
  target_precompile_headers(FuserPrecompiled PRIVATE ${FUSER_PRECOMPILED})
  add_dependencies(FuserPrecompiled FuserIRIncGen)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(FuserPrecompiled PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()

# The precompiled header for a target that includes MLIR.
function(fuser_use_pch target)
  if(NOT FUSER_ENABLE_PCH)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/include/FuserLLVMStatistic.h>)
    return()
  endif()
  if(NOT TARGET FuserPrecompiled)
    fuser_add_precompiled()
  endif()
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
  # Executables would add -fPIE, which clang refuses to mix with the header's -fPIC.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  endif()
  target_precompile_headers(${target} REUSE_FROM FuserPrecompiled)
endfunction()

# fuser_tablegen(<file.td> <out.inc> <mlir-tblgen flags...>)
# Generates one file; call fuser_tablegen_target(<Target>) once after the last. What is declared is also documented: see
# FuserDocs.cmake.
macro(fuser_tablegen td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN})
  fuser_document(${td} ${ARGN})
endmacro()
macro(fuser_tablegen_target target)
  add_public_tablegen_target(${target})
endmacro()

# fuser_add_tool(<name> SOURCES ... LINK rooms... MLIR archives...)
function(fuser_add_tool name)
  cmake_parse_arguments(TOOL "" "" "SOURCES;LINK;MLIR" ${ARGN})
  add_executable(${name} ${TOOL_SOURCES})
  target_link_libraries(${name} PRIVATE ${TOOL_LINK})
  if(TOOL_MLIR)
    fuser_link_mlir(${name} ${TOOL_MLIR})
    fuser_use_pch(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY FUSER_TOOLS ${name})
endfunction()
