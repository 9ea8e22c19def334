//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an embedder does: ops of its own in a fusion, a pass that makes fuser ops of them, and then
// the phases of fuser, first to kernel IR and then, by its compiler, to an artifact.
//
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Compiler.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

#include "AxpyDialect.h.inc"
#define GET_OP_CLASSES
#include "AxpyOps.h.inc"

#include "AxpyDialect.cpp.inc"
#define GET_OP_CLASSES
#include "AxpyOps.cpp.inc"

using namespace mlir;

void consumer::AxpyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "AxpyOps.cpp.inc"
      >();
}

namespace {
struct AxpyToFuserPass : PassWrapper<AxpyToFuserPass, OperationPass<fuser::FusionOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AxpyToFuserPass)
  void runOnOperation() override {
    getOperation().walk([](consumer::AxpyOp op) {
      OpBuilder builder(op);
      Value scaled = fuser::MulOp::create(builder, op.getLoc(), op.getX(), op.getA());
      op.replaceAllUsesWith(
          fuser::AddOp::create(builder, op.getLoc(), scaled, op.getY()).getOperation());
      op.erase();
    });
  }
};
} // namespace

static constexpr char kProgram[] = R"(
fuser.fusion @axpy(%a: f32, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = axpy.axpy %a, %x, %y : tensor<?xf32>
  fuser.return %0 : tensor<?xf32>
}
)";

int main() {
  DialectRegistry registry;
  fuser::registerCompilerDialects(registry);
  registry.insert<consumer::AxpyDialect>();
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(kProgram, &context);
  if (!module)
    return 1;

  auto target = fuser::artifact::lookupDevice("h200");
  if (!target)
    return 1;
  fuser::PipelineOptions options;
  options.target = *target;

  // A pipeline of the consumer's that has ours in it.
  PassManager manager(&context);
  manager.addNestedPass<fuser::FusionOp>(std::make_unique<AxpyToFuserPass>());
  OwningOpRef<ModuleOp> lowered = module->clone();
  for (fuser::Phase phase : fuser::getPhases())
    fuser::buildPhase(manager, phase, options);
  if (failed(manager.run(*lowered)))
    return 1;
  lowered->walk([](gpu::GPUFuncOp kernel) {
    llvm::outs() << "lowered to kernel " << kernel.getName() << "\n";
  });

  // The same by one call with default options, to data that a runtime takes.
  PassManager own(&context);
  own.addNestedPass<fuser::FusionOp>(std::make_unique<AxpyToFuserPass>());
  if (failed(own.run(*module)))
    return 1;
  FailureOr<fuser::CompileResult> result = fuser::compile(*module, fuser::CompileOptions());
  if (failed(result))
    return 1;
  llvm::outs() << "compiled " << result->artifact.name << ": " << result->artifact.kernels.size()
               << " kernel\n";
  return 0;
}
