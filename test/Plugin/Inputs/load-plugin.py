"""Asks a plugin for its interface versions as mlir-opt does: load-plugin.py GLOBAL_LIBRARY|none PLUGIN."""

import ctypes
import sys


class Info(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_uint32),
        ("name", ctypes.c_char_p),
        ("llvm", ctypes.c_char_p),
        ("register", ctypes.c_void_p),
    )


other, path = sys.argv[1:]
if other != "none":
    ctypes.CDLL(other, ctypes.RTLD_GLOBAL)
plugin = ctypes.CDLL(path, ctypes.RTLD_LOCAL)
versions = []
for name in ("mlirGetDialectPluginInfo", "mlirGetPassPluginInfo"):
    function = getattr(plugin, name)
    function.restype = Info
    versions.append(function().version)
print("dialects {} passes {}".format(*versions))
