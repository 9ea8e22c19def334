//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect `fuser_sched` and the ranges of its parameters.
//
//===----------------------------------------------------------------------===//

#include "fuser/Scheduling/ScheduleDialect.h"
#include "fuser/Support/DialectBytecode.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <tuple>

using namespace mlir;
using namespace fuser;

#include "fuser/Scheduling/ScheduleDialect.cpp.inc"
#include "fuser/Scheduling/ScheduleEnums.cpp.inc"
#include "fuser/Scheduling/ScheduleInterfaces.cpp.inc"

// Helpers of the verifiers of the parameters (Schedulers/*.td).
using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult checkRange(EmitError emitError, StringRef name, int64_t value, int64_t low,
                                int64_t high) {
  if (value >= low && value <= high)
    return success();
  return emitError() << "expected '" << name << "' between " << low << " and " << high
                     << ", but got " << value;
}

static LogicalResult checkPowerOfTwo(EmitError emitError, StringRef name, int64_t value,
                                     int64_t low, int64_t high) {
  if (failed(checkRange(emitError, name, value, low, high)))
    return failure();
  if (llvm::isPowerOf2_64(value))
    return success();
  return emitError() << "expected '" << name << "' to be a power of two, but got " << value;
}

static LogicalResult checkVector(EmitError emitError, StringRef name, int64_t vector) {
  return checkPowerOfTwo(emitError, name, vector, 1, 16);
}

/// A block has at most 1024 threads.
static LogicalResult checkBlock(EmitError emitError, StringRef first, int64_t a, StringRef second,
                                int64_t b) {
  if (a * b <= 1024)
    return success();
  return emitError() << "expected '" << first << "' x '" << second
                     << "' to be at most 1024 threads, but got " << a << " x " << b;
}

/// Blocks of the outer pattern share whole rows, and a block alone shares nothing.
static LogicalResult checkRowSplits(EmitError emitError, bool isInner, int64_t splits,
                                    bool splitRows) {
  if (!splitRows || (isInner && splits > 1))
    return success();
  return emitError() << "expected 'split_rows' only with pattern 'inner' and 'splits' above 1";
}

// What the attributes of parameters know of themselves: the fields of their storage, in order.
namespace {
struct ParameterName {
  StringRef name;
  bool isCount;
};
} // namespace

template <typename Field>
static ScheduleParameter describe(const ParameterName &name, Field value) {
  using Kind = ScheduleParameter::Kind;
  Kind kind = std::is_same_v<Field, bool> ? Kind::Flag
              : std::is_enum_v<Field>     ? Kind::Fixed
              : name.isCount              ? Kind::Count
                                          : Kind::Factor;
  return {name.name, kind, static_cast<int64_t>(value)};
}

template <typename... Fields>
static SmallVector<ScheduleParameter>
describeParameters(const std::tuple<Fields...> &fields,
                   std::array<ParameterName, sizeof...(Fields)> names) {
  SmallVector<ScheduleParameter> parameters;
  std::apply(
      [&](const auto &...field) {
        (parameters.push_back(describe(names[parameters.size()], field)), ...);
      },
      fields);
  return parameters;
}

template <typename Params, typename... Fields>
static ScheduleParamsInterface getWithValues(EmitError emitError, MLIRContext *context,
                                             std::tuple<Fields...> fields,
                                             ArrayRef<int64_t> values) {
  assert(values.size() == sizeof...(Fields) && "expected a value for each parameter");
  return std::apply(
      [&](auto &...field) {
        const int64_t *value = values.begin();
        ((field = static_cast<Fields>(*value++)), ...);
        return Params::getChecked(emitError, context, field...);
      },
      fields);
}

#define GET_ATTRDEF_CLASSES
#include "fuser/Scheduling/ScheduleAttrs.cpp.inc"

namespace {

/// Version 1.0 is the first; files without a version have the same form.
class ScheduleBytecode : public VersionedBytecode {
public:
  explicit ScheduleBytecode(Dialect *dialect) : VersionedBytecode(dialect, {1, 0}) {}
};

} // namespace

void FuserSchedDialect::initialize() {
  addInterfaces<ScheduleBytecode>();
  registerAttributes();
}

void FuserSchedDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fuser/Scheduling/ScheduleAttrs.cpp.inc"
      >();
}
