//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Switching between stacks within one CPU thread.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_LIB_RUNTIME_HOST_CONTEXTSWITCH_H
#define FUSER_LIB_RUNTIME_HOST_CONTEXTSWITCH_H

#include <cstddef>

namespace fuser::runtime::host {

/// The memory of one stack: [bottom, bottom + bytes), growing down.
struct StackMemory {
  char *bottom = nullptr;
  size_t bytes = 0;
};

/// A flow of control that is not running: its registers lie on its own stack.
struct Continuation {
  void *stackPointer = nullptr;
  /// Known for stacks that `prepare` was called on; for tools that watch stacks.
  StackMemory stack;
};

/// Makes `target` a call of `function(argument)` on the empty stack `stack`, whose first use begins
/// `offset` bytes (a multiple of 16) below its end. The function must not return.
void prepare(Continuation &target, StackMemory stack, size_t offset, void (*function)(void *),
             void *argument);

/// Saves the running flow in `from` and continues `to`; returns when somebody continues `from`.
void switchTo(Continuation &from, Continuation &to);

/// Continues `to` and forgets the running flow.
[[noreturn]] void leaveTo(Continuation &to);

/// To be called first by a function that `prepare` was given.
void arrived();

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_CONTEXTSWITCH_H
