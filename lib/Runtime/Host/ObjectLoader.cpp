//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ObjectLoader.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <atomic>
#include <mutex>

namespace fuser::runtime::host {

namespace orc = llvm::orc;

/// Messages of the linker in addition to the error that it returns.
class LinkLog {
public:
  void add(llvm::Error error) {
    std::lock_guard<std::mutex> lock(mutex);
    text += (text.empty() ? "" : "; ") + llvm::toString(std::move(error));
  }
  std::string take() {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(text, {});
  }

private:
  std::mutex mutex;
  std::string text;
};

struct ObjectLoader::State {
  explicit State(std::unique_ptr<orc::ExecutorProcessControl> process)
      : session(std::move(process)),
        linker(session, session.getExecutorProcessControl().getMemMgr()) {
    session.setErrorReporter([this](llvm::Error error) { log.add(std::move(error)); });
  }
  ~State() { llvm::consumeError(session.endSession()); }

  LinkLog log;
  orc::ExecutionSession session;
  orc::ObjectLinkingLayer linker;
  /// Library names must differ.
  std::atomic<uint64_t> nextLibrary{0};
};

struct ObjectLoader::LoadedObject : ObjectLoader::Object {
  explicit LoadedObject(std::shared_ptr<ObjectLoader> loader) : loader(std::move(loader)) {}
  ~LoadedObject() override {
    if (library)
      llvm::consumeError(loader->state->session.removeJITDylib(*library));
  }
  void setInfo(const fuser_host_kernel_info *info) { kernelInfo = info; }

  std::shared_ptr<ObjectLoader> loader;
  orc::JITDylib *library = nullptr;
};

ObjectLoader::ObjectLoader(std::unique_ptr<State> state) : state(std::move(state)) {}
ObjectLoader::~ObjectLoader() = default;

Expected<std::shared_ptr<ObjectLoader>> ObjectLoader::create() {
  auto process = orc::SelfExecutorProcessControl::Create();
  if (!process)
    return makeError(ErrorCode::DeviceUnavailable,
                     "expected LLVM to load code into this process, but got: ",
                     llvm::toString(process.takeError()));
  auto state = std::make_unique<State>(std::move(*process));
  return std::shared_ptr<ObjectLoader>(new ObjectLoader(std::move(state)));
}

std::string hostTriple() { return llvm::sys::getProcessTriple(); }
std::string hostProcessor() { return llvm::sys::getHostCPUName().str(); }

/// True if code for LLVM's processor `cpu` runs on this machine, judging by its name.
static bool runsHere(llvm::StringRef cpu) {
  static constexpr const char *kV2[] = {"cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3"};
  static constexpr const char *kV3[] = {"avx",  "avx2", "bmi",   "bmi2",
                                        "f16c", "fma",  "lzcnt", "movbe"};
  if (cpu == "generic" || cpu == "x86-64" || cpu == hostProcessor())
    return true;
  const bool isV3 = cpu == "x86-64-v3";
  if (!isV3 && cpu != "x86-64-v2")
    return false;
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  auto has = [&](const char *feature) { return features.lookup(feature); };
  return llvm::all_of(kV2, has) && (!isV3 || llvm::all_of(kV3, has));
}

/// The functions of HostABI.h, by name.
static orc::SymbolMap runtimeSymbols(orc::ExecutionSession &session) {
  orc::SymbolMap symbols;
  auto add = [&](const char *name, auto *function) {
    symbols[session.intern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                     llvm::JITSymbolFlags::Exported |
                                         llvm::JITSymbolFlags::Callable};
  };
  add("fuser_host_barrier", &fuser_host_barrier);
  add("fuser_host_grid_sync", &fuser_host_grid_sync);
  add("fuser_host_shuffle", &fuser_host_shuffle);
  add("fuser_host_fail_alignment", &fuser_host_fail_alignment);
  add("fuser_host_fail_bounds", &fuser_host_fail_bounds);
  add("fuser_host_check_access", &fuser_host_check_access);
  return symbols;
}

static Error loadFailure(const artifact::Kernel &kernel, const std::string &reason) {
  return makeError(ErrorCode::KernelLoadFailed, "kernel '", kernel.name,
                   "': expected an object that links on this host, but got: ", reason);
}

static Status checkTarget(const artifact::Kernel &kernel) {
  if (kernel.format != artifact::KernelFormat::HostObject)
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name,
                     "': the host device expects the format host_object, but got ",
                     artifact::toString(kernel.format));
  const llvm::Triple wanted(kernel.chip), here(hostTriple());
  if (!kernel.chip.empty() && wanted.getArch() != here.getArch())
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name, "': expected code for ",
                     here.getArchName().str(), ", but got code for ", kernel.chip);
  return {};
}

Expected<std::unique_ptr<ObjectLoader::Object>>
ObjectLoader::load(std::shared_ptr<ObjectLoader> loader, const artifact::Kernel &kernel) {
  if (Status status = checkTarget(kernel); !status)
    return status.takeError();
  State &state = *loader->state;
  auto object = std::make_unique<LoadedObject>(std::move(loader));
  object->library =
      &state.session.createBareJITDylib("kernel" + std::to_string(state.nextLibrary.fetch_add(1)));

  // The math library, and functions that LLVM calls itself (memcpy), come from the process.
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(/*GlobalPrefix=*/'\0');
  if (!process)
    return loadFailure(kernel, llvm::toString(process.takeError()));
  object->library->addGenerator(std::move(*process));
  llvm::Error failure =
      object->library->define(orc::absoluteSymbols(runtimeSymbols(state.session)));
  if (!failure)
    failure = state.linker.add(*object->library,
                               llvm::MemoryBuffer::getMemBufferCopy(kernel.code, kernel.name));
  if (failure)
    return loadFailure(kernel, llvm::toString(std::move(failure)));

  auto info = state.session.lookup({object->library}, FUSER_HOST_INFO_PREFIX + kernel.entry);
  const std::string log = state.log.take();
  if (!info) {
    const std::string reason = llvm::toString(info.takeError());
    return loadFailure(kernel, log.empty() ? reason : reason + "; " + log);
  }
  object->setInfo(info->getAddress().toPtr<const fuser_host_kernel_info *>());
  if (object->info().abi_version != FUSER_HOST_ABI_VERSION)
    return makeError(ErrorCode::VersionMismatch, "kernel '", kernel.name, "': expected version ",
                     FUSER_HOST_ABI_VERSION, " of the host interface, but got ",
                     object->info().abi_version);
  if (!runsHere(object->info().cpu))
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name, "': expected code that a ",
                     hostProcessor(), " runs, but got code for ", object->info().cpu);
  return std::unique_ptr<Object>(std::move(object));
}

} // namespace fuser::runtime::host
