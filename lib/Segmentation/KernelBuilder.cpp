//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels of some ops of a fusion.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Windows.h"
#include "fuser/Analysis/ImpliedFacts.h"
#include "fuser/Analysis/LayoutInfo.h"
#include "fuser/Dialect/IR/Updates.h"
#include "fuser/Ids/PositivePart.h"
#include "fuser/Scheduling/Passes.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fuser;

//===----------------------------------------------------------------------===//
// Orders
//===----------------------------------------------------------------------===//

/// The order if it is stated explicitly, or if it differs from the default of an absent attribute.
static SmallVector<int64_t> toAttribute(const ValueOrder &order) {
  if (order.source == OrderSource::Requirement || !order.isRowMajor())
    return order.order;
  return {};
}

SmallVector<int64_t> KernelBuilder::getOrder(const KernelOutput &output) {
  LayoutInfo info(fusion);
  // The value lies where the result of its update does, in the order of that buffer.
  if (Value update = getUpdateOf(output.value)) {
    SmallVector<int64_t> order = getOrder(update);
    const ValueOrder own = info.getOrder(output.value);
    if (order.empty() && !own.isRowMajor())
      order = llvm::to_vector(llvm::seq<int64_t>(0, own.order.size()));
    return order;
  }
  if (output.box) {
    // The part has the order of the whole, regardless of its own domain.
    ArrayRef<int64_t> order = output.box->layout.getOrder();
    const bool isDefault = llvm::is_sorted(order) && info.getOrder(output.value).isRowMajor();
    return isDefault ? SmallVector<int64_t>() : SmallVector<int64_t>(order);
  }
  const ValueOrder own = info.getOrder(output.value);
  if (!output.position)
    return toAttribute(own);
  // Row-major is the default only where the value has no other order.
  const ValueOrder order = info.getOutputOrder(*output.position);
  return own.isRowMajor() ? toAttribute(order) : order.order;
}

bool KernelBuilder::isDefaultOrder(const KernelOutput &output) const {
  LayoutInfo info(fusion);
  ValueOrder order =
      output.position ? info.getOutputOrder(*output.position) : info.getOrder(output.value);
  return !output.box && order.source == OrderSource::Default;
}

SmallVector<int64_t> KernelBuilder::getOrder(Value value) {
  if (auto library = value.getDefiningOp<LibraryOpInterface>())
    return library.getResultOrder(cast<OpResult>(value).getResultNumber());
  KernelOutput output{value, std::nullopt, std::nullopt};
  for (OpOperand &use : value.getUses())
    if (isa<ReturnOp>(use.getOwner()))
      output.position =
          std::min(output.position.value_or(use.getOperandNumber()), use.getOperandNumber());
  return getOrder(output);
}

bool KernelBuilder::isView(Value input) const {
  return views.contains(input.getDefiningOp()) || isArgumentView(fusion, input, analysis);
}

BlockArgument KernelBuilder::getPlace(Value input) const {
  auto argument = dyn_cast<BlockArgument>(input);
  return argument ? argument : places.lookup(input);
}

ViewLayout KernelBuilder::getInputLayout(Value input) {
  if (BlockArgument argument = getPlace(input))
    return getRootLayout(input, fusion.getArgLayout(argument.getArgNumber()), analysis, argument);
  Operation *op = input.getDefiningOp();
  if (isView(input)) {
    HostView view = *getHostView(op, analysis);
    return *getViewLayout(view, getInputLayout(view.base), analysis);
  }
  SmallVector<int64_t> order = getOrder(input);
  if (order.empty())
    order = getRowMajorOrder(cast<RankedTensorType>(input.getType()).getRank());
  return getRootLayout(input, LayoutAttr::get(input.getContext(), order, ArrayRef<int64_t>()),
                       analysis);
}

KernelBuilder::KernelBuilder(FusionOp fusion, const ExtentAnalysis &analysis,
                             const SizeHints &hints)
    : fusion(fusion), analysis(analysis), hints(hints),
      programFacts(getFactsWithImplied(fusion, analysis)) {}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void KernelBuilder::addArgumentAttributes(KernelOp kernel, bool keepArguments) {
  MLIRContext *context = kernel.getContext();
  if (keepArguments) {
    kernel.setArgAttrsAttr(fusion.getArgAttrsAttr());
    kernel.setArgLayoutsAttr(fusion.getArgLayoutsAttr());
    kernel.setArgDomainsAttr(fusion.getArgDomainsAttr());
    kernel.setInputIdsAttr(fusion.getInputIdsAttr());
    kernel.setExtentIdsAttr(fusion.getExtentIdsAttr());
    return;
  }
  SmallVector<Attribute> attrs;
  SmallVector<Attribute> layouts(inputs.size() + extras.size(), UnitAttr::get(context));
  auto setLayout = [&](unsigned number, LayoutAttr layout) {
    if (!layout.isRowMajorContiguous())
      layouts[number] = layout;
  };
  for (auto [number, extra] : llvm::enumerate(extras))
    if (extra.output)
      setLayout(inputs.size() + number, getBox(*extra.output)->layout);
  for (auto [number, input] : llvm::enumerate(inputs)) {
    auto argument = dyn_cast<BlockArgument>(input);
    attrs.push_back(argument && fusion.getArgAttrsAttr()
                        ? fusion.getArgAttrsAttr()[argument.getArgNumber()]
                        : DictionaryAttr::get(context));
    if (!isTensor(input))
      continue;
    setLayout(number, getInputLayout(input).layout);
  }
  attrs.append(extras.size(), DictionaryAttr::get(context));
  if (!llvm::all_of(layouts, llvm::IsaPred<UnitAttr>))
    kernel.setArgLayoutsAttr(ArrayAttr::get(context, layouts));
  if (fusion.getArgAttrsAttr())
    kernel.setArgAttrsAttr(ArrayAttr::get(context, attrs));
}

const ViewLayout *KernelBuilder::getBox(unsigned result) const {
  if (result >= outputs.size())
    return &borders[result - outputs.size()].lies;
  return outputs[result].box ? &*outputs[result].box : nullptr;
}

Value KernelBuilder::getLike(unsigned result) const {
  if (result >= outputs.size())
    return borders[result - outputs.size()].value;
  SliceOp window = outputs[result].window;
  return window ? window.getResult() : outputs[result].value;
}

RankedTensorType KernelBuilder::getResultType(unsigned result) const {
  if (result < outputs.size() && outputs[result].window)
    return getWindowType(outputs[result].window, analysis);
  return cast<RankedTensorType>(getLike(result).getType());
}

void KernelBuilder::addOutputAttributes(KernelOp kernel) {
  MLIRContext *context = kernel.getContext();
  SmallVector<Attribute> aliases, attrs;
  SmallVector<int64_t> ids;
  bool isProgram = borders.empty() &&
                   llvm::all_of(outputs, [](auto &output) { return output.position.has_value(); });
  for (auto [number, output] : llvm::enumerate(outputs)) {
    if (output.alias) {
      auto *input = llvm::find(inputs, fusion.getArgument(*output.alias));
      aliases.push_back(AliasAttr::get(context, number, input - inputs.begin()));
    }
    // A query may have the updated value inside.
    if (auto *input = llvm::find(inputs, getUpdatedValue(output.value)); input != inputs.end())
      aliases.push_back(AliasAttr::get(context, number, input - inputs.begin()));
    if (isProgram && fusion.getResAttrsAttr())
      attrs.push_back(fusion.getResAttrsAttr()[*output.position]);
    if (isProgram && fusion.getOutputIds())
      ids.push_back((*fusion.getOutputIds())[*output.position]);
    // The kernel writes buffers that the host function allocates: from here on every order is
    // inherent.
    if (output.box && !output.box->layout.getStrided().empty())
      continue;
    if (SmallVector<int64_t> order = getOrder(output); !order.empty())
      kernel.setOutputStrideOrder(number, ArrayRef(order));
  }
  for (auto [number, border] : llvm::enumerate(borders))
    if (const LayoutAttr layout = border.lies.layout;
        layout.getStrided().empty() && !llvm::is_sorted(layout.getOrder()))
      kernel.setOutputStrideOrder(outputs.size() + number, layout.getOrder());
  for (auto [number, extra] : llvm::enumerate(extras))
    if (extra.output)
      aliases.push_back(AliasAttr::get(context, *extra.output, inputs.size() + number));
  if (!aliases.empty())
    kernel.setAliasesAttr(ArrayAttr::get(context, aliases));
  if (!attrs.empty())
    kernel.setResAttrsAttr(ArrayAttr::get(context, attrs));
  if (!ids.empty())
    kernel.setOutputIdsAttr(DenseI64ArrayAttr::get(context, ids));
}

/// The expression with the expected values of the symbols that have one.
AffineExpr KernelBuilder::useHints(AffineExpr expr) const {
  llvm::DenseMap<AffineExpr, AffineExpr> values;
  expr.walk([&](AffineExpr part) {
    if (auto size = isa<AffineSymbolExpr>(part) ? hints.evaluate(part, analysis) : std::nullopt)
      values[part] = getAffineConstantExpr(*size, expr.getContext());
  });
  return expr.replace(values);
}

/// The divisors of the address of a part of a buffer (number `number` in facts) and of the strides
/// of `argument`, which is the part, as far as they are known or expected. No scheduler states
/// the alignment of a border (`alwaysAligned`). Schedulers cannot derive
/// them for a part; each call is checked for expected ones. `rootAlignment` is that of the buffer.
void KernelBuilder::addBufferFacts(RankedTensorType type, const ViewLayout &lies, unsigned number,
                                   unsigned argument, int64_t rootAlignment,
                                   llvm::SetVector<Attribute> &facts, bool alwaysAligned) {
  constexpr int64_t kMostDivisor = ViewLayout::kMostDivisor;
  MLIRContext *context = type.getContext();
  // Expected sizes tell more of expressions.
  auto getDivisor = [&](AffineExpr expr, int64_t known, int64_t scale) -> int64_t {
    if (expr)
      known = getDividingPower(analysis.getKnownDivisor(useHints(expr)));
    return std::min(kMostDivisor, known * scale);
  };
  int64_t bytes = getElementBytes(type.getElementType());
  int64_t alignment = std::min(getDivisor(lies.offset, lies.offsetDivisor, bytes), rootAlignment);
  if (alignment < kMostDivisor || alwaysAligned)
    facts.insert(FactAttr::getAligned(context, number, std::max(alignment, bytes)));
  for (int64_t position : lies.layout.getStrided()) {
    int64_t dim = lies.layout.getOrder()[position];
    if (int64_t divisor = getDivisor(lies.strides[dim], lies.strideDivisors[dim], 1); divisor > 1)
      facts.insert(FactAttr::getStrideDivisible(context, argument, dim, divisor));
    // A number is an immediate operand of what computes addresses.
    if (auto stride = dyn_cast_or_null<AffineConstantExpr>(
            lies.strides[dim] ? analysis.simplify(lies.strides[dim]) : AffineExpr()))
      facts.insert(FactAttr::getStrideIs(context, argument, dim, stride.getValue()));
  }
}

/// The known or expected bound of the distances between elements of a result that may be strided:
/// neither its type nor the scheduler states it.
void KernelBuilder::addReachFact(Value like, const ViewLayout &lies, unsigned number,
                                 llvm::SetVector<Attribute> &facts) {
  // What indices of 32 bits reach, with room for the last tiles.
  constexpr int64_t kMost = (int64_t(1) << 31) - 1 - (int64_t(1) << 24);
  if (lies.layout.getStrided().empty() && cast<RankedTensorType>(like.getType()).hasStaticShape())
    return;
  AffineExpr reach = getAffineConstantExpr(1, like.getContext());
  for (auto [dim, stride] : llvm::enumerate(lies.strides)) {
    AffineExpr extent = analysis.getExtent(like, dim);
    reach = reach && stride && extent ? reach + extent * stride : AffineExpr();
  }
  std::optional<int64_t> elements = reach ? hints.evaluate(reach, analysis) : std::nullopt;
  if (elements && *elements <= kMost)
    facts.insert(FactAttr::getElementsAtMost(like.getContext(), number, kMost));
}

/// The argument that a view is a part of; null for a view of a computed value.
BlockArgument KernelBuilder::getRootArgument(Value view) {
  while (!getPlace(view)) {
    if (!isView(view))
      return {};
    view = getHostView(view.getDefiningOp(), analysis)->base;
  }
  return getPlace(view);
}

/// Facts about the memory of an argument hold for a view of it: no two elements are farther apart,
/// and without an offset the first element is the same.
void KernelBuilder::addArgumentFacts(Value view, unsigned number,
                                     llvm::SetVector<Attribute> &facts) {
  MLIRContext *context = view.getContext();
  AffineExpr offset = getInputLayout(view).offset;
  BlockArgument root = getRootArgument(view);
  ArrayAttr all = getProgramFacts();
  if (!root || !all)
    return;
  for (FactAttr fact : all.getAsRange<FactAttr>()) {
    bool isOfRoot = fact.getArg() == int64_t(root.getArgNumber());
    bool holds =
        fact.getKind() == FactKind::ElementsAtMost ||
        (fact.getKind() == FactKind::Aligned && offset == getAffineConstantExpr(0, context));
    if (isOfRoot && holds)
      facts.insert(FactAttr::get(context, fact.getKind(), number, fact.getDim(), fact.getValue(),
                                 fact.getOtherArg(), fact.getOtherDim()));
  }
}

/// The positions of the facts of the fusion about arguments and outputs of this kernel. A program
/// has many facts about arguments of other kernels.
SmallVector<unsigned> KernelBuilder::findFacts(ArrayRef<KernelOutput> outputs) {
  if (factsByNumber.empty())
    for (auto [position, fact] : llvm::enumerate(getProgramFacts().getAsRange<FactAttr>()))
      factsByNumber[fact.getArg()].push_back(position);
  SmallVector<unsigned> positions;
  auto add = [&](int64_t number) {
    if (auto it = factsByNumber.find(number); it != factsByNumber.end())
      llvm::append_range(positions, it->second);
  };
  for (Value input : inputs)
    if (BlockArgument argument = getPlace(input))
      add(argument.getArgNumber());
  for (const KernelOutput &output : outputs)
    if (output.position)
      add(fusion.getNumArguments() + *output.position);
  llvm::sort(positions);
  positions.erase(llvm::unique(positions), positions.end());
  return positions;
}

/// Facts of the fusion about arguments and outputs of this kernel, renumbered; and known sizes of
/// values of other ops, which the kernel cannot derive itself.
void KernelBuilder::addFacts(KernelOp kernel, bool keepArguments) {
  MLIRContext *context = kernel.getContext();
  const unsigned programArguments = fusion.getNumArguments();
  llvm::SetVector<Attribute> facts;
  // The operands of the kernel by their numbers in the fusion.
  llvm::DenseMap<int64_t, int64_t> operands;
  for (auto [position, input] : llvm::enumerate(inputs))
    if (BlockArgument argument = getPlace(input))
      operands.try_emplace(argument.getArgNumber(), position);
  for (auto [position, output] : llvm::enumerate(outputs))
    if (output.position)
      operands.try_emplace(programArguments + *output.position,
                           kernel.getNumArguments() + position);
  auto renumber = [&](int64_t number) -> std::optional<int64_t> {
    auto it = operands.find(number);
    return it == operands.end() ? std::nullopt : std::optional<int64_t>(it->second);
  };
  if (ArrayAttr all = getProgramFacts())
    for (unsigned position : findFacts(outputs)) {
      auto fact = cast<FactAttr>(all[position]);
      std::optional<int64_t> arg = renumber(fact.getArg());
      std::optional<int64_t> other = fact.getOtherArg();
      if (fact.getKind() == FactKind::Equal)
        other = renumber(fact.getOtherArg());
      if (arg && other)
        facts.insert(FactAttr::get(context, fact.getKind(), *arg, fact.getDim(), fact.getValue(),
                                   *other, fact.getOtherDim()));
    }

  for (auto [number, input] : llvm::enumerate(inputs))
    if (isTensor(input) && isView(input)) {
      addArgumentFacts(input, number, facts);
      const BlockArgument root = getRootArgument(input);
      const std::optional<int64_t> alignment =
          root ? analysis.getStatedAlignment(root.getArgNumber()) : std::nullopt;
      addBufferFacts(cast<RankedTensorType>(input.getType()), getInputLayout(input), number, number,
                     alignment.value_or(ViewLayout::kMostDivisor), facts);
    }
  for (unsigned result = 0; result < kernel.getNumResults(); ++result)
    if (const ViewLayout *box = getBox(result)) {
      auto *extra = llvm::find_if(extras, [&](auto &each) { return each.output == result; });
      addBufferFacts(cast<RankedTensorType>(kernel.getResultTypes()[result]), *box,
                     kernel.getNumArguments() + result, inputs.size() + (extra - extras.begin()),
                     ViewLayout::kMostDivisor, facts, /*alwaysAligned=*/result >= outputs.size());
      // Of other results, the type or a scheduler states it.
      if (result >= outputs.size() || !box->layout.getStrided().empty())
        addReachFact(getLike(result), *box, kernel.getNumArguments() + result, facts);
    }

  llvm::MapVector<AffineExpr, std::pair<unsigned, unsigned>> first;
  for (auto [number, input] : llvm::enumerate(inputs)) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    for (unsigned dim = 0, rank = type ? type.getRank() : 0; dim < rank; ++dim) {
      AffineExpr extent = analysis.getExtent(input, dim);
      if (keepArguments || !extent || !type.isDynamicDim(dim))
        continue;
      auto [it, isNew] = first.insert({extent, {unsigned(number), dim}});
      if (!isNew) {
        facts.insert(FactAttr::getEqual(context, it->second.first, it->second.second, number, dim));
        continue;
      }
      if (isa<BlockArgument>(input))
        continue;
      if (int64_t divisor = analysis.getKnownDivisor(extent); divisor > 1)
        facts.insert(FactAttr::getDivisible(context, number, dim, divisor));
      if (int64_t least = analysis.getLowerBound(extent); least > 0)
        facts.insert(FactAttr::getAtLeast(context, number, dim, least));
      if (std::optional<int64_t> most = analysis.getUpperBound(extent))
        facts.insert(FactAttr::getAtMost(context, number, dim, *most));
    }
  }
  addShiftFacts(facts);
  if (!facts.empty())
    kernel.setFactsAttr(ArrayAttr::get(context, facts.getArrayRef()));
}

/// A part whose size is only known at run time is expected to be about as large as the whole.
std::optional<int64_t> KernelBuilder::getExpectedSize(Value input, unsigned dim) {
  for (std::optional<HostView> view;; input = view->base) {
    if (auto size = hints.evaluate(analysis.getExtent(input, dim), analysis))
      return size;
    if (!isTensor(input) || !isView(input))
      return std::nullopt;
    view = getHostView(input.getDefiningOp(), analysis);
    if (view->isReshape() || view->dims[dim] < 0 || view->steps[view->dims[dim]] != 1)
      return std::nullopt;
    dim = view->dims[dim];
  }
}

void KernelBuilder::addSizeHints(KernelOp kernel) {
  if (!hints.areGiven())
    return;
  MLIRContext *context = kernel.getContext();
  SmallVector<Attribute> sizes;
  auto addScalar = [&](AffineExpr expr) {
    std::optional<int64_t> value = hints.evaluateScalar(expr, analysis);
    sizes.push_back(value ? Attribute(DenseI64ArrayAttr::get(context, *value))
                          : Attribute(UnitAttr::get(context)));
  };
  for (Value input : inputs) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type) {
      addScalar(input.getType().isIntOrIndex() ? analysis.getScalar(input) : AffineExpr());
      continue;
    }
    SmallVector<int64_t> values;
    for (unsigned dim = 0; dim < type.getRank(); ++dim)
      values.push_back(getExpectedSize(input, dim).value_or(-1));
    sizes.push_back(DenseI64ArrayAttr::get(context, values));
  }
  for (const ExtraArgument &extra : extras) {
    if (!extra.output) {
      addScalar(extra.expr);
      continue;
    }
    SmallVector<int64_t> values;
    for (AffineExpr extent : analysis.getExtents(getLike(*extra.output)))
      values.push_back(hints.evaluate(extent, analysis).value_or(-1));
    sizes.push_back(DenseI64ArrayAttr::get(context, values));
  }
  kernel->setAttr(FuserSchedDialect::kSizes, ArrayAttr::get(context, sizes));
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

BuiltKernel KernelBuilder::build(ArrayRef<Operation *> ops, ArrayRef<KernelOutput> outputs,
                                 StringRef name, bool keepArguments,
                                 ArrayRef<KernelBorder> borders) {
  this->outputs = outputs;
  this->borders = borders;
  collectInputs(ops, outputs);
  for (const KernelBorder &border : borders)
    addScalar(border.fill);
  collectExtras();
  // The host computes other arguments: views, and sizes of values of the kernel.
  keepArguments &= extras.empty() && llvm::all_of(inputs, [&](Value input) {
                     return isa<BlockArgument>(input) && !(isTensor(input) && isView(input));
                   });
  // Arguments of the fusion first, in order; then values in the order of their ops.
  if (keepArguments)
    inputs.insert_range(fusion.getArguments());
  for (const KernelOutput &output : outputs)
    if (output.alias)
      inputs.insert(fusion.getArgument(*output.alias));
  SmallVector<Value> sorted = inputs.takeVector();
  llvm::sort(sorted, [](Value a, Value b) {
    auto argA = dyn_cast<BlockArgument>(a), argB = dyn_cast<BlockArgument>(b);
    if (argA || argB)
      return argA && (!argB || argA.getArgNumber() < argB.getArgNumber());
    auto resultA = cast<OpResult>(a), resultB = cast<OpResult>(b);
    if (resultA.getOwner() != resultB.getOwner())
      return resultA.getOwner()->isBeforeInBlock(resultB.getOwner());
    return resultA.getResultNumber() < resultB.getResultNumber();
  });
  inputs.insert_range(sorted);

  OpBuilder builder(fusion.getContext());
  SmallVector<Type> argumentTypes(ValueRange(sorted).getTypes()), resultTypes;
  for (const ExtraArgument &extra : extras)
    argumentTypes.push_back(extra.output ? Type(getResultType(*extra.output))
                                         : Type(builder.getIndexType()));
  for (unsigned result = 0, e = outputs.size() + borders.size(); result < e; ++result)
    resultTypes.push_back(getResultType(result));
  auto type = builder.getFunctionType(argumentTypes, resultTypes);
  auto kernel = KernelOp::create(builder, fusion.getLoc(), name, type);
  for (auto [argument, value] : llvm::zip(kernel.getArguments(), sorted))
    argument.setLoc(value.getLoc());
  kernel->setDiscardableAttrs(fusion->getDiscardableAttrDictionary());
  kernel.setMeshAttr(fusion.getMeshAttr());
  addArgumentAttributes(kernel, keepArguments);
  addOutputAttributes(kernel);
  addFacts(kernel, keepArguments);
  addSizeHints(kernel);

  Block &body = kernel.getBody().front();
  builder.setInsertionPointToEnd(&body);
  IRMapping mapping;
  for (auto [input, argument] : llvm::zip(sorted, body.getArguments()))
    mapping.map(input, argument);
  // Scalars in program order, between the ops.
  SmallVector<Operation *> all =
      llvm::filter_to_vector(ops, [&](Operation *op) { return needed.contains(op); });
  llvm::append_range(all, scalarOps);
  if (!scalarOps.empty())
    llvm::sort(all, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  SmallVector<Operation *> sources;
  for (Operation *op : all) {
    if (auto size = equalSizes.find(op); size != equalSizes.end()) {
      auto dim = arith::ConstantIndexOp::create(builder, op->getLoc(), size->second.dim);
      mapping.map(op->getResult(0), tensor::DimOp::create(builder, op->getLoc(),
                                                          mapping.lookup(size->second.tensor), dim)
                                        .getResult());
      sources.push_back(op);
    } else {
      auto pad = dyn_cast<PadOp>(op);
      if (const unsigned created = pad ? cloneShift(builder, pad, mapping) : 0) {
        sources.append(created, op);
        continue;
      }
      builder.clone(*op, mapping);
    }
    sources.push_back(op);
  }
  SmallVector<Value> results = llvm::map_to_vector(outputs, [&](auto &output) {
    Value value = mapping.lookup(output.value);
    return output.window ? buildWindow(kernel, builder, output.window, value) : value;
  });
  for (const KernelBorder &border : borders)
    results.push_back(buildBorder(kernel, builder, border, mapping.lookup(border.fill)));
  ReturnOp::create(builder, fusion.getBody().front().getTerminator()->getLoc(), results);
  BuiltKernel built{kernel, sorted, extras, {}, std::move(sources)};
  for (Value input : sorted)
    for (; isTensor(input) && isView(input);
         input = getHostView(input.getDefiningOp(), analysis)->base)
      built.views.insert(input);
  return built;
}
