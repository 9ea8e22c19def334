//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The whole profile of a program on a device that makes times up, and files that are none.
//
//===----------------------------------------------------------------------===//

#include "Profile.h"
#include "TimedDevice.h"
#include "fuser/Session/Program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace fuser;
using driver::test::TimedDevice;

namespace {

/// A name for a file that is removed when the test ends.
class ProfileTest : public testing::Test {
protected:
  ProfileTest() {
    char name[] = "/tmp/fuser-profile-XXXXXX";
    int file = mkstemp(name);
    EXPECT_GE(file, 0);
    close(file);
    path = name;
  }
  ~ProfileTest() override { remove(path.c_str()); }

  std::string read() const {
    std::stringstream text;
    text << "\n" << std::ifstream(path).rdbuf();
    return text.str();
  }
  /// The error of reading a profile with this text.
  std::string readError(const std::string &text) {
    std::ofstream(path) << text;
    artifact::Expected<driver::Profile> profile = driver::readProfile(path);
    if (profile)
      return "";
    const std::string beginning = "--profile: " + path + ": ";
    EXPECT_EQ(profile.error().message.rfind(beginning, 0), 0u);
    return profile.error().message.substr(beginning.size());
  }

  std::string path;
};

/// Writes the profile of a program of three kernels; returns the error. `failing`: the number of
/// the device's call that fails.
std::string write(const std::string &path, const std::shared_ptr<TimedDevice> &device,
                  unsigned repeat, size_t failing = SIZE_MAX) {
  auto recorder = std::make_shared<driver::LaunchRecorder>(device);
  session::ProgramOptions options;
  options.dependentLaunches = DependentLaunches::Marked;
  auto program = session::Program::create(R"mlir(
fuser.fusion @f(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = fuser.exp %x : tensor<?x?xf32>
  %1 = fuser.segment_set %0 : tensor<?x?xf32>
  %2 = fuser.neg %1 : tensor<?x?xf32>
  %3 = fuser.segment_set %2 : tensor<?x?xf32>
  %4 = fuser.exp %3 : tensor<?x?xf32>
  fuser.return %4 : tensor<?x?xf32>
}
)mlir",
                                          recorder, options);
  EXPECT_TRUE(program.ok()) << program.error().str();
  auto x = runtime::allocateTensor(device, artifact::DType::F32, std::vector<int64_t>{8, 16});
  const std::vector<runtime::CallArgument> arguments = {x->view()};
  auto prepared = (*program)->prepare(arguments);
  EXPECT_TRUE(prepared.ok()) << prepared.error().str();
  device->numCalls = 0;
  device->failing = failing;
  device->calls.clear();
  artifact::Status status =
      driver::writeProfile(path, "f", *prepared->executable, *recorder, device, arguments, repeat);
  device->failing = SIZE_MAX;
  return status ? "" : status.error().message;
}

TEST_F(ProfileTest, TheWholeFile) {
  auto device = std::make_shared<TimedDevice>();
  // Three launches of each call. Two calls do not count.
  device->milliseconds = {90, 91, 92, 80, 81, 82, 1, 2, 3, 5, 1, 2, 2, 8, 4, 3, 3, 2};
  EXPECT_EQ(write(path, device, 4), "");
  EXPECT_EQ(read(), R"(
{
  "calls": 4,
  "device": "NVIDIA H100",
  "kernels": [
    {
      "fastest": 1000,
      "microseconds": 3000,
      "name": "f_0",
      "slowest": 5000
    },
    {
      "fastest": 1000,
      "microseconds": 3000,
      "name": "f_1",
      "slowest": 8000
    },
    {
      "fastest": 2000,
      "microseconds": 3000,
      "name": "f_2",
      "slowest": 4000
    }
  ],
  "program": "f",
  "sizes": "8,16",
  "version": 1
}
)");
  EXPECT_TRUE(device->milliseconds.empty());
  EXPECT_TRUE(device->live.empty());
  // A call of the fake device says "start" for the first event only.
  std::vector<std::string> expected = {"fill 262144000 by 0"};
  for (int i = 0; i < 6; ++i)
    expected.insert(expected.end(), {"launch", "start", "launch", "stop", "stop", "launch", "stop",
                                     "stop", "launch", "stop"});
  EXPECT_EQ(device->calls, expected);
  auto profile = driver::readProfile(path);
  ASSERT_TRUE(profile.ok()) << profile.error().str();
  EXPECT_EQ(profile->program, "f");
  EXPECT_EQ(profile->device, device->description().name);
  EXPECT_EQ(profile->sizes, "8,16");
  EXPECT_EQ(profile->kernels.size(), 3u);
  EXPECT_EQ(profile->kernels["f_1"], 3000);
}

TEST_F(ProfileTest, OneCallAtLeast) {
  auto device = std::make_shared<TimedDevice>();
  EXPECT_EQ(write(path, device, 0), "");
  EXPECT_NE(read().find("\"calls\": 1,"), std::string::npos) << read();
}

/// Whatever fails is the result, and no event is left.
TEST_F(ProfileTest, EachFailureIsReported) {
  auto device = std::make_shared<TimedDevice>();
  EXPECT_EQ(write(path, device, 1), "");
  const size_t count = device->numCalls;
  EXPECT_GT(count, 30u);
  for (size_t failing = 0; failing < count;
       failing += failing < 10 || failing + 10 > count ? 1 : 5) {
    auto broken = std::make_shared<TimedDevice>();
    EXPECT_EQ(write(path, broken, 1, failing), "expected no call " + std::to_string(failing));
    EXPECT_TRUE(broken->live.empty());
  }
}

TEST_F(ProfileTest, FilesThatAreNoProfiles) {
  const std::string beginning = R"({"version": 1, "program": "f", "device": "d", "sizes": "")";
  EXPECT_EQ(readError("[]"), "expected an object");
  EXPECT_EQ(readError("{}"), "expected 'version' to be 1");
  EXPECT_EQ(readError(R"({"version": 1})"), "expected 'program' to be a string");
  EXPECT_EQ(readError(R"({"version": 1, "program": "f"})"), "expected 'device' to be a string");
  EXPECT_EQ(readError(R"({"version": 1, "program": "f", "device": "d", "sizes": 3})"),
            "expected 'sizes' to be a string");
  EXPECT_EQ(readError(beginning + "}"), "expected 'kernels' to be a list");
  EXPECT_EQ(readError(beginning + R"(, "kernels": []})"), "");
  const std::string wrong =
      "expected each of 'kernels' to have a 'name' and 'microseconds' of at least 0";
  for (const char *kernel :
       {"1", "{}", R"({"name": "k"})", R"({"microseconds": 1})",
        R"({"name": "k", "microseconds": -0.5})", R"({"name": 3, "microseconds": 1})"})
    EXPECT_EQ(readError(beginning + R"(, "kernels": [)" + kernel + "]}"), wrong) << kernel;
  EXPECT_EQ(readError(beginning + R"(, "kernels": [{"name": "k", "microseconds": 0}]})"), "");
}

} // namespace
