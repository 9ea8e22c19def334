//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser-chain-launches: launches that begin before the launches before them have ended.
//
//===----------------------------------------------------------------------===//

#include "LoadedConstants.h"
#include "fuser/Analysis/HostDependences.h"
#include "fuser/Dialect/IR/DependentLaunches.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "fuser/Lowering/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fuser {
#define GEN_PASS_DEF_FUSERCHAINLAUNCHES
#include "fuser/Lowering/Passes.h.inc"
} // namespace fuser

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

//===----------------------------------------------------------------------===//
// Where a kernel waits
//===----------------------------------------------------------------------===//

namespace {

/// Of a kernel with dependent launches, by argument: whether another launch of a program may write
/// its memory.
using Changing = llvm::BitVector;

/// Decides which ops of a kernel may precede the wait for the launches before it.
class Prologue {
public:
  Prologue(gpu::GPUFuncOp function, const Changing &changing)
      : entry(function.getBody().front()), numArguments(function.getNumArguments()),
        changing(changing) {}

  /// The first op of the block, by default the entry block, that may access what another launch
  /// accesses.
  Operation *findEnd() const { return findEnd(entry); }
  Operation *findEnd(Block &block) const {
    return &*llvm::find_if(block, [&](Operation &op) {
      return op.hasTrait<OpTrait::IsTerminator>() || !areApart(&op);
    });
  }

private:
  bool areApart(Operation *root) const {
    WalkResult result = root->walk([&](Operation *op) {
      return isApart(op) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return !result.wasInterrupted();
  }

  /// True if the op itself, without its regions, accesses no memory that another launch may access.
  bool isApart(Operation *op) const {
    // These order threads of this launch by memory of blocks, whatever effects they state.
    if (isa<gpu::BarrierOp, kernel_ir::MBarrierInitOp, kernel_ir::MBarrierFenceOp,
            kernel_ir::ClusterArriveOp, kernel_ir::ClusterWaitOp>(op))
      return true;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    if (!interface)
      return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(op);
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    return llvm::all_of(effects, [&](const MemoryEffects::EffectInstance &effect) {
      if (effect.getResource() != SideEffects::DefaultResource::get())
        return true;
      return effect.getValue() &&
             isOwn(effect.getValue(), isa<MemoryEffects::Read>(effect.getEffect()));
    });
  }

  /// True if `memory` is that of a thread or a block, or `isRead` and an argument that no launch
  /// writes.
  bool isOwn(Value memory, bool isRead) const {
    while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
      memory = view.getViewSource();
    if (auto part = memory.getDefiningOp<kernel_ir::PartArgumentOp>())
      return llvm::all_of(part.getArguments(), [&](Value each) { return isOwn(each, isRead); });
    auto argument = dyn_cast<BlockArgument>(memory);
    if (!argument) {
      auto type = dyn_cast<MemRefType>(memory.getType());
      return (type && type.getMemorySpace()) ||
             hasEffect<MemoryEffects::Allocate>(memory.getDefiningOp(), memory);
    }
    if (argument.getOwner() != &entry)
      return false;
    return argument.getArgNumber() >= numArguments ||
           (isRead && !changing.test(argument.getArgNumber()));
  }

  Block &entry;
  const unsigned numArguments;
  const Changing &changing;
};

} // namespace

/// The branch that a kernel ends with, which threads without elements do not take.
static scf::IfOp getLastBranch(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  return branch && branch.getNumResults() == 0 && !branch.elseBlock() &&
                 branch->getNextNode() == branch->getBlock()->getTerminator()
             ? branch
             : scf::IfOp();
}

/// Makes a branch of its own of what the branch does before `end` and reads memory. What else is
/// before `end` and does not depend on it is before both branches.
static void splitBranch(scf::IfOp branch, Operation *end) {
  Block &block = *branch.thenBlock();
  SmallVector<Operation *> kept;
  for (Operation &op :
       llvm::make_early_inc_range(llvm::make_range(block.begin(), Block::iterator(end)))) {
    const bool isOutside =
        isPure(&op) && op.getNumRegions() == 0 &&
        llvm::all_of(op.getOperands(), [&](Value x) { return x.getParentBlock() != &block; });
    if (isOutside)
      op.moveBefore(branch);
    else
      kept.push_back(&op);
  }
  // What the accesses need, and the accesses.
  llvm::SmallSetVector<Operation *, 16> first;
  for (Operation *op : llvm::reverse(kept))
    if (!isPure(op) || llvm::any_of(op->getUsers(), [&](Operation *user) {
          return first.contains(block.findAncestorOpInBlock(*user));
        }))
      first.insert(op);
  if (first.empty())
    return;
  SmallVector<Operation *> ordered(llvm::reverse(first.takeVector()));
  SmallVector<Value> used;
  for (Operation *op : ordered)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !llvm::is_contained(ordered, block.findAncestorOpInBlock(*user));
          }))
        used.push_back(result);
  OpBuilder builder(branch);
  const Location loc = branch.getLoc();
  auto before = scf::IfOp::create(builder, loc, ValueRange(used).getTypes(), branch.getCondition(),
                                  /*withElseRegion=*/!used.empty());
  Block *target = before.thenBlock();
  for (Operation *op : ordered)
    used.empty() ? op->moveBefore(before.thenYield()) : op->moveBefore(target, target->end());
  if (used.empty())
    return;
  for (auto [value, result] : llvm::zip_equal(used, before.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return branch.getThenRegion().isAncestor(use.getOwner()->getParentRegion());
    });
  OpBuilder inside = OpBuilder::atBlockEnd(target), outside = before.getElseBodyBuilder();
  scf::YieldOp::create(inside, loc, used);
  SmallVector<Value> none;
  for (Value value : used)
    none.push_back(ub::PoisonOp::create(outside, loc, value.getType()));
  scf::YieldOp::create(outside, loc, none);
  yieldLoadedWords(before);
}

/// Lets each thread wait before it accesses what another launch accesses.
static void addWait(gpu::GPUFuncOp function, const Changing &changing) {
  for (unsigned number : changing.set_bits())
    function.removeArgAttr(number, FuserGPUDialect::kReadonly);
  if (!function.getOps<kernel_ir::WaitDependenciesOp>().empty())
    return;
  const Prologue prologue(function, changing);
  Operation *end = prologue.findEnd();
  if (scf::IfOp branch = getLastBranch(end))
    splitBranch(branch, prologue.findEnd(*branch.thenBlock()));
  OpBuilder builder(end);
  kernel_ir::WaitDependenciesOp::create(builder, function.getLoc());
}

/// Lets a dependent launch begin as soon as all blocks have.
static void addTrigger(gpu::GPUFuncOp function) {
  WalkResult found =
      function.walk([](kernel_ir::LaunchDependentsOp) { return WalkResult::interrupt(); });
  if (found.wasInterrupted())
    return;
  auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
  kernel_ir::LaunchDependentsOp::create(builder, function.getLoc());
}

//===----------------------------------------------------------------------===//
// Which launches are dependent
//===----------------------------------------------------------------------===//

namespace {

class LaunchChainer {
public:
  LaunchChainer(ModuleOp module, bool marksAll, bool isSupported)
      : module(module), marksAll(marksAll), isSupported(isSupported) {}

  /// Returns the number of dependent launches.
  unsigned run();

private:
  gpu::GPUFuncOp getKernel(LaunchOp launch) {
    return symbols.lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernel());
  }
  void chain(HostOp host);
  std::string findObstacle(LaunchOp launch);
  void addDependent(LaunchOp launch);

  ModuleOp module;
  SymbolTableCollection symbols;
  const bool marksAll, isSupported;
  unsigned numDependent = 0;
  /// The buffers that the present host function writes.
  llvm::DenseSet<Value> written;
  llvm::MapVector<Operation *, Changing> waiting;
  llvm::SetVector<Operation *> triggering;
};

} // namespace

static bool isCooperative(gpu::GPUFuncOp function) {
  auto launch = function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  return launch && launch.getCooperative();
}

/// Why `launch` begins after the end of what precedes it; empty: it need not.
std::string LaunchChainer::findObstacle(LaunchOp launch) {
  if (!isSupported)
    return "the target has no dependent launches, which sm_90 and later have";
  LaunchOp before = getPrecedingLaunch(launch);
  if (!before)
    return "the last work before it is not a launch in the same stream";
  for (LaunchOp each : {before, launch}) {
    gpu::GPUFuncOp function = getKernel(each);
    if (!function)
      return "a kernel is not kernel IR";
    if (isCooperative(function))
      return "all blocks of a cooperative launch are resident at once";
  }
  return {};
}

/// Finds the operands of a dependent launch that another launch may write.
void LaunchChainer::addDependent(LaunchOp launch) {
  gpu::GPUFuncOp function = getKernel(launch);
  SmallVector<Value> operands(launch.getInputs());
  llvm::append_range(operands, launch.getOutputs());
  auto isConstant = [&](int64_t operand) {
    if (operand >= int64_t(operands.size()))
      return false;
    // What precedes the program is complete when its first launch begins.
    Value buffer = getHostBuffer(operands[operand]);
    return isa<BlockArgument>(buffer) && !written.contains(buffer);
  };
  Changing &changing = waiting[function];
  changing.resize(function.getNumArguments());
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    Attribute bind = function.getArgAttr(number, FuserGPUDialect::kBind);
    auto pointer = dyn_cast_or_null<kernel_ir::PointerAttr>(bind);
    auto map = dyn_cast_or_null<kernel_ir::TensorMapAttr>(bind);
    const bool isConstantOperand =
        (pointer && isConstant(pointer.getOperand())) || (map && isConstant(map.getOperand()));
    if (!isConstantOperand &&
        (pointer || map || isa<MemRefType>(function.getArgument(number).getType())))
      changing.set(number);
  }
}

void LaunchChainer::chain(HostOp host) {
  written.clear();
  host.walk([&](Operation *op) {
    if (auto launch = dyn_cast<LaunchOp>(op))
      for (Value output : launch.getOutputs())
        written.insert(getHostBuffer(output));
    if (auto call = dyn_cast<LibraryCallOp>(op))
      for (Value output : call.getOutputs())
        written.insert(getHostBuffer(output));
    if (auto copy = dyn_cast<CopyOp>(op))
      written.insert(getHostBuffer(copy.getDestination()));
  });
  host.walk([&](LaunchOp launch) {
    const bool isAsked = launch->hasAttr(kDependentName);
    if (!isAsked && !marksAll)
      return;
    if (std::string obstacle = findObstacle(launch); !obstacle.empty()) {
      launch->removeDiscardableAttr(kDependentName);
      if (isAsked)
        launch.emitRemark() << "the launch is not dependent: " << obstacle;
      return;
    }
    if (!isAsked)
      launch->setDiscardableAttr(kDependentName, UnitAttr::get(launch.getContext()));
    addDependent(launch);
    if (asksForTrigger(launch))
      triggering.insert(getKernel(getPrecedingLaunch(launch)));
    ++numDependent;
  });
}

unsigned LaunchChainer::run() {
  for (HostOp host : module.getOps<HostOp>())
    chain(host);
  for (auto &[function, changing] : waiting)
    addWait(cast<gpu::GPUFuncOp>(function), changing);
  for (Operation *function : triggering)
    addTrigger(cast<gpu::GPUFuncOp>(function));
  return numDependent;
}

namespace {
struct ChainLaunches : fuser::impl::FuserChainLaunchesBase<ChainLaunches> {
  using FuserChainLaunchesBase::FuserChainLaunchesBase;

  void runOnOperation() override {
    numDependent += LaunchChainer(getOperation(), all, supported).run();
  }
};
} // namespace
