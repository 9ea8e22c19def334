//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ExpandKernel.h"
#include "KernelOperands.h"
#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

ExpandedKernel::ExpandedKernel(loop::KernelOp kernel, gpu::GPUFuncOp function)
    : kernel(kernel), function(function), loc(kernel.getLoc()), entry(&function.getBody().front()),
      builder(OpBuilder::atBlockEnd(entry)), index(builder, entry, loc), facts(kernel) {
  assumeLaunch();
  addOperands();
  addWorkspaces();
}

/// A kernel runs only where its grid has blocks.
void ExpandedKernel::assumeLaunch() {
  const AffineMap grid = *kernel.getGrid();
  const AffineExpr zero = builder.getAffineConstantExpr(0);
  for (unsigned number : llvm::seq(grid.getNumSymbols())) {
    const AffineExpr symbol = builder.getAffineSymbolExpr(number);
    const bool isPositive = llvm::any_of(
        grid.getResults(), [&](AffineExpr blocks) { return blocks.replace(symbol, zero) == zero; });
    launched.push_back(isPositive ? symbol + 1 : symbol);
  }
}

/// A lower bound of a divisor where the kernel runs, whatever its loops and branches are.
int64_t ExpandedKernel::getLeast(AffineExpr divisor, ValueRange indices, unsigned numDims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(divisor))
    return constant.getValue();
  const AffineExpr lifted = facts.lift(divisor, indices, numDims);
  return std::max(facts.getRange(lifted).lower,
                  facts.getRange(lifted.replaceSymbols(launched)).lower);
}

/// Pointers and scalars come first, in the order of the kernel's operands.
void ExpandedKernel::addOperands() {
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    loop::BindingAttr binding = kernel.getBinding(argument.getArgNumber());
    auto buffer = dyn_cast<loop::BufferType>(argument.getType());
    if (!buffer) {
      if (isa<kernel_ir::ScalarAttr>(binding.getSource()) &&
          !arguments.contains(binding.getSource()))
        values[argument] = addArgument(argument.getType(), binding.getSource());
      continue;
    }
    values[argument] = addArgument(MemRefType::get({}, getStorageType(buffer.getElementType())),
                                   binding.getSource());
    const unsigned number = function.getNumArguments() - 1;
    if (binding.getReadonly())
      function.setArgAttr(number, FuserGPUDialect::kReadonly, builder.getUnitAttr());
    if (binding.getNoalias())
      function.setArgAttr(number, FuserGPUDialect::kNoalias, builder.getUnitAttr());
    const uint64_t alignment = llvm::bit_floor(uint64_t(binding.getAlignment()));
    function.setArgAttr(number, FuserGPUDialect::kAlign, builder.getI64IntegerAttr(alignment));
  }
}

/// Numbered in the order of the text.
void ExpandedKernel::addWorkspaces() {
  const SmallVector<Value> symbols = kernel.getSymbols();
  for (auto buffer : kernel.getBlock().getOps<loop::BufferOp>()) {
    if (!buffer.isWorkspace())
      continue;
    SmallVector<AffineExpr> numbers = llvm::map_to_vector(buffer.getIndices(), [&](Value index) {
      return getAffineSymbolExpr(llvm::find(symbols, index) - symbols.begin(), buffer.getContext());
    });
    AffineExpr bytes = getAffineConstantExpr(buffer.getElementBytes(), buffer.getContext());
    for (AffineExpr extent : buffer.getExtents()->getResults())
      bytes = bytes * extent.replaceSymbols(numbers);
    values[buffer] = addArgument(
        MemRefType::get({}, getStorageType(buffer.getType().getElementType())),
        kernel_ir::WorkspaceAttr::get(buffer.getContext(), workspaces.size(), buffer.getZeroed()));
    workspaces.push_back(bytes);
    function.setArgAttr(function.getNumArguments() - 1, FuserGPUDialect::kAlign,
                        builder.getI64IntegerAttr(kWorkspaceAlignment));
  }
}

void ExpandedKernel::synchronizeGrid(Value counter) {
  kernel_ir::GridSyncOp::create(builder, loc, getMemory(counter), ValueRange{index.constant(0)});
  cooperative = true;
}

Value ExpandedKernel::addArgument(Type type, Attribute source) {
  Value &slot = arguments[source];
  if (slot)
    return slot;
  const unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, type, builder.getDictionaryAttr({}), loc);
  function.setArgAttr(number, FuserGPUDialect::kBind, source);
  return slot = function.getArgument(number);
}

Value ExpandedKernel::getTensorMap(ArrayAttr map) {
  // Several boxes of one operand are several arguments.
  Value &slot = arguments[map];
  if (!slot) {
    Value added = addArgument(cast<TypeAttr>(map[0]).getValue(), map[1]);
    arguments.erase(map[1]);
    arguments[map] = added;
    return added;
  }
  return slot;
}

Value ExpandedKernel::lookup(Value value) {
  Value &expanded = values[value];
  if (expanded)
    return expanded;
  auto argument = cast<BlockArgument>(value);
  expanded =
      addArgument(argument.getType(), kernel.getBinding(argument.getArgNumber()).getSource());
  // A size that a scalar of another width states.
  if (!expanded.getType().isIndex()) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    expanded = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), expanded);
  }
  return expanded;
}

int64_t ExpandedKernel::getAlignment(BlockArgument buffer, AffineExpr offset, ValueRange indices,
                                     unsigned numDims) {
  ExprReplacement known;
  for (Value each : indices)
    if (std::optional<int64_t> constant = index.getConstant(values.lookup(each)))
      known[facts.getExpr(each)] = builder.getAffineConstantExpr(*constant);
  const int64_t bytes = getElementBytes(cast<loop::BufferType>(buffer.getType()).getElementType());
  const int64_t divisor = facts.getDivisor(facts.lift(offset, indices, numDims).replace(known));
  const int64_t ofBuffer = kernel.getBinding(buffer.getArgNumber()).getAlignment();
  return std::gcd(std::gcd(kWidestAccess, ofBuffer), divisor * bytes);
}

Value ExpandedKernel::evaluate(AffineExpr expr, ValueRange indices, unsigned numDims) {
  auto getLeaf = [&](AffineExpr leaf) {
    if (auto dim = dyn_cast<AffineDimExpr>(leaf))
      return lookup(indices[dim.getPosition()]);
    return lookup(indices[numDims + cast<AffineSymbolExpr>(leaf).getPosition()]);
  };
  return index.expr(expr, getLeaf,
                    [&](AffineExpr divisor) { return getLeast(divisor, indices, numDims); });
}

Value ExpandedKernel::toIndex(Value integer) {
  const Type i64 = builder.getI64Type();
  if (integer.getType() != i64)
    integer = arith::ExtSIOp::create(builder, loc, i64, integer);
  Value cast = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), integer);
  data[cast] = integer;
  return index.define(cast);
}

/// lhs < rhs, unsigned; null where it is always true. Data is compared before it becomes an
/// `index`, which may be shorter.
Value ExpandedKernel::lessThan(Value lhs, Value rhs) {
  if (Value integer = data.lookup(lhs)) {
    Value bound = arith::IndexCastUIOp::create(builder, loc, builder.getI64Type(), rhs);
    return index.define(
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, integer, bound));
  }
  // The induction variable of a loop up to the bound.
  auto argument = dyn_cast<BlockArgument>(lhs);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && loop.getUpperBound() == rhs ? Value() : index.lessThan(lhs, rhs);
}

/// A constraint in terms of bounds that branches around the op check. The indices of lanes are
/// constants.
Constraint ExpandedKernel::useBranches(Constraint constraint, Operation *at) {
  ExprReplacement known;
  for (Operation *parent = at; parent; parent = parent->getParentOp()) {
    if (auto loop = dyn_cast<loop::ForOp>(parent))
      if (std::optional<int64_t> lane = index.getConstant(values.lookup(loop.getInductionVar())))
        known[facts.getExpr(loop.getInductionVar())] = builder.getAffineConstantExpr(*lane);
    auto branch = dyn_cast_if_present<loop::IfOp>(parent->getParentOp());
    if (!branch || parent->getParentRegion() != &branch.getBody())
      continue;
    for (const Constraint &given : facts.lift(branch.getGuard(), branch.getIndices())) {
      auto bound = dyn_cast<AffineConstantExpr>(given.rhs);
      if (given.kind != loop::ConstraintKind::Less || !isa<AffineDimExpr>(given.lhs) || !bound)
        continue;
      // The only index of a loop is 0, which all numbers divide.
      const int64_t divisor = facts.getDivisor(given.lhs);
      if (divisor == 0)
        continue;
      AffineExpr &bounded = boundedIndices[{given.lhs, bound.getValue()}];
      if (!bounded)
        bounded = facts.addDim({0, bound.getValue() - 1}, divisor);
      known.try_emplace(given.lhs, bounded);
    }
  }
  constraint.lhs = constraint.lhs.replace(known);
  constraint.rhs = constraint.rhs.replace(known);
  return constraint;
}

/// True if the range of an index is outside of its bounds.
bool ExpandedKernel::isRefuted(const Constraint &constraint) const {
  if (constraint.kind != loop::ConstraintKind::Less)
    return false;
  const IntegerRange range = facts.getRange(constraint.lhs);
  const std::optional<int64_t> bound = facts.getConstant(constraint.rhs);
  return range.upper < 0 || (bound && range.lower >= *bound);
}

std::optional<Value> ExpandedKernel::evaluate(loop::ConstraintsAttr constraints, ValueRange indices,
                                              Operation *at) {
  const unsigned numDims = constraints.getBounds().getNumDims();
  const Constraints lifted = at ? facts.lift(constraints, indices) : Constraints();
  Value all;
  for (auto [number, kind] : llvm::enumerate(constraints.getKinds())) {
    if (at) {
      const Constraint known = useBranches(lifted[number], at);
      if (facts.isProved(known))
        continue;
      if (isRefuted(known))
        return std::nullopt;
    }
    Value lhs = evaluate(constraints.getLhs(number), indices, numDims);
    Value rhs = evaluate(constraints.getRhs(number), indices, numDims);
    const bool isLess = kind == loop::ConstraintKind::Less;
    std::optional<int64_t> a = index.getConstant(lhs), b = index.getConstant(rhs);
    if (a && b) {
      if (isLess ? *a < 0 || *a >= *b : *a != *b)
        return std::nullopt;
      continue;
    }
    all = index.both(all, isLess ? lessThan(lhs, rhs) : index.equal(lhs, rhs));
  }
  return all;
}

Value ExpandedKernel::getHardwareIndex(ParallelType type) {
  Value &slot = hardwareIndices[static_cast<unsigned>(type)];
  if (slot)
    return slot;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  return slot = buildHardwareIndex(type);
}

/// In a kernel with clusters, block_x has a cluster for each index.
Value ExpandedKernel::buildHardwareIndex(ParallelType type) {
  if (type == ParallelType::ClusterX)
    return gpu::ClusterBlockIdOp::create(builder, loc, gpu::Dimension::x);
  if (type == ParallelType::BlockX && kernel.getCluster())
    return gpu::ClusterIdOp::create(builder, loc, gpu::Dimension::x);
  const bool isThread = isThreadType(type);
  const unsigned first =
      static_cast<unsigned>(isThread ? ParallelType::ThreadX : ParallelType::BlockX);
  auto dimension = static_cast<gpu::Dimension>(static_cast<unsigned>(type) - first);
  if (isThread)
    return gpu::ThreadIdOp::create(builder, loc, dimension);
  return gpu::BlockIdOp::create(builder, loc, dimension);
}

/// Threads of a block are adjacent, and so are those of a cluster.
std::pair<Value, Value> ExpandedKernel::getThread() {
  if (thread.first)
    return thread;
  Value number = index.constant(0), count = index.constant(1);
  auto append = [&](ParallelType type, Value extent) {
    if (index.getConstant(extent) == 1)
      return;
    number = index.add(index.mul(number, extent), getHardwareIndex(type));
    count = index.mul(count, extent);
  };
  const SmallVector<Value> symbols = kernel.getSymbols();
  for (unsigned axis : {2, 1, 0})
    append(ParallelType(unsigned(ParallelType::BlockX) + axis),
           evaluate(kernel.getGrid()->getResult(axis), symbols, /*numDims=*/0));
  append(ParallelType::ClusterX, index.constant(kernel.getClusterBlocks()));
  for (unsigned axis : {2, 1, 0})
    append(ParallelType(unsigned(ParallelType::ThreadX) + axis),
           index.constant((*kernel.getThreads())[axis]));
  return thread = {number, count};
}

Value ExpandedKernel::getMemory(Value buffer) {
  Value &memory = memories[buffer];
  if (memory)
    return memory;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  Value pointer = values[buffer];
  // The size is only a bound for readers; the largest index type value is always one.
  Value size = arith::ConstantIndexOp::create(builder, loc, std::numeric_limits<int32_t>::max());
  auto type =
      MemRefType::get({ShapedType::kDynamic}, cast<MemRefType>(pointer.getType()).getElementType(),
                      StridedLayoutAttr::get(builder.getContext(), 0, {1}));
  return memory = memref::ReinterpretCastOp::create(
             builder, loc, type, pointer, OpFoldResult(builder.getIndexAttr(0)),
             ArrayRef<OpFoldResult>{size}, ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

Value ExpandedKernel::addRegisters(int64_t elements, Type element) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  return memref::AllocaOp::create(
      builder, loc, MemRefType::get({std::max<int64_t>(elements, 1)}, getStorageType(element)),
      builder.getI64IntegerAttr(16));
}

Value ExpandedKernel::addShared(loop::BufferOp buffer) {
  OpBuilder::InsertionGuard guard(builder);
  const int64_t begin = *buffer.getOffset();
  sharedBytes = std::max(sharedBytes, begin + buffer.getNumBytes());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  if (!shared) {
    builder.setInsertionPointToStart(entry);
    shared = gpu::DynamicSharedMemoryOp::create(
        builder, loc,
        MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(), MemRefLayoutAttrInterface(),
                        space));
  }
  builder.setInsertionPointAfterValue(shared);
  Value offset = arith::ConstantIndexOp::create(builder, loc, begin);
  auto type =
      MemRefType::get({buffer.getNumElements()}, getStorageType(buffer.getType().getElementType()),
                      MemRefLayoutAttrInterface(), space);
  return memref::ViewOp::create(builder, loc, type, shared, offset, ValueRange());
}

/// Those of a cooperative launch, which are resident at once, if their number is a constant and
/// several share a multiprocessor. `multiprocessors`: of the device; 0 if unknown.
std::optional<int64_t> ExpandedKernel::getBlocksPerMultiprocessor(int64_t multiprocessors) {
  if (!cooperative || multiprocessors <= 0)
    return std::nullopt;
  int64_t blocks = 1;
  for (AffineExpr extent : (*kernel.getGrid()).getResults()) {
    const std::optional<int64_t> constant = facts.getConstant(extent);
    if (!constant)
      return std::nullopt;
    blocks *= *constant;
  }
  const int64_t each = llvm::divideCeil(blocks, multiprocessors);
  return each > 1 ? std::optional(each) : std::nullopt;
}

void ExpandedKernel::finish(int64_t multiprocessors) {
  MLIRContext *context = builder.getContext();
  // The symbols of the grid that occur, renumbered.
  AffineMap grid = *kernel.getGrid();
  SmallVector<Value> all = kernel.getSymbols();
  llvm::SmallSetVector<unsigned, 4> used;
  SmallVector<AffineExpr> exprs(grid.getResults());
  llvm::append_range(exprs, workspaces);
  for (AffineExpr expr : exprs)
    expr.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        used.insert(symbol.getPosition());
    });
  SmallVector<AffineExpr> renumbered(all.size(), getAffineConstantExpr(0, context));
  SmallVector<Attribute> symbols;
  for (unsigned symbol : used) {
    renumbered[symbol] = getAffineSymbolExpr(symbols.size(), context);
    symbols.push_back(
        kernel.getBinding(cast<BlockArgument>(all[symbol]).getArgNumber()).getSource());
  }
  grid = grid.replaceDimsAndSymbols({}, renumbered, 0, symbols.size());
  SmallVector<AffineMap> workspaceBytes = llvm::map_to_vector(workspaces, [&](AffineExpr bytes) {
    return AffineMap::get(0, symbols.size(), bytes.replaceSymbols(renumbered), context);
  });
  SmallVector<int64_t> cluster;
  if (kernel.getCluster()) {
    cluster = {kernel.getClusterBlocks(), 1, 1};
    grid = AffineMap::get(
        0, symbols.size(),
        {grid.getResult(0) * cluster.front(), grid.getResult(1), grid.getResult(2)}, context);
  }
  loop::RolesOp roles = loop::RolesOp::find(kernel);
  // The registers that the launch gives follow from the blocks of a multiprocessor.
  const std::optional<int64_t> minBlocks = roles && roles.hasRegisters()
                                               ? std::optional<int64_t>(1)
                                               : getBlocksPerMultiprocessor(multiprocessors);
  const int64_t bytes = llvm::alignTo(sharedBytes, loop::kSharedAlignment);
  AffineMap smem =
      AffineMap::get(0, symbols.size(), getAffineConstantExpr(bytes, context), context);
  function->setAttr(FuserGPUDialect::kLaunch,
                    kernel_ir::LaunchAttr::get(context, grid, symbols, smem, workspaceBytes,
                                               cooperative, cluster, minBlocks, /*parts=*/{}));
  SmallVector<int32_t> block(kernel.getThreads()->begin(), kernel.getThreads()->end());
  if (roles) {
    int32_t &slowest =
        block[unsigned(loop::RolesOp::getSlowestType(kernel)) - unsigned(ParallelType::ThreadX)];
    const int64_t row = ShapedType::getNumElements(*kernel.getThreads()) / slowest;
    slowest += int32_t(int64_t(roles.getThreads()) / row);
  }
  function.setKnownBlockSizeAttr(DenseI32ArrayAttr::get(context, block));
}
