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

// Tools that watch stacks must be told about every switch.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUSER_ASAN_FIBERS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FUSER_ASAN_FIBERS 1
#endif

/// Saves the registers that a callee keeps on the running stack, the stack pointer through `save`,
/// and goes on with what another call saved at `stackPointer`.
extern "C" void fuser_host_switch(void **save, void *stackPointer);

namespace fuser::runtime::host {

/// The memory of one stack: [bottom, bottom + bytes), growing down.
struct StackMemory {
  char *bottom = nullptr;
  size_t bytes = 0;
};

/// A flow of control that is not running: its registers lie on its own stack.
struct Continuation {
  void *stackPointer = nullptr;
#ifdef FUSER_ASAN_FIBERS
  StackMemory stack;
#endif
};

/// Makes `target` a call of `function(argument)` on the empty stack `stack`, whose first use begins
/// `offset` bytes (a multiple of 16) below its end. The function must not return.
void prepare(Continuation &target, StackMemory stack, size_t offset, void (*function)(void *),
             void *argument);

#ifdef FUSER_ASAN_FIBERS

void switchTo(Continuation &from, Continuation &to);
[[noreturn]] void leaveTo(Continuation &to);
void arrived();

#else

/// Saves the running flow in `from` and continues `to`; returns when somebody continues `from`.
inline void switchTo(Continuation &from, Continuation &to) {
  fuser_host_switch(&from.stackPointer, to.stackPointer);
}

/// Continues `to` and forgets the running flow.
[[noreturn]] inline void leaveTo(Continuation &to) {
  void *forgotten = nullptr;
  fuser_host_switch(&forgotten, to.stackPointer);
  __builtin_unreachable();
}

/// To be called first by a function that `prepare` was given.
inline void arrived() {}

#endif

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_CONTEXTSWITCH_H
