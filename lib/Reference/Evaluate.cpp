//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Evaluates the ops of a program in order, through the table of their names.
//
//===----------------------------------------------------------------------===//

#include "fuser/Reference/Evaluate.h"
#include "OpContext.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "llvm/ADT/DenseMap.h"

#include <random>

using namespace mlir;
using namespace fuser;
using namespace fuser::reference;

//===----------------------------------------------------------------------===//
// OpContext
//===----------------------------------------------------------------------===//

Type OpContext::resultElementType(unsigned number) const {
  return getElementTypeOrSelf(op->getResult(number).getType());
}

/// True if a value of this element type and shape is of `type`.
static bool fits(Type elementType, ArrayRef<int64_t> shape, Type type) {
  if (getElementTypeOrSelf(type) != elementType)
    return false;
  auto tensorType = dyn_cast<RankedTensorType>(type);
  return tensorType ? succeeded(verifyCompatibleShape(tensorType.getShape(), shape))
                    : shape.empty();
}

static std::string describe(const Tensor &tensor) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  printShape(stream, tensor);
  return text;
}

LogicalResult OpContext::setResult(std::shared_ptr<const Tensor> tensor, unsigned number) {
  Type type = op->getResult(number).getType();
  if (!fits(tensor->getElementType(), tensor->getShape(), type))
    return emitError() << "expected result " << number << " of type " << type << ", but got "
                       << describe(*tensor);
  results[number] = std::move(tensor);
  return success();
}

LogicalResult OpContext::setResult(Tensor tensor, unsigned number) {
  return setResult(std::make_shared<const Tensor>(std::move(tensor)), number);
}

/// The relative error that a kernel's element of this type may have before it rounds to the type: a
/// unit in the last place of the compute type, f64 or f32. Kernels whose outputs all have 16 bits
/// or less compute exp and quotients with an error of up to 2^-17 instead (ADR 11). This is at most
/// 1/64 of a unit of f16: it changes few roundings, but all those that such a kernel may change.
/// moves.
static double getNoise(FloatType type) {
  if (type.isF64())
    return 0x1p-52;
  return type.getWidth() <= 16 ? 0x1p-17 : 0x1p-23;
}

/// The type of an element, or of the parts of a complex one, if it is a float.
static FloatType getFloatType(const Tensor &tensor) {
  Type type = tensor.getElementType();
  if (auto complexType = dyn_cast<ComplexType>(type))
    type = complexType.getElementType();
  return dyn_cast<FloatType>(type);
}

/// Perturbs each element up or down by `noise`, relative to its size.
static void addNoise(Tensor &tensor, double noise, std::mt19937_64 &random) {
  // Use the full bound, not a random share of it: an element may be as close to a rounding tie as
  // the bound.
  auto move = [&](double value) { return value * (random() % 2 ? 1 + noise : 1 - noise); };
  for (double &value : tensor.floats())
    value = move(value);
  for (std::complex<double> &value : tensor.complexes())
    value = {move(value.real()), move(value.imag())};
}

LogicalResult OpContext::setComputed(Tensor tensor, unsigned number) {
  if (FloatType type = getFloatType(tensor); type && options.noiseSeed) {
    std::seed_seq seeds{*options.noiseSeed, uint64_t(position), uint64_t(number)};
    std::mt19937_64 random(seeds);
    addNoise(tensor, getNoise(type), random);
  }
  roundElements(tensor, options.roundF32);
  return setResult(std::move(tensor), number);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

using SharedTensor = std::shared_ptr<const Tensor>;

/// The values of one block during evaluation. A value is dropped after its last use, because
/// tensors may be large.
class Evaluation {
public:
  explicit Evaluation(const EvaluateOptions &options) : options(options) {
    addScalarOps(table);
    addPointwiseOps(table);
    addActivations(table);
    addSpecialFunctions(table);
    addReductionOps(table);
    addScanOps(table);
    addShapeOps(table);
    addRandomOps(table);
    addComplexNumbers(table);
    addHostOps(table);
    addIndexingOps(table);
    addContractionOps(table);
  }

  void define(Value value, SharedTensor tensor) {
    if (!value.use_empty())
      values[value] = {std::move(tensor), unsigned(llvm::range_size(value.getUses()))};
  }

  SharedTensor use(Value value) {
    auto it = values.find(value);
    SharedTensor tensor = it->second.tensor;
    if (--it->second.uses == 0)
      values.erase(it);
    return tensor;
  }

  LogicalResult evaluate(Operation &op) {
    auto entry = table.find(op.getName().getStringRef());
    if (entry == table.end())
      return op.emitOpError("expected an op that the reference evaluates, but got '")
             << op.getName() << "'";
    SmallVector<SharedTensor> operands;
    for (Value operand : op.getOperands())
      operands.push_back(use(operand));
    if (options.noiseSeed && isa<CombinerOpInterface, ScanOpInterface>(op))
      addNoiseToTerms(operands);
    OpContext context(&op, operands, options, numEvaluated++);
    if (failed(entry->second(context)))
      return failure();
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), context.getResults())) {
      assert(tensor && "an evaluation sets every result");
      define(result, tensor);
    }
    return success();
  }

private:
  /// Intermediate roundings of sums are relative to their terms, which may be much larger than the
  /// result: perturbs each term by a unit in the last place of f64 or f32.
  void addNoiseToTerms(MutableArrayRef<SharedTensor> operands) const {
    for (auto [number, operand] : llvm::enumerate(operands)) {
      FloatType type = getFloatType(*operand);
      if (!type)
        continue;
      constexpr uint64_t kFirstOperand = 1000; // after numbers of results
      std::seed_seq seeds{*options.noiseSeed, uint64_t(numEvaluated), kFirstOperand + number};
      std::mt19937_64 random(seeds);
      auto moved = std::make_shared<Tensor>(*operand);
      addNoise(*moved, type.isF64() ? 0x1p-52 : 0x1p-23, random);
      operand = std::move(moved);
    }
  }

  struct Entry {
    SharedTensor tensor;
    unsigned uses;
  };
  const EvaluateOptions &options;
  unsigned numEvaluated = 0;
  OpTable table;
  llvm::DenseMap<Value, Entry> values;
};

} // namespace

static LogicalResult checkArguments(FunctionOpInterface program, ArrayRef<Tensor> args) {
  if (args.size() != program.getNumArguments())
    return program.emitOpError("expected ")
           << program.getNumArguments() << " arguments, but got " << args.size();
  for (auto [index, arg, type] : llvm::enumerate(args, program.getArgumentTypes()))
    if (!fits(arg.getElementType(), arg.getShape(), type))
      return program.emitOpError("expected argument ")
             << index << " of type " << type << ", but got " << describe(arg);
  return success();
}

FailureOr<SmallVector<Tensor>> fuser::reference::evaluate(FunctionOpInterface program,
                                                          ArrayRef<Tensor> args,
                                                          const EvaluateOptions &options) {
  if (program.isExternal() || !isa<ReturnOp>(program.getFunctionBody().back().back()))
    return program.emitOpError("expected a body that ends with 'fuser.return'");
  if (failed(checkArguments(program, args)))
    return failure();

  Evaluation evaluation(options);
  Block &body = program.getFunctionBody().front();
  // The caller's arguments outlive the evaluation, so that they are shared without a copy.
  for (auto [value, arg] : llvm::zip_equal(body.getArguments(), args))
    evaluation.define(value, SharedTensor(SharedTensor(), &arg));
  for (Operation &op : body.without_terminator())
    if (failed(evaluation.evaluate(op)))
      return failure();
  SmallVector<Tensor> outputs;
  for (Value value : body.getTerminator()->getOperands())
    outputs.push_back(*evaluation.use(value));
  return outputs;
}
