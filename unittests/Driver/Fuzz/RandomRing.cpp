//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomRing.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

/// Numbers of these cases.
constexpr uint64_t kSalt = 0x94d049bb133111ebu;

class RingScheduler {
public:
  RingScheduler(uint64_t seed, MLIRContext *context, LowersFn lowers)
      : random(seed ^ kSalt), context(context), lowers(lowers) {
    result.fuzzCase.seed = seed;
    random.discard(1); // isRingSeed takes it.
  }
  RandomCase run();

private:
  int64_t pick(int64_t count) { return static_cast<int64_t>(random() % count); }
  bool chance(int64_t percent) { return pick(100) < percent; }

  void makeProgram();
  void makeLoops();
  bool attempt(Step::Kind kind, unsigned op, std::vector<int64_t> numbers = {});
  /// Takes steps back where lowering refuses them.
  void tryOut(llvm::function_ref<void()> change);

  std::mt19937_64 random;
  MLIRContext *context;
  LowersFn lowers;
  RandomCase result;
  OwningOpRef<ModuleOp> module;
  int64_t rows = 0, columns = 0;
  /// The loop over tiles, which iterations share.
  int64_t tileLoop = 0;
  bool reduces = false, readsOther = false, hasBoxes = false;
};

} // namespace

bool fuser::fuzz::isRingSeed(uint64_t seed) { return std::mt19937_64(seed ^ kSalt)() % 10 == 0; }

/// Copies of the arguments, some arithmetic, and a copy of the result before the one that stores
/// it.
void RingScheduler::makeProgram() {
  static constexpr int64_t kColumns[] = {64, 128, 256};
  static constexpr const char *kUnary[] = {"neg", "abs", "relu"},
                              *kBinary[] = {"add", "mul", "sub"};
  rows = 3 + pick(38);
  columns = kColumns[pick(std::size(kColumns))];
  // So many rows are no pieces any more, but one box.
  hasBoxes = chance(20);
  if (hasBoxes) {
    rows = 40 + pick(100);
    columns = 128;
  }
  reduces = !hasBoxes && chance(40);
  readsOther = chance(40);
  const std::string type = "tensor<?x" + std::to_string(columns) + "xf32>";
  const std::string pair = " : (" + type + ", " + type + ") -> " + type + "\n";
  std::string &text = result.fuzzCase.program;
  text = "fuser.fusion @f(%x: " + type + (readsOther ? ", %w: " + type : "") + ") -> " + type +
         " attributes {facts = [#fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>" +
         (readsOther ? ", #fuser.fact<aligned 2, 16>, #fuser.fact<equal 0[0], 1[0]>" : "") +
         "]} {\n  %a = fuser.set %x : " + type + "\n";
  std::string value = "%a";
  if (readsOther) {
    text +=
        "  %b = fuser.set %w : " + type + "\n  %c = fuser." + kBinary[pick(3)] + " %a, %b" + pair;
    value = "%c";
  }
  text += std::string("  %d = fuser.") + kUnary[pick(3)] + " " + value + " : " + type + "\n";
  value = "%d";
  if (reduces) {
    text += "  %e = fuser.sum %d dims [1] : " + type + " -> tensor<?xf32>\n" +
            "  %g = fuser.broadcast %e dims [1] : tensor<?xf32> -> tensor<?x1xf32>\n" +
            "  %h = fuser.sub %d, %g : (" + type + ", tensor<?x1xf32>) -> " + type + "\n";
    value = "%h";
  }
  text += "  %y = fuser.set " + value + " : " + type + "\n" +
          "  %z = fuser.set %y {memory = #fuser.memory<global>} : " + type + "\n" +
          "  fuser.return %z : " + type + "\n}\n";
  const std::string sizes = std::to_string(rows) + "x" + std::to_string(columns);
  result.fuzzCase.sizes = readsOther ? sizes + "," + sizes : sizes;
  result.dynamicSizes = {rows};
}

bool RingScheduler::attempt(Step::Kind kind, unsigned op, std::vector<int64_t> numbers) {
  Step step{kind, op, std::move(numbers)};
  if (failed(applyStep(*module, step)))
    return false;
  result.fuzzCase.steps.push_back(std::move(step));
  return true;
}

void RingScheduler::tryOut(llvm::function_ref<void()> change) {
  OwningOpRef<ModuleOp> before = module->clone();
  const size_t steps = result.fuzzCase.steps.size();
  change();
  if (lowers(*module, result.fuzzCase.sizes))
    return;
  module = std::move(before);
  result.fuzzCase.steps.resize(steps);
}

/// [blocks, column tiles, tiles of rows, rows, columns of a thread, threads, 4], of which some do
/// not exist. The loops of all ops are those of the last one.
void RingScheduler::makeLoops() {
  const unsigned last = getOps(*module).size() - 1;
  const int64_t threads = columns >= 256 && chance(50) ? 64 : 32,
                vector = hasBoxes || columns == 64 ? 2 : 4;
  attempt(Step::Kind::Split, last, {1, vector, 1});
  attempt(Step::Kind::Split, last, {1, threads, 1});
  // Now [rows, columns of a thread, threads, vector].
  const int64_t tileRows = hasBoxes ? 40 : chance(50) ? 1 : 2 << pick(2), blocks = 1 + pick(3);
  attempt(Step::Kind::Split, last, {0, tileRows, 1});
  attempt(Step::Kind::Split, last, {0, blocks, 0});
  // Now [blocks, tiles, rows of a tile, columns of a thread, threads, vector].
  const bool splitsColumns = hasBoxes || (!reduces && chance(50));
  if (splitsColumns)
    attempt(Step::Kind::Reorder, last, {0, 3, 1, 2, 4, 5});
  tileLoop = splitsColumns ? 2 : 1;
  attempt(Step::Kind::Parallelize, last, {0, int64_t(ParallelType::BlockX)});
  if (splitsColumns)
    attempt(Step::Kind::Parallelize, last, {1, int64_t(ParallelType::BlockY)});
  attempt(Step::Kind::Parallelize, last, {4, int64_t(ParallelType::ThreadX)});
  attempt(Step::Kind::Parallelize, last, {5, int64_t(ParallelType::Vectorize)});
  attempt(Step::Kind::Propagate, last);
}

RandomCase RingScheduler::run() {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) { return success(); });
  makeProgram();
  module = schedule(result.fuzzCase, context);
  const unsigned last = getOps(*module).size() - 1;
  makeLoops();
  // All share the loop over tiles.
  for (unsigned number = 0; number < last; ++number)
    attempt(Step::Kind::Inline, number, {tileLoop + 1});
  const int64_t stages = 2 + pick(3);
  const bool byProducer = chance(80);
  for (unsigned number = 0; number < (readsOther ? 2u : 1u); ++number)
    if (number == 0 || chance(60))
      tryOut([&] {
        attempt(Step::Kind::Memory, number, {int64_t(MemoryType::Shared)});
        attempt(Step::Kind::Pipeline, number, {stages, 1, byProducer});
      });
  if (chance(70))
    tryOut([&] {
      attempt(Step::Kind::Memory, last - 1, {int64_t(MemoryType::Shared)});
      attempt(Step::Kind::StoreByBulk, last);
    });
  return std::move(result);
}

RandomCase fuser::fuzz::makeRingCase(uint64_t seed, MLIRContext *context, LowersFn lowers) {
  return RingScheduler(seed, context, lowers).run();
}
