//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Objects that are called as a program is, without Python code on the path.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <structmember.h>

using namespace fuser::python;

namespace {

// Of Python since 3.8, in its stable interface since 3.12.
using VectorCall = PyObject *(*)(PyObject *, PyObject *const *, size_t, PyObject *);
constexpr unsigned long kHasVectorCall = 1UL << 11;
constexpr size_t kOffsetArgument = size_t(1) << (8 * sizeof(size_t) - 1);

/// The base of types whose objects are called as a program is: object(*arguments, out=None).
struct Callable {
  PyObject_HEAD VectorCall vectorCall;
  /// Null before _set_call: the general path takes all calls.
  PyObject *capsule;
  Call *call;
};

/// What is called where a C function leaves a call: `_general_call` of the object's type.
PyObject *callGenerally(PyObject *self, PyObject *arguments, PyObject *named) {
  PyObject *general = PyObject_GetAttrString(self, "_general_call");
  PyObject *result = general ? PyObject_Call(general, arguments, named) : nullptr;
  Py_XDECREF(general);
  return result;
}

/// Runs into `out`, one output or a tuple or list of them, which is the result. NotImplemented:
/// nothing has run.
PyObject *runInto(Call &call, PyObject *const *objects, Py_ssize_t count, PyObject *out) {
  if (count != call.numArguments)
    return leave();
  PyObject *fewObjects[16];
  std::vector<PyObject *> manyObjects;
  PyObject **all = fewObjects;
  const size_t wanted = size_t(count) + size_t(call.numResults);
  if (wanted > std::size(fewObjects)) {
    manyObjects.resize(wanted);
    all = manyObjects.data();
  }
  std::copy(objects, objects + count, all);
  const bool isTuple = PyTuple_CheckExact(out), isList = PyList_CheckExact(out);
  // The list itself may change while its elements are read.
  if (isList ? PyList_Size(out) != call.numResults
             : (isTuple ? PyTuple_Size(out) : 1) != call.numResults)
    return leave();
  for (int i = 0; i < call.numResults; ++i) {
    PyObject *output = isList ? PyList_GetItem(out, i) : isTuple ? PyTuple_GetItem(out, i) : out;
    Py_INCREF(all[count + i] = output);
  }
  PyObject *result = runInto(call, all, Py_ssize_t(wanted));
  for (int i = 0; i < call.numResults; ++i)
    Py_DECREF(all[count + i]);
  if (result != Py_None)
    return result;
  Py_DECREF(result);
  Py_INCREF(out);
  return out;
}

PyObject *runWith(const Callable &self, PyObject *const *objects, Py_ssize_t count, PyObject *out) {
  // Another thread may set another one meanwhile.
  PyObject *capsule = self.capsule;
  Py_INCREF(capsule);
  Call &call = *self.call;
  PyObject *result =
      out && out != Py_None ? runInto(call, objects, count, out) : run(call, objects, count);
  Py_DECREF(capsule);
  return result;
}

PyObject *vectorCall(PyObject *self, PyObject *const *objects, size_t flaggedCount,
                     PyObject *names) {
  const auto count = Py_ssize_t(flaggedCount & ~kOffsetArgument);
  const Py_ssize_t numNamed = names ? PyTuple_Size(names) : 0;
  const auto &callable = *reinterpret_cast<Callable *>(self);
  // Names in code are interned.
  if (numNamed == 0 || (numNamed == 1 && PyTuple_GetItem(names, 0) == callable.call->out)) {
    PyObject *result = runWith(callable, objects, count, numNamed ? objects[count] : nullptr);
    if (result != Py_NotImplemented)
      return result;
    Py_DECREF(result);
  }
  PyObject *arguments = PyTuple_New(count), *named = numNamed ? PyDict_New() : nullptr;
  bool isComplete = arguments && (named || numNamed == 0);
  for (Py_ssize_t i = 0; isComplete && i < count; ++i) {
    Py_INCREF(objects[i]);
    PyTuple_SetItem(arguments, i, objects[i]);
  }
  for (Py_ssize_t i = 0; isComplete && i < numNamed; ++i)
    isComplete = PyDict_SetItem(named, PyTuple_GetItem(names, i), objects[count + i]) == 0;
  PyObject *result = isComplete ? callGenerally(self, arguments, named) : nullptr;
  Py_XDECREF(arguments);
  Py_XDECREF(named);
  return result;
}

/// As `vectorCall`, for callers that pass a tuple and a dictionary.
PyObject *callObject(PyObject *self, PyObject *arguments, PyObject *named) {
  const auto &callable = *reinterpret_cast<Callable *>(self);
  const Call *call = callable.call;
  const Py_ssize_t numNamed = named ? PyDict_Size(named) : 0, count = PyTuple_Size(arguments);
  PyObject *out = call && numNamed == 1 ? PyDict_GetItemWithError(named, call->out) : nullptr;
  if (call && (numNamed == 0 || out)) {
    PyObject *fewObjects[16];
    std::vector<PyObject *> manyObjects;
    PyObject **objects = fewObjects;
    if (size_t(count) > std::size(fewObjects)) {
      manyObjects.resize(size_t(count));
      objects = manyObjects.data();
    }
    for (Py_ssize_t i = 0; i < count; ++i)
      objects[i] = PyTuple_GetItem(arguments, i);
    PyObject *result = runWith(callable, objects, count, out);
    if (result != Py_NotImplemented)
      return result;
    Py_DECREF(result);
  }
  return callGenerally(self, arguments, named);
}

/// object._set_call(function): calls go to what `function`, the first result of make_call, is bound
/// to.
PyObject *setCall(PyObject *self, PyObject *function) {
  auto *object = reinterpret_cast<Callable *>(self);
  if (!PyCFunction_CheckExact(function))
    return PyErr_Format(PyExc_TypeError, "expected a function of make_call, but got %R", function);
  PyObject *capsule = PyCFunction_GetSelf(function);
  auto *call = static_cast<Call *>(PyCapsule_GetPointer(capsule, kCapsule));
  if (!call)
    return nullptr;
  Py_INCREF(capsule);
  PyObject *before = object->capsule;
  object->capsule = capsule;
  object->call = call;
  Py_XDECREF(before);
  object->vectorCall = vectorCall;
  Py_RETURN_NONE;
}

void destroyCallable(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_XDECREF(reinterpret_cast<Callable *>(self)->capsule);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

PyMethodDef kCallableMethods[] = {
    {"_set_call", setCall, METH_O, "Lets a function of make_call take the calls that it can."},
    {nullptr, nullptr, 0, nullptr}};
PyMemberDef kCallableMembers[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Callable, vectorCall), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};
PyType_Slot kCallableSlots[] = {{Py_tp_call, reinterpret_cast<void *>(callObject)},
                                {Py_tp_dealloc, reinterpret_cast<void *>(destroyCallable)},
                                {Py_tp_methods, kCallableMethods},
                                {Py_tp_members, kCallableMembers},
                                {0, nullptr}};
PyType_Spec kCallable = {"fuser._calls.Callable", sizeof(Callable), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | kHasVectorCall, kCallableSlots};

} // namespace

PyObject *fuser::python::makeCallableType() { return PyType_FromSpec(&kCallable); }
