//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// rfactor: splits one reduction into two.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/LayoutHints.h"
#include "fuser/Dialect/Transforms/DomainPrimitives.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fuser;

/// True if the final tuple is the result itself, so that a partial result can be reduced again.
static bool combinesItself(Operation *op) {
  StringRef name = op->getName().stripDialect();
  return name == "sum" || name == "prod" || name == "min" || name == "max";
}

/// The logical domain of the partial result: the ids that remain if only the transforms that lead
/// to `kept` are applied to the root ids, with `kept` last. Fails at `op` if they change a
/// dimension that is not reduced.
static FailureOr<SmallVector<unsigned>> getPartialLogical(Operation *op, DomainAttr domain,
                                                          unsigned kept) {
  llvm::SmallBitVector cone(domain.getNumIds());
  cone.set(kept);
  SmallVector<const DomainTransform *> behind;
  for (const DomainTransform &transform : llvm::reverse(domain.getTransforms())) {
    if (llvm::none_of(transform.getOutputs(), [&](unsigned id) { return cone.test(id); }))
      continue;
    for (unsigned id : transform.getInputs()) {
      if (domain.getKinds()[id] != IdKind::Reduction)
        return op->emitOpError("expected the kept loop to derive from reductions alone");
      cone.set(id);
    }
    behind.push_back(&transform);
  }
  SmallVector<unsigned> logical(domain.getLogical());
  for (const DomainTransform *transform : llvm::reverse(behind)) {
    auto place = llvm::find(logical, transform->getInputs().front());
    place = logical.insert(place, transform->getOutputs().begin(), transform->getOutputs().end());
    llvm::erase_if(logical,
                   [&](unsigned id) { return llvm::is_contained(transform->getInputs(), id); });
  }
  llvm::erase(logical, kept);
  logical.push_back(kept);
  return logical;
}

bool fuser::canRFactor(Operation *op) {
  auto combiner = dyn_cast<CombinerOpInterface>(op);
  return combiner && combinesItself(op) && op->getNumResults() == 1 &&
         combiner.getAccumulatorTypes()[0] == getElementTypeOrSelf(op->getResult(0).getType());
}

FailureOr<Operation *> fuser::rfactor(TensorViewOpInterface op, int64_t position) {
  auto combiner = dyn_cast<CombinerOpInterface>(op.getOperation());
  if (!combiner || !combinesItself(op) || op->getNumResults() != 1)
    return op->emitOpError("expected rfactor of a sum, prod, min or max");
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  if (combiner.getAccumulatorTypes()[0] != resultType.getElementType())
    return op->emitOpError("expected an element type that accumulates in itself, but got ")
           << resultType.getElementType() << ", which accumulates in "
           << combiner.getAccumulatorTypes()[0];
  DomainAttr domain = op.getDomain();
  if (!domain.getRoot().empty())
    return op->emitOpError("expected rfactor of a reduction that was not factored before");
  if (position < 0 || position >= int64_t(domain.getLoop().size()))
    return op->emitOpError("expected the position of one of ")
           << domain.getLoop().size() << " loops, but got " << position;
  unsigned kept = domain.getLoop()[position];
  int definition = domain.getDefinition(kept);
  if (domain.getKinds()[kept] != IdKind::Reduction || definition < 0)
    return op->emitOpError("expected a reduction loop made by a transform, but got loop ")
           << position;
  FailureOr<SmallVector<unsigned>> logical = getPartialLogical(op, domain, kept);
  if (failed(logical))
    return failure();

  // The kept id becomes an iteration id; the others do not change.
  SmallVector<IdKind> kinds(domain.getKinds());
  kinds[kept] = IdKind::Iteration;
  SmallVector<unsigned> allocation;
  for (unsigned id : *logical)
    if (kinds[id] != IdKind::Reduction)
      allocation.push_back(id);
  auto partialDomain =
      DomainAttr::get(op->getContext(), kinds, domain.getLogical(), *logical,
                      domain.getTransforms(), domain.getLoop(), domain.getParallel(), allocation,
                      SmallVector<bool>(allocation.size(), true));

  const DomainTransform &transform = domain.getTransforms()[definition];
  SmallVector<int64_t> shape(resultType.getShape());
  bool stated =
      transform.kind == TransformKind::Split && transform.outputs[transform.inner] == kept;
  shape.push_back(stated ? transform.value : ShapedType::kDynamic);

  OpBuilder builder(op);
  Operation *partial = builder.clone(*op);
  // Hints describe the op's original result.
  partial->removeDiscardableAttr(kLayoutHintsName);
  partial->getResult(0).setType(RankedTensorType::get(shape, resultType.getElementType()));
  auto partialView = cast<TensorViewOpInterface>(partial);
  partialView.setDomain(partialDomain);
  partial->removeAttr("inline_at");
  partial->removeAttr("memory");

  op->setOperand(0, partial->getResult(0));
  op->setAttr("dims", builder.getDenseI64ArrayAttr({resultType.getRank()}));
  op->removeAttr("domains");
  op->removeAttr("inline_at");
  return partial;
}
