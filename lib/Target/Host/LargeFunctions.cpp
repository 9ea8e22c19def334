//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Bounds the time that LLVM takes for large functions. Schedules that unroll, unswitch or vectorize
// with many elements per thread produce functions of 10^5 instructions, in blocks of 10^4. Several
// passes of LLVM 22 are quadratic in these numbers: up to 100 s for one kernel.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "fuser/Artifact/HostABI.h"
#include "fuser/Support/LLVMErrors.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Target/TargetMachine.h"

/// Functions with more instructions are large: for a smaller one, each of the passes below takes
/// less than a second.
static constexpr unsigned kLargeFunction = 10000;
/// So are functions with longer blocks: code generation is quadratic in the length of a block.
static constexpr unsigned kLongBlock = 4000;
/// Blocks of large functions are split after this number of instructions.
static constexpr unsigned kBlockLength = 256;

static bool isLarge(const llvm::Function &function) {
  return function.getInstructionCount() > kLargeFunction;
}

//===----------------------------------------------------------------------===//
// Optimization
//===----------------------------------------------------------------------===//

void fuser::host::skipQuadraticPasses(llvm::PassInstrumentationCallbacks &callbacks) {
  // Counting for every loop would be quadratic, so that a pass over a loop uses the size that the
  // last pass over a function saw. Only the pass that runs at the time reads or writes the state.
  auto last = std::make_shared<std::pair<const llvm::Function *, bool>>();
  callbacks.registerShouldRunOptionalPassCallback([last](llvm::StringRef pass, llvm::Any ir) {
    const bool isQuadratic = llvm::is_contained(
        {"GVNPass", "InstCombinePass", "SLPVectorizerPass", "LoopRotatePass", "LoopFullUnrollPass",
         "LoopUnrollPass", "IndVarSimplifyPass", "LoopIdiomRecognizePass"},
        pass);
    if (auto *function = llvm::any_cast<const llvm::Function *>(&ir)) {
      *last = {*function, isLarge(**function)};
      return !(isQuadratic && last->second);
    }
    if (auto *loop = llvm::any_cast<const llvm::Loop *>(&ir); loop && isQuadratic) {
      const llvm::Function *function = (*loop)->getHeader()->getParent();
      if (last->first != function)
        *last = {function, isLarge(*function)};
      return !last->second;
    }
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Code generation
//===----------------------------------------------------------------------===//

/// Splits long blocks. What an entry block allocates stays in it: elsewhere, an allocation is a
/// dynamic one.
static void splitBlocks(llvm::Function &function) {
  for (auto block = function.begin(); block != function.end(); ++block) {
    llvm::BasicBlock::iterator first = block->getFirstNonPHIIt();
    for (llvm::Instruction &instruction : *block)
      if (llvm::isa<llvm::AllocaInst>(instruction))
        first = std::next(instruction.getIterator());
    unsigned length = 0;
    for (llvm::BasicBlock::iterator it = first; it != block->end(); ++it)
      if (++length > kBlockLength) {
        // The rest is the next block of the outer loop.
        block->splitBasicBlock(it);
        break;
      }
  }
}

/// Adds to fuser_host_kernel_info::thread_stack_bytes.
static void addThreadStack(llvm::Module &module, uint64_t bytes) {
  constexpr unsigned kField = 4;
  for (llvm::GlobalVariable &global : module.globals()) {
    if (!global.getName().starts_with(FUSER_HOST_INFO_PREFIX))
      continue;
    auto *info = llvm::cast<llvm::ConstantStruct>(global.getInitializer());
    llvm::SmallVector<llvm::Constant *> fields;
    for (unsigned field = 0, e = info->getNumOperands(); field < e; ++field)
      fields.push_back(info->getOperand(field));
    auto *arrays = llvm::cast<llvm::ConstantInt>(fields[kField]);
    fields[kField] = llvm::ConstantInt::get(arrays->getType(), arrays->getZExtValue() + bytes);
    global.setInitializer(llvm::ConstantStruct::get(info->getType(), fields));
  }
}

void fuser::host::prepareCodeGeneration(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (!isLarge(function) && llvm::none_of(function, [](const llvm::BasicBlock &block) {
          return block.size() > kLongBlock;
        }))
      continue;
    splitBlocks(function);
    machine.setOptLevel(llvm::CodeGenOptLevel::None);
  }
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

namespace {
/// Adds the frames of functions, as code generation finishes them, to the stack of a thread. Global
/// variables are emitted after all functions.
struct FrameReserve : fuser::LLVMErrorHandler {
  FrameReserve(llvm::Module &module, mlir::Location loc, bool &failed)
      : LLVMErrorHandler(loc, failed), module(module) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (auto *frame = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info))
      addThreadStack(module, frame->getStackSize());
    return LLVMErrorHandler::handleDiagnostics(info);
  }
  llvm::Module &module;
};
} // namespace

void fuser::host::reserveFrames(llvm::Module &module, mlir::Location loc, bool &failed) {
  // Smaller frames fit into the stack that every thread has (HostDeviceOptions::stackBytes).
  constexpr llvm::StringLiteral kSmallFrame = "8192";
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("warn-stack-size", kSmallFrame);
  module.getContext().setDiagnosticHandler(std::make_unique<FrameReserve>(module, loc, failed));
}
