//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// fuser._calls: warm calls of a program from Python, without Python code on the path.
//
// Programs are objects of a type with C functions for calls, `Callable`, so that no Python code
// runs. A call takes tensors of one type that publishes DLPack's table of functions (PyTorch), and
// Python numbers. Whatever else it is given, and whatever has to be compiled, it leaves to the
// general path in fuser/_program.py by returning NotImplemented, before anything has run.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <cstring>
#include <initializer_list>
#include <new>

using namespace fuser::python;

namespace {

/// function(*objects)
template <PyObject *(*Run)(Call &, PyObject *const *, Py_ssize_t)>
PyObject *callFunction(PyObject *self, PyObject *const *objects, Py_ssize_t count) {
  auto *call = static_cast<Call *>(PyCapsule_GetPointer(self, kCapsule));
  return call ? Run(*call, objects, count) : nullptr;
}

template <PyObject *(*Function)(PyObject *, PyObject *const *, Py_ssize_t)>
PyMethodDef kMethod = {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(Function)),
                       METH_FASTCALL, nullptr};

void destroyCall(PyObject *capsule) {
  auto *call = static_cast<Call *>(PyCapsule_GetPointer(capsule, kCapsule));
  forgetType(call->tensors);
  for (PyObject *held : {call->requires_grad, call->is_neg, call->out, call->raise, call->owner})
    Py_XDECREF(held);
  delete call;
}

/// make_call(owner, program, kinds, returned, device_type, device_id, raise[, tensor_type]): two
/// functions that run a program, with results of its own and into outputs. None if the program has
/// an argument of another kind, or the tensor type no table. `returned` has a character for each
/// result, "r" where a call returns it. With `tensor_type`, all tensors are trusted to be of it
/// (see Call::isTrusted), and so are the results of a program without tensor arguments.
PyObject *makeCall(PyObject *, PyObject *arguments) {
  PyObject *owner, *program, *raise, *tensorType = nullptr;
  const char *kinds, *returned;
  Py_ssize_t numArguments, numResults;
  int deviceType, deviceId;
  if (!PyArg_ParseTuple(arguments, "OOs#s#iiO|O", &owner, &program, &kinds, &numArguments,
                        &returned, &numResults, &deviceType, &deviceId, &raise, &tensorType))
    return nullptr;
  if (std::strspn(kinds, "tbifd") != size_t(numArguments))
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
  call->out = PyUnicode_InternFromString("out");
  call->program = static_cast<fuser_program>(address);
  call->device = {deviceType, deviceId};
  call->numArguments = static_cast<int>(numArguments);
  call->numResults = static_cast<int>(numResults);
  for (Py_ssize_t i = 0; i < numArguments; ++i)
    call->kinds.push_back(Kind(kinds[i]));
  for (Py_ssize_t i = 0; i < numResults; ++i) {
    call->aliases.push_back(int(fuser_program_alias_of(call->program, size_t(i))));
    call->isReturned.push_back(returned[i] == 'r');
    call->numReturned += returned[i] == 'r';
  }
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
  for (PyMethodDef *method : {&kMethod<callFunction<run>>, &kMethod<callFunction<runInto>>})
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

PyMODINIT_FUNC PyInit__calls(void) {
  PyObject *module = PyModule_Create(&kModule), *type = makeCallableType();
  if (module && type && PyModule_AddObjectRef(module, "Callable", type) < 0) {
    Py_DECREF(module);
    module = nullptr;
  }
  Py_XDECREF(type);
  return type ? module : nullptr;
}
