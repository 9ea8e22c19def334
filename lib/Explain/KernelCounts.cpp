//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Explain/KernelCounts.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;
using kernel_ir::FuserGPUDialect;

namespace {

class Counter {
public:
  explicit Counter(gpu::GPUFuncOp kernel);
  KernelCounts run();

private:
  void addLaunch();
  void addArguments();
  // Each function returns whether it counted the op.
  bool addAccess(Operation *op);
  bool addSynchronization(Operation *op);
  bool addDivision(Operation *op);
  bool addControl(Operation *op);
  bool addOther(Operation *op);

  bool add(StringRef group, const Twine &kind) {
    return ++counts.groups[group.str()][kind.str()] > 0;
  }
  bool addAccess(StringRef group, StringRef kind, Value memory, Type type, StringRef hint = "");
  bool addShuffle(StringRef mode, Type type);
  int64_t getBytes(Type type) const;
  StringRef getSpace(Value memory);

  gpu::GPUFuncOp kernel;
  /// Width of `index`.
  int64_t indexBits = 64;
  KernelCounts counts;
};

} // namespace

Counter::Counter(gpu::GPUFuncOp kernel) : kernel(kernel) {
  counts.name = kernel.getName().str();
  if (Operation *module = kernel->getParentOp())
    if (auto bits = module->getAttrOfType<IntegerAttr>(FuserGPUDialect::kIndexBits))
      indexBits = bits.getInt();
}

//===----------------------------------------------------------------------===//
// Launch and arguments
//===----------------------------------------------------------------------===//

/// The results of a map without the list of its symbols.
static std::string printResults(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(map.getResults(), out);
  return text;
}

static std::string printSymbol(Attribute symbol) {
  if (auto size = dyn_cast<kernel_ir::SizeAttr>(symbol))
    return llvm::formatv("size {0}[{1}]", size.getOperand(), size.getDim());
  if (auto stride = dyn_cast<kernel_ir::StrideAttr>(symbol))
    return llvm::formatv("stride {0}[{1}]", stride.getOperand(), stride.getDim());
  if (auto scalar = dyn_cast<kernel_ir::ScalarAttr>(symbol))
    return llvm::formatv("scalar {0}", scalar.getOperand());
  std::string text;
  llvm::raw_string_ostream(text) << symbol;
  return text;
}

/// "256x1x1".
template <typename T> static std::string printSizes(ArrayRef<T> sizes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleave(sizes, out, "x");
  return text;
}

void Counter::addLaunch() {
  auto set = [&](StringRef field, std::string value) {
    counts.launch.emplace_back(field, std::move(value));
  };
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  set("block", block ? printSizes(*block) : "?");
  auto launch = kernel->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  set("grid", launch ? printResults(launch.getGrid()) : "?");
  set("index_bits", std::to_string(indexBits));
  if (!launch)
    return;
  AffineMap smem = launch.getSmem();
  if (!smem.isSingleConstant() || smem.getSingleConstantResult() != 0)
    set("smem", printResults(smem));
  if (!launch.getWorkspaces().empty())
    set("workspaces", llvm::join(llvm::map_range(launch.getWorkspaces(), printResults), "; "));
  if (!launch.getSymbols().empty())
    set("symbols", llvm::join(llvm::map_range(launch.getSymbols(), printSymbol), ", "));
  if (launch.getCooperative())
    set("cooperative", "true");
  if (!launch.getCluster().empty())
    set("cluster", printSizes(launch.getCluster()));
  if (launch.getMinBlocksPerSM())
    set("min_blocks_per_sm", std::to_string(*launch.getMinBlocksPerSM()));
}

void Counter::addArguments() {
  for (unsigned number = 0, e = kernel.getNumArguments(); number < e; ++number) {
    add("argument", "all");
    if (kernel.getArgAttr(number, FuserGPUDialect::kReadonly))
      add("argument", "readonly");
    if (kernel.getArgAttr(number, FuserGPUDialect::kNoalias))
      add("argument", "noalias");
    if (auto align = kernel.getArgAttrOfType<IntegerAttr>(number, FuserGPUDialect::kAlign))
      add("argument", "align_" + Twine(align.getInt()));
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int64_t Counter::getBytes(Type type) const {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.getNumElements() * getBytes(vector.getElementType());
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getBytes(complex.getElementType());
  if (type.isIndex())
    return indexBits / 8;
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : 0;
}

StringRef Counter::getSpace(Value memory) {
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = view.getViewSource();
  auto type = dyn_cast<MemRefType>(memory.getType());
  if (!type)
    return "unknown";
  if (auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace()))
    return space.getValue() == gpu::AddressSpace::Workgroup ? "shared"
           : space.getValue() == gpu::AddressSpace::Private ? "register"
                                                            : "global";
  if (memory.getDefiningOp<memref::AllocaOp>())
    return "register";
  if (memory.getDefiningOp<kernel_ir::PartArgumentOp>())
    return "global";
  auto argument = dyn_cast<BlockArgument>(memory);
  return argument && argument.getOwner() == &kernel.getBody().front() ? "global" : "unknown";
}

bool Counter::addAccess(StringRef group, StringRef kind, Value memory, Type type, StringRef hint) {
  std::string text;
  for (StringRef part : {kind, getSpace(memory)})
    text += part.empty() ? "" : (part + ".").str();
  text += std::to_string(getBytes(type));
  return add(group, hint.empty() ? text : text + "." + hint);
}

bool Counter::addShuffle(StringRef mode, Type type) {
  return add("shuffle", mode + "." + Twine(getBytes(type)));
}

/// The cache hint of an access; empty: none.
template <typename OpT> static StringRef getHint(OpT access) {
  return access.getNontemporal() ? "nontemporal" : "";
}
static StringRef getHint(kernel_ir::CacheHint hint) {
  return hint == kernel_ir::CacheHint::None ? "" : stringifyCacheHint(hint);
}
static StringRef getHint(kernel_ir::LoadOp load) { return getHint(load.getHint()); }
static StringRef getHint(kernel_ir::StoreOp store) { return getHint(store.getHint()); }

bool Counter::addAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<memref::LoadOp>([&](auto load) {
        return addAccess("load", "", load.getMemRef(), load.getType(), getHint(load));
      })
      .Case<vector::LoadOp, kernel_ir::LoadOp>([&](auto load) {
        return addAccess("load", "", load.getBase(), load->getResult(0).getType(), getHint(load));
      })
      .Case<memref::StoreOp>([&](auto store) {
        return addAccess("store", "", store.getMemRef(), store.getValueToStore().getType(),
                         getHint(store));
      })
      .Case<vector::StoreOp>([&](auto store) {
        return addAccess("store", "", store.getBase(), store.getValueToStore().getType(),
                         getHint(store));
      })
      .Case<kernel_ir::StoreOp>([&](auto store) {
        return addAccess("store", "", store.getBase(), store.getValue().getType(), getHint(store));
      })
      .Case<kernel_ir::PeerLoadOp>([&](auto load) {
        return addAccess("load", "peer", load.getBase(), load.getResult().getType());
      })
      .Case<kernel_ir::PeerStoreOp>([&](auto store) {
        return addAccess("store", "peer", store.getBase(), store.getValue().getType());
      })
      .Case<kernel_ir::CopyAsyncOp>([&](auto copy) {
        return add("copy", getSpace(copy.getSource()) + "." + getSpace(copy.getTarget()) + "." +
                               Twine(copy.getBytes()));
      })
      .Case<kernel_ir::CopyTensorOp>([&](auto copy) {
        return add("copy", "global." + getSpace(copy.getTarget()) + ".tensor");
      })
      .Case<kernel_ir::StoreTensorOp>(
          [&](auto store) { return add("copy", getSpace(store.getSource()) + ".global.tensor"); })
      .Case<kernel_ir::StoreCommitOp>([&](auto) { return add("copy", "store_commit"); })
      .Case<kernel_ir::CopyBulkOp>([&](auto copy) {
        return add("copy", getSpace(copy.getSource()) + "." + getSpace(copy.getTarget()) + ".bulk");
      })
      .Case<kernel_ir::LdMatrixOp>([&](auto load) {
        return addAccess("load", load.getTransposed() ? "transposed" : "matrix", load.getBase(),
                         load.getType());
      })
      .Case<kernel_ir::StMatrixOp>([&](auto store) {
        return addAccess("store", store.getTransposed() ? "transposed" : "matrix", store.getBase(),
                         store.getValue().getType());
      })
      .Case<memref::AtomicRMWOp>([&](auto atomic) {
        return addAccess("atomic", stringifyEnum(atomic.getKind()), atomic.getMemref(),
                         atomic.getType());
      })
      .Case<kernel_ir::AtomicAddOp>([&](auto atomic) {
        return addAccess("atomic", "addf", atomic.getBase(), atomic.getValue().getType());
      })
      .Case<memref::GenericAtomicRMWOp>([&](auto atomic) {
        return addAccess("atomic", "generic", atomic.getMemref(), atomic.getResult().getType());
      })
      .Default(false);
}

//===----------------------------------------------------------------------===//
// Other ops
//===----------------------------------------------------------------------===//

std::string fuser::explain::getBarrierKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<kernel_ir::FenceOp>(
          [](auto fence) { return ("fence_" + stringifyFenceScope(fence.getScope())).str(); })
      .Case<gpu::BarrierOp>([](auto) { return "block"; })
      .Case<kernel_ir::GridSyncOp>([](auto) { return "grid"; })
      .Case<kernel_ir::LastBlockOp>([](auto) { return "last_block"; })
      .Case<kernel_ir::TicketOp>([](auto) { return "ticket"; })
      .Case<kernel_ir::AwaitOp>([](auto) { return "await"; })
      .Case<kernel_ir::MBarrierArriveOp>([](auto) { return "mbarrier_arrive"; })
      .Case<kernel_ir::RoleBarrierOp>([](auto) { return "role_barrier"; })
      .Case<kernel_ir::MBarrierInitOp>([](auto) { return "mbarrier_init"; })
      .Case<kernel_ir::MBarrierFenceOp>([](auto) { return "mbarrier_fence"; })
      .Case<kernel_ir::MBarrierExpectOp>([](auto) { return "mbarrier_expect"; })
      .Case<kernel_ir::MBarrierWaitOp>([](auto) { return "mbarrier_wait"; })
      .Case<kernel_ir::ClusterArriveOp>([](auto) { return "cluster_arrive"; })
      .Case<kernel_ir::ClusterWaitOp>([](auto) { return "cluster_wait"; })
      .Case<kernel_ir::CopyWaitOp>([](auto) { return "copy_wait"; })
      .Case<kernel_ir::StoreWaitOp>([](auto) { return "store_wait"; })
      .Case<kernel_ir::WaitDependenciesOp>([](auto) { return "wait_dependencies"; })
      .Case<kernel_ir::LaunchDependentsOp>([](auto) { return "launch_dependents"; })
      .Case<kernel_ir::WgmmaFenceOp>([](auto) { return "wgmma_fence"; })
      .Case<kernel_ir::WgmmaWaitOp>([](auto) { return "wgmma_wait"; })
      .Case<kernel_ir::FenceAsyncOp>([](auto) { return "fence_async"; })
      .Default([](Operation *) { return ""; });
}

bool Counter::addSynchronization(Operation *op) {
  if (std::string barrier = getBarrierKind(op); !barrier.empty())
    return add("barrier", barrier);
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<kernel_ir::ShuffleOp>([&](auto shuffle) {
        return addShuffle(stringifyShuffleMode(shuffle.getMode()), shuffle.getValue().getType());
      })
      .Case<kernel_ir::CopyCommitOp>([&](auto) { return add("copy", "commit"); })
      .Case<kernel_ir::MmaOp>(
          [&](auto product) { return add("mma", "16x8x" + Twine(product.getK())); })
      .Case<kernel_ir::WgmmaOp>(
          [&](auto product) { return add("wgmma", "64x" + Twine(product.getN()) + "x16"); })
      .Case<kernel_ir::WgmmaCommitOp>([&](auto) { return add("wgmma", "commit"); })
      .Case<gpu::ShuffleOp>([&](auto shuffle) {
        return addShuffle(gpu::stringifyShuffleMode(shuffle.getMode()),
                          shuffle.getValue().getType());
      })
      .Default(false);
}

/// The kind of the divisor, which decides how many instructions the division takes.
static StringRef getDivisorKind(Value divisor) {
  APInt value;
  if (!matchPattern(divisor, m_ConstantInt(&value)))
    return "dynamic";
  return value.isPowerOf2() ? "power_of_two" : "constant";
}

bool Counter::addDivision(Operation *op) {
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp, arith::CeilDivUIOp,
           arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return false;
  return add("division", op->getName().stripDialect() + "." + getDivisorKind(op->getOperand(1)));
}

bool Counter::addControl(Operation *op) {
  if (isa<scf::IfOp>(op))
    return add("branch", "if");
  if (isa<scf::IndexSwitchOp, cf::SwitchOp>(op))
    return add("branch", "switch");
  if (isa<cf::BranchOp, cf::CondBranchOp>(op))
    return add("branch", op->getName().getStringRef());
  if (isa<scf::ForOp, scf::WhileOp, scf::ParallelOp>(op))
    return add("loop", op->getName().stripDialect());
  return false;
}

/// Counts ops that no other group counts, so that a new op of the dialect appears by its name.
bool Counter::addOther(Operation *op) {
  const bool isOurs = isa_and_nonnull<FuserGPUDialect>(op->getDialect());
  const bool accesses =
      isa_and_nonnull<memref::MemRefDialect, vector::VectorDialect>(op->getDialect()) &&
      (hasEffect<MemoryEffects::Read>(op) || hasEffect<MemoryEffects::Write>(op));
  return (isOurs || accesses) && add("other", op->getName().getStringRef());
}

KernelCounts Counter::run() {
  addLaunch();
  addArguments();
  kernel.getBody().walk([&](Operation *op) {
    add("op", "all");
    (void)(addAccess(op) || addSynchronization(op) || addDivision(op) || addControl(op) ||
           addOther(op));
  });
  return std::move(counts);
}

KernelCounts fuser::explain::countKernel(gpu::GPUFuncOp kernel) { return Counter(kernel).run(); }

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void fuser::explain::printText(llvm::raw_ostream &out, const KernelCounts &counts) {
  out << "kernel " << counts.name << "\n";
  for (const auto &[field, value] : counts.launch)
    out << llvm::formatv("  {0,-18} {1}\n", field, value);
  for (const auto &[group, kinds] : counts.groups) {
    out << llvm::formatv("  {0,-18} ", group);
    llvm::interleaveComma(kinds, out,
                          [&](const auto &kind) { out << kind.second << " " << kind.first; });
    out << "\n";
  }
}

void fuser::explain::printLine(llvm::raw_ostream &out, const KernelCounts &counts,
                               llvm::StringRef prefix) {
  out << prefix << counts.name;
  for (const auto &[field, value] : counts.launch)
    out << " " << field << "=\"" << value << "\"";
  for (const auto &[group, kinds] : counts.groups)
    for (const auto &[kind, count] : kinds)
      out << " " << group << "." << kind << "=" << count;
  out << "\n";
}
