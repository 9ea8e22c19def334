//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "WorkEstimate.h"

#include "fuser/Dialect/Kernel/KernelDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuser;
using kernel_ir::FuserGPUDialect;

/// What an iteration costs that accesses registers alone, in accesses.
static constexpr double kCostOfIteration = 1.0 / 32;

namespace {

/// Counts in one kernel.
class AccessCounter {
public:
  /// `sizes` are those of the operands of the launch; what is not known of them is 1.
  AccessCounter(gpu::GPUFuncOp function, ArrayRef<SmallVector<int64_t>> sizes)
      : function(function), sizes(sizes) {}

  double count();

private:
  int64_t lookup(Attribute bind) const;
  void readLaunch();
  std::optional<int64_t> evaluate(Value value);
  double getShare(Value condition);
  double getTrips(scf::ForOp loop);
  double count(Block &block, double times);

  gpu::GPUFuncOp function;
  ArrayRef<SmallVector<int64_t>> sizes;
  int64_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  llvm::DenseMap<Value, std::optional<int64_t>> known;
};

} // namespace

int64_t AccessCounter::lookup(Attribute bind) const {
  auto size = dyn_cast_if_present<kernel_ir::SizeAttr>(bind);
  if (!size || size.getOperand() >= int64_t(sizes.size()))
    return 1;
  ArrayRef<int64_t> dims = sizes[size.getOperand()];
  return size.getDim() < int64_t(dims.size()) ? dims[size.getDim()] : 1;
}

void AccessCounter::readLaunch() {
  auto launch = function->getAttrOfType<kernel_ir::LaunchAttr>(FuserGPUDialect::kLaunch);
  SmallVector<Attribute> symbols;
  for (Attribute symbol : launch.getSymbols())
    symbols.push_back(IntegerAttr::get(IndexType::get(function.getContext()), lookup(symbol)));
  SmallVector<Attribute> dims;
  if (succeeded(launch.getGrid().constantFold(symbols, dims)))
    for (auto [dim, value] : llvm::zip(grid, dims))
      dim = cast<IntegerAttr>(value).getInt();
  if (auto known = function.getKnownBlockSize())
    llvm::copy(*known, block);
}

/// An integer that depends on sizes only.
std::optional<int64_t> AccessCounter::evaluate(Value value) {
  auto [it, isNew] = known.try_emplace(value);
  if (!isNew)
    return it->second;
  std::optional<int64_t> result;
  APInt constant;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == &function.getBody().front())
      result = lookup(function.getArgAttr(argument.getArgNumber(), FuserGPUDialect::kBind));
  } else if (matchPattern(value, m_ConstantInt(&constant))) {
    result = constant.getSExtValue();
  } else if (isMemoryEffectFree(value.getDefiningOp()) && !value.getDefiningOp()->getNumRegions()) {
    SmallVector<Attribute> operands;
    for (Value operand : value.getDefiningOp()->getOperands()) {
      std::optional<int64_t> number =
          operand.getType().isIntOrIndex() ? evaluate(operand) : std::nullopt;
      operands.push_back(number ? IntegerAttr::get(operand.getType(), *number) : Attribute());
    }
    SmallVector<OpFoldResult> folded;
    if (succeeded(value.getDefiningOp()->fold(operands, folded)) && folded.size() == 1)
      if (auto number = dyn_cast_if_present<IntegerAttr>(dyn_cast<Attribute>(folded.front())))
        result = number.getValue().getSExtValue();
  }
  return known[value] = result;
}

/// The part of all threads and blocks for which a condition may hold.
double AccessCounter::getShare(Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>())
    return getShare(both.getLhs()) * getShare(both.getRhs());
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return 1;
  for (Value side : {compare.getLhs(), compare.getRhs()}) {
    if (auto thread = side.getDefiningOp<gpu::ThreadIdOp>())
      return 1.0 / block[unsigned(thread.getDimension())];
    if (auto id = side.getDefiningOp<gpu::BlockIdOp>())
      return 1.0 / grid[unsigned(id.getDimension())];
  }
  return 1;
}

double AccessCounter::getTrips(scf::ForOp loop) {
  const int64_t begin = evaluate(loop.getLowerBound()).value_or(0);
  const int64_t end = evaluate(loop.getUpperBound()).value_or(begin + 1);
  const int64_t step = std::max<int64_t>(evaluate(loop.getStep()).value_or(1), 1);
  return std::max<int64_t>(llvm::divideCeil(std::max<int64_t>(end - begin, 0), step), 0);
}

/// True for an access to memory that is no array of a thread, and where threads meet.
static bool isAsked(Operation &op) {
  if (isa<gpu::BarrierOp, kernel_ir::ShuffleOp>(op))
    return true;
  if (isa<ViewLikeOpInterface>(op))
    return false;
  return llvm::any_of(op.getOperands(), [](Value operand) {
    return isa<MemRefType>(operand.getType()) && !operand.getDefiningOp<memref::AllocaOp>();
  });
}

double AccessCounter::count(Block &block, double times) {
  double sum = 0;
  for (Operation &op : block) {
    if (isAsked(op))
      sum += times;
    double inside = times;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      inside *= getTrips(loop);
      sum += inside * kCostOfIteration;
    }
    for (Region &region : op.getRegions()) {
      auto choice = dyn_cast<scf::IfOp>(op);
      const bool isThen = choice && &region == &choice.getThenRegion();
      for (Block &body : region)
        sum += count(body, isThen ? inside * getShare(choice.getCondition()) : inside);
    }
  }
  return sum;
}

double AccessCounter::count() {
  readLaunch();
  double threads = 1;
  for (int64_t size : {grid[0], grid[1], grid[2], block[0], block[1], block[2]})
    threads *= double(size);
  return count(function.getBody().front(), threads);
}

/// "96,4x8"
static SmallVector<SmallVector<int64_t>> parseSizes(StringRef text) {
  SmallVector<SmallVector<int64_t>> sizes;
  for (StringRef argument : llvm::split(text, ',')) {
    SmallVector<int64_t> &dims = sizes.emplace_back();
    for (StringRef size : llvm::split(argument, 'x'))
      if (int64_t number = 0; !size.getAsInteger(10, number))
        dims.push_back(number);
  }
  return sizes;
}

double fuser::fuzz::countAccesses(ModuleOp lowered, StringRef sizes) {
  SmallVector<SmallVector<int64_t>> arguments = parseSizes(sizes);
  double sum = 0;
  lowered.walk([&](LaunchOp launch) {
    auto function =
        SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(launch, launch.getKernelAttr());
    if (!function)
      return;
    // A fusion that is scheduled as a whole is one kernel on its arguments.
    SmallVector<SmallVector<int64_t>> operands;
    for (Value input : launch.getInputs()) {
      auto argument = dyn_cast<BlockArgument>(input);
      const bool isKnown = argument && argument.getArgNumber() < arguments.size();
      operands.push_back(isKnown ? arguments[argument.getArgNumber()] : SmallVector<int64_t>());
    }
    sum += AccessCounter(function, operands).count();
  });
  return sum;
}
