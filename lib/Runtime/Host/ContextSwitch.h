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
#include <memory>

// Sanitizers that track stacks must be notified of every switch.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FUSER_ASAN_FIBERS 1
#elif __has_feature(thread_sanitizer)
#define FUSER_TSAN_FIBERS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define FUSER_ASAN_FIBERS 1
#endif

/// Saves the callee-saved registers on the running stack and the stack pointer in `save`, and
/// resumes the state that another call saved at `stackPointer`.
extern "C" void fuser_host_switch(void **save, void *stackPointer);

namespace fuser::runtime::host {

/// The memory of one stack: [bottom, bottom + bytes), growing down.
struct StackMemory {
  char *bottom = nullptr;
  size_t bytes = 0;
};

/// A suspended flow of control: its registers are on its own stack.
struct Continuation {
  void *stackPointer = nullptr;
#ifdef FUSER_ASAN_FIBERS
  StackMemory stack;
#endif
#ifdef FUSER_TSAN_FIBERS
  /// What the sanitizer knows of the flow; owned unless it is a CPU thread of its own.
  std::unique_ptr<void, void (*)(void *)> fiber{nullptr, [](void *) {}};
#endif
};

/// Prepares `target` as a call of `function(argument)` on the empty stack `stack`, starting
/// `offset` bytes (a multiple of 16) below its end. The function must not return.
void prepare(Continuation &target, StackMemory stack, size_t offset, void (*function)(void *),
             void *argument);

#if defined(FUSER_ASAN_FIBERS) || defined(FUSER_TSAN_FIBERS)

void switchTo(Continuation &from, Continuation &to);
[[noreturn]] void leaveTo(Continuation &to);
void arrived();

#else

/// Saves the running flow in `from` and resumes `to`; returns when `from` is resumed.
inline void switchTo(Continuation &from, Continuation &to) {
  fuser_host_switch(&from.stackPointer, to.stackPointer);
}

/// Resumes `to` and discards the running flow.
[[noreturn]] inline void leaveTo(Continuation &to) {
  void *forgotten = nullptr;
  fuser_host_switch(&forgotten, to.stackPointer);
  __builtin_unreachable();
}

/// Must be the first call in a function passed to `prepare`.
inline void arrived() {}

#endif

} // namespace fuser::runtime::host

#endif // FUSER_LIB_RUNTIME_HOST_CONTEXTSWITCH_H
