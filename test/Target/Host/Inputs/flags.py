"""Prints the flags of the kernels of files, as include/fuser/Artifact/HostABI.h names them: by lines FILE [OPTION].

usage: flags.py FOLDER < FILES
"""

import pathlib
import re
import subprocess
import sys

ABI = pathlib.Path(__file__).resolve().parents[4] / "include/fuser/Artifact/HostABI.h"
NAMES = {
    int(bit): name.lower()
    for name, bit in re.findall(r"#define FUSER_HOST_((?:USES|IS)_\w+|CHECKED) (\d+)u", ABI.read_text())
}
# The second field of the description of a kernel.
FLAGS = re.compile(
    r"@fuser_host_info_(\w+)\(.*?\[0\] :[^\n]*\n[^\n]*constant\((\d+) : i32\)[^\n]*\n[^\n]*\[1\] :", re.DOTALL
)

for line in sys.stdin:
    file, *options = line.split()
    command = ["fuser-opt", "--fuser-lower-to-host" + "".join(f"={option}" for option in options), "--split-input-file"]
    lowered = subprocess.run([*command, f"{sys.argv[1]}/{file}"], check=True, capture_output=True, text=True).stdout
    print(line.strip())
    for kernel, flags in FLAGS.findall(lowered):
        print(f"  {kernel}:", *(name for bit, name in NAMES.items() if int(flags) & bit))
