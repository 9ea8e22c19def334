//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_OP_BASE
#define FUSER_OP_BASE

include "mlir/IR/OpBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "fuser/Dialect/IR/FuserAttrs.td"
include "fuser/Dialect/IR/FuserInterfaces.td"

class Fuser_Op<string mnemonic, list<Trait> traits = []> : Op<Fuser_Dialect, mnemonic, traits>;

def Fuser_DomainArray : TypedArrayAttrBase<Fuser_DomainAttr, "one #fuser.domain for each result">;

// Scalar element types of tensors, and of scalar operands.
def Fuser_Complex : Complex<AnyTypeOf<[F32, F64]>>;
def Fuser_Element : AnyTypeOf<[AnySignlessInteger, AnyFloat, Fuser_Complex, Index]>;
def Fuser_Tensor : RankedTensorOf<[AnySignlessInteger, AnyFloat, Fuser_Complex]>;
def Fuser_IndexTensor : RankedTensorOf<[I32, I64]>;
def Fuser_TensorOrScalar : AnyTypeOf<[Fuser_Tensor, Fuser_Element], "ranked tensor or scalar">;

// An op that defines TensorViews. It is pure, but reports an effect on the schedule resource once it carries domains,
// so that CSE, folding and dead-code elimination do not remove a schedule.
class Fuser_TensorOp<string mnemonic, list<Trait> traits = []> : Fuser_Op<mnemonic, !listconcat(traits, [
    DeclareOpInterfaceMethods<Fuser_TensorViewOpInterface>,
    DeclareOpInterfaceMethods<Fuser_DomainMappingOpInterface>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  dag schedule = (ins OptionalAttr<Fuser_DomainArray>:$domains, OptionalAttr<Fuser_MemoryAttr>:$memory,
                      OptionalAttr<I64Attr>:$inline_at);
  // An op with another trivial domain, or with effects of its own, empties the one and defines it in its .cpp.
  code effectsDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::fuser::detail::getScheduleEffects(getOperation(), effects);
    }
  }];
  code trivialDomainDefinition = [{
    ::fuser::DomainAttr $cppClass::getTrivialDomain(unsigned result) {
      return ::fuser::detail::getTrivialDomain(getOperation(), result);
    }
  }];
  code tensorViewDefinition = effectsDefinition # trivialDomainDefinition;
  let extraClassDefinition = tensorViewDefinition;
}

// What an op declares that bounds sizes.
defvar declareBounds = [{
  ::llvm::SmallVector<std::pair<::mlir::AffineExpr, ::mlir::AffineExpr>> getRequiredBounds(
      ::llvm::ArrayRef<::llvm::SmallVector<::mlir::AffineExpr>> operandExtents,
      ::llvm::function_ref<::mlir::AffineExpr(::mlir::Value)> symbolOf);
}];

#endif // FUSER_OP_BASE
