//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Scans: each element of the result combines the operand's elements along a dimension up to its own, in order. Half types
// accumulate in f32 and round each element once, integers accumulate in the result's width.
//
// `reverse`: the order begins at the last index, so that an element combines those from its own to the end.
// `exclusive`: an element combines those before its own in this order; the first one is the identity (0, 1, the least or the
// greatest value of the type; infinities of floats).
//
// Verified for every op (detail::verifyScanOp):
//   SC1  `dim` is a dimension of the operand
//   SC2  the result has the operand's shape
//   SC3  the element types fit, as those of the reduction that the scan ends with (RD3)

#ifndef FUSER_SCAN_OPS
#define FUSER_SCAN_OPS

include "fuser/Dialect/IR/FuserOpBase.td"

// `types` names the rule SC3 (a case of detail::ReductionTypes).
class Fuser_AnyScanOp<string mnemonic, string types>
    : Fuser_TensorOp<mnemonic, [DeclareOpInterfaceMethods<Fuser_ScanOpInterface>]> {
  let arguments = !con((ins Fuser_Tensor:$input, I64Attr:$dim, UnitAttr:$reverse, UnitAttr:$exclusive), schedule);
  let results = (outs Fuser_Tensor:$result);
  let assemblyFormat = [{
    $input `dim` $dim (`reverse` $reverse^)? (`exclusive` $exclusive^)? attr-dict `:` type($input) `->` type($result)
  }];
  let hasVerifier = 1;
  let useCustomPropertiesEncoding = 1; // Bytecode.cpp
  // The monoid.
  code tupleDefinition = "";
  let extraClassDefinition = tensorViewDefinition # tupleDefinition # [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getKindsOfResult(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getIdentityDimMaps(getOperation(), operandNumber);
    }
    unsigned $cppClass::getScannedId() { return getDim(); }
    bool $cppClass::isReversed() { return getReverse(); }
    bool $cppClass::isExclusive() { return getExclusive(); }
    void $cppClass::setReversed(bool reversed) { setReverse(reversed); }
    void $cppClass::makeExclusive() { setExclusive(true); }
    ::llvm::LogicalResult $cppClass::readProperties(::mlir::DialectBytecodeReader &reader,
                                                    ::mlir::OperationState &state) {
      auto &own = state.getOrAddProperties<Properties>();
      return ::fuser::detail::readScanProperties(
          reader, {own.dim, own.domains, own.exclusive, own.inline_at, own.memory, own.reverse});
    }
    void $cppClass::writeProperties(::mlir::DialectBytecodeWriter &writer) {
      auto &own = getProperties();
      ::fuser::detail::writeScanProperties(
          writer, {own.dim, own.domains, own.exclusive, own.inline_at, own.memory, own.reverse});
    }
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyScanOp(getOperation(), getDim(), ::fuser::detail::ReductionTypes::}] # types # [{);
    }
  }];
}

// `combine`: the expression that adds an element to the carried value (`carried` and `element` of the compute type) with the
// ElementBuilder `b`; `initial`: the expression of the attribute of `type` that is carried to the first element.
class Fuser_ScanOp<string mnemonic, string types, string combine, string initial> : Fuser_AnyScanOp<mnemonic, types> {
  // As that of Fuser_ReductionOp.
  string complexCombination = "Sum";
  let tupleDefinition = [{
    ::llvm::SmallVector<::mlir::Type> $cppClass::getCarriedTypes() {
      return ::fuser::detail::getTupleTypes(getResult().getType().getElementType());
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildInitial(::mlir::OpBuilder &builder, ::mlir::Location loc) {
      ::mlir::Type type = getCarriedTypes()[0];
      return ::fuser::detail::buildTuple(getOperation(), builder, loc, }] # initial # [{);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildLift(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                            ::mlir::ValueRange operands) {
      return ::fuser::detail::liftToTuple(getOperation(), builder, loc, operands[0]);
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildCombine(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                               ::mlir::ValueRange first, ::mlir::ValueRange rest) {
      ::fuser::ElementBuilder b(builder, loc, getResult().getType());
      if (first.size() == 2)
        return ::fuser::detail::combineComplex(b, first, rest, ::fuser::detail::ComplexCombination::}] # complexCombination # [{);
      ::mlir::Value carried = first[0], element = rest[0];
      return {}] # combine # [{};
    }
    ::llvm::SmallVector<::mlir::Value> $cppClass::buildResults(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                                               ::mlir::ValueRange carriedValues) {
      return {::fuser::detail::getElementOfTuple(getOperation(), builder, loc, carriedValues)};
    }
  }];
}

def Fuser_CumSumOp : Fuser_ScanOp<"cumsum", "Additive",
    "b.apply<::mlir::arith::AddFOp, ::mlir::arith::AddIOp>({carried, element})", "builder.getZeroAttr(type)"> {
  let summary = "sums of the elements up to each one";
  let description = [{
    result[i] = input[0] + ... + input[i] along `dim`. The elements are converted to the result's type first: of bools into
    i64 it counts. Integers wrap. With `reverse`, result[i] = input[i] + ... + input[n - 1]; with `exclusive`, input[i] is not
    added. [SC1, SC2, SC3]

    ```mlir
    %0 = fuser.cumsum %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
    %1 = fuser.cumsum %x dim 1 reverse exclusive : tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
}

def Fuser_CumProdOp : Fuser_ScanOp<"cumprod", "Additive",
    "b.apply<::mlir::arith::MulFOp, ::mlir::arith::MulIOp>({carried, element})", "builder.getOneAttr(type)"> {
  let summary = "products of the elements up to each one";
  let description = [{
    result[i] = input[0] * ... * input[i] along `dim`. Integers wrap. [SC1, SC2, SC3]

    ```mlir
    %0 = fuser.cumprod %x dim 0 : tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
  let complexCombination = "Product";
}

def Fuser_CumMaxOp : Fuser_ScanOp<"cummax", "Equal", "b.maximum(carried, element)", "::fuser::detail::getLeastAttr(type)"> {
  let summary = "the greatest of the elements up to each one";
  let description = [{
    From a NaN on, NaN; 0 is greater than -0. The values of PyTorch's cummax, without their indices. [SC1, SC2, SC3]

    ```mlir
    %0 = fuser.cummax %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
}

def Fuser_CumMinOp : Fuser_ScanOp<"cummin", "Equal", "b.minimum(carried, element)",
                                  "::fuser::detail::getGreatestAttr(type)"> {
  let summary = "the smallest of the elements up to each one";
  let description = [{
    From a NaN on, NaN; -0 is smaller than 0. The values of PyTorch's cummin, without their indices. [SC1, SC2, SC3]

    ```mlir
    %0 = fuser.cummin %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
}

def Fuser_LogCumSumExpOp : Fuser_AnyScanOp<"logcumsumexp", "Float"> {
  let summary = "logarithms of sums of exponentials of the elements up to each one";
  let description = [{
    result[i] = log(exp(input[0]) + ... + exp(input[i])) along `dim`, without overflow: the greatest of the elements is
    subtracted from each. -inf where all are, from an infinity on that infinity, and from a NaN on NaN. [SC1, SC2, SC3]

    ```mlir
    %0 = fuser.logcumsumexp %x dim 1 : tensor<?x?xf32> -> tensor<?x?xf32>
    ```
  }];
}

#endif // FUSER_SCAN_OPS
