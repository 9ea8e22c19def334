//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Persistent values: used on both sides of a reduction.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/Persistence.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fuser;

namespace {
using ClassSet = llvm::SmallDenseSet<IdClass, 4>;

/// One walk per reduction over what it depends on and what depends on it.
class PersistenceFinder {
public:
  PersistenceFinder(FunctionOpInterface program, const IdModel &model,
                    const ExtentAnalysis &extents)
      : program(program), model(model), extents(extents) {}

  Persistence run() {
    for (Operation &op : program.getFunctionBody().front())
      if (auto view = dyn_cast<TensorViewOpInterface>(op))
        visitReduction(view);
    Persistence result;
    for (auto &entry : found)
      result.values.push_back(std::move(entry.second));
    llvm::sort(result.values, [](const PersistentValue &a, const PersistentValue &b) {
      return isBefore(a.value, b.value);
    });
    for (PersistentValue &value : result.values)
      value.sources = getSources(value.value, rowClasses[value.value]);
    chooseKept(result);
    return result;
  }

private:
  /// Arguments first, then program order.
  static bool isBefore(Value a, Value b) {
    Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
    if (x && y && x != y)
      return x->isBeforeInBlock(y);
    if (!x != !y)
      return !x;
    return x ? cast<OpResult>(a).getResultNumber() < cast<OpResult>(b).getResultNumber()
             : cast<BlockArgument>(a).getArgNumber() < cast<BlockArgument>(b).getArgNumber();
  }

  /// The ids of a value's dimensions, in order.
  static SmallVector<unsigned> getDimIds(Value value) {
    if (auto result = dyn_cast<OpResult>(value))
      if (auto view = dyn_cast<TensorViewOpInterface>(result.getOwner()))
        return view.getDomain(result.getResultNumber()).getResultIds();
    return llvm::to_vector(
        llvm::seq<unsigned>(0, cast<RankedTensorType>(value.getType()).getRank()));
  }

  /// Positions of the dimensions of a value that belong to the classes.
  SmallVector<unsigned> getRowDims(Value value, const ClassSet &classes) const {
    SmallVector<unsigned> dims;
    if (!isa<RankedTensorType>(value.getType()))
      return dims;
    for (auto [dim, id] : llvm::enumerate(getDimIds(value)))
      if (classes.contains(model.classOf(IdMapping::Exact, value, id)))
        dims.push_back(dim);
    return dims;
  }

  bool isAlong(Value value, const ClassSet &classes) const {
    return !getRowDims(value, classes).empty();
  }

  void visitReduction(TensorViewOpInterface reduction) {
    ClassSet classes;
    DomainAttr domain = reduction.getDomain();
    for (unsigned id : domain.getRootOrLogical())
      if (domain.getKinds()[id] == IdKind::Reduction)
        classes.insert(model.classOf(IdMapping::Exact, reduction->getResult(0), id));
    if (classes.empty())
      return;
    llvm::DenseSet<Value> before = getSlice(reduction->getOperands(), classes);
    llvm::DenseSet<Operation *> after{reduction};
    for (Operation *op = reduction->getNextNode(); op; op = op->getNextNode()) {
      bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
        return after.contains(operand.getDefiningOp());
      });
      if (!depends)
        continue;
      after.insert(op);
      // `fuser.return` reads nothing a second time.
      if (!isa<TensorViewOpInterface>(op))
        continue;
      for (Value operand : op->getOperands())
        if (!after.contains(operand.getDefiningOp()) && isAlong(operand, classes) &&
            llvm::any_of(getSlice(operand, classes),
                         [&](Value value) { return before.contains(value); }))
          record(operand, reduction, op, classes);
    }
  }

  void record(Value value, Operation *reduction, Operation *use, const ClassSet &classes) {
    PersistentValue &persistent = found[value];
    persistent.value = value;
    if (!llvm::is_contained(persistent.reductions, reduction))
      persistent.reductions.push_back(reduction);
    if (!llvm::is_contained(persistent.lateUses, use))
      persistent.lateUses.push_back(use);
    llvm::sort(persistent.lateUses,
               [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    rowClasses[value].insert(classes.begin(), classes.end());
  }

  /// The values and what they are computed from, as far as they have the classes' dimensions.
  llvm::DenseSet<Value> getSlice(ValueRange roots, const ClassSet &classes) const {
    llvm::DenseSet<Value> slice;
    SmallVector<Value> stack(roots);
    while (!stack.empty()) {
      Value value = stack.pop_back_val();
      if (!isAlong(value, classes) || !slice.insert(value).second)
        continue;
      if (Operation *op = value.getDefiningOp())
        stack.append(op->operand_begin(), op->operand_end());
    }
    return slice;
  }

  /// True where an element is computed from the elements at the same place along the row.
  bool isRecomputable(Operation *op, const ClassSet &classes) const {
    auto mapping = dyn_cast_or_null<DomainMappingOpInterface>(op);
    if (!mapping || !isa<ElementwiseOpInterface>(op))
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      SmallVector<DimMap> maps = mapping.getDimMaps(operand.getOperandNumber());
      for (unsigned dim : getRowDims(operand.get(), classes))
        if (maps[dim].kind != DimMap::Kind::Mapped)
          return false;
    }
    return true;
  }

  SmallVector<Value> getSources(Value value, const ClassSet &classes) const {
    llvm::SetVector<Value> sources;
    llvm::DenseSet<Value> visited;
    SmallVector<Value> stack{value};
    while (!stack.empty()) {
      Value current = stack.pop_back_val();
      if (!isAlong(current, classes) || !visited.insert(current).second)
        continue;
      Operation *op = current.getDefiningOp();
      if (!isRecomputable(op, classes)) {
        sources.insert(current);
        continue;
      }
      stack.append(op->operand_begin(), op->operand_end());
    }
    SmallVector<Value> result = sources.takeVector();
    if (llvm::is_contained(result, value))
      return {};
    llvm::sort(result, isBefore);
    return result;
  }

  AffineExpr getRowBytes(Value value, const ClassSet &classes) const {
    AffineExpr bytes = getAffineConstantExpr(getElementBytes(getElementTypeOrSelf(value.getType())),
                                             program->getContext());
    for (unsigned dim : getRowDims(value, classes))
      bytes = bytes * extents.getExtent(value, dim);
    return bytes;
  }

  AffineExpr getTotal(ArrayRef<Value> values, const ClassSet &classes) const {
    AffineExpr total = getAffineConstantExpr(0, program->getContext());
    for (Value value : values)
      total = total + getRowBytes(value, classes);
    return extents.simplify(total);
  }

  /// Replaces values by their sources, last value first, wherever that provably saves bytes.
  void chooseKept(Persistence &result) const {
    if (result.values.empty())
      return;
    ClassSet classes;
    for (const PersistentValue &value : result.values) {
      const ClassSet &own = rowClasses.find(value.value)->second;
      classes.insert(own.begin(), own.end());
      result.kept.push_back(value.value);
    }
    result.bytesPerRow = result.keptBytesPerRow = getTotal(result.kept, classes);
    for (const PersistentValue &value : llvm::reverse(result.values)) {
      if (value.sources.empty())
        continue;
      SmallVector<Value> candidate;
      for (Value kept : result.kept)
        if (kept != value.value)
          candidate.push_back(kept);
      for (Value source : value.sources)
        if (!llvm::is_contained(candidate, source))
          candidate.push_back(source);
      AffineExpr bytes = getTotal(candidate, classes);
      AffineExpr saved = extents.simplify(result.keptBytesPerRow - bytes);
      if (extents.getLowerBound(saved) < 0 || extents.getConstant(saved) == 0)
        continue;
      llvm::sort(candidate, isBefore);
      result.kept = std::move(candidate);
      result.keptBytesPerRow = bytes;
    }
  }

  FunctionOpInterface program;
  const IdModel &model;
  const ExtentAnalysis &extents;
  llvm::MapVector<Value, PersistentValue> found;
  /// The reduced classes along which each of them is kept.
  llvm::DenseMap<Value, ClassSet> rowClasses;
};
} // namespace

Persistence fuser::findPersistentValues(FunctionOpInterface program, const IdModel &model,
                                        const ExtentAnalysis &extents) {
  return PersistenceFinder(program, model, extents).run();
}
