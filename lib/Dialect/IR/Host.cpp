//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of fuser.host.
//
//===----------------------------------------------------------------------===//

#include "fuser/Dialect/IR/HostShapeOps.h"
#include "fuser/Dialect/IR/Reshape.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <numeric>

using namespace mlir;
using namespace fuser;

#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostOps.cpp.inc"
#define GET_OP_CLASSES
#include "fuser/Dialect/IR/HostShapeOps.cpp.inc"

LogicalResult AllocOp::verify() {
  RankedTensorType type = cast<RankedTensorType>(getResult().getType());
  // HO1
  if (getSizes().size() != size_t(type.getNumDynamicDims()))
    return emitOpError("expected ")
           << type.getNumDynamicDims() << " sizes for the dynamic dimensions of " << type
           << ", but got " << getSizes().size();
  if (auto order = getOrder()) {
    SmallVector<int64_t> sorted(*order);
    llvm::sort(sorted);
    if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank())))
      return emitOpError("expected 'order' to be a permutation of ")
             << type.getRank() << " dimensions, but got [" << *order << "]";
  }
  return success();
}

/// The shape of a view: the sizes of the dimensions that it keeps. Fails where `dims` is no choice
/// of dimensions of the base that leaves out none of more than one element.
static FailureOr<SmallVector<int64_t>> getViewShape(ViewOp view) {
  ArrayRef<int64_t> sizes = view.getStaticSizes();
  std::optional<ArrayRef<int64_t>> dims = view.getDims();
  if (!dims)
    return SmallVector<int64_t>(sizes);
  SmallVector<int64_t> shape;
  SmallVector<bool> used(sizes.size(), false);
  for (int64_t dim : *dims) {
    bool isValid = dim >= -1 && dim < int64_t(sizes.size()) && (dim < 0 || !used[dim]);
    if (!isValid)
      return view.emitOpError("expected 'dims' to name each dimension of the base at most once, or "
                              "-1, but got [")
             << *dims << "]";
    shape.push_back(dim < 0 ? 1 : sizes[dim]);
    if (dim >= 0)
      used[dim] = true;
  }
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!used[dim] && size != 1)
      return view.emitOpError("expected 'dims' to leave out dimensions of size 1 only, but got "
                              "dimension ")
             << dim << " of size " << size;
  return shape;
}

LogicalResult ViewOp::verify() {
  auto base = cast<RankedTensorType>(getBase().getType());
  int64_t rank = base.getRank();
  // HO2
  if (int64_t(getStaticOffsets().size()) != rank || int64_t(getStaticSizes().size()) != rank ||
      (getStrides() && int64_t(getStrides()->size()) != rank))
    return emitOpError("expected one offset, one size and one stride for each of ")
           << rank << " dimensions, but got " << getStaticOffsets().size() << ", "
           << getStaticSizes().size() << " and "
           << (getStrides() ? int64_t(getStrides()->size()) : rank);
  if (failed(
          fuser::detail::verifyDynamicSizes(*this, getOffsets(), getStaticOffsets(), "offsets")) ||
      failed(fuser::detail::verifyDynamicSizes(*this, getSizes(), getStaticSizes(), "sizes")))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = getViewShape(*this);
  if (failed(shape) || failed(fuser::detail::verifyResult(*this, *shape, base.getElementType())))
    return failure();
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t offset = getStaticOffsets()[dim], size = getStaticSizes()[dim],
            extent = base.getDimSize(dim), step = getStep(dim), last = 0;
    bool hasOffset = !ShapedType::isDynamic(offset), hasSize = !ShapedType::isDynamic(size);
    if (step < 1 || (hasOffset && offset < 0) || (hasSize && size < 0))
      return emitOpError("expected an offset and a size of at least 0 and a stride of at least 1 "
                         "in dimension ")
             << dim << ", but got " << offset << ", " << size << " and " << step;
    if (!hasOffset || !hasSize || ShapedType::isDynamic(extent))
      continue;
    bool overflows = llvm::MulOverflow(std::max<int64_t>(size - 1, 0), step, last) ||
                     llvm::AddOverflow(last, offset, last);
    if (overflows || (size > 0 ? last >= extent : last > extent))
      return emitOpError("expected a box inside of dimension ")
             << dim << " (size " << extent << "), but got offset " << offset << " and size " << size
             << (step == 1 ? "" : " with stride ")
             << (step == 1 ? std::string() : std::to_string(step));
  }
  return success();
}

LogicalResult ReshapeViewOp::verify() {
  auto base = cast<RankedTensorType>(getBase().getType());
  if (failed(fuser::detail::verifyDynamicSizes(*this, getSizes(), getStaticSizes(), "sizes")) ||
      failed(fuser::detail::verifyResult(*this, getStaticSizes(), base.getElementType())))
    return failure();
  // HO9
  if (getFrom().size() != getTo().size())
    return emitOpError("expected as many groups of the result as of the base, but got ")
           << getTo().size() << " and " << getFrom().size();
  ArrayRef<int64_t> from = base.getShape(), to = getStaticSizes();
  auto covers = [](ArrayRef<int64_t> counts, size_t rank) {
    return llvm::all_of(counts,
                        [&](int64_t count) { return count >= 0 && count <= int64_t(rank); }) &&
           std::accumulate(counts.begin(), counts.end(), int64_t(0)) == int64_t(rank);
  };
  if (!covers(getFrom(), from.size()) || !covers(getTo(), to.size()))
    return emitOpError("expected groups of ")
           << from.size() << " dimensions of the base and " << to.size()
           << " of the result, but got [" << getFrom() << "] and [" << getTo() << "]";
  for (auto [number, fromCount, toCount] : llvm::enumerate(getFrom(), getTo())) {
    std::optional<int64_t> had = getStaticProduct(from.take_front(fromCount)),
                           has = getStaticProduct(to.take_front(toCount));
    if (had && has && *had != *has)
      return emitOpError("expected ")
             << *had << " elements in group " << number << " of the result, but got " << *has;
    from = from.drop_front(fromCount);
    to = to.drop_front(toCount);
  }
  return success();
}

LogicalResult PlaceOp::verify() {
  auto part = cast<RankedTensorType>(getPart().getType()),
       buffer = cast<RankedTensorType>(getBuffer().getType());
  // HO8
  if (getStaticOffsets().empty()) {
    std::optional<int64_t> has = getStaticProduct(part.getShape()),
                           had = getStaticProduct(buffer.getShape());
    if (part.getElementType() != buffer.getElementType() || (has && had && *has != *had))
      return emitOpError("expected all elements of ") << buffer << ", but got " << part;
    return success();
  }
  if (part.getRank() != buffer.getRank() || part.getElementType() != buffer.getElementType() ||
      int64_t(getStaticOffsets().size()) != buffer.getRank())
    return emitOpError("expected a part with the rank and element type of ")
           << buffer << " and an offset for each dimension, but got " << part << " and "
           << getStaticOffsets().size() << " offsets";
  if (failed(fuser::detail::verifyDynamicSizes(*this, getOffsets(), getStaticOffsets(), "offsets")))
    return failure();
  for (int64_t dim = 0; dim < buffer.getRank(); ++dim) {
    int64_t offset = getStaticOffsets()[dim], size = part.getDimSize(dim),
            extent = buffer.getDimSize(dim), end = 0;
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(extent))
      continue;
    if (offset < 0 || llvm::AddOverflow(offset, size, end) || end > extent)
      return emitOpError("expected a part inside of dimension ")
             << dim << " (size " << extent << "), but got offset " << offset << " and size "
             << size;
  }
  return success();
}

/// One result for each output, of its type.
static LogicalResult verifyOutputs(Operation *op, ValueRange outputs, ValueRange results) {
  if (results.size() != outputs.size())
    return op->emitOpError("expected one result for each of ")
           << outputs.size() << " outputs, but got " << results.size();
  for (auto [index, output, result] : llvm::enumerate(outputs, results))
    if (output.getType() != result.getType())
      return op->emitOpError("expected result ")
             << index << " of type " << output.getType() << " like its output, but got "
             << result.getType();
  return success();
}

/// An allocation has no elements; what is written to it is the result of the op that writes. Loops
/// have no results: what they write is read from the allocation.
static LogicalResult verifyInputs(Operation *op, ValueRange inputs) {
  for (auto [index, input] : llvm::enumerate(inputs)) {
    auto alloc = input.getDefiningOp<AllocOp>();
    if (!alloc || llvm::any_of(alloc->getUsers(), [&](Operation *user) {
          return user->getBlock() != alloc->getBlock();
        }))
      continue;
    InFlightDiagnostic diagnostic = op->emitOpError("expected input ")
                                    << index
                                    << " to be the result of the op that writes it, but got the "
                                       "allocation itself";
    diagnostic.attachNote(alloc.getLoc()) << "it is allocated here";
    return diagnostic;
  }
  return success();
}

LogicalResult LaunchOp::verify() {
  // HO3, HO10
  return success(succeeded(verifyOutputs(*this, getOutputs(), getResults())) &&
                 succeeded(verifyInputs(*this, getInputs())));
}

LogicalResult LibraryCallOp::verify() {
  // HO7, HO10
  return success(succeeded(verifyOutputs(*this, getOutputs(), getResults())) &&
                 succeeded(verifyInputs(*this, getInputs())));
}

/// Equal types, or tensors of one element type whose shapes may be equal.
static bool areCompatible(Type a, Type b) {
  auto tensor = dyn_cast<RankedTensorType>(a), other = dyn_cast<RankedTensorType>(b);
  if (!tensor || !other)
    return a == b;
  return tensor.getElementType() == other.getElementType() &&
         succeeded(verifyCompatibleShape(tensor, other));
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  // HO4
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernel());
  if (!kernel) {
    // Compiled kernels (a gpu.binary, an object's module) keep the name of their module only.
    Operation *root = symbols.lookupNearestSymbolFrom(*this, getKernel().getRootReference());
    if (root && !isa<FunctionOpInterface>(root))
      return success();
  }
  if (!kernel)
    return emitOpError("expected a kernel named ") << getKernel() << ", but there is none";
  auto fuserKernel = dyn_cast<KernelOp>(kernel.getOperation());
  if (!fuserKernel)
    return success();
  auto check = [&](StringRef what, TypeRange have, TypeRange want) -> LogicalResult {
    if (have.size() != want.size())
      return emitOpError("expected ")
             << want.size() << " " << what << " for " << getKernel() << ", but got " << have.size();
    for (auto [index, a, b] : llvm::enumerate(have, want))
      if (!areCompatible(a, b))
        return emitOpError("expected ")
               << what << " " << index << " of type " << b << ", but got " << a;
    return success();
  };
  if (failed(check("inputs", getInputs().getTypes(), fuserKernel.getArgumentTypes())))
    return failure();
  return check("outputs", getOutputs().getTypes(), fuserKernel.getResultTypes());
}

LogicalResult CopyOp::verify() {
  // HO5
  auto source = cast<RankedTensorType>(getSource().getType()),
       target = cast<RankedTensorType>(getResult().getType());
  if (!areCompatible(source, target))
    return emitOpError("expected a source of type ") << target << ", but got " << source;
  return success();
}

//===----------------------------------------------------------------------===//
// ForOp
//===----------------------------------------------------------------------===//

void ForOp::build(OpBuilder &builder, OperationState &state, Value count, int64_t streams) {
  state.addOperands(count);
  state.addAttribute(getStreamsAttrName(state.name), builder.getI64IntegerAttr(streams));
  Region *body = state.addRegion();
  body->emplaceBlock().addArgument(builder.getIndexType(), state.location);
  ensureTerminator(*body, builder, state.location);
}

LogicalResult ForOp::verify() {
  // HO6
  if (getStreams() < 1)
    return emitOpError("expected at least 1 stream, but got ") << getStreams();
  if (getBody().getNumArguments() != 1 || !getBody().getArgument(0).getType().isIndex())
    return emitOpError("expected one body argument of type index");
  return success();
}

ParseResult ForOp::parse(OpAsmParser &parser, OperationState &result) {
  OpAsmParser::Argument variable;
  OpAsmParser::UnresolvedOperand count;
  IntegerAttr streams;
  variable.type = parser.getBuilder().getIndexType();
  if (parser.parseArgument(variable) || parser.parseKeyword("to") || parser.parseOperand(count) ||
      parser.resolveOperand(count, variable.type, result.operands) ||
      parser.parseKeyword("streams") ||
      parser.parseAttribute(streams, parser.getBuilder().getI64Type(),
                            getStreamsAttrName(result.name), result.attributes) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      fuser::detail::verifyParsedAttributes(parser, parser.getNameLoc(), result))
    return failure();
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, variable))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void ForOp::print(OpAsmPrinter &printer) {
  printer << " " << getInductionVariable() << " to " << getCount() << " streams " << getStreams()
          << " ";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getStreamsAttrName()});
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/false);
}
