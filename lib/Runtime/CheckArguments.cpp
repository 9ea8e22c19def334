//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks whether the arguments of a call fit the compiled fusion. Does not allocate on success.
//
//===----------------------------------------------------------------------===//

#include "ExecutionPlan.h"

#include <string>

namespace fuser::runtime {
namespace {

using artifact::kDynamic;
using artifact::kNotAnArgument;

/// The place that an error message names: "argument 1 (w)".
struct Place {
  const char *what;
  size_t index;
  const std::string &name;
};

std::ostream &operator<<(std::ostream &os, const Place &place) {
  os << place.what << " " << place.index;
  if (!place.name.empty())
    os << " (" << place.name << ")";
  return os;
}

std::string list(const int64_t *values, uint32_t rank) {
  std::string text = "[";
  for (uint32_t i = 0; i < rank; ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

/// Checks that arguments and outputs share.
Status checkTensor(const Place &place, const TensorView &tensor, DType dtype, size_t rank,
                   DeviceId device) {
  if (tensor.dtype != dtype)
    return makeError(ErrorCode::DTypeMismatch, place, ": expected element type ",
                     artifact::toString(dtype), ", but got ", artifact::toString(tensor.dtype));
  if (tensor.rank != rank)
    return makeError(ErrorCode::RankMismatch, place, ": expected rank ", rank, ", but got rank ",
                     tensor.rank);
  if (tensor.device != device)
    return makeError(ErrorCode::DeviceMismatch, place, ": expected data on device ",
                     toString(device), ", but got device ", toString(tensor.device));
  return {};
}

/// `alignment` is a power of two.
Status checkPointer(const Place &place, const TensorView &tensor, uint32_t alignment) {
  auto address = reinterpret_cast<uintptr_t>(tensor.data);
  if (address == 0)
    return makeError(ErrorCode::NullPointer, place, ": expected data, but got a null pointer");
  if ((address & (alignment - 1)) != 0)
    return makeError(ErrorCode::AlignmentMismatch, place, ": expected an address divisible by ",
                     alignment, ", but got one divisible by ", address & (~address + 1));
  return {};
}

/// Strides against the layout facts; the tensor has elements. See ArgumentSpec::contiguous.
Status checkStrides(const Place &place, const ArgumentSpec &spec, const TensorView &tensor) {
  int64_t dense = 1;
  for (size_t position = spec.order.size(); position > 0; --position) {
    uint32_t dim = spec.order[position - 1];
    int64_t stride = tensor.strides[dim], size = tensor.sizes[dim];
    bool contiguous = spec.contiguous[position - 1] != 0;
    if (contiguous && size > 1 && stride != dense)
      return makeError(ErrorCode::StrideMismatch, place, ": expected stride ", dense,
                       " in dimension ", dim, ", but got strides ",
                       list(tensor.strides, tensor.rank), " of sizes ",
                       list(tensor.sizes, tensor.rank));
    if (__builtin_mul_overflow(dense, size, &dense))
      return makeError(ErrorCode::IntegerOverflow, place, ": expected a number of elements ",
                       "that fits 64 bits, but got sizes ", list(tensor.sizes, tensor.rank));
  }
  return {};
}

/// True only for an argument that checkArgument accepts. Takes a few steps over tables in one
/// piece, so that hundreds of arguments cost little; what it does not accept, checkArgument
/// decides.
bool isPlainlyAccepted(const ArgumentCheck &check, const DimCheck *dims,
                       const CallArgument &argument, DeviceId device) {
  if (argument.isTensor != check.isTensor)
    return false;
  if (!check.isTensor)
    return argument.scalar.dtype == check.dtype;
  const TensorView &tensor = argument.tensor;
  if (tensor.dtype != check.dtype || tensor.rank != check.rank || tensor.device != device)
    return false;
  int64_t dense = 1;
  for (uint32_t i = 0; i < check.rank; ++i) {
    const DimCheck &dim = dims[i];
    const int64_t size = tensor.sizes[dim.dim];
    if (size <= 0 || (dim.size != kDynamic && dim.size != size) ||
        (dim.isContiguous && size > 1 && tensor.strides[dim.dim] != dense) ||
        __builtin_mul_overflow(dense, size, &dense))
      return false;
  }
  auto address = reinterpret_cast<uintptr_t>(tensor.data);
  return address != 0 && (address & check.alignmentMask) == 0;
}

Status checkArgument(const Place &place, const ArgumentSpec &spec, const CallArgument &argument,
                     DeviceId device) {
  if (argument.isTensor != spec.isTensor)
    return makeError(ErrorCode::ArgumentKind, place, ": expected a ",
                     spec.isTensor ? "tensor" : "scalar", ", but got a ",
                     argument.isTensor ? "tensor" : "scalar");
  if (!spec.isTensor) {
    if (argument.scalar.dtype != spec.dtype)
      return makeError(ErrorCode::DTypeMismatch, place, ": expected a scalar of type ",
                       artifact::toString(spec.dtype), ", but got ",
                       artifact::toString(argument.scalar.dtype));
    return {};
  }
  const TensorView &tensor = argument.tensor;
  if (Status status = checkTensor(place, tensor, spec.dtype, spec.sizes.size(), device); !status)
    return status;
  bool empty = false;
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    int64_t size = tensor.sizes[dim];
    if (size < 0 || (spec.sizes[dim] != kDynamic && spec.sizes[dim] != size)) {
      std::string wanted =
          spec.sizes[dim] == kDynamic ? "of at least 0" : std::to_string(spec.sizes[dim]);
      return makeError(ErrorCode::SizeMismatch, place, ": expected size ", wanted, " in dimension ",
                       dim, ", but got ", size);
    }
    empty |= size == 0;
  }
  if (empty)
    return {};
  if (Status status = checkStrides(place, spec, tensor); !status)
    return status;
  return checkPointer(place, tensor, spec.alignment);
}

/// Sizes, strides and address of memory for one output. Sets `empty`.
Status checkOutput(const Place &place, const OutputSpec &spec, const TensorView &tensor,
                   const int64_t *values, bool &empty) {
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    int64_t wanted = values[spec.sizes[dim]];
    if (tensor.sizes[dim] != wanted)
      return makeError(ErrorCode::SizeMismatch, place, ": expected size ", wanted, " in dimension ",
                       dim, ", but got ", tensor.sizes[dim]);
    empty |= wanted == 0;
  }
  if (empty)
    return {};
  for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
    int64_t wanted = values[spec.strides[dim]];
    if (tensor.sizes[dim] > 1 && tensor.strides[dim] != wanted)
      return makeError(ErrorCode::StrideMismatch, place, ": expected stride ", wanted,
                       " in dimension ", dim, ", but got strides ",
                       list(tensor.strides, tensor.rank));
  }
  return checkPointer(place, tensor, spec.alignment);
}

/// True if two elements may have one address: the dimensions, from the smallest stride on, are not
/// each behind all elements of the ones before it.
bool mayOverlapItself(const TensorView &tensor) {
  int64_t reach = 0, last = -1;
  uint32_t lastDim = 0;
  for (uint32_t left = tensor.rank; left > 0; --left) {
    // The next dimension in the order of strides, without sorting.
    uint32_t next = tensor.rank;
    for (uint32_t dim = 0; dim < tensor.rank; ++dim) {
      const int64_t stride = tensor.strides[dim];
      const bool isOpen = stride > last || (stride == last && dim > lastDim);
      if (isOpen && (next == tensor.rank || stride < tensor.strides[next]))
        next = dim;
    }
    if (next == tensor.rank)
      break;
    last = tensor.strides[next];
    lastDim = next;
    if (tensor.sizes[next] <= 1)
      continue;
    if (last <= reach)
      return true;
    reach += (tensor.sizes[next] - 1) * last;
  }
  return false;
}

/// Makes `ranges` those of the arguments, none of them written. False if a tensor wraps around the
/// address space.
bool addArguments(ArrayView<CallArgument> arguments, WrittenRanges &ranges) {
  ranges.clear();
  bool fit = true;
  for (const CallArgument &argument : arguments) {
    if (argument.isTensor)
      fit &= ranges.add(argument.tensor, /*isWritten=*/false);
    else
      ranges.addEmpty();
  }
  return fit;
}

} // namespace

Status checkInPlace(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    WrittenRanges &ranges) {
  if (plan.writtenArguments.empty())
    return {};
  bool isApart = addArguments(arguments, ranges);
  for (uint32_t written : plan.writtenArguments) {
    ranges.setWritten(written);
    isApart &= !mayOverlapItself(arguments[written].tensor);
  }
  if (isApart && ranges.areApart())
    return {};
  for (const OutputSpec &output : plan.artifact.outputs) {
    uint32_t written = output.aliasOfArgument;
    if (written == kNotAnArgument || output.isView)
      continue;
    ByteRange own, range;
    const TensorView &tensor = arguments[written].tensor;
    bool fits = byteRangeOf(tensor, own);
    if (fits && mayOverlapItself(tensor))
      return makeError(ErrorCode::OverlappingBuffers,
                       Place{"argument", written, plan.argumentNames[written]},
                       ": expected elements that share no memory, because output '", output.name,
                       "' is stored there, but got sizes ", list(tensor.sizes, tensor.rank),
                       " and strides ", list(tensor.strides, tensor.rank));
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (i == written || !arguments[i].isTensor)
        continue;
      if (fits && byteRangeOf(arguments[i].tensor, range) && !range.overlaps(own))
        continue;
      return makeError(
          ErrorCode::OverlappingBuffers, Place{"argument", written, plan.argumentNames[written]},
          ": expected memory of its own, because output '", output.name,
          "' is stored there, but it overlaps ", Place{"argument", i, plan.argumentNames[i]});
    }
  }
  return {};
}

Status checkOverlap(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    ArrayView<TensorView> outputs, size_t index) {
  Place place{"output", index, plan.artifact.outputs[index].name};
  ByteRange own;
  if (!byteRangeOf(outputs[index], own))
    return makeError(ErrorCode::IntegerOverflow, place,
                     ": expected memory within the address space");
  if (own.begin == own.end)
    return {};
  auto overlap = [&](const Place &other, const TensorView &tensor) -> Status {
    ByteRange range;
    // A range that wraps around the address space overlaps everything.
    if (byteRangeOf(tensor, range) && !range.overlaps(own))
      return {};
    return makeError(ErrorCode::OverlappingBuffers, place, ": expected memory of its own, but it ",
                     "overlaps ", other);
  };
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].isTensor)
      if (Status status = overlap({"argument", i, plan.argumentNames[i]}, arguments[i].tensor);
          !status)
        return status;
  for (size_t i = 0; i < index; ++i)
    if (plan.artifact.outputs[i].aliasOfArgument == kNotAnArgument)
      if (Status status = overlap({"output", i, plan.artifact.outputs[i].name}, outputs[i]);
          !status)
        return status;
  return {};
}

Status checkArguments(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                      WrittenRanges &ranges) {
  const std::vector<ArgumentSpec> &specs = plan.artifact.arguments;
  if (arguments.size() != specs.size())
    return makeError(ErrorCode::ArgumentCount, "expected ", specs.size(), " arguments, but got ",
                     arguments.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    const ArgumentCheck &check = plan.argumentChecks[i];
    if (isPlainlyAccepted(check, plan.dimChecks.data() + check.firstDim, arguments[i],
                          plan.deviceId))
      continue;
    if (Status status =
            checkArgument({"argument", i, specs[i].name}, specs[i], arguments[i], plan.deviceId);
        !status)
      return status;
  }
  return checkInPlace(plan, arguments, ranges);
}

/// Checks that no output with memory of its own shares a byte with an argument or another output.
static Status checkOverlaps(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                            ArrayView<TensorView> outputs, WrittenRanges &ranges) {
  if (!plan.hasOwnOutputs)
    return {};
  auto isOwn = [&](size_t i) { return plan.artifact.outputs[i].aliasOfArgument == kNotAnArgument; };
  bool fit = addArguments(arguments, ranges);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (isOwn(i))
      fit &= ranges.add(outputs[i], /*isWritten=*/true);
  if (fit && ranges.areApart())
    return {};
  for (size_t i = 0; i < outputs.size(); ++i)
    if (isOwn(i))
      if (Status status = checkOverlap(plan, arguments, outputs, i); !status)
        return status;
  return {};
}

Status checkOutputs(const ExecutionPlan &plan, ArrayView<CallArgument> arguments,
                    ArrayView<TensorView> outputs, const int64_t *values, WrittenRanges &ranges) {
  const std::vector<OutputSpec> &specs = plan.artifact.outputs;
  if (outputs.size() != specs.size())
    return makeError(ErrorCode::ArgumentCount, "expected memory for ", specs.size(),
                     " outputs, but got ", outputs.size());
  for (size_t i = 0; i < specs.size(); ++i) {
    const OutputSpec &spec = specs[i];
    Place place{"output", i, spec.name};
    if (Status status =
            checkTensor(place, outputs[i], spec.dtype, spec.sizes.size(), plan.deviceId);
        !status)
      return status;
    bool empty = false;
    if (Status status = checkOutput(place, spec, outputs[i], values, empty); !status)
      return status;
    if (empty)
      continue;
    if (spec.aliasOfArgument == kNotAnArgument && plan.buffers[plan.outputBuffers[i]].output != i)
      return makeError(ErrorCode::Unsupported, place, ": expected the call to allocate it, ",
                       "because it is a part of another buffer, but got memory");
  }
  return checkOverlaps(plan, arguments, outputs, ranges);
}

} // namespace fuser::runtime
