//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Independent tasks in several threads, for the compiler and for the runtime.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_THREADS_PARALLELFOR_H
#define FUSER_THREADS_PARALLELFOR_H

#include <cstddef>
#include <functional>

namespace fuser {

/// The number of threads that parallelFor uses for `count` tasks if at most `threads` may be used
/// (0: one per processor that this process may use). At least 1.
unsigned getNumThreads(unsigned threads, size_t count);

/// Calls `task` with the numbers 0 to `count` - 1, in up to `threads` threads (0: one per
/// processor), of which the caller's is one. The threads exist only during the call; where the
/// system provides fewer, there are fewer. Tasks start in the order of their numbers; after a task
/// has returned false, no other one starts. Returns once all started tasks have ended: true if
/// every task was started and returned true.
///
/// So if a task fails, every task with a smaller number has run, and the first failure in the order
/// of the numbers is the same with any number of threads.
bool parallelFor(unsigned threads, size_t count, const std::function<bool(size_t)> &task);

} // namespace fuser

#endif // FUSER_THREADS_PARALLELFOR_H
