//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Combiners that matrix instructions can do.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PRODUCT_INTERFACE
#define FUSER_PRODUCT_INTERFACE

include "mlir/IR/OpBase.td"

def Fuser_ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let cppNamespace = "::fuser";
  let description = [{
    A combiner (`CombinerOpInterface`) that may sum products of elements of two operands.
  }];
  let methods = [
    InterfaceMethod<[{
      The numbers of the two operands whose products are all that the op sums, in one accumulator; none if it needs more
      than that.
    }], "std::optional<std::pair<unsigned, unsigned>>", "getFactors">,
  ];
}

#endif // FUSER_PRODUCT_INTERFACE
