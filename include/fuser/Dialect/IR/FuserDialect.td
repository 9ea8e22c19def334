//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_DIALECT
#define FUSER_DIALECT

include "mlir/IR/OpBase.td"

def Fuser_Dialect : Dialect {
  let name = "fuser";
  let cppNamespace = "::fuser";
  let summary = "Tensor programs that become GPU kernels";
  let description = [{
    The dialect of every stage from a front end to lowering. A TensorView is a builtin ranked tensor value together
    with the domains that its defining op carries: `logical` (what the program says), `loop` (how it is computed) and
    `allocation` (how it lies in memory).

    Three kinds of layout information are three kinds of attribute: a *fact* about an argument and a *requirement* on
    an output are inherent; a *hint* is discardable. Removing every discardable attribute changes no result and no
    required stride.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // FUSER_DIALECT
