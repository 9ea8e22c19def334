//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Properties of all pointwise ops. Operands are tensors of the result's shape (or of size 1 in a dimension, which is
// then broadcast) and scalars, which are converted to the type that the op computes in. Half types (f16, bf16, f8)
// compute in f32 and round once. NaN is propagated unless a description says otherwise. Complex numbers compute in
// pairs of their part type; an op that supports them sets `hasComplexForm`, and a real operand next to complex ones has
// an imaginary part of 0 (ADR 47).
//
// Verified for every op (detail::verifyPointwiseOp):
//   PW1  at least one operand is a tensor
//   PW2  every tensor operand has the result's rank and, in each dimension, the result's size or 1; some operand has the
//        result's size
//   PW3  tensor operands have one element type, a scalar operand is no float where that is an integer and complex only
//        where that is complex; the result has that element type (i1: ops that test; the type of a part: abs, real, imag,
//        angle; complex numbers of it: complex, polar)
//   PW4  the element type is of the class that the op computes on
//   PW7  (bitcast) both element types have one width

#ifndef FUSER_POINTWISE_BASE
#define FUSER_POINTWISE_BASE

include "fuser/Dialect/IR/FuserOpBase.td"

// `elements` names the class of element types (a case of detail::ElementClass), `element` is the expression that builds
// one element with the ElementBuilder `b` from `operands`; empty: a .cpp of lib/Dialect/IR defines buildElement.
//
// `hasComplexForm` adds complex numbers to the class: buildElement then calls buildComplexElement (ComplexElements.cpp)
// if an operand or the result is complex, else buildRealElement, to which the previous paragraph then applies.
class Fuser_PointwiseOp<string mnemonic, string elements, string element, list<Trait> traits = []>
    : Fuser_TensorOp<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<Fuser_ElementwiseOpInterface>])> {
  let results = (outs Fuser_Tensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  bit hasComplexForm = 0;
  string elementClass = "::fuser::detail::ElementClass::" # elements # !if(hasComplexForm, "OrComplex", "");
  let extraClassDeclaration = !if(hasComplexForm, [{
    /// The scalar form for real elements, and that for complex ones.
    ::mlir::Value buildRealElement(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands);
    ::mlir::Value buildComplexElement(::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands);
  }], "");
  code complexDefinition = !if(hasComplexForm, [{
    ::mlir::Value $cppClass::buildElement(::mlir::OpBuilder &builder, ::mlir::Location loc,
                                          ::mlir::ValueRange operands) {
      return ::fuser::detail::computesInComplex(getOperation()) ? buildComplexElement(builder, loc, operands)
                                                                : buildRealElement(builder, loc, operands);
    }
  }], "");
  code elementDefinition = !if(!empty(element), "", [{
    ::mlir::Value $cppClass::}] # !if(hasComplexForm, "buildRealElement", "buildElement") # [{(
        ::mlir::OpBuilder &builder, ::mlir::Location loc, ::mlir::ValueRange operands) {
      ::fuser::ElementBuilder b(builder, loc, getResult().getType());
      return }] # element # [{;
    }
  }]);
  code verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyPointwiseOp(getOperation(), }] # elementClass # [{);
    }
  }];
  code mappingDefinition = [{
    ::llvm::SmallVector<::fuser::IdKind> $cppClass::getRootKinds() {
      return ::fuser::detail::getPointwiseRootKinds(getOperation());
    }
    ::llvm::SmallVector<::fuser::DimMap> $cppClass::getDimMaps(unsigned operandNumber) {
      return ::fuser::detail::getPointwiseDimMaps(getOperation(), operandNumber);
    }
  }];
  code pointwiseDefinition = mappingDefinition # [{
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser, ::mlir::OperationState &result) {
      return ::fuser::detail::parsePointwiseOp(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) { ::fuser::detail::printPointwiseOp(getOperation(), printer); }
  }];
  let extraClassDefinition = tensorViewDefinition # pointwiseDefinition # verifyDefinition # complexDefinition #
                             elementDefinition;
}

class Fuser_UnaryOp<string mnemonic, string elements, string element, list<Trait> traits = []>
    : Fuser_PointwiseOp<mnemonic, elements, element, traits> {
  let arguments = !con((ins Fuser_Tensor:$input), schedule);
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType({input}));
    $_state.addOperands({input});
  }]>];
}

class Fuser_BinaryOp<string mnemonic, string elements, string element, list<Trait> traits = []>
    : Fuser_PointwiseOp<mnemonic, elements, element, traits> {
  let arguments = !con((ins Fuser_TensorOrScalar:$lhs, Fuser_TensorOrScalar:$rhs), schedule);
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType({lhs, rhs}));
    $_state.addOperands({lhs, rhs});
  }]>];
}

// Ops that test: the result's element type is i1.
class Fuser_UnaryTestOp<string mnemonic, string elements, string element>
    : Fuser_UnaryOp<mnemonic, elements, element, [Fuser_CheapElement]> {
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyTestOp(getOperation(), }] # elementClass # [{);
    }
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType({input}, $_builder.getI1Type()));
    $_state.addOperands({input});
  }]>];
}

class Fuser_BinaryTestOp<string mnemonic, string element>
    : Fuser_BinaryOp<mnemonic, "NumberOrBool", element, [Fuser_CheapElement]> {
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyTestOp(getOperation(), }] # elementClass # [{);
    }
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType({lhs, rhs}, $_builder.getI1Type()));
    $_state.addOperands({lhs, rhs});
  }]>];
}

// Ops whose result is real: its element type is that of the operand's parts where it is complex, else the operand's.
class Fuser_PartOp<string mnemonic, string elements, string element, list<Trait> traits = []>
    : Fuser_UnaryOp<mnemonic, elements, element, traits> {
  let verifyDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::fuser::detail::verifyPartOp(getOperation(), }] # elementClass # [{);
    }
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$input), [{
    $_state.addTypes(::fuser::detail::inferPointwiseType(
        {input}, ::fuser::detail::getPartType(::mlir::getElementTypeOrSelf(input.getType()))));
    $_state.addOperands({input});
  }]>];
}

// One op of math or arith on the compute type; `text` describes its edge cases.
class Fuser_FloatFunctionOp<string mnemonic, string function, string what, string text, list<Trait> traits = []>
    : Fuser_UnaryOp<mnemonic, "Float", "b.unary<" # function # ">(operands)", traits> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x : tensor<?xbf16>
    ```
  }];
}

// Ops on two floats that are one op of math or arith.
class Fuser_FloatBinaryOp<string mnemonic, string function, string what, string text, list<Trait> traits = []>
    : Fuser_BinaryOp<mnemonic, "Float", "b.binary<" # function # ", " # function # ">(operands)", traits> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x, %y : tensor<?xf32>
    ```
  }];
}

class Fuser_FloatTestOp<string mnemonic, string element, string what, string text>
    : Fuser_UnaryTestOp<mnemonic, "Float", element> {
  let summary = what;
  let description = text # [{

    ```mlir
    %0 = fuser.}] # mnemonic # [{ %x : (tensor<?xf32>) -> tensor<?xi1>
    ```
  }];
}


#endif // FUSER_POINTWISE_BASE
