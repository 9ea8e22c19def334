//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The dialect of schedule parameters. Everything here can be written by hand; parameters that are left out have the value
// shown in the description.

#ifndef FUSER_SCHEDULING_SCHEDULEATTRS_TD
#define FUSER_SCHEDULING_SCHEDULEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "fuser/Scheduling/ScheduleInterfaces.td"

def FuserSched_Dialect : Dialect {
  let name = "fuser_sched";
  let cppNamespace = "::fuser";
  let summary = "Parameters of schedules";
  let description = [{
    Typed attributes for `schedule` of a `fuser.kernel`: `fuser-choose-schedules` writes them, `fuser-apply-schedules`
    reads them. The dialect has no ops. It owns discardable attributes of `fuser.fusion`, `fuser.kernel`, `fuser.host` and
    `fuser.launch`:

    | attribute | meaning |
    |---|---|
    | `fuser_sched.one_kernel` | of a `fuser.fusion`: `unit`; the whole of it is one kernel, which no scheduler has to accept: a script schedules it |
    | `fuser_sched.sizes` | one element for each argument: `array<i64: 16384, 5002>` (-1: not known) or `unit`; sizes to choose for where the command line gives none |
    | `fuser_sched.decision` | what `fuser-segment-fusions=explain=true` noted of a segment: `scheduler`, predicted `microseconds`, and why it does not compute what it `reads` of others; nothing depends on it |
    | `fuser_sched.only` | name of the one scheduler that `fuser-choose-schedules` asks: segmentation found that the schedule of a faster one cannot be lowered |
    | `fuser_sched.settled` | the kernel reads or writes a buffer whose order `fuser-settle-boundaries` changed, so that what segmentation predicted does not apply; nothing depends on it |
    | `fuser_sched.copy` | the kernel was a `fuser.copy` that changes the layout: no segment computes it; nothing depends on it |
    | `fuser_sched.batch` | of a `fuser.launch`: `0 : i64`, the number of the batch that `fuser-merge-launches` makes one launch of (`LaunchBatch.h`); without it, it is a launch of its own |
    | `fuser_sched.fallbacks` | of a `fuser.host`: one sentence for each kernel that segmentation split or rescheduled for that reason; nothing depends on it |
    | `fuser_sched.tuned` | of a `fuser.kernel`: `unit`; its parameters are those of a file of schedules (`fuser-tune`); nothing depends on it |
    | `fuser_sched.device` | of the module of such a file: name of the device that its schedules are for |
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral kSizes = "fuser_sched.sizes";
    static constexpr ::llvm::StringLiteral kDecision = "fuser_sched.decision";
    static constexpr ::llvm::StringLiteral kOnly = "fuser_sched.only";
    static constexpr ::llvm::StringLiteral kSettled = "fuser_sched.settled";
    static constexpr ::llvm::StringLiteral kCopy = "fuser_sched.copy";
    static constexpr ::llvm::StringLiteral kFallbacks = "fuser_sched.fallbacks";
    static constexpr ::llvm::StringLiteral kTuned = "fuser_sched.tuned";
    static constexpr ::llvm::StringLiteral kDevice = "fuser_sched.device";
    void registerAttributes();
  }];
}

class FuserSched_Int<string value, string summary> : DefaultValuedParameter<"int64_t", value, summary>;
/// An integer that counts something, such as dimensions: next to it are one less and one more, not half and twice of it.
class FuserSched_Count<string value, string summary> : FuserSched_Int<value, summary>;
class FuserSched_Bool<string value, string summary> : DefaultValuedParameter<"bool", value, summary>;

/// The parameters of one scheduler; the mnemonic is its name. `verifier` defines $cppClass::verify; it
/// may call checkRange, checkPowerOfTwo, checkVector and checkBlock of ScheduleDialect.cpp.
class FuserSched_ParamsAttr<string name, string attrMnemonic, code verifier> : AttrDef<FuserSched_Dialect, name,
    [DeclareAttrInterfaceMethods<FuserSched_ScheduleParamsInterface, ["getParameters", "withValues"]>]> {
  let mnemonic = attrMnemonic;
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  // One entry for each of `parameters`: its name, and whether it counts something.
  string described = !interleave(!foreach(i, !range(!size(parameters)), "{\"" # !getdagname(parameters, i) # "\", " #
      !if(!isa<FuserSched_Count>(!getdagarg<AttrOrTypeParameter>(parameters, i)), "true", "false") # "}"), ", ");
  let extraClassDefinition = [{
    ::llvm::StringRef $cppClass::getSchedulerName() const { return "}] # attrMnemonic # [{"; }
    ::llvm::SmallVector<::fuser::ScheduleParameter> $cppClass::getParameters() const {
      return describeParameters(getImpl()->getAsKey(), }] # "{{" # described # "}}" # [{);
    }
    ::fuser::ScheduleParamsInterface $cppClass::withValues(
        ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError, ::llvm::ArrayRef<int64_t> values) const {
      return getWithValues<$cppClass>(emitError, getContext(), getImpl()->getAsKey(), values);
    }
  }] # verifier;
}

#endif // FUSER_SCHEDULING_SCHEDULEATTRS_TD
