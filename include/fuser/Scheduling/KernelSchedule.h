//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks of kernels that schedulers share, and helpers to apply a schedule.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_KERNELSCHEDULE_H
#define FUSER_SCHEDULING_KERNELSCHEDULE_H

#include "fuser/Dialect/Transforms/Decompose.h"
#include "fuser/Dialect/Transforms/Inlining.h"
#include "fuser/Ids/IdDerivation.h"
#include "fuser/Scheduling/Requirements.h"
#include "fuser/Scheduling/Scheduler.h"
#include "mlir/IR/OwningOpRef.h"

namespace fuser {

/// Codes of the refusals of the checks below, and of others that several schedulers share. A kernel
/// with a reduction, for schedulers that accept none.
inline constexpr llvm::StringLiteral kHasReduction = "has-reduction";
/// An op whose mapping or form the scheduler does not support.
inline constexpr llvm::StringLiteral kUnsupportedOp = "unsupported-op";
/// A reshape whose two sides cannot be iterated over by the same loops.
inline constexpr llvm::StringLiteral kReshapeOfLoops = "reshape-of-loops";
/// A dimension that the reference value lacks, or has twice.
inline constexpr llvm::StringLiteral kUncoveredDimension = "uncovered-dimension";

/// A block has less shared memory than the parameters take.
inline constexpr llvm::StringLiteral kNoSharedMemory = "no-shared-memory";

/// Whether a scheduler accepts ops that read arguments at data-dependent indices (take_along_axis),
/// or at constant offsets (pad).
enum class ReadsAtData { None, OfArguments };

/// The ops that combine elements which a scheduler accepts.
enum class CombiningOps { Reductions, Scans, Both };

/// Whether a scheduler accepts ops that read a part of a value (a slice), or join parts, in the
/// loops of the whole. Computed values are not computed at other indices for it.
enum class PartsOfValues { None, Accepted };

/// The class of the dimension that a computed value has, if `dimClass` is a part of it at constant
/// offsets; otherwise `dimClass`.
unsigned findWhole(const KernelView &kernel, unsigned dimClass);

/// Refuses a kernel with a reduction.
std::optional<Refusal> checkNoReduction(const KernelView &kernel);

/// Refuses a reshape whose two sides have no loops in common, and cuts before it.
std::optional<Refusal> checkReshapes(const KernelView &kernel);

/// Also refuses ops that are neither elementwise nor of the `combining` ones, or whose mapping is
/// not simple (KernelView::isSimple), except for the reads that `reads` and `parts` permit.
std::optional<Refusal> checkOps(const KernelView &kernel, ReadsAtData reads = ReadsAtData::None,
                                PartsOfValues parts = PartsOfValues::None,
                                CombiningOps combining = CombiningOps::Reductions);

/// Refuses ops with a dimension that `reference` (classes, without repetition) lacks, ops that have
/// one dimension twice, and outputs of which only a part is read and so computed. `find` (absent:
/// identity) maps a class to the class of the reference.
std::optional<Refusal> checkCovered(const KernelView &kernel, llvm::ArrayRef<unsigned> reference,
                                    llvm::function_ref<unsigned(unsigned)> find = {});

/// A copy of the kernel in which variances are decomposed (decomposeVariance), for schedulers whose
/// apply starts with this rewrite; null if the kernel has no variance.
mlir::OwningOpRef<KernelOp> copyDecomposed(const KernelView &kernel);

/// The result of `check` on such a copy of the kernel. A refusal names the variances.
template <typename Result, typename Check>
std::variant<Result, Refusal> checkDecomposed(const KernelView &kernel, KernelOp copy,
                                              Check check) {
  mlir::FailureOr<KernelView> view = KernelView::create(copy);
  Refusal refusal{RefusalCategory::Structure,
                  kUnsupportedOp,
                  {},
                  "expected variances whose parts an analysis can follow"};
  if (mlir::succeeded(view)) {
    std::variant<Result, Refusal> answer = check(*view);
    if (std::holds_alternative<Result>(answer))
      return answer;
    refusal = std::move(std::get<Refusal>(answer));
  }
  // The copy's ops do not outlive it.
  refusal.cuts.clear();
  refusal.ops.clear();
  for (TensorViewOpInterface op : kernel.getOps())
    if (isVariance(op))
      refusal.ops.push_back(op);
  return refusal;
}

/// The ops that depend on a result of one of `sources`, in order.
llvm::SmallVector<TensorViewOpInterface>
getDependents(const KernelView &kernel, llvm::ArrayRef<TensorViewOpInterface> sources);

/// `classes` from slowest to fastest, in the orders of the tensors in global memory: of two that
/// contradict each other, that of the one with more of the classes, or the first one. Dimensions of
/// a table are faster than those along which its rows are looked up. Where none decides, classes
/// that are not in the tensor with most of them come first, in the given order.
llvm::SmallVector<unsigned> getMemoryOrder(const KernelView &kernel,
                                           llvm::ArrayRef<unsigned> classes);

/// Bytes of one element of each argument that is read; at least 1.
int64_t getElementBytesRead(const KernelView &kernel);
/// Bytes of the widest element of all arguments and outputs; at least 1.
int64_t getWidestElement(const KernelView &kernel);

/// True if an output is stored over the argument.
bool isOverwritten(KernelOp kernel, mlir::BlockArgument argument);

/// Applies a schedule to a kernel: creates the caches, lets the caller transform a reference op,
/// and propagates its loops to all other ops.
class KernelSchedule {
public:
  /// Caches all arguments that are read and all outputs, and clones broadcasts for each use.
  static mlir::FailureOr<KernelSchedule> create(KernelOp kernel);

  KernelOp getKernel() const { return kernel; }
  /// Cached loads in the order of arguments, cached stores in the order of outputs. An output that
  /// is the argument which it aliases has no store.
  llvm::ArrayRef<TensorViewOpInterface> getLoads() const { return loads; }
  /// Inserts a load for one use of an argument that is read at its use.
  void addLoad(mlir::OpOperand &use);
  /// Clones an op; the copy of a load is a load.
  TensorViewOpInterface clone(TensorViewOpInterface op, mlir::OpBuilder &builder);
  llvm::ArrayRef<TensorViewOpInterface> getStores() const { return stores; }
  /// All ops that define tensors, in order; up to date.
  llvm::SmallVector<TensorViewOpInterface> getOps() const;

  /// Replays the loops of `reference` on all other ops and sets the stride orders of outputs. No
  /// ops may be added or removed afterwards.
  mlir::LogicalResult propagate(TensorViewOpInterface reference);
  /// The same for the ops in `selected` only.
  mlir::LogicalResult propagate(TensorViewOpInterface reference,
                                llvm::ArrayRef<mlir::Operation *> selected);

  /// Sets the stride order of a store's output as its allocation, after its loops were replaced.
  void setOutputOrder(TensorViewOpInterface store);

  /// Inlines every op as far as legal. The loads for which `first` holds stop before their first
  /// unrolled loop, so that all loads of a thread are in flight before the first use. Loads in
  /// shared memory stop after the block-parallel loops: several loops of a thread read them.
  void inlineAll(llvm::function_ref<bool(TensorViewOpInterface)> first);

private:
  explicit KernelSchedule(KernelOp kernel) : kernel(kernel) {}

  KernelOp kernel;
  llvm::SmallVector<TensorViewOpInterface> loads, stores;
  /// True if loops consist of the parts of a reshape.
  bool hasReshapes = false;
  /// Orders of the outputs in memory, by store.
  llvm::SmallVector<llvm::SmallVector<int64_t>> orders;
};

/// The loop domain of a reference under construction. Ids may be kNoId (none): merging with none
/// and splitting none are identities.
class LoopBuilder {
public:
  /// Of an op of `kernel` with a trivial domain.
  LoopBuilder(const KernelView &kernel, TensorViewOpInterface op);
  /// Of a copy, with a trivial domain, that was created from a tensor of `kernel` later.
  LoopBuilder(const KernelView &kernel, TensorViewOpInterface copy, const GlobalTensor &tensor);
  /// Without classes.
  explicit LoopBuilder(TensorViewOpInterface op) : op(op), builder(op.getDomain()) {}
  LoopBuilder(const LoopBuilder &) = delete;

  DomainBuilder &getBuilder() { return builder; }
  /// The ids of loop classes, derived from the op's ids if there is a reshape between them. Each id
  /// is taken once; classes that the op lacks have no id.
  llvm::SmallVector<unsigned> take(llvm::ArrayRef<unsigned> classes);
  /// The logical ids that were not taken, in order.
  llvm::SmallVector<unsigned> takeRest();
  /// Merges `ids`, slowest first; kNoId if there are none.
  unsigned merge(llvm::ArrayRef<unsigned> ids);
  /// Splits `factor` off as the inner id; {id, kNoId} if the factor is 1 or there is no id.
  std::pair<unsigned, unsigned> split(unsigned id, int64_t factor);
  /// Splits `factor` off as the outer id: {kNoId, id} if the factor is 1 or there is no id.
  std::pair<unsigned, unsigned> splitOuter(unsigned id, int64_t factor);

  struct Loop {
    unsigned id;
    ParallelType type = ParallelType::Serial;
  };
  /// Sets the loop domain of all results to the loops that have an id, outermost first. Fails with
  /// a diagnostic at the op if the loops do not cover each of its dimensions once.
  mlir::LogicalResult finish(llvm::ArrayRef<Loop> loops);

private:
  TensorViewOpInterface op;
  DomainBuilder builder;
  std::optional<IdDerivation> derivation;
};

/// A refusal as an error at the kernel, for apply.
mlir::LogicalResult emitRefusal(KernelOp kernel, llvm::StringRef scheduler, const Refusal &refusal);

/// Appends facts that the kernel does not state yet.
void addFacts(KernelOp kernel, llvm::ArrayRef<FactAttr> facts);

/// Adds the facts of what a scheduler's evaluation has chosen; a refusal is an error at the kernel.
mlir::LogicalResult addFacts(KernelOp kernel, llvm::StringRef scheduler,
                             const std::variant<Choice, Refusal> &answer);

} // namespace fuser

#endif // FUSER_SCHEDULING_KERNELSCHEDULE_H
