//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Devices, memory, streams and events. Kernels are in CudaKernel.cpp.
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"

namespace fuser::runtime {
namespace {

cuda::DevicePointer pointer(const void *memory) {
  return static_cast<cuda::DevicePointer>(reinterpret_cast<uintptr_t>(memory));
}
cuda::StreamHandle handle(Stream stream) { return static_cast<cuda::StreamHandle>(stream); }
cuda::EventHandle event(Event event) { return static_cast<cuda::EventHandle>(event); }

/// CU_STREAM_NON_BLOCKING: no implicit order with the default stream.
constexpr unsigned kNonBlocking = 1;

MemorySource makeSource(const std::shared_ptr<CudaContext> &context) {
  MemorySource source;
  // Memory that is reused needs no context.
  source.acquire = [context](size_t bytes) -> Expected<void *> {
    cuda::ContextScope scope(*context->driver, context->context);
    if (Status status = scope.status(); !status)
      return status.takeError();
    cuda::RelaxedCaptureScope relaxed(*context->driver);
    cuda::DevicePointer memory = 0;
    cuda::Result result = context->driver->memAlloc(&memory, bytes);
    if (result != cuda::kSuccess)
      return context->driver->failure(result,
                                      ("allocating " + std::to_string(bytes) + " bytes").c_str());
    return reinterpret_cast<void *>(static_cast<uintptr_t>(memory));
  };
  source.release = [context](void *memory) {
    cuda::ContextScope scope(*context->driver, context->context);
    cuda::RelaxedCaptureScope relaxed(*context->driver);
    return context->driver->check(context->driver->memFree(pointer(memory)), "freeing memory");
  };
  source.drain = [context]() {
    cuda::ContextScope scope(*context->driver, context->context);
    return context->driver->check(context->driver->ctxSynchronize(), "waiting for the device");
  };
  return source;
}

} // namespace

//===----------------------------------------------------------------------===//
// Context
//===----------------------------------------------------------------------===//

Expected<std::shared_ptr<CudaContext>> CudaContext::create(std::shared_ptr<cuda::Driver> driver,
                                                           int ordinal) {
  int count = 0;
  if (cuda::Result result = driver->deviceGetCount(&count); result != cuda::kSuccess)
    return driver->failure(result, "counting GPUs", ErrorCode::DeviceUnavailable);
  if (ordinal < 0 || ordinal >= count)
    return makeError(ErrorCode::DeviceUnavailable, "expected a GPU from 0 to ", count - 1,
                     ", but got ", ordinal);
  std::shared_ptr<CudaContext> context(new CudaContext());
  context->driver = std::move(driver);
  cuda::Result result = context->driver->deviceGet(&context->device, ordinal);
  if (result == cuda::kSuccess)
    result = context->driver->primaryCtxRetain(&context->context, context->device);
  if (result != cuda::kSuccess)
    return context->driver->failure(result, "taking the GPU's primary context",
                                    ErrorCode::DeviceUnavailable);
  return context;
}

CudaContext::~CudaContext() {
  if (context)
    (void)driver->primaryCtxRelease(device);
}

Expected<int> countCudaDevices(const CudaDeviceOptions &options) {
  Expected<std::shared_ptr<cuda::Driver>> driver = cuda::Driver::open(options.driverLibrary);
  if (!driver)
    return driver.takeError();
  int count = 0;
  if (cuda::Result result = (*driver)->deviceGetCount(&count); result != cuda::kSuccess)
    return (*driver)->failure(result, "counting GPUs", ErrorCode::DeviceUnavailable);
  return count;
}

Expected<std::unique_ptr<Device>> createCudaDevice(const CudaDeviceOptions &options) {
  Expected<std::shared_ptr<cuda::Driver>> driver = cuda::Driver::open(options.driverLibrary);
  if (!driver)
    return driver.takeError();
  Expected<std::shared_ptr<CudaContext>> context = CudaContext::create(*driver, options.ordinal);
  if (!context)
    return context.takeError();
  Expected<DeviceDescription> description = describeCudaDevice(**driver, (*context)->device);
  if (!description)
    return description.takeError();
  int version = 0;
  if (cuda::Result result = (*driver)->driverGetVersion(&version); result != cuda::kSuccess)
    return (*driver)->failure(result, "asking for the driver's version",
                              ErrorCode::DeviceUnavailable);
  return std::unique_ptr<Device>(
      std::make_unique<CudaDevice>(context.take(), options.ordinal, description.take(), version));
}

CudaDevice::CudaDevice(std::shared_ptr<CudaContext> context, int ordinal,
                       DeviceDescription description, int driverVersion)
    : context(context), driver(*context->driver), deviceOrdinal(ordinal),
      deviceDescription(std::move(description)), driverVersion(driverVersion),
      allocator(makeSource(context)), captureMemory(makeSource(context)) {}

CudaDevice::~CudaDevice() {
  cuda::ContextScope scope(driver, context->context);
  (void)allocator.trim().ok();
}

std::string CudaDevice::assemblerKey() const {
  return deviceDescription.chip + " driver " + std::to_string(driverVersion);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The driver's names of the default stream of all threads, which no graph captures. A question
/// about it is an error during a capture.
static bool isLegacyStream(Stream stream) { return reinterpret_cast<uintptr_t>(stream) <= 1; }

Expected<CudaDevice::Capture> CudaDevice::getCapture(Stream stream) const {
  Capture capture;
  int status = 0;
  if (isLegacyStream(stream) || !driver.streamGetCaptureInfo)
    return capture;
  if (Status asked =
          driver.check(driver.streamGetCaptureInfo(handle(stream), &status, &capture.number,
                                                   &capture.graph, nullptr, nullptr),
                       "asking whether a stream is captured");
      !asked)
    return asked.takeError();
  return status == cuda::kCaptureActive ? capture : Capture();
}

GraphIsGone CudaDevice::watch(cuda::Graph graph) const {
  if (!driver.userObjectCreate || !driver.graphRetainUserObject)
    return nullptr;
  auto isGone = std::make_shared<std::atomic<bool>>(false);
  auto held = std::make_unique<GraphIsGone>(isGone);
  auto end = [](void *flag) {
    std::unique_ptr<GraphIsGone> owned(static_cast<GraphIsGone *>(flag));
    (*owned)->store(true);
  };
  cuda::UserObject object = nullptr;
  if (driver.userObjectCreate(&object, held.get(), end, 1, cuda::kNoDestructorSync) !=
      cuda::kSuccess)
    return nullptr;
  // The object owns the flag, and the graph the object. Where the graph does not take it, the
  // object stays.
  (void)held.release();
  return driver.graphRetainUserObject(graph, object, 1, cuda::kMoveUserObject) == cuda::kSuccess
             ? isGone
             : nullptr;
}

Expected<void *> CudaDevice::allocate(size_t bytes, Stream stream) {
  Expected<Capture> capture = getCapture(stream);
  if (!capture)
    return capture.takeError();
  if (capture->number == 0)
    return allocator.allocate(bytes, stream);
  return captureMemory.allocate(bytes, stream, capture->number,
                                [&] { return watch(capture->graph); });
}

Status CudaDevice::free(void *memory, Stream stream) {
  if (std::optional<Status> freed = captureMemory.free(memory, stream))
    return std::move(*freed);
  return allocator.free(memory, stream);
}

Status CudaDevice::copyToDevice(void *target, const void *source, size_t bytes, Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status =
          driver.check(driver.memcpyHtoDAsync(pointer(target), source, bytes, handle(stream)),
                       "copying to the device");
      !status)
    return status;
  // The driver may still read pageable memory when the call returns.
  return driver.check(driver.streamSynchronize(handle(stream)), "copying to the device");
}

Status CudaDevice::copyToHost(void *target, const void *source, size_t bytes, Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  if (Status status =
          driver.check(driver.memcpyDtoHAsync(target, pointer(source), bytes, handle(stream)),
                       "copying from the device");
      !status)
    return status;
  return driver.check(driver.streamSynchronize(handle(stream)), "copying from the device");
}

Status CudaDevice::copyOnDevice(void *target, const void *source, size_t bytes, Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(
      driver.memcpyDtoDAsync(pointer(target), pointer(source), bytes, handle(stream)),
      "copying on the device");
}

Status CudaDevice::fill(void *memory, uint8_t value, size_t bytes, Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(driver.memsetD8Async(pointer(memory), value, bytes, handle(stream)),
                      "filling memory");
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Expected<Stream> CudaDevice::createStream() {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status.takeError();
  cuda::RelaxedCaptureScope relaxed(driver);
  cuda::StreamHandle stream = nullptr;
  if (Status status = driver.check(driver.streamCreate(&stream, kNonBlocking), "making a stream");
      !status)
    return status.takeError();
  return Stream(stream);
}

Status CudaDevice::destroyStream(Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  // The memory that is kept for the stream can only be released after its last use.
  if (Status status =
          driver.check(driver.streamSynchronize(handle(stream)), "waiting for a stream");
      !status)
    return status;
  if (Status status = allocator.forget(stream); !status)
    return status;
  return driver.check(driver.streamDestroy(handle(stream)), "destroying a stream");
}

Status CudaDevice::waitEvent(Stream stream, Event awaited) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(driver.streamWaitEvent(handle(stream), event(awaited), 0),
                      "waiting for an event");
}

Status CudaDevice::synchronize(Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(driver.streamSynchronize(handle(stream)), "waiting for a stream");
}

Expected<Event> CudaDevice::createEvent() {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status.takeError();
  cuda::EventHandle made = nullptr;
  if (Status status = driver.check(driver.eventCreate(&made, 0), "making an event"); !status)
    return status.takeError();
  return Event(made);
}

Status CudaDevice::destroyEvent(Event old) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(driver.eventDestroy(event(old)), "destroying an event");
}

Status CudaDevice::recordEvent(Event recorded, Stream stream) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status;
  return driver.check(driver.eventRecord(event(recorded), handle(stream)), "recording an event");
}

Expected<double> CudaDevice::elapsedMilliseconds(Event start, Event stop) {
  cuda::ContextScope scope(driver, context->context);
  if (Status status = scope.status(); !status)
    return status.takeError();
  if (Status status = driver.check(driver.eventSynchronize(event(stop)), "waiting for an event");
      !status)
    return status.takeError();
  float milliseconds = 0;
  if (Status status = driver.check(
          driver.eventElapsedTime(&milliseconds, event(start), event(stop)), "reading a time");
      !status)
    return status.takeError();
  return static_cast<double>(milliseconds);
}

} // namespace fuser::runtime
