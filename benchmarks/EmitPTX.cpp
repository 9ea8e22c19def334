//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// usage: fuser-bench-emit-ptx KERNEL.mlir...
//
// Milliseconds of each stage between kernel IR (`fuser-run --dump-after=lowering`) and PTX: of the
// first kernel, which pays for the initialization of LLVM and for pages that are touched for the
// first time, and the medians of ten more emissions of each kernel.
//
//===----------------------------------------------------------------------===//

#include "fuser/Target/NVVM/EmitPTX.h"
#include "fuser/InitAllDialects.h"
#include "fuser/Support/InstalledFiles.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <cstdio>

using namespace mlir;
using fuser::nvvm::CompiledKernelText;
using fuser::nvvm::PTXTimes;

static double median(ArrayRef<PTXTimes> times, function_ref<double(const PTXTimes &)> get) {
  SmallVector<double> values = llvm::map_to_vector(times, get);
  llvm::sort(values);
  return values[values.size() / 2];
}

static void print(StringRef name, ArrayRef<PTXTimes> times, size_t lines) {
  std::printf("%-40s %6.1f", name.str().c_str(), median(times, [](auto &t) { return t.total(); }));
  for (double PTXTimes::*stage : {&PTXTimes::lower, &PTXTimes::translate, &PTXTimes::link,
                                  &PTXTimes::optimize, &PTXTimes::codegen})
    std::printf(" %9.1f", median(times, [&](auto &t) { return t.*stage; }));
  std::printf(" %8zu\n", lines);
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  fuser::registerAllDialects(registry);
  fuser::nvvm::registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  fuser::nvvm::NVVMTargetOptions options;
  options.chip = "sm_90a";
  options.libdevicePath = fuser::getLibdevicePath();
  std::printf("%-40s %6s %9s %9s %9s %9s %9s %8s\n", "kernel", "total", "lower", "translate",
              "link", "optimize", "codegen", "lines");
  bool isFirst = true;
  for (int i = 1; i < argc; ++i) {
    OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[i], &context);
    if (!module)
      return 1;
    WalkResult result = module->walk([&](gpu::GPUModuleOp kernels) {
      SmallVector<PTXTimes> times;
      size_t lines = 0;
      for (int repeat = 0; repeat < 11; ++repeat) {
        FailureOr<CompiledKernelText> text = fuser::nvvm::emitPTX(kernels, options);
        if (failed(text))
          return WalkResult::interrupt();
        times.push_back(text->times);
        lines = StringRef(text->ptx).count('\n');
      }
      if (std::exchange(isFirst, false))
        print("(first emission)", ArrayRef(times).take_front(), lines);
      print(llvm::sys::path::filename(argv[i]), ArrayRef(times).drop_front(), lines);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return 1;
  }
  return 0;
}
