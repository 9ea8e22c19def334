//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What each scheduler answers for kernels of Inputs/choices.mlir, and the work and the time that
// are predicted, compared as text with Inputs/choices.txt: thresholds and terms of costs that no
// other test is close to; and the sizes at which parameters change, in Inputs/changes.txt. After a
// justified change of a scheduler or of the model:
//   FUSER_UPDATE_CHOICES=1 build/bin/FuserSchedulingTests --gtest_filter='Choices.*'
//
//===----------------------------------------------------------------------===//

#include "KernelFixture.h"
#include "fuser/Scheduling/Candidates.h"
#include "fuser/Scheduling/Schedulers/Schedulers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdlib>

using namespace fuser;
using llvm::StringRef;

namespace {

class Choices : public KernelTest {
protected:
  static std::string read(StringRef name) {
    auto file = llvm::MemoryBuffer::getFile((FUSER_TEST_INPUTS "/" + name).str());
    return file ? (*file)->getBuffer().str() : "";
  }

  /// One line for each scheduler that accepts the kernel, the chosen one first; of the others the
  /// sentences of their refusals, where they are wanted.
  void print(StringRef sizes, const artifact::DeviceDescription &device, bool withRefusals) {
    mlir::FailureOr<KernelView> view = KernelView::create(kernel);
    mlir::FailureOr<SizeHints> hints = SizeHints::parse(kernel, sizes);
    ASSERT_TRUE(succeeded(view) && succeeded(hints)) << message;
    Candidates candidates = askSchedulers(*view, *registry, *hints, device);
    for (const Candidate &candidate : candidates.all) {
      if (!candidate.refusal)
        print(candidate, &candidate == candidates.getChosen() ? "  + " : "  - ");
      else if (withRefusals)
        out << "  " << candidate.scheduler->getName() << ": " << candidate.refusal->sentence
            << "\n";
    }
  }

  void print(const Candidate &candidate, StringRef mark) {
    const ResourceUse &use = candidate.choice.use;
    const KernelWork &work = candidate.work;
    out << mark;
    candidate.choice.params.print(out);
    for (FactAttr fact : candidate.choice.facts) {
      std::string name;
      llvm::raw_string_ostream(name) << fact;
      // "#fuser.fact<NAME>"
      out << ", " << StringRef(name).drop_front(12).drop_back(1);
    }
    out << "\n    " << use.blocks << " x " << use.threads << ", " << use.registers << " registers, "
        << use.sharedBytes << " shared, " << use.bytesInFlight << " in flight, " << use.numSteps
        << " steps, scattered";
    for (unsigned tensor : use.scattered)
      out << " " << tensor;
    out << llvm::format(", again %.4g, busy %.3g\n", use.bytesReadAgain, use.busyShare)
        << llvm::format("    read %.4g, written %.4g, wasted %.4g", work.bytesRead,
                        work.bytesWritten, work.bytesWasted)
        << llvm::format(", operations %.4g: %.4g us\n", work.operations, candidate.microseconds);
  }

  /// The kernels of a file.
  static llvm::SmallVector<StringRef> getPrograms(StringRef file) {
    llvm::SmallVector<StringRef> parts;
    file.split(parts, "\n\n");
    parts.erase(parts.begin());
    return parts;
  }

  /// Reads a kernel of elements of a type.
  void parseFor(StringRef program, StringRef type) {
    std::string kernelText = program.split("fuser.kernel").second.str();
    for (size_t at = 0; (at = kernelText.find_first_of('T', at)) != std::string::npos;)
      kernelText.replace(at, 1, type.str());
    parse("fuser.kernel" + kernelText);
  }

  std::string getParameters(StringRef sizes, const artifact::DeviceDescription &device) {
    mlir::FailureOr<KernelView> view = KernelView::create(kernel);
    mlir::FailureOr<SizeHints> hints = SizeHints::parse(kernel, sizes);
    if (failed(view) || failed(hints))
      return message;
    Candidates candidates = askSchedulers(*view, *registry, *hints, device);
    std::string chosen, others;
    for (const Candidate &candidate : candidates.all) {
      if (candidate.refusal)
        continue;
      std::string &list = &candidate == candidates.getChosen() ? chosen : others;
      std::string params;
      llvm::raw_string_ostream stream(params);
      candidate.choice.params.print(stream);
      // "#fuser_sched.NAME<...>"
      list += " " + StringRef(params).split('.').second.str();
    }
    return chosen + (others.empty() ? "" : " |" + others);
  }

  /// Compares what was printed with a file.
  void compareWith(StringRef file) {
    if (std::getenv("FUSER_UPDATE_CHOICES")) {
      std::error_code error;
      llvm::raw_fd_ostream((FUSER_TEST_INPUTS "/" + file).str(), error) << text;
      ASSERT_FALSE(error) << error.message();
    }
    const std::string expected = read(file);
    llvm::SmallVector<StringRef> lines, expectedLines;
    StringRef(text).split(lines, '\n');
    StringRef(expected).split(expectedLines, '\n');
    ASSERT_EQ(lines.size(), expectedLines.size());
    for (size_t i = 0; i < lines.size(); ++i)
      EXPECT_EQ(lines[i].str(), expectedLines[i].str()) << "line " << i + 1;
  }

  std::shared_ptr<const SchedulerRegistry> registry = createDefaultRegistry();
  std::string text;
  llvm::raw_string_ostream out{text};
};

/// "// KEY a b c" of the lines of a kernel: a, b and c.
llvm::SmallVector<StringRef> getList(StringRef program, StringRef key) {
  StringRef rest = program.split(("// " + key + " ").str()).second;
  llvm::SmallVector<StringRef> words;
  rest.take_until([](char c) { return c == '\n'; }).split(words, ' ');
  return words;
}

/// The sizes that are a fraction of the way from `a` to `b`, on a logarithmic scale: of large ones,
/// multiples of 16.
std::string interpolate(StringRef a, StringRef b, double fraction) {
  std::string text;
  while (!a.empty()) {
    if (!llvm::isDigit(a.front())) {
      text += a.front();
      a = a.drop_front();
      b = b.drop_front();
      continue;
    }
    uint64_t from = 0, to = 0;
    a.consumeInteger(10, from);
    b.consumeInteger(10, to);
    double size = std::round(double(from) * std::pow(double(to) / double(from), fraction));
    if (size > 128)
      size = std::round(size / 16) * 16;
    text += std::to_string(uint64_t(size));
  }
  return text;
}

TEST_F(Choices, AreThoseOfTheTable) {
  const std::string programs = read("choices.mlir");
  for (StringRef program : getPrograms(programs)) {
    for (StringRef type : getList(program, "types")) {
      parseFor(program, type);
      for (auto [number, sizes] : llvm::enumerate(getList(program, "sizes")))
        for (StringRef chip : {"h200", "a100"}) {
          // Another device for one type: what depends on it depends on the type alike.
          if (chip == "a100" && type != "f32")
            continue;
          out << program.split('\n').first.drop_front(3) << " of " << type << ", " << sizes
              << " on " << chip << "\n";
          print(sizes, *artifact::lookupDevice(chip.str()),
                /*withRefusals=*/number == 0 && chip == "h200" && type == "f32");
        }
    }
  }
  compareWith("choices.txt");
}

/// The parameters of all schedulers that accept a kernel, the chosen one first, where they differ
/// from those of the sizes before: sizes between those of the table.
TEST_F(Choices, ChangeAtTheseSizes) {
  constexpr unsigned kSteps = 12;
  const std::string programs = read("choices.mlir");
  for (StringRef program : getPrograms(programs)) {
    for (auto [type, chip] : {std::pair("f32", "h200"), {"bf16", "h200"}, {"f32", "a100"}}) {
      llvm::SmallVector<StringRef> sizes = getList(program, "sizes");
      if (!llvm::is_contained(getList(program, "types"), type))
        continue;
      parseFor(program, type);
      out << program.split('\n').first.drop_front(3) << " of " << type << " on " << chip << "\n";
      std::string last;
      for (unsigned step = 0; step < kSteps * (sizes.size() - 1); ++step) {
        const std::string between = interpolate(sizes[step / kSteps], sizes[step / kSteps + 1],
                                                double(step % kSteps) / kSteps);
        std::string all = getParameters(between, *artifact::lookupDevice(chip));
        if (all != last)
          out << between << all << "\n";
        last = std::move(all);
      }
    }
  }
  compareWith("changes.txt");
}

} // namespace
