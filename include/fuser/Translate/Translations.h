//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Translations between MLIR and other formats, for fuser-translate:
//
//   fuser-to-ptx            the kernels of a module as PTX text
//   fuser-to-artifact       a compiled fusion in the binary form of the artifact
//   fuser-to-artifact-text  a compiled fusion as readable text
//   fuser-artifact-to-text  the binary form as readable text
//
// A module is a fusion, or what any later phase made of it; `fuser-to-ptx` also
// takes kernel IR without a host function.
//
//===----------------------------------------------------------------------===//

#ifndef FUSER_TRANSLATE_TRANSLATIONS_H
#define FUSER_TRANSLATE_TRANSLATIONS_H

#include "fuser/Artifact/DeviceDescription.h"
#include <functional>
#include <string>

namespace fuser {

struct TranslationOptions {
  /// What to schedule and emit code for: a known device ("h200") or an architecture ("sm_90").
  std::string target = "sm_90";
  /// What runs the kernels of an artifact.
  artifact::DeviceKind device = artifact::DeviceKind::Cuda;
  /// Sizes to choose schedules for, as `fuser-choose-schedules` takes them; empty: unknown.
  std::string sizes;
};

/// Adds the translations to MLIR's list of them. `getOptions` is asked when one runs, when the
/// command line is known. Errors are diagnostics.
void registerTranslations(const std::function<TranslationOptions()> &getOptions);

} // namespace fuser

#endif // FUSER_TRANSLATE_TRANSLATIONS_H
