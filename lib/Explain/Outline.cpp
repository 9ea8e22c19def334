//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "fuser/Explain/KernelCounts.h"
#include "fuser/Lowering/LoopOutline.h"
#include "fuser/Scheduling/SizeHints.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;

namespace {
/// Turns the outline of a kernel into texts.
class OutlineWriter {
public:
  OutlineWriter(KernelOp kernel, const ExtentAnalysis &extents, const SizeHints &hints)
      : extents(extents), hints(hints), state(kernel, OpPrintingFlags().useLocalScope()),
        kernel(kernel) {}
  std::vector<OutlineNode> write(ArrayRef<LoopOutline> items);

private:
  OutlineNode write(const LoopOutline &item);
  std::string print(AffineExpr expr);
  std::string print(Value value);
  std::string printOp(Operation *op);

  const ExtentAnalysis &extents;
  const SizeHints &hints;
  AsmState state;
  KernelOp kernel;
};
} // namespace

std::string OutlineWriter::print(Value value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.printAsOperand(stream, state);
  return text;
}

/// "x[1]" for the size of a dimension of %x.
std::string OutlineWriter::print(AffineExpr expr) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    const auto &[arg, dim] = extents.getSymbols()[symbol.getPosition()];
    std::string name =
        arg < kernel.getNumArguments() ? print(kernel.getArgument(arg)) : "%" + std::to_string(arg);
    name.erase(0, 1);
    return dim < 0 ? name : name + "[" + std::to_string(dim) + "]";
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary) {
    std::string text;
    llvm::raw_string_ostream(text) << expr;
    return text;
  }
  auto printPart = [&](AffineExpr part) {
    return isa<AffineBinaryOpExpr>(part) ? "(" + print(part) + ")" : print(part);
  };
  auto getName = [](AffineExprKind kind) {
    switch (kind) {
    case AffineExprKind::Add:
      return " + ";
    case AffineExprKind::Mul:
      return " * ";
    case AffineExprKind::Mod:
      return " mod ";
    case AffineExprKind::FloorDiv:
      return " floordiv ";
    default:
      return " ceildiv ";
    }
  };
  return printPart(binary.getLHS()) + getName(expr.getKind()) + printPart(binary.getRHS());
}

/// "%2 = max %1".
std::string OutlineWriter::printOp(Operation *op) {
  auto printValue = [&](Value value) { return print(value); };
  return llvm::join(llvm::map_range(op->getResults(), printValue), ", ") + " = " +
         op->getName().stripDialect().str() + " " +
         llvm::join(llvm::map_range(op->getOperands(), printValue), ", ");
}

OutlineNode OutlineWriter::write(const LoopOutline &item) {
  OutlineNode node{OutlineNode::Kind::Loop, ""};
  switch (item.kind) {
  case LoopOutline::Kind::Loop:
    node.label = stringifyParallelType(item.type).str();
    node.detail = print(item.extent);
    node.count = hints.evaluate(item.extent, extents);
    node.items = write(item.items);
    return node;
  case LoopOutline::Kind::Op:
    node.kind = OutlineNode::Kind::Op;
    node.label = printOp(item.op);
    break;
  case LoopOutline::Kind::Combine:
    node.kind = OutlineNode::Kind::Combine;
    node.label = printOp(item.op);
    node.detail = llvm::join(llvm::map_range(item.types, stringifyParallelType), ", ");
    break;
  case LoopOutline::Kind::Buffer:
    node.kind = OutlineNode::Kind::Buffer;
    node.label = llvm::join(
        llvm::map_range(item.op->getResults(), [&](Value value) { return print(value); }), ", ");
    for (AffineExpr size : item.shape)
      node.detail += (isa<AffineBinaryOpExpr>(size) ? "(" + print(size) + ")" : print(size)) + "x";
    llvm::raw_string_ostream(node.detail) << getElementTypeOrSelf(item.op->getResult(0).getType());
    node.memory = stringifyMemoryType(item.memory).str();
    break;
  }
  node.sources = getSources(item.op->getLoc());
  return node;
}

std::vector<OutlineNode> OutlineWriter::write(ArrayRef<LoopOutline> items) {
  std::vector<OutlineNode> nodes;
  for (const LoopOutline &item : items)
    nodes.push_back(write(item));
  return nodes;
}

std::vector<OutlineNode> fuser::explain::outlineKernel(KernelOp kernel) {
  FailureOr<std::vector<LoopOutline>> outline = outlineLoops(kernel);
  FailureOr<ExtentAnalysis> extents = ExtentAnalysis::create(kernel);
  FailureOr<SizeHints> hints = SizeHints::fromAttribute(kernel);
  if (failed(outline) || failed(extents) || failed(hints))
    return {};
  return OutlineWriter(kernel, *extents, *hints).write(*outline);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Inserts a barrier before the first item of a kind that computes one of `sources`. False if there
/// is none.
static bool insertBarrier(std::vector<OutlineNode> &items, OutlineNode::Kind kind,
                          ArrayRef<unsigned> sources, const std::string &barrier) {
  for (size_t number = 0; number < items.size(); ++number) {
    OutlineNode &item = items[number];
    if (insertBarrier(item.items, kind, sources, barrier))
      return true;
    if (item.kind != kind || llvm::none_of(item.sources, [&](unsigned source) {
          return llvm::is_contained(sources, source);
        }))
      continue;
    // Copies of unrolled loops are one barrier of the nest.
    for (size_t before = number; before > 0; --before) {
      OutlineNode &earlier = items[before - 1];
      if (earlier.kind != OutlineNode::Kind::Barrier)
        break;
      if (earlier.label == barrier) {
        ++*earlier.count;
        return true;
      }
    }
    items.insert(items.begin() + number,
                 OutlineNode{OutlineNode::Kind::Barrier, barrier, "", 1, "", item.sources});
    return true;
  }
  return false;
}

void fuser::explain::addBarriers(gpu::GPUModuleOp code, std::vector<OutlineNode> &loops) {
  auto place = [&](const std::string &barrier, ArrayRef<unsigned> sources) {
    for (auto kind : {OutlineNode::Kind::Combine, OutlineNode::Kind::Op})
      if (insertBarrier(loops, kind, sources, barrier))
        return;
    loops.push_back(OutlineNode{OutlineNode::Kind::Barrier, barrier, "", 1});
  };
  // Barriers without a source, which no op with one follows yet.
  SmallVector<std::string> pending;
  code.walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::string barrier = getBarrierKind(op);
    SmallVector<unsigned, 1> sources = getSources(op->getLoc());
    if (sources.empty() && !barrier.empty())
      pending.push_back(barrier);
    if (sources.empty())
      return;
    for (const std::string &waiting : pending)
      place(waiting, sources);
    pending.clear();
    if (!barrier.empty())
      place(barrier, sources);
  });
  for (const std::string &waiting : pending)
    place(waiting, {});
}
