//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One parameter of a schedule, as its attribute describes it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULEPARAMETER_H
#define FUSER_SCHEDULING_SCHEDULEPARAMETER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace fuser {

struct ScheduleParameter {
  /// How a parameter is varied.
  enum class Kind {
    /// A size or a factor: it is halved and doubled.
    Factor,
    /// A number of things: one more, one less.
    Count,
    /// 0 or 1.
    Flag,
    /// It follows from the kernel (an enum): it is not varied.
    Fixed,
  };

  /// As in the text. Refers to a literal.
  llvm::StringRef name;
  Kind kind = Kind::Factor;
  int64_t value = 0;
};

} // namespace fuser

#endif // FUSER_SCHEDULING_SCHEDULEPARAMETER_H
