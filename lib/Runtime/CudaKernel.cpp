//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Kernels on a GPU: assembling, loading, launching.
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
#include "fuser/Runtime/ParameterArrays.h"

#include <optional>

namespace fuser::runtime {
namespace {

using artifact::Kernel;
using artifact::KernelFormat;

/// The log of the driver's assembler.
class JitLog {
public:
  JitLog() {
    auto number = [](size_t value) { return reinterpret_cast<void *>(value); };
    void *all[] = {info, number(sizeof(info)), errors, number(sizeof(errors))};
    std::copy(std::begin(all), std::end(all), values);
  }
  unsigned size() const { return 4; }

  /// The error log, else the information log, without a final newline.
  std::string text() const {
    std::string log = errors[0] ? errors : info;
    while (!log.empty() && (log.back() == '\n' || log.back() == '\0'))
      log.pop_back();
    return log.empty() ? "(the assembler's log is empty)" : log;
  }

  int options[4] = {cuda::kInfoLogBuffer, cuda::kInfoLogBytes, cuda::kErrorLogBuffer,
                    cuda::kErrorLogBytes};
  void *values[4];

private:
  char info[4096] = {}, errors[8192] = {};
};

Error loadFailure(const cuda::Driver &driver, cuda::Result result, const Kernel &kernel,
                  const JitLog &log) {
  return makeError(result == cuda::kOutOfMemory ? ErrorCode::OutOfMemory
                                                : ErrorCode::KernelLoadFailed,
                   "kernel '", kernel.name, "' for ", kernel.chip,
                   ": expected code that the driver loads, but it answered ",
                   driver.describe(result), ": ", log.text());
}

constexpr unsigned kMostAttributes = 3;

/// The numbers of a launch in the driver's own form. `attributes` has room for kMostAttributes.
cuda::LaunchConfig driverConfig(const LaunchConfig &config, cuda::LaunchAttribute *attributes) {
  cuda::LaunchConfig out = {};
  for (unsigned i = 0; i < 3; ++i) {
    out.grid[i] = config.grid[i];
    out.block[i] = config.block[i];
  }
  out.sharedBytes = config.dynamicSharedBytes;
  out.stream = static_cast<cuda::StreamHandle>(config.stream);
  out.attributes = attributes;
  if (config.cluster[0] * config.cluster[1] * config.cluster[2] > 1) {
    cuda::LaunchAttribute &attribute = attributes[out.numAttributes++];
    attribute = {};
    attribute.id = cuda::kAttributeClusterDim;
    for (unsigned i = 0; i < 3; ++i)
      attribute.value.clusterDim[i] = config.cluster[i];
  }
  if (config.cooperative) {
    cuda::LaunchAttribute &attribute = attributes[out.numAttributes++];
    attribute = {};
    attribute.id = cuda::kAttributeCooperative;
    attribute.value.cooperative = 1;
  }
  if (config.dependent) {
    cuda::LaunchAttribute &attribute = attributes[out.numAttributes++];
    attribute = {};
    attribute.id = cuda::kAttributeOverlapsStream;
    attribute.value.overlapsStream = 1;
  }
  return out;
}

uint64_t volume(const uint32_t (&dims)[3]) { return uint64_t(dims[0]) * dims[1] * dims[2]; }

} // namespace

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

CudaKernel::~CudaKernel() {
  cuda::ContextScope scope(*context->driver, context->context);
  cuda::RelaxedCaptureScope relaxed(*context->driver);
  (void)context->driver->moduleUnload(module);
}

/// The driver loads its assembler with the first PTX that it is given, which takes 10 ms.
void CudaDevice::prepareAssembler() {
  assemblerStart.start([context = context] {
    static constexpr char kEmpty[] =
        ".version 6.4\n.target sm_75\n.address_size 64\n.visible .entry empty() { ret; }\n";
    cuda::ContextScope scope(*context->driver, context->context);
    cuda::Link link = nullptr;
    if (!scope.status() ||
        context->driver->linkCreate(0, nullptr, nullptr, &link) != cuda::kSuccess)
      return;
    // A failure is reported for the first kernel.
    (void)context->driver->linkAddData(link, cuda::kInputPtx, const_cast<char *>(kEmpty),
                                       sizeof(kEmpty), "empty", 0, nullptr, nullptr);
    (void)context->driver->linkDestroy(link);
  });
}

Expected<Kernel> CudaDevice::assemble(const Kernel &kernel) {
  if (kernel.format != KernelFormat::PTX)
    return kernel;
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status.takeError();
  JitLog log;
  cuda::Link link = nullptr;
  cuda::Result result = driver.linkCreate(log.size(), log.options, log.values, &link);
  if (result != cuda::kSuccess)
    return loadFailure(driver, result, kernel, log);
  // PTX is read as a C string; the size includes its end.
  std::string text = kernel.code;
  result = driver.linkAddData(link, cuda::kInputPtx, text.data(), text.size() + 1,
                              kernel.name.c_str(), 0, nullptr, nullptr);
  void *image = nullptr;
  size_t bytes = 0;
  if (result == cuda::kSuccess)
    result = driver.linkComplete(link, &image, &bytes);
  Expected<Kernel> assembled = kernel;
  if (result == cuda::kSuccess) {
    // The link owns the image.
    assembled->format = KernelFormat::Cubin;
    assembled->code.assign(static_cast<const char *>(image), bytes);
  } else {
    assembled = loadFailure(driver, result, kernel, log);
  }
  (void)driver.linkDestroy(link);
  return assembled;
}

Expected<std::shared_ptr<LoadedKernel>> CudaDevice::loadKernel(const Kernel &kernel) {
  if (kernel.format == KernelFormat::HostObject)
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name,
                     "': expected ptx or cubin for a GPU, but got ", toString(kernel.format));
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status.takeError();
  JitLog log;
  cuda::RelaxedCaptureScope relaxed(driver);
  cuda::Module module = nullptr;
  cuda::Result result =
      driver.moduleLoadDataEx(&module, kernel.code.c_str(), log.size(), log.options, log.values);
  if (result != cuda::kSuccess)
    return loadFailure(driver, result, kernel, log);
  cuda::Function function = nullptr;
  result = driver.moduleGetFunction(&function, module, kernel.entry.c_str());
  int sharedBytes = 0;
  if (result == cuda::kSuccess)
    result = driver.funcGetAttribute(&sharedBytes, cuda::kStaticSharedBytes, function);
  if (result != cuda::kSuccess) {
    (void)driver.moduleUnload(module);
    return makeError(ErrorCode::KernelLoadFailed, "kernel '", kernel.name,
                     "': expected the code to have an entry '", kernel.entry,
                     "', but the driver answered ", driver.describe(result));
  }
  std::vector<uint32_t> runs;
  for (const auto &[key, value] : kernel.attributes)
    if (key == artifact::kParameterRun)
      runs.push_back(static_cast<uint32_t>(value));
  return std::shared_ptr<LoadedKernel>(std::make_shared<CudaKernel>(
      context, module, function, kernel.name, static_cast<uint32_t>(sharedBytes), std::move(runs)));
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Values of the driver's enumerations. Elements are copied as they are, so that integers serve all
/// types.
constexpr int kUInt8 = 0, kUInt16 = 1, kUInt32 = 2, kUInt64 = 4;
constexpr int kNoInterleave = 0, kPromoteTo128Bytes = 2, kFillWithZeros = 0;

Status CudaDevice::makeTensorMap(const TensorMapSpec &spec, const char *name, TensorMap &map) {
  if (!driver.tensorMapEncodeTiled)
    return makeError(ErrorCode::Unsupported, name,
                     ": expected a driver of CUDA 12.0 or later for tensor maps, but got version ",
                     driverVersion);
  map = {};
  if (spec.isEmpty())
    return {};
  if (Status status = checkTensorMap(spec, name); !status)
    return status;
  // The driver's first dimension is the fastest one, which has no stride.
  uint64_t sizes[TensorMapSpec::kMaxRank], strides[TensorMapSpec::kMaxRank];
  unsigned box[TensorMapSpec::kMaxRank], steps[TensorMapSpec::kMaxRank];
  for (uint32_t i = 0; i < spec.rank; ++i) {
    const uint32_t dim = spec.rank - 1 - i;
    sizes[i] = static_cast<uint64_t>(spec.sizes[dim]);
    box[i] = spec.box[dim];
    steps[i] = 1;
    // That of a dimension of size 1 may be any number, but the driver expects a valid one.
    constexpr uint64_t kAnyStride = 16;
    if (i > 0)
      strides[i - 1] = spec.sizes[dim] == 1 ? kAnyStride : static_cast<uint64_t>(spec.strides[dim]);
  }
  const int type = spec.elementBytes == 1   ? kUInt8
                   : spec.elementBytes == 2 ? kUInt16
                   : spec.elementBytes == 4 ? kUInt32
                                            : kUInt64;
  const int swizzle = spec.swizzle == 32 ? 1 : spec.swizzle == 64 ? 2 : spec.swizzle == 128 ? 3 : 0;
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(driver.tensorMapEncodeTiled(map.bytes, type, spec.rank,
                                                  const_cast<void *>(spec.address), sizes, strides,
                                                  box, steps, kNoInterleave, swizzle,
                                                  kPromoteTo128Bytes, kFillWithZeros),
                      name);
}

//===----------------------------------------------------------------------===//
// Launching
//===----------------------------------------------------------------------===//

Status CudaKernel::prepare(const LaunchConfig &config, const DeviceDescription &description) {
  const cuda::Driver &driver = *context->driver;
  uint64_t total = uint64_t(staticSharedBytes) + config.dynamicSharedBytes;
  bool large = total > static_cast<uint64_t>(description.sharedBytesPerBlock);
  bool largeCluster = volume(config.cluster) > static_cast<uint64_t>(description.maxClusterBlocks);
  if (!large && !largeCluster)
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  if (large && config.dynamicSharedBytes > grantedSharedBytes) {
    if (total > static_cast<uint64_t>(description.sharedBytesPerBlockOptIn))
      return makeError(ErrorCode::InvalidLaunch, "kernel '", name, "': expected at most ",
                       description.sharedBytesPerBlockOptIn, " bytes of shared memory, but got ",
                       staticSharedBytes, " static and ", config.dynamicSharedBytes, " dynamic");
    if (Status status =
            driver.check(driver.funcSetAttribute(function, cuda::kMaxDynamicSharedBytes,
                                                 static_cast<int>(config.dynamicSharedBytes)),
                         "asking for shared memory", ErrorCode::InvalidLaunch);
        !status)
      return status;
    grantedSharedBytes = config.dynamicSharedBytes;
  }
  if (largeCluster && !grantedLargeClusters) {
    if (Status status =
            driver.check(driver.funcSetAttribute(function, cuda::kNonPortableClusterSize, 1),
                         "asking for a large cluster", ErrorCode::InvalidLaunch);
        !status)
      return status;
    grantedLargeClusters = true;
  }
  return {};
}

constexpr unsigned kBlocksBits = 16;

/// What the number of resident blocks of a kernel depends on, above kBlocksBits zeros; 0 where it
/// is beyond what devices allow.
static uint64_t getResidencyKey(const LaunchConfig &config) {
  uint64_t key = config.dynamicSharedBytes;
  bool fits = key < (1 << 24) && volume(config.block) < (1 << 12);
  key = key << 12 | volume(config.block);
  for (uint32_t blocks : config.cluster) {
    fits &= blocks < 16;
    key = key << 4 | blocks;
  }
  return fits ? key << kBlocksBits : 0;
}

std::optional<uint64_t> CudaKernel::getResidentBlocks(const LaunchConfig &config) const {
  const uint64_t key = getResidencyKey(config);
  const uint64_t known = residentBlocks.load(std::memory_order_relaxed);
  if (key == 0 || known >> kBlocksBits != key >> kBlocksBits)
    return std::nullopt;
  return known - key;
}

void CudaKernel::setResidentBlocks(const LaunchConfig &config, uint64_t blocks) {
  const uint64_t key = getResidencyKey(config);
  if (key != 0 && blocks < (1 << kBlocksBits))
    residentBlocks.store(key | blocks, std::memory_order_relaxed);
}

Expected<uint64_t> CudaDevice::maxResidentBlocks(LoadedKernel &loaded, const LaunchConfig &config) {
  auto &kernel = static_cast<CudaKernel &>(loaded);
  if (std::optional<uint64_t> known = kernel.getResidentBlocks(config))
    return *known;
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status.takeError();
  if (Status status = kernel.prepare(config, deviceDescription); !status)
    return status.takeError();
  uint64_t clusterBlocks = volume(config.cluster);
  int count = 0;
  if (clusterBlocks > 1 && driver.occupancyMaxActiveClusters) {
    cuda::LaunchAttribute attributes[kMostAttributes];
    LaunchConfig plain = config;
    plain.cooperative = plain.dependent = false;
    cuda::LaunchConfig launchConfig = driverConfig(plain, attributes);
    if (Status status =
            driver.check(driver.occupancyMaxActiveClusters(&count, kernel.function, &launchConfig),
                         "asking for the number of resident clusters");
        !status)
      return status.takeError();
    kernel.setResidentBlocks(config, static_cast<uint64_t>(count) * clusterBlocks);
    return static_cast<uint64_t>(count) * clusterBlocks;
  }
  if (Status status =
          driver.check(driver.occupancyMaxActiveBlocks(&count, kernel.function,
                                                       static_cast<int>(volume(config.block)),
                                                       config.dynamicSharedBytes),
                       "asking for the number of resident blocks");
      !status)
    return status.takeError();
  const uint64_t blocks =
      static_cast<uint64_t>(count) * static_cast<uint64_t>(deviceDescription.multiprocessors);
  kernel.setResidentBlocks(config, blocks);
  return blocks;
}

/// More blocks than fit would deadlock.
Status CudaDevice::checkCooperative(CudaKernel &kernel, const LaunchConfig &config) {
  Expected<uint64_t> resident = maxResidentBlocks(kernel, config);
  if (!resident)
    return resident.takeError();
  uint64_t blocks = volume(config.grid);
  if (blocks <= *resident)
    return {};
  return makeError(ErrorCode::CooperativeTooLarge, "kernel '", kernel.name, "': expected at most ",
                   *resident, " blocks that are resident at once, but got ", blocks);
}

/// Otherwise a dependent launch begins after the end of those before it, as any other.
bool CudaDevice::canOverlap() const {
  constexpr int64_t kFirstCapability = 90;
  return driver.launchKernelEx && driverVersion >= cuda::kFirstDriverWithOverlaps &&
         deviceDescription.computeCapability >= kFirstCapability;
}

Status CudaDevice::launchWithAttributes(CudaKernel &kernel, const LaunchConfig &config,
                                        void **values) {
  if (!driver.launchKernelEx)
    return makeError(ErrorCode::Unsupported, "kernel '", kernel.name,
                     "': expected a driver of CUDA 11.8 or later for a cooperative or cluster "
                     "launch, but got version ",
                     driverVersion);
  if (config.cooperative)
    if (Status status = checkCooperative(kernel, config); !status)
      return status;
  LaunchConfig permitted = config;
  permitted.dependent &= canOverlap();
  cuda::LaunchAttribute attributes[kMostAttributes];
  cuda::LaunchConfig launchConfig = driverConfig(permitted, attributes);
  return driver.check(driver.launchKernelEx(&launchConfig, kernel.function, values, nullptr),
                      kernel.name.c_str());
}

Status CudaDevice::launch(LoadedKernel &loaded, const LaunchConfig &config,
                          ArrayView<KernelParameter> parameters) {
  auto &kernel = static_cast<CudaKernel &>(loaded);
  // Avoids a heap allocation for nearly every kernel.
  void *fewValues[32];
  std::vector<void *> manyValues;
  void **values = fewValues;
  std::optional<ParameterArrays> arrays;
  if (!kernel.parameterRuns.empty()) {
    Expected<ParameterArrays> made =
        ParameterArrays::create(kernel.parameterRuns, parameters, kernel.name);
    if (!made)
      return made.takeError();
    arrays = made.take();
    values = arrays->values();
  } else {
    if (parameters.size() > std::size(fewValues)) {
      manyValues.resize(parameters.size());
      values = manyValues.data();
    }
    for (size_t i = 0; i < parameters.size(); ++i)
      values[i] = const_cast<void *>(parameters[i].value);
  }
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status = kernel.prepare(config, deviceDescription); !status)
    return status;
  if (config.cooperative || volume(config.cluster) > 1 || (config.dependent && canOverlap()))
    return launchWithAttributes(kernel, config, values);
  return driver.check(driver.launchKernel(kernel.function, config.grid[0], config.grid[1],
                                          config.grid[2], config.block[0], config.block[1],
                                          config.block[2], config.dynamicSharedBytes,
                                          static_cast<cuda::StreamHandle>(config.stream), values,
                                          nullptr),
                      kernel.name.c_str());
}

} // namespace fuser::runtime
