//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference evaluator from C: tensors in host memory in, tensors out.
//
//===----------------------------------------------------------------------===//

#include "Source.h"
#include "fuser/Driver/Compare.h"
#include "fuser/Driver/HostArray.h"
#include "fuser/Reference/Evaluate.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace fuser;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using capi::Source;

/// The elements of a tensor in host memory, row-major. Tensors from C have no stride below 0.
static Expected<driver::HostArray> readArray(const runtime::TensorView &view, size_t index) {
  if (view.device.kind != artifact::DeviceKind::Host)
    return makeError(ErrorCode::DeviceMismatch, "argument ", index,
                     ": expected a tensor in host memory");
  ArrayRef<int64_t> sizes(view.sizes, view.rank), strides(view.strides, view.rank);
  return driver::fromStrided(static_cast<const char *>(view.data), view.dtype, sizes, strides);
}

/// A scalar as the reference takes it.
static reference::Tensor makeScalarTensor(const fuser_argument &argument, Type type) {
  switch (reference::getElementKind(type)) {
  case reference::ElementKind::Float:
    return reference::Tensor::scalar(type, reference::roundToType(argument.real, type, true));
  case reference::ElementKind::Integer:
    return reference::Tensor(type, {}, std::vector<int64_t>{argument.integer});
  case reference::ElementKind::Complex:
    return reference::Tensor(
        type, {}, std::vector<std::complex<double>>{{argument.real, argument.imaginary}});
  }
  llvm_unreachable("unknown kind");
}

/// A tensor in host memory that owns a copy of these elements.
static Expected<DLManagedTensor *> exportArray(const driver::HostArray &array) {
  auto device = runtime::createHostDevice();
  if (!device)
    return device.takeError();
  auto tensor = runtime::allocateTensor(device.take(), array.dtype, array.shape);
  if (!tensor)
    return tensor.takeError();
  if (!array.bytes.empty())
    std::copy(array.bytes.begin(), array.bytes.end(), static_cast<char *>(tensor->data));
  return capi::releaseTensor(tensor.take());
}

fuser_error fuser_evaluate(const char *text, size_t length, const fuser_argument *arguments,
                           size_t num_arguments, DLManagedTensor **results, size_t num_results) {
  Source source;
  if (Status status = source.read(text, length); !status)
    return capi::fail(status.takeError());
  if (Status status = source.specializeFor(arguments, num_arguments); !status)
    return capi::fail(status.takeError());
  if (num_results != source.program.getNumResults() ||
      num_arguments != source.program.getNumArguments())
    return capi::fail(makeError(
        ErrorCode::ArgumentCount, "expected ", source.program.getNumArguments(), " arguments and ",
        source.program.getNumResults(), " results, but got ", num_arguments, " and ", num_results));
  SmallVector<reference::Tensor> values;
  for (size_t i = 0; i < num_arguments; ++i) {
    Type type = source.program.getArgumentTypes()[i];
    if (!source.call.arguments[i].isTensor) {
      values.push_back(makeScalarTensor(arguments[i], type));
      continue;
    }
    const runtime::TensorView &view = source.call.arguments[i].tensor;
    Type element = getElementTypeOrSelf(type);
    if (driver::getDType(element) != view.dtype)
      return capi::fail(makeError(ErrorCode::DTypeMismatch, "argument ", i, ": expected ",
                                  artifact::toString(driver::getDType(element).value()),
                                  ", but got ", artifact::toString(view.dtype)));
    auto array = readArray(view, i);
    if (!array)
      return capi::fail(array.takeError());
    values.push_back(driver::toReference(*array, element));
  }
  auto outputs = reference::evaluate(source.program, values);
  if (failed(outputs))
    return capi::fail(source.fail(ErrorCode::CompilationFailed));
  std::vector<DLManagedTensor *> made;
  for (reference::Tensor &output : *outputs) {
    // The program returns values in the precision of their type.
    reference::roundElements(output, /*roundF32=*/true);
    auto exported = exportArray(driver::toHostArray(output));
    if (!exported) {
      for (DLManagedTensor *tensor : made)
        tensor->deleter(tensor);
      return capi::fail(exported.takeError());
    }
    made.push_back(*exported);
  }
  llvm::copy(made, results);
  return nullptr;
}

fuser_error fuser_compare(const DLTensor *actual, const DLTensor *expected, const char *type,
                          fuser_text *difference) {
  *difference = nullptr;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  Type computed;
  if (type) {
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
    computed = parseType(type, &context);
    if (!computed)
      return capi::fail(makeError(ErrorCode::DTypeMismatch,
                                  "type: expected an element type, but got '", type, "'"));
  }
  SmallVector<reference::Tensor, 2> tensors;
  std::string descriptions[2];
  Type types[2];
  for (const DLTensor *tensor : {actual, expected}) {
    size_t index = tensors.size();
    capi::StrideLists strides;
    auto view = capi::readTensor(*tensor, "argument", index, strides);
    if (!view)
      return capi::fail(view.takeError());
    auto array = readArray(*view, index);
    if (!array)
      return capi::fail(array.takeError());
    types[index] = driver::getElementType(array->dtype, &context);
    if (!types[index])
      return capi::fail(makeError(ErrorCode::DTypeMismatch,
                                  "expected elements of a type that programs return, but got ",
                                  artifact::toString(array->dtype)));
    descriptions[index] = driver::describe(*array);
    tensors.push_back(driver::toReference(*array, types[index]));
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (descriptions[0] != descriptions[1]) {
    stream << "expected " << descriptions[1] << ", but got " << descriptions[0];
  } else {
    driver::Comparison comparison = driver::compare(
        tensors[0], tensors[1], driver::getDefaultTolerance(computed ? computed : types[1]));
    if (comparison.passed)
      return nullptr;
    stream << comparison.numWrong << " of " << comparison.numElements << " elements differ";
    if (comparison.worst)
      stream << "; expected " << tensors[1].asDouble(*comparison.worst) << " at row-major position "
             << *comparison.worst << ", but got " << tensors[0].asDouble(*comparison.worst);
    stream << "; the relative norm of the difference is " << comparison.norm;
  }
  *difference = new fuser_text_s{std::move(text)};
  return nullptr;
}
