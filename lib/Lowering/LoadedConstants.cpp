//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Constants next to loads, in the registers of what is loaded.
//
//===----------------------------------------------------------------------===//

#include "LoadedConstants.h"
#include "CommonGuards.h"
#include "ExpandRareValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fuser;

/// The branch of which the value is a result that it loads from an argument; null if there is none.
static scf::IfOp getLoadingBranch(Value value) {
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return {};
  Operation *load =
      branch.thenYield().getOperand(cast<OpResult>(value).getResultNumber()).getDefiningOp();
  const bool isLoad = load && isa<memref::LoadOp, vector::LoadOp>(load) &&
                      load->getBlock() == branch.thenBlock() && readsOnlyArguments(*load);
  return isLoad ? branch : scf::IfOp();
}

std::optional<std::pair<Value, Attribute>> fuser::getConstantOutside(Operation &op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  Attribute constant;
  if (!select || !isa<VectorType>(select.getType()) ||
      !matchPattern(select.getFalseValue(), m_Constant(&constant)))
    return std::nullopt;
  Value condition = select.getCondition();
  if (auto lanes = condition.getDefiningOp<vector::BroadcastOp>())
    condition = lanes.getSource();
  if (!condition.getType().isInteger(1))
    return std::nullopt;
  return std::pair(condition, constant);
}

/// True if the guard holds only where the condition does.
static bool implies(Value guard, Value condition) {
  llvm::SmallPtrSet<Value, 4> known, needed;
  addConjuncts(guard, known);
  addConjuncts(condition, needed);
  return llvm::all_of(needed, [&](Value each) { return known.contains(each); });
}

/// Where the condition does not hold, neither does the guard, and the branch has the constant.
/// Where only the condition does, the element is not used: the branch may have any value.
static void selectBefore(arith::SelectOp select) {
  Value loaded = select.getTrueValue();
  scf::IfOp branch = getLoadingBranch(loaded);
  auto outside = getConstantOutside(*select);
  if (!branch || !outside || !implies(branch.getCondition(), outside->first))
    return;
  const unsigned number = cast<OpResult>(loaded).getResultNumber();
  Value otherwise = branch.elseYield().getOperand(number);
  Attribute known;
  if (otherwise.getDefiningOp<ub::PoisonOp>()) {
    OpBuilder builder(branch.elseYield());
    branch.elseYield()->setOperand(
        number, builder.clone(*select.getFalseValue().getDefiningOp())->getResult(0));
  } else if (!matchPattern(otherwise, m_Constant(&known)) || known != outside->second) {
    return;
  }
  select.replaceAllUsesWith(loaded);
  select.erase();
}

void fuser::selectBeforeLoads(gpu::GPUFuncOp function) { function.walk(selectBefore); }

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// The vector of words that has the bits of the type; null if elements are words or wider, or if
/// there are no whole words.
static VectorType getWords(Type type) {
  constexpr int64_t kBits = 32;
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || !vector.getElementType().isIntOrFloat())
    return {};
  const int64_t bits = vector.getElementTypeBitWidth();
  if (bits >= kBits || bits % 8 != 0 || bits * vector.getNumElements() % kBits != 0)
    return {};
  return VectorType::get(bits * vector.getNumElements() / kBits,
                         IntegerType::get(type.getContext(), kBits));
}

void fuser::yieldLoadedWords(scf::IfOp branch) {
  SmallVector<VectorType> words;
  bool hasWords = false;
  for (Value result : branch.getResults()) {
    words.push_back(getLoadingBranch(result) ? getWords(result.getType()) : VectorType());
    hasWords |= bool(words.back());
  }
  if (!hasWords)
    return;
  SmallVector<Type> types;
  for (auto [type, word] : llvm::zip_equal(branch.getResultTypes(), words))
    types.append(word ? word.getNumElements() : 1, word ? word.getElementType() : type);
  OpBuilder builder(branch);
  const Location loc = branch.getLoc();
  auto result =
      scf::IfOp::create(builder, loc, types, branch.getCondition(), /*withElseRegion=*/true);
  for (auto [from, to] : llvm::zip_equal(branch->getRegions(), result->getRegions())) {
    Block &block = to.front();
    block.getOperations().splice(block.end(), from.front().getOperations());
    auto yield = cast<scf::YieldOp>(block.getTerminator());
    OpBuilder end(yield);
    SmallVector<Value> yielded;
    for (auto [value, word] : llvm::zip_equal(yield.getOperands(), words)) {
      if (!word) {
        yielded.push_back(value);
        continue;
      }
      Value bits = vector::BitCastOp::create(end, loc, word, value);
      llvm::append_range(yielded, vector::ToElementsOp::create(end, loc, bits).getResults());
    }
    yield->setOperands(yielded);
  }
  builder.setInsertionPointAfter(result);
  ValueRange left = result.getResults();
  for (auto [value, word] : llvm::zip_equal(branch.getResults(), words)) {
    const unsigned taken = word ? word.getNumElements() : 1;
    Value whole = left.front();
    if (word)
      whole = vector::BitCastOp::create(
          builder, loc, cast<VectorType>(value.getType()),
          vector::FromElementsOp::create(builder, loc, word, left.take_front(taken)));
    value.replaceAllUsesWith(whole);
    left = left.drop_front(taken);
  }
  branch.erase();
}

void fuser::yieldLoadedWords(gpu::GPUFuncOp function) {
  function.walk([](scf::IfOp branch) { yieldLoadedWords(branch); });
}
