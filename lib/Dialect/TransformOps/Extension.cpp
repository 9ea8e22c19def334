//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The extension itself: registers the ops and their schedulers.
//
//===----------------------------------------------------------------------===//

// The packaged LLVM is built without assertions, so that it lacks the checks that this header calls
// if assertions are enabled.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define NDEBUG
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#pragma pop_macro("NDEBUG")

#include "Schedulers.h"
#include "fuser/Dialect/TransformOps/TransformOps.h"
#include "fuser/Scheduling/ScheduleDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fuser;

namespace {
/// The schedulers, kept in the transform dialect of a context.
class SchedulerData : public transform::TransformDialectData<SchedulerData> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SchedulerData)
  explicit SchedulerData(MLIRContext *context) : TransformDialectData(context) {}

  std::shared_ptr<const SchedulerRegistry> schedulers;
};

class FuserExtension : public transform::TransformDialectExtension<FuserExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuserExtension)

  explicit FuserExtension(std::shared_ptr<const SchedulerRegistry> schedulers) {
    addDialectDataInitializer<SchedulerData>(
        [schedulers = std::move(schedulers)](SchedulerData &data) {
          data.schedulers = schedulers;
        });
  }

  /// Called by the base's constructor.
  void init() {
    declareDependentDialect<FuserDialect>();
    declareDependentDialect<FuserSchedDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "fuser/Dialect/TransformOps/TransformOps.cpp.inc"
        >();
  }
};
} // namespace

void fuser::registerTransformOps(DialectRegistry &dialects,
                                 std::shared_ptr<const SchedulerRegistry> schedulers) {
  dialects.insert<transform::TransformDialect>();
  dialects.addExtension(TypeID::get<FuserExtension>(),
                        std::make_unique<FuserExtension>(std::move(schedulers)));
}

const SchedulerRegistry &transform_ops::getSchedulers(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<transform::TransformDialect>();
  return *dialect->getExtraData<SchedulerData>().schedulers;
}

//===----------------------------------------------------------------------===//
// Keywords
//===----------------------------------------------------------------------===//

/// Converts a keyword of an enumeration to the number that the attribute holds.
template <typename EnumT>
static ParseResult parseKeyword(OpAsmParser &parser, IntegerAttr &attribute, StringRef what,
                                std::optional<EnumT> (*symbolize)(StringRef)) {
  llvm::SMLoc location = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<EnumT> value = symbolize(keyword);
  if (!value)
    return parser.emitError(location) << "expected " << what << ", but got '" << keyword << "'";
  attribute = parser.getBuilder().getI32IntegerAttr(static_cast<int32_t>(*value));
  return success();
}

static ParseResult parseParallelType(OpAsmParser &parser, IntegerAttr &attribute) {
  return parseKeyword<ParallelType>(parser, attribute, "a parallel type", symbolizeParallelType);
}

static void printParallelType(OpAsmPrinter &printer, Operation *, IntegerAttr attribute) {
  printer << stringifyParallelType(static_cast<ParallelType>(attribute.getInt()));
}

static ParseResult parseMemoryType(OpAsmParser &parser, IntegerAttr &attribute) {
  return parseKeyword<MemoryType>(parser, attribute, "a memory type", symbolizeMemoryType);
}

static void printMemoryType(OpAsmPrinter &printer, Operation *, IntegerAttr attribute) {
  printer << stringifyMemoryType(static_cast<MemoryType>(attribute.getInt()));
}

#define GET_OP_CLASSES
#include "fuser/Dialect/TransformOps/TransformOps.cpp.inc"
