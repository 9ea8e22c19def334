//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/DeviceDescription.h"

#include <charconv>
#include <set>

namespace fuser::artifact {
namespace {

constexpr int64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

struct IntegerField {
  const char *key;
  int64_t DeviceDescription::*member;
};

constexpr IntegerField kIntegerFields[] = {
    {"compute_capability", &DeviceDescription::computeCapability},
    {"multiprocessors", &DeviceDescription::multiprocessors},
    {"clock_hz", &DeviceDescription::clockHz},
    {"memory_bandwidth", &DeviceDescription::memoryBandwidth},
    {"memory_latency_ns", &DeviceDescription::memoryLatencyNs},
    {"memory_bytes", &DeviceDescription::memoryBytes},
    {"l2_bytes", &DeviceDescription::l2Bytes},
    {"warp_size", &DeviceDescription::warpSize},
    {"max_threads_per_block", &DeviceDescription::maxThreadsPerBlock},
    {"max_threads_per_multiprocessor", &DeviceDescription::maxThreadsPerMultiprocessor},
    {"max_blocks_per_multiprocessor", &DeviceDescription::maxBlocksPerMultiprocessor},
    {"registers_per_multiprocessor", &DeviceDescription::registersPerMultiprocessor},
    {"max_registers_per_thread", &DeviceDescription::maxRegistersPerThread},
    {"shared_bytes_per_block", &DeviceDescription::sharedBytesPerBlock},
    {"shared_bytes_per_block_opt_in", &DeviceDescription::sharedBytesPerBlockOptIn},
    {"shared_bytes_per_multiprocessor", &DeviceDescription::sharedBytesPerMultiprocessor},
    {"max_parameter_bytes", &DeviceDescription::maxParameterBytes},
    {"max_cluster_blocks", &DeviceDescription::maxClusterBlocks},
    {"max_cooperative_threads", &DeviceDescription::maxCooperativeThreads},
};

struct TripleField {
  const char *key;
  int64_t (DeviceDescription::*member)[3];
};

constexpr TripleField kTripleFields[] = {
    {"max_grid", &DeviceDescription::maxGrid},
    {"max_block", &DeviceDescription::maxBlock},
};

constexpr const char *kNames[] = {"a100", "h100", "h200", "b200", "rtx5090"};

/// Properties that Ampere and later data-center parts share.
DeviceDescription baseGpu(const char *name, const char *chip, int64_t capability) {
  DeviceDescription d;
  d.name = name;
  d.chip = chip;
  d.computeCapability = capability;
  d.memoryLatencyNs = 650;
  d.maxThreadsPerMultiprocessor = 2048;
  d.maxBlocksPerMultiprocessor = 32;
  d.registersPerMultiprocessor = 65536;
  d.sharedBytesPerBlockOptIn = 227 * kKiB;
  d.sharedBytesPerMultiprocessor = 228 * kKiB;
  d.maxClusterBlocks = capability >= 90 ? 8 : 1;
  return d;
}

// Bandwidths: the H200's is the measured copy rate; the others are the same share (89 %) of their
// data sheet's rate.

DeviceDescription a100() {
  DeviceDescription d = baseGpu("NVIDIA A100", "sm_80", 80);
  d.multiprocessors = 108;
  d.clockHz = 1410000000;
  d.memoryBandwidth = 1815000000000;
  d.memoryBytes = 80 * kGiB;
  d.l2Bytes = 40 * kMiB;
  d.sharedBytesPerBlockOptIn = 163 * kKiB;
  d.sharedBytesPerMultiprocessor = 164 * kKiB;
  return d;
}

DeviceDescription h100() {
  DeviceDescription d = baseGpu("NVIDIA H100", "sm_90a", 90);
  d.multiprocessors = 132;
  d.clockHz = 1980000000;
  d.memoryBandwidth = 2980000000000;
  d.memoryBytes = 80 * kGiB;
  d.l2Bytes = 50 * kMiB;
  return d;
}

DeviceDescription h200() {
  DeviceDescription d = h100();
  d.name = "NVIDIA H200";
  d.memoryBandwidth = 4280000000000;
  d.memoryBytes = 141 * kGiB;
  d.l2Bytes = 60 * kMiB;
  return d;
}

DeviceDescription b200() {
  DeviceDescription d = baseGpu("NVIDIA B200", "sm_100a", 100);
  d.multiprocessors = 148;
  d.clockHz = 1965000000;
  d.memoryBandwidth = 7120000000000;
  d.memoryBytes = 180 * kGiB;
  d.l2Bytes = 126 * kMiB;
  return d;
}

DeviceDescription rtx5090() {
  DeviceDescription d = baseGpu("NVIDIA GeForce RTX 5090", "sm_120", 120);
  d.multiprocessors = 170;
  d.clockHz = 2407000000;
  d.memoryBandwidth = 1595000000000;
  d.memoryBytes = 32 * kGiB;
  d.l2Bytes = 96 * kMiB;
  d.maxThreadsPerMultiprocessor = 1536;
  d.maxBlocksPerMultiprocessor = 24;
  d.sharedBytesPerBlockOptIn = 99 * kKiB;
  d.sharedBytesPerMultiprocessor = 100 * kKiB;
  return d;
}

std::string_view trim(std::string_view text) {
  size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Reads one non-negative integer that fills `text`.
bool parseInteger(std::string_view text, int64_t &value) {
  text = trim(text);
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= 0;
}

/// Three integers between commas.
bool parseTriple(std::string_view text, int64_t (&values)[3]) {
  size_t first = text.find(',');
  size_t second = first == std::string_view::npos ? first : text.find(',', first + 1);
  if (second == std::string_view::npos)
    return false;
  return parseInteger(text.substr(0, first), values[0]) &&
         parseInteger(text.substr(first + 1, second - first - 1), values[1]) &&
         parseInteger(text.substr(second + 1), values[2]);
}

/// Sets one field. Returns what was expected where the value does not fit, "" where the key is
/// unknown, and null on success.
const char *setField(DeviceDescription &device, std::string_view key, std::string_view value) {
  if (key == "name" || key == "chip") {
    (key == "name" ? device.name : device.chip) = value;
    return nullptr;
  }
  if (key == "kind") {
    if (value != "cuda" && value != "host")
      return "'cuda' or 'host'";
    device.kind = value == "cuda" ? DeviceKind::Cuda : DeviceKind::Host;
    return nullptr;
  }
  for (const IntegerField &field : kIntegerFields)
    if (key == field.key)
      return parseInteger(value, device.*field.member) ? nullptr : "a non-negative integer";
  for (const TripleField &field : kTripleFields)
    if (key == field.key)
      return parseTriple(value, device.*field.member) ? nullptr : "three non-negative integers";
  return "";
}

} // namespace

const char *toString(DeviceKind kind) { return kind == DeviceKind::Cuda ? "cuda" : "host"; }

bool operator==(const DeviceDescription &a, const DeviceDescription &b) {
  // The text form has every field.
  return printDevice(a) == printDevice(b);
}

ArrayView<const char *> knownDevices() { return {kNames, std::size(kNames)}; }

Expected<DeviceDescription> lookupDevice(std::string_view nameOrChip) {
  if (nameOrChip == "a100" || nameOrChip == "sm_80")
    return a100();
  if (nameOrChip == "h200")
    return h200();
  if (nameOrChip == "rtx5090" || nameOrChip == "sm_120")
    return rtx5090();
  bool plainHopper = nameOrChip == "sm_90", plainBlackwell = nameOrChip == "sm_100";
  if (nameOrChip == "h100" || nameOrChip == "sm_90a" || plainHopper) {
    DeviceDescription device = h100();
    if (plainHopper)
      device.chip = "sm_90";
    return device;
  }
  if (nameOrChip == "b200" || nameOrChip == "sm_100a" || plainBlackwell) {
    DeviceDescription device = b200();
    if (plainBlackwell)
      device.chip = "sm_100";
    return device;
  }
  return makeError(ErrorCode::DeviceUnavailable,
                   "expected one of a100, h100, h200, b200, rtx5090, sm_80, sm_90, sm_90a, sm_100, "
                   "sm_100a, sm_120, but got '",
                   nameOrChip, "'");
}

std::string printDevice(const DeviceDescription &device) {
  std::ostringstream os;
  os << "name = " << device.name << "\nkind = " << toString(device.kind)
     << "\nchip = " << device.chip << "\n";
  for (const IntegerField &field : kIntegerFields)
    os << field.key << " = " << device.*field.member << "\n";
  for (const TripleField &field : kTripleFields) {
    const auto &values = device.*field.member;
    os << field.key << " = " << values[0] << ", " << values[1] << ", " << values[2] << "\n";
  }
  return os.str();
}

Expected<DeviceDescription> parseDevice(std::string_view text) {
  DeviceDescription device;
  std::set<std::string_view> seen;
  for (unsigned number = 1; !text.empty(); ++number) {
    size_t end = text.find('\n');
    std::string_view line = trim(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty() || line.front() == '#')
      continue;
    size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      return makeError(ErrorCode::ParseError, "line ", number,
                       ": expected 'key = value', but got '", line, "'");
    std::string_view key = trim(line.substr(0, equals)), value = trim(line.substr(equals + 1));
    if (!seen.insert(key).second)
      return makeError(ErrorCode::ParseError, "line ", number,
                       ": expected each key once, but got '", key, "' again");
    const char *wanted = setField(device, key, value);
    if (!wanted)
      continue;
    if (*wanted == '\0')
      return makeError(ErrorCode::ParseError, "line ", number,
                       ": expected a field of a device description, but got '", key, "'");
    return makeError(ErrorCode::ParseError, "line ", number, ": expected ", wanted, " for '", key,
                     "', but got '", value, "'");
  }
  return device;
}

} // namespace fuser::artifact
