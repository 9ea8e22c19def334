//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// ExtentAnalysis: one walk over the program that follows extents through ops and transforms.
//
//===----------------------------------------------------------------------===//

#include "fuser/Ids/Extents.h"
#include "ScalarExpressions.h"
#include "SolveEquality.h"
#include "SymbolSubstitution.h"
#include "fuser/Dialect/IR/Fuser.h"
#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Ids/IdRelations.h"
#include "fuser/Ids/PositivePart.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

int64_t fuser::getElementBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBytes(complex.getElementType());
  if (isa<IndexType>(element))
    return 8;
  return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

void fuser::inferTransformExtents(const DomainTransform &transform, ArrayRef<AffineExpr> inputs,
                                  MLIRContext *context, SmallVectorImpl<AffineExpr> &outputs) {
  switch (transform.kind) {
  case TransformKind::Split: {
    AffineExpr factor = getAffineConstantExpr(transform.value, context);
    AffineExpr rest = inputs[0].ceilDiv(transform.value);
    outputs.append({transform.inner ? rest : factor, transform.inner ? factor : rest});
    return;
  }
  case TransformKind::Merge:
    outputs.push_back(inputs[0] * inputs[1]);
    return;
  case TransformKind::Swizzle:
    outputs.append({inputs[0], inputs[1]});
    return;
  case TransformKind::Resize:
    outputs.push_back(inputs[0] + transform.value + transform.after);
    return;
  case TransformKind::Broadcast:
    outputs.push_back(getAffineConstantExpr(1, context));
    return;
  }
  llvm_unreachable("unknown transform");
}

//===----------------------------------------------------------------------===//
// ExtentBuilder
//===----------------------------------------------------------------------===//

namespace fuser {
/// Fills an ExtentAnalysis.
class ExtentBuilder {
public:
  ExtentBuilder(FunctionOpInterface program, ExtentAnalysis &analysis)
      : program(program), context(program->getContext()), analysis(analysis),
        scalars(
            analysis.scalars, analysis.facts,
            [this](Value tensor, unsigned dim) { return getExtent(tensor, dim); },
            /*hasClamps=*/isa<FusionOp>(program)) {
    if (auto attr = program->getAttrOfType<ArrayAttr>("facts"))
      facts = llvm::to_vector(attr.getAsRange<FactAttr>());
  }

  LogicalResult run() {
    numberSymbols();
    recordBuffers();
    if (failed(applyEqualFacts()))
      return failure();
    // Scalar expressions use bounds during the walk; unification then moves the facts to the
    // representatives of their classes.
    recordExtentFacts();
    for (Operation &op : program.getFunctionBody().front())
      if (failed(visit(op)))
        return failure();
    finish();
    return success();
  }

private:
  AffineExpr constant(int64_t value) { return getAffineConstantExpr(value, context); }

  /// The size of an extent that is constant.
  int64_t getSize(AffineExpr extent) {
    return cast<AffineConstantExpr>(substitution.apply(extent)).getValue();
  }

  AffineExpr getExtent(Value tensor, unsigned dim) {
    auto it = analysis.values.find(tensor);
    return it == analysis.values.end() ? AffineExpr()
                                       : substitution.apply(it->second.ids[it->second.dims[dim]]);
  }

  void numberSymbols() {
    SmallVector<unsigned> scalarArguments;
    for (BlockArgument argument : program.getArguments()) {
      auto type = dyn_cast<RankedTensorType>(argument.getType());
      if (!type) {
        if (isa<IntegerType, IndexType>(argument.getType()))
          scalarArguments.push_back(argument.getArgNumber());
        continue;
      }
      firstSymbol[argument.getArgNumber()] = analysis.symbols.size();
      ExtentAnalysis::ValueExtents &extents = analysis.values[argument];
      for (auto [dim, size] : llvm::enumerate(type.getShape())) {
        analysis.symbols.push_back({argument.getArgNumber(), int64_t(dim)});
        AffineExpr symbol = substitution.addSymbol(context);
        if (!ShapedType::isDynamic(size))
          (void)substitution.unify(symbol, constant(size));
        extents.ids.push_back(substitution.apply(symbol));
        extents.dims.push_back(dim);
      }
    }
    for (unsigned argument : scalarArguments) {
      analysis.symbols.push_back({argument, -1});
      analysis.scalars[program.getArgument(argument)] = substitution.addSymbol(context);
    }
  }

  /// Alignments and element bounds of arguments and outputs.
  void recordBuffers() {
    SmallVector<Type> types(program.getArgumentTypes());
    llvm::append_range(types, program.getResultTypes());
    for (Type type : types)
      analysis.alignments.push_back(getElementBytes(getElementTypeOrSelf(type)));
    analysis.haveStatedAlignments.resize(types.size());
    analysis.elementBounds.resize(types.size());
    for (FactAttr fact : facts) {
      if (fact.getKind() == FactKind::Aligned) {
        int64_t &alignment = analysis.alignments[fact.getArg()];
        alignment = std::max(alignment, fact.getValue());
        analysis.haveStatedAlignments.set(fact.getArg());
      } else if (fact.getKind() == FactKind::ElementsAtMost) {
        std::optional<int64_t> &bound = analysis.elementBounds[fact.getArg()];
        bound = std::min(bound.value_or(fact.getValue()), fact.getValue());
      } else if (fact.getKind() == FactKind::StrideDivisible) {
        int64_t &divisor = analysis.strideDivisors[{fact.getArg(), fact.getDim()}];
        divisor = std::lcm(std::max<int64_t>(divisor, 1), fact.getValue());
      } else if (fact.getKind() == FactKind::StrideIs) {
        analysis.knownStrides[{fact.getArg(), fact.getDim()}] = fact.getValue();
      }
    }
    shareAlignments();
  }

  /// An output that is stored in an argument has its address.
  void shareAlignments() {
    auto aliases = program->getAttrOfType<ArrayAttr>("aliases");
    if (!aliases)
      return;
    for (AliasAttr alias : aliases.getAsRange<AliasAttr>()) {
      const unsigned input = alias.getInput(),
                     output = program.getNumArguments() + alias.getOutput();
      llvm::SmallBitVector &stated = analysis.haveStatedAlignments;
      if (!stated.test(input) && !stated.test(output))
        continue;
      const int64_t alignment = std::max(analysis.alignments[input], analysis.alignments[output]);
      for (unsigned number : {input, output}) {
        analysis.alignments[number] = alignment;
        stated.set(number);
      }
    }
  }

  AffineExpr getFactSymbol(int64_t arg, int64_t dim) {
    return getAffineSymbolExpr(firstSymbol[arg] + dim, context);
  }

  LogicalResult applyEqualFacts() {
    for (FactAttr fact : facts) {
      if (fact.getKind() != FactKind::Equal)
        continue;
      AffineExpr lhs = getFactSymbol(fact.getArg(), fact.getDim());
      AffineExpr rhs = getFactSymbol(fact.getOtherArg(), fact.getOtherDim());
      if (failed(substitution.unify(lhs, rhs)))
        return program->emitOpError("expected equal extents by ")
               << fact << ", but got " << getSize(lhs) << " and " << getSize(rhs);
    }
    return success();
  }

  /// Facts about extents, attached to their current representatives.
  void recordExtentFacts() {
    for (auto [index, symbol] : llvm::enumerate(analysis.symbols))
      if (symbol.dim >= 0)
        analysis.facts.addRange(substitution.apply(getAffineSymbolExpr(index, context)),
                                {0, IntegerRange::kUnboundedAbove});
    for (FactAttr fact : facts) {
      if (fact.isOfBuffer() || fact.getKind() == FactKind::Equal)
        continue;
      AffineExpr extent = substitution.apply(getFactSymbol(fact.getArg(), fact.getDim()));
      if (fact.getKind() == FactKind::Divisible)
        analysis.facts.addDivisor(extent, fact.getValue());
      else if (fact.getKind() == FactKind::AtMost)
        analysis.facts.addRange(extent, {0, fact.getValue()});
      else if (fact.getKind() == FactKind::AtLeast)
        analysis.facts.addRange(extent, {fact.getValue(), IntegerRange::kUnboundedAbove});
    }
  }

  /// Records that two extents are equal because `op` requires it.
  LogicalResult demandEqual(AffineExpr lhs, AffineExpr rhs, Operation &op) {
    lhs = substitution.apply(lhs);
    rhs = substitution.apply(rhs);
    if (analysis.facts.isEqual(lhs, rhs))
      return success();
    if (failed(substitution.unify(lhs, rhs)))
      return op.emitOpError("expected equal extents of dimensions that it maps to one, but got ")
             << getSize(lhs) << " and " << getSize(rhs);
    analysis.equalities.push_back({lhs, rhs, &op});
    // Two expressions are not united: the equality may still determine one of their symbols.
    const AffineExpr left = substitution.apply(lhs), right = substitution.apply(rhs);
    if (analysis.facts.isEqual(left, right))
      return success();
    if (std::optional<SymbolSolution> solution = solveEquality(left, right, analysis.facts))
      return substitution.unify(solution->symbol, solution->value);
    analysis.facts.addEqualProducts(left, right);
    return success();
  }

  /// Records that `factor` divides an extent because `op` splits it without a remainder.
  LogicalResult demandDivisible(AffineExpr extent, int64_t factor, Operation &op) {
    int64_t divisor = analysis.facts.getDivisor(analysis.facts.normalize(extent));
    if (divisor % factor == 0 || analysis.facts.getDivisor(extent) % factor == 0)
      return success();
    if (isa<AffineConstantExpr>(extent))
      return op.emitOpError("expected ")
             << factor << " to divide the size that it splits, but got " << getSize(extent);
    analysis.equalities.push_back({extent, extent.ceilDiv(factor) * factor, &op});
    divisors.push_back({extent, factor});
    addDivisor(extent, factor);
    return success();
  }

  /// A divisor of a multiple, of an exact quotient or of a sum implies divisors of its operands and
  /// of those of its normal form, which simplification queries.
  void addDivisor(AffineExpr extent, int64_t factor, bool isNormal = false) {
    if (factor <= 1)
      return;
    extent = substitution.apply(extent);
    analysis.facts.addDivisor(extent, factor);
    if (AffineExpr normal = analysis.facts.normalize(extent); !isNormal && normal != extent)
      addDivisor(normal, factor, /*isNormal=*/true);
    auto binary = dyn_cast<AffineBinaryOpExpr>(extent);
    if (binary && extent.getKind() == AffineExprKind::Add) {
      const int64_t lhs = analysis.facts.getDivisor(binary.getLHS()),
                    rhs = analysis.facts.getDivisor(binary.getRHS());
      addDivisor(binary.getLHS(), std::gcd(factor, rhs), isNormal);
      addDivisor(binary.getRHS(), std::gcd(factor, lhs), isNormal);
      return;
    }
    auto scale = binary ? dyn_cast<AffineConstantExpr>(binary.getRHS()) : AffineConstantExpr();
    if (!scale || scale.getValue() < 1)
      return;
    int64_t product;
    if (extent.getKind() == AffineExprKind::Mul)
      addDivisor(binary.getLHS(), factor / std::gcd(factor, scale.getValue()), isNormal);
    else if (extent.getKind() == AffineExprKind::CeilDiv &&
             analysis.facts.getDivisor(binary.getLHS()) % scale.getValue() == 0 &&
             !llvm::MulOverflow(factor, scale.getValue(), product))
      addDivisor(binary.getLHS(), product, isNormal);
  }

  LogicalResult visit(Operation &op) {
    if (auto expect = dyn_cast<ExpectOp>(op); expect && isa<FusionOp>(program)) {
      AffineExpr lhs = scalars.get(expect.getLhs()), rhs = scalars.get(expect.getRhs());
      if (lhs && rhs && expect.getAtMost())
        analysis.bounds.push_back({lhs, rhs, &op});
    }
    if (llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>))
      return success();
    auto mapping = dyn_cast<DomainMappingOpInterface>(op);
    auto view = dyn_cast<TensorViewOpInterface>(op);
    if (!mapping || !view)
      return op.emitOpError("expected an op with a domain mapping in '")
             << program->getName() << "', but got none";
    FailureOr<SmallVector<AffineExpr>> root = inferRoot(mapping);
    if (failed(root))
      return failure();
    for (OpResult result : op.getResults())
      if (failed(inferResult(result, view.getDomain(result.getResultNumber()), *root)))
        return failure();
    return success();
  }

  FailureOr<SmallVector<AffineExpr>> inferRoot(DomainMappingOpInterface mapping) {
    Operation &op = *mapping.getOperation();
    SmallVector<SmallVector<AffineExpr>> operandExtents;
    for (Value operand : op.getOperands()) {
      operandExtents.emplace_back();
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        for (unsigned dim = 0, rank = type.getRank(); dim < rank; ++dim)
          operandExtents.back().push_back(getExtent(operand, dim));
    }
    SmallVector<AffineExpr> root = mapping.inferRootExtents(
        operandExtents, [this](Value value) { return scalars.get(value); });
    SmallVector<std::pair<AffineExpr, AffineExpr>> bounds = mapping.getRequiredBounds(
        operandExtents, [this](Value value) { return scalars.get(value); });
    for (auto [id, extent] : llvm::enumerate(root))
      if (!extent)
        return op.emitOpError("expected extents that arguments determine, but that of id ")
               << id << " is only known at run time";
    // Sizes that scalars state, of an op without a box.
    if (bounds.empty() && llvm::any_of(op.getOperandTypes(), llvm::IsaPred<IndexType>))
      for (AffineExpr extent : root)
        bounds.emplace_back(constant(0), extent);
    for (auto [lhs, rhs] : bounds)
      analysis.bounds.push_back({lhs, rhs, &op});
    for (OpOperand &operand : op.getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      unsigned number = operand.getOperandNumber();
      for (auto [dim, map] : llvm::enumerate(mapping.getDimMaps(number)))
        if (map.kind == DimMap::Kind::Mapped &&
            failed(demandEqual(root[map.id], operandExtents[number][dim], op)))
          return failure();
    }
    return root;
  }

  /// Without terms that cancel: what one amount takes away, another one gives back. Where one term
  /// remains, guards of what has this extent and of what has the term are the same.
  AffineExpr cancelTerms(AffineExpr extent) {
    if (hasPositivePart(extent))
      return analysis.facts.normalize(extent);
    if (extent.getKind() != AffineExprKind::Add)
      return extent;
    const AffineExpr normal = analysis.facts.normalize(extent);
    return isa<AffineSymbolExpr, AffineConstantExpr>(normal) ? normal : extent;
  }

  /// Extents of all ids of a result, from its root; a static size of the result type takes
  /// precedence over an expression.
  LogicalResult inferResult(OpResult result, DomainAttr domain, ArrayRef<AffineExpr> root) {
    ExtentAnalysis::ValueExtents extents;
    extents.dims = domain.getResultIds();
    auto type = cast<RankedTensorType>(result.getType());
    auto update = dyn_cast<UpdateOpInterface>(result.getOwner());
    auto settle = [&](unsigned id) -> LogicalResult {
      extents.ids[id] = substitution.apply(extents.ids[id]);
      extents.ids[id] = cancelTerms(extents.ids[id]);
      unsigned *dim = llvm::find(extents.dims, id);
      if (update || dim == extents.dims.end() || type.isDynamicDim(dim - extents.dims.begin()))
        return success();
      AffineExpr size = constant(type.getDimSize(dim - extents.dims.begin()));
      if (failed(demandEqual(extents.ids[id], size, *result.getOwner())))
        return failure();
      extents.ids[id] = size;
      return success();
    };
    for (AffineExpr extent : root) {
      extents.ids.push_back(extent);
      if (failed(settle(extents.ids.size() - 1)))
        return failure();
    }
    SmallVector<unsigned> exact = getExactTransforms(domain);
    SmallVector<AffineExpr> inputs;
    for (auto [position, transform] : llvm::enumerate(domain.getTransforms())) {
      inputs.clear();
      for (unsigned id : transform.getInputs())
        inputs.push_back(extents.ids[id]);
      if (transform.kind == TransformKind::Split && llvm::is_contained(exact, position) &&
          failed(demandDivisible(inputs[0], transform.value, *result.getOwner())))
        return failure();
      inferTransformExtents(transform, inputs, context, extents.ids);
      for (unsigned id : transform.getOutputs())
        if (failed(settle(id)))
          return failure();
    }
    // The sizes of an update are those of the operand: they follow the ids of the loops.
    if (update)
      for (auto [dim, number] : llvm::enumerate(extents.dims)) {
        number = extents.ids.size();
        extents.ids.push_back(getExtent(update->getOperand(update.getUpdatedOperand()), dim));
      }
    analysis.values[result] = std::move(extents);
    return success();
  }

  /// Rewrites all expressions in terms of the final symbols, and states that extents are
  /// non-negative.
  void finish() {
    for (auto [index, symbol] : llvm::enumerate(analysis.symbols))
      analysis.canonical.push_back(substitution.apply(getAffineSymbolExpr(index, context)));
    recordExtentFacts();
    for (auto [extent, factor] : divisors)
      addDivisor(extent, factor);
    for (auto &entry : analysis.scalars)
      if (entry.second)
        entry.second = substitution.apply(entry.second);
    dropProvenBounds();
    for (auto &entry : analysis.values) {
      for (AffineExpr &extent : entry.second.ids) {
        extent = substitution.apply(extent);
        if (analysis.facts.getRange(extent).lower < 0) {
          const AffineExpr normal = analysis.facts.normalize(extent);
          analysis.facts.addRange(extent, {0, IntegerRange::kUnboundedAbove});
          analysis.facts.addRange(normal, {0, IntegerRange::kUnboundedAbove});
        }
      }
    }
  }

  /// Keeps each bound once, and none that sizes and facts prove. That the extents of results are
  /// not negative is no proof: the bounds are what makes it true.
  void dropProvenBounds() {
    llvm::SmallSetVector<std::pair<AffineExpr, AffineExpr>, 4> seen;
    llvm::erase_if(analysis.bounds, [&](ExtentAnalysis::Bound &bound) {
      for (AffineExpr *side : {&bound.lhs, &bound.rhs}) {
        *side = substitution.apply(*side);
        if (hasPositivePart(*side))
          *side = analysis.facts.normalize(*side);
      }
      AffineExpr difference = analysis.facts.normalize(bound.rhs - bound.lhs);
      return analysis.facts.getRange(bound.rhs - bound.lhs).lower >= 0 ||
             analysis.facts.getRange(difference).lower >= 0 || !seen.insert({bound.lhs, bound.rhs});
    });
  }

  FunctionOpInterface program;
  MLIRContext *context;
  ExtentAnalysis &analysis;
  SymbolSubstitution substitution;
  ScalarExpressions scalars;
  SmallVector<FactAttr> facts;
  llvm::DenseMap<int64_t, unsigned> firstSymbol;
  /// The factors that have to divide extents, as required by ops.
  SmallVector<std::pair<AffineExpr, int64_t>> divisors;
};
} // namespace fuser

//===----------------------------------------------------------------------===//
// ExtentAnalysis
//===----------------------------------------------------------------------===//

FailureOr<ExtentAnalysis> ExtentAnalysis::create(FunctionOpInterface program) {
  ExtentAnalysis analysis;
  if (failed(ExtentBuilder(program, analysis).run()))
    return failure();
  return analysis;
}

AffineExpr ExtentAnalysis::getExtent(Value tensor, unsigned dim) const {
  const ValueExtents &extents = values.find(tensor)->second;
  return extents.ids[extents.dims[dim]];
}

SmallVector<AffineExpr> ExtentAnalysis::getExtents(Value tensor) const {
  const ValueExtents &extents = values.find(tensor)->second;
  return llvm::map_to_vector(extents.dims, [&](unsigned id) { return extents.ids[id]; });
}

AffineExpr ExtentAnalysis::getIdExtent(Value value, unsigned id) const {
  return values.find(value)->second.ids[id];
}

AffineExpr ExtentAnalysis::getScalar(Value scalar) const {
  if (auto it = scalars.find(scalar); it != scalars.end())
    return it->second ? canonicalize(it->second) : it->second;
  llvm::DenseMap<Value, AffineExpr> cache = scalars;
  auto extentOf = [this](Value tensor, unsigned dim) {
    return values.count(tensor) ? getExtent(tensor, dim) : AffineExpr();
  };
  const bool hasClamps = isa<FusionOp>(scalar.getParentBlock()->getParentOp());
  AffineExpr expr = ScalarExpressions(cache, facts, extentOf, hasClamps).get(scalar);
  return expr ? canonicalize(expr) : expr;
}

IntegerRange ExtentAnalysis::getRange(AffineExpr expr) const {
  expr = canonicalize(expr);
  // The normal form cancels terms; the given form may round less.
  const IntegerRange range = facts.getRange(expr);
  const AffineExpr normal = facts.normalize(expr);
  return normal == expr ? range : range.intersect(facts.getRange(normal));
}

std::optional<int64_t> ExtentAnalysis::getUpperBound(AffineExpr expr) const {
  int64_t upper = getRange(expr).upper;
  if (upper == IntegerRange::kUnboundedAbove)
    return std::nullopt;
  return upper;
}

int64_t ExtentAnalysis::getLowerBound(AffineExpr expr) const { return getRange(expr).lower; }

std::optional<int64_t> ExtentAnalysis::getConstant(AffineExpr expr) const {
  IntegerRange range = getRange(expr);
  if (range.isConstant())
    return range.lower;
  return std::nullopt;
}

int64_t ExtentAnalysis::getKnownDivisor(AffineExpr expr) const {
  expr = canonicalize(expr);
  const int64_t divisor = facts.getDivisor(expr);
  const AffineExpr form = facts.normalize(expr);
  const int64_t normal = form == expr ? divisor : facts.getDivisor(form);
  return divisor == 0 || normal == 0 ? 0 : std::max(divisor, normal);
}

bool ExtentAnalysis::isProvablyEqual(AffineExpr lhs, AffineExpr rhs) const {
  return facts.isEqual(canonicalize(lhs), canonicalize(rhs));
}

int64_t ExtentAnalysis::getStrideDivisor(unsigned argument, unsigned dim) const {
  auto found = strideDivisors.find({argument, dim});
  return found == strideDivisors.end() ? 1 : found->second;
}

std::optional<int64_t> ExtentAnalysis::getKnownStride(unsigned argument, unsigned dim) const {
  auto found = knownStrides.find({argument, dim});
  return found == knownStrides.end() ? std::nullopt : std::optional(found->second);
}

std::optional<int64_t> ExtentAnalysis::getElementsAtMost(unsigned argOrOutput) const {
  return elementBounds[argOrOutput];
}

AffineExpr ExtentAnalysis::simplify(AffineExpr expr) const {
  return facts.normalize(canonicalize(expr));
}

AffineExpr ExtentAnalysis::canonicalize(AffineExpr expr) const {
  if (isa<AffineConstantExpr>(expr))
    return expr;
  return substituteSymbols(expr, canonical);
}
