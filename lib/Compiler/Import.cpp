//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// From functions of upstream dialects to one fusion.
//
//===----------------------------------------------------------------------===//

#include "fuser/Compiler/Import.h"
#include "fuser/Conversion/EntryPoints.h"
#include "fuser/Conversion/Passes.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Export/ExportArtifact.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fuser;

void fuser::registerImportDialects(DialectRegistry &registry) {
  registry.insert<FuserDialect, func::FuncDialect, linalg::LinalgDialect, tensor::TensorDialect,
                  tosa::TosaDialect, arith::ArithDialect, math::MathDialect, affine::AffineDialect,
                  cf::ControlFlowDialect, index::IndexDialect, complex::ComplexDialect,
                  scf::SCFDialect, ml_program::MLProgramDialect>();
  func::registerInlinerExtension(registry);
}

/// Makes all functions but the one called `name` private, so that those without a use are erased.
static LogicalResult selectFunction(ModuleOp module, StringRef name) {
  std::string names;
  bool found = false;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    names += (names.empty() ? "@" : ", @") + function.getSymName().str();
    found |= function.getSymName() == name;
  }
  if (!found)
    return module.emitError("expected the name of one of ") << names << ", but got " << name;
  for (auto function : module.getOps<func::FuncOp>())
    function.setVisibility(function.getSymName() == name ? SymbolTable::Visibility::Public
                                                         : SymbolTable::Visibility::Private);
  return success();
}

/// TOSA broadcasts dimensions that are 1 at run time only: its conversion chooses, by `scf.if`,
/// between a value whose size is 1 and another. In a fusion such sizes are equal, which each call
/// is checked for, so that the value is taken as it is, and the greater of two sizes is either.
static void dropRunTimeBroadcasts(ModuleOp module) {
  SmallVector<Operation *> choices;
  module.walk([&](Operation *op) {
    // Matched by name, because only the conversion of TOSA depends on scf.
    if (op->getName().getStringRef() == "scf.if" && op->getNumResults() == 1)
      choices.push_back(op);
  });
  for (Operation *choice : choices) {
    auto isOne = choice->getOperand(0).getDefiningOp<arith::CmpIOp>();
    auto size = isOne ? isOne.getLhs().getDefiningOp<tensor::DimOp>() : tensor::DimOp();
    if (!size || isOne.getPredicate() != arith::CmpIPredicate::eq ||
        !matchPattern(isOne.getRhs(), m_One()) || !choice->getRegion(0).hasOneBlock() ||
        !choice->getRegion(1).hasOneBlock())
      continue;
    Block &then = choice->getRegion(0).front(), &otherwise = choice->getRegion(1).front();
    if (&otherwise.front() != otherwise.getTerminator() ||
        !llvm::all_of(then.without_terminator(), [](Operation &op) { return isPure(&op); }))
      continue;
    for (auto empty : then.getOps<tensor::EmptyOp>())
      for (Value dynamic : empty.getDynamicSizes())
        if (Operation *greater = dynamic.getDefiningOp();
            isa_and_nonnull<arith::MaxUIOp, arith::MaxSIOp>(greater))
          greater->getResult(0).replaceAllUsesWith(greater->getOperand(0));
    Value value = otherwise.front().getOperand(0);
    choice->getResult(0).replaceAllUsesWith(value);
    choice->erase();
  }
}

/// Converts TOSA, if present, to linalg by upstream's conversions, and linalg to fuser. They run as
/// passes, because passes load the dialects of the ops that they create.
static LogicalResult convertToFuser(ModuleOp module, bool isSelected) {
  bool hasTosa = false;
  module.walk(
      [&](Operation *op) { hasTosa |= isa_and_nonnull<tosa::TosaDialect>(op->getDialect()); });
  PassManager manager(module.getContext());
  // Front ends outline parts of a program to private functions.
  bool callsPrivate = false;
  SymbolTable symbols(module);
  module.walk([&](func::CallOp call) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    callsPrivate |= callee && callee.isPrivate() && !callee.isExternal();
  });
  if (callsPrivate)
    manager.addPass(createInlinerPass());
  if (callsPrivate || isSelected)
    manager.addPass(createSymbolDCEPass());
  if (hasTosa) {
    OpPassManager &functions = manager.nest<func::FuncOp>();
    functions.addPass(tosa::createTosaToLinalgNamed());
    functions.addPass(createCanonicalizerPass());
    functions.addPass(tosa::createTosaToLinalg());
    TosaToArithPassOptions withScales;
    withScales.includeApplyRescale = true;
    manager.addPass(createTosaToArithPass(withScales));
    manager.addPass(createTosaToTensorPass());
    manager.addPass(createCanonicalizerPass());
  }
  if (failed(manager.run(module)))
    return failure();
  if (hasTosa)
    dropRunTimeBroadcasts(module);
  manager.clear();
  FuserConvertLinalgToFuserOptions options;
  options.dropAsserts = true;
  manager.addPass(createFuserConvertLinalgToFuser(options));
  return manager.run(module);
}

/// The error for a function with ops that do not convert.
static LogicalResult refuseFunction(func::FuncOp function) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  for (Operation &op : function.getBody().getOps())
    // Scalars stay for the sake of what they are used by.
    if (!isa<fuser::CallOp, arith::ConstantOp, tensor::EmptyOp, tensor::DimOp, tensor::CastOp,
             tensor::ExtractOp, linalg::FillOp, func::ReturnOp>(op) &&
        !(llvm::all_of(op.getResultTypes(), isScalar) && isMemoryEffectFree(&op)))
      return op.emitOpError("expected a function of ops that convert to fuser (remarks say which "
                            "do not, and why), but got this one in @")
             << function.getSymName();
  return function.emitOpError("expected a function that computes what it returns by ops that "
                              "convert to fuser, but got several calls or none");
}

/// A constant of `fusion`, an argument of which it became. A resource may be missing in the text.
static FailureOr<ImportedConstant> readConstant(FusionOp fusion, ElementsAttr elements) {
  ImportedConstant constant;
  auto type = cast<RankedTensorType>(elements.getType());
  std::optional<artifact::DType> dtype = getDType(type.getElementType());
  assert(dtype && "verifiers know no other element types");
  constant.dtype = *dtype;
  constant.sizes.assign(type.getShape().begin(), type.getShape().end());
  size_t width = artifact::byteSize(*dtype), bytes = width * type.getNumElements();
  if (auto dense = dyn_cast<DenseElementsAttr>(elements)) {
    if (type.getElementType().isInteger(1)) { // packed
      for (bool value : dense.getValues<bool>())
        constant.bytes.push_back(value);
      return constant;
    }
    ArrayRef<char> raw = dense.getRawData();
    for (int64_t repeat = dense.isSplat() ? type.getNumElements() : 1; repeat > 0; --repeat)
      constant.bytes.insert(constant.bytes.end(), raw.begin(), raw.end());
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      constant.bytes.assign(blob->getData().begin(), blob->getData().end());
  }
  if (constant.bytes.size() != bytes)
    return fusion.emitOpError("expected a resource of ")
           << bytes << " bytes for a constant of type " << type << ", but got "
           << constant.bytes.size();
  return constant;
}

FailureOr<ImportedProgram> fuser::importProgram(ModuleOp module, StringRef name) {
  ImportedProgram program;
  // Next to what is already a program, only the function that is asked for is one.
  bool hasPrograms = !module.getOps<FusionOp>().empty() || !module.getOps<HostOp>().empty() ||
                     !module.getOps<KernelOp>().empty();
  auto function = name.empty() ? func::FuncOp() : module.lookupSymbol<func::FuncOp>(name);
  if (module.getOps<func::FuncOp>().empty() || (hasPrograms && !function))
    return program;
  if (!name.empty() && failed(selectFunction(module, name)))
    return failure();
  if (failed(convertToFuser(module, !name.empty())))
    return failure();
  SymbolTable symbols(module);
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isExternal())
      continue;
    SmallVector<ElementsAttr> constants;
    FusionOp fusion = replaceByFusion(function, symbols, &constants);
    if (!fusion)
      return refuseFunction(function);
    for (ElementsAttr elements : constants) {
      FailureOr<ImportedConstant> constant = readConstant(fusion, elements);
      if (failed(constant))
        return failure();
      program.constants[fusion.getSymName().str()].push_back(std::move(*constant));
    }
  }
  return program;
}
