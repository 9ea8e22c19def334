//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Writes the gpu.func of one scheduled kernel: loops, indexing, predicates, memory, synchronisation
// and reductions. The parts live in files of their own: Emitter.cpp (the walk), Indexing.cpp,
// Operands.cpp, Reads.cpp, WholeReads.cpp, Predicates.cpp, Memory.cpp, GlobalMemory.cpp,
// Synchronization.cpp, Scans.cpp, TileScan.cpp, Reductions.cpp, CombineThreads.cpp,
// CombineBlocks.cpp, Launch.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_LOWERING_KERNELEMITTER_H
#define FUSER_LIB_LOWERING_KERNELEMITTER_H

#include "Accesses.h"
#include "EqualIds.h"
#include "GridResults.h"
#include "Hazards.h"
#include "IndexBuilder.h"
#include "KernelOperands.h"
#include "SharedMemoryPlan.h"
#include "fuser/Dialect/IR/BorderOps.h"
#include "fuser/Lowering/LoweringOptions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace fuser {

/// Lowers one kernel: created for it, and of no use afterwards.
///
/// Without a function, it is a query: the same walk with the same checks, which visits the body of
/// an unrolled loop once and creates no op, type or attribute. `placeholder` stands for all values.
class KernelEmitter {
public:
  KernelEmitter(KernelOp kernel, const ExtentAnalysis &extents, LoopNest &nest, EqualIds &equalIds,
                const LoweringOptions &options, mlir::gpu::GPUFuncOp function = {});
  ~KernelEmitter();

  /// Fills the function, if there is one; fails after a diagnostic.
  mlir::LogicalResult emit();

private:
  bool emits() const { return bool(function); }

  //===--- Launch.cpp: the function's arguments and attributes ---===//
  mlir::LogicalResult planLaunch();
  void addKernelArguments();
  mlir::Value addArgument(mlir::Type type, mlir::Attribute bind);
  mlir::Value getSymbol(unsigned symbol);
  mlir::Value getStride(unsigned operand, unsigned dim);
  mlir::Value evaluate(mlir::AffineExpr expr);
  mlir::Value addWorkspace(mlir::AffineExpr bytes, mlir::Type element, bool zeroed);
  /// A pointer as one-dimensional memref.
  mlir::Value viewAsFlat(mlir::Value pointer);
  /// A region of shared memory, and its number.
  std::pair<mlir::Value, unsigned> addSharedMemory(mlir::Operation *owner, int64_t elements,
                                                   mlir::Type element, Timeline::Interval lifetime);
  mlir::LogicalResult checkSharedMemory();
  void finishLaunch();
  int64_t getBlockDim(ParallelType type) const {
    return blockDim[static_cast<unsigned>(type) - static_cast<unsigned>(ParallelType::ThreadX)];
  }
  mlir::AffineExpr getGridDim(ParallelType type) const;
  void keepGridsFromBeingEmpty();
  /// True where the op's iterations, not its reduction, run over a hardware dimension.
  static bool isDistributed(const ScheduledOp &scheduled, ParallelType type);
  /// True where the grid may have more than one block of this type.
  bool isSplit(ParallelType type) const;
  mlir::Value getHardwareIndex(ParallelType type);
  /// Numbers the blocks in the order in which they begin, if some wait for others.
  void orderBlocks();

  //===--- Emitter.cpp: the walk over loops ---===//
  mlir::LogicalResult emitScalars();
  mlir::LogicalResult emitItems(Loop &loop);
  mlir::LogicalResult emitLoop(Loop &loop);
  mlir::LogicalResult emitSerialLoop(Loop &loop);
  mlir::LogicalResult emitUnrolledLoop(Loop &loop);
  mlir::LogicalResult emitUnswitch(Loop &loop);
  bool hasHolesInFront(const Loop &loop) const;
  mlir::LogicalResult emitOp(ScheduledOp &scheduled);
  mlir::LogicalResult checkVector(const ScheduledOp &scheduled);
  /// For an op that collects (ScheduledOp::collects): a reduction, or a scan of tiles.
  mlir::LogicalResult startCollecting(ScheduledOp &scheduled);
  mlir::LogicalResult collectElement(ScheduledOp &scheduled);
  mlir::LogicalResult finishCollecting(ScheduledOp &scheduled);
  void closePredicate();
  void enterPredicate(mlir::Value predicate);

  //===--- Indexing.cpp ---===//
  IdValues getIdValues(const ScheduledOp &scheduled, unsigned vectorElement = 0,
                       int64_t width = 0) const;
  void undo(const DomainTransform &transform, IdValues &ids);
  bool takeEqual(unsigned id, IdValues &ids);
  IdValues deriveIds(const ScheduledOp &scheduled, unsigned vectorElement = 0, int64_t width = 0);
  VectorForm undoForm(const DomainTransform &transform, unsigned input, const IdValues &ids) const;
  /// Values of the producer's ids at the consumer's point.
  IdValues deriveProducerIds(const ScheduledOp &producer, const ScheduledOp &consumer,
                             unsigned operand, const IdValues &consumerIds, const OperandIndex &at);
  void applyForward(const ScheduledOp &scheduled, IdValues &ids, int64_t width);
  void apply(const DomainTransform &transform, IdValues &ids, int64_t width);
  /// Also the ids of an allocation domain.
  IdValues allIds(const ScheduledOp &scheduled, IdValues ids);
  mlir::AffineExpr getExtent(const ScheduledOp &scheduled, unsigned id) const {
    return scheduled.getExtent(id);
  }
  mlir::Value getExtentValue(const ScheduledOp &scheduled, unsigned id) {
    return evaluate(getExtent(scheduled, id));
  }

  //===--- Operands.cpp: where an op reads, and its element ---===//
  mlir::LogicalResult emitElement(ScheduledOp &scheduled);
  /// Where the operand is read at the given ids; checked against its extents where `guarded`.
  /// `whole` has an index for each dimension that is read whole.
  mlir::FailureOr<OperandIndex> indexOperand(const ScheduledOp &scheduled, unsigned operandNumber,
                                             const IdValues &ids, int64_t width,
                                             bool guarded = false, mlir::ValueRange whole = {});
  /// Where the op's element is along a root id: at 0 where a consumer's loops repeat it.
  OperandIndex::Dim indexRoot(const ScheduledOp &scheduled, unsigned root, const IdValues &ids);
  OperandIndex::Dim indexResized(const ScheduledOp &scheduled, const DimMap &map,
                                 const IdValues &ids, int64_t width);
  mlir::FailureOr<OperandIndex::Dim> indexIndirect(const ScheduledOp &scheduled,
                                                   unsigned indexOperand, const IdValues &ids,
                                                   mlir::AffineExpr extent, int64_t width,
                                                   mlir::Value &inside);
  /// True where the map cannot leave an operand's dimension of this extent.
  bool staysInside(const ScheduledOp &scheduled, const DimMap &map, mlir::AffineExpr extent) const;
  /// WholeReads.cpp
  class WholeReader;
  mlir::LogicalResult emitWholeReads(ScheduledOp &scheduled);
  mlir::LogicalResult verifyWholeReads(ScheduledOp &scheduled);
  /// The index of a root id at the op's element, or a vector of it.
  mlir::Value getRootIndex(const ScheduledOp &scheduled, unsigned root, int64_t width);

  //===--- Reads.cpp: what an op reads ---===//
  /// A scalar operand in what holds an element of its type.
  mlir::Value readScalar(mlir::Value operand);
  /// The value of a scalar of the kernel in the function.
  mlir::Value getScalar(mlir::Value scalar) const {
    return emits() ? scalars.lookup(scalar) : placeholder;
  }
  mlir::Value joinChunks(mlir::ValueRange chunks, int64_t width);
  /// The elements of an operand that is read inside of its extents.
  mlir::FailureOr<mlir::Value> readOperand(const ScheduledOp &scheduled, unsigned operandNumber,
                                           int64_t width);
  /// The same for one that may be read outside: memory is touched only where there is an element.
  mlir::FailureOr<ReadResult> readGuarded(const ScheduledOp &scheduled, unsigned operandNumber,
                                          int64_t width);
  /// i1: whether the operand has the element.
  mlir::Value getExists(const OperandIndex &at);
  mlir::FailureOr<ReadResult> readInChunks(const ScheduledOp &scheduled, unsigned operandNumber,
                                           int64_t width, bool guarded);
  mlir::FailureOr<int64_t> getReadWidth(const ScheduledOp &scheduled, unsigned operandNumber,
                                        int64_t width, bool guarded, bool loads);
  mlir::FailureOr<mlir::Value> getInside(const ScheduledOp &scheduled, unsigned operandNumber,
                                         int64_t width);
  /// True where the operand is no value in registers.
  bool isInMemory(mlir::Value operand) const;
  /// True where the consumer reads a kept row behind a reduction over threads that the row feeds.
  bool isReadAgain(const ScheduledOp &producer, const ScheduledOp &consumer);
  /// Bytes of the short elements that a thread loads for reductions over threads.
  int64_t getRowBytes();
  mlir::FailureOr<mlir::Value> load(const ScheduledOp &scheduled, unsigned operandNumber,
                                    const IdValues &ids, const OperandIndex &at, int64_t width);
  mlir::FailureOr<mlir::Value> loadIf(mlir::Value condition, mlir::Type type,
                                      llvm::function_ref<mlir::FailureOr<mlir::Value>()> load);

  //===--- Predicates.cpp ---===//
  /// True where a vector of the op may hold elements that exist beside ones that do not: it was
  /// resized by what is no multiple of the width. All are computed, of zeros where nothing is read.
  bool isRagged(const ScheduledOp &scheduled);
  /// Whether the `ids.width` elements at `ids` of a ragged op exist; nullopt where that differs
  /// among them. Null: they do.
  std::optional<mlir::Value> getRaggedPredicate(const ScheduledOp &scheduled, const IdValues &ids);
  /// The ids whose values may be beyond their extents.
  llvm::SmallVector<unsigned> getBounds(const ScheduledOp &scheduled, const IdValues &ids,
                                        bool ofResult = false);
  /// Everything that must hold for the op's element to exist; null where it always does.
  mlir::Value getBoundsPredicate(const ScheduledOp &scheduled, const IdValues &ids,
                                 bool ofResult = false);
  /// The same for a finished reduction, whose reduction ids are gone.
  mlir::Value getResultPredicate(const ScheduledOp &scheduled, const IdValues &ids) {
    return getBoundsPredicate(scheduled, ids, /*ofResult=*/true);
  }
  /// What keeps redundant threads and blocks from storing; null where nothing is redundant.
  mlir::Value getPredicate(const ScheduledOp &scheduled);
  mlir::Value getStorePredicate(const ScheduledOp &scheduled);
  mlir::Value getUnswitchPredicate(Loop &loop);
  bool touchesMemory(const ScheduledOp &scheduled) const;

  //===--- Memory.cpp ---===//
  mlir::LogicalResult placeSharedBuffers();
  mlir::FailureOr<int64_t> addDims(const ScheduledOp &scheduled, Buffer &buffer);
  /// An array in the registers of a thread.
  mlir::Value addRegisters(int64_t elements, mlir::Type element);
  mlir::FailureOr<Buffer *> getBuffer(const ScheduledOp &scheduled);
  mlir::FailureOr<Access> accessBuffer(const ScheduledOp &owner, unsigned result,
                                       const IdValues &ids, int64_t width);
  mlir::FailureOr<Access> accessOperand(const ScheduledOp &scheduled, unsigned operandNumber,
                                        const IdValues &ids, const OperandIndex &at, int64_t width);
  mlir::LogicalResult writeResult(ScheduledOp &scheduled, unsigned result, mlir::Value value,
                                  const IdValues &ids, int64_t width);
  mlir::LogicalResult writeRagged(ScheduledOp &scheduled, unsigned result, mlir::Value value);
  mlir::Value loadScalar(const Access &access, mlir::Type element);
  mlir::Value loadVector(const Access &access, mlir::Type element, int64_t width);
  void store(const Access &access, mlir::Value value);
  mlir::Value splat(mlir::Value scalar, int64_t width);
  mlir::Value getLane(mlir::Value vector, int64_t lane);
  int64_t getWidth(const ScheduledOp &scheduled) const;

  //===--- GlobalMemory.cpp ---===//
  /// Argument `operand`, or an output behind the arguments.
  GlobalMemory &getOperandMemory(unsigned operand);
  GlobalMemory &getWorkspace(const ScheduledOp &producer, unsigned result);
  mlir::FailureOr<Access> accessGlobal(mlir::Operation *user, const GlobalMemory &memory,
                                       llvm::SmallVector<OffsetTerm> terms, int64_t width,
                                       bool mayBeScattered = false);
  mlir::FailureOr<Access> accessArgument(const ScheduledOp &user, unsigned operandNumber,
                                         const IdValues &ids, const OperandIndex &at,
                                         int64_t width);
  /// A value of the kernel in global memory, of which `ids` are known, from `user`.
  mlir::FailureOr<Access> accessGlobalValue(mlir::Operation *user, const ScheduledOp &producer,
                                            unsigned result, IdValues ids, int64_t width,
                                            bool mayBeScattered = false);

  /// What is known to divide the stride of an output along a dimension that is not contiguous.
  int64_t getOutputStrideDivisor(unsigned output, unsigned dim) const;

  //===--- Borders.cpp ---===//
  class BorderEmitter;
  void emitBorders();

  //===--- Scans.cpp ---===//
  mlir::LogicalResult startScan(ScheduledOp &scheduled);
  mlir::LogicalResult emitScanned(ScheduledOp &scheduled);
  mlir::LogicalResult emitScannedUnit(ScheduledOp &scheduled);
  mlir::LogicalResult writeResults(ScheduledOp &scheduled, mlir::ValueRange results);
  bool hasHolesInside(const ScheduledOp &scheduled, const IdValues &ids);

  //===--- TileScan.cpp ---===//
  class TileScan;
  /// TileScan.cpp, ChainedScan.cpp
  mlir::FailureOr<TileScan *> getTileScan(ScheduledOp &scheduled);
  mlir::LogicalResult startTile(ScheduledOp &scheduled);

  //===--- Reductions.cpp ---===//
  struct Accumulators;
  /// One tuple of `types` for each index of the op's loops from `position` on, those aside over ids
  /// for which `isFolded` holds; each is set to `initial` (scalars).
  mlir::LogicalResult openAccumulators(ScheduledOp &scheduled, unsigned position,
                                       llvm::function_ref<bool(unsigned id)> isFolded,
                                       llvm::ArrayRef<mlir::Type> types, mlir::ValueRange initial);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> readOperands(const ScheduledOp &scheduled);
  /// Where the tuple of the loops' indices begins.
  mlir::Value getTupleOffset(const Accumulators &state);
  llvm::SmallVector<mlir::Value> loadTuple(const Accumulators &state, mlir::Value offset,
                                           llvm::ArrayRef<mlir::Type> types);
  void storeTuple(const Accumulators &state, mlir::Value offset, mlir::ValueRange tuple);
  mlir::LogicalResult startReduction(ScheduledOp &scheduled, unsigned position);
  mlir::LogicalResult accumulate(ScheduledOp &scheduled);
  mlir::LogicalResult finishReduction(ScheduledOp &scheduled, unsigned position);
  mlir::LogicalResult storeReduced(ScheduledOp &scheduled, mlir::ValueRange results,
                                   unsigned position);
  llvm::SmallVector<mlir::Value> foldLanes(ScheduledOp &scheduled,
                                           llvm::ArrayRef<mlir::Value> tuple, int64_t width);
  using Tuples = llvm::SmallVector<llvm::SmallVector<mlir::Value>>;
  /// How many tuples there are, how many lanes each has, and what its components are.
  struct TupleShape {
    int64_t count, lanes;
    llvm::SmallVector<mlir::Type> elements;
  };
  static TupleShape getShape(const Tuples &tuples);
  /// How the threads of a block combine: by shuffles over thread_x, then through slots in shared
  /// memory over other dimensions.
  struct BlockPlan {
    bool shuffles = false;
    llvm::SmallVector<ParallelType> throughShared;
  };
  BlockPlan planBlock(llvm::ArrayRef<ParallelType> types) const;
  void combineWarp(ScheduledOp &scheduled, Tuples &tuples, int64_t lanes);
  void combineThreadX(ScheduledOp &scheduled, Tuples &tuples);
  void combineThreadsThroughShared(ScheduledOp &scheduled, Tuples &tuples,
                                   llvm::ArrayRef<ParallelType> types);
  void combineBlock(ScheduledOp &scheduled, Tuples &tuples, llvm::ArrayRef<ParallelType> types);
  struct GridExchange;
  GridExchange planGridExchange(const ScheduledOp &scheduled, llvm::ArrayRef<ParallelType> threads,
                                llvm::ArrayRef<ParallelType> blocks);
  llvm::ArrayRef<mlir::Value> getGridWorkspace(const ScheduledOp &scheduled, const Tuples &tuples,
                                               const GridExchange &grid);
  mlir::Value meetBlocks(const ScheduledOp &scheduled, const GridExchange &grid);
  void combineGrid(ScheduledOp &scheduled, Tuples &tuples, llvm::ArrayRef<ParallelType> threads,
                   llvm::ArrayRef<ParallelType> blocks);
  Exchange &getExchange(ScheduledOp &scheduled, const TupleShape &shape, int64_t slots,
                        unsigned stage);
  int64_t getNumWarpSlots() const;
  Exchange &getWarpExchange(ScheduledOp &scheduled, const TupleShape &shape);
  Exchange &getThreadExchange(ScheduledOp &scheduled, const TupleShape &shape);
  /// What `combineBlock` needs of shared memory.
  void placeExchanges(ScheduledOp &scheduled, const TupleShape &shape,
                      llvm::ArrayRef<ParallelType> types);
  /// Waits until the exchange may be accessed.
  void beginUse(ScheduledOp &scheduled, const Exchange &exchange, bool writes);
  /// Index and number of the iterations of the loops that a reduction is finished in.
  std::pair<mlir::Value, mlir::AffineExpr> getIteration(const ScheduledOp &scheduled);
  static llvm::SmallVector<mlir::Value> flatten(const Tuples &tuples);
  static Tuples unflatten(const Tuples &like, mlir::ValueRange values);
  void storeTuples(const Tuples &tuples, llvm::ArrayRef<mlir::Value> memory, mlir::Value slot,
                   mlir::Value slots);
  Tuples loadTuples(const Tuples &like, llvm::ArrayRef<mlir::Value> memory, mlir::Value slot,
                    mlir::Value slots, bool throughL2);
  Tuples combine(ScheduledOp &scheduled, const Tuples &lhs, const Tuples &rhs);
  Tuples identityLike(ScheduledOp &scheduled, const Tuples &like);
  llvm::SmallVector<ParallelType> getReductionTypes(const ScheduledOp &scheduled,
                                                    bool (*isType)(ParallelType)) const;
  mlir::Value getReducedCount(const ScheduledOp &scheduled);

  //===--- Synchronization.cpp ---===//
  void collectReads(const ScheduledOp &scheduled, llvm::SmallVectorImpl<MemoryUse> &uses);
  void collectWrites(const ScheduledOp &scheduled, llvm::SmallVectorImpl<MemoryUse> &uses);
  void collectUsesOf(const ScheduledOp &producer, const ScheduledOp &user, bool writes,
                     llvm::SmallVectorImpl<MemoryUse> &uses);
  void collectUses(const LoopItem &item, llvm::SmallVectorImpl<MemoryUse> &uses);
  SyncLevel getLevelOfGlobal(const ScheduledOp &producer, const ScheduledOp &consumer);
  SyncLevel getConflict(const MemoryUse &earlier, const MemoryUse &later);
  /// Puts the barrier here that an item, or accesses, need.
  void synchronizeBefore(const LoopItem &item);
  void synchronizeBefore(llvm::ArrayRef<MemoryUse> uses);
  void note(llvm::ArrayRef<MemoryUse> uses);
  void synchronize(SyncLevel level);
  /// True where threads wait for each other below the loop.
  bool needsBarriers(const Loop &loop);
  bool finishesCollecting(const Loop &loop, const Loop &top) const;
  bool combinesThreads(const ScheduledOp &scheduled) const;
  static bool isInside(const Loop &inner, const Loop &outer);

  /// While it lives, code is located at an op.
  class LocationScope {
  public:
    LocationScope(KernelEmitter &emitter, mlir::Operation *op)
        : emitter(emitter), outer(emitter.loc) {
      set(op->getLoc());
    }
    ~LocationScope() { set(outer); }
    LocationScope(const LocationScope &) = delete;

  private:
    void set(mlir::Location loc) {
      emitter.loc = loc;
      emitter.index.setLoc(loc);
    }
    KernelEmitter &emitter;
    mlir::Location outer;
  };

  KernelOp kernel;
  const ExtentAnalysis &extents;
  LoopNest &nest;
  EqualIds &equalIds;
  mlir::gpu::GPUFuncOp function;
  const LoweringOptions &options;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::Block *entry;
  /// Holds the placeholder of a query.
  mlir::Block nowhere;
  mlir::Value placeholder;
  IndexBuilder index;

  // Launch.
  int64_t blockDim[3] = {1, 1, 1};
  mlir::AffineExpr gridDim[3];
  llvm::DenseMap<mlir::Attribute, mlir::Value> boundArguments;
  llvm::SmallVector<mlir::AffineExpr> workspaces;
  mlir::Value dynamicShared;
  llvm::SmallVector<mlir::Value> pointers;
  llvm::DenseMap<unsigned, GlobalMemory> operandMemory;
  llvm::DenseMap<unsigned, mlir::Value> hardwareIndices;

  // The walk.
  mlir::IRMapping scalars;
  llvm::DenseMap<const Loop *, mlir::Value> loopIndex;
  mlir::Value openPredicate;
  mlir::scf::IfOp openIf;
  std::unique_ptr<IndexBuilder::Scope> openScope;
  bool predicatesOff = false;

  // Memory.
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Buffer>> buffers;
  /// Output positions of a value.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned>> outputsOf;
  /// Values in global memory that are no output.
  llvm::DenseMap<mlir::Value, GlobalMemory> workspaceOf;
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, bool> readAgain;
  std::optional<int64_t> rowBytes;

  // Reductions.
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Accumulators>> accumulators;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<TileScan>> tileScans;
  std::optional<GridResults> gridResults;
  /// By reduction over blocks: its workspaces, the counter of arrivals, and whether this block was
  /// the last.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>> gridWorkspaces;
  llvm::DenseMap<mlir::Operation *, mlir::Value> gridCounters;
  llvm::DenseMap<mlir::Operation *, mlir::Value> isLastBlock;
  /// By reduction and stage.
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, Exchange> exchanges;

  // Synchronisation.
  Timeline timeline;
  SharedMemoryPlan sharedMemory;
  Hazards hazards;
  /// Set once blocks wait for each other: then the launch is cooperative.
  mlir::Value gridCounter;
};

inline constexpr ParallelType kThreadTypes[] = {ParallelType::ThreadX, ParallelType::ThreadY,
                                                ParallelType::ThreadZ};
inline constexpr ParallelType kBlockTypes[] = {ParallelType::BlockX, ParallelType::BlockY,
                                               ParallelType::BlockZ};

/// Bytes to which the runtime aligns a workspace, and of the widest access there is.
inline constexpr int64_t kWorkspaceAlignment = 16;
inline constexpr int64_t kWidestAccess = 16;

/// Elements of a vector, 1 for a scalar.
int64_t getNumLanes(mlir::Value value);

} // namespace fuser

#endif // FUSER_LIB_LOWERING_KERNELEMITTER_H
