//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Support/DiagnosticText.h"
#include "llvm/Support/MemoryBuffer.h"

#include <utility>

using namespace mlir;
using namespace fuser;

fuser::detail::DiagnosticBuffer::DiagnosticBuffer(StringRef source, StringRef name) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(source, name), llvm::SMLoc());
}

DiagnosticText::DiagnosticText(MLIRContext *context, StringRef source, StringRef name)
    : DiagnosticBuffer(source, name), SourceMgrDiagnosticHandler(sources, context, stream) {
  setHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    emitDiagnostic(diagnostic.getLocation(), diagnostic.str(), diagnostic.getSeverity());
    for (Diagnostic &note : diagnostic.getNotes())
      emitDiagnostic(note.getLocation(), note.str(), note.getSeverity(),
                     /*displaySourceLine=*/note.getLocation() != diagnostic.getLocation());
  });
}

std::string DiagnosticText::take() {
  std::string taken = std::exchange(text, {});
  while (!taken.empty() && taken.back() == '\n')
    taken.pop_back();
  return taken;
}
