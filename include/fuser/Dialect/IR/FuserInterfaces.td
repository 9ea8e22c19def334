//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_INTERFACES
#define FUSER_INTERFACES

include "mlir/IR/OpBase.td"

// Analyses, schedulers and lowering query these interfaces and never the class of an op.

def Fuser_TensorViewOpInterface : OpInterface<"TensorViewOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    An op whose tensor results carry domains, a memory type and an inline position. The attributes are inherent
    (`domains`, `memory`, `inline_at`); where `domains` is absent every result has its trivial domain.
  }];
  let methods = [
    InterfaceMethod<"The trivial domain of a result: root and logical from the op's semantics, loop = logical, allocation "
                    "= logical without reductions.",
      "::fuser::DomainAttr", "getTrivialDomain", (ins "unsigned":$result)>,
    InterfaceMethod<"The operand whose type result 0 has by definition, or -1: neither type changes without the other.",
      "int64_t", "getOperandOfResultType", (ins), "", [{
        return $_op->template hasTrait<::mlir::OpTrait::SameOperandsAndResultType>() ? 0 : -1;
      }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// The domain of a result: from `domains`, else the trivial one.
    ::fuser::DomainAttr getDomain(unsigned result = 0) { return ::fuser::detail::getDomain($_op, result); }
    bool hasDomains() { return ::fuser::detail::hasDomains($_op); }
    /// Sets the domain of one result; the others keep theirs.
    void setDomain(::fuser::DomainAttr domain, unsigned result = 0) {
      ::fuser::detail::setDomain($_op, result, domain);
    }
    /// The memory in which the kernel keeps the results; registers by default.
    ::fuser::MemoryType getMemoryType() { return ::fuser::detail::getMemoryType($_op); }
    void setMemoryType(::fuser::MemoryType type) { ::fuser::detail::setMemoryType($_op, type); }
    /// How many of the outermost loops the value shares with its consumers.
    int64_t getInlinePosition() { return ::fuser::detail::getInlinePosition($_op); }
    void setInlinePosition(int64_t position) { ::fuser::detail::setInlinePosition($_op, position); }
  }];
}

def Fuser_DomainMappingOpInterface : OpInterface<"DomainMappingOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    How an op's iteration space relates to its operands. The space is a list of root ids (the root domain of each
    result): `getRootKinds` names their kinds, `getDimMaps` says how each dimension of an operand is read from them.
    Results of one op share one root domain.
  }];
  let methods = [
    InterfaceMethod<"The kinds of the root ids, in order.",
      "::llvm::SmallVector<::fuser::IdKind>", "getRootKinds", (ins)>,
    InterfaceMethod<"For each dimension of the tensor operand, how it is indexed from root ids.",
      "::llvm::SmallVector<::fuser::DimMap>", "getDimMaps", (ins "unsigned":$operandNumber)>,
    InterfaceMethod<[{The operand in whose order in memory a result is best written, dimension by dimension (equal ranks),
                      that the maps do not imply. By default none.}],
      "::std::optional<unsigned>", "getOrderOperand", (ins "unsigned":$result), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{Extents of the root ids, given those of the operands (`extents[k]` is empty for a scalar operand) and
                      `symbolOf`, which names an index operand (null: not expressible). A null entry is an extent that
                      only run time knows. The default follows `Mapped` dimensions and static result types.}],
      "::llvm::SmallVector<::mlir::AffineExpr>", "inferRootExtents",
      (ins "::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>>":$operandExtents,
           "::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)>":$symbolOf), "", [{
        return ::fuser::detail::inferRootExtentsFromMaps($_op.getOperation(), operandExtents);
      }]>,
    InterfaceMethod<[{Pairs (a, b) of sizes and scalars with a <= b that each call has to satisfy in addition to the maps,
                      with arguments as for `inferRootExtents`. What types prove is included. By default none.}],
      "::llvm::SmallVector<std::pair<::mlir::AffineExpr, ::mlir::AffineExpr>>", "getRequiredBounds",
      (ins "::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>>":$operandExtents,
           "::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)>":$symbolOf), "", [{ return {}; }]>,
  ];
}

def Fuser_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    The scalar form of an op: one element (or one vector of elements) of the result from the elements of its operands
    at the mapped index. Half types compute in f32. NaN, infinities, signed zero and overflow follow PyTorch, as each
    op's description says.
  }];
  let methods = [
    InterfaceMethod<[{Builds the element. `operands` are scalars or vectors (all of one length) of the operands' element
                      types, in operand order; returns the element in the result's element type.}],
      "::mlir::Value", "buildElement",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<[{True where the mapped index (`Resized`, `Indirect`) of a tensor operand may lie outside of its
                      extents: it must not be read there, and the element is built with `buildElementAt`.}],
      "bool", "mayReadOutside", (ins "unsigned":$operandNumber), "", [{ return false; }]>,
    InterfaceMethod<[{True where the element depends on its root index: it is built with `buildElementAt`.}],
      "bool", "dependsOnIndex", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{As `buildElement`, for an op that may read outside or depends on its index. `inRange[k]` (i1, or a
                      vector of it) says whether operand k is read inside of its extents; null: always. Where it does not
                      hold, `operands[k]` is any element that is no poison. `rootIndex` returns the index of a root id
                      (`index`, or a vector of it).}],
      "::mlir::Value", "buildElementAt",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$operands,
           "::llvm::ArrayRef<::mlir::Value>":$inRange, "::llvm::function_ref<::mlir::Value(unsigned)>":$rootIndex), "", [{
        return ::mlir::cast<::fuser::ElementwiseOpInterface>($_op.getOperation()).buildElement(builder, loc, operands);
      }]>,
  ];
}

def Fuser_WholeReadOpInterface : OpInterface<"WholeReadOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    The scalar form of an op that reads some dimensions of its operands whole (`DimMap::Kind::Whole`): each element of its
    results is computed by itself, with loops of its own over what it reads. That is slow where elements share work, and
    always right: it is what an op has until a schedule of its own exists.
  }];
  let methods = [
    InterfaceMethod<[{Builds one element of each result, in the results' element types, at the index where `reader`
                      stands. A result that lacks a root id has the same element for each of its indices.}],
      "::llvm::SmallVector<::mlir::Value>", "buildElements",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::fuser::ElementReader &":$reader)>,
  ];
}

def Fuser_UpdateOpInterface : OpInterface<"UpdateOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    An op that stores each element of an operand into the buffer of another one, at an index that is data. The root ids are
    the dimensions of the stored operand. `getDimMaps` of the updated operand says where an element is stored, as for a
    read; an index outside stores nothing. The result has the type of the updated operand and, in a kernel, its buffer: the
    kernel returns the result, stored in the argument that is the updated operand, and no other op uses either. The
    logical ids of the result are the root ids, although its sizes are those of the updated operand.
  }];
  let methods = [
    InterfaceMethod<"The operand whose elements are stored.", "unsigned", "getStoredOperand", (ins)>,
    InterfaceMethod<"The operand whose buffer the result is stored in.", "unsigned", "getUpdatedOperand", (ins)>,
    InterfaceMethod<[{How an element is combined with the one in memory, by one atomic access; null: it replaces it, and of
                      several elements with one index, any.}],
      "::fuser::ScatterReduceAttr", "getCombination", (ins)>,
  ];
}

def Fuser_CombinerOpInterface : OpInterface<"CombinerOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    A reduction as a monoid over tuples of accumulators, used at every level (thread, warp, block, grid). Values may be
    scalars or vectors of equal length; all of them are built with `arith` and `math`.
  }];
  let methods = [
    InterfaceMethod<"Element types of the accumulators.",
      "::llvm::SmallVector<::mlir::Type>", "getAccumulatorTypes", (ins)>,
    InterfaceMethod<"The neutral tuple, as scalars.",
      "::llvm::SmallVector<::mlir::Value>", "buildIdentity", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc)>,
    InterfaceMethod<"The tuple of one operand element.",
      "::llvm::SmallVector<::mlir::Value>", "buildLift",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<"Combines two tuples; associative up to rounding, and commutative.",
      "::llvm::SmallVector<::mlir::Value>", "buildCombine",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$lhs, "::mlir::ValueRange":$rhs)>,
    InterfaceMethod<"Adds one element to a tuple: the combine of its lift, or something cheaper that is equal to it.",
      "::llvm::SmallVector<::mlir::Value>", "buildAccumulate",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$accumulators,
           "::mlir::ValueRange":$operands), "", [{
        auto combiner = ::mlir::cast<::fuser::CombinerOpInterface>($_op.getOperation());
        return combiner.buildCombine(builder, loc, accumulators, combiner.buildLift(builder, loc, operands));
      }]>,
    InterfaceMethod<[{The results' elements from the final tuple; `count` (index) is the number of reduced elements.}],
      "::llvm::SmallVector<::mlir::Value>", "buildFinalize",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$accumulators, "::mlir::Value":$count)>,
  ];
}

def Fuser_ScanOpInterface : OpInterface<"ScanOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    One pass along a root id, in the order of its indices or in the opposite one: a monoid over tuples, as that of a combiner,
    but not commutative. The tuple of a run of elements is combined from those of its parts, in order, and each element of the
    results is computed from the tuple of all elements up to its own, or of those before it. Values may be scalars or vectors of equal length (along another dimension); all
    of them are built with `arith` and `math`.
  }];
  let methods = [
    InterfaceMethod<"The position of the root id that is walked along.", "unsigned", "getScannedId", (ins)>,
    InterfaceMethod<"True if the walk begins at the last index.", "bool", "isReversed", (ins)>,
    InterfaceMethod<"True if an element is computed from the tuple of those before its own.", "bool", "isExclusive", (ins)>,
    InterfaceMethod<"Changes where the walk begins.", "void", "setReversed", (ins "bool":$reversed)>,
    InterfaceMethod<"Excludes an element's own tuple.", "void", "makeExclusive", (ins)>,
    InterfaceMethod<"Element types of the carried tuple.",
      "::llvm::SmallVector<::mlir::Type>", "getCarriedTypes", (ins)>,
    InterfaceMethod<"The tuple before the first element, as scalars: the neutral one.",
      "::llvm::SmallVector<::mlir::Value>", "buildInitial", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc)>,
    InterfaceMethod<"The tuple of one element, given the operands' elements.",
      "::llvm::SmallVector<::mlir::Value>", "buildLift",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<[{The tuple of a run of elements, given that of its first part and that of the rest; associative up to
                      rounding.}],
      "::llvm::SmallVector<::mlir::Value>", "buildCombine",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$first,
           "::mlir::ValueRange":$rest)>,
    InterfaceMethod<"The results' elements, in their element types, from the tuple after them.",
      "::llvm::SmallVector<::mlir::Value>", "buildResults",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$carried)>,
  ];
}

def Fuser_LibraryOpInterface : OpInterface<"LibraryOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    An op that no kernel can compute, only a routine of a library. It is a segment of its own, which becomes a
    `fuser.library_call`. Its tensor operands and results are what the routine reads and writes, in order; each lies densely.
  }];
  let methods = [
    InterfaceMethod<"The name under which the runtime finds the routine.", "::llvm::StringRef", "getRoutine", (ins)>,
    InterfaceMethod<"The routine's own options, or null.", "::mlir::DictionaryAttr", "getRoutineOptions", (ins), "",
                    [{ return nullptr; }]>,
    InterfaceMethod<[{The order in which the routine wants a tensor operand to lie, slowest dimension first; empty:
                      row-major.}],
      "::llvm::SmallVector<int64_t>", "getOperandOrder", (ins "unsigned":$operandNumber), "", [{ return {}; }]>,
    InterfaceMethod<"The order in which the routine writes a result, slowest dimension first; empty: row-major.",
      "::llvm::SmallVector<int64_t>", "getResultOrder", (ins "unsigned":$result), "", [{ return {}; }]>,
  ];
}

// Additional properties of ops on elements, stated by the op so that no pass contains a list of ops.

// If the elements of all operands are zero (+0, false) and no operand is a scalar, the result is zero: padding with
// zero commutes with the op.
def Fuser_KeepsZero : NativeOpTrait<"KeepsZero"> {
  let cppNamespace = "::fuser";
}

// An element costs a few instructions and no call: recomputing it is cheaper than a round trip through memory.
def Fuser_CheapElement : NativeOpTrait<"CheapElement"> {
  let cppNamespace = "::fuser";
}

// An element costs tens of instructions: its argument is reduced, or polynomials of high degree are evaluated. Of few elements
// that are read many times, a kernel of their own computes each once.
def Fuser_LongElement : NativeOpTrait<"LongElement"> {
  let cppNamespace = "::fuser";
}

#endif // FUSER_INTERFACES
