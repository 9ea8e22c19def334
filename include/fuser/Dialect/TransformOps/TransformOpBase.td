//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Ops of the transform dialect that express a schedule as text. An op that changes loops or values calls one function
// of Dialect/Transforms and forwards its diagnostics.

#ifndef FUSER_TRANSFORM_OP_BASE
#define FUSER_TRANSFORM_OP_BASE

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "fuser/Dialect/IR/FuserAttrs.td"

class FuserTransform_Op<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "fuser." # mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<TransformOpInterface>])> {
  let cppNamespace = "::fuser::transform_ops";
  // The functions of Dialect/Transforms and Scheduling that a script reaches through this op: every public one has an op
  // (test/utils/test_transform_ops.py).
  list<string> primitives = [];
}

// An op that finds payload and changes none.
class FuserTransform_NavigationOp<string mnemonic>
    : FuserTransform_Op<mnemonic, [NavigationTransformOpTrait, MemoryEffectsOpInterface]>;

// An op that changes payload and invalidates no handle.
class FuserTransform_EditOp<string mnemonic, list<Trait> traits = []>
    : FuserTransform_Op<mnemonic, !listconcat(traits, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  code editEffects = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::mlir::transform::onlyReadsHandle(getOperation()->getOpOperands(), effects);
      ::mlir::transform::producesHandle(getOperation()->getOpResults(), effects);
      ::mlir::transform::modifiesPayload(effects);
    }
  }];
  let extraClassDefinition = editEffects;
}

// An op that changes the schedule of each op of its target in turn; if one fails, all schedules are restored.
class FuserTransform_EachOp<string mnemonic, string primitive> : FuserTransform_EditOp<mnemonic> {
  let primitives = [primitive];
  let extraClassDeclaration = [{
    /// Changes one op; a failure is diagnosed at that op.
    ::mlir::LogicalResult applyToOne(::fuser::TensorViewOpInterface op);
  }];
  let extraClassDefinition = editEffects # [{
    ::mlir::DiagnosedSilenceableFailure $cppClass::apply(::mlir::transform::TransformRewriter &,
                                                         ::mlir::transform::TransformResults &,
                                                         ::mlir::transform::TransformState &state) {
      return ::fuser::transform_ops::applyToEach(getOperation(), ::llvm::to_vector(state.getPayloadOps(getTarget())),
                                                 [&](::fuser::TensorViewOpInterface op) { return applyToOne(op); });
    }
  }];
}

// An op that invalidates its kernel handle, and handles to ops in the kernel, because it may erase ops. Its result is
// the same kernel.
class FuserTransform_RewriteKernelOp<string mnemonic> : FuserTransform_Op<mnemonic, [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins TransformHandleTypeInterface:$kernel);
  let results = (outs TransformHandleTypeInterface:$result);
  let assemblyFormat = "$kernel attr-dict `:` functional-type(operands, results)";
  let extraClassDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::SideEffects::EffectInstance<::mlir::MemoryEffects::Effect>> &effects) {
      ::mlir::transform::consumesHandle(getKernelMutable(), effects);
      ::mlir::transform::producesHandle(getOperation()->getOpResults(), effects);
      ::mlir::transform::modifiesPayload(effects);
    }
  }];
}

def FuserTransform_Position : ConfinedAttr<I64Attr, [IntNonNegative]>;

#endif // FUSER_TRANSFORM_OP_BASE
