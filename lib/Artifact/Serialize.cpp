//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The binary form of an artifact. Both directions share one description of the fields
// (`transfer`), so that they cannot differ.
//
//===----------------------------------------------------------------------===//

#include "fuser/Artifact/Artifact.h"

#include <type_traits>

namespace fuser::artifact {
namespace {

constexpr char kMagic[8] = {'F', 'U', 'S', 'E', 'R', 'A', 'R', 'T'};
/// Raised whenever the payload changes its meaning.
constexpr uint64_t kVersion = 6;
/// Magic, version, length and the two words of the hash.
constexpr size_t kHeaderBytes = sizeof(kMagic) + 4 * sizeof(uint64_t);

void appendWord(std::string &out, uint64_t word) {
  for (unsigned i = 0; i < 8; ++i)
    out += static_cast<char>(word >> (8 * i));
}

uint64_t wordAt(std::string_view data, size_t offset) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 8; ++i)
    word |= static_cast<uint64_t>(static_cast<unsigned char>(data[offset + i])) << (8 * i);
  return word;
}

class Writer {
public:
  static constexpr bool kReads = false;
  std::string out;

  bool ok() const { return true; }
  void fail() {}

  template <typename Integer> void integer(Integer &value) {
    // Little-endian in the type's own width.
    uint64_t word = static_cast<uint64_t>(value);
    for (size_t i = 0; i < sizeof(Integer); ++i)
      out += static_cast<char>(word >> (8 * i));
  }
  void string(std::string &text) {
    uint64_t size = text.size();
    integer(size);
    out += text;
  }
  /// Number of elements of a container, each of at least `minBytes` bytes.
  uint64_t count(uint64_t size, uint64_t minBytes) {
    integer(size);
    return size;
  }
};

/// After the first failure every read returns zero or an empty value.
class Reader {
public:
  static constexpr bool kReads = true;
  explicit Reader(std::string_view data) : data(data) {}

  bool ok() const { return !failed; }
  void fail() {
    failed = true;
    data = {};
  }
  bool atEnd() const { return data.empty(); }

  template <typename Integer> void integer(Integer &value) {
    uint64_t word = 0;
    if (data.size() < sizeof(Integer)) {
      fail();
    } else {
      for (size_t i = 0; i < sizeof(Integer); ++i)
        word |= static_cast<uint64_t>(static_cast<unsigned char>(data[i])) << (8 * i);
      data.remove_prefix(sizeof(Integer));
    }
    value = static_cast<Integer>(word);
  }
  void string(std::string &text) {
    uint64_t size = count(0, 1);
    text.assign(data.substr(0, size));
    data.remove_prefix(size);
  }
  /// Bounded by the remaining bytes, so that a damaged count cannot cause a large allocation.
  uint64_t count(uint64_t, uint64_t minBytes) {
    uint64_t size = 0;
    integer(size);
    if (size > data.size() / minBytes) {
      fail();
      return 0;
    }
    return size;
  }

private:
  std::string_view data;
  bool failed = false;
};

//===----------------------------------------------------------------------===//
// Fields, for both directions
//===----------------------------------------------------------------------===//

template <typename Stream, typename Integer>
std::enable_if_t<std::is_integral_v<Integer>> transfer(Stream &s, Integer &value) {
  if constexpr (std::is_same_v<Integer, bool>) {
    uint8_t byte = value;
    s.integer(byte);
    if (byte > 1)
      s.fail();
    value = byte == 1;
  } else {
    s.integer(value);
  }
}

template <typename Stream> void transfer(Stream &s, std::string &text) { s.string(text); }

/// An enumeration with values 0 .. limit - 1.
template <typename Stream, typename Enum>
void transferEnum(Stream &s, Enum &value, unsigned limit) {
  auto number = static_cast<uint8_t>(value);
  s.integer(number);
  if (number >= limit) {
    s.fail();
    number = 0;
  }
  value = static_cast<Enum>(number);
}

template <typename Stream> void transfer(Stream &s, DType &value) {
  transferEnum(s, value, kNumDTypes);
}
template <typename Stream> void transfer(Stream &s, ExprKind &value) {
  transferEnum(s, value, kNumExprKinds);
}
template <typename Stream> void transfer(Stream &s, KernelFormat &value) {
  transferEnum(s, value, 3);
}
template <typename Stream> void transfer(Stream &s, Access &value) { transferEnum(s, value, 4); }
template <typename Stream> void transfer(Stream &s, Parameter::Kind &value) {
  transferEnum(s, value, 4);
}

template <typename Stream, typename T> void transfer(Stream &s, std::vector<T> &elements);

template <typename Stream, typename A, typename B> void transfer(Stream &s, std::pair<A, B> &pair) {
  transfer(s, pair.first);
  transfer(s, pair.second);
}

/// Fields one after the other.
template <typename Stream, typename... Fields> void transferAll(Stream &s, Fields &...fields) {
  (transfer(s, fields), ...);
}

template <typename Stream> void transferTriple(Stream &s, ExprId (&triple)[3]) {
  transferAll(s, triple[0], triple[1], triple[2]);
}

template <typename Stream> void transfer(Stream &s, ExprNode &node) {
  transferAll(s, node.kind, node.a, node.b, node.c, node.value);
}
template <typename Stream> void transfer(Stream &s, ArgumentSpec &a) {
  transferAll(s, a.name, a.isTensor, a.dtype, a.sizes, a.order, a.contiguous, a.alignment);
}
template <typename Stream> void transfer(Stream &s, OutputSpec &o) {
  transferAll(s, o.name, o.dtype, o.sizes, o.strides, o.aliasOfArgument, o.isView, o.alignment);
}
template <typename Stream> void transfer(Stream &s, Constant &c) {
  transferAll(s, c.dtype, c.sizes, c.bytes);
}
template <typename Stream> void transfer(Stream &s, Guard &g) {
  transferAll(s, g.lhs, g.relation, g.rhs, g.reason);
}
template <typename Stream> void transfer(Stream &s, Kernel &k) {
  transferAll(s, k.name, k.format, k.chip, k.entry, k.code, k.attributes);
}
template <typename Stream> void transfer(Stream &s, Buffer &b) {
  transferAll(s, b.name, b.dtype, b.argument);
}
template <typename Stream> void transfer(Stream &s, Parameter &p) {
  transferAll(s, p.kind, p.buffer, p.expr, p.bytes, p.argument, p.sizes, p.strides, p.box,
              p.swizzle);
}
template <typename Stream> void transfer(Stream &s, Box &b) {
  transferAll(s, b.buffer, b.access, b.offsets, b.sizes, b.byteBegin, b.byteEnd);
}
template <typename Stream> void transfer(Stream &s, Alloc &op) {
  transferAll(s, op.buffer, op.sizes, op.strides, op.zeroed);
}
template <typename Stream> void transfer(Stream &s, Free &op) { transfer(s, op.buffer); }
template <typename Stream> void transfer(Stream &s, View &op) {
  transferAll(s, op.buffer, op.base, op.offset, op.sizes, op.strides);
}
template <typename Stream> void transfer(Stream &s, Launch &op) {
  transferAll(s, op.kernel, op.parameters);
  transferTriple(s, op.grid);
  transferTriple(s, op.block);
  transferTriple(s, op.cluster);
  transferAll(s, op.dynamicSharedBytes, op.cooperative, op.dependent, op.stream, op.boxes);
}
template <typename Stream> void transfer(Stream &s, Copy &op) {
  transferAll(s, op.source, op.destination);
}
template <typename Stream> void transfer(Stream &s, LibraryCall &op) {
  transferAll(s, op.name, op.inputs, op.outputs, op.options);
}
template <typename Stream> void transfer(Stream &s, ForBegin &op) {
  transferAll(s, op.loop, op.count, op.streams);
}
template <typename Stream> void transfer(Stream &s, ForEnd &op) { transfer(s, op.loop); }
template <typename Stream> void transfer(Stream &s, Return &op) { transfer(s, op.values); }
template <typename Stream> void transfer(Stream &s, SelectStream &op) { transfer(s, op.stream); }
template <typename Stream> void transfer(Stream &s, RecordEvent &op) { transfer(s, op.event); }
template <typename Stream> void transfer(Stream &s, WaitEvent &op) { transfer(s, op.event); }

/// Makes `instruction` the alternative number `tag`.
template <size_t Index = 0> void emplaceAlternative(Instruction &instruction, size_t tag) {
  if constexpr (Index < std::variant_size_v<Instruction>) {
    if (tag == Index)
      instruction.emplace<Index>();
    else
      emplaceAlternative<Index + 1>(instruction, tag);
  }
}

template <typename Stream> void transfer(Stream &s, Instruction &instruction) {
  uint8_t tag = static_cast<uint8_t>(instruction.index());
  s.integer(tag);
  if (tag >= std::variant_size_v<Instruction>) {
    s.fail();
    return;
  }
  if constexpr (Stream::kReads)
    emplaceAlternative(instruction, tag);
  std::visit([&](auto &op) { transfer(s, op); }, instruction);
}

template <typename Stream, typename T> void transfer(Stream &s, std::vector<T> &elements) {
  uint64_t size = s.count(elements.size(), 1);
  if constexpr (Stream::kReads) {
    elements.clear();
    for (uint64_t i = 0; i < size && s.ok(); ++i)
      transfer(s, elements.emplace_back());
  } else {
    for (T &element : elements)
      transfer(s, element);
  }
}

template <typename Stream> void transfer(Stream &s, ExprPool &pool) {
  std::vector<ExprNode> nodes = pool.nodes();
  transfer(s, nodes);
  if constexpr (Stream::kReads)
    for (const ExprNode &node : nodes)
      pool.append(node);
}

/// The description is stored as text, so that it stays readable when fields are added.
template <typename Stream> void transfer(Stream &s, DeviceDescription &device) {
  std::string text;
  if constexpr (!Stream::kReads)
    text = printDevice(device);
  transfer(s, text);
  if constexpr (Stream::kReads) {
    Expected<DeviceDescription> parsed = parseDevice(text);
    if (parsed)
      device = parsed.take();
    else
      s.fail();
  }
}

template <typename Stream> void transfer(Stream &s, Artifact &a) {
  transferAll(s, a.name, a.target, a.kernels, a.arguments, a.constants, a.outputs, a.exprs,
              a.guards, a.program.buffers, a.program.instructions);
}

std::string serializePayload(const Artifact &artifact) {
  Writer writer;
  // The shared field description needs mutable access to its fields.
  Artifact copy = artifact;
  transfer(writer, copy);
  return std::move(writer.out);
}

} // namespace

Hash128 contentKey(const Artifact &artifact) {
  return Hasher().integer(kVersion).string(serializePayload(artifact)).finish();
}

std::string serialize(const Artifact &artifact) {
  std::string payload = serializePayload(artifact), out(kMagic, sizeof(kMagic));
  Hash128 hash = Hasher().string(payload).finish();
  for (uint64_t word : {kVersion, static_cast<uint64_t>(payload.size()), hash.low, hash.high})
    appendWord(out, word);
  return out + payload;
}

bool isSerializedArtifact(std::string_view data) {
  return data.substr(0, sizeof(kMagic)) == std::string_view(kMagic, sizeof(kMagic));
}

Expected<Artifact> deserialize(std::string_view data) {
  if (data.size() < kHeaderBytes || !isSerializedArtifact(data))
    return makeError(ErrorCode::Corrupt, "expected a saved artifact, but got ", data.size(),
                     " bytes that do not begin with its header");
  size_t offset = sizeof(kMagic);
  uint64_t version = wordAt(data, offset), size = wordAt(data, offset + 8);
  if (version != kVersion)
    return makeError(ErrorCode::VersionMismatch, "expected an artifact of format version ",
                     kVersion, ", but got version ", version);
  std::string_view payload = data.substr(kHeaderBytes);
  if (payload.size() != size)
    return makeError(ErrorCode::Corrupt, "expected ", size, " bytes after the header, but got ",
                     payload.size());
  Hash128 stored = {wordAt(data, offset + 16), wordAt(data, offset + 24)};
  if (Hash128 actual = Hasher().string(payload).finish(); actual != stored)
    return makeError(ErrorCode::Corrupt, "expected content of hash ", stored.str(), ", but got ",
                     actual.str());
  Reader reader(payload);
  Artifact artifact;
  transfer(reader, artifact);
  if (!reader.ok() || !reader.atEnd())
    return makeError(ErrorCode::Corrupt, "expected the fields of an artifact of format version ",
                     kVersion, ", but its payload cannot be read");
  if (Status status = validate(artifact); !status)
    return status.takeError();
  return artifact;
}

} // namespace fuser::artifact
