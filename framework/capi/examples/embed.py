"""The example embed.c with ctypes, for programs that can load a library but not the package `simhost`.

    python3 framework/capi/examples/embed.py target/release/libsimhost.so worlds/demo.world.xml
"""

import ctypes
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

HANDLE = c_void_p


class Options(ctypes.Structure):
    """simhost_options."""

    _fields_ = [
        ("size", c_size_t),
        ("path", c_char_p),
        ("text", c_char_p),
        ("seed", POINTER(c_uint64)),
        ("plugin_folders", POINTER(c_char_p)),
        ("plugin_folder_count", c_size_t),
        ("out", c_char_p),
        ("compat", c_char_p),
        ("log", c_void_p),
        ("log_user", c_void_p),
        ("threads", c_uint32),
        ("log_level", c_uint32),
        ("force", c_uint32),
        ("lenient", c_uint32),
        ("allow", c_uint32),
        ("reserved", c_uint32),
    ]


class Error(ctypes.Structure):
    """simhost_error."""

    _fields_ = [
        ("size", c_size_t),
        ("text", c_char_p),
        ("file", c_char_p),
        ("code", c_int32),
        ("line", c_uint32),
        ("column", c_uint32),
        ("reserved", c_uint32),
    ]


class Odometry(ctypes.Structure):
    """simhost_odometry."""

    _fields_ = [("size", c_size_t), ("time", c_double), ("pose", c_double * 6), ("twist", c_double * 3)]


def function(*arguments):
    return ctypes.CFUNCTYPE(c_int32, *arguments)


class Functions(ctypes.Structure):
    """The first functions of simhost_functions, in their order."""

    _fields_ = [
        ("size", c_size_t),
        ("version", c_char_p),
        ("code_name", ctypes.CFUNCTYPE(c_char_p, c_int32)),
        ("open", function(POINTER(Options), POINTER(HANDLE))),
        ("close", function(POINTER(HANDLE))),
        ("error", function(HANDLE, POINTER(Error))),
        ("finish", function(HANDLE)),
        ("status", function(HANDLE, c_void_p)),
        ("time", function(HANDLE, POINTER(c_double))),
        ("step", function(HANDLE, c_uint64, POINTER(c_uint32))),
        ("run_until", function(HANDLE, c_double, POINTER(c_uint32))),
        ("fork", function(HANDLE, POINTER(HANDLE))),
        ("result_hash", function(HANDLE, c_char_p, c_size_t)),
        ("names", function(HANDLE, c_uint32, c_char_p, c_size_t, POINTER(c_size_t))),
        ("command_find", function(HANDLE, c_char_p, c_char_p, POINTER(c_uint64), POINTER(c_size_t))),
        ("command", function(HANDLE, c_uint64, POINTER(c_double), c_size_t)),
        ("quantities_find", function(HANDLE, c_char_p, POINTER(c_uint64), POINTER(c_size_t))),
        ("quantities_describe", function(HANDLE, c_uint64, c_size_t, c_void_p)),
        ("quantities_read", function(HANDLE, c_uint64, POINTER(c_double), c_size_t, POINTER(c_size_t))),
        ("quantities_free", function(HANDLE, c_uint64)),
        ("latest_odometry", function(HANDLE, c_char_p, POINTER(Odometry))),
    ]


def main(library: str, world: str) -> None:
    loaded = ctypes.CDLL(library)
    loaded.simhost_api.restype = POINTER(Functions)
    loaded.simhost_api.argtypes = [c_uint32]
    api = loaded.simhost_api(1).contents
    session = HANDLE()

    def check(code: int) -> None:
        if code != 0:
            error = Error(size=ctypes.sizeof(Error))
            api.error(session, byref(error))
            raise RuntimeError((error.text or api.code_name(code)).decode())

    check(api.open(byref(Options(size=ctypes.sizeof(Options), path=world.encode())), byref(session)))
    twist = c_uint64()
    check(api.command_find(session, b"robot", b"twist", byref(twist), None))
    check(api.command(session, twist, (c_double * 3)(1.0, 0.0, 0.0), 3))
    for second in range(1, 5):
        check(api.run_until(session, second, None))
        samples = []
        for stream in (b"robot/ground_truth", b"robot/odometry"):
            sample = Odometry(size=ctypes.sizeof(Odometry))
            check(api.latest_odometry(session, stream, byref(sample)))
            samples += sample.pose[:2]
        print(f"{second} s: at {samples[0]:6.3f}, {samples[1]:6.3f} m; "
              f"odometry says {samples[2]:6.3f}, {samples[3]:6.3f} m")
        if second == 2:
            check(api.command(session, twist, (c_double * 3)(0.5, 0.0, 0.6), 3))
    api.close(byref(session))


if __name__ == "__main__":
    main(*sys.argv[1:])
