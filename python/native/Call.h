//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// One program, as C functions of Python call it.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_PYTHON_NATIVE_CALL_H
#define FUSER_PYTHON_NATIVE_CALL_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "DLPackExchange.h"
#include "fuser-c/Fuser.h"

#include <vector>

namespace fuser::python {

/// What an argument is; scalars by the last letters of their MLIR type.
enum class Kind : char { Tensor = 't', Bool = 'b', Integer = 'i', Float = 'f', Double = 'd' };

/// An attribute of a type's instances. One that the type computes by a data descriptor, which no
/// instance can hide, is read without a search of the type and its bases.
struct Attribute {
  PyObject *descriptor = nullptr;
  descrgetfunc get = nullptr;
  bool exists = false;
};

/// The tensor type that the last call was given.
struct TensorType {
  PyObject *type = nullptr;
  /// Null: it has none, so that calls leave its tensors to the general path.
  const DLPackExchangeAPI *api = nullptr;
  Attribute requiresGrad;
  bool hasIsNeg = false;
};

/// One program, as the object that its function is bound to.
struct Call {
  PyObject *owner;                        // keeps the program alive
  PyObject *raise;                        // called with the address of an error; raises it
  PyObject *requires_grad, *is_neg, *out; // names
  fuser_program program;
  DLDevice device;
  int numArguments, numResults, numReturned;
  std::vector<Kind> kinds;
  /// For each result, the argument that it is stored in by the program's text; -1: none.
  std::vector<int> aliases;
  /// Whether a call returns the result.
  std::vector<char> isReturned;
  TensorType tensors;
  /// Arguments are of `tensors.type` or a subclass that means the same by its data, and may record
  /// gradients: the caller, a compiler behind PyTorch's autograd, has taken care of both.
  bool isTrusted;
};

/// The name of capsules of calls.
constexpr const char *kCapsule = "fuser.call";

/// What is known of a type, with references to it, and the end of these.
TensorType describeType(PyObject *type);
void forgetType(TensorType &tensors);

/// NotImplemented: the general path takes the call.
PyObject *leave();
/// Runs the program on `count` objects, its arguments: the result, or a tuple of results.
PyObject *run(Call &call, PyObject *const *objects, Py_ssize_t count);
/// Runs the program on `count` objects, its arguments and then its outputs: None.
PyObject *runInto(Call &call, PyObject *const *objects, Py_ssize_t count);

/// A new type `Callable`, the base of types whose objects are called as a program is.
PyObject *makeCallableType();

} // namespace fuser::python

#endif // FUSER_PYTHON_NATIVE_CALL_H
