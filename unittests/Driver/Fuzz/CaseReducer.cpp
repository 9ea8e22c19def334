//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CaseReducer.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>

using namespace mlir;
using namespace fuser;
using namespace fuser::fuzz;

/// Leaves out runs of steps, long ones first.
static bool reduceSteps(FuzzCase &fuzzCase, StillFails stillFails) {
  bool changed = false;
  for (size_t length = std::max<size_t>(fuzzCase.steps.size() / 2, 1);; length /= 2) {
    for (size_t begin = 0; begin < fuzzCase.steps.size();) {
      FuzzCase smaller = fuzzCase;
      auto first = smaller.steps.begin() + begin;
      smaller.steps.erase(first, first + std::min(length, fuzzCase.steps.size() - begin));
      if (stillFails(smaller)) {
        fuzzCase = std::move(smaller);
        changed = true;
      } else {
        begin += length;
      }
    }
    if (length <= 1)
      return changed;
  }
}

/// Erases ops that nobody reads, and the steps of all ops that are gone; the others get the numbers
/// that their ops have now. `before` are the ops as they were numbered.
static void renumber(FuzzCase &fuzzCase, FusionOp fusion, ArrayRef<Operation *> before) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(fusion.getBody().front())))
    if (!op.hasTrait<OpTrait::IsTerminator>() && op.use_empty())
      op.erase();
  llvm::SmallDenseMap<Operation *, unsigned> numbers;
  for (Operation &op : fusion.getBody().front())
    if (isa<TensorViewOpInterface>(op))
      numbers.try_emplace(&op, numbers.size());
  std::vector<Step> steps;
  for (Step step : fuzzCase.steps) {
    auto found = numbers.find(before[step.op]);
    if (found == numbers.end())
      continue;
    step.op = found->second;
    steps.push_back(std::move(step));
  }
  fuzzCase.steps = std::move(steps);
}

/// The case after `change` of its fusion; nothing where that does not apply or leaves no fusion.
static std::optional<FuzzCase> rewrite(const FuzzCase &fuzzCase, MLIRContext *context,
                                       llvm::function_ref<bool(FusionOp)> change) {
  auto module = parseSourceString<ModuleOp>(fuzzCase.program, ParserConfig(context), "fusion");
  if (!module)
    return std::nullopt;
  FusionOp fusion = getFusion(*module);
  SmallVector<Operation *> before;
  for (TensorViewOpInterface op : getOps(*module))
    before.push_back(op);
  if (!change(fusion))
    return std::nullopt;
  FuzzCase smaller = fuzzCase;
  renumber(smaller, fusion, before);
  if (failed(verify(*module)))
    return std::nullopt;
  smaller.program.clear();
  llvm::raw_string_ostream(smaller.program) << *module;
  return smaller;
}

/// Returns one value less.
static bool dropOutput(FusionOp fusion, unsigned output) {
  if (fusion.getNumResults() < 2 || output >= fusion.getNumResults())
    return false;
  fusion.getBody().front().getTerminator()->eraseOperand(output);
  SmallVector<Type> results(fusion.getResultTypes());
  results.erase(results.begin() + output);
  fusion.setType(FunctionType::get(fusion.getContext(), fusion.getArgumentTypes(), results));
  // Facts speak of pointers by number.
  fusion->removeAttr("facts");
  return true;
}

/// Reads an operand of the same type instead of the op.
static bool dropOp(FusionOp fusion, unsigned number) {
  unsigned at = 0;
  for (Operation &op : fusion.getBody().front()) {
    if (!isa<TensorViewOpInterface>(op) || at++ != number)
      continue;
    // A copy to global memory that is returned is what makes an output.
    if (op.getNumResults() != 1 || llvm::any_of(op.getUsers(), [](Operation *user) {
          return user->hasTrait<OpTrait::IsTerminator>();
        }))
      return false;
    for (Value operand : op.getOperands())
      if (operand.getType() == op.getResult(0).getType()) {
        op.getResult(0).replaceAllUsesWith(operand);
        return true;
      }
    return false;
  }
  return false;
}

FuzzCase fuser::fuzz::reduce(FuzzCase fuzzCase, MLIRContext *context, StillFails stillFails) {
  ScopedDiagnosticHandler silence(context, [](Diagnostic &) { return success(); });
  for (bool changed = true; changed;) {
    changed = false;
    auto attempt = [&](llvm::function_ref<bool(FusionOp)> change) {
      std::optional<FuzzCase> smaller = rewrite(fuzzCase, context, change);
      if (!smaller || !stillFails(*smaller))
        return false;
      fuzzCase = std::move(*smaller);
      return changed = true;
    };
    constexpr unsigned kMost = 64;
    for (unsigned output = 0; output < kMost;)
      output += !attempt([&](FusionOp fusion) { return dropOutput(fusion, output); });
    for (unsigned op = kMost; op-- > 0;)
      attempt([&](FusionOp fusion) { return dropOp(fusion, op); });
    changed |= reduceSteps(fuzzCase, stillFails);
  }
  return fuzzCase;
}
