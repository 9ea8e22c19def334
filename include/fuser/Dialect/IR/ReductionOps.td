//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Reductions over dimensions, which the result drops. Half types accumulate in f32 and round once at the end, integers
// accumulate in the result's width, complex numbers as pairs of parts. Combiners work on scalars and, where all operands are vectors of one length, on these.
//
// Verified for every op (detail::verifyReductionOp):
//   RD1  `dims` is not empty, in range, ascending and unique
//   RD2  the result's shape is the operand's without `dims` (with `domains`, which may rfactor, the domain decides)
//   RD3  the element types fit, per op
//   RD4  (var_mean) `correction` is not negative
//   RD6  (max_sum_exp) floats, all of one type
//   RD5  (with_index) `index` has the operand's shape and i32 or i64 as element type, as its result has

#ifndef FUSER_REDUCTION_OPS
#define FUSER_REDUCTION_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

// `types` names the rule RD3 (a case of detail::ReductionTypes). `combine`: the expression that combines two accumulators
// `lhs` and `rhs` with the ElementBuilder `b`; `identity`: the expression of the neutral attribute of `type`. Empty: the
// combiner is in Reduction.cpp. `complexCombination` (a case of detail::ComplexCombination) is how pairs combine, where the
// result is complex.
class Fuser_ReductionOp<string mnemonic, string types, string combine = "", string identity = "", list<Trait> traits = []>
    : Fuser_TensorOp<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<Fuser_CombinerOpInterface>])> {
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$dims), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims), [{
    build($_builder, $_state, ::fuser::detail::inferReductionType(input, dims), input, dims, {}, {}, {});
  }]>];
  code mappingDefinition = [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getReductionRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getIdentityDimMaps(getOperation(), operandNumber);
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyReductionOp(getOperation(), ::fuser::detail::ReductionTypes::}] # types # [{);
    }
  }];
  string complexCombination = "Sum";
  // One accumulator of the result's compute type, rounded at the end; two where the result is complex.
  code combinerDefinition = !if(!empty(combine), "", [{
    ::llvm::SmallVector<::mlir::Type> $cppClass::getAccumulatorTypes() {
      return ::fuser::detail::getTupleTypes(getResult().getType().getElementType());
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildIdentity(::mlir::OpBuilder &builder, ::mlir::Location loc) {
      ::mlir::Type type = getAccumulatorTypes()[0];
      return ::fuser::detail::buildTuple(getOperation(), builder, loc, }] # identity # [{);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildLift(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                            ::mlir::ValueRange operands) {
      return ::fuser::detail::liftToTuple(getOperation(), builder, loc, operands[0]);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildCombine(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                               ::mlir::ValueRange lhs, ::mlir::ValueRange rhs) {
      ::fuser::ElementBuilder b(builder, loc, getResult().getType());
      if (lhs.size() == 2)
        return ::fuser::detail::combineComplex(b, lhs, rhs, ::fuser::detail::ComplexCombination::}] # complexCombination # [{);
      return {}] # combine # [{};
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildFinalize(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                                ::mlir::ValueRange accumulators, ::mlir::Value count) {
      return {::fuser::detail::getElementOfTuple(getOperation(), builder, loc, accumulators)};
    }
  }]);
  let extraClassDefinition = tensorViewDefinition # mappingDefinition # combinerDefinition;
}

def Fuser_SumOp : Fuser_ReductionOp<"sum", "Additive",
    "b.apply<::mlir::arith::AddFOp, ::mlir::arith::AddIOp>({lhs[0], rhs[0]})", "builder.getZeroAttr(type)"> {
  let summary = "sum over dimensions";
  let description = [{
    The sum of the elements along `dims`; 0 where there are none. The elements are converted to the result's type first:
    a sum of bools into i64 counts. Integers wrap. Complex numbers are summed part by part.

    ```mlir
    %0 = fuser.sum %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
}

def Fuser_ProdOp : Fuser_ReductionOp<"prod", "Additive",
    "b.apply<::mlir::arith::MulFOp, ::mlir::arith::MulIOp>({lhs[0], rhs[0]})", "builder.getOneAttr(type)"> {
  let summary = "product over dimensions";
  let description = [{
    The product of the elements along `dims`; 1 where there are none. Integers wrap. Complex numbers multiply as
    `fuser.mul` does.

    ```mlir
    %0 = fuser.prod %x dims [0] : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
  let complexCombination = "Product";
}

def Fuser_MinOp : Fuser_ReductionOp<"min", "Equal", "b.minimum(lhs[0], rhs[0])",
                                    "::fuser::detail::getGreatestAttr(type)"> {
  let summary = "minimum over dimensions";
  let description = [{
    The smallest element along `dims`, NaN where one is; -0 is smaller than 0. Where there are none: inf, or the greatest
    integer (PyTorch refuses such a call).

    ```mlir
    %0 = fuser.min %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
}

def Fuser_MaxOp : Fuser_ReductionOp<"max", "Equal", "b.maximum(lhs[0], rhs[0])",
                                    "::fuser::detail::getLeastAttr(type)"> {
  let summary = "maximum over dimensions";
  let description = [{
    The greatest element along `dims`, NaN where one is; 0 is greater than -0. Where there are none: -inf, or the least
    integer (PyTorch refuses such a call).

    ```mlir
    %0 = fuser.max %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
}

def Fuser_MeanOp : Fuser_ReductionOp<"mean", "FloatOrComplex"> {
  let summary = "mean over dimensions";
  let description = [{
    The sum of the elements along `dims`, divided once by their number; NaN where there are none. Of complex
    numbers part by part.

    ```mlir
    %0 = fuser.mean %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>
    ```
  }];
}

// Accumulates in i32, which shuffles and atomics support.
class Fuser_BoolReductionOp<string mnemonic, string combine, string identity> : Fuser_ReductionOp<mnemonic, "Test"> {
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims), [{
    build($_builder, $_state, ::fuser::detail::inferReductionType(input, dims, $_builder.getI1Type()), input, dims, {}, {}, {});
  }]>];
  let combinerDefinition = [{
    ::llvm::SmallVector<::mlir::Type> $cppClass::getAccumulatorTypes() {
      return {::mlir::IntegerType::get(getContext(), 32)};
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildIdentity(::mlir::OpBuilder &builder, ::mlir::Location loc) {
      return {::mlir::arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(}] # identity # [{))};
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildLift(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                            ::mlir::ValueRange operands) {
      ::fuser::ElementBuilder b(builder, loc, getResult().getType());
      ::mlir::Type element = getInput().getType().getElementType();
      return {b.convertTo(b.convert(operands[0], element, builder.getI1Type()), builder.getI32Type())};
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildCombine(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                               ::mlir::ValueRange lhs, ::mlir::ValueRange rhs) {
      return {}] # combine # [{::create(builder, loc, lhs[0], rhs[0])};
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildFinalize(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                                ::mlir::ValueRange accumulators, ::mlir::Value count) {
      return {::fuser::ElementBuilder(builder, loc, getResult().getType())
                  .convertTo(accumulators[0], builder.getI1Type())};
    }
  }];
}

def Fuser_AnyOp : Fuser_BoolReductionOp<"any", "::mlir::arith::OrIOp", "0"> {
  let summary = "tests whether an element is true";
  let description = [{
    True where an element along `dims` is not zero (NaN counts); false where there are none. The result is of i1.

    ```mlir
    %0 = fuser.any %x dims [1] : tensor<?x?xf32> -> tensor<?xi1>
    ```
  }];
}

def Fuser_AllOp : Fuser_BoolReductionOp<"all", "::mlir::arith::AndIOp", "1"> {
  let summary = "tests whether all elements are true";
  let description = [{
    True where no element along `dims` is zero; true where there are none. The result is of i1.

    ```mlir
    %0 = fuser.all %x dims [1] : tensor<?x?xi1> -> tensor<?xi1>
    ```
  }];
}

def Fuser_VarMeanOp : Fuser_ReductionOp<"var_mean", "FloatOrComplex"> {
  let summary = "variance and mean over dimensions";
  let description = [{
    The variance of the n elements along `dims` (the sum of squared distances from the mean, divided by
    max(n - correction, 0)) and their mean, by Welford's algorithm; partial results combine after Chan. A correction of 1
    gives the unbiased variance. NaN where n - correction is 0 and all elements are equal, or where an element is NaN or
    infinite. The variance of complex numbers is real: distances are those in the plane, and their mean is complex.

    ```mlir
    %var, %mean = fuser.var_mean %x dims [1] correction 1 : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
    ```
  }];
  let arguments = !con((ins Fuser_Tensor:$input, DenseI64ArrayAttr:$dims, I64Attr:$correction), schedule);
  let results = (outs Fuser_Tensor:$variance, Fuser_Tensor:$mean);
  let assemblyFormat = [{
    $input `dims` $dims `correction` $correction attr-dict `:` type($input) `->` type($variance) `,` type($mean)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims, "int64_t":$correction), [{
    ::mlir::RankedTensorType type = ::fuser::detail::inferReductionType(input, dims);
    build($_builder, $_state, type.clone(::fuser::detail::getPartType(type.getElementType())), type, input, dims, correction,
          {}, {}, {});
  }]>];
  let mappingDefinition = [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getReductionRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getIdentityDimMaps(getOperation(), operandNumber);
    }
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyVarMeanOp(getOperation()); }
  }];
  let extraClassDeclaration = [{
    /// One step of Welford's algorithm: cheaper than combining with the lift of one element.
    ::llvm::SmallVector<::mlir::Value> buildAccumulate(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                       ::mlir::ValueRange accumulators, ::mlir::ValueRange operands);
  }];
}

def Fuser_MaxSumExpOp : Fuser_ReductionOp<"max_sum_exp", "Equal"> {
  let summary = "maximum and sum of exponentials over dimensions";
  let description = [{
    The greatest element m along `dims` and the sum of exp(x - m), in one pass: the statistics of a softmax. A partial sum
    is scaled where a greater element follows it. The sum is NaN where an element is NaN or m is infinite; where there are
    no elements, m is -inf and the sum 0.

    ```mlir
    %max, %sum = fuser.max_sum_exp %x dims [1] : tensor<?x?xf32> -> tensor<?xf32>, tensor<?xf32>
    ```
  }];
  let results = (outs Fuser_Tensor:$maximum, Fuser_Tensor:$sum);
  let assemblyFormat = "$input `dims` $dims attr-dict `:` type($input) `->` type($maximum) `,` type($sum)";
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$dims), [{
    ::mlir::RankedTensorType type = ::fuser::detail::inferReductionType(input, dims);
    build($_builder, $_state, type, type, input, dims, {}, {}, {});
  }]>];
  let mappingDefinition = [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getReductionRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getIdentityDimMaps(getOperation(), operandNumber);
    }
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyMaxSumExpOp(getOperation()); }
  }];
}

// The extreme element (a case of detail::Extreme) and its index. The combiner, over pairs of both, is in
// IndexedReductions.cpp.
class Fuser_IndexedReductionOp<string mnemonic, string extreme, string what> : Fuser_ReductionOp<mnemonic, "Equal"> {
  let summary = what;
  let arguments = !con((ins Fuser_Tensor:$input, Fuser_Tensor:$index, DenseI64ArrayAttr:$dims), schedule);
  let results = (outs Fuser_Tensor:$value, Fuser_Tensor:$position);
  let assemblyFormat = [{
    $input `,` $index `dims` $dims attr-dict `:` type($input) `,` type($index) `->` type($value) `,` type($position)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$index, "::llvm::ArrayRef<int64_t>":$dims), [{
    build($_builder, $_state, ::fuser::detail::inferReductionType(input, dims),
          ::fuser::detail::inferReductionType(index, dims), input, index, dims, {}, {}, {});
  }]>];
  let mappingDefinition = [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getReductionRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getIdentityDimMaps(getOperation(), operandNumber);
    }
    ::llvm::LogicalResult $cppClass::verify() { return ::fuser::detail::verifyIndexedReductionOp(getOperation()); }
  }];
  let combinerDefinition = [{
    ::llvm::SmallVector<::mlir::Type> $cppClass::getAccumulatorTypes() {
      return ::fuser::detail::getIndexedAccumulators(getOperation());
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildIdentity(::mlir::OpBuilder &builder, ::mlir::Location loc) {
      return ::fuser::detail::buildIndexedIdentity(getOperation(), builder, loc, ::fuser::detail::Extreme::}] # extreme # [{);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildLift(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                            ::mlir::ValueRange operands) {
      return ::fuser::detail::liftIndexed(getOperation(), builder, loc, operands);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildCombine(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                               ::mlir::ValueRange lhs, ::mlir::ValueRange rhs) {
      return ::fuser::detail::combineIndexed(builder, loc, lhs, rhs, ::fuser::detail::Extreme::}] # extreme # [{);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildFinalize(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                                ::mlir::ValueRange accumulators, ::mlir::Value count) {
      return ::fuser::detail::finalizeIndexed(getOperation(), builder, loc, accumulators);
    }
  }];
}

def Fuser_MaxWithIndexOp : Fuser_IndexedReductionOp<"max_with_index", "Greatest",
                                                    "maximum over dimensions, and where it is"> {
  let description = [{
    The greatest element of `input` along `dims` and the element of `index` at the same place. NaN is greater than all numbers;
    of equal elements (0 equals -0) the one with the smallest index, so that the result does not depend on the order. Where
    there are none: -inf (the least integer) and the greatest integer. With `index` counting along the dimension
    (`fuser.iota`, broadcast) this is PyTorch's max and argmax with a dimension; any numbering will do, e.g. one over several
    dimensions.

    ```mlir
    %max, %argmax = fuser.max_with_index %x, %i dims [1] : tensor<?x?xf32>, tensor<?x?xi64> -> tensor<?xf32>, tensor<?xi64>
    ```
  }];
}

def Fuser_MinWithIndexOp : Fuser_IndexedReductionOp<"min_with_index", "Least",
                                                    "minimum over dimensions, and where it is"> {
  let description = [{
    The smallest element of `input` along `dims` and the element of `index` at the same place, else as `max_with_index`: NaN
    comes before all numbers. Where there are none: inf (the greatest integer) and the greatest integer.

    ```mlir
    %min, %argmin = fuser.min_with_index %x, %i dims [1] : tensor<?x?xf32>, tensor<?x?xi64> -> tensor<?xf32>, tensor<?xi64>
    ```
  }];
}

#endif // FUSER_REDUCTION_OPS
