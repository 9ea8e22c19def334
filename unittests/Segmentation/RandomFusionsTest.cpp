//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Random fusions: whatever segmentation does with them, the segments compute what the fusion does.
// FUSER_RANDOM_FUSIONS sets how many (default 200).
//
//===----------------------------------------------------------------------===//

#include "fuser/Reference/Evaluate.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "fuser/Segmentation/OutlineKernels.h"
#include "fuser/Segmentation/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace fuser;

namespace {

/// Writes a fusion of f32 tensors of up to three dimensions. Dimensions of kDynamic elements are
/// dynamic in all types.
class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string run() {
    unsigned numArguments = 1 + pick(3);
    for (unsigned i = 0; i < numArguments; ++i) {
      Sizes sizes;
      for (unsigned dim = 0, rank = 1 + pick(3); dim < rank; ++dim)
        sizes.push_back(pick(3) ? 4 : kDynamic);
      values.push_back({"%x" + std::to_string(i), sizes});
      arguments.push_back(sizes);
    }
    for (unsigned i = 0, count = 3 + pick(20); i < count; ++i)
      addOp();
    while (values.size() == numArguments)
      addOp();
    SmallVector<const Value *> outputs;
    for (unsigned i = 0, count = 1 + pick(3); i < count; ++i)
      outputs.push_back(&values[numArguments + pick(values.size() - numArguments)]);
    std::string text = "fuser.fusion @f(";
    for (unsigned i = 0; i < numArguments; ++i)
      text += (i ? ", " : "") + values[i].name + ": " + getType(values[i].sizes);
    text += ") -> (" + join(outputs, false) + ") {\n" + body + "fuser.return " +
            join(outputs, true) + " : " + join(outputs, false) + "\n}\n";
    return text;
  }

  using Sizes = SmallVector<int64_t>;
  SmallVector<Sizes> arguments;

private:
  static constexpr int64_t kDynamic = 6;
  struct Value {
    std::string name;
    Sizes sizes;
  };

  unsigned pick(unsigned count) { return random() % count; }
  const Value &pickValue() { return values[pick(values.size())]; }

  static std::string getType(const Sizes &sizes) {
    std::string type = "tensor<";
    for (int64_t size : sizes)
      type += (size == kDynamic ? "?" : std::to_string(size)) + "x";
    return type + "f32>";
  }
  static std::string join(ArrayRef<const Value *> outputs, bool names) {
    std::string text;
    for (auto [i, output] : llvm::enumerate(outputs))
      text += (i ? ", " : "") + (names ? output->name : getType(output->sizes));
    return text;
  }
  void add(const std::string &text, const std::string &types, const Sizes &sizes) {
    std::string name = "%v" + std::to_string(values.size());
    body += name + " = fuser." + text + " : " + types + "\n";
    values.push_back({name, sizes});
  }
  std::string numbers(ArrayRef<int64_t> list) {
    std::string text = "[";
    for (auto [i, number] : llvm::enumerate(list))
      text += (i ? ", " : "") + std::to_string(number);
    return text + "]";
  }

  void addOp();
  void addBinary();
  void addResize(const Value &x, unsigned dim);

  std::mt19937 random;
  std::vector<Value> values;
  std::string body;
};

void Generator::addOp() {
  Value x = pickValue();
  std::string type = getType(x.sizes);
  unsigned rank = x.sizes.size();
  unsigned dim = rank ? pick(rank) : 0;
  switch (pick(9)) {
  case 0:
  case 1: {
    static const char *names[] = {"relu", "neg", "abs", "sin", "segment_set", "segment_set"};
    add(std::string(names[pick(6)]) + " " + x.name, type, x.sizes);
    return;
  }
  case 2:
  case 3:
    addBinary();
    return;
  case 4: {
    if (!rank)
      return;
    Sizes sizes(x.sizes);
    sizes.erase(sizes.begin() + dim);
    static const char *names[] = {"sum", "max", "mean"};
    add(std::string(names[pick(3)]) + " " + x.name + " dims [" + std::to_string(dim) + "]",
        type + " -> " + getType(sizes), sizes);
    return;
  }
  case 5: {
    if (rank > 2)
      return;
    Sizes sizes(x.sizes);
    dim = pick(rank + 1);
    sizes.insert(sizes.begin() + dim, 1);
    add("broadcast " + x.name + " dims [" + std::to_string(dim) + "]",
        type + " -> " + getType(sizes), sizes);
    return;
  }
  case 6: {
    Sizes order(rank), sizes;
    for (unsigned i = 0; i < rank; ++i)
      order[i] = i;
    for (unsigned i = rank; i > 1; --i)
      std::swap(order[i - 1], order[pick(i)]);
    for (int64_t from : order)
      sizes.push_back(x.sizes[from]);
    add("permute " + x.name + " " + numbers(order), type + " -> " + getType(sizes), sizes);
    return;
  }
  default:
    if (rank && x.sizes[dim] != kDynamic)
      addResize(x, dim);
    return;
  }
}

void Generator::addBinary() {
  Value x = pickValue(), y = pickValue();
  // Another value of the same shape, up to dimensions of size 1.
  for (const Value &other : values)
    if (other.sizes.size() == x.sizes.size() &&
        llvm::all_of(llvm::zip(other.sizes, x.sizes),
                     [](auto pair) {
                       auto [a, b] = pair;
                       return a == b || a == 1 || b == 1;
                     }) &&
        (pick(2) || y.sizes.size() != x.sizes.size()))
      y = other;
  if (x.sizes.size() != y.sizes.size())
    return;
  Sizes sizes;
  for (auto [a, b] : llvm::zip(x.sizes, y.sizes)) {
    if (a != b && a != 1 && b != 1)
      return;
    sizes.push_back(std::max(a, b));
  }
  static const char *names[] = {"add", "sub", "mul", "maximum"};
  add(std::string(names[pick(4)]) + " " + x.name + ", " + y.name,
      "(" + getType(x.sizes) + ", " + getType(y.sizes) + ") -> " + getType(sizes), sizes);
}

void Generator::addResize(const Value &x, unsigned dim) {
  std::string type = getType(x.sizes);
  Sizes sizes(x.sizes), zeros(sizes.size(), 0), low(zeros), high(zeros);
  switch (pick(3)) {
  case 0: // slice
    if (sizes[dim] < 2)
      return;
    low[dim] = pick(2);
    sizes[dim] -= 1;
    for (int64_t size : sizes)
      if (size == kDynamic)
        return;
    add("slice " + x.name + " " + numbers(low) + " " + numbers(sizes),
        type + " -> " + getType(sizes), sizes);
    return;
  case 1: // pad
    low[dim] = pick(3);
    high[dim] = pick(3);
    sizes[dim] += low[dim] + high[dim];
    if (sizes[dim] == kDynamic)
      return;
    body += "%p" + std::to_string(values.size()) + " = arith.constant 1.5 : f32\n";
    add("pad " + x.name + " low " + numbers(low) + " high " + numbers(high) + " value %p" +
            std::to_string(values.size()),
        type + ", f32 -> " + getType(sizes), sizes);
    return;
  default: // cat with itself or with something like it
    sizes[dim] *= 2;
    if (sizes[dim] == kDynamic || sizes[dim] > 16)
      return;
    add("cat " + x.name + ", " + x.name + " dim " + std::to_string(dim),
        "(" + type + ", " + type + ") -> " + getType(sizes), sizes);
    return;
  }
}

class RandomFusionsTest : public ::testing::Test {
protected:
  RandomFusionsTest() {
    context.loadDialect<FuserDialect, FuserSchedDialect, arith::ArithDialect, math::MathDialect,
                        tensor::TensorDialect>();
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        message += diagnostic.str() + "\n";
    });
  }

  SmallVector<reference::Tensor> makeArguments(ArrayRef<Generator::Sizes> shapes, unsigned seed) {
    std::mt19937 random(seed);
    SmallVector<reference::Tensor> arguments;
    for (const Generator::Sizes &shape : shapes) {
      std::vector<double> values(reference::getNumElements(shape));
      for (double &value : values)
        value = double(random() % 2001) / 1000 - 1;
      arguments.emplace_back(Float32Type::get(&context), shape, std::move(values));
    }
    return arguments;
  }

  /// Everything that the program of a module computes.
  std::optional<std::vector<std::vector<double>>> evaluate(ModuleOp module,
                                                           ArrayRef<reference::Tensor> arguments) {
    for (auto program : module.getOps<FunctionOpInterface>()) {
      if (isa<KernelOp>(program))
        continue;
      auto results = reference::evaluate(program, arguments);
      if (failed(results))
        return std::nullopt;
      std::vector<std::vector<double>> values;
      for (reference::Tensor &tensor : *results)
        values.push_back(tensor.floats());
      return values;
    }
    return std::nullopt;
  }

  LogicalResult outlineSingles(ModuleOp module) {
    FusionOp fusion = *module.getOps<FusionOp>().begin();
    SymbolTable symbols(module);
    FailureOr<ExtentAnalysis> analysis = ExtentAnalysis::create(fusion);
    if (failed(analysis))
      return failure();
    return success(succeeded(
        outlineFusion(fusion, *analysis, Partition::getSingles(fusion), SizeHints(), symbols)));
  }

  MLIRContext context;
  std::string message;
};

TEST_F(RandomFusionsTest, SegmentsComputeWhatTheFusionComputes) {
  const char *wanted = std::getenv("FUSER_RANDOM_FUSIONS");
  unsigned count = wanted ? std::atoi(wanted) : 200, numKernels = 0, numOps = 0, severalKernels = 0;
  auto registry = createDefaultRegistry();
  for (unsigned seed = 0; seed < count; ++seed) {
    Generator generator(seed);
    std::string text = generator.run();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);

    message.clear();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << message;
    SmallVector<reference::Tensor> arguments = makeArguments(generator.arguments, seed);
    auto expected = evaluate(*module, arguments);
    ASSERT_TRUE(expected) << message;

    OwningOpRef<ModuleOp> segmented = module->clone();
    PassManager manager(&context);
    manager.addPass(createSegmentFusionsPass(registry));
    ASSERT_TRUE(succeeded(manager.run(*segmented))) << message;
    ASSERT_TRUE(succeeded(mlir::verify(*segmented))) << message;
    EXPECT_EQ(evaluate(*segmented, arguments), expected) << message;

    OwningOpRef<ModuleOp> singles = module->clone();
    ASSERT_TRUE(succeeded(outlineSingles(*singles))) << message;
    EXPECT_EQ(evaluate(*singles, arguments), expected) << message;

    unsigned kernels = llvm::range_size(segmented->getOps<KernelOp>());
    unsigned ops = llvm::range_size(singles->getOps<KernelOp>());
    EXPECT_LE(kernels, std::max(ops, 1u));
    numKernels += kernels;
    numOps += ops;
    severalKernels += kernels > 1;
    if (HasFailure())
      return;
  }
  // The cases are worth something: many need several kernels, and few need one for each op.
  EXPECT_GE(severalKernels * 4, count);
  EXPECT_LE(numKernels * 3, numOps * 2);
}

} // namespace
