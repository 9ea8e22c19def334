"""Prints what each segment of an explanation needs: scheduler, grid x block, what a thread needs, shared memory."""

import json
import sys

for segment in json.load(sys.stdin)["segments"]:
    grid = f"{segment['blocks']} x {segment['threads']}"
    thread = f"{segment['registers']} registers, {segment['bytes_in_flight']} bytes in flight"
    print(f"{segment['scheduler']}: {grid}, {thread}, {segment['shared_bytes']} bytes shared")
