//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Edits that remove outputs, ops, arguments and attributes, and that reduce extents.
//
//===----------------------------------------------------------------------===//

#include "FusionEdits.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <set>

using namespace mlir;
using namespace fuser;
using namespace fuser::detail;

//===----------------------------------------------------------------------===//
// Attributes by position
//===----------------------------------------------------------------------===//

static void eraseElement(Operation *op, StringRef name, unsigned position) {
  if (auto array = op->getAttrOfType<ArrayAttr>(name)) {
    SmallVector<Attribute> elements(array.getValue());
    elements.erase(elements.begin() + position);
    op->setAttr(name, ArrayAttr::get(op->getContext(), elements));
  } else if (auto numbers = op->getAttrOfType<DenseI64ArrayAttr>(name)) {
    SmallVector<int64_t> elements(numbers.asArrayRef());
    elements.erase(elements.begin() + position);
    op->setAttr(name, DenseI64ArrayAttr::get(op->getContext(), elements));
  }
}

/// The new number of the element with number `old` after `gone` is removed; -1 for `gone`.
static int64_t renumber(int64_t old, int64_t gone) {
  return old == gone ? -1 : old > gone ? old - 1 : old;
}

/// Facts number arguments first, then outputs.
static void renumberFacts(FusionOp fusion, int64_t gone) {
  ArrayAttr facts = fusion.getFactsAttr();
  if (!facts)
    return;
  SmallVector<Attribute> kept;
  for (FactAttr fact : facts.getAsRange<FactAttr>()) {
    int64_t arg = renumber(fact.getArg(), gone);
    bool isOfTwo = fact.getKind() == FactKind::Equal;
    int64_t other = isOfTwo ? renumber(fact.getOtherArg(), gone) : fact.getOtherArg();
    if (arg >= 0 && (!isOfTwo || other >= 0))
      kept.push_back(FactAttr::get(fact.getContext(), fact.getKind(), arg, fact.getDim(),
                                   fact.getValue(), other, fact.getOtherDim()));
  }
  if (kept.empty())
    fusion.removeFactsAttr();
  else
    fusion.setFactsAttr(ArrayAttr::get(fusion.getContext(), kept));
}

/// `outputGone`, `inputGone`: the number of the removed one, or past the last one if none is
/// removed.
static void renumberAliases(FusionOp fusion, int64_t outputGone, int64_t inputGone) {
  ArrayAttr aliases = fusion.getAliasesAttr();
  if (!aliases)
    return;
  SmallVector<Attribute> kept;
  for (AliasAttr alias : aliases.getAsRange<AliasAttr>()) {
    int64_t output = renumber(alias.getOutput(), outputGone),
            input = renumber(alias.getInput(), inputGone);
    if (output >= 0 && input >= 0)
      kept.push_back(AliasAttr::get(alias.getContext(), output, input));
  }
  if (kept.empty())
    fusion.removeAliasesAttr();
  else
    fusion.setAliasesAttr(ArrayAttr::get(fusion.getContext(), kept));
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static void eraseOutput(FusionOp fusion, unsigned output) {
  renumberFacts(fusion, fusion.getNumArguments() + output);
  renumberAliases(fusion, output, fusion.getNumArguments());
  eraseElement(fusion, fusion.getOutputOrdersAttrName(), output);
  eraseElement(fusion, fusion.getOutputIdsAttrName(), output);
  fusion.getBody().front().getTerminator()->eraseOperand(output);
  (void)fusion.eraseResult(output);
}

static void eraseArgument(FusionOp fusion, unsigned argument) {
  renumberFacts(fusion, argument);
  renumberAliases(fusion, fusion.getNumResults(), argument);
  for (StringAttr name : {fusion.getArgLayoutsAttrName(), fusion.getArgDomainsAttrName(),
                          fusion.getInputIdsAttrName()})
    eraseElement(fusion, name, argument);
  fusion.removeExtentIdsAttr(); // One for each dimension of what is read: not worth the counting.
  (void)fusion.eraseArgument(argument);
}

static Operation *getOp(FusionOp fusion, unsigned position) {
  return &*std::next(fusion.getBody().front().begin(), position);
}

/// Existing values before the op, of the type of each result: of several, number `choice`. Empty if
/// a used result has none.
static std::vector<Value> findReplacements(FusionOp fusion, Operation *op, unsigned choice) {
  std::vector<Value> replacements;
  for (Value result : op->getResults()) {
    std::vector<Value> candidates;
    auto consider = [&](Value value) {
      if (value.getType() == result.getType() && !llvm::is_contained(candidates, value))
        candidates.push_back(value);
    };
    for (Value argument : fusion.getArguments())
      consider(argument);
    for (Value operand : op->getOperands())
      consider(operand);
    if (!result.use_empty() && choice >= candidates.size())
      return {};
    replacements.push_back(choice < candidates.size() ? candidates[choice] : Value());
  }
  return replacements;
}

static void replaceOp(FusionOp fusion, unsigned position, unsigned choice) {
  Operation *op = getOp(fusion, position);
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), findReplacements(fusion, op, choice)))
    if (value)
      result.replaceAllUsesWith(value);
  op->erase();
}

static void changeExtent(FusionOp fusion, int64_t from, int64_t to) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType type) -> std::optional<Type> {
    SmallVector<int64_t> shape(type.getShape());
    llvm::replace(shape, from, to);
    return type.clone(shape);
  });
  replacer.recursivelyReplaceElementsIn(fusion, /*replaceAttrs=*/true, /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Static extents above 1 of the values of the fusion, largest first.
static std::set<int64_t, std::greater<>> getExtents(FusionOp fusion) {
  std::set<int64_t, std::greater<>> extents;
  auto add = [&](Value value) {
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      for (int64_t size : type.getShape())
        if (!ShapedType::isDynamic(size) && size > 1)
          extents.insert(size);
  };
  llvm::for_each(fusion.getArguments(), add);
  fusion.walk([&](Operation *op) { llvm::for_each(op->getResults(), add); });
  return extents;
}

void fuser::detail::eraseDeadOps(FusionOp fusion) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(fusion.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

std::vector<FusionEdit> fuser::detail::listEdits(FusionOp fusion) {
  std::vector<FusionEdit> edits;
  for (unsigned output = fusion.getNumResults(); output-- > 0 && fusion.getNumResults() > 1;)
    edits.push_back([=](FusionOp copy) { eraseOutput(copy, output); });
  // From the end, because ops that only the last ops use become dead.
  for (unsigned position = fusion.getBody().front().getOperations().size() - 1; position-- > 0;) {
    Operation *op = getOp(fusion, position);
    bool isUnused = op->use_empty();
    for (unsigned choice = 0;
         isUnused ? choice == 0 : !findReplacements(fusion, op, choice).empty(); ++choice)
      edits.push_back([=](FusionOp copy) { replaceOp(copy, position, choice); });
  }
  for (unsigned argument = fusion.getNumArguments(); argument-- > 0;)
    if (fusion.getArgument(argument).use_empty())
      edits.push_back([=](FusionOp copy) { eraseArgument(copy, argument); });
  for (StringAttr name :
       {fusion.getAliasesAttrName(), fusion.getArgDomainsAttrName(), fusion.getArgLayoutsAttrName(),
        fusion.getExtentIdsAttrName(), fusion.getFactsAttrName(), fusion.getInputIdsAttrName(),
        fusion.getMeshAttrName(), fusion.getOutputIdsAttrName(), fusion.getOutputOrdersAttrName()})
    if (fusion->hasAttr(name))
      edits.push_back([=](FusionOp copy) { copy->removeAttr(name); });
  for (int64_t extent : getExtents(fusion)) {
    edits.push_back([=](FusionOp copy) { changeExtent(copy, extent, 1); });
    if (const int64_t half = extent / 2; half > 1)
      edits.push_back([=](FusionOp copy) { changeExtent(copy, extent, half); });
  }
  return edits;
}
