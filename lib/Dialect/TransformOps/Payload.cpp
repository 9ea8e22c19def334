//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Checks of payload, captured diagnostics, and the loop over ops that all primitives share.
//
//===----------------------------------------------------------------------===//

#include "Payload.h"
#include "fuser/Dialect/IR/ScheduleNames.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::transform_ops;

//===----------------------------------------------------------------------===//
// DiagnosticCapture
//===----------------------------------------------------------------------===//

DiagnosticCapture::DiagnosticCapture(MLIRContext *context) {
  handler.emplace(context, [this, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
    // All threads of a context share one list of handlers.
    if (llvm::get_threadid() != thread)
      return failure();
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    reports.push_back({diagnostic.getLocation(), diagnostic.str(), isError});
    // MLIR appends the op itself, to which the note of the failure already points.
    for (Diagnostic &note : diagnostic.getNotes())
      if (std::string text = note.str(); !StringRef(text).starts_with("see current operation"))
        reports.push_back({note.getLocation(), std::move(text), false});
    return success();
  });
}

std::pair<std::string, SmallVector<DiagnosticCapture::Report>>
DiagnosticCapture::summarize(Operation *payload, StringRef otherwise) const {
  const auto *error = llvm::find_if(reports, [](const Report &report) { return report.isError; });
  std::string text = otherwise.str();
  Location location = payload->getLoc();
  if (error != reports.end()) {
    text = error->text;
    location = error->location;
  }
  SmallVector<Report> notes = {{location, "when applied to this op", false}};
  for (const Report &report : reports)
    if (&report != error)
      notes.push_back(report);
  return {std::move(text), std::move(notes)};
}

DiagnosedSilenceableFailure DiagnosticCapture::makeSilenceable(Operation *op, Operation *payload,
                                                               StringRef otherwise) const {
  auto [text, notes] = summarize(payload, otherwise);
  DiagnosedSilenceableFailure result = emitSilenceableFailure(op, text);
  for (const Report &note : notes)
    result.attachNote(note.location) << note.text;
  return result;
}

DiagnosedSilenceableFailure DiagnosticCapture::makeDefinite(Operation *op, Operation *payload,
                                                            StringRef otherwise) {
  handler.reset();
  auto [text, notes] = summarize(payload, otherwise);
  DiagnosedDefiniteFailure result = emitDefiniteFailure(op, text);
  for (const Report &note : notes)
    result.attachNote(note.location) << note.text;
  return result;
}

//===----------------------------------------------------------------------===//
// Kinds of payload
//===----------------------------------------------------------------------===//

DiagnosedSilenceableFailure transform_ops::refuse(Operation *op, Operation *payload,
                                                  const Twine &message) {
  DiagnosedSilenceableFailure result = emitSilenceableFailure(op, message);
  result.attachNote(payload->getLoc()) << "when applied to this op";
  return result;
}

DiagnosedSilenceableFailure transform_ops::getKernels(Operation *op, ArrayRef<Operation *> payload,
                                                      SmallVectorImpl<KernelOp> &kernels) {
  for (Operation *target : payload) {
    auto kernel = dyn_cast<KernelOp>(target);
    if (!kernel)
      return refuse(op, target,
                    "expected a 'fuser.kernel', but got '" + target->getName().getStringRef() +
                        "'");
    kernels.push_back(kernel);
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure transform_ops::getViews(Operation *op, ArrayRef<Operation *> payload,
                                                    SmallVectorImpl<TensorViewOpInterface> &views) {
  for (Operation *target : payload) {
    auto view = dyn_cast<TensorViewOpInterface>(target);
    if (!view)
      return refuse(op, target,
                    "expected an op whose results have domains, but got '" +
                        target->getName().getStringRef() + "'");
    views.push_back(view);
  }
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure transform_ops::getOneView(Operation *op, StringRef what,
                                                      ArrayRef<Operation *> payload,
                                                      TensorViewOpInterface &view) {
  if (payload.size() != 1)
    return emitSilenceableFailure(op, "expected '" + what + "' to be one op, but got " +
                                          Twine(payload.size()));
  SmallVector<TensorViewOpInterface> views;
  DiagnosedSilenceableFailure result = getViews(op, payload, views);
  if (result.succeeded())
    view = views.front();
  return result;
}

DiagnosedSilenceableFailure transform_ops::getKernelOf(Operation *op, TensorViewOpInterface view,
                                                       KernelOp &kernel) {
  kernel = dyn_cast_or_null<KernelOp>(view->getParentOp());
  if (kernel)
    return DiagnosedSilenceableFailure::success();
  return refuse(op, view, "expected an op of a 'fuser.kernel', but got one of another parent");
}

//===----------------------------------------------------------------------===//
// One op after the other
//===----------------------------------------------------------------------===//

LogicalResult transform_ops::editSchedules(ArrayRef<TensorViewOpInterface> views,
                                           function_ref<LogicalResult()> edit) {
  auto saved = llvm::map_to_vector(views, [](TensorViewOpInterface view) {
    return llvm::map_to_vector<4>(kScheduleNames,
                                  [&](StringRef name) { return view->getAttr(name); });
  });
  // Changed loops may contradict an inline position.
  if (succeeded(edit()) && llvm::all_of(views, [](TensorViewOpInterface view) {
        return succeeded(mlir::verify(view, /*verifyRecursively=*/false));
      }))
    return success();
  for (auto [view, attributes] : llvm::zip_equal(views, saved))
    for (auto [name, attribute] : llvm::zip_equal(kScheduleNames, attributes)) {
      if (attribute)
        view->setAttr(name, attribute);
      else
        view->removeAttr(name);
    }
  return failure();
}

DiagnosedSilenceableFailure
transform_ops::applyToEach(Operation *op, ArrayRef<Operation *> payload,
                           function_ref<LogicalResult(TensorViewOpInterface)> edit) {
  SmallVector<TensorViewOpInterface> views;
  DiagnosedSilenceableFailure kinds = getViews(op, payload, views);
  if (!kinds.succeeded() || views.empty())
    return kinds;
  DiagnosticCapture capture(op->getContext());
  if (failed(editSchedules(views, [&] {
        return success(llvm::all_of(views, [&](auto view) { return succeeded(edit(view)); }));
      })))
    return capture.makeSilenceable(op, views.front());
  return DiagnosedSilenceableFailure::success();
}
