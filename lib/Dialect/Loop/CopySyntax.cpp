//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The text of the ops that wait for copies, and of roles.
//
//===----------------------------------------------------------------------===//

#include "ExprSyntax.h"

using namespace mlir;
using namespace fuser::loop;

//===----------------------------------------------------------------------===//
// Stages of circular buffers
//===----------------------------------------------------------------------===//

namespace {
/// Buffers, barriers, the barrier of a stage and, of waits, its phase and when it is waited for.
struct ParsedUse {
  SmallVector<OpAsmParser::UnresolvedOperand> buffers;
  OpAsmParser::UnresolvedOperand barriers;
  SmallVector<AffineExpr, 2> use;
  ParsedConstraints guard;
};
} // namespace

/// buffers `of` barriers `[` place `]` (`phase` `(` phase `)`)? (`if` guard)? attributes `:` types
/// `of` type
template <typename Op>
static ParseResult parseUse(OpAsmParser &parser, OperationState &result, bool hasPhase,
                            bool hasGuard) {
  ExprParser exprs(parser);
  ParsedUse parsed;
  if (parser.parseOperandList(parsed.buffers) || parser.parseKeyword("of") ||
      parser.parseOperand(parsed.barriers) || parser.parseLSquare() ||
      exprs.parseExpr(parsed.use.emplace_back()) || parser.parseRSquare())
    return failure();
  if (hasPhase && (parser.parseKeyword("phase") || parser.parseLParen() ||
                   exprs.parseExpr(parsed.use.emplace_back()) || parser.parseRParen()))
    return failure();
  if (hasGuard && exprs.parseOptionalGuard("if", parsed.guard))
    return failure();
  SmallVector<Type> types;
  Type barrierType;
  if (parser.parseOptionalAttrDict(result.attributes) || parser.parseColonTypeList(types) ||
      parser.parseKeyword("of") || parser.parseType(barrierType) ||
      parser.resolveOperands(parsed.buffers, types, parser.getNameLoc(), result.operands) ||
      parser.resolveOperand(parsed.barriers, barrierType, result.operands) ||
      exprs.resolve(result.operands))
    return failure();
  auto &properties = result.getOrAddProperties<typename Op::Properties>();
  properties.use = AffineMapAttr::get(exprs.getMap(parsed.use));
  if constexpr (std::is_same_v<Op, AcquireOp>)
    properties.guard = exprs.getConstraints(parsed.guard);
  const int32_t numBuffers = parsed.buffers.size();
  llvm::copy(ArrayRef<int32_t>{numBuffers, 1, int32_t(result.operands.size()) - numBuffers - 1},
             properties.operandSegmentSizes.begin());
  return success();
}

template <typename Op>
static void printUse(OpAsmPrinter &printer, Op op, ConstraintsAttr guard = {}) {
  ExprPrinter exprs(printer, op.getIndices(), op.getUse().getNumDims());
  printer << " ";
  printer.printOperands(op.getBuffers());
  printer << " of " << op.getBarriers() << "[";
  exprs.printExpr(op.getPlace());
  printer << "]";
  if (op.getUse().getNumResults() > 1) {
    printer << " phase (";
    exprs.printExpr(op.getUse().getResult(1));
    printer << ")";
  }
  if (guard)
    exprs.printOptionalGuard("if", guard);
  printer.printOptionalAttrDict(op->getAttrs(), {"use", "guard", "operandSegmentSizes"});
  printer << " : ";
  llvm::interleaveComma(op.getBuffers().getTypes(), printer);
  printer << " of " << op.getBarriers().getType();
}

ParseResult WaitPhaseOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseUse<WaitPhaseOp>(parser, result, /*hasPhase=*/true, /*hasGuard=*/false);
}

void WaitPhaseOp::print(OpAsmPrinter &printer) { printUse(printer, *this); }

ParseResult AcquireOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseUse<AcquireOp>(parser, result, /*hasPhase=*/true, /*hasGuard=*/true);
}

void AcquireOp::print(OpAsmPrinter &printer) { printUse(printer, *this, getGuard()); }

ParseResult ReleaseOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseUse<ReleaseOp>(parser, result, /*hasPhase=*/false, /*hasGuard=*/false);
}

void ReleaseOp::print(OpAsmPrinter &printer) { printUse(printer, *this); }

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// `registers N`, if it is there.
static ParseResult parseRegisters(OpAsmParser &parser, IntegerAttr &registers) {
  if (failed(parser.parseOptionalKeyword("registers")))
    return success();
  int64_t count;
  if (parser.parseInteger(count))
    return failure();
  registers = parser.getBuilder().getI64IntegerAttr(count);
  return success();
}

static void printRegisters(OpAsmPrinter &printer, std::optional<uint64_t> registers) {
  if (registers)
    printer << " registers " << int64_t(*registers);
}

ParseResult RolesOp::parse(OpAsmParser &parser, OperationState &result) {
  int64_t threads;
  Properties &properties = result.getOrAddProperties<Properties>();
  if (parser.parseKeyword("producers") || parser.parseInteger(threads) ||
      parseRegisters(parser, properties.producerRegisters) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.threads = parser.getBuilder().getI64IntegerAttr(threads);
  Region *producers = result.addRegion(), *consumers = result.addRegion();
  return failure(parseBody(parser, *producers) || parser.parseKeyword("consumers") ||
                 parseRegisters(parser, properties.consumerRegisters) ||
                 parseBody(parser, *consumers));
}

void RolesOp::print(OpAsmPrinter &printer) {
  printer << " producers " << int64_t(getThreads());
  printRegisters(printer, getProducerRegisters());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"threads", "producerRegisters", "consumerRegisters"});
  printBody(printer, getProducers());
  printer << " consumers";
  printRegisters(printer, getConsumerRegisters());
  printBody(printer, getConsumers());
}
