//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef FUSER_SCHEDULING_SCHEDULERS_SINGLEOP_TD
#define FUSER_SCHEDULING_SCHEDULERS_SINGLEOP_TD

include "fuser/Scheduling/ScheduleAttrs.td"

def FuserSched_SingleOpAttr : FuserSched_ParamsAttr<"SingleOpParams", "single_op", [{
    ::llvm::LogicalResult $cppClass::verify(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, int64_t threads) {
      return checkRange(emitError, "threads", threads, 1, 1024);
    }
}]> {
  let summary = "one op, one element of the result per thread";
  let description = [{
    The fallback: every dimension of the result is merged and cut into blocks of `threads`; reductions are loops of a
    thread.

    | parameter | default | range |
    |---|---|---|
    | `threads` | 128 | 1 to 1024 |

    ```mlir
    #fuser_sched.single_op<threads = 128>
    ```
  }];
  let parameters = (ins FuserSched_Int<"128", "threads of a block">:$threads);
}

#endif // FUSER_SCHEDULING_SCHEDULERS_SINGLEOP_TD
