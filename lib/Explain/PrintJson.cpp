//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The report as JSON. Keys are stable: docs/explain.md lists them.
//
//===----------------------------------------------------------------------===//

#include "fuser/Explain/Explanation.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace fuser;
using namespace fuser::explain;
namespace json = llvm::json;

template <typename Range> static json::Array toArray(const Range &range) {
  json::Array array;
  for (const auto &element : range)
    array.push_back(element);
  return array;
}

static json::Array toJson(ArrayRef<RefusalNote> refusals) {
  json::Array array;
  for (const RefusalNote &refusal : refusals)
    array.push_back(json::Object{{"scheduler", refusal.scheduler},
                                 {"code", refusal.code},
                                 {"sentence", refusal.sentence},
                                 {"specific", refusal.isSpecific}});
  return array;
}

static json::Array toJson(ArrayRef<CandidateNote> candidates) {
  json::Array array;
  for (const CandidateNote &candidate : candidates)
    array.push_back(
        json::Object{{"scheduler", candidate.scheduler}, {"microseconds", candidate.microseconds}});
  return array;
}

static json::Object toJson(const Totals &totals) {
  return json::Object{{"kernels", totals.kernels},
                      {"bytes_read", totals.bytesRead},
                      {"bytes_written", totals.bytesWritten},
                      {"microseconds", totals.microseconds}};
}

static json::Object toJson(const TensorNode &value) {
  return json::Object{{"name", value.name},
                      {"type", value.type},
                      {"bytes", value.bytes},
                      {"order", toArray(value.order)},
                      {"order_source", value.orderSource},
                      {"outputs", toArray(value.outputs)}};
}

static json::Object toJson(const OpNode &op) {
  return json::Object{{"name", op.name},
                      {"text", op.text},
                      {"operands", toArray(op.operands)},
                      {"results", toArray(op.results)}};
}

/// The keys of a kernel that segments and copies have in common.
template <typename Node> static json::Object kernelToJson(const Node &node) {
  return json::Object{{"kernel", node.kernel},
                      {"scheduler", node.scheduler},
                      {"bytes_read", node.work.bytesRead},
                      {"bytes_written", node.work.bytesWritten},
                      {"operations", node.work.operations},
                      {"blocks", node.use.blocks},
                      {"threads", node.use.threads},
                      {"registers", node.use.registers},
                      {"shared_bytes", node.use.sharedBytes},
                      {"bytes_in_flight", node.use.bytesInFlight},
                      {"occupancy", node.occupancy},
                      {"microseconds", node.microseconds}};
}

static json::Object toJson(const SegmentNode &segment) {
  json::Object object = kernelToJson(segment);
  object["ops"] = toArray(segment.ops);
  object["settled"] = segment.isSettled;
  object["recomputed"] = toArray(segment.recomputed);
  object["reads"] = toArray(segment.reads);
  object["writes"] = toArray(segment.writes);
  object["candidates"] = toJson(segment.candidates);
  object["script"] = json::Array(segment.script);
  object["tuned"] = segment.tuned;
  return object;
}

static json::Object toJson(const CopyNode &copy) { return kernelToJson(copy); }

static json::Object toJson(const Boundary &boundary) {
  json::Object object{{"value", boundary.value},
                      {"producer", boundary.producer},
                      {"consumer", boundary.consumer},
                      {"reason", stringifyReason(boundary.reason)},
                      {"refusals", toJson(boundary.refusals)}};
  if (boundary.reason == BoundaryRecord::Reason::Cost) {
    object["together_microseconds"] = boundary.together;
    object["apart_microseconds"] = boundary.apart;
  }
  return object;
}

static json::Object toJson(const Query &query) {
  return json::Object{
      {"purpose", query.purpose},           {"ops", toArray(query.ops)},
      {"scheduler", query.scheduler},       {"refusals", toJson(query.refusals)},
      {"microseconds", query.microseconds}, {"candidates", toJson(query.candidates)}};
}

static json::Object toJson(const Launch &launch) {
  json::Object object{{"kernel", launch.kernel},
                      {"inputs", toArray(launch.inputs)},
                      {"outputs", toArray(launch.outputs)}};
  if (launch.batch)
    object["batch"] = *launch.batch;
  if (launch.stream) {
    object["stream"] = *launch.stream;
    object["start_microseconds"] = launch.start;
    object["end_microseconds"] = launch.end;
  }
  return object;
}

static json::Object toJson(const Batch &batch) {
  return json::Object{{"launches", batch.launches},
                      {"together_microseconds", batch.together},
                      {"apart_microseconds", batch.apart}};
}

static json::Object toJson(const LayoutRow &row) {
  json::Object object{{"name", row.name},
                      {"kind", stringifyOrderSource(row.order.source)},
                      {"order", toArray(row.order.order)},
                      {"outcome", row.outcome}};
  if (row.order.hint) {
    object["hint"] = toArray(row.order.hint.getOrder());
    object["rule"] = row.order.hint.getRule();
  }
  return object;
}

static json::Object toJson(const SegmentationCounts &counts) {
  return json::Object{{"queries", counts.queries},   {"answers", counts.answers},
                      {"accepted", counts.accepted}, {"shattered", counts.shattered},
                      {"parts", counts.parts},       {"merges", counts.merges},
                      {"costly", counts.costly},     {"recomputed", counts.recomputed}};
}

/// Pairs of a line, counted from 0, and its sources.
static json::Array toJson(ArrayRef<SmallVector<unsigned, 1>> lines) {
  json::Array array;
  for (auto [line, sources] : llvm::enumerate(lines))
    if (!sources.empty())
      array.push_back(json::Array{line, toArray(sources)});
  return array;
}

static json::Object toJson(const StageText &stage) {
  return json::Object{
      {"stage", stage.stage}, {"text", stage.text}, {"lines", toJson(ArrayRef(stage.sources))}};
}

static json::Object toJson(const OutlineNode &node) {
  json::Object object{{"label", node.label}};
  switch (node.kind) {
  case OutlineNode::Kind::Loop: {
    json::Array items;
    for (const OutlineNode &item : node.items)
      items.push_back(toJson(item));
    object["kind"] = "loop";
    object["extent"] = node.detail;
    object["items"] = std::move(items);
    break;
  }
  case OutlineNode::Kind::Op:
    object["kind"] = "op";
    break;
  case OutlineNode::Kind::Combine:
    object["kind"] = "combine";
    object["over"] = node.detail;
    break;
  case OutlineNode::Kind::Buffer:
    object["kind"] = "buffer";
    object["type"] = node.detail;
    object["memory"] = node.memory;
    break;
  case OutlineNode::Kind::Barrier:
    object["kind"] = "barrier";
    break;
  }
  if (node.count)
    object["count"] = *node.count;
  if (!node.sources.empty())
    object["sources"] = toArray(node.sources);
  return object;
}

static json::Object toJson(const KernelTrace &kernel);

template <typename Range> static json::Array toObjects(const Range &range) {
  json::Array array;
  for (const auto &element : range)
    array.push_back(toJson(element));
  return array;
}

static json::Object toJson(const KernelTrace &kernel) {
  json::Object object{{"name", kernel.name},
                      {"stages", toObjects(kernel.stages)},
                      {"loops", toObjects(kernel.loops)}};
  if (!kernel.error.empty())
    object["error"] = kernel.error;
  if (!kernel.mergedInto.empty())
    object["merged_into"] = kernel.mergedInto;
  return object;
}

json::Value fuser::explain::writeJson(const Explanation &explanation) {
  json::Object measured;
  for (const auto &[kernel, microseconds] : explanation.measured)
    measured[kernel] = microseconds;
  return json::Object{
      {"version", 1},
      {"program", explanation.program},
      {"device", explanation.device},
      {"sizes", explanation.sizes},
      {"fused", toJson(explanation.fused)},
      {"unfused", toJson(explanation.unfused)},
      {"counts", toJson(explanation.counts)},
      {"values", toObjects(explanation.values)},
      {"ops", toObjects(explanation.ops)},
      {"segments", toObjects(explanation.segments)},
      {"copies", toObjects(explanation.copies)},
      {"boundaries", toObjects(explanation.boundaries)},
      {"ignored_marks", toArray(explanation.ignoredMarks)},
      {"queries", toObjects(explanation.queries)},
      {"launches", toObjects(explanation.launches)},
      {"batches", toObjects(explanation.batches)},
      {"layouts", toObjects(explanation.layouts)},
      {"buffers", toObjects(explanation.buffers)},
      {"roofs", json::Object{{"bytes_per_second", explanation.roofs.bytesPerSecond},
                             {"operations_per_second", explanation.roofs.operationsPerSecond}}},
      {"programs", toObjects(explanation.programs)},
      {"kernels", toObjects(explanation.kernels)},
      {"error", explanation.error},
      {"measured", std::move(measured)},
      {"measured_on", explanation.measuredOn}};
}

void fuser::explain::printJson(llvm::raw_ostream &out, const Explanation &explanation) {
  out << llvm::formatv("{0:2}", writeJson(explanation)) << "\n";
}
