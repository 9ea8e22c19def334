//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ArtifactCache.h"

#include "fuser/Runtime/BuildId.h"
#include "fuser/Support/Config.h"
#include "fuser/Support/InstalledFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FileSystem.h"

using namespace fuser;
using namespace fuser::session;
using artifact::Artifact;
using artifact::Hash128;
using artifact::Hasher;

namespace {
/// Raised whenever a key or an entry changes its meaning.
constexpr uint64_t kVersion = 1;
/// How many artifacts of other specializations a lookup reads: each takes less than 0.1 ms, and a
/// compilation more than 10.
constexpr size_t kMaxOffered = 64;
} // namespace

/// Adds the identity of a file: reading libdevice's half megabyte would take longer than the rest.
static void hashFile(Hasher &hasher, const std::string &path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return;
  hasher.integer(status.getSize())
      .integer(status.getLastModificationTime().time_since_epoch().count());
}

std::optional<Hash128> session::getProgramKey(llvm::StringRef text,
                                              const artifact::DeviceDescription &device,
                                              const ProgramOptions &options) {
  // The hook and the schedulers are code, which only the caller can name.
  if ((options.afterPhase || options.registry) && options.cacheKey.empty())
    return std::nullopt;
  if (!options.emitCode)
    return std::nullopt;
  const std::string build = runtime::getBuildIds(
      reinterpret_cast<const void *>(&session::getProgramKey), {"libMLIR.", "libLLVM."});
  if (build.empty())
    return std::nullopt;
  Hasher hasher;
  hasher.integer(kVersion)
      .string(build)
      .string(config::kLLVMVersion)
      .string(text)
      .string(artifact::printDevice(*options.target))
      .integer(static_cast<uint64_t>(device.kind))
      .integer(static_cast<uint64_t>(device.maxCooperativeThreads))
      .integer(options.approximateMath)
      .string(options.markBoundaries)
      .string(options.schedules)
      .integer(options.forceStreams)
      .integer(static_cast<uint64_t>(options.dependentLaunches))
      .integer(options.checkAccesses)
      .string(options.cacheKey);
  if (device.kind == artifact::DeviceKind::Cuda)
    hashFile(hasher, options.libdevicePath.empty() ? getLibdevicePath() : options.libdevicePath);
  return hasher.finish();
}

Hash128 session::getSpecializationKey(artifact::ArrayView<runtime::CallArgument> arguments) {
  Hasher hasher;
  for (const runtime::CallArgument &argument : arguments) {
    hasher.integer(argument.isTensor);
    if (!argument.isTensor) {
      hasher.integer(static_cast<uint64_t>(argument.scalar.dtype));
      continue;
    }
    const runtime::TensorView &tensor = argument.tensor;
    hasher.integer(static_cast<uint64_t>(tensor.dtype)).integer(tensor.rank);
    for (uint32_t dim = 0; dim < tensor.rank; ++dim)
      hasher.integer(static_cast<uint64_t>(tensor.sizes[dim]))
          .integer(static_cast<uint64_t>(tensor.strides[dim]));
    // What `specialize` makes a fact of.
    auto address = reinterpret_cast<uintptr_t>(tensor.data);
    hasher.integer(address % 16 == 0 ? 16 : uint64_t(1) << llvm::countr_zero(address));
  }
  return hasher.finish();
}

ArtifactCache::ArtifactCache(const std::string &directory, Hash128 program)
    : disk(directory + "/programs/" + program.str().substr(0, 2) + "/" + program.str().substr(2)) {}

std::optional<Artifact> ArtifactCache::read(Hash128 key) {
  if (auto found = held.find(key); found != held.end()) {
    std::optional<Artifact> artifact(std::move(found->second));
    held.erase(found);
    return artifact;
  }
  std::optional<std::string> blob = disk.load(key);
  if (!blob)
    return std::nullopt;
  artifact::Expected<Artifact> artifact = artifact::deserialize(*blob);
  return artifact ? std::optional<Artifact>(artifact.take()) : std::nullopt;
}

const Artifact *ArtifactCache::findAny() {
  for (Hash128 key : disk.keys())
    if (std::optional<Artifact> artifact = read(key))
      return &held.emplace(key, std::move(*artifact)).first->second;
  return nullptr;
}

bool ArtifactCache::find(Hash128 specialization,
                         llvm::function_ref<bool(const Artifact &)> isPreferred,
                         llvm::function_ref<bool(Artifact)> tryLoad) {
  auto offer = [&](Hash128 key) {
    if (known.count(key))
      return false;
    std::optional<Artifact> artifact = read(key);
    if (!artifact || !tryLoad(std::move(*artifact)))
      return false;
    known.insert(key);
    return true;
  };
  if (offer(specialization))
    return true;
  std::vector<Hash128> others;
  size_t offered = 0;
  for (Hash128 key : disk.keys()) {
    if (key == specialization || known.count(key))
      continue;
    if (offered++ == kMaxOffered)
      break;
    std::optional<Artifact> artifact = read(key);
    if (!artifact)
      continue;
    const bool isFirst = isPreferred(*artifact);
    held.emplace(key, std::move(*artifact));
    if (!isFirst)
      others.push_back(key);
    else if (offer(key))
      return true;
  }
  return llvm::any_of(others, offer);
}

void ArtifactCache::store(Hash128 specialization, const Artifact &artifact) {
  known.insert(specialization);
  (void)disk.store(specialization, artifact::serialize(artifact)).ok();
}
