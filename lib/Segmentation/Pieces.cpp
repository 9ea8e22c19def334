//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "fuser/Dialect/IR/Updates.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Numbers the ops, and the pieces that connected ones form.
class Cutter {
public:
  /// `isCut` returns true for operands that are read across a cut.
  Cutter(ArrayRef<Operation *> ops, function_ref<bool(OpOperand &)> isCut)
      : ops(ops), isCut(isCut) {
    for (auto [number, op] : llvm::enumerate(ops))
      numbers[op] = number;
  }

  SmallVector<Piece> run(std::vector<SegmentSetOp> *ignored);
  /// Every cut counts, even if its sides are connected by another path.
  SmallVector<Piece> runStrictly(bool isLate);

private:
  /// Calls `visit(producer, consumer, isCut)` for every edge.
  template <typename Visit> void forEachEdge(Visit visit) const {
    for (auto [consumer, op] : llvm::enumerate(ops))
      for (OpOperand &operand : op->getOpOperands())
        if (auto it = numbers.find(operand.get().getDefiningOp()); it != numbers.end())
          visit(it->second, consumer, isCut(operand));
  }
  /// The piece of each op; `connects` returns true for edges without a mark that join pieces.
  template <typename Connects> std::vector<unsigned> connect(Connects connects) const;
  /// The maximum number of cuts on a path to each op: it never decreases along edges and increases
  /// after a cut, so pieces whose ops have the same number form no cycle.
  std::vector<unsigned> countCuts() const;
  /// The same, but ops that depend only on arguments, and whose users all follow a cut, have the
  /// numbers of their users.
  std::vector<unsigned> countCutsLate() const;
  SmallVector<Piece> collect(ArrayRef<unsigned> pieceOf) const;
  /// Marks each piece that is on a cycle of pieces.
  std::vector<bool> findCircles(ArrayRef<unsigned> pieceOf, unsigned numPieces) const;

  ArrayRef<Operation *> ops;
  function_ref<bool(OpOperand &)> isCut;
  llvm::DenseMap<Operation *, unsigned> numbers;
};

} // namespace

template <typename Connects> std::vector<unsigned> Cutter::connect(Connects connects) const {
  llvm::IntEqClasses classes(ops.size());
  forEachEdge([&](unsigned producer, unsigned consumer, bool isCut) {
    if (!isCut && connects(producer, consumer))
      classes.join(producer, consumer);
  });
  classes.compress();
  std::vector<unsigned> pieceOf(ops.size());
  for (unsigned op = 0; op < ops.size(); ++op)
    pieceOf[op] = classes[op];
  return pieceOf;
}

/// Tarjan's strongly connected components, without recursion.
std::vector<bool> Cutter::findCircles(ArrayRef<unsigned> pieceOf, unsigned numPieces) const {
  std::vector<SmallVector<unsigned>> successors(numPieces);
  forEachEdge([&](unsigned producer, unsigned consumer, bool) {
    if (pieceOf[producer] != pieceOf[consumer])
      successors[pieceOf[producer]].push_back(pieceOf[consumer]);
  });
  std::vector<unsigned> order(numPieces, 0), low(numPieces, 0), next(numPieces, 0);
  std::vector<bool> isOpen(numPieces), onCircle(numPieces);
  SmallVector<unsigned> open, path;
  unsigned count = 0;
  for (unsigned root = 0; root < numPieces; ++root) {
    if (order[root])
      continue;
    path.push_back(root);
    while (!path.empty()) {
      unsigned piece = path.back();
      if (!order[piece]) {
        order[piece] = low[piece] = ++count;
        open.push_back(piece);
        isOpen[piece] = true;
      }
      if (next[piece] < successors[piece].size()) {
        unsigned successor = successors[piece][next[piece]++];
        if (!order[successor])
          path.push_back(successor);
        else if (isOpen[successor])
          low[piece] = std::min(low[piece], order[successor]);
        continue;
      }
      path.pop_back();
      if (!path.empty())
        low[path.back()] = std::min(low[path.back()], low[piece]);
      if (low[piece] != order[piece])
        continue;
      bool isAlone = open.back() == piece;
      while (isOpen[piece]) {
        unsigned member = open.pop_back_val();
        isOpen[member] = false;
        onCircle[member] = !isAlone;
      }
    }
  }
  return onCircle;
}

std::vector<unsigned> Cutter::countCuts() const {
  std::vector<unsigned> cuts(ops.size(), 0);
  forEachEdge([&](unsigned producer, unsigned consumer, bool isCut) {
    cuts[consumer] = std::max(cuts[consumer], cuts[producer] + isCut);
  });
  return cuts;
}

std::vector<unsigned> Cutter::countCutsLate() const {
  const std::vector<unsigned> early = countCuts();
  std::vector<unsigned> late(ops.size(), ops.size()), before;
  // Numbers only decrease, to those of countCuts at least.
  do {
    before = late;
    for (unsigned consumer = ops.size(); consumer-- > 0;) {
      if (late[consumer] == ops.size())
        late[consumer] = early[consumer];
      for (OpOperand &operand : ops[consumer]->getOpOperands())
        if (auto it = numbers.find(operand.get().getDefiningOp()); it != numbers.end())
          late[it->second] = std::min(late[it->second], late[consumer] - isCut(operand));
    }
    forEachEdge([&](unsigned producer, unsigned consumer, bool) {
      if (late[producer] != late[consumer])
        late[consumer] = early[consumer];
    });
  } while (late != before);
  return late;
}

SmallVector<Piece> Cutter::collect(ArrayRef<unsigned> pieceOf) const {
  SmallVector<Piece> pieces(ops.empty() ? 0 : 1 + *llvm::max_element(pieceOf));
  for (auto [op, piece] : llvm::zip_equal(ops, pieceOf))
    pieces[piece].push_back(op);
  llvm::sort(pieces, [&](const Piece &a, const Piece &b) {
    return numbers.lookup(a.front()) < numbers.lookup(b.front());
  });
  return pieces;
}

SmallVector<Piece> Cutter::run(std::vector<SegmentSetOp> *ignored) {
  std::vector<unsigned> pieceOf = connect([](unsigned, unsigned) { return true; });
  std::vector<bool> onCircle =
      findCircles(pieceOf, ops.empty() ? 0 : 1 + *llvm::max_element(pieceOf));
  if (llvm::is_contained(onCircle, true)) {
    std::vector<unsigned> marks = countCuts();
    pieceOf = connect([&](unsigned producer, unsigned consumer) {
      return !onCircle[pieceOf[producer]] || marks[producer] == marks[consumer];
    });
  }
  llvm::SmallPtrSet<Operation *, 4> seen;
  forEachEdge([&](unsigned producer, unsigned consumer, bool isCut) {
    if (!isCut || pieceOf[producer] != pieceOf[consumer])
      return;
    if (auto mark = dyn_cast<SegmentSetOp>(ops[producer]);
        mark && ignored && seen.insert(mark).second)
      ignored->push_back(mark);
    // An update asks for no boundary: its kernel ends where it has to.
    if (!isa<UpdateOpInterface>(ops[producer]))
      ops[producer]
              ->emitRemark("this boundary is not honoured: its two sides are connected "
                           "without a mark as well")
              .attachNote(ops[consumer]->getLoc())
          << "by this user";
  });
  return collect(pieceOf);
}

SmallVector<Piece> Cutter::runStrictly(bool isLate) {
  const std::vector<unsigned> cuts = isLate ? countCutsLate() : countCuts();
  return collect(connect(
      [&](unsigned producer, unsigned consumer) { return cuts[producer] == cuts[consumer]; }));
}

/// True if a boundary is requested, if one side is not computed by a kernel, or if one side is
/// updated.
static bool isMarked(OpOperand &operand) {
  Operation *producer = operand.get().getDefiningOp();
  return isa<SegmentSetOp, LibraryOpInterface, UpdateOpInterface>(producer) ||
         isa<LibraryOpInterface>(operand.getOwner()) || isUpdated(operand);
}

SmallVector<Piece> fuser::cutAtMarks(FusionOp fusion, const SegmentGraph &graph,
                                     std::vector<SegmentSetOp> *ignored) {
  SmallVector<Operation *> ops;
  for (Operation &op : fusion.getBody().front())
    if (graph.contains(&op))
      ops.push_back(&op);
  if (ops.empty())
    return {};
  // Without marks, and without joins in the host function, the whole fusion is one piece, connected
  // or not.
  if (!graph.hasJoins() &&
      llvm::none_of(ops, llvm::IsaPred<SegmentSetOp, LibraryOpInterface, UpdateOpInterface>))
    return {Piece(ops)};
  return Cutter(ops, isMarked).run(ignored);
}

std::vector<unsigned> fuser::groupReaders(ArrayRef<Piece> pieces, ArrayRef<WriteOrder> orders) {
  auto isMark = [](const Piece &piece) {
    return llvm::any_of(piece, llvm::IsaPred<SegmentSetOp, LibraryOpInterface>);
  };
  llvm::IntEqClasses classes(pieces.size());
  auto join = [&](unsigned a, unsigned b) {
    a = classes.findLeader(a);
    b = classes.findLeader(b);
    if (llvm::none_of(orders, [&](const WriteOrder &order) {
          return std::minmax(classes.findLeader(order.first), classes.findLeader(order.second)) ==
                 std::minmax(a, b);
        }))
      classes.join(a, b);
  };
  llvm::DenseMap<Value, unsigned> readers;
  if (llvm::none_of(pieces, isMark))
    for (auto [number, piece] : llvm::enumerate(pieces))
      for (Operation *op : piece)
        for (Value operand : op->getOperands())
          if (isa<RankedTensorType>(operand.getType()))
            join(number, readers.try_emplace(operand, number).first->second);
  classes.compress();
  std::vector<unsigned> groups(pieces.size());
  for (unsigned number = 0; number < pieces.size(); ++number)
    groups[number] = classes[number];
  return groups;
}

static SmallVector<Piece> cutAt(ArrayRef<Operation *> ops, ArrayRef<OpOperand *> cuts,
                                bool isLate) {
  llvm::SmallPtrSet<OpOperand *, 16> all(cuts.begin(), cuts.end());
  return Cutter(ops, [&](OpOperand &operand) { return all.contains(&operand); })
      .runStrictly(isLate);
}

SmallVector<Piece> fuser::cutAt(ArrayRef<Operation *> ops, ArrayRef<OpOperand *> cuts) {
  return ::cutAt(ops, cuts, /*isLate=*/false);
}

SmallVector<Piece> fuser::cutLate(ArrayRef<Operation *> ops, ArrayRef<OpOperand *> cuts) {
  return ::cutAt(ops, cuts, /*isLate=*/true);
}
