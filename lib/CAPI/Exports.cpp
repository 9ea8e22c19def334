//===----------------------------------------------------------------------===//
// Part of fuser, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Carrier of libfuser_capi.so: all of it comes from the archive of the room.
//
//===----------------------------------------------------------------------===//
