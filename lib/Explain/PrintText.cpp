//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The report as text, and as remarks.
//
//===----------------------------------------------------------------------===//

#include "fuser/Explain/Explanation.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;

//===----------------------------------------------------------------------===//
// Phrases
//===----------------------------------------------------------------------===//

std::string fuser::explain::formatBytes(double bytes) {
  const char *unit = "B";
  for (const char *next : {"KB", "MB", "GB", "TB"}) {
    if (bytes < 1000)
      break;
    bytes /= 1000;
    unit = next;
  }
  return llvm::formatv(bytes < 10 && unit[0] != 'B' ? "{0:f2} {1}" : "{0:f0} {1}", bytes, unit)
      .str();
}

std::string fuser::explain::formatTime(double microseconds) {
  if (microseconds < 1000)
    return llvm::formatv("{0:f1} us", microseconds).str();
  return llvm::formatv("{0:f2} ms", microseconds / 1000).str();
}

std::string fuser::explain::describe(const RefusalNote &refusal) {
  return refusal.scheduler + " [" + refusal.code + "]: " + refusal.sentence;
}

std::string fuser::explain::describe(const Boundary &boundary) {
  if (boundary.reason == BoundaryRecord::Reason::Cost)
    return "together it would take " + formatTime(boundary.together) + ", apart " +
           formatTime(boundary.apart);
  const std::string sentence = describeReason(boundary.reason).str();
  return boundary.reason == BoundaryRecord::Reason::Refusal && !boundary.refusals.empty()
             ? sentence + ": " + describe(boundary.refusals[0])
             : sentence;
}

/// ", 4096 blocks x 512 threads"; empty if not known.
static std::string describeGrid(const ResourceUse &use) {
  if (use.blocks <= 0)
    return "";
  return ", " + std::to_string(use.blocks) + " blocks x " + std::to_string(use.threads) +
         " threads";
}

std::string fuser::explain::describe(const SegmentNode &segment) {
  return (segment.scheduler.empty() ? "no kernel" : segment.scheduler) + ", " +
         std::to_string(segment.ops.size()) + (segment.ops.size() == 1 ? " op" : " ops") +
         describeGrid(segment.use);
}

std::string fuser::explain::describe(const CopyNode &copy) {
  return copy.scheduler + ", copies a buffer" + describeGrid(copy.use);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {

class TextPrinter {
public:
  TextPrinter(llvm::raw_ostream &out, const Explanation &all) : out(out), all(all) {}

  void printSummary();
  void printSegment(unsigned number);
  void printCopies();
  void printBoundaries();
  void printLaunches();
  void printStreams();
  void printLayouts();

private:
  llvm::raw_ostream &title(StringRef text) { return out << llvm::left_justify(text, 12); }
  void printValues(StringRef what, ArrayRef<unsigned> values);

  llvm::raw_ostream &out;
  const Explanation &all;
};

} // namespace

static std::string describeTotals(const Totals &totals) {
  return llvm::formatv("{0} kernel{1}, {2} read, {3} written, {4}", totals.kernels,
                       totals.kernels == 1 ? "" : "s", formatBytes(totals.bytesRead),
                       formatBytes(totals.bytesWritten), formatTime(totals.microseconds))
      .str();
}

void TextPrinter::printSummary() {
  title("program") << "@" << all.program << "\n";
  title("device") << all.device << "\n";
  title("sizes") << (all.sizes.empty() ? "not known: each dimension is taken to be " +
                                             std::to_string(int64_t(kUnknownSize))
                                       : all.sizes)
                 << "\n";
  title("fused") << describeTotals(all.fused) << "\n";
  title("unfused") << describeTotals(all.unfused);
  if (all.fused.microseconds > 0)
    out << llvm::format(" (%.2fx)", all.unfused.microseconds / all.fused.microseconds);
  out << "\n";
  title("asked") << all.counts.queries << " groups, " << all.counts.answers << " answers; "
                 << all.counts.accepted << " accepted whole, " << all.counts.shattered
                 << " taken apart, " << all.counts.parts << " parts, " << all.counts.merges
                 << " merges, " << all.counts.costly << " too costly, " << all.counts.recomputed
                 << " recomputed\n";
}

void TextPrinter::printValues(StringRef what, ArrayRef<unsigned> values) {
  if (values.empty())
    return;
  out << "  " << what << "  ";
  llvm::interleaveComma(values, out, [&](unsigned number) {
    const TensorNode &value = all.values[number];
    out << value.name << " (" << formatBytes(value.bytes);
    for (unsigned output : value.outputs)
      out << ", output " << output;
    out << ")";
  });
  out << "\n";
}

void TextPrinter::printSegment(unsigned number) {
  const SegmentNode &segment = all.segments[number];
  out << "\nsegment " << number << "  "
      << (segment.kernel.empty() ? "" : "@" + segment.kernel + ": ") << describe(segment) << ", "
      << formatBytes(segment.work.bytesRead) << " read, " << formatBytes(segment.work.bytesWritten)
      << " written, " << formatTime(segment.microseconds);
  if (auto it = all.measured.find(segment.kernel); it != all.measured.end())
    out << " (measured " << formatTime(it->second) << ")";
  out << "\n";
  for (unsigned op : segment.ops)
    out << (llvm::is_contained(segment.recomputed, op) ? "  * " : "    ") << all.ops[op].text
        << "\n";
  printValues("reads ", segment.reads);
  printValues("writes", segment.writes);
  if (!segment.tuned.empty())
    out << "  tuned   " << segment.tuned << "\n";
  if (segment.isSettled)
    out << "  settled: the order of a buffer that it reads or writes changed after segmentation\n";
  if (segment.candidates.size() >= 2) {
    out << "  instead of  ";
    llvm::ListSeparator separator;
    for (const CandidateNote &candidate : segment.candidates)
      if (candidate.scheduler != segment.scheduler)
        out << separator << candidate.scheduler << " (" << formatTime(candidate.microseconds)
            << ")";
    out << "\n";
  }
  if (segment.script.empty()) {
    if (segment.scheduler == kByHand)
      out << "  no schedule is predicted: the time is that of its bytes and operations at the "
             "rates of the device\n";
    return;
  }
  out << "  scheduled by the script, so that the scheduler, blocks and time above do not apply:\n";
  for (const std::string &op : segment.script)
    out << "    " << op << "\n";
}

void TextPrinter::printCopies() {
  for (const CopyNode &copy : all.copies)
    out << "\ncopy       @" << copy.kernel << ": " << describe(copy) << ", "
        << formatBytes(copy.work.bytesRead) << " read, " << formatBytes(copy.work.bytesWritten)
        << " written, " << formatTime(copy.microseconds) << "\n";
}

void TextPrinter::printBoundaries() {
  if (all.boundaries.empty() && all.ignoredMarks.empty())
    return;
  out << "\nboundaries\n";
  for (const Boundary &boundary : all.boundaries) {
    const TensorNode &value = all.values[boundary.value];
    out << "  " << boundary.producer << " -> " << boundary.consumer << "  " << value.name << " ("
        << formatBytes(value.bytes) << ")  " << describe(boundary) << "\n";
    for (const RefusalNote &refusal :
         ArrayRef(boundary.refusals).drop_front(std::min<size_t>(1, boundary.refusals.size())))
      if (refusal.isSpecific)
        out << "      " << describe(refusal) << "\n";
  }
  for (const std::string &mark : all.ignoredMarks)
    out << "  not honoured: " << mark << "\n";
}

void TextPrinter::printLaunches() {
  if (all.launches.empty())
    return;
  out << "\nlaunches\n";
  for (const Launch &launch : all.launches) {
    out << "  @" << launch.kernel << " ins(";
    llvm::interleaveComma(launch.inputs, out);
    out << ") outs(";
    llvm::interleaveComma(launch.outputs, out);
    out << ")";
    if (launch.batch)
      out << " batch " << *launch.batch;
    if (launch.stream)
      out << " stream " << *launch.stream;
    out << "\n";
  }
  for (auto [number, batch] : llvm::enumerate(all.batches))
    out << "  batch " << number << ": one launch instead of " << batch.launches << ", "
        << formatTime(batch.together) << " instead of " << formatTime(batch.apart) << "\n";
  printStreams();
}

/// One lane for each stream: "[3===]" is launch 3 from its start to its end.
void TextPrinter::printStreams() {
  constexpr double kColumns = 72;
  double end = 0;
  unsigned numStreams = 0;
  for (const Launch &launch : all.launches)
    if (launch.stream) {
      end = std::max(end, launch.end);
      numStreams = std::max(numStreams, *launch.stream + 1);
    }
  if (numStreams < 2 || end <= 0)
    return;
  out << "\nstreams (predicted, " << formatTime(end) << ")\n";
  for (unsigned stream = 0; stream < numStreams; ++stream) {
    std::string lane(size_t(kColumns), ' ');
    for (auto [number, launch] : llvm::enumerate(all.launches)) {
      if (launch.stream != stream)
        continue;
      const size_t first = size_t(launch.start / end * kColumns);
      const size_t last = std::min(lane.size(), size_t(launch.end / end * kColumns));
      std::string text = "[" + std::to_string(number);
      text.resize(std::max<size_t>(last - std::min(first, last), 1), '=');
      text.back() = ']';
      lane.replace(first, text.size(), text);
    }
    out << "  stream " << stream << "  |" << StringRef(lane).take_front(size_t(kColumns)) << "|\n";
  }
}

void TextPrinter::printLayouts() {
  out << "\nlayouts of the fusion\n";
  printTable(out, all.layouts);
  if (all.buffers.empty())
    return;
  out << "\nlayouts of the host function\n";
  printTable(out, all.buffers);
}

void fuser::explain::printText(llvm::raw_ostream &out, const Explanation &explanation) {
  TextPrinter printer(out, explanation);
  printer.printSummary();
  for (unsigned number = 0, e = explanation.segments.size(); number < e; ++number)
    printer.printSegment(number);
  printer.printCopies();
  printer.printBoundaries();
  printer.printLaunches();
  printer.printLayouts();
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

void fuser::explain::emitRemarks(const Explanation &explanation) {
  for (auto [number, segment] : llvm::enumerate(explanation.segments))
    emitRemark(segment.loc) << "segment " << number << ": " << describe(segment) << ", predicted "
                            << formatTime(segment.microseconds);
  for (const Boundary &boundary : explanation.boundaries) {
    InFlightDiagnostic remark = emitRemark(boundary.loc)
                                << "boundary of segments " << boundary.producer << " and "
                                << boundary.consumer << ": " << describe(boundary);
    for (const RefusalNote &refusal :
         ArrayRef(boundary.refusals).drop_front(std::min<size_t>(1, boundary.refusals.size())))
      remark.attachNote() << describe(refusal);
  }
}
