//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reading, printing and writing of one input.
//
//===----------------------------------------------------------------------===//

#include "ProgramReader.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

/// Inputs for one context.
static constexpr unsigned kReadsOfAContext = 1000;

ProgramReader::ProgramReader() { renewContext(); }
ProgramReader::~ProgramReader() = default;

void ProgramReader::renewContext() {
  DialectRegistry registry;
  // The dialects of fuser, and those that fusions, host functions and kernels use.
  registry.insert<FuserDialect, kernel_ir::FuserGPUDialect, FuserSchedDialect, arith::ArithDialect,
                  func::FuncDialect, gpu::GPUDialect, memref::MemRefDialect, scf::SCFDialect,
                  tensor::TensorDialect, vector::VectorDialect>();
  context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  context->printOpOnDiagnostic(false);
  reads = 0;
}

OwningOpRef<ModuleOp> ProgramReader::parse(StringRef input) {
  ScopedDiagnosticHandler silence(context.get(), [](Diagnostic &) {});
  return parseSourceString<ModuleOp>(input, ParserConfig(context.get()));
}

bool fuser::fuzz::isBytecodeInput(StringRef input) {
  return isBytecode(llvm::MemoryBufferRef(input, ""));
}

bool ProgramReader::read(StringRef input, std::string &fault) {
  if (++reads > kReadsOfAContext)
    renewContext();
  OwningOpRef<ModuleOp> module = parse(input);
  if (!module)
    return false;
  std::string pretty, generic, bytecode, oldBytecode;
  llvm::raw_string_ostream prettyStream(pretty), genericStream(generic), bytecodeStream(bytecode),
      oldStream(oldBytecode);
  module->print(prettyStream);
  module->print(genericStream, OpPrintingFlags().printGenericOpForm());
  BytecodeWriterConfig format5;
  format5.setDesiredBytecodeVersion(5);
  if (failed(writeBytecodeToFile(*module, bytecodeStream)) ||
      failed(writeBytecodeToFile(*module, oldStream, format5))) {
    fault = "cannot be written as bytecode";
    return true;
  }
  // MLIR does not verify types that it reads from bytecode (a size of -2), so that they may not be
  // expressible as text.
  if (isBytecodeInput(input))
    return true;
  if (!parse(pretty))
    fault = "is not valid as it is printed:\n" + pretty;
  else if (!parse(generic))
    fault = "is not valid in the generic form:\n" + generic;
  else if (!parse(bytecode) || !parse(oldBytecode))
    fault = "is not valid as bytecode; printed:\n" + generic;
  return true;
}
