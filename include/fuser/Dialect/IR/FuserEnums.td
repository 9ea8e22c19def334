//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_ENUMS
#define FUSER_ENUMS

include "mlir/IR/EnumAttr.td"
include "fuser/Dialect/IR/FuserDialect.td"

class Fuser_Enum<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::fuser";
  let genSpecializedAttr = 0;
}

def Fuser_IdKind : Fuser_Enum<"IdKind", "kind of an id of a domain", [
  I32EnumAttrCase<"Iteration", 0, "iteration">,
  I32EnumAttrCase<"Reduction", 1, "reduction">,
  I32EnumAttrCase<"Broadcast", 2, "broadcast">,
  I32EnumAttrCase<"Expanded", 3, "expanded">]>;

def Fuser_ParallelType : Fuser_Enum<"ParallelType", "what runs the iterations of a loop id", [
  I32EnumAttrCase<"Serial", 0, "serial">,
  I32EnumAttrCase<"Unroll", 1, "unroll">,
  I32EnumAttrCase<"Unswitch", 2, "unswitch">,
  I32EnumAttrCase<"Vectorize", 3, "vectorize">,
  I32EnumAttrCase<"BlockX", 4, "block_x">,
  I32EnumAttrCase<"BlockY", 5, "block_y">,
  I32EnumAttrCase<"BlockZ", 6, "block_z">,
  I32EnumAttrCase<"ThreadX", 7, "thread_x">,
  I32EnumAttrCase<"ThreadY", 8, "thread_y">,
  I32EnumAttrCase<"ThreadZ", 9, "thread_z">,
  I32EnumAttrCase<"ClusterX", 10, "cluster_x">,
  I32EnumAttrCase<"Bulk", 11, "bulk">,
  I32EnumAttrCase<"Mma", 12, "mma">,
  I32EnumAttrCase<"DeviceX", 13, "device_x">,
  I32EnumAttrCase<"DeviceY", 14, "device_y">,
  I32EnumAttrCase<"DeviceZ", 15, "device_z">,
  I32EnumAttrCase<"Stream", 16, "stream">]>;

def Fuser_MemoryType : Fuser_Enum<"MemoryType", "where a value lives inside a kernel", [
  I32EnumAttrCase<"Register", 0, "register">,
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Global", 2, "global">]>;

def Fuser_FactKind : Fuser_Enum<"FactKind", "what a fact states about an extent or a pointer", [
  I32EnumAttrCase<"Equal", 0, "equal">,
  I32EnumAttrCase<"Divisible", 1, "divisible">,
  I32EnumAttrCase<"AtMost", 2, "at_most">,
  I32EnumAttrCase<"AtLeast", 3, "at_least">,
  I32EnumAttrCase<"Aligned", 4, "aligned">,
  I32EnumAttrCase<"ElementsAtMost", 5, "elements_at_most">,
  I32EnumAttrCase<"StrideDivisible", 6, "stride_divisible">,
  I32EnumAttrCase<"StrideIs", 7, "stride_is">]>;

def Fuser_ScatterReduce : Fuser_Enum<"ScatterReduce", "how a scatter combines elements that meet", [
  I32EnumAttrCase<"Add", 0, "add">,
  I32EnumAttrCase<"Mul", 1, "mul">,
  I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"Max", 3, "max">]>;

#endif // FUSER_ENUMS
