//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Makes a lowered module complete: it defines the functions of libdevice that it calls, and passes
// unchanged through upstream's pipelines.
//
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "fuser/Support/LLVMErrors.h"
#include "fuser/Target/NVVM/LowerToNVVM.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Target/LLVMIR/Import.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::LLVMErrorHandler;

/// The functions of libdevice that the module calls, and what they call, as LLVM IR. Null if there
/// are none.
static FailureOr<std::unique_ptr<llvm::Module>>
loadNeededFunctions(gpu::GPUModuleOp module, StringRef path, llvm::LLVMContext &context) {
  auto needed = std::make_unique<llvm::Module>("libdevice", context);
  // A declaration of any type makes the linker fetch the definition.
  auto *unknown = llvm::FunctionType::get(llvm::Type::getVoidTy(context), /*isVarArg=*/false);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function.isExternal() && function.getName().starts_with(kLibdevicePrefix))
      needed->getOrInsertFunction(function.getName(), unknown);
  if (needed->empty())
    return std::unique_ptr<llvm::Module>();
  if (failed(linkNeededFunctions(module, path, *needed)))
    return failure();
  return needed;
}

/// Replaces named struct types by literal ones. The import makes a name unique among all types of
/// the context, so it would depend on which kernels other threads have imported.
static void removeStructNames(ModuleOp library) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](LLVM::LLVMStructType type) -> std::optional<Type> {
    if (!type.isIdentified() || type.isOpaque())
      return std::nullopt;
    return LLVM::LLVMStructType::getLiteral(type.getContext(), type.getBody(), type.isPacked());
  });
  replacer.recursivelyReplaceElementsIn(library, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult fuser::nvvm::linkLibdevice(gpu::GPUModuleOp module, StringRef path) {
  llvm::LLVMContext context;
  bool failedInLLVM = false;
  context.setDiagnosticHandler(std::make_unique<LLVMErrorHandler>(module.getLoc(), failedInLLVM));
  FailureOr<std::unique_ptr<llvm::Module>> needed = loadNeededFunctions(module, path, context);
  if (failed(needed) || failedInLLVM)
    return failure();
  if (!*needed)
    return success();
  OwningOpRef<ModuleOp> library =
      translateLLVMIRToModule(std::move(*needed), module.getContext(),
                              /*emitExpensiveWarnings=*/false,
                              /*dropDICompositeTypeElements=*/false,
                              /*loadAllDialects=*/false, /*preferUnregisteredIntrinsics=*/true);
  if (!library)
    return module.emitError()
           << "expected functions of libdevice that the llvm dialect can express";
  removeStructNames(*library);
  SymbolTable symbols(module), imported(*library);
  // A use is renamed as long as it is in the library.
  for (auto symbol : library->getOps<SymbolOpInterface>()) {
    if (auto known = symbols.lookup<LLVM::LLVMFuncOp>(symbol.getName());
        known && known.isExternal() && isa<LLVM::LLVMFuncOp>(symbol))
      symbols.erase(known);
    if (symbols.lookup(symbol.getName()) && failed(imported.renameToUnique(symbol, {&symbols})))
      return failure();
  }
  for (Operation &op : llvm::make_early_inc_range(library->getBody()->getOperations()))
    if (isa<SymbolOpInterface>(op)) {
      op.remove();
      symbols.insert(&op, module.getBody()->end());
    }
  return success();
}

/// The intrinsic that `op` is, if upstream's conversion of GPU modules would replace the op by a
/// call of libdevice. The GPU has an instruction for each that kernels contain.
static StringRef getReplacedIntrinsic(Operation *op) {
  if (!isa<LLVM::CopySignOp, LLVM::CosOp, LLVM::Exp2Op, LLVM::FAbsOp, LLVM::FCeilOp, LLVM::FFloorOp,
           LLVM::Log2Op, LLVM::RoundEvenOp, LLVM::RoundOp, LLVM::SinOp, LLVM::SqrtOp>(op))
    return {};
  StringRef name = op->getName().stripDialect();
  return name.consume_front("intr.") ? name : StringRef();
}

void fuser::nvvm::callIntrinsicsByName(gpu::GPUModuleOp module) {
  module.walk([](Operation *op) {
    StringRef name = getReplacedIntrinsic(op);
    if (name.empty())
      return;
    OpBuilder builder(op);
    auto flags = LLVM::FastmathFlags::none;
    if (auto math = dyn_cast<LLVM::FastmathFlagsInterface>(op))
      flags = math.getFastmathAttr().getValue();
    auto call =
        LLVM::CallIntrinsicOp::create(builder, op->getLoc(), TypeRange(op->getResult(0).getType()),
                                      builder.getStringAttr("llvm." + name), op->getOperands(),
                                      LLVM::FastmathFlagsAttr::get(op->getContext(), flags));
    op->getResult(0).replaceAllUsesWith(call.getResults());
    op->erase();
  });
}
