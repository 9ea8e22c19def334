//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Errors, texts and devices from C.
//
//===----------------------------------------------------------------------===//

#include "fuser/CAPI/Runtime/Handles.h"
#include "fuser/Runtime/CudaDevice.h"
#include "fuser/Runtime/Host/HostDevice.h"

using namespace fuser;
using artifact::ErrorCode;
using artifact::Expected;
using artifact::makeError;
using artifact::Status;
using capi::fail;
using capi::Process;
using capi::Use;

int fuser_error_code(fuser_error error) { return static_cast<int>(error->error.code); }
const char *fuser_error_kind(fuser_error error) { return artifact::toString(error->error.code); }
const char *fuser_error_message(fuser_error error) { return error->error.message.c_str(); }
void fuser_error_destroy(fuser_error error) { delete error; }

int fuser_api_version(void) { return 10; }

int fuser_count_gpus(void) {
  Expected<int> count = runtime::countCudaDevices();
  return count ? *count : 0;
}

fuser_error fuser_device_create(const char *kind, int ordinal, fuser_device *device) {
  std::string name = kind ? kind : "";
  runtime::CudaDeviceOptions options;
  options.ordinal = ordinal;
  if (name != "cuda" && name != "host")
    return fail(makeError(ErrorCode::DeviceUnavailable,
                          "expected a device 'cuda' or 'host', but got '", name, "'"));
  auto made = name == "cuda" ? runtime::createCudaDevice(options) : runtime::createHostDevice();
  if (!made)
    return fail(made.takeError());
  *device = new fuser_device_s{made.take(), std::make_shared<Process>(name == "host")};
  return nullptr;
}

fuser_error fuser_device_describe(fuser_device device, fuser_text *result) {
  Use use(*device->process);
  if (Status status = use.check(); !status)
    return fail(status.takeError());
  auto text = std::make_unique<fuser_text_s>();
  text->text = printDevice(device->device->description()) +
               "assembler = " + device->device->assemblerKey() + "\n";
  *result = text.release();
  return nullptr;
}

void fuser_device_destroy(fuser_device device) { delete device; }

const char *fuser_text_data(fuser_text text) { return text->text.c_str(); }
size_t fuser_text_size(fuser_text text) { return text->text.size(); }
void fuser_text_destroy(fuser_text text) { delete text; }
