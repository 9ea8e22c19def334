//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FuzzCase.h"

#include "fuser/Dialect/IR/CircularBuffers.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "fuser/Dialect/Transforms/Pipelining.h"
#include "fuser/Dialect/Transforms/Propagate.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

std::string fuser::fuzz::describe(const Step &step) {
  static const char *const kNames[] = {"split",       "merge",        "reorder", "swizzle",
                                       "parallelize", "propagate",    "memory",  "inline",
                                       "pipeline",    "store by bulk"};
  std::string text = kNames[static_cast<unsigned>(step.kind)];
  text += " op " + std::to_string(step.op);
  if (step.kind == Step::Kind::Parallelize)
    return text + " loop " + std::to_string(step.numbers[0]) + " @" +
           stringifyParallelType(static_cast<ParallelType>(step.numbers[1])).str();
  if (step.kind == Step::Kind::Memory)
    return text + " " + stringifyMemoryType(static_cast<MemoryType>(step.numbers[0])).str();
  for (int64_t number : step.numbers)
    text += " " + std::to_string(number);
  return text;
}

FusionOp fuser::fuzz::getFusion(ModuleOp module) { return *module.getOps<FusionOp>().begin(); }

SmallVector<TensorViewOpInterface> fuser::fuzz::getOps(ModuleOp module) {
  SmallVector<TensorViewOpInterface> ops;
  for (Operation &op : getFusion(module).getBody().front())
    if (auto view = dyn_cast<TensorViewOpInterface>(op))
      ops.push_back(view);
  return ops;
}

LogicalResult fuser::fuzz::applyStep(ModuleOp module, const Step &step) {
  SmallVector<TensorViewOpInterface> ops = getOps(module);
  if (step.op >= ops.size())
    return failure();
  TensorViewOpInterface op = ops[step.op];
  const std::vector<int64_t> &numbers = step.numbers;
  switch (step.kind) {
  case Step::Kind::Split:
    return splitLoop(op, numbers[0], numbers[1], numbers[2] != 0);
  case Step::Kind::Merge:
    return mergeLoops(op, numbers[0], numbers[1]);
  case Step::Kind::Reorder:
    return reorderLoops(op, numbers);
  case Step::Kind::Swizzle:
    return swizzleLoops(op, numbers[0], numbers[1], numbers[2]);
  case Step::Kind::Parallelize:
    return parallelizeLoop(op, numbers[0], static_cast<ParallelType>(numbers[1]));
  case Step::Kind::Memory:
    return setMemory(op, static_cast<MemoryType>(numbers[0]));
  case Step::Kind::Inline:
    return inlineAt(op, numbers[0]);
  case Step::Kind::Pipeline:
    return pipelineCopy(op, numbers[0], numbers.size() > 1 && numbers[1] != 0,
                        numbers.size() > 2 && numbers[2] != 0);
  case Step::Kind::StoreByBulk:
    return storeByBulk(op);
  case Step::Kind::Propagate: {
    IdRelations classes(getFusion(module).getBody().front());
    SmallVector<Operation *> selected(ops.begin(), ops.end());
    return propagateTransforms(op, selected, classes);
  }
  }
  llvm_unreachable("a step without a primitive");
}

OwningOpRef<ModuleOp> fuser::fuzz::schedule(const FuzzCase &fuzzCase, MLIRContext *context,
                                            unsigned *applied) {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(fuzzCase.program, ParserConfig(context), "fusion");
  unsigned count = 0;
  bool good = bool(module);
  // A domain on every op says that it is scheduled, however trivially.
  if (good)
    for (TensorViewOpInterface op : getOps(*module))
      for (unsigned result = 0, e = op->getNumResults(); result < e; ++result)
        op.setDomain(op.getDomain(result), result);
  for (const Step &step : fuzzCase.steps) {
    if (!good || failed(applyStep(*module, step))) {
      good = false;
      break;
    }
    ++count;
  }
  if (applied)
    *applied = count;
  return good ? std::move(module) : OwningOpRef<ModuleOp>();
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// The extents of all ids of an op whose dimensions are those of its operand or its result; -1
/// where they are not known.
static SmallVector<int64_t> getExtents(TensorViewOpInterface op, int64_t dynamicSize) {
  DomainAttr domain = op.getDomain();
  SmallVector<int64_t> extents(domain.getNumIds(), -1);
  const bool reduces = llvm::is_contained(domain.getKinds(), IdKind::Reduction);
  Type type = reduces ? op->getOperand(0).getType() : op->getResult(0).getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() != int64_t(domain.getLogical().size()))
    return extents;
  for (auto [id, size] : llvm::zip(domain.getLogical(), tensor.getShape()))
    extents[id] = ShapedType::isDynamic(size) ? dynamicSize : size;
  for (const DomainTransform &step : domain.getTransforms()) {
    int64_t first = step.inputs[0] == kNoId ? 1 : extents[step.inputs[0]];
    if (step.kind == TransformKind::Split) {
      extents[step.outputs[step.inner]] = step.value;
      extents[step.outputs[!step.inner]] = first < 0 ? -1 : llvm::divideCeil(first, step.value);
    } else if (step.kind == TransformKind::Merge) {
      int64_t second = extents[step.inputs[1]];
      extents[step.outputs[0]] = first < 0 || second < 0 ? -1 : first * second;
    } else if (step.kind == TransformKind::Broadcast) {
      extents[step.outputs[0]] = 1;
    } else if (step.kind == TransformKind::Swizzle) {
      extents[step.outputs[0]] = first;
      extents[step.outputs[1]] = extents[step.inputs[1]];
    }
  }
  return extents;
}

void Features::addShapeOp(Operation &op) {
  reshapes |= isa<ReshapeOp>(op);
  reorders |= isa<ReshapeOp, RepeatOp, ExpandOp, SqueezeOp, BroadcastOp, PermuteOp, SliceOp>(op);
}

Features fuser::fuzz::getFeatures(ModuleOp scheduled, ArrayRef<int64_t> dynamicSizes) {
  Features features;
  for (TensorViewOpInterface op : getOps(scheduled)) {
    ++features.numOps;
    features.addShapeOp(*op);
    DomainAttr domain = op.getDomain();
    features.reduces |= llvm::is_contained(domain.getKinds(), IdKind::Reduction);
    features.usesShared |= op.getMemoryType() == MemoryType::Shared;
    features.inlines |= op.getInlinePosition() > 0;
    features.pipelines |= getStages(op).has_value();
    features.vectorizes |= llvm::is_contained(domain.getParallel(), ParallelType::Vectorize);
    features.unrolls |= llvm::is_contained(domain.getParallel(), ParallelType::Unroll);
    features.usesGrid |= llvm::any_of(domain.getParallel(), isBlockType);
    for (int64_t dynamicSize : dynamicSizes) {
      SmallVector<int64_t> extents = getExtents(op, dynamicSize);
      for (const DomainTransform &step : domain.getTransforms())
        if (step.kind == TransformKind::Split && extents[step.inputs[0]] > 0)
          features.leavesRemainder |= extents[step.inputs[0]] % step.value != 0;
    }
  }
  return features;
}
