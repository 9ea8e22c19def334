//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// How rows are distributed over threads, as the lengths at which the distribution changes:
// Inputs/row-fits.txt. After a justified change:
//   FUSER_UPDATE_CHOICES=1 build/bin/FuserSchedulingTests --gtest_filter='RowFit.*'
//
//===----------------------------------------------------------------------===//

#include "RowFit.h"
#include "ReductionLoops.h"
#include "fuser/Artifact/DeviceDescription.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace fuser;

namespace {

std::string print(const std::optional<RowFit> &fit) {
  if (!fit)
    return "none";
  std::string text = llvm::formatv("{0} x {1}", fit->threads, fit->vectors);
  if (fit->cluster != 1)
    text += llvm::formatv(" x {0} blocks", fit->cluster).str();
  if (fit->part != 1)
    text += llvm::formatv(", {0} of a part", fit->part).str();
  return text;
}

/// Each length from which the fit is another one, up to the first that has none.
void addTable(llvm::raw_ostream &out, llvm::StringRef name,
              llvm::function_ref<std::optional<RowFit>(int64_t)> fitLength, int64_t first = 1) {
  out << name << "\n";
  std::string last;
  for (int64_t row = first; last != "none"; ++row) {
    std::string now = print(fitLength(row));
    if (now != last)
      out << "  " << row << ": " << now << "\n";
    last = std::move(now);
  }
}

TEST(RowFit, ChangesAtTheseLengths) {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto addBlock = [&](llvm::StringRef name, const RowElements &elements, bool isOneLength = true) {
    addTable(out, name, [&](int64_t row) { return fitBlock(row, elements, isOneLength); });
  };
  auto few = [](RowElements elements) {
    elements.numRows = kRowsToShareWarps - 1;
    return elements;
  };
  addBlock("f32, vectors of 4", {4, 4, 4});
  addBlock("f32, single elements", {1, 4, 4});
  addBlock("f32, vectors of 4, few rows", few({4, 4, 4}));
  addBlock("f32, single elements, few rows", few({1, 4, 4}));
  addBlock("f64, vectors of 2", {2, 8, 8});
  addBlock("bf16, vectors of 8", {8, 2, 2});
  addBlock("bf16, vectors of 8, of any length", {8, 2, 2}, /*isOneLength=*/false);
  addBlock("bf16, vectors of 8, two steps", {8, 2, 2, 0, 2});
  RowElements slow{8, 2, 2};
  slow.areManyRows = false;
  addBlock("bf16, vectors of 8, not several waves", slow);
  addBlock("bf16 kept as f32, vectors of 8", {8, 2, 4});
  addBlock("two of bf16, vectors of 4", {4, 2, 4});
  addBlock("two of bf16, vectors of 8, one step", {8, 2, 4});
  addBlock("two of bf16, vectors of 8, two steps", {8, 2, 4, 0, 2});
  addBlock("i8, vectors of 16", {16, 1, 1});
  addBlock("f32, parts of 20, vectors of 4", {4, 4, 4, 20});
  addBlock("f32, parts of 300, vectors of 4", {4, 4, 4, 300});
  addBlock("bf16, parts of 64, vectors of 8", {8, 2, 2, 64});

  artifact::DeviceDescription device = *artifact::lookupDevice("sm_90");
  for (uint32_t blocks : {1, 2, 7, 8, 16}) {
    device.maxClusterBlocks = blocks;
    const RowElements elements{4, 4, 4};
    addTable(
        out, llvm::formatv("f32, vectors of 4, clusters of {0}", blocks).str(),
        [&](int64_t row) { return fitRow(row, elements, device); }, /*first=*/32000);
  }
  device.maxClusterBlocks = 8;
  for (auto [name, elements] : {std::pair("64 kept bytes, vectors of 4", RowElements{4, 16, 64}),
                                std::pair("64 kept bytes, vectors of 8", RowElements{8, 16, 64}),
                                std::pair("f32, parts of 1000", RowElements{4, 4, 4, 1000})})
    addTable(
        out, name, [&, &elements = elements](int64_t row) { return fitRow(row, elements, device); },
        /*first=*/2000);

  const char *file = FUSER_TEST_INPUTS "/row-fits.txt";
  if (std::getenv("FUSER_UPDATE_CHOICES")) {
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
    ASSERT_FALSE(error) << error.message();
  }
  auto expected = llvm::MemoryBuffer::getFile(file);
  ASSERT_TRUE(expected);
  llvm::SmallVector<llvm::StringRef> lines, expectedLines;
  llvm::StringRef(text).split(lines, '\n');
  (*expected)->getBuffer().split(expectedLines, '\n');
  ASSERT_EQ(lines.size(), expectedLines.size());
  for (size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].str(), expectedLines[i].str()) << "line " << i + 1;
}

// 1024 threads with 128 bytes each, or 64 KiB of each of at most 8 blocks.
TEST(RowFit, BytesOfTheLongestRow) {
  artifact::DeviceDescription device = *artifact::lookupDevice("sm_90");
  const std::pair<uint32_t, int64_t> cases[] = {{0, 131072}, {1, 131072}, {2, 131072},
                                                {3, 196608}, {8, 524288}, {16, 524288}};
  for (auto [blocks, bytes] : cases) {
    device.maxClusterBlocks = blocks;
    EXPECT_EQ(getMostKeptBytes(device), bytes) << blocks;
  }
}

} // namespace
