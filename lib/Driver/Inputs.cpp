//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Builds the arguments of a run from the command line.
//
//===----------------------------------------------------------------------===//

#include "fuser/Driver/Inputs.h"
#include "Random.h"
#include "fuser/Driver/NumPy.h"
#include "fuser/Runtime/Host/HostDevice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace fuser;
using namespace fuser::driver;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;

namespace {

/// A larger array is certainly a typing error, and would not fit into memory.
constexpr int64_t kMaxElements = int64_t(1) << 40;

/// The command-line options of one argument.
struct Request {
  std::optional<std::string> sizes, file, scalar, range;
};

class InputMaker {
public:
  InputMaker(const ProgramFile &file, const InputOptions &options)
      : program(file.program), options(options), requests(program.getNumArguments()),
        constants(file.constants), numGiven(program.getNumArguments() - constants.size()) {
    for (auto [index, name] : llvm::enumerate(file.argumentNames))
      names.push_back(name.empty() ? std::to_string(index) : name);
  }

  Expected<std::vector<Input>> run();
  Expected<std::string> describeSizes();

private:
  using Field = std::optional<std::string> Request::*;

  Status collect(const std::vector<std::string> &entries, Field field, const char *option);
  Status collectAllSizes();
  Expected<unsigned> findArgument(StringRef key, const std::string &entry, const char *option);
  int64_t getDefaultSize();
  Status checkMemory();
  Expected<std::vector<int64_t>> getShape(unsigned index);
  Expected<std::vector<int64_t>> getRequestedShape(unsigned index);
  Expected<HostArray> makeArray(unsigned index);
  Expected<HostArray> readFile(unsigned index, DType dtype);
  Expected<HostArray> makeRandom(unsigned index, DType dtype, std::vector<int64_t> shape);
  Expected<HostArray> parseScalar(unsigned index);

  /// "argument 1 (w)".
  std::string describeArgument(unsigned index) {
    return "argument " + std::to_string(index) + " (" + names[index] + ")";
  }
  std::string print(Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  }

  FunctionOpInterface program;
  const InputOptions &options;
  std::vector<std::string> names;
  std::vector<Request> requests;
  /// The last arguments, which the command line does not control.
  const std::vector<ImportedConstant> &constants;
  unsigned numGiven;
};

} // namespace

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

Expected<unsigned> InputMaker::findArgument(StringRef key, const std::string &entry,
                                            const char *option) {
  key.consume_front("%");
  unsigned number;
  if (!key.getAsInteger(10, number) && number < numGiven)
    return number;
  for (auto [index, name] : llvm::enumerate(ArrayRef(names).take_front(numGiven)))
    if (key == name)
      return unsigned(index);
  return makeError(ErrorCode::ParseError, option, " ", entry, ": expected one of the arguments ",
                   llvm::join(ArrayRef(names).take_front(numGiven), ", "), " of @",
                   program.getName().str(), ", but got ", key.str());
}

Status InputMaker::collect(const std::vector<std::string> &entries, Field field,
                           const char *option) {
  for (const std::string &entry : entries) {
    auto [key, value] = StringRef(entry).split('=');
    if (key.size() == entry.size())
      return makeError(ErrorCode::ParseError, option, " ", entry, ": expected ARGUMENT=VALUE");
    Expected<unsigned> index = findArgument(key, entry, option);
    if (!index)
      return index.takeError();
    if (requests[*index].*field)
      return makeError(ErrorCode::ParseError, option, " ", entry, ": expected ",
                       describeArgument(*index), " once, but got it twice");
    requests[*index].*field = value.str();
  }
  return Status();
}

Status InputMaker::collectAllSizes() {
  if (options.allSizes.empty())
    return Status();
  std::vector<unsigned> tensors;
  for (auto [index, type] : llvm::enumerate(program.getArgumentTypes().take_front(numGiven)))
    if (isa<RankedTensorType>(type))
      tensors.push_back(index);
  SmallVector<StringRef> parts;
  StringRef(options.allSizes).split(parts, ',');
  if (parts.size() != tensors.size())
    return makeError(ErrorCode::ArgumentCount, "--sizes ", options.allSizes, ": expected sizes of ",
                     tensors.size(), " tensor arguments, but got ", parts.size());
  for (auto [index, part] : llvm::zip_equal(tensors, parts))
    if (!requests[index].sizes)
      requests[index].sizes = part.str();
  return Status();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// "4096x5002"; empty text is no dimensions.
static std::optional<std::vector<int64_t>> parseSizes(StringRef text) {
  std::vector<int64_t> sizes;
  if (text.empty())
    return sizes;
  int64_t elements = 1;
  for (StringRef part : llvm::split(text, 'x')) {
    int64_t size;
    if (part.getAsInteger(10, size) || size < 0 || size > kMaxElements)
      return std::nullopt;
    elements *= std::max<int64_t>(size, 1);
    if (elements > kMaxElements)
      return std::nullopt;
    sizes.push_back(size);
  }
  return sizes;
}

/// The size of dynamic dimensions without a request, for all arguments: the default, or a smaller
/// power of two for arguments with many such dimensions.
int64_t InputMaker::getDefaultSize() {
  constexpr double kMaxElements = 1 << 24;
  int64_t size = options.defaultSize;
  if (size != InputOptions().defaultSize)
    return size;
  for (auto [type, request] : llvm::zip(program.getArgumentTypes(), requests)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && !request.sizes)
      while (size > 1 && std::pow(double(size), double(tensor.getNumDynamicDims())) > kMaxElements)
        size /= 2;
  }
  return size;
}

Expected<std::vector<int64_t>> InputMaker::getShape(unsigned index) {
  auto type = cast<RankedTensorType>(program.getArgumentTypes()[index]);
  if (!requests[index].sizes) {
    bool nothingGiven = options.allSizes.empty() && options.sizes.empty() && options.files.empty();
    if (!type.hasStaticShape() && !nothingGiven)
      return makeError(ErrorCode::SizeMismatch, describeArgument(index), " of type ", print(type),
                       ": expected sizes (--size ", names[index], "=...), but got none");
    std::vector<int64_t> shape(type.getShape());
    const int64_t defaultSize = getDefaultSize();
    for (int64_t &size : shape)
      size = ShapedType::isDynamic(size) ? defaultSize : size;
    return shape;
  }
  return getRequestedShape(index);
}

Expected<std::vector<int64_t>> InputMaker::getRequestedShape(unsigned index) {
  auto type = cast<RankedTensorType>(program.getArgumentTypes()[index]);
  const std::string &text = *requests[index].sizes;
  std::optional<std::vector<int64_t>> shape = parseSizes(text);
  if (!shape)
    return makeError(ErrorCode::ParseError, describeArgument(index),
                     ": expected sizes such as 4096x5002 of at most 2^40 elements, but got ", text);
  if (failed(verifyCompatibleShape(type.getShape(), *shape)))
    return makeError(int64_t(shape->size()) == type.getRank() ? ErrorCode::SizeMismatch
                                                              : ErrorCode::RankMismatch,
                     describeArgument(index), ": expected sizes of ", print(type), ", but got ",
                     text);
  return *shape;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// True if an array of `from` in a file may hold elements of `to`: signless integers are written
/// with either sign, and f8 as raw bytes.
static bool holdsSameBytes(DType from, DType to) {
  switch (to) {
  case DType::I8:
    return from == DType::U8;
  case DType::I16:
    return from == DType::U16;
  case DType::I32:
    return from == DType::U32;
  case DType::I64:
    return from == DType::U64;
  case DType::F8E4M3:
  case DType::F8E5M2:
    return from == DType::U8 || from == DType::F8E4M3;
  default:
    return false;
  }
}

Expected<HostArray> InputMaker::readFile(unsigned index, DType dtype) {
  Expected<HostArray> array = readNumPy(*requests[index].file, options.uint16IsBF16);
  if (!array)
    return array;
  Type type = program.getArgumentTypes()[index];
  ArrayRef<int64_t> wanted;
  if (auto tensorType = dyn_cast<RankedTensorType>(type))
    wanted = tensorType.getShape();
  if (holdsSameBytes(array->dtype, dtype))
    array->dtype = dtype;
  if (array->dtype != dtype)
    return makeError(ErrorCode::DTypeMismatch, describeArgument(index), " from ",
                     *requests[index].file, ": expected elements of type ",
                     artifact::toString(dtype), ", but got ", artifact::toString(array->dtype));
  if (failed(verifyCompatibleShape(wanted, array->shape)))
    return makeError(array->shape.size() == wanted.size() ? ErrorCode::SizeMismatch
                                                          : ErrorCode::RankMismatch,
                     describeArgument(index), " from ", *requests[index].file, ": expected ",
                     print(type), ", but got ", describe(*array));
  return array;
}

/// "0:100" as two numbers, the first below the second.
static std::optional<std::pair<double, double>> parseRange(StringRef text) {
  auto [first, second] = text.split(':');
  double low, high;
  if (first.getAsDouble(low) || second.getAsDouble(high) || !(low < high))
    return std::nullopt;
  return std::pair(low, high);
}

Expected<HostArray> InputMaker::makeRandom(unsigned index, DType dtype,
                                           std::vector<int64_t> shape) {
  Type type = program.getArgumentTypes()[index];
  bool isScalar = !isa<RankedTensorType>(type);
  std::optional<std::pair<double, double>> range;
  if (requests[index].range) {
    range = parseRange(*requests[index].range);
    if (!range)
      return makeError(ErrorCode::ParseError, describeArgument(index),
                       ": expected a range LOW:HIGH with LOW below HIGH, but got ",
                       *requests[index].range);
  } else if (isScalar) {
    range = artifact::isInteger(dtype) ? std::pair(1.0, 9.0) : std::pair(0.5, 1.5);
  }
  RandomSource random(options.seed, index);
  auto number = [&](uint64_t at) {
    return range ? range->first + (range->second - range->first) * random.uniform(at)
                 : random.normal(at);
  };
  int64_t low = range ? int64_t(range->first) : -8, high = range ? int64_t(range->second) : 9;
  reference::Tensor tensor(getElementTypeOrSelf(type), shape);
  const int64_t count = tensor.getNumElements();
  switch (tensor.getKind()) {
  case reference::ElementKind::Float:
    for (int64_t i = 0; i < count; ++i)
      tensor.floats()[i] = number(i);
    break;
  case reference::ElementKind::Integer:
    for (int64_t i = 0; i < count; ++i)
      tensor.integers()[i] = dtype == DType::Bool ? int64_t(random.bits(i) & 1)
                                                  : random.integer(i, low, std::max(high, low + 1));
    break;
  case reference::ElementKind::Complex:
    for (int64_t i = 0; i < count; ++i)
      tensor.complexes()[i] = {number(2 * i), number(2 * i + 1)};
    break;
  }
  return toHostArray(tensor);
}

/// "1.5-2i", "1.5", "2i".
static std::optional<std::complex<double>> parseComplex(StringRef text) {
  double real = 0, imaginary = 0;
  if (!text.consume_back("i"))
    return text.getAsDouble(real) ? std::nullopt
                                  : std::optional(std::complex<double>(real, imaginary));
  // The sign between the parts is the last one that does not belong to an exponent.
  size_t sign = text.find_last_of("+-");
  while (sign != StringRef::npos && sign > 0 && (text[sign - 1] == 'e' || text[sign - 1] == 'E'))
    sign = text.substr(0, sign).find_last_of("+-");
  if (sign == StringRef::npos)
    sign = 0;
  StringRef first = text.substr(0, sign), second = text.substr(sign);
  second.consume_front("+");
  if ((!first.empty() && first.getAsDouble(real)) || second.getAsDouble(imaginary))
    return std::nullopt;
  return std::complex<double>(real, imaginary);
}

Expected<HostArray> InputMaker::parseScalar(unsigned index) {
  StringRef text = *requests[index].scalar;
  Type type = program.getArgumentTypes()[index];
  auto bad = makeError(ErrorCode::ParseError, describeArgument(index),
                       ": expected a value of type ", print(type), ", but got ", text.str());
  if (isa<FloatType>(type)) {
    double value;
    if (text.getAsDouble(value))
      return bad;
    return toHostArray(reference::Tensor::scalar(type, value));
  }
  if (isa<ComplexType>(type)) {
    std::optional<std::complex<double>> value = parseComplex(text);
    if (!value)
      return bad;
    return toHostArray(reference::Tensor(type, {}, std::vector{*value}));
  }
  int64_t value;
  if (type.isInteger(1) && (text == "true" || text == "false"))
    value = text == "true";
  else if (text.getAsInteger(0, value))
    return bad;
  return toHostArray(reference::Tensor::scalar(type, value));
}

Expected<HostArray> InputMaker::makeArray(unsigned index) {
  if (index >= numGiven) {
    const ImportedConstant &constant = constants[index - numGiven];
    return HostArray{constant.dtype, constant.sizes, constant.bytes};
  }
  const Request &request = requests[index];
  Type type = program.getArgumentTypes()[index];
  std::optional<DType> dtype = getDType(getElementTypeOrSelf(type));
  if (!dtype)
    return makeError(ErrorCode::Unsupported, describeArgument(index),
                     ": expected a type that memory can hold, but got ", print(type));
  if (request.file && (request.sizes || request.range || request.scalar))
    return makeError(ErrorCode::ParseError, describeArgument(index),
                     ": expected nothing besides its file ", *request.file);
  if (request.file)
    return readFile(index, *dtype);
  if (!isa<RankedTensorType>(type)) {
    if (request.sizes)
      return makeError(ErrorCode::ArgumentKind, describeArgument(index),
                       ": expected no sizes of a scalar, but got ", *request.sizes);
    return request.scalar ? parseScalar(index) : makeRandom(index, *dtype, {});
  }
  if (request.scalar)
    return makeError(ErrorCode::ArgumentKind, describeArgument(index),
                     ": expected a scalar to give a value to, but got ", print(type));
  Expected<std::vector<int64_t>> shape = getShape(index);
  if (!shape)
    return shape.takeError();
  if (options.shapesOnly)
    return HostArray{*dtype, shape.take(), {}};
  return makeRandom(index, *dtype, shape.take());
}

/// Checks that random arguments fit the memory of the machine.
Status InputMaker::checkMemory() {
  // A number of the reference, and the element on the host and on the device.
  constexpr double kBytesPerElement = 8 + 4 + 4;
  const double available = double(runtime::getHostMemoryBytes());
  double bytes = 0;
  for (auto [index, type] : llvm::enumerate(program.getArgumentTypes().take_front(numGiven))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || requests[index].file)
      continue;
    Expected<std::vector<int64_t>> shape = getShape(index);
    if (!shape)
      return shape.takeError();
    double elements = 1;
    for (int64_t size : *shape)
      elements *= double(size);
    bytes += elements * kBytesPerElement;
    if (bytes > available)
      return makeError(ErrorCode::OutOfMemory, describeArgument(index),
                       ": expected arguments that fit the machine's ",
                       runtime::getHostMemoryBytes(),
                       " bytes of memory, but up to this one they take ",
                       llvm::formatv("{0:f0}", bytes).str(), " bytes");
  }
  return Status();
}

Expected<std::vector<Input>> InputMaker::run() {
  Status status = collect(options.sizes, &Request::sizes, "--size");
  if (status)
    status = collectAllSizes();
  if (status)
    status = collect(options.files, &Request::file, "--input");
  if (status)
    status = collect(options.scalars, &Request::scalar, "--scalar");
  if (status)
    status = collect(options.ranges, &Request::range, "--range");
  if (!status)
    return status.takeError();
  // Before sizes that are missing, which the files would give.
  for (const Request &request : requests)
    if (request.file)
      if (std::error_code error =
              llvm::sys::fs::access(*request.file, llvm::sys::fs::AccessMode::Exist))
        return makeError(ErrorCode::IoError, *request.file, ": ", error.message());
  if (options.defaultSize < 0)
    return makeError(ErrorCode::ParseError,
                     "--default-size: expected a size of at least 0, but got ",
                     options.defaultSize);
  if (Status fits = options.shapesOnly ? Status() : checkMemory(); !fits)
    return fits.takeError();
  std::vector<Input> inputs;
  for (auto [index, type] : llvm::enumerate(program.getArgumentTypes())) {
    Expected<HostArray> array = makeArray(index);
    if (!array)
      return array.takeError();
    inputs.push_back({names[index], type, isa<RankedTensorType>(type), array.take()});
  }
  return inputs;
}

Expected<std::vector<Input>> fuser::driver::makeInputs(const ProgramFile &file,
                                                       const InputOptions &options) {
  return InputMaker(file, options).run();
}

Expected<std::string> InputMaker::describeSizes() {
  Status status = collect(options.sizes, &Request::sizes, "--size");
  if (status)
    status = collectAllSizes();
  if (!status)
    return status.takeError();
  std::string text;
  for (auto [index, type] : llvm::enumerate(program.getArgumentTypes())) {
    if (index > 0)
      text += ";";
    if (auto tensor = dyn_cast<RankedTensorType>(type)) {
      std::vector<int64_t> shape(tensor.getShape());
      if (requests[index].sizes) {
        Expected<std::vector<int64_t>> requested = getRequestedShape(index);
        if (!requested)
          return requested.takeError();
        shape = requested.take();
      }
      text += llvm::join(llvm::map_range(shape,
                                         [](int64_t size) {
                                           return ShapedType::isDynamic(size)
                                                      ? std::string("?")
                                                      : std::to_string(size);
                                         }),
                         ",");
    }
  }
  return options.sizes.empty() && options.allSizes.empty() ? std::string() : text;
}

Expected<std::string> fuser::driver::describeRequestedSizes(const ProgramFile &file,
                                                            const InputOptions &options) {
  return InputMaker(file, options).describeSizes();
}
