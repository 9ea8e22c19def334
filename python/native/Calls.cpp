//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser._calls: warm calls of a program from Python, without Python code on the path.
//
// A call takes tensors of one type that publishes DLPack's table of functions (PyTorch), and Python
// numbers. Whatever else it is given, and whatever has to be compiled, it leaves to the general
// path in fuser/_program.py by returning NotImplemented, before anything has run.
//
//===----------------------------------------------------------------------===//

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "DLPackExchange.h"
#include "fuser-c/Fuser.h"

#include <cfloat>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <new>

namespace {

constexpr int kMaxArguments = 512;
/// ErrorCode::NotCompiled.
constexpr int kNotCompiled = 93;

/// What an argument is; scalars by the last letters of their MLIR type.
enum class Kind : char { Tensor = 't', Bool = 'b', Integer = 'i', Float = 'f', Double = 'd' };

/// The tensor type that the last call was given.
struct TensorType {
  PyObject *type = nullptr;
  /// Null: it has none, so that calls leave its tensors to the general path.
  const DLPackExchangeAPI *api = nullptr;
  bool hasRequiresGrad = false, hasIsNeg = false;
};

/// One program, as the object that its function is bound to.
struct Call {
  PyObject *owner;                  // keeps the program alive
  PyObject *raise;                  // called with the address of an error; raises it
  PyObject *requires_grad, *is_neg; // names
  fuser_program program;
  DLDevice device;
  int numArguments, numResults;
  Kind kinds[kMaxArguments];
  TensorType tensors;
  /// Arguments are of `tensors.type` or a subclass that means the same by its data, and may record
  /// gradients: the caller, a compiler behind PyTorch's autograd, has taken care of both.
  bool isTrusted;
};

/// The arguments of one call.
struct Arguments {
  PyObject *const *objects = nullptr;
  DLTensor tensors[kMaxArguments];
  fuser_argument values[kMaxArguments];
  void *stream = nullptr;
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

TensorType describeType(PyObject *type) {
  Py_INCREF(type);
  return {type, findApi(type), PyObject_HasAttrString(type, "requires_grad") != 0,
          PyObject_HasAttrString(type, "is_neg") != 0};
}

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
  if (call.tensors.hasRequiresGrad && !call.isTrusted &&
      !isFalse(PyObject_GetAttr(object, call.requires_grad)))
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
    Py_XDECREF(call.tensors.type);
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

/// A result as newer DLPack passes it, and the argument whose memory it is, if it is one's.
struct Result {
  DLManagedTensorVersioned managed;
  DLManagedTensor *tensor;
  PyObject *argument;
};

void deleteResult(DLManagedTensorVersioned *self) {
  auto *result = static_cast<Result *>(self->manager_ctx);
  result->tensor->deleter(result->tensor);
  if (result->argument) {
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(result->argument);
    PyGILState_Release(state);
  }
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

/// Takes over `tensor`.
PyObject *makeResult(const Call &call, DLManagedTensor *tensor, const Arguments &arguments) {
  auto *result = new (std::nothrow)
      Result{{{1, 1}, nullptr, deleteResult, 0, tensor->dl_tensor}, tensor, nullptr};
  if (!result) {
    tensor->deleter(tensor);
    return PyErr_NoMemory();
  }
  result->managed.manager_ctx = result;
  const DLTensor &view = tensor->dl_tensor;
  for (int i = 0; i < call.numArguments && view.data && !result->argument; ++i)
    if (call.kinds[i] == Kind::Tensor &&
        contains(arguments.tensors[i], static_cast<const char *>(view.data) + view.byte_offset))
      Py_INCREF(result->argument = arguments.objects[i]);
  void *object = nullptr;
  if (call.tensors.api->managed_tensor_to_py_object_no_sync(&result->managed, &object) != 0)
    return nullptr;
  return static_cast<PyObject *>(object);
}

PyObject *makeResults(const Call &call, DLManagedTensor **tensors, const Arguments &arguments) {
  if (call.numResults == 1)
    return makeResult(call, tensors[0], arguments);
  PyObject *tuple = PyTuple_New(call.numResults);
  for (int i = 0; i < call.numResults; ++i) {
    PyObject *result = tuple ? makeResult(call, tensors[i], arguments) : nullptr;
    if (result) {
      PyTuple_SetItem(tuple, i, result);
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

constexpr const char *kCapsule = "fuser.call";

/// The general path takes the call.
PyObject *leave() {
  PyErr_Clear();
  Py_RETURN_NOTIMPLEMENTED;
}

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
    if (i < call.numArguments && call.kinds[i] != Kind::Tensor) {
      if (!readScalar(call.kinds[i], object, arguments.values[i]))
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

/// function(*arguments): the result, or a tuple of results.
PyObject *run(PyObject *self, PyObject *const *objects, Py_ssize_t count) {
  auto *call = static_cast<Call *>(PyCapsule_GetPointer(self, kCapsule));
  if (!call)
    return nullptr;
  Arguments arguments;
  arguments.objects = objects;
  if (count != call->numArguments || !readArguments(*call, count, arguments))
    return leave();
  DLManagedTensor *results[kMaxArguments];
  fuser_error error;
  Py_BEGIN_ALLOW_THREADS;
  error = fuser_program_call(call->program, arguments.values, size_t(call->numArguments),
                             arguments.stream, results, size_t(call->numResults));
  Py_END_ALLOW_THREADS;
  return error ? refuse(*call, error) : makeResults(*call, results, arguments);
}

/// function(*arguments, *outputs): None.
PyObject *runInto(PyObject *self, PyObject *const *objects, Py_ssize_t count) {
  auto *call = static_cast<Call *>(PyCapsule_GetPointer(self, kCapsule));
  if (!call)
    return nullptr;
  Arguments arguments;
  arguments.objects = objects;
  if (count != call->numArguments + call->numResults || !readArguments(*call, count, arguments))
    return leave();
  const DLTensor *outputs[kMaxArguments];
  for (int i = 0; i < call->numResults; ++i)
    outputs[i] = &arguments.tensors[call->numArguments + i];
  fuser_error error;
  Py_BEGIN_ALLOW_THREADS;
  error = fuser_program_call_into(call->program, arguments.values, size_t(call->numArguments),
                                  arguments.stream, outputs, size_t(call->numResults));
  Py_END_ALLOW_THREADS;
  if (error)
    return refuse(*call, error);
  Py_RETURN_NONE;
}

template <PyObject *(*Function)(PyObject *, PyObject *const *, Py_ssize_t)>
PyMethodDef kMethod = {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(Function)),
                       METH_FASTCALL, nullptr};

void destroyCall(PyObject *capsule) {
  auto *call = static_cast<Call *>(PyCapsule_GetPointer(capsule, kCapsule));
  for (PyObject *held :
       {call->tensors.type, call->requires_grad, call->is_neg, call->raise, call->owner})
    Py_XDECREF(held);
  delete call;
}

/// make_call(owner, program, kinds, num_results, device_type, device_id, raise[, tensor_type]): two
/// functions that run a program, with results of its own and into outputs. None if the program has
/// too many arguments or one of another kind, or the tensor type no table. With `tensor_type`, all
/// tensors are trusted to be of it (see Call::isTrusted), and so are the results of a program
/// without tensor arguments.
PyObject *makeCall(PyObject *, PyObject *arguments) {
  PyObject *owner, *program, *raise, *tensorType = nullptr;
  const char *kinds;
  Py_ssize_t numArguments;
  int numResults, deviceType, deviceId;
  if (!PyArg_ParseTuple(arguments, "OOs#iiiO|O", &owner, &program, &kinds, &numArguments,
                        &numResults, &deviceType, &deviceId, &raise, &tensorType))
    return nullptr;
  if (numArguments + numResults > kMaxArguments ||
      std::strspn(kinds, "tbifd") != size_t(numArguments))
    Py_RETURN_NONE;
  void *address = PyLong_AsVoidPtr(program);
  if (!address && PyErr_Occurred())
    return nullptr;
  auto *call = new (std::nothrow) Call{};
  if (!call)
    return PyErr_NoMemory();
  PyObject *capsule = PyCapsule_New(call, kCapsule, destroyCall);
  if (!capsule) {
    delete call;
    return nullptr;
  }
  Py_INCREF(call->owner = owner);
  Py_INCREF(call->raise = raise);
  call->requires_grad = PyUnicode_InternFromString("requires_grad");
  call->is_neg = PyUnicode_InternFromString("is_neg");
  call->program = static_cast<fuser_program>(address);
  call->device = {deviceType, deviceId};
  call->numArguments = static_cast<int>(numArguments);
  call->numResults = numResults;
  std::memcpy(call->kinds, kinds, size_t(numArguments));
  if (tensorType) {
    call->tensors = describeType(tensorType);
    call->isTrusted = true;
    if (!call->tensors.api) {
      Py_DECREF(capsule);
      Py_RETURN_NONE;
    }
  }
  PyObject *functions = PyTuple_New(2);
  int position = 0;
  for (PyMethodDef *method : {&kMethod<run>, &kMethod<runInto>})
    if (functions)
      PyTuple_SetItem(functions, position++, PyCFunction_New(method, capsule));
  Py_DECREF(capsule);
  return functions;
}

PyMethodDef kFunctions[] = {
    {"make_call", makeCall, METH_VARARGS, "Functions that run a program on tensors and numbers."},
    {nullptr, nullptr, 0, nullptr}};
PyModuleDef kModule = {
    PyModuleDef_HEAD_INIT, "_calls", nullptr, 0, kFunctions, nullptr, nullptr, nullptr, nullptr};

} // namespace

PyMODINIT_FUNC PyInit__calls(void) { return PyModule_Create(&kModule); }
