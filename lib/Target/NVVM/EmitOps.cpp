//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "EmitOps.h"

using namespace mlir;
using namespace fuser::nvvm;

Value fuser::nvvm::constantI32(OpBuilder &builder, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

Value fuser::nvvm::truncateToI32(OpBuilder &builder, Location loc, Value index) {
  Type i32 = builder.getI32Type();
  return index.getType() == i32 ? index : LLVM::TruncOp::create(builder, loc, i32, index);
}

Value fuser::nvvm::castPointer(OpBuilder &builder, Location loc, Value pointer,
                               NVVM::NVVMMemorySpace space) {
  auto type = LLVM::LLVMPointerType::get(builder.getContext(), static_cast<unsigned>(space));
  return pointer.getType() == type ? pointer
                                   : LLVM::AddrSpaceCastOp::create(builder, loc, type, pointer);
}

LLVM::InlineAsmOp fuser::nvvm::emitPTX(OpBuilder &builder, Location loc, TypeRange results,
                                       ValueRange operands, StringRef text, StringRef constraints,
                                       bool hasSideEffects) {
  return LLVM::InlineAsmOp::create(builder, loc, results, operands, text, constraints,
                                   hasSideEffects, /*is_align_stack=*/false,
                                   LLVM::TailCallKind::None, LLVM::AsmDialectAttr(),
                                   /*operand_attrs=*/ArrayAttr());
}

void fuser::nvvm::emitFenceAsync(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(
      builder, loc, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(builder.getContext(), NVVM::SharedSpace::shared_cta));
}
