//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "Pieces.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace fuser;

namespace {

/// Numbers the ops, and the pieces that connected ones form.
class Cutter {
public:
  Cutter(FusionOp fusion, const SegmentGraph &graph) {
    for (Operation &op : fusion.getBody().front())
      if (graph.contains(&op)) {
        numbers[&op] = ops.size();
        ops.push_back(&op);
      }
    hasMarks =
        graph.hasJoins() || llvm::any_of(ops, llvm::IsaPred<SegmentSetOp, LibraryOpInterface>);
  }

  SmallVector<Piece> run();

private:
  /// True where a boundary is asked for, or where one of them is no work for a kernel.
  static bool isCut(Operation *producer, Operation *consumer) {
    return isa<SegmentSetOp, LibraryOpInterface>(producer) || isa<LibraryOpInterface>(consumer);
  }
  /// Calls `visit(producer, consumer, isCut)` for every edge.
  template <typename Visit> void forEachEdge(Visit visit) const {
    for (auto [consumer, op] : llvm::enumerate(ops))
      for (Value operand : op->getOperands())
        if (auto it = numbers.find(operand.getDefiningOp()); it != numbers.end())
          visit(it->second, consumer, isCut(operand.getDefiningOp(), op));
  }
  /// The piece of each op, where `connects` says which edges without a mark join.
  template <typename Connects> std::vector<unsigned> connect(Connects connects) const;
  /// Marks each piece that is on a circle of pieces.
  std::vector<bool> findCircles(ArrayRef<unsigned> pieceOf, unsigned numPieces) const;

  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> numbers;
  /// Ops may fall apart: there are marks, or joins that the host function does.
  bool hasMarks = false;
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

SmallVector<Piece> Cutter::run() {
  if (!hasMarks)
    return ops.empty() ? SmallVector<Piece>() : SmallVector<Piece>{Piece(ops)};
  std::vector<unsigned> pieceOf = connect([](unsigned, unsigned) { return true; });
  auto count = [&] { return ops.empty() ? 0 : 1 + *llvm::max_element(pieceOf); };

  std::vector<bool> onCircle = findCircles(pieceOf, count());
  if (llvm::is_contained(onCircle, true)) {
    // The most marks on a path to each op: along edges this number never falls, and behind a mark
    // it rises, so pieces of one number each have no circle.
    std::vector<unsigned> marks(ops.size(), 0);
    forEachEdge([&](unsigned producer, unsigned consumer, bool isCut) {
      marks[consumer] = std::max(marks[consumer], marks[producer] + isCut);
    });
    pieceOf = connect([&](unsigned producer, unsigned consumer) {
      return !onCircle[pieceOf[producer]] || marks[producer] == marks[consumer];
    });
  }

  forEachEdge([&](unsigned producer, unsigned consumer, bool isCut) {
    if (isCut && pieceOf[producer] == pieceOf[consumer])
      ops[producer]
              ->emitRemark("this boundary is not honoured: its two sides are connected "
                           "without a mark as well")
              .attachNote(ops[consumer]->getLoc())
          << "by this user";
  });
  SmallVector<Piece> pieces(count());
  for (auto [op, piece] : llvm::zip_equal(ops, pieceOf))
    pieces[piece].push_back(op);
  llvm::sort(pieces, [&](const Piece &a, const Piece &b) {
    return numbers.lookup(a.front()) < numbers.lookup(b.front());
  });
  return pieces;
}

SmallVector<Piece> fuser::cutAtMarks(FusionOp fusion, const SegmentGraph &graph) {
  return Cutter(fusion, graph).run();
}
