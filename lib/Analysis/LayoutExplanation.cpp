//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds the rows and prints both forms.
//
//===----------------------------------------------------------------------===//

#include "fuser/Analysis/LayoutExplanation.h"
#include "mlir/IR/AsmState.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Outcomes of an order
//===----------------------------------------------------------------------===//

/// "output 0, output 2": the outputs that return `value`; empty if none does.
static std::string listOutputs(Value value) {
  std::string text;
  for (OpOperand &use : value.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      text = "output " + std::to_string(use.getOperandNumber()) + (text.empty() ? "" : ", ") + text;
  return text;
}

static std::string explainValue(FunctionOpInterface function, Value value,
                                const ValueOrder &order) {
  std::string outputs = listOutputs(value);
  if (isa<HostOp>(function.getOperation()))
    return outputs.empty() ? "" : "returned as " + outputs;
  if (order.hint && ArrayRef(order.order) != order.hint.getOrder())
    return "hint not taken";
  if (!outputs.empty())
    return "source of " + outputs;
  if (order.source == OrderSource::Hint)
    return "decides where the value crosses a boundary";
  return "";
}

static std::string explainOutput(const LayoutInfo &info, FunctionOpInterface function,
                                 unsigned output, const ValueOrder &order) {
  Value value = function.getFunctionBody().front().getTerminator()->getOperand(output);
  if (std::optional<unsigned> argument = info.getAlias(output))
    return "stored in argument " + std::to_string(*argument);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && isa<FusionOp>(function.getOperation()))
    return "copied from argument " + std::to_string(argument.getArgNumber());
  if (order.hint && ArrayRef(order.order) != order.hint.getOrder())
    return "stored as required, the hint of its value is ignored";
  if (info.getOrder(value).order != order.order)
    return isa<HostOp>(function.getOperation()) ? "stored in another order"
                                                : "stored in this order";
  return "stored in this order";
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

SmallVector<LayoutRow> fuser::explainLayouts(FunctionOpInterface function) {
  SmallVector<LayoutRow> rows;
  LayoutInfo info(function);
  AsmState state(function, OpPrintingFlags().useLocalScope());
  auto addValue = [&](Value value, Location loc) {
    if (!isa<RankedTensorType>(value.getType()))
      return;
    std::string name;
    llvm::raw_string_ostream os(name);
    value.printAsOperand(os, state);
    ValueOrder order = info.getOrder(value);
    std::string outcome = explainValue(function, value, order);
    rows.push_back({name, loc, std::move(order), std::move(outcome)});
  };
  Block &body = function.getFunctionBody().front();
  for (BlockArgument argument : body.getArguments())
    addValue(argument, function.getLoc());
  for (Operation &op : body.without_terminator())
    if (isa<TensorViewOpInterface>(op) || isa<HostOp>(function.getOperation()))
      for (Value result : op.getResults())
        addValue(result, op.getLoc());
  for (unsigned output = 0, e = function.getNumResults(); output < e; ++output) {
    ValueOrder order = info.getOutputOrder(output);
    std::string outcome = explainOutput(info, function, output, order);
    rows.push_back({"output " + std::to_string(output), body.getTerminator()->getLoc(),
                    std::move(order), std::move(outcome)});
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string formatOrder(ArrayRef<int64_t> order) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::interleaved_array(order);
  return text;
}

std::string fuser::describeRow(const LayoutRow &row) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << row.name << ": " << stringifyOrderSource(row.order.source) << " "
     << formatOrder(row.order.order);
  if (LayoutHintAttr hint = row.order.hint) {
    if (ArrayRef(row.order.order) != hint.getOrder())
      os << ", hint " << formatOrder(hint.getOrder());
    os << ", rule " << hint.getRule();
    if (!hint.getReference().empty())
      os << ", reference " << hint.getReference();
  }
  if (!row.outcome.empty())
    os << "; " << row.outcome;
  return text;
}

void fuser::printTable(llvm::raw_ostream &out, ArrayRef<LayoutRow> rows) {
  constexpr unsigned kColumns = 7;
  SmallVector<std::array<std::string, kColumns>> cells = {
      {"value", "kind", "order", "hint", "rule", "reference", "what became of it"}};
  for (const LayoutRow &row : rows) {
    LayoutHintAttr hint = row.order.hint;
    cells.push_back({row.name, stringifyOrderSource(row.order.source).str(),
                     formatOrder(row.order.order), hint ? formatOrder(hint.getOrder()) : "",
                     hint ? hint.getRule().str() : "", hint ? hint.getReference().str() : "",
                     row.outcome});
  }
  std::array<size_t, kColumns> widths = {};
  for (const auto &line : cells)
    for (unsigned column = 0; column < kColumns; ++column)
      widths[column] = std::max(widths[column], line[column].size());
  for (const auto &line : cells) {
    std::string text;
    for (unsigned column = 0; column < kColumns; ++column) {
      text += line[column];
      text.append(widths[column] - line[column].size() + 2, ' ');
    }
    out << StringRef(text).rtrim() << "\n";
  }
}
