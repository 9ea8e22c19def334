//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Properties in bytecode of ops that changed between versions. The encoding of
// all other ops is generated.
//
//===----------------------------------------------------------------------===//

#include "Bytecode.h"
#include "fuser/Dialect/IR/Fuser.h"

using namespace mlir;
using namespace fuser;

/// Up to format 5 of bytecode (not the version of the fuser dialect), the sizes of operand segments
/// are one of the attributes; in later formats they follow all attributes.
static bool hasSegmentsAsAttribute(uint64_t format) { return format < 6; }

/// Reads the sizes where format 5 has them.
template <typename SizesT>
static LogicalResult readSegmentsAttribute(DialectBytecodeReader &reader, SizesT &sizes) {
  if (!hasSegmentsAsAttribute(reader.getBytecodeVersion()))
    return success();
  DenseI32ArrayAttr attr;
  if (failed(reader.readAttribute(attr)))
    return failure();
  if (attr.size() != int64_t(sizes.size()))
    return reader.emitError() << "expected the sizes of " << sizes.size()
                              << " segments of operands, but got " << attr.size();
  llvm::copy(attr.asArrayRef(), sizes.begin());
  return success();
}

/// Reads the sizes where format 6 has them.
template <typename SizesT>
static LogicalResult readSegmentsArray(DialectBytecodeReader &reader, SizesT &sizes) {
  if (hasSegmentsAsAttribute(reader.getBytecodeVersion()))
    return success();
  return reader.readSparseArray(MutableArrayRef(sizes));
}

template <typename SizesT>
static void writeSegmentsAttribute(DialectBytecodeWriter &writer, MLIRContext *context,
                                   const SizesT &sizes) {
  if (hasSegmentsAsAttribute(writer.getBytecodeVersion()))
    writer.writeAttribute(DenseI32ArrayAttr::get(context, sizes));
}

template <typename SizesT>
static void writeSegmentsArray(DialectBytecodeWriter &writer, const SizesT &sizes) {
  if (!hasSegmentsAsAttribute(writer.getBytecodeVersion()))
    writer.writeSparseArray(ArrayRef(sizes));
}

static bool isBefore(DialectBytecodeReader &reader, BytecodeVersion version) {
  return VersionedBytecode::getVersionOf(reader, FuserDialect::getDialectNamespace()) < version;
}

/// Version 0 has the name of the routine first, as `callee`.
static bool hasCallee(DialectBytecodeReader &reader) {
  return isBefore(reader, BytecodeVersion(1, 0));
}

//===----------------------------------------------------------------------===//
// library
//===----------------------------------------------------------------------===//

LogicalResult LibraryOp::readProperties(DialectBytecodeReader &reader, OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  bool isOld = hasCallee(reader);
  if ((isOld && failed(reader.readAttribute(properties.routine))) ||
      failed(reader.readOptionalAttribute(properties.domains)) ||
      failed(reader.readOptionalAttribute(properties.inline_at)) ||
      failed(reader.readOptionalAttribute(properties.memory)) ||
      failed(readSegmentsAttribute(reader, properties.operandSegmentSizes)) ||
      failed(reader.readOptionalAttribute(properties.options)) ||
      (!isOld && failed(reader.readAttribute(properties.routine))))
    return failure();
  return readSegmentsArray(reader, properties.operandSegmentSizes);
}

void LibraryOp::writeProperties(DialectBytecodeWriter &writer) {
  const Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.domains);
  writer.writeOptionalAttribute(properties.inline_at);
  writer.writeOptionalAttribute(properties.memory);
  writeSegmentsAttribute(writer, getContext(), properties.operandSegmentSizes);
  writer.writeOptionalAttribute(properties.options);
  writer.writeAttribute(properties.routine);
  writeSegmentsArray(writer, properties.operandSegmentSizes);
}

//===----------------------------------------------------------------------===//
// library_call
//===----------------------------------------------------------------------===//

LogicalResult LibraryCallOp::readProperties(DialectBytecodeReader &reader, OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  bool isOld = hasCallee(reader);
  if ((isOld && failed(reader.readAttribute(properties.routine))) ||
      failed(readSegmentsAttribute(reader, properties.operandSegmentSizes)) ||
      failed(reader.readOptionalAttribute(properties.options)) ||
      (!isOld && failed(reader.readAttribute(properties.routine))))
    return failure();
  return readSegmentsArray(reader, properties.operandSegmentSizes);
}

void LibraryCallOp::writeProperties(DialectBytecodeWriter &writer) {
  const Properties &properties = getProperties();
  writeSegmentsAttribute(writer, getContext(), properties.operandSegmentSizes);
  writer.writeOptionalAttribute(properties.options);
  writer.writeAttribute(properties.routine);
  writeSegmentsArray(writer, properties.operandSegmentSizes);
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

LogicalResult ReshapeOp::readProperties(DialectBytecodeReader &reader, OperationState &state) {
  auto &properties = state.getOrAddProperties<Properties>();
  bool hasGroups = !isBefore(reader, BytecodeVersion(1, 1));
  return success(succeeded(reader.readOptionalAttribute(properties.domains)) &&
                 (!hasGroups || succeeded(reader.readOptionalAttribute(properties.from))) &&
                 succeeded(reader.readOptionalAttribute(properties.inline_at)) &&
                 succeeded(reader.readOptionalAttribute(properties.memory)) &&
                 (!hasGroups || succeeded(reader.readOptionalAttribute(properties.to))));
}

void ReshapeOp::writeProperties(DialectBytecodeWriter &writer) {
  const Properties &properties = getProperties();
  writer.writeOptionalAttribute(properties.domains);
  writer.writeOptionalAttribute(properties.from);
  writer.writeOptionalAttribute(properties.inline_at);
  writer.writeOptionalAttribute(properties.memory);
  writer.writeOptionalAttribute(properties.to);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

LogicalResult fuser::detail::readScanProperties(DialectBytecodeReader &reader,
                                                const ScanProperties &properties) {
  bool hasDirection = !isBefore(reader, BytecodeVersion(1, 2));
  return success(succeeded(reader.readAttribute(properties.dim)) &&
                 succeeded(reader.readOptionalAttribute(properties.domains)) &&
                 (!hasDirection || succeeded(reader.readOptionalAttribute(properties.exclusive))) &&
                 succeeded(reader.readOptionalAttribute(properties.inlineAt)) &&
                 succeeded(reader.readOptionalAttribute(properties.memory)) &&
                 (!hasDirection || succeeded(reader.readOptionalAttribute(properties.reverse))));
}

void fuser::detail::writeScanProperties(DialectBytecodeWriter &writer,
                                        const ScanProperties &properties) {
  writer.writeAttribute(properties.dim);
  writer.writeOptionalAttribute(properties.domains);
  writer.writeOptionalAttribute(properties.exclusive);
  writer.writeOptionalAttribute(properties.inlineAt);
  writer.writeOptionalAttribute(properties.memory);
  writer.writeOptionalAttribute(properties.reverse);
}
