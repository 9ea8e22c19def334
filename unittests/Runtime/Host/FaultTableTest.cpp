//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The fault table: each file of Faults/ is a kernel with one mistake. With checks it ends with the
// error that the file expects, which names the kernel, the block, the thread and the line; without
// the mistake nothing is reported.
//
//   // EXPECT: <error code>
//   // MESSAGE: <what it says, without kernel, block, thread, addresses and places in the file>
//   // LAUNCH: grid <n>, block <n>[, cluster <n>][, shared <bytes>][, cooperative][, dependent]
//   // PARAMS: <kind> <type> <elements>[ box <sizes>[ by <strides>][ at <offset>][ written]], ...
//             <kind> <type> <sizes> map <box>[ swizzle <bytes>], ...
//
// With `map`, the parameter is the tensor map of a dense buffer.
// With `dependent`, the kernel is launched, and once more with the buffers in reverse order, as a
// launch that depends on the first one.
// Buffers are `in` (random), `iota`, `zero` or `out` (fresh). Where one has a box, all have one.
// A line that ends with FAULT is the mistake; `// CLEAN:` stands before what belongs there
// instead. The error names the line with HERE, else the first one with FAULT. Which of several
// blocks finds a race depends on time, so that this message has an N in place of each number.
//
//===----------------------------------------------------------------------===//

#include "HostKernelTest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <algorithm>
#include <map>

using namespace fuser::test;
using fuser::runtime::LaunchConfig;
using fuser::runtime::MemoryRange;
using llvm::StringRef;

namespace {

struct Buffer {
  std::string kind, type;
  int64_t elements = 0;
  bool hasBox = false, written = false;
  std::vector<int64_t> shape, mapBox;
  int64_t swizzle = 0;
  int64_t offset = 0;
  std::vector<int64_t> sizes, strides;

  uint32_t elementBytes() const { return type == "bf16" ? 2 : 4; }
};

struct Fault {
  std::string name, expected, message, text;
  LaunchConfig launch;
  std::vector<Buffer> buffers;
  unsigned line = 0; ///< that the error names
};

std::vector<int64_t> parseNumbers(StringRef text) {
  std::vector<int64_t> numbers;
  for (StringRef part : llvm::split(text, 'x')) {
    int64_t number = 0;
    EXPECT_FALSE(part.getAsInteger(10, number)) << text.str();
    numbers.push_back(number);
  }
  return numbers;
}

Buffer parseBuffer(StringRef text) {
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  EXPECT_GE(words.size(), 3u) << text.str();
  Buffer buffer;
  buffer.kind = words[0];
  buffer.type = words[1];
  buffer.shape = parseNumbers(words[2]);
  buffer.elements = 1;
  for (int64_t size : buffer.shape)
    buffer.elements *= size;
  buffer.sizes = {buffer.elements};
  for (size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "map" || words[i] == "swizzle") {
      if (words[i] == "map")
        buffer.mapBox = parseNumbers(words[++i]);
      else
        buffer.swizzle = parseNumbers(words[++i])[0];
      continue;
    }
    if (words[i] == "written")
      buffer.written = true;
    else if (words[i] == "box")
      buffer.sizes = parseNumbers(words[++i]);
    else if (words[i] == "by")
      buffer.strides = parseNumbers(words[++i]);
    else if (words[i] == "at")
      buffer.offset = parseNumbers(words[++i])[0];
    else
      ADD_FAILURE() << "expected a property of a buffer, but got " << words[i].str();
    buffer.hasBox = true;
  }
  if (buffer.strides.empty())
    buffer.strides = {1};
  return buffer;
}

LaunchConfig parseLaunch(StringRef text) {
  LaunchConfig config;
  for (StringRef part : llvm::split(text, ',')) {
    auto [what, value] = part.trim().split(' ');
    if (what == "cooperative")
      config.cooperative = true;
    else if (what == "dependent")
      config.dependent = true;
    else if (what == "shared")
      config.dynamicSharedBytes = static_cast<uint32_t>(parseNumbers(value)[0]);
    else
      llvm::copy(parseNumbers(value), what == "grid"      ? config.grid
                                      : what == "cluster" ? config.cluster
                                                          : config.block);
  }
  return config;
}

Fault readFault(const std::string &path) {
  Fault fault;
  fault.name = llvm::sys::path::stem(path).str();
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return fault;
  fault.text = (*file)->getBuffer().str();
  unsigned number = 0;
  bool found = false;
  for (StringRef line : llvm::split(fault.text, '\n')) {
    ++number;
    if (line.consume_front("// EXPECT: "))
      fault.expected = line;
    else if (line.consume_front("// MESSAGE: "))
      fault.message = line;
    else if (line.consume_front("// LAUNCH: "))
      fault.launch = parseLaunch(line);
    else if (line.consume_front("// PARAMS: "))
      for (StringRef part : llvm::split(line, ','))
        fault.buffers.push_back(parseBuffer(part));
    const bool isHere = line.contains("// HERE");
    if (!found && (isHere || (line.ends_with("FAULT") && fault.line == 0))) {
      fault.line = number;
      found = isHere;
    }
  }
  return fault;
}

/// The message without what a fault's file does not state.
std::string simplify(const Fault &fault, StringRef message) {
  std::vector<std::pair<const char *, const char *>> changes = {
      {" at kernel\\.mlir:[0-9]+:[0-9]+", ""}, {"0x[0-9a-f]+", "an address"}};
  const LaunchConfig &launch = fault.launch;
  if (fault.expected == "DataRace" && !launch.cooperative && launch.grid[0] > launch.cluster[0])
    changes.push_back({"[0-9]+", "N"});
  std::string text = message.substr(message.find("): ") + 3).str();
  for (auto [pattern, replacement] : changes)
    for (llvm::Regex regex(pattern); regex.match(text);)
      text = regex.sub(replacement, text);
  return text;
}

/// The kernel without its mistake, line by line in the same places.
std::string withoutFault(StringRef text) {
  std::string clean;
  for (StringRef line : llvm::split(text, '\n')) {
    const size_t comment = line.find("// CLEAN: ");
    if (comment != StringRef::npos)
      clean += line.substr(comment + StringRef("// CLEAN: ").size());
    else if (!line.ends_with("FAULT"))
      clean += line;
    clean += '\n';
  }
  return clean;
}

std::vector<std::string> listFaults() {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator at(FUSER_FAULTS_DIR, error), end; at != end && !error;
       at.increment(error))
    paths.push_back(at->path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

class FaultTable : public HostKernelTest, public ::testing::WithParamInterface<std::string> {
protected:
  ~FaultTable() override {
    for (void *memory : owned)
      EXPECT_TRUE(device->free(memory, nullptr).ok());
  }

  /// Compiles \p text with checks and launches it on fresh buffers.
  fuser::runtime::Status runChecked(const Fault &fault, const std::string &text) {
    fuser::HostTargetOptions options;
    options.checkAccesses = true;
    auto kernel = load(text, options);
    if (!kernel)
      return fuser::artifact::makeError(ErrorCode::InvalidProgram, "no kernel");
    std::vector<char *> memory;
    for (const Buffer &buffer : fault.buffers)
      memory.push_back(allocate(buffer));
    LaunchConfig config = fault.launch;
    if (config.dependent) {
      config.dependent = false;
      fuser::runtime::Status status = launchOn(*kernel, fault, config, memory);
      if (!status)
        return status;
      config.dependent = true;
      std::reverse(memory.begin(), memory.end());
    }
    return launchOn(*kernel, fault, config, memory);
  }

private:
  fuser::runtime::Status launchOn(fuser::runtime::LoadedKernel &kernel, const Fault &fault,
                                  LaunchConfig config, const std::vector<char *> &memory) {
    Parameters parameters;
    std::vector<MemoryRange> ranges;
    const bool boxes = llvm::any_of(fault.buffers, [](const Buffer &b) { return b.hasBox; });
    for (auto [buffer, address] : llvm::zip_equal(fault.buffers, memory)) {
      if (buffer.mapBox.empty())
        parameters.add(address);
      else
        parameters.add(makeMap(buffer, address));
      if (boxes)
        ranges.push_back(rangeOf(buffer, address, static_cast<uint32_t>(ranges.size())));
    }
    config.ranges = ranges;
    return launch(kernel, config, parameters);
  }

  fuser::runtime::TensorMap makeMap(const Buffer &buffer, const char *memory) {
    fuser::runtime::TensorMapSpec spec;
    spec.address = memory;
    spec.rank = static_cast<uint32_t>(buffer.shape.size());
    spec.elementBytes = buffer.elementBytes();
    spec.swizzle = static_cast<uint32_t>(buffer.swizzle);
    int64_t stride = spec.elementBytes;
    for (uint32_t dim = spec.rank; dim-- > 0;) {
      spec.sizes[dim] = buffer.shape[dim];
      spec.box[dim] = static_cast<uint32_t>(buffer.mapBox[dim]);
      spec.strides[dim] = stride;
      stride *= buffer.shape[dim];
    }
    fuser::runtime::TensorMap map;
    fuser::runtime::Status status = device->makeTensorMap(spec, "map", map);
    EXPECT_TRUE(status.ok()) << status.error().str();
    return map;
  }

  char *allocate(const Buffer &buffer) {
    const size_t bytes = buffer.elements * buffer.elementBytes();
    auto memory = device->allocate(bytes, nullptr);
    EXPECT_TRUE(memory.ok());
    owned.push_back(*memory);
    if (buffer.kind == "zero") {
      EXPECT_TRUE(device->fill(*memory, 0, bytes, nullptr).ok());
    } else if (buffer.kind != "out") {
      std::vector<char> content(bytes);
      for (int64_t i = 0; i < buffer.elements; ++i) {
        const auto number = static_cast<int32_t>(buffer.kind == "iota" ? i : random());
        std::memcpy(content.data() + i * buffer.elementBytes(), &number, buffer.elementBytes());
      }
      EXPECT_TRUE(device->copyToDevice(*memory, content.data(), bytes, nullptr).ok());
    }
    return static_cast<char *>(*memory);
  }

  static MemoryRange rangeOf(const Buffer &buffer, const char *memory, uint32_t parameter) {
    MemoryRange range;
    range.parameter = parameter;
    range.reads = buffer.kind != "out";
    range.writes = buffer.kind == "out" || buffer.kind == "zero" || buffer.written;
    range.elementBytes = buffer.elementBytes();
    range.origin = range.begin = memory + buffer.offset * range.elementBytes;
    range.rank = static_cast<uint32_t>(buffer.sizes.size());
    range.sizes = buffer.sizes.data();
    range.strides = buffer.strides.data();
    int64_t last = 0;
    for (uint32_t i = 0; i < range.rank; ++i)
      last += (buffer.sizes[i] - 1) * buffer.strides[i];
    range.bytes = static_cast<uint64_t>(last + 1) * range.elementBytes;
    return range;
  }

  std::mt19937 random{20};
  std::vector<void *> owned;
};

TEST_P(FaultTable, IsFoundAndNamed) {
  const Fault fault = readFault(GetParam());
  ASSERT_NE(fault.line, 0u);
  fuser::runtime::Status status = runChecked(fault, fault.text);
  ASSERT_FALSE(status.ok()) << "the fault is not found";
  const std::string &message = status.error().message;
  EXPECT_EQ(fuser::artifact::toString(status.error().code), fault.expected) << message;
  EXPECT_EQ(message.find("kernel 'k', block ("), 0u) << message;
  // In a deadlock no thread has more to do with it than the others.
  if (fault.expected != "Deadlock") {
    EXPECT_NE(message.find("), thread ("), std::string::npos) << message;
  }
  EXPECT_EQ(simplify(fault, message), fault.message);
  const std::string place = " at kernel.mlir:" + std::to_string(fault.line) + ":";
  EXPECT_NE(message.find(place), std::string::npos) << message << "\nexpected" << place;
}

TEST_P(FaultTable, IsSilentWithoutIt) {
  const Fault fault = readFault(GetParam());
  fuser::runtime::Status status = runChecked(fault, withoutFault(fault.text));
  EXPECT_TRUE(status.ok()) << status.error().str();
}

INSTANTIATE_TEST_SUITE_P(Faults, FaultTable, ::testing::ValuesIn(listFaults()),
                         [](const ::testing::TestParamInfo<std::string> &info) {
                           std::string name = llvm::sys::path::stem(info.param).str();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// Each check has several faults of its own.
TEST(FaultTableItself, CoversEveryCheck) {
  std::map<std::string, unsigned> counts;
  for (const std::string &path : listFaults())
    ++counts[readFault(path).expected];
  unsigned total = 0;
  for (const char *code : {"OutOfBounds", "BoxViolation", "DataRace", "BarrierDivergence",
                           "Deadlock", "UninitializedRead", "AlignmentMismatch"}) {
    EXPECT_GE(counts[code], 2u) << code;
    total += counts[code];
  }
  EXPECT_GE(total, 60u);
}

} // namespace
