//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The readable form of an artifact.
//
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/Artifact.h"

namespace fuser::artifact {
namespace {

class Printer {
public:
  explicit Printer(const Artifact &artifact) : artifact(artifact), names(argumentNames(artifact)) {}

  std::string run() {
    os << "artifact @" << artifact.name << " for " << artifact.target.chip << " ("
       << artifact.target.name << ") key " << contentKey(artifact).str() << "\n";
    for (size_t i = 0; i < artifact.arguments.size(); ++i)
      printArgument(i);
    for (const OutputSpec &output : artifact.outputs)
      printOutput(output);
    for (const Guard &guard : artifact.guards)
      printGuard(guard);
    for (size_t i = 0; i < artifact.kernels.size(); ++i)
      printKernel(i);
    os << "program\n";
    for (const Instruction &instruction : artifact.program.instructions)
      std::visit([&](const auto &op) { print(op); }, instruction);
    for (const Kernel &kernel : artifact.kernels)
      if (kernel.format == KernelFormat::PTX)
        os << "ptx of " << kernel.name << "\n" << kernel.code << "\n";
    return os.str();
  }

private:
  std::string expr(ExprId id) const { return printExpr(artifact.exprs, id, names); }
  std::string list(ArrayView<ExprId> ids) const {
    std::string text = "[";
    for (size_t i = 0; i < ids.size(); ++i)
      text += (i ? ", " : "") + expr(ids[i]);
    return text + "]";
  }
  std::string buffer(BufferId id) const {
    const Buffer &b = artifact.program.buffers[id];
    return b.name.empty() ? "%" + std::to_string(id) : "%" + b.name;
  }
  std::string list(const std::vector<BufferId> &ids, const char *open, const char *close) const {
    std::string text = open;
    for (size_t i = 0; i < ids.size(); ++i)
      text += (i ? ", " : "") + buffer(ids[i]);
    return text + close;
  }

  void printArgument(size_t index);
  void printOutput(const OutputSpec &output);
  void printGuard(const Guard &guard);
  void printKernel(size_t index);
  void print(const Alloc &op);
  void print(const Free &op) { os << "  free " << buffer(op.buffer) << "\n"; }
  void print(const View &op);
  void print(const Launch &op);
  void print(const Parameter &map);
  void print(const Box &box);
  void print(const Copy &op) {
    os << "  copy " << buffer(op.source) << " into " << buffer(op.destination) << "\n";
  }
  void print(const LibraryCall &op);
  void print(const ForBegin &op) {
    os << "  for loop" << op.loop << " < " << expr(op.count) << " streams " << op.streams << "\n";
  }
  void print(const ForEnd &op) { os << "  end loop" << op.loop << "\n"; }
  void print(const SelectStream &op) { os << "  stream " << op.stream << "\n"; }
  void print(const RecordEvent &op) { os << "  record event " << op.event << "\n"; }
  void print(const WaitEvent &op) { os << "  wait event " << op.event << "\n"; }
  void print(const Return &op) { os << "  return " << list(op.values, "", "") << "\n"; }

  const Artifact &artifact;
  std::vector<std::string> names;
  std::ostringstream os;
};

void Printer::printArgument(size_t index) {
  const ArgumentSpec &argument = artifact.arguments[index];
  os << "argument " << index << " " << argument.name << ": " << toString(argument.dtype);
  if (!argument.isTensor) {
    os << " scalar\n";
    return;
  }
  os << "[";
  for (size_t i = 0; i < argument.sizes.size(); ++i) {
    os << (i ? ", " : "");
    if (argument.sizes[i] == kDynamic)
      os << "?";
    else
      os << argument.sizes[i];
  }
  os << "] order [";
  for (size_t i = 0; i < argument.order.size(); ++i)
    os << (i ? ", " : "") << argument.order[i] << (argument.contiguous[i] ? "" : " strided");
  os << "] align " << argument.alignment
     << (index < numPassedArguments(artifact) ? "" : " constant") << "\n";
}

void Printer::printOutput(const OutputSpec &output) {
  os << "output " << output.name << ": " << toString(output.dtype) << list(output.sizes)
     << " strides " << list(output.strides);
  if (output.aliasOfArgument != kNotAnArgument)
    os << (output.isView ? " view of " : " in ") << names[output.aliasOfArgument];
  os << " align " << output.alignment;
  os << "\n";
}

void Printer::printGuard(const Guard &guard) {
  const char *relation = guard.relation == ExprKind::Equal      ? " == "
                         : guard.relation == ExprKind::NotEqual ? " != "
                         : guard.relation == ExprKind::Less     ? " < "
                                                                : " <= ";
  os << "guard " << expr(guard.lhs) << relation << expr(guard.rhs) << " : " << guard.reason << "\n";
}

void Printer::printKernel(size_t index) {
  const Kernel &kernel = artifact.kernels[index];
  os << "kernel " << index << " " << kernel.name << ": " << toString(kernel.format) << " for "
     << kernel.chip << ", entry " << kernel.entry << ", " << kernel.code.size() << " bytes";
  for (const auto &[key, value] : kernel.attributes)
    os << ", " << key << " " << value;
  os << "\n";
}

void Printer::print(const Alloc &op) {
  os << "  " << buffer(op.buffer) << " = alloc "
     << toString(artifact.program.buffers[op.buffer].dtype) << list(op.sizes) << " strides "
     << list(op.strides) << (op.zeroed ? " zeroed" : "") << "\n";
}

void Printer::print(const View &op) {
  os << "  " << buffer(op.buffer) << " = view " << buffer(op.base) << " offset " << expr(op.offset)
     << " sizes " << list(op.sizes) << " strides " << list(op.strides) << "\n";
}

void Printer::print(const Launch &op) {
  os << "  launch " << artifact.kernels[op.kernel].name << "(";
  for (size_t i = 0; i < op.parameters.size(); ++i) {
    const Parameter &parameter = op.parameters[i];
    os << (i ? ", " : "");
    if (parameter.kind == Parameter::Kind::Pointer)
      os << buffer(parameter.buffer);
    else if (parameter.kind == Parameter::Kind::Integer)
      os << expr(parameter.expr) << " : i" << 8 * parameter.bytes;
    else if (parameter.kind == Parameter::Kind::TensorMap)
      print(parameter);
    else
      os << names[parameter.argument];
  }
  os << ") grid " << list({op.grid, 3}) << " block " << list({op.block, 3}) << " cluster "
     << list({op.cluster, 3}) << " shared " << expr(op.dynamicSharedBytes)
     << (op.cooperative ? " cooperative" : "") << (op.dependent ? " dependent" : "");
  if (op.stream != kNoExpr)
    os << " stream " << expr(op.stream);
  os << "\n";
  for (const Box &box : op.boxes)
    print(box);
}

/// "map x[d0, d1] strides [d1, 1] box [64, 64] of 2 bytes swizzle 128"
void Printer::print(const Parameter &map) {
  os << "map " << buffer(map.buffer) << list(map.sizes) << " strides " << list(map.strides)
     << " box [";
  for (size_t i = 0; i < map.box.size(); ++i)
    os << (i ? ", " : "") << map.box[i];
  os << "] of " << map.bytes << " bytes";
  if (map.swizzle != 0)
    os << " swizzle " << map.swizzle;
}

void Printer::print(const Box &box) {
  os << "    "
     << (box.access == Access::Read    ? "reads "
         : box.access == Access::Write ? "writes "
                                       : "reads and writes ")
     << buffer(box.buffer) << list(box.offsets) << list(box.sizes) << " bytes ["
     << expr(box.byteBegin) << ", " << expr(box.byteEnd) << ")\n";
}

void Printer::print(const LibraryCall &op) {
  os << "  library_call " << op.name << list(op.inputs, "(", ")") << " -> "
     << list(op.outputs, "(", ")");
  for (const auto &[key, value] : op.options)
    os << " " << key << "=" << value;
  os << "\n";
}

} // namespace

std::string printArtifact(const Artifact &artifact) { return Printer(artifact).run(); }

} // namespace fuser::artifact
