//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Dialects and passes of fuser for a stock mlir-opt:
//   mlir-opt --load-dialect-plugin=libFuserPlugin.so --load-pass-plugin=libFuserPlugin.so ...
//
//===----------------------------------------------------------------------===//

#include "fuser/InitAllDialects.h"
#include "fuser/InitAllPasses.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

/// MLIR's classes have no stable layout, so that plugin and program must use the same LLVM. The
/// version of the interface, which the program checks, does not imply this; so the plugin queries
/// the program's LLVM.
static bool isOfThisLLVM() {
  using GetVersion = void (*)(unsigned *, unsigned *, unsigned *);
  auto getVersion = reinterpret_cast<GetVersion>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"));
  if (!getVersion) // statically linked: nothing to ask
    return true;
  unsigned major = 0, minor = 0, patch = 0;
  getVersion(&major, &minor, &patch);
  if (major == LLVM_VERSION_MAJOR && minor == LLVM_VERSION_MINOR)
    return true;
  llvm::errs() << "FuserPlugin: expected a program of LLVM " << LLVM_VERSION_MAJOR << "."
               << LLVM_VERSION_MINOR << ", but got one of LLVM " << major << "." << minor << "\n";
  return false;
}

/// 0, which every program refuses, if the LLVM versions differ.
static uint32_t getApiVersion(uint32_t version) { return isOfThisLLVM() ? version : 0; }

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {getApiVersion(MLIR_PLUGIN_API_VERSION), "Fuser", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) { fuser::registerAllDialects(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {getApiVersion(MLIR_PLUGIN_API_VERSION), "FuserPasses", LLVM_VERSION_STRING,
          [] { fuser::registerAllPasses(); }};
}
