//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Tensors of the runtime as DLPack tensors, and the reverse.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_CAPI_RUNTIME_DLPACK_H
#define FUSER_CAPI_RUNTIME_DLPACK_H

#include "fuser/Artifact/Error.h"
#include "fuser/CAPI/Runtime/DLPackTypes.h"
#include "fuser/Runtime/Tensor.h"

#include <cstdint>
#include <forward_list>
#include <vector>

namespace fuser::capi {

/// Strides for tensors that have none. A list, because views point to them.
using StrideLists = std::forward_list<std::vector<int64_t>>;

/// A view of a DLPack tensor. If the tensor has no strides, `strides` receives row-major ones; it
/// must outlive the view. Fails with DTypeMismatch, DeviceMismatch or StrideMismatch (a negative
/// stride) and names the tensor as `kind` ("argument", "output") and `index`.
artifact::Expected<runtime::TensorView> readTensor(const DLTensor &tensor, const char *kind,
                                                   size_t index, StrideLists &strides);

/// Exports a tensor to DLPack; the deleter frees its memory.
DLManagedTensor *releaseTensor(const runtime::Tensor &tensor);

/// Exports the results of a call to DLPack, as `Managed`: DLManagedTensor or
/// DLManagedTensorVersioned. Each takes one allocation.
template <typename Managed> class ResultExporter final : public runtime::ResultReceiver {
public:
  /// `results` has room for all results.
  explicit ResultExporter(Managed **results) : next(results) {}
  void receive(const runtime::TensorView &view, runtime::Storage own,
               std::shared_ptr<runtime::Storage> shared) override;

private:
  Managed **next;
};
extern template class ResultExporter<DLManagedTensor>;
extern template class ResultExporter<DLManagedTensorVersioned>;

} // namespace fuser::capi

#endif // FUSER_CAPI_RUNTIME_DLPACK_H
