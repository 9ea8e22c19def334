//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "RandomSchedule.h"

#include "../../Segmentation/RandomFusion.h"
#include "CaseRunner.h"
#include "RandomRing.h"
#include "fuser/Dialect/Transforms/Inlining.h"
#include "fuser/Ids/EdgeIds.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <numeric>

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

namespace {

// Large ones only in two dimensions: a value that shares no loop is computed by each thread, and
// each access is checked.
constexpr int64_t kDynamicSizes[] = {5, 6, 8, 11, 12, 17, 24, 40, 66, 96, 100};
constexpr int64_t kStaticSizes[] = {1, 3, 4, 7, 8, 16, 32, 48};
constexpr unsigned kSmallSizes = 5;
// For several warps; in arguments of one dimension only.
constexpr int64_t kLongSizes[] = {96, 100, 130, 200};
constexpr int64_t kMostElements = 10000;
constexpr int64_t kFactors[] = {2, 2, 3, 4, 4, 5, 8, 8, 16, 32, 64, 96};
constexpr ParallelType kThreadTypes[] = {ParallelType::ThreadX, ParallelType::ThreadY,
                                         ParallelType::ThreadZ};
constexpr ParallelType kBlockTypes[] = {ParallelType::BlockX, ParallelType::BlockY,
                                        ParallelType::BlockZ};

class RandomScheduler {
public:
  RandomScheduler(uint64_t seed, MLIRContext *context, LowersFn lowers)
      : random(seed), context(context), lowers(lowers) {
    result.fuzzCase.seed = seed;
  }

  RandomCase run();

private:
  unsigned pick(unsigned count) { return random() % count; }
  bool chance(unsigned percent) { return pick(100) < percent; }
  template <typename T, size_t N> T pickOf(const T (&values)[N]) { return values[pick(N)]; }

  /// Of a split: for long dimensions often whole warps, of a number that is no power of two.
  int64_t pickFactor() { return isLong && chance(40) ? 96 : pickOf(kFactors); }

  void makeProgram();
  void addFacts(ArrayRef<fuser::test::Generator::Sizes> arguments);
  /// Applies the step and keeps it, where it can be applied.
  bool attempt(Step step);
  bool attempt(Step::Kind kind, unsigned op, std::vector<int64_t> numbers = {}) {
    return attempt(Step{kind, op, std::move(numbers)});
  }
  /// Makes a change; takes it back where a legal schedule is wanted and it is refused.
  void tryOut(llvm::function_ref<void()> change);
  unsigned chooseReference();
  void scheduleLike(unsigned reference);
  void transformLoops(unsigned op);
  void bindLoops(unsigned op);
  std::optional<int64_t> getConstantExtent(TensorViewOpInterface op, unsigned id);
  void placeInMemory();
  void inlineValues();
  void pipelineCopies();
  void disturb();

  std::mt19937_64 random;
  MLIRContext *context;
  RandomCase result;
  OwningOpRef<ModuleOp> module;
  /// What lowering refuses is taken back.
  LowersFn lowers;
  bool legal = false;
  /// Dimensions have several warps of elements.
  bool isLong = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// The fusion
//===----------------------------------------------------------------------===//

/// Lets some arguments be read through copies, and returns everything through a copy in global
/// memory: what a schedule needs.
static void addCopies(FusionOp fusion, llvm::function_ref<bool()> copies) {
  Block &body = fusion.getBody().front();
  OpBuilder builder(&body, body.begin());
  auto copy = [&](Value value) {
    return SetOp::create(builder, value.getLoc(), value.getType(), value, /*domains=*/nullptr,
                         /*memory=*/nullptr, /*inline_at=*/nullptr);
  };
  for (BlockArgument argument : body.getArguments())
    if (isa<RankedTensorType>(argument.getType()) && copies()) {
      SetOp load = copy(argument);
      argument.replaceAllUsesExcept(load.getResult(), load);
    }
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  for (OpOperand &operand : end->getOpOperands()) {
    SetOp store = copy(operand.get());
    store.setMemoryType(MemoryType::Global);
    operand.set(store.getResult());
  }
}

/// Ops that nobody reads are no part of a schedule.
static void eraseDeadOps(FusionOp fusion) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(fusion.getBody().front())))
    if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty())
      op.erase();
}

/// What is true of the arguments: pointers of the driver are aligned, which vectors need; of sizes
/// some is known.
void RandomScheduler::addFacts(ArrayRef<fuser::test::Generator::Sizes> arguments) {
  FusionOp fusion = getFusion(*module);
  std::string text;
  for (unsigned pointer = 0; pointer < fusion.getNumArguments() + fusion.getNumResults(); ++pointer)
    text += "#fuser.fact<aligned " + std::to_string(pointer) + ", 16>, ";
  const bool divides = chance(50), bounds = chance(60);
  for (auto [number, sizes] : llvm::enumerate(arguments))
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (!llvm::is_contained(result.dynamicSizes, size))
        continue;
      const int64_t divisor = std::min<int64_t>(size & -size, 16);
      const std::string place = std::to_string(number) + "[" + std::to_string(dim) + "], ";
      if (divides && divisor > 1)
        text += "#fuser.fact<divisible " + place + std::to_string(divisor) + ">, ";
      if (bounds)
        text += "#fuser.fact<at_most " + place + std::to_string(size + pick(3)) + ">, ";
    }
  fusion->setAttr("facts", parseAttribute("[" + text.substr(0, text.size() - 2) + "]", context));
}

/// Elements of the op's first result, where dynamic dimensions have the given size.
static int64_t countElements(TensorViewOpInterface op, int64_t dynamicSize) {
  int64_t elements = 1;
  for (int64_t size : cast<RankedTensorType>(op->getResult(0).getType()).getShape())
    elements *= ShapedType::isDynamic(size) ? dynamicSize : size;
  return elements;
}

void RandomScheduler::makeProgram() {
  fuser::test::GeneratorOptions options;
  const bool large = chance(40);
  options.dynamicSize = kDynamicSizes[pick(large ? std::size(kDynamicSizes) : kSmallSizes)];
  // Sizes that are equal hide that one is taken for another.
  if (chance(50))
    options.otherDynamicSize = kDynamicSizes[pick(large ? std::size(kDynamicSizes) : kSmallSizes)];
  options.staticSize = kStaticSizes[pick(large ? std::size(kStaticSizes) : kSmallSizes)];
  options.maxRank = large ? 2 : 3;
  isLong = chance(8);
  if (isLong) {
    options.maxRank = 1;
    options.dynamicSize = pickOf(kLongSizes);
    options.staticSize = pickOf(kLongSizes);
  }
  options.minOps = 10;
  options.maxOps = 22;
  options.lateOutputs = true;
  options.resizes = chance(15);
  options.reshapes = chance(60);
  // What the outputs do not need goes, so that many fusions are too small.
  const size_t wanted = 7 + pick(6);
  const bool reduces = chance(60);
  std::optional<fuser::test::Generator> generator;
  for (unsigned tries = 0; tries < 40; ++tries) {
    generator.emplace(static_cast<unsigned>(random()), options);
    module = parseSourceString<ModuleOp>(generator->run(), ParserConfig(context), "fusion");
    assert(module && "the generator writes valid fusions");
    eraseDeadOps(getFusion(*module));
    SmallVector<TensorViewOpInterface> ops = getOps(*module);
    int64_t largest = std::max(options.dynamicSize, options.otherDynamicSize);
    for (int64_t size : generator->derivedSizes)
      largest = std::max(largest, size);
    const bool fits = llvm::all_of(
        ops, [&](TensorViewOpInterface op) { return countElements(op, largest) <= kMostElements; });
    if (fits && ops.size() >= wanted &&
        (!reduces || llvm::any_of(ops, [](TensorViewOpInterface op) {
          return llvm::is_contained(op.getDomain().getKinds(), IdKind::Reduction);
        })))
      break;
  }
  addCopies(getFusion(*module), [&] { return chance(50); });
  result.dynamicSizes = {options.dynamicSize};
  if (options.otherDynamicSize)
    result.dynamicSizes.push_back(options.otherDynamicSize);
  addFacts(generator->arguments);
  llvm::raw_string_ostream(result.fuzzCase.program) << *module;
  for (auto [index, sizes] : llvm::enumerate(generator->arguments)) {
    result.fuzzCase.sizes += index ? "," : "";
    for (auto [dim, size] : llvm::enumerate(sizes))
      result.fuzzCase.sizes += (dim ? "x" : "") + std::to_string(size);
  }
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

bool RandomScheduler::attempt(Step step) {
  if (failed(applyStep(*module, step)))
    return false;
  result.fuzzCase.steps.push_back(std::move(step));
  return true;
}

void RandomScheduler::tryOut(llvm::function_ref<void()> change) {
  if (!legal)
    return change();
  OwningOpRef<ModuleOp> before = module->clone();
  const size_t steps = result.fuzzCase.steps.size();
  change();
  if (result.fuzzCase.steps.size() == steps || lowers(*module, result.fuzzCase.sizes))
    return;
  module = std::move(before);
  result.fuzzCase.steps.resize(steps);
}

void RandomScheduler::transformLoops(unsigned number) {
  for (unsigned i = 0, count = 1 + pick(4); i < count; ++i) {
    TensorViewOpInterface op = getOps(*module)[number];
    int64_t loops = op.getDomain().getLoop().size();
    if (loops == 0)
      return;
    unsigned choice = pick(100);
    if (choice < 55) {
      attempt(Step::Kind::Split, number, {pick(loops), pickFactor(), chance(80)});
    } else if (choice < 75) {
      int64_t outer = pick(loops);
      if (outer + 1 < loops)
        attempt(Step::Kind::Merge, number, {outer, outer + 1});
    } else if (choice < 97) {
      std::vector<int64_t> order(loops);
      std::iota(order.begin(), order.end(), 0);
      std::swap(order[pick(loops)], order[pick(loops)]);
      attempt(Step::Kind::Reorder, number, std::move(order));
    } else if (loops > 1) {
      int64_t inner = pick(loops), outer = pick(loops);
      attempt(Step::Kind::Swizzle, number, {outer, inner, 1 + pick(2)});
    }
  }
  // The last loop is the one that vectors can be of.
  if (int64_t loops = getOps(*module)[number].getDomain().getLoop().size(); loops && chance(30))
    attempt(Step::Kind::Split, number, {loops - 1, int64_t(2) << pick(2), 1});
}

/// The extent of an id where the type or a split states it.
std::optional<int64_t> RandomScheduler::getConstantExtent(TensorViewOpInterface op, unsigned id) {
  DomainAttr domain = op.getDomain();
  int definition = domain.getDefinition(id);
  if (definition >= 0) {
    const DomainTransform &step = domain.getTransforms()[definition];
    if (step.kind == TransformKind::Split && step.outputs[step.inner] == id)
      return step.value;
    return std::nullopt;
  }
  bool reduces = llvm::is_contained(domain.getKinds(), IdKind::Reduction);
  auto type = dyn_cast<RankedTensorType>(reduces ? op->getOperand(0).getType()
                                                 : op->getResult(0).getType());
  const auto *dim = llvm::find(domain.getLogical(), id);
  if (!type || dim == domain.getLogical().end() ||
      type.getRank() != int64_t(domain.getLogical().size()))
    return std::nullopt;
  int64_t size = type.getDimSize(dim - domain.getLogical().begin());
  return ShapedType::isDynamic(size) ? std::nullopt : std::optional(size);
}

void RandomScheduler::bindLoops(unsigned number) {
  TensorViewOpInterface op = getOps(*module)[number];
  int64_t loops = op.getDomain().getLoop().size(), threads = 1;
  unsigned threadTypes = 0, blockTypes = 0;
  bool mayCluster = chance(30);
  for (int64_t position = 0; position < loops; ++position) {
    unsigned id = op.getDomain().getLoop()[position];
    std::optional<int64_t> extent = getConstantExtent(op, id);
    const bool isLast = position + 1 == loops;
    if (isLast && extent && (*extent == 2 || *extent == 4 || *extent == 8) && chance(60)) {
      attempt(Step::Kind::Parallelize, number, {position, int64_t(ParallelType::Vectorize)});
    } else if (mayCluster && extent && *extent >= 2 && *extent <= 8 &&
               chance(op.getDomain().getKinds()[id] == IdKind::Reduction ? 60 : 30)) {
      mayCluster = false;
      attempt(Step::Kind::Parallelize, number, {position, int64_t(ParallelType::ClusterX)});
    } else if (extent && threadTypes < 3 && threads * *extent <= 512 && chance(45)) {
      threads *= *extent;
      attempt(Step::Kind::Parallelize, number, {position, int64_t(kThreadTypes[threadTypes++])});
    } else if (blockTypes < 3 && chance(position == 0 ? 60 : 20)) {
      attempt(Step::Kind::Parallelize, number, {position, int64_t(kBlockTypes[blockTypes++])});
    } else if (extent && *extent <= 8 && chance(35)) {
      attempt(Step::Kind::Parallelize, number, {position, int64_t(ParallelType::Unroll)});
    } else if (chance(4)) {
      attempt(Step::Kind::Parallelize, number, {position, int64_t(ParallelType::Unswitch)});
    }
  }
}

void RandomScheduler::placeInMemory() {
  const unsigned shared = chance(60) ? 30 : 0, global = chance(30) ? 20 : 0;
  for (unsigned number = 0, count = getOps(*module).size(); number < count; ++number) {
    if (getOps(*module)[number].getMemoryType() == MemoryType::Global)
      continue;
    MemoryType memory = chance(shared) ? MemoryType::Shared : MemoryType::Global;
    if (memory == MemoryType::Shared || chance(global))
      tryOut([&] { attempt(Step::Kind::Memory, number, {int64_t(memory)}); });
  }
}

void RandomScheduler::inlineValues() {
  const bool most = chance(75);
  for (unsigned number = 0, count = getOps(*module).size(); number < count; ++number) {
    IdRelations classes(getFusion(*module).getBody().front());
    TensorViewOpInterface op = getOps(*module)[number];
    int64_t common = op.getDomain().getLoop().size();
    bool isReturned = false;
    for (Operation *user : op->getUsers()) {
      if (auto consumer = dyn_cast<TensorViewOpInterface>(user))
        common = std::min(common, int64_t(getNumSharedLoops(op, consumer, classes)));
      else
        isReturned = true;
    }
    if (isReturned || common == 0)
      continue;
    int64_t position = most && chance(85) ? common : pick(common + 1);
    if (position > 0)
      tryOut([&] { attempt(Step::Kind::Inline, number, {position}); });
  }
}

/// Copies of arguments in circular buffers, in loops that can have them. Numbers of their own: the
/// seeds of cases without copies stay.
void RandomScheduler::pipelineCopies() {
  std::mt19937_64 own(result.fuzzCase.seed ^ 0x9e3779b97f4a7c15u);
  std::mt19937_64 engines(result.fuzzCase.seed ^ 0xbf58476d1ce4e5b9u);
  if (own() % 100 >= 40)
    return;
  for (unsigned number = 0, count = getOps(*module).size(); number < count; ++number) {
    TensorViewOpInterface op = getOps(*module)[number];
    if (!isa<SetOp>(op.getOperation()) || !isa<BlockArgument>(op->getOperand(0)) ||
        op.getMemoryType() == MemoryType::Global)
      continue;
    const int64_t stages = 1 + int64_t(own() % 5), byBulk = stages > 1 ? int64_t(engines() % 2) : 0,
                  byProducer = byBulk != 0 ? int64_t(engines() % 2) : 0;
    // Threads copy the elements of the innermost loop that can have stages, bulk copies those of
    // all loops in the outermost one.
    const int64_t loops = op.getDomain().getLoop().size();
    for (int64_t each = 1; each <= loops; ++each) {
      const int64_t position = byBulk ? each : loops + 1 - each;
      const size_t steps = result.fuzzCase.steps.size();
      tryOut([&] {
        if (attempt(Step::Kind::Memory, number, {int64_t(MemoryType::Shared)}) &&
            attempt(Step::Kind::Inline, number, {position}))
          attempt(Step::Kind::Pipeline, number, {stages, byBulk, byProducer});
      });
      if (result.fuzzCase.steps.size() > steps)
        break;
    }
  }
}

void RandomScheduler::disturb() {
  for (unsigned i = 0, count = 1 + pick(3); i < count; ++i) {
    SmallVector<TensorViewOpInterface> ops = getOps(*module);
    unsigned number = pick(ops.size());
    int64_t loops = ops[number].getDomain().getLoop().size();
    if (loops == 0)
      continue;
    switch (pick(6)) {
    case 0:
      attempt(Step::Kind::Split, number, {pick(loops), pickFactor(), chance(80)});
      break;
    case 1:
      attempt(Step::Kind::Parallelize, number, {pick(loops), pick(12)});
      break;
    case 2:
      attempt(Step::Kind::Inline, number, {pick(loops + 1)});
      break;
    case 3:
      attempt(Step::Kind::Memory, number, {pick(3)});
      break;
    case 4:
      attempt(Step::Kind::Merge, number, {pick(loops), pick(loops)});
      break;
    default:
      attempt(Step::Kind::Swizzle, number, {pick(loops), pick(loops), 1 + pick(3)});
      break;
    }
  }
}

/// The op with most dimensions, the first or the last of them, has all that the others need. What
/// a reshape merges may be in the loops of all as well.
unsigned RandomScheduler::chooseReference() {
  SmallVector<unsigned> merged;
  for (auto [number, op] : llvm::enumerate(getOps(*module)))
    if (auto reshape = dyn_cast<ReshapeOp>(op.getOperation());
        reshape && reshape.getResult().getType().getRank() > 0)
      merged.push_back(number);
  if (!merged.empty() && chance(40))
    return merged[pick(merged.size())];
  SmallVector<unsigned> widest;
  size_t most = 0;
  for (auto [number, op] : llvm::enumerate(getOps(*module))) {
    size_t rank = op.getDomain().getLoop().size();
    if (rank > most)
      widest.clear();
    most = std::max(most, rank);
    if (rank == most)
      widest.push_back(number);
  }
  return widest[pick(widest.size())];
}

/// Loops of the reference, and of all others like them.
void RandomScheduler::scheduleLike(unsigned reference) {
  transformLoops(reference);
  bindLoops(reference);
  attempt(Step::Kind::Propagate, reference);
}

RandomCase RandomScheduler::run() {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) { return success(); });
  makeProgram();
  // As it will be read back.
  module = schedule(result.fuzzCase, context);
  legal = chance(80);
  result.kind = chance(80) ? CaseKind::Replayed : CaseKind::OwnLoops;
  const unsigned count = getOps(*module).size();
  if (result.kind == CaseKind::Replayed) {
    const unsigned reference = chooseReference();
    for (unsigned tries = 0; tries < (legal ? 4u : 1u) && result.fuzzCase.steps.empty(); ++tries)
      tryOut([&] { scheduleLike(reference); });
  } else {
    for (unsigned number = 0; number < count; ++number)
      tryOut([&] {
        if (chance(60))
          transformLoops(number);
        if (chance(60))
          bindLoops(number);
      });
  }
  placeInMemory();
  inlineValues();
  pipelineCopies();
  if (chance(15)) {
    result.kind = CaseKind::Disturbed;
    disturb();
  }
  return std::move(result);
}

RandomCase fuser::fuzz::makeRandomCase(uint64_t seed, MLIRContext *context, LowersFn lowers) {
  if (isRingSeed(seed))
    return makeRingCase(seed, context, lowers);
  return RandomScheduler(seed, context, lowers).run();
}
