"""Prints what each segment of an explanation needs: scheduler, grid x block, registers of a thread, shared memory."""

import json
import sys

for segment in json.load(sys.stdin)["segments"]:
    grid = f"{segment['blocks']} x {segment['threads']}"
    print(f"{segment['scheduler']}: {grid}, {segment['registers']} registers, {segment['shared_bytes']} bytes")
