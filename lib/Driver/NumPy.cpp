//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The .npy format: a magic string, a version, the length of a header, the header (a Python dict
// literal with the keys 'descr', 'fortran_order' and 'shape'), the bytes. Assumes a little-endian
// machine, like all devices that fuser targets.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/NumPy.h"
#include "fuser/Support/InputFile.h"
#include "fuser/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using llvm::StringLiteral;
using llvm::StringRef;
using namespace fuser;
using namespace fuser::driver;
using artifact::Error;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

static constexpr StringLiteral kMagic("\x93NUMPY");

namespace {
struct TypeName {
  const char *descr;
  DType dtype;
};
} // namespace

/// The writer uses the first entry of a dtype, the reader that of a name. NumPy has no half types
/// of machine learning: their arrays are raw bytes, of one byte for either f8.
static constexpr TypeName kTypeNames[] = {
    {"|b1", DType::Bool},      {"|i1", DType::I8},          {"<i2", DType::I16},
    {"<i4", DType::I32},       {"<i8", DType::I64},         {"|u1", DType::U8},
    {"<u2", DType::U16},       {"<u4", DType::U32},         {"<u8", DType::U64},
    {"<f2", DType::F16},       {"<f4", DType::F32},         {"<f8", DType::F64},
    {"<c8", DType::Complex64}, {"<c16", DType::Complex128}, {"|V2", DType::BF16},
    {"<V2", DType::BF16},      {"|V1", DType::F8E4M3},      {"|V1", DType::F8E5M2}};

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

namespace {
struct Header {
  DType dtype = DType::F32;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};
} // namespace

/// The text after `'key':` in the header, without leading spaces; empty where the key is missing.
static StringRef valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "':").str());
  return at == StringRef::npos ? StringRef() : header.drop_front(at + key.size() + 3).ltrim();
}

static Expected<DType> parseDescr(StringRef text) {
  if (!text.consume_front("'"))
    return makeError(ErrorCode::ParseError, "expected 'descr' to name one element type");
  StringRef name = text.take_until([](char c) { return c == '\''; });
  for (const TypeName &entry : kTypeNames)
    if (name == entry.descr)
      return entry.dtype;
  return makeError(ErrorCode::ParseError,
                   "expected a little-endian bool, integer, float or complex type, but got '",
                   name.str(), "'");
}

static Expected<std::vector<int64_t>> parseShape(StringRef text) {
  Error bad = makeError(ErrorCode::ParseError, "expected 'shape' to be a tuple of sizes");
  if (!text.consume_front("(") || text.find(')') == StringRef::npos)
    return bad;
  std::vector<int64_t> shape;
  int64_t elements = 1;
  for (StringRef part : llvm::split(text.take_until([](char c) { return c == ')'; }), ',')) {
    part = part.trim();
    if (part.empty())
      continue;
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0 ||
        __builtin_mul_overflow(elements, size, &elements))
      return bad;
    shape.push_back(size);
  }
  return shape;
}

static Expected<Header> parseHeader(StringRef text) {
  Header header;
  Expected<DType> dtype = parseDescr(valueOf(text, "descr"));
  if (!dtype)
    return dtype.takeError();
  header.dtype = *dtype;
  StringRef order = valueOf(text, "fortran_order");
  header.fortranOrder = order.starts_with("True");
  if (!header.fortranOrder && !order.starts_with("False"))
    return makeError(ErrorCode::ParseError, "expected 'fortran_order' to be True or False");
  Expected<std::vector<int64_t>> shape = parseShape(valueOf(text, "shape"));
  if (!shape)
    return shape.takeError();
  header.shape = shape.take();
  return header;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Removes the header from `file`, so that only the elements remain.
static Expected<Header> takeHeader(StringRef &file) {
  if (!file.consume_front(kMagic) || file.size() < 2)
    return makeError(ErrorCode::ParseError, "expected a .npy file, but got no NumPy magic");
  unsigned version = uint8_t(file[0]);
  unsigned lengthBytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3)
    return makeError(ErrorCode::ParseError, "expected .npy version 1, 2 or 3, but got ", version);
  file = file.drop_front(2);
  uint32_t length = 0;
  if (file.size() >= lengthBytes)
    std::memcpy(&length, file.data(), lengthBytes);
  if (file.size() < lengthBytes || file.size() - lengthBytes < length)
    return makeError(ErrorCode::ParseError, "expected a header of ", length,
                     " bytes, but the file ends");
  Expected<Header> header = parseHeader(file.substr(lengthBytes, length));
  file = file.drop_front(lengthBytes + length);
  return header;
}

static Expected<HostArray> parseNumPy(StringRef file, bool uint16IsBF16) {
  Expected<Header> header = takeHeader(file);
  if (!header)
    return header.takeError();
  HostArray array;
  array.dtype = header->dtype;
  array.shape = header->shape;
  const unsigned elementBytes = byteSize(array.dtype);
  const uint64_t wanted = uint64_t(array.getNumElements()) * elementBytes;
  if (file.size() != wanted)
    return makeError(ErrorCode::ParseError, "expected ", wanted, " bytes of elements, but got ",
                     file.size());
  if (header->fortranOrder) {
    // The first dimension is the fastest.
    auto order = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, array.shape.size())));
    array = fromStrided(file.data(), array.dtype, array.shape, getDenseStrides(array.shape, order));
  } else {
    array.bytes.assign(file.begin(), file.end());
  }
  if (array.dtype == DType::U16 && uint16IsBF16)
    array.dtype = DType::BF16;
  return array;
}

Expected<HostArray> fuser::driver::readNumPy(const std::string &path, bool uint16IsBF16) {
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> file = readInput(path, /*isText=*/false);
  if (!file)
    return makeError(ErrorCode::IoError, path, ": ", llvm::toString(file.takeError()));
  Expected<HostArray> array = parseNumPy((*file)->getBuffer(), uint16IsBF16);
  if (!array)
    return makeError(array.error().code, path, ": ", array.error().message);
  return array;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

Status fuser::driver::writeNumPy(const std::string &path, const HostArray &array) {
  const TypeName *name =
      llvm::find_if(kTypeNames, [&](const TypeName &entry) { return entry.dtype == array.dtype; });
  assert(name != std::end(kTypeNames) && "expected a name for each element type");
  std::string header =
      "{'descr': '" + std::string(name->descr) + "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.shape)
    header += std::to_string(size) + ", ";
  header += "), }";
  // The elements start at a multiple of 64 bytes.
  const size_t prefix = kMagic.size() + 4;
  header.resize(llvm::alignTo(prefix + header.size() + 1, 64) - prefix - 1, ' ');
  header += '\n';
  const uint16_t length = uint16_t(header.size());

  std::error_code error = writeFile(path, [&](llvm::raw_ostream &stream) {
    stream << kMagic << '\x01' << '\x00';
    stream.write(reinterpret_cast<const char *>(&length), sizeof(length));
    stream << header;
    stream.write(array.bytes.data(), array.bytes.size());
  });
  if (error)
    return makeError(ErrorCode::IoError, path, ": could not be written: ", error.message());
  return Status();
}
