//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ContextSwitch.h"

#include <cstdint>

#ifdef FUSER_ASAN_FIBERS
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef FUSER_TSAN_FIBERS
#include <sanitizer/tsan_interface.h>
#endif

// fuser_host_begin is where a prepared stack "returns" to: it calls function(argument).
// The floating-point control words are not switched: neither kernels nor the scheduler write them.
extern "C" void fuser_host_begin();

#if defined(__x86_64__)

asm(R"(
  .text
  .p2align 4
  .globl fuser_host_switch
  .hidden fuser_host_switch
  .type fuser_host_switch, @function
fuser_host_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size fuser_host_switch, .-fuser_host_switch

  .p2align 4
  .globl fuser_host_begin
  .hidden fuser_host_begin
  .type fuser_host_begin, @function
fuser_host_begin:
  .cfi_startproc
  .cfi_undefined rip
  movq %rbx, %rdi
  callq *%r12
  ud2
  .cfi_endproc
  .size fuser_host_begin, .-fuser_host_begin
)");

namespace {
/// What fuser_host_switch pops, lowest address first.
struct SavedRegisters {
  uint64_t r15, r14, r13, r12, rbx, rbp, returnAddress, padding;
};
void *pushBegin(char *top, void (*function)(void *), void *argument) {
  auto *saved = reinterpret_cast<SavedRegisters *>(top) - 1;
  *saved = {};
  saved->r12 = reinterpret_cast<uint64_t>(function);
  saved->rbx = reinterpret_cast<uint64_t>(argument);
  saved->returnAddress = reinterpret_cast<uint64_t>(&fuser_host_begin);
  return saved;
}
// Popping the return address leaves the stack at `top - 8`; the stack must be a multiple of 16
// before a call, so one more word is skipped.
constexpr size_t kAlignmentSlack = 8;
} // namespace

#elif defined(__aarch64__)

asm(R"(
  .text
  .p2align 4
  .globl fuser_host_switch
  .hidden fuser_host_switch
  .type fuser_host_switch, %function
fuser_host_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
  .size fuser_host_switch, .-fuser_host_switch

  .p2align 4
  .globl fuser_host_begin
  .hidden fuser_host_begin
  .type fuser_host_begin, %function
fuser_host_begin:
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x19
  blr x20
  brk #0
  .cfi_endproc
  .size fuser_host_begin, .-fuser_host_begin
)");

namespace {
/// What fuser_host_switch loads, lowest address first.
struct SavedRegisters {
  uint64_t x19, x20, x21to28[8], x29, x30, d8to15[8];
};
void *pushBegin(char *top, void (*function)(void *), void *argument) {
  auto *saved = reinterpret_cast<SavedRegisters *>(top) - 1;
  *saved = {};
  saved->x19 = reinterpret_cast<uint64_t>(argument);
  saved->x20 = reinterpret_cast<uint64_t>(function);
  saved->x30 = reinterpret_cast<uint64_t>(&fuser_host_begin);
  return saved;
}
constexpr size_t kAlignmentSlack = 0;
} // namespace

#else
#error "the host device knows how to switch stacks on x86-64 and AArch64 only"
#endif

namespace fuser::runtime::host {

void prepare(Continuation &target, StackMemory stack, size_t offset, void (*function)(void *),
             void *argument) {
  char *top = stack.bottom + stack.bytes - offset - kAlignmentSlack;
#ifdef FUSER_ASAN_FIBERS
  target.stack = stack;
#endif
#ifdef FUSER_TSAN_FIBERS
  // Whatever ran here before has left for good.
  target.fiber = {__tsan_create_fiber(0), __tsan_destroy_fiber};
#endif
  target.stackPointer = pushBegin(top, function, argument);
}

#ifdef FUSER_ASAN_FIBERS

/// The stack that the system allocated for the running CPU thread.
static StackMemory nativeStack() {
  pthread_attr_t attributes;
  void *bottom = nullptr;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &bottom, &bytes);
    pthread_attr_destroy(&attributes);
  }
  return {static_cast<char *>(bottom), bytes};
}

void switchTo(Continuation &from, Continuation &to) {
  if (!from.stack.bottom)
    from.stack = nativeStack();
  void *fakeStack = nullptr;
  __sanitizer_start_switch_fiber(&fakeStack, to.stack.bottom, to.stack.bytes);
  fuser_host_switch(&from.stackPointer, to.stackPointer);
  __sanitizer_finish_switch_fiber(fakeStack, nullptr, nullptr);
}

// Not instrumented: its local would lie on the fake stack that the first call gives up.
__attribute__((no_sanitize("address"))) void leaveTo(Continuation &to) {
  void *forgotten = nullptr;
  __sanitizer_start_switch_fiber(nullptr, to.stack.bottom, to.stack.bytes);
  fuser_host_switch(&forgotten, to.stackPointer);
  __builtin_unreachable();
}

void arrived() { __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr); }

#endif

#ifdef FUSER_TSAN_FIBERS

// Not instrumented: a function that was entered in one flow would be left in another.
__attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation)) void
switchTo(Continuation &from, Continuation &to) {
  if (!from.fiber)
    from.fiber.reset(__tsan_get_current_fiber());
  __tsan_switch_to_fiber(to.fiber.get(), 0);
  fuser_host_switch(&from.stackPointer, to.stackPointer);
}

__attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation)) void
leaveTo(Continuation &to) {
  void *forgotten = nullptr;
  __tsan_switch_to_fiber(to.fiber.get(), 0);
  fuser_host_switch(&forgotten, to.stackPointer);
  __builtin_unreachable();
}

void arrived() {}

#endif

} // namespace fuser::runtime::host
