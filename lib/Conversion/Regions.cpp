//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Outlines ops of a block into fusions and calls.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "Importer.h"
#include "ScalarArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::conversion;

Role fuser::conversion::getRole(Operation *op) {
  if (isScalarComputation(op) || isAssert(op) ||
      isa<tensor::EmptyOp, tensor::ExtractOp, arith::ConstantOp>(op))
    return Role::Neutral;
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isTensor) ||
      !isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect, arith::ArithDialect,
                       math::MathDialect>(op->getDialect()))
    return Role::Foreign;
  return Role::Candidate;
}

/// A fusion without arguments that is not in a module.
static FusionOp createEmptyFusion(MLIRContext *context, Location loc, StringRef name) {
  OpBuilder builder(context);
  return FusionOp::create(builder, loc, name, builder.getFunctionType({}, {}));
}

void fuser::conversion::findRefusals(Block &block, const LinalgToFuserOptions &options,
                                     Refusals &refusals) {
  Operation *parent = block.getParentOp();
  FusionOp scratch = createEmptyFusion(parent->getContext(), parent->getLoc(), "scratch");
  Importer importer(scratch, options);
  // Conversions of named ops temporarily insert ops into the block.
  SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
  for (Operation *op : ops)
    if (getRole(op) == Role::Candidate && failed(importer.convert(op)))
      refusals[op] = importer.getReason().str();
  scratch.erase();
}

namespace {

/// The ops that will form one fusion, and the neutral ops that depend on them.
class Group {
public:
  bool empty() const { return ops.empty(); }
  void add(Operation *op) {
    ops.insert(op);
    dependent.insert(op->result_begin(), op->result_end());
  }
  /// Records a neutral op after the group.
  void follow(Operation *op) {
    if (!uses(op))
      return;
    followers.push_back(op);
    dependent.insert(op->result_begin(), op->result_end());
  }
  /// True if `op`, or a nested op, uses a result of the group.
  bool uses(Operation *op) const {
    return op
        ->walk([&](Operation *inner) {
          return llvm::any_of(inner->getOperands(),
                              [&](Value operand) { return dependent.contains(operand); })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        })
        .wasInterrupted();
  }
  /// Results that are used outside of the group. Neutral ops that only the group uses do not count.
  SmallVector<Value> getOutputs() const;
  /// True if the group computes something, and does not only fill or reshape.
  bool isWorthwhile() const {
    return llvm::any_of(ops, [](Operation *op) {
      return !isa<linalg::FillOp, tensor::CastOp, tensor::BitcastOp, tensor::ExpandShapeOp,
                  tensor::CollapseShapeOp, tensor::ReshapeOp, tensor::ExtractSliceOp,
                  tensor::SplatOp, tensor::FromElementsOp>(op);
    });
  }

  llvm::SetVector<Operation *> ops;
  /// Neutral ops that depend on the group, in order.
  SmallVector<Operation *> followers;

private:
  llvm::DenseSet<Value> dependent;
};

} // namespace

SmallVector<Value> Group::getOutputs() const {
  llvm::DenseSet<Operation *> unneeded;
  auto isNeeded = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !ops.contains(user) && !unneeded.contains(user);
    });
  };
  for (Operation *op : llvm::reverse(followers))
    if (!isAssert(op) && llvm::none_of(op->getResults(), isNeeded))
      unneeded.insert(op);
  SmallVector<Value> outputs;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      // The body of an op of the group belongs to the group.
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            while (user->getBlock() != op->getBlock())
              user = user->getParentOp();
            return !ops.contains(user) && !unneeded.contains(user);
          }))
        outputs.push_back(result);
  return outputs;
}

/// Terminates the fusion with its outputs and erases dead ops. Returns the original values of the
/// remaining arguments.
static SmallVector<Value> finishFusion(FusionOp fusion, ArrayRef<Value> outputs,
                                       const Importer &importer) {
  ArrayRef<Value> captured = importer.getCaptured();
  Block &block = fusion.getBody().front();
  OpBuilder builder = OpBuilder::atBlockEnd(&block);
  fuser::ReturnOp::create(builder, fusion.getLoc(), outputs);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  SmallVector<Value> arguments;
  for (unsigned index = captured.size(); index-- > 0;) {
    if (block.getArgument(index).use_empty())
      block.eraseArgument(index);
    else
      arguments.insert(arguments.begin(), captured[index]);
  }
  fusion.setFunctionType(
      builder.getFunctionType(block.getArgumentTypes(), ValueRange(outputs).getTypes()));
  SmallVector<Attribute> facts;
  for (auto [argument, dim, size] : importer.getRequiredSizes()) {
    if (!llvm::is_contained(block.getArguments(), argument))
      continue;
    int64_t number = argument.getArgNumber();
    facts.push_back(FactAttr::getAtLeast(fusion.getContext(), number, dim, size));
    facts.push_back(FactAttr::getAtMost(fusion.getContext(), number, dim, size));
  }
  if (!facts.empty())
    fusion.setFactsAttr(builder.getArrayAttr(facts));
  IRRewriter rewriter(fusion.getContext());
  DominanceInfo dominance(fusion);
  eliminateCommonSubExpressions(rewriter, dominance, fusion);
  return arguments;
}

/// Outlines the group into a fusion and calls it before `end`. If an op does not convert, fails
/// without a change and adds an entry to `refusals`.
static LogicalResult outlineGroup(const Group &group, Operation *end, func::FuncOp function,
                                  StringRef name, SymbolTable &symbols,
                                  const LinalgToFuserOptions &options, Refusals &refusals) {
  SmallVector<Value> outputs = group.getOutputs();
  Location loc = group.ops.front()->getLoc();
  FusionOp fusion = createEmptyFusion(function.getContext(), loc, name);
  Importer importer(fusion, options);
  auto giveUp = [&](Operation *op) {
    refusals[op] = importer.getReason().str();
    fusion.erase();
    return failure();
  };
  for (Operation *op : group.ops)
    if (failed(importer.convert(op)))
      return giveUp(op);
  SmallVector<Value> values;
  for (Value output : outputs) {
    values.push_back(importer.lookup(output));
    if (!values.back())
      return giveUp(output.getDefiningOp());
    // An argument cannot be a result of the fusion itself.
    if (isa<BlockArgument>(values.back())) {
      OpBuilder builder = OpBuilder::atBlockEnd(&fusion.getBody().front());
      values.back() =
          SetOp::create(builder, loc, values.back().getType(), values.back(), {}, {}, {});
    }
  }
  SmallVector<Value> arguments = finishFusion(fusion, values, importer);
  for (Operation *dropped : importer.getDropped())
    dropped->emitRemark("the assertion is dropped");
  symbols.insert(fusion, Block::iterator(function));

  OpBuilder builder(end);
  for (Value &argument : arguments)
    if (!isa<RankedTensorType>(argument.getType()))
      argument = widenScalar(builder, loc, argument);
  auto call = fuser::CallOp::create(builder, loc, fusion.getResultTypes(),
                                    FlatSymbolRefAttr::get(fusion.getSymNameAttr()), arguments,
                                    ArrayAttr(), ArrayAttr());
  for (Operation *follower : group.followers)
    follower->moveBefore(end);
  for (auto [output, result] : llvm::zip_equal(outputs, call.getResults())) {
    builder.setInsertionPointAfter(call);
    Value value = result;
    if (value.getType() != output.getType()) // sizes that the fusion knows
      value = tensor::CastOp::create(builder, loc, output.getType(), value);
    output.replaceUsesWithIf(value, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      while (user->getBlock() != call->getBlock())
        user = user->getParentOp();
      return !group.ops.contains(user);
    });
  }
  // Erase neutral ops that only the group used as well, after their uses inside the group.
  SmallVector<Operation *> gone(group.ops.begin(), group.ops.end());
  llvm::append_range(gone, group.followers);
  bool changed = true;
  while (changed) {
    changed = false;
    for (Operation *&op : llvm::reverse(gone))
      if (op && op->use_empty() && !isAssert(op)) {
        op->erase();
        op = nullptr;
        changed = true;
      }
  }
  return success();
}

unsigned fuser::conversion::outlineBlock(Block &block, func::FuncOp function, SymbolTable &symbols,
                                         const LinalgToFuserOptions &options, Refusals &refusals) {
  unsigned count = 0;
  // A function that is converted as a whole may do anything.
  bool isWhole = block.getParentOp() == function && llvm::all_of(block, [&](Operation &op) {
                   return op.hasTrait<OpTrait::IsTerminator>() ||
                          (getRole(&op) != Role::Foreign && !refusals.count(&op));
                 });
  // Each round creates one fusion, or finds an op that does not convert.
  for (bool again = true; again;) {
    again = false;
    Group group;
    for (Operation &op : block) {
      Role role = getRole(&op);
      if (role == Role::Candidate && !refusals.count(&op)) {
        group.add(&op);
        continue;
      }
      if (role == Role::Neutral) {
        group.follow(&op);
        continue;
      }
      if (!op.hasTrait<OpTrait::IsTerminator>() && !group.uses(&op))
        continue;
      if (!group.empty() && ((isWhole && count == 0) || group.isWorthwhile()) &&
          !group.getOutputs().empty()) {
        std::string name = (function.getSymName() + "_fusion_").str();
        unsigned number = 0;
        while (symbols.lookup(name + std::to_string(number)))
          ++number;
        name += std::to_string(number);
        if (succeeded(outlineGroup(group, &op, function, name, symbols, options, refusals)))
          ++count;
        again = true;
        break;
      }
      group = Group();
    }
  }
  return count;
}
