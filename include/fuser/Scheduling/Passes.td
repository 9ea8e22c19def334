//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//

#ifndef FUSER_SCHEDULING_PASSES_TD
#define FUSER_SCHEDULING_PASSES_TD

include "mlir/Pass/PassBase.td"

def FuserChooseSchedules : Pass<"fuser-choose-schedules", "::mlir::ModuleOp"> {
  // Needs a registry: see createChooseSchedulesPass.
  let constructor = "nullptr";
  let summary = "chooses a scheduler and its parameters for every kernel";
  let description = [{
    Asks the schedulers of the registry whether they accept each `fuser.kernel`, and writes the parameters of the one with
    the least predicted time to `schedule`, and what they rely on to the kernel's `facts`. Of times within 5 % of the
    least, the first in the order of the registry wins; fallbacks are asked where no other scheduler accepts. A kernel
    that has a `schedule` already, or whose ops carry loop domains already, keeps it. Each refusal is a remark with its
    code (of a kernel that some scheduler takes, those with a specific reason); where several take a kernel, a remark
    gives their times. A kernel that no scheduler accepts is an error.

    An embedder may pass a library of schedules (`ScheduleLibrary`, what `fuser-tune` writes): a kernel that equals one of
    its entries gets the parameters of the entry, and no scheduler chooses.

    Of kernels that only launches of batches (`fuser_sched.batch`) execute and that have equal code afterwards, one stays,
    which all of these launches execute.

    `only` names the one scheduler to ask, for tests and experiments with it; without it, the attribute `fuser_sched.only`
    of a kernel does for that kernel.

    `sizes` gives the sizes to choose for: those of one argument separated by commas, arguments separated by semicolons,
    for an integer its value or nothing, for another scalar nothing, `?` for a size that is not known:
    `sizes=16384,5002;5002;`. Without it the attribute `fuser_sched.sizes` of the kernel counts, and without that sizes
    are taken to be large and divisible by 16. Every pointer is taken to be aligned to 16 bytes unless a fact says less.
    What the parameters need of these becomes a fact, so that a call that does not satisfy it is told apart.

    ```mlir
    // before: fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> {
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> attributes {
        facts = [#fuser.fact<divisible 0[0], 4>, #fuser.fact<aligned 0, 16>, #fuser.fact<aligned 1, 16>],
        schedule = #fuser_sched.pointwise<vector = 4>} {
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90\"", "device to choose for: a name or a chip, e.g. h200, sm_90">,
    Option<"sizes", "sizes", "std::string", "\"\"", "sizes of the arguments to choose for, in elements">,
    Option<"explain", "explain", "bool", "true", "emit a remark for each refusal">,
    Option<"only", "only", "std::string", "\"\"", "name of the only scheduler to ask, e.g. pointwise; empty: all">,
  ];
  let statistics = [
    Statistic<"numChosen", "kernels scheduled", "kernels that got parameters">,
    Statistic<"numKept", "kernels kept", "kernels that had a schedule">,
    Statistic<"numReused", "schedules reused", "kernels whose parameters segmentation had already chosen">,
    Statistic<"numTuned", "kernels tuned", "kernels that got the parameters of a library of schedules">,
    Statistic<"numShared", "kernels shared", "kernels of a batch that were equal to another one">,
  ];
}

def FuserApplySchedules : Pass<"fuser-apply-schedules", "::mlir::ModuleOp"> {
  // Needs a registry: see createApplySchedulesPass.
  let constructor = "nullptr";
  let summary = "turns the parameters on every kernel into loop domains on its ops";
  let description = [{
    Lets the scheduler that the `schedule` of each `fuser.kernel` names put loop domains, parallel types, memory types and
    inline positions on the kernel's ops; `schedule` stays as a record. A kernel without `schedule`, or whose ops carry
    loop domains already, is left as it is. Parameters that do not fit the kernel are an error.

    ```mlir
    fuser.kernel @k(%x: tensor<?xf32>) -> tensor<?xf32> attributes {schedule = #fuser_sched.single_op<threads = 128>} {
      %0 = fuser.set %x {domains = [#fuser.domain<logical = [i0], split(i0, 128) -> (i1, i2),
          loop = [i1 @block_x, i2 @thread_x], allocation = [i0]>], memory = #fuser.memory<global>} : tensor<?xf32>
    ```
  }];
  let statistics = [
    Statistic<"numApplied", "kernels applied", "kernels whose ops got loop domains">,
    Statistic<"numReused", "schedules reused", "kernels that segmentation had already scheduled">,
  ];
}

#endif // FUSER_SCHEDULING_PASSES_TD
