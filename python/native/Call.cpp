//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Arguments and results of warm calls.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <cfloat>
#include <cmath>
#include <memory>
#include <new>

using namespace fuser::python;

namespace {

/// ErrorCode::NotCompiled.
constexpr int kNotCompiled = 93;

/// The arguments of one call, and memory for what it takes and gives.
class Arguments {
public:
  explicit Arguments(PyObject *const *objects) : objects(objects) {}
  /// Makes room for the arguments and results of a call; false if there is no memory. Only long
  /// lists are allocated.
  bool reserve(size_t count) {
    if (count <= kFew)
      return true;
    many.reset(new (std::nothrow) Many[count]);
    if (!many)
      return false;
    // Parts of one allocation, which has room for `count` of each.
    tensors = reinterpret_cast<DLTensor *>(many.get());
    values = reinterpret_cast<fuser_argument *>(tensors + count);
    pointers = values + count;
    return true;
  }
  DLManagedTensorVersioned **results() {
    return static_cast<DLManagedTensorVersioned **>(pointers);
  }
  const DLTensor **outputs() { return static_cast<const DLTensor **>(pointers); }

  PyObject *const *objects;
  DLTensor *tensors = fewTensors;
  fuser_argument *values = fewValues;
  void *stream = nullptr;

private:
  static constexpr size_t kFew = 16;
  struct Many {
    DLTensor tensor;
    fuser_argument value;
    void *pointer;
  };
  DLTensor fewTensors[kFew];
  fuser_argument fewValues[kFew];
  void *fewPointers[kFew];
  void *pointers = fewPointers;
  std::unique_ptr<Many[]> many;
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The table that a type publishes itself; null if there is none. A subclass may mean something
/// else by its data.
const DLPackExchangeAPI *findApi(PyObject *type) {
  PyObject *own = PyObject_GetAttrString(type, "__dict__");
  PyObject *capsule = own ? PyMapping_GetItemString(own, "__dlpack_c_exchange_api__") : nullptr;
  Py_XDECREF(own);
  auto *api = static_cast<const DLPackExchangeAPI *>(
      capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : nullptr);
  // The type keeps what it points to.
  Py_XDECREF(capsule);
  PyErr_Clear();
  while (api && api->version.major > 1)
    api = api->previous;
  const bool isUsable = api && api->version.major == 1 && api->dltensor_from_py_object_no_sync &&
                        api->managed_tensor_to_py_object_no_sync && api->current_work_stream;
  return isUsable ? api : nullptr;
}

/// The first of a type and its bases that has a name in its own dictionary decides.
Attribute findAttribute(PyObject *type, const char *name) {
  Attribute attribute;
  attribute.exists = PyObject_HasAttrString(type, name) != 0;
  PyObject *bases = PyObject_GetAttrString(type, "__mro__");
  const Py_ssize_t count = bases ? PyTuple_Size(bases) : 0;
  for (Py_ssize_t i = 0; i < count && !attribute.descriptor; ++i) {
    PyObject *own = PyObject_GetAttrString(PyTuple_GetItem(bases, i), "__dict__");
    attribute.descriptor = own ? PyMapping_GetItemString(own, name) : nullptr;
    Py_XDECREF(own);
    PyErr_Clear();
  }
  Py_XDECREF(bases);
  PyErr_Clear();
  if (!attribute.descriptor)
    return attribute;
  PyTypeObject *kind = Py_TYPE(attribute.descriptor);
  if (PyType_GetSlot(kind, Py_tp_descr_set))
    attribute.get = reinterpret_cast<descrgetfunc>(PyType_GetSlot(kind, Py_tp_descr_get));
  return attribute;
}

} // namespace

TensorType fuser::python::describeType(PyObject *type) {
  Py_INCREF(type);
  return {type, findApi(type), findAttribute(type, "requires_grad"),
          PyObject_HasAttrString(type, "is_neg") != 0};
}

void fuser::python::forgetType(TensorType &tensors) {
  Py_XDECREF(tensors.type);
  Py_XDECREF(tensors.requiresGrad.descriptor);
  tensors = {};
}

namespace {

bool isRowMajor(const DLTensor &tensor) {
  int64_t dense = 1;
  for (int32_t dim = tensor.ndim - 1; dim >= 0 && tensor.strides; --dim) {
    if (tensor.shape[dim] != 1 && tensor.strides[dim] != dense)
      return false;
    dense *= tensor.shape[dim];
  }
  return dense > 1;
}

/// True where a tensor is what its memory holds: no gradients are recorded for it, and its values
/// are not read as their negations, which only views of complex numbers are.
bool isPlain(const Call &call, PyObject *object, const DLTensor &tensor) {
  auto isFalse = [](PyObject *answer) {
    int truth = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return truth == 0;
  };
  if (tensor.dtype.code == kDLComplex)
    return false;
  const Attribute &requiresGrad = call.tensors.requiresGrad;
  if (requiresGrad.exists && !call.isTrusted &&
      !isFalse(requiresGrad.get
                   ? requiresGrad.get(requiresGrad.descriptor, object, call.tensors.type)
                   : PyObject_GetAttr(object, call.requires_grad)))
    return false;
  return !call.tensors.hasIsNeg || isRowMajor(tensor) ||
         isFalse(PyObject_CallMethodObjArgs(object, call.is_neg, nullptr));
}

bool readTensor(Call &call, PyObject *object, bool isFirst, DLTensor &tensor) {
  PyObject *type = reinterpret_cast<PyObject *>(Py_TYPE(object));
  if (type != call.tensors.type && call.isTrusted) {
    if (PyObject_IsInstance(object, call.tensors.type) != 1)
      return false;
  } else if (type != call.tensors.type) {
    // Results are of the first tensor's type.
    if (!isFirst)
      return false;
    forgetType(call.tensors);
    call.tensors = describeType(type);
  }
  const DLPackExchangeAPI *api = call.tensors.api;
  return api && api->dltensor_from_py_object_no_sync(object, &tensor) == 0 &&
         tensor.device.device_type == call.device.device_type &&
         tensor.device.device_id == call.device.device_id && isPlain(call, object, tensor);
}

/// False where the number is none of the plain ones of its type.
bool readScalar(Kind kind, PyObject *object, fuser_argument &argument) {
  argument.tensor = nullptr;
  argument.imaginary = 0;
  switch (kind) {
  case Kind::Bool:
    argument.integer = object == Py_True;
    argument.real = double(argument.integer);
    return object == Py_True || object == Py_False;
  case Kind::Integer: {
    int overflow = 0;
    if (!PyLong_CheckExact(object))
      return false;
    argument.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    argument.real = double(argument.integer);
    return overflow == 0;
  }
  case Kind::Float:
  case Kind::Double:
    if (!PyFloat_CheckExact(object))
      return false;
    argument.real = PyFloat_AsDouble(object);
    argument.integer = 0;
    return kind == Kind::Double || !std::isfinite(argument.real) ||
           std::fabs(argument.real) <= double(FLT_MAX);
  case Kind::Tensor:
    break;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A result, and the argument whose memory it is.
struct Result {
  DLManagedTensorVersioned managed;
  DLManagedTensorVersioned *tensor;
  PyObject *argument;
};

void deleteResult(DLManagedTensorVersioned *self) {
  auto *result = static_cast<Result *>(self->manager_ctx);
  result->tensor->deleter(result->tensor);
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(result->argument);
  PyGILState_Release(state);
  delete result;
}

/// True where `address` lies in the memory of a tensor.
bool contains(const DLTensor &tensor, const char *address) {
  if (!tensor.data)
    return false;
  const char *first = static_cast<const char *>(tensor.data) + tensor.byte_offset;
  const int64_t bytes = tensor.dtype.bits / 8;
  int64_t last = 0, dense = 1;
  for (int32_t dim = tensor.ndim - 1; dim >= 0; --dim) {
    if (tensor.shape[dim] > 1)
      last += (tensor.shape[dim] - 1) * (tensor.strides ? tensor.strides[dim] : dense);
    dense *= tensor.shape[dim];
  }
  return first <= address && address <= first + last * bytes;
}

/// True where two tensors are the same elements in the same memory.
bool areSame(const DLTensor &a, const DLTensor &b) {
  auto address = [](const DLTensor &tensor) {
    return tensor.data ? static_cast<const char *>(tensor.data) + tensor.byte_offset : nullptr;
  };
  if (address(a) != address(b) || a.ndim != b.ndim || a.dtype.code != b.dtype.code ||
      a.dtype.bits != b.dtype.bits)
    return false;
  int64_t denseA = 1, denseB = 1;
  for (int32_t dim = a.ndim - 1; dim >= 0; --dim) {
    const int64_t strideA = a.strides ? a.strides[dim] : denseA;
    const int64_t strideB = b.strides ? b.strides[dim] : denseB;
    if (a.shape[dim] != b.shape[dim] || (a.shape[dim] > 1 && strideA != strideB))
      return false;
    denseA *= a.shape[dim];
    denseB *= b.shape[dim];
  }
  return true;
}

/// The argument that a result is, because it is stored there; null: none.
PyObject *findStored(const Call &call, const DLManagedTensorVersioned *tensor, int number,
                     const Arguments &arguments) {
  const int alias = call.aliases[size_t(number)];
  return alias >= 0 && areSame(tensor->dl_tensor, arguments.tensors[alias])
             ? arguments.objects[alias]
             : nullptr;
}

/// The argument whose memory a result is; null: none.
PyObject *findArgument(const Call &call, const DLManagedTensorVersioned *tensor, int number,
                       const Arguments &arguments) {
  const DLTensor &view = tensor->dl_tensor;
  if (!view.data || fuser_versioned_result_owns_memory(tensor))
    return nullptr;
  if (int alias = call.aliases[size_t(number)]; alias >= 0)
    return arguments.objects[alias];
  // A view that the compiler has found.
  const char *address = static_cast<const char *>(view.data) + view.byte_offset;
  for (int i = 0; i < call.numArguments; ++i)
    if (call.kinds[size_t(i)] == Kind::Tensor && contains(arguments.tensors[i], address))
      return arguments.objects[i];
  return nullptr;
}

/// Takes over `tensor`, the result `number`.
PyObject *makeResult(const Call &call, DLManagedTensorVersioned *tensor, int number,
                     const Arguments &arguments) {
  if (PyObject *stored = findStored(call, tensor, number, arguments)) {
    tensor->deleter(tensor);
    Py_INCREF(stored);
    return stored;
  }
  if (PyObject *argument = findArgument(call, tensor, number, arguments)) {
    auto *result = new (std::nothrow) Result{*tensor, tensor, argument};
    if (!result) {
      tensor->deleter(tensor);
      return PyErr_NoMemory();
    }
    Py_INCREF(argument);
    result->managed.manager_ctx = result;
    result->managed.deleter = deleteResult;
    tensor = &result->managed;
  }
  void *object = nullptr;
  if (call.tensors.api->managed_tensor_to_py_object_no_sync(tensor, &object) != 0)
    return nullptr;
  return static_cast<PyObject *>(object);
}

PyObject *makeResults(const Call &call, DLManagedTensorVersioned **tensors,
                      const Arguments &arguments) {
  if (call.numResults == 1 && call.numReturned == 1)
    return makeResult(call, tensors[0], 0, arguments);
  PyObject *tuple = PyTuple_New(call.numReturned);
  Py_ssize_t position = 0;
  for (int i = 0; i < call.numResults; ++i) {
    if (tuple && !call.isReturned[size_t(i)]) {
      tensors[i]->deleter(tensors[i]);
      continue;
    }
    PyObject *result = tuple ? makeResult(call, tensors[i], i, arguments) : nullptr;
    if (result) {
      PyTuple_SetItem(tuple, position++, result);
      continue;
    }
    // `makeResult` took its tensor, but not those behind it.
    for (int left = tuple ? i + 1 : 0; left < call.numResults; ++left)
      tensors[left]->deleter(tensors[left]);
    Py_XDECREF(tuple);
    return nullptr;
  }
  return tuple;
}

//===----------------------------------------------------------------------===//
// The call
//===----------------------------------------------------------------------===//

} // namespace

PyObject *fuser::python::leave() {
  PyErr_Clear();
  Py_RETURN_NOTIMPLEMENTED;
}

namespace {

/// NotImplemented where kernels are missing; else raises the error.
PyObject *refuse(const Call &call, fuser_error error) {
  if (fuser_error_code(error) == kNotCompiled) {
    fuser_error_destroy(error);
    return leave();
  }
  PyObject *address = PyLong_FromVoidPtr(error);
  PyObject *raised = address ? PyObject_CallFunctionObjArgs(call.raise, address, nullptr) : nullptr;
  Py_XDECREF(address);
  Py_XDECREF(raised);
  return nullptr;
}

/// Reads `count` objects: arguments, then outputs. False where the general path has to.
bool readArguments(Call &call, Py_ssize_t count, Arguments &arguments) {
  bool hasTensor = call.isTrusted;
  for (int i = 0; i < count; ++i) {
    PyObject *object = arguments.objects[i];
    if (i < call.numArguments && call.kinds[size_t(i)] != Kind::Tensor) {
      if (!readScalar(call.kinds[size_t(i)], object, arguments.values[i]))
        return false;
      continue;
    }
    if (!readTensor(call, object, /*isFirst=*/!hasTensor, arguments.tensors[i]))
      return false;
    arguments.values[i].tensor = &arguments.tensors[i];
    hasTensor = true;
  }
  // Without a tensor, nothing tells the stream and the type of results.
  return hasTensor && (call.device.device_type != kDLCUDA ||
                       call.tensors.api->current_work_stream(
                           call.device.device_type, call.device.device_id, &arguments.stream) == 0);
}

} // namespace

PyObject *fuser::python::run(Call &call, PyObject *const *objects, Py_ssize_t count) {
  if (count != call.numArguments)
    return leave();
  Arguments arguments(objects);
  if (!arguments.reserve(size_t(call.numArguments + call.numResults)))
    return PyErr_NoMemory();
  if (!readArguments(call, count, arguments))
    return leave();
  DLManagedTensorVersioned **results = arguments.results();
  fuser_error error;
  Py_BEGIN_ALLOW_THREADS;
  error = fuser_program_call_versioned(call.program, arguments.values, size_t(call.numArguments),
                                       arguments.stream, results, size_t(call.numResults));
  Py_END_ALLOW_THREADS;
  return error ? refuse(call, error) : makeResults(call, results, arguments);
}

PyObject *fuser::python::runInto(Call &call, PyObject *const *objects, Py_ssize_t count) {
  if (count != call.numArguments + call.numResults)
    return leave();
  Arguments arguments(objects);
  if (!arguments.reserve(size_t(count)))
    return PyErr_NoMemory();
  if (!readArguments(call, count, arguments))
    return leave();
  const DLTensor **outputs = arguments.outputs();
  for (int i = 0; i < call.numResults; ++i)
    outputs[i] = &arguments.tensors[call.numArguments + i];
  fuser_error error;
  Py_BEGIN_ALLOW_THREADS;
  error = fuser_program_call_into(call.program, arguments.values, size_t(call.numArguments),
                                  arguments.stream, outputs, size_t(call.numResults));
  Py_END_ALLOW_THREADS;
  if (error)
    return refuse(call, error);
  Py_RETURN_NONE;
}
