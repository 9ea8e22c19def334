//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Backend.h"
#include "Patterns.h"
#include "fuser/Support/LLVMErrors.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/Threading.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace mlir;
using namespace fuser::nvvm;
using fuser::LLVMErrorHandler;

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

/// The registry of targets is LLVM's own process-wide state.
static void initializeTarget() {
  static llvm::once_flag initialized;
  llvm::call_once(initialized, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

unsigned fuser::nvvm::getChipNumber(StringRef chip) {
  unsigned number = 0;
  if (chip.consume_front("sm_"))
    chip.consumeInteger(10, number);
  return number;
}

LogicalResult fuser::nvvm::verifyChip(gpu::GPUModuleOp module, StringRef chip, unsigned first,
                                      StringRef what, function_ref<bool(Operation *)> isOfKind) {
  const unsigned number = getChipNumber(chip);
  if (number >= first)
    return success();
  WalkResult result = module.walk([&](Operation *op) {
    if (!isOfKind(op))
      return WalkResult::advance();
    op->emitOpError("expected a chip with ")
        << what << " (sm_" << first << " or later), but got '" << chip << "'";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// The oldest version of PTX that supports the chip and all emitted instructions.
static unsigned defaultPTXVersion(StringRef chip) {
  const unsigned number = getChipNumber(chip);
  if (number >= 103 && number != 120)
    return 90;
  if (number >= 120)
    return 87;
  return 86;
}

std::unique_ptr<llvm::TargetMachine>
fuser::nvvm::createTargetMachine(Operation *op, const NVVMTargetOptions &options) {
  initializeTarget();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) {
    op->emitError() << "expected an LLVM with the NVPTX target: " << error;
    return nullptr;
  }
  // Look up the chip first: creating a machine for an unknown one prints to stderr.
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(triple, "", ""));
  if (!info || options.chip.empty() || !info->isCPUStringValid(options.chip)) {
    op->emitError() << "expected a chip of NVIDIA that LLVM knows (sm_80, sm_90a, ...), but got '"
                    << options.chip << "'";
    return nullptr;
  }
  unsigned version = options.ptxVersion ? options.ptxVersion : defaultPTXVersion(options.chip);
  std::string feature = "ptx" + std::to_string(version);
  bool known = llvm::any_of(info->getAllProcessorFeatures(),
                            [&](const auto &entry) { return entry.Key == feature; });
  if (!known) {
    op->emitError() << "expected a PTX version that LLVM knows (86 to 90), but got " << version;
    return nullptr;
  }
  if (options.optLevel > 3) {
    op->emitError() << "expected an optimisation level from 0 to 3, but got " << options.optLevel;
    return nullptr;
  }
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, options.chip, "+" + feature, llvm::TargetOptions(), std::nullopt, std::nullopt,
      // O3 numbers values by GVN where O2 does by EarlyCSE: after `optimize` there is nothing to
      // find.
      *llvm::CodeGenOpt::getLevel(std::min(options.optLevel, 2u))));
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

void Backend::adopt(llvm::Module &module) {
  module.getContext().setDiagnosticHandler(
      std::make_unique<LLVMErrorHandler>(op->getLoc(), failedInLLVM));
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  if (!options.flushDenormals)
    return;
  module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 1);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign");
}

LogicalResult fuser::nvvm::linkNeededFunctions(Operation *op, StringRef path,
                                               llvm::Module &module) {
  if (path.empty())
    return emitError(op->getLoc())
           << "expected the path of libdevice for a kernel that calls it, but got "
              "none";
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> library =
      llvm::getLazyIRFileModule(path, error, module.getContext());
  if (!library)
    return emitError(op->getLoc())
           << "expected libdevice at '" << path << "', but got: " << error.getMessage();
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  auto makeInternal = [](llvm::Module &linked, const llvm::StringSet<> &names) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !names.count(value.getName());
    });
  };
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded,
                                makeInternal))
    return emitError(op->getLoc()) << "expected to link '" << path << "'";
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(kLibdevicePrefix))
      return emitError(op->getLoc()) << "expected libdevice to have '" << function.getName() << "'";
  return success();
}

void Backend::replaceInstructions(llvm::Module &module) {
  llvm::Function *rsqrt = module.getFunction("__nv_rsqrtf");
  if (!rsqrt || !rsqrt->isDeclaration())
    return;
  rsqrt->replaceAllUsesWith(llvm::Intrinsic::getOrInsertDeclaration(
      &module, options.flushDenormals ? llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f
                                      : llvm::Intrinsic::nvvm_rsqrt_approx_f));
  rsqrt->eraseFromParent();
}

bool Backend::callsLibdevice(const llvm::Module &module) const {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with(kLibdevicePrefix);
  });
}

LogicalResult Backend::linkLibdevice(llvm::Module &module) {
  if (failed(linkNeededFunctions(op, options.libdevicePath, module)) || failedInLLVM)
    return failure();
  return success();
}

/// What LLVM's default pipeline does for kernels, once (ADR 119). It runs InstCombine eight times,
/// for most of its time, among passes for calls, globals and vectors that kernels don't have.
/// Reassociation is left out on purpose: indices share their terms as lowering wrote them.
static constexpr llvm::StringLiteral kPipeline =
    "always-inline,globalopt,"
    "function<eager-inv>("
    "simplifycfg,early-cse,instcombine<max-iterations=1;no-verify-fixpoint>,aggressive-instcombine,"
    "sroa<modify-cfg>,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,"
    "loop-rotate<header-duplication>,licm<allowspeculation>,"
    "simple-loop-unswitch<nontrivial;trivial>),"
    "simplifycfg,"
    "loop(loop-idiom,indvars,extra-simple-loop-unswitch-passes,loop-deletion,loop-unroll-full),"
    "sroa<modify-cfg>,gvn,bdce,dse,loop-mssa(licm<allowspeculation>),"
    "simplifycfg<switch-range-to-icmp;switch-to-arithmetic;hoist-common-insts;sink-common-insts>,"
    "instcombine<max-iterations=1;no-verify-fixpoint>,"
    "loop-unroll<O3>,infer-alignment,instsimplify,loop-sink,div-rem-pairs,simplifycfg,"
    "load-store-vectorizer),"
    "globaldce";

/// Keeps LLVM from duplicating the wait for the launches before. Where the branches before and
/// after it have one condition, jump threading would copy it into the path that takes neither.
/// ptxas then moves the descriptor of each access after it from a general register to a uniform
/// one.
static void keepWaitsWhole(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
            text && text->getAsmString().starts_with("griddepcontrol.wait"))
          call->addFnAttr(llvm::Attribute::NoDuplicate);
}

LogicalResult Backend::optimize(llvm::Module &module) {
  keepWaitsWhole(module);
  if (options.optLevel > 0)
    foldLaneComparisons(module);
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  if (options.optLevel == 0) {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  } else {
    // The target's own passes: values of __nvvm_reflect, ranges of thread numbers.
    builder.invokePipelineStartEPCallbacks(passes, llvm::OptimizationLevel::O3);
    llvm::cantFail(builder.parsePassPipeline(passes, kPipeline));
  }
  passes.run(module, modules);
  hideNegations(module);
  selectCounts(module);
  expandDisjointOrs(module);
  if (options.optLevel > 0)
    shareAddresses(module);
  unpackPairs(module);
  widenStoredConstants(module);
  return failure(failedInLLVM);
}

FailureOr<std::string> Backend::emit(llvm::Module &module) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  [[maybe_unused]] bool cannotEmit =
      machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  assert(!cannotEmit && "NVPTX writes assembly");
  passes.run(module);
  if (failedInLLVM)
    return failure();
  return text.str().str();
}
