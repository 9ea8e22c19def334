//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "ObjectLoader.h"

#include "ElfObject.h"
#include "Relocate.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fuser::runtime::host {

std::string hostTriple() {
  return kElfMachine == kX86_64 ? "x86_64-pc-linux-gnu" : "aarch64-unknown-linux-gnu";
}

std::string hostProcessor() {
  std::string name = kElfMachine == kX86_64 ? "x86-64" : "AArch64";
  std::FILE *file = std::fopen("/proc/cpuinfo", "r");
  if (!file)
    return name;
  char line[256];
  while (std::fgets(line, sizeof(line), file)) {
    const char *value = std::strchr(line, ':');
    if (std::strncmp(line, "model name", 10) != 0 || !value)
      continue;
    value += std::strspn(value, ": \t");
    name.assign(value, std::strcspn(value, "\n"));
    break;
  }
  std::fclose(file);
  return name;
}

/// True if code for LLVM's processor `cpu` runs on this machine.
static bool runsHere(std::string_view cpu) {
  if (cpu == "generic")
    return true;
#if defined(__x86_64__)
  __builtin_cpu_init();
  return cpu == "x86-64" || (cpu == "x86-64-v2" && __builtin_cpu_supports("x86-64-v2")) ||
         (cpu == "x86-64-v3" && __builtin_cpu_supports("x86-64-v3")) ||
         (cpu == "x86-64-v4" && __builtin_cpu_supports("x86-64-v4"));
#else
  return false;
#endif
}

static Error loadFailure(const artifact::Kernel &kernel, const std::string &reason) {
  return makeError(ErrorCode::KernelLoadFailed, "kernel '", kernel.name,
                   "': expected an object that links on this host, but got: ", reason);
}

/// The functions of HostABI.h; null for other names.
static void *findInScheduler(std::string_view name) {
  struct Entry {
    std::string_view name;
    void *function;
  };
  const Entry entries[] = {
      {"fuser_host_barrier", reinterpret_cast<void *>(&fuser_host_barrier)},
      {"fuser_host_grid_sync", reinterpret_cast<void *>(&fuser_host_grid_sync)},
      {"fuser_host_cluster_arrive", reinterpret_cast<void *>(&fuser_host_cluster_arrive)},
      {"fuser_host_cluster_wait", reinterpret_cast<void *>(&fuser_host_cluster_wait)},
      {"fuser_host_map_peer", reinterpret_cast<void *>(&fuser_host_map_peer)},
      {"fuser_host_copy_async", reinterpret_cast<void *>(&fuser_host_copy_async)},
      {"fuser_host_copy_commit", reinterpret_cast<void *>(&fuser_host_copy_commit)},
      {"fuser_host_copy_wait", reinterpret_cast<void *>(&fuser_host_copy_wait)},
      {"fuser_host_mbarrier_init", reinterpret_cast<void *>(&fuser_host_mbarrier_init)},
      {"fuser_host_mbarrier_fence", reinterpret_cast<void *>(&fuser_host_mbarrier_fence)},
      {"fuser_host_mbarrier_expect", reinterpret_cast<void *>(&fuser_host_mbarrier_expect)},
      {"fuser_host_mbarrier_wait", reinterpret_cast<void *>(&fuser_host_mbarrier_wait)},
      {"fuser_host_mbarrier_arrive", reinterpret_cast<void *>(&fuser_host_mbarrier_arrive)},
      {"fuser_host_copy_tensor", reinterpret_cast<void *>(&fuser_host_copy_tensor)},
      {"fuser_host_store_tensor", reinterpret_cast<void *>(&fuser_host_store_tensor)},
      {"fuser_host_store_commit", reinterpret_cast<void *>(&fuser_host_store_commit)},
      {"fuser_host_store_wait", reinterpret_cast<void *>(&fuser_host_store_wait)},
      {"fuser_host_role_barrier", reinterpret_cast<void *>(&fuser_host_role_barrier)},
      {"fuser_host_wait_dependencies", reinterpret_cast<void *>(&fuser_host_wait_dependencies)},
      {"fuser_host_copy_bulk", reinterpret_cast<void *>(&fuser_host_copy_bulk)},
      {"fuser_host_shuffle", reinterpret_cast<void *>(&fuser_host_shuffle)},
      {"fuser_host_ldmatrix", reinterpret_cast<void *>(&fuser_host_ldmatrix)},
      {"fuser_host_stmatrix", reinterpret_cast<void *>(&fuser_host_stmatrix)},
      {"fuser_host_mma", reinterpret_cast<void *>(&fuser_host_mma)},
      {"fuser_host_wgmma", reinterpret_cast<void *>(&fuser_host_wgmma)},
      {"fuser_host_wgmma_fence", reinterpret_cast<void *>(&fuser_host_wgmma_fence)},
      {"fuser_host_wgmma_commit", reinterpret_cast<void *>(&fuser_host_wgmma_commit)},
      {"fuser_host_wgmma_wait", reinterpret_cast<void *>(&fuser_host_wgmma_wait)},
      {"fuser_host_wgmma_result", reinterpret_cast<void *>(&fuser_host_wgmma_result)},
      {"fuser_host_fence_async", reinterpret_cast<void *>(&fuser_host_fence_async)},
      {"fuser_host_set_max_registers", reinterpret_cast<void *>(&fuser_host_set_max_registers)},
      {"fuser_host_fail_alignment", reinterpret_cast<void *>(&fuser_host_fail_alignment)},
      {"fuser_host_fail_bounds", reinterpret_cast<void *>(&fuser_host_fail_bounds)},
      {"fuser_host_check_access", reinterpret_cast<void *>(&fuser_host_check_access)},
  };
  for (const Entry &entry : entries)
    if (entry.name == name)
      return entry.function;
  return nullptr;
}

/// Places the sections of one object in memory and links them.
class Linker {
public:
  Linker(const artifact::Kernel &kernel, ElfObject elf) : kernel(kernel), elf(std::move(elf)) {}

  Expected<std::unique_ptr<LoadedObject>> link();

private:
  /// Sections of one group are adjacent and have their protection in common.
  enum Group : uint8_t { Executable, ReadOnly, Writable, kNumGroups };
  static Group groupOf(const ElfSection &section) {
    return section.isExecutable ? Executable : section.isWritable ? Writable : ReadOnly;
  }
  Status layOut();
  Status map();
  Status resolve();
  Status applyRelocations();
  Status protect();
  Status findInfo();
  Status checkInfo();
  /// True if `bytes` bytes at `pointer` are within the object.
  bool contains(const void *pointer, uint64_t bytes) const {
    const uint64_t offset = reinterpret_cast<uintptr_t>(pointer) - addressOf(0);
    return offset <= object->bytes && bytes <= object->bytes - offset;
  }
  /// True if `count` texts, each ended by a zero byte, begin at `text` within the object.
  bool containsTexts(const char *text, uint32_t count) const;
  uint64_t addressOf(uint64_t offset) const {
    return reinterpret_cast<uintptr_t>(object->memory) + offset;
  }

  const artifact::Kernel &kernel;
  ElfObject elf;
  std::unique_ptr<LoadedObject> object{new LoadedObject};
  /// Offsets of the sections in the memory, of the first stub, and of the slots of the global
  /// offset table: a stub and a slot for each symbol.
  std::vector<uint64_t> offsets;
  uint64_t stubs = 0, slots = 0;
  uint64_t groupBegin[kNumGroups + 1] = {};
  std::vector<uint64_t> symbolAddresses;
};

Status Linker::layOut() {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  auto align = [](uint64_t offset, uint64_t alignment) {
    return (offset + alignment - 1) / alignment * alignment;
  };
  offsets.assign(elf.sections.size(), 0);
  uint64_t end = 0;
  for (unsigned group = 0; group < kNumGroups; ++group) {
    groupBegin[group] = end = align(end, page);
    for (size_t i = 0; i < elf.sections.size(); ++i) {
      const ElfSection &section = elf.sections[i];
      if (!section.isLoaded || groupOf(section) != group)
        continue;
      offsets[i] = end = align(end, section.alignment);
      end += section.size;
    }
    if (group == Executable) {
      stubs = end = align(end, kStubBytes);
      end += elf.symbols.size() * kStubBytes;
    } else if (group == ReadOnly) {
      slots = end = align(end, sizeof(uint64_t));
      end += elf.symbols.size() * sizeof(uint64_t);
    }
    // Distances of 32 bits must reach every byte.
    if (end > uint64_t(1) << 30)
      return loadFailure(kernel, "more than 1 GiB of code and data");
  }
  groupBegin[kNumGroups] = align(end, page);
  return {};
}

Status Linker::map() {
  const size_t bytes = groupBegin[kNumGroups];
  if (bytes == 0)
    return loadFailure(kernel, "an object without code");
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return makeError(ErrorCode::OutOfMemory, "kernel '", kernel.name, "': expected ", bytes,
                     " bytes of memory for code, but there are none");
  object->memory = static_cast<char *>(memory);
  object->bytes = bytes;
  for (size_t i = 0; i < elf.sections.size(); ++i) {
    const ElfSection &section = elf.sections[i];
    if (section.isLoaded && !section.data.empty())
      std::memcpy(object->memory + offsets[i], section.data.data(), section.data.size());
  }
  return {};
}

Status Linker::resolve() {
  // The process may have loaded the math library for a library of its own only.
  object->library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  symbolAddresses.assign(elf.symbols.size(), 0);
  for (size_t i = 0; i < elf.symbols.size(); ++i) {
    const ElfSymbol &symbol = elf.symbols[i];
    if (symbol.section != 0) {
      symbolAddresses[i] = addressOf(offsets[symbol.section] + symbol.value);
    } else if (!symbol.name.empty()) {
      void *found = findInScheduler(symbol.name);
      const std::string name(symbol.name);
      if (!found)
        found = dlsym(RTLD_DEFAULT, name.c_str());
      if (!found && object->library)
        found = dlsym(object->library, name.c_str());
      symbolAddresses[i] = reinterpret_cast<uintptr_t>(found);
    }
  }
  return {};
}

Status Linker::applyRelocations() {
  for (const ElfRelocation &relocation : elf.relocations) {
    const ElfSymbol &symbol = elf.symbols[relocation.symbol];
    uint64_t target = symbolAddresses[relocation.symbol];
    if (symbol.section == 0 && target == 0 && !symbol.isWeak)
      return loadFailure(kernel, "symbol '" + std::string(symbol.name) + "' is not defined");
    if (symbol.section != 0 && !elf.sections[symbol.section].isLoaded)
      return loadFailure(kernel, "a reference to a section that is not loaded");
    const RelocationTarget kind = getRelocationTarget(relocation.type);
    if (kind == RelocationTarget::Slot) {
      const uint64_t slot = slots + relocation.symbol * sizeof(uint64_t);
      std::memcpy(object->memory + slot, &target, sizeof(target));
      target = addressOf(slot);
    } else if (kind == RelocationTarget::Code && symbol.section == 0) {
      const uint64_t stub = stubs + relocation.symbol * uint64_t(kStubBytes);
      writeStub(reinterpret_cast<unsigned char *>(object->memory + stub), target);
      target = addressOf(stub);
    }
    const uint64_t place = offsets[relocation.section] + relocation.offset;
    if (!relocate(relocation.type, reinterpret_cast<unsigned char *>(object->memory + place),
                  addressOf(place), target, relocation.addend))
      return loadFailure(kernel, "a relocation of type " + std::to_string(relocation.type) +
                                     " by '" + std::string(symbol.name) + "' is out of range");
  }
  return {};
}

Status Linker::protect() {
  const int protections[kNumGroups] = {PROT_READ | PROT_EXEC, PROT_READ, PROT_READ | PROT_WRITE};
  for (unsigned group = 0; group < kNumGroups; ++group) {
    char *begin = object->memory + groupBegin[group];
    const size_t bytes = groupBegin[group + 1] - groupBegin[group];
    if (group == Executable)
      __builtin___clear_cache(begin, begin + bytes);
    if (bytes != 0 && mprotect(begin, bytes, protections[group]) != 0)
      return loadFailure(kernel, "the system refuses executable memory");
  }
  return {};
}

Status Linker::findInfo() {
  const std::string name = FUSER_HOST_INFO_PREFIX + kernel.entry;
  for (size_t i = 0; i < elf.symbols.size(); ++i) {
    const ElfSymbol &symbol = elf.symbols[i];
    if (symbol.section == 0 || symbol.name != name)
      continue;
    const ElfSection &section = elf.sections[symbol.section];
    if (!section.isLoaded || section.size - symbol.value < sizeof(fuser_host_kernel_info) ||
        symbolAddresses[i] % alignof(fuser_host_kernel_info) != 0)
      break;
    object->kernelInfo = reinterpret_cast<const fuser_host_kernel_info *>(symbolAddresses[i]);
    return {};
  }
  return loadFailure(kernel, "symbol '" + name + "' is not defined");
}

bool Linker::containsTexts(const char *text, uint32_t count) const {
  const char *end = object->memory + object->bytes;
  for (uint32_t i = 0; i < count; ++i) {
    if (!contains(text, 1))
      return false;
    const void *zero = std::memchr(text, 0, static_cast<size_t>(end - text));
    if (!zero)
      return false;
    text = static_cast<const char *>(zero) + 1;
  }
  return true;
}

/// The device follows the pointers of the info without a check.
Status Linker::checkInfo() {
  const fuser_host_kernel_info &info = object->info();
  if (info.abi_version != FUSER_HOST_ABI_VERSION)
    return makeError(ErrorCode::VersionMismatch, "kernel '", kernel.name, "': expected version ",
                     FUSER_HOST_ABI_VERSION, " of the host interface, but got ", info.abi_version);
  const auto entry = reinterpret_cast<uintptr_t>(info.entry);
  if (!contains(info.param_bytes, uint64_t(info.num_params) * sizeof(uint32_t)) ||
      !containsTexts(info.sites, info.num_sites) || !containsTexts(info.name, 1) ||
      !containsTexts(info.cpu, 1) || entry < addressOf(groupBegin[Executable]) ||
      entry >= addressOf(groupBegin[Executable + 1]))
    return loadFailure(kernel, "a description of the kernel that refers to other memory");
  if (!runsHere(info.cpu))
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name, "': expected code that a ",
                     hostProcessor(), " runs, but got code for ", info.cpu);
  return {};
}

Expected<std::unique_ptr<LoadedObject>> Linker::link() {
  for (auto step : {&Linker::layOut, &Linker::map, &Linker::resolve, &Linker::applyRelocations,
                    &Linker::protect, &Linker::findInfo, &Linker::checkInfo})
    if (Status status = (this->*step)(); !status)
      return status.takeError();
  return std::move(object);
}

static Status checkTarget(const artifact::Kernel &kernel) {
  if (kernel.format != artifact::KernelFormat::HostObject)
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name,
                     "': the host device expects the format host_object, but got ",
                     artifact::toString(kernel.format));
  const std::string here = hostTriple();
  if (!kernel.chip.empty() &&
      kernel.chip.substr(0, kernel.chip.find('-')) != here.substr(0, here.find('-')))
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name, "': expected code for ",
                     here.substr(0, here.find('-')), ", but got code for ", kernel.chip);
  return {};
}

LoadedObject::~LoadedObject() {
  if (memory)
    munmap(memory, bytes);
  if (library)
    dlclose(library);
}

Expected<std::unique_ptr<LoadedObject>> LoadedObject::load(const artifact::Kernel &kernel) {
  if (Status status = checkTarget(kernel); !status)
    return status.takeError();
  Expected<ElfObject> elf = ElfObject::read(kernel.code);
  if (!elf)
    return loadFailure(kernel, elf.error().message);
  return Linker(kernel, elf.take()).link();
}

} // namespace fuser::runtime::host
