"""Errors by kind. Every error has `kind`, the library's name for it, and a message that says what was
expected."""


class FuserError(Exception):
    """Any error of fuser."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind

    def __reduce__(self):
        return type(self), (self.kind, str(self))


class ProgramError(FuserError, ValueError):
    """Text that is not a valid program: the message holds the diagnostics, with lines and columns."""


class DefinitionError(FuserError, ValueError):
    """A definition that is used before its end or changed after it, that has no output, or a value of another one."""


class UnknownIdError(DefinitionError, LookupError):
    """An id that the definition does not have."""


class UnknownFunctionError(DefinitionError, AttributeError):
    """A function of `fd.ops` that fuser does not have."""


class ValidationError(FuserError, AssertionError):
    """Results that differ from the reference."""


class CompilationError(FuserError):
    """A valid program that cannot be compiled."""


class NotCompiledError(CompilationError):
    """A call that would have to compile kernels, of a program that compiles none."""


class ArtifactError(FuserError, ValueError):
    """A file that is no artifact, damaged, of another version, or cannot be read or written."""


class ArgumentError(FuserError, TypeError):
    """A wrong number of arguments, or an argument of a wrong kind."""


class ScalarError(ArgumentError, ValueError):
    """A number that its argument's type cannot hold."""


class DTypeError(ArgumentError):
    """Another element type than the program's."""


class RankError(ArgumentError):
    """Another number of dimensions than the program's."""


class ShapeError(FuserError, ValueError):
    """Sizes that the program does not take."""


class DeviceError(FuserError, RuntimeError):
    """Data on another device than the program's, or a device that is not there."""


class BufferError(FuserError, RuntimeError):
    """Memory that cannot be used: read-only where it would be written, given away already, or null."""


class KernelError(FuserError, RuntimeError):
    """An error while kernels ran."""


_CLASSES = {
    "ArgumentCount": ArgumentError,
    "ArgumentKind": ArgumentError,
    "ScalarMismatch": ScalarError,
    "RankMismatch": RankError,
    "DTypeMismatch": DTypeError,
    "SizeMismatch": ShapeError,
    "GuardFailed": ShapeError,
    "DeviceMismatch": DeviceError,
    "DeviceUnavailable": DeviceError,
    "DriverError": DeviceError,
    "ProcessForked": DeviceError,
    "OutOfMemory": DeviceError,
    "NullPointer": BufferError,
    "OverlappingBuffers": BufferError,
    "StrideMismatch": BufferError,
    "AlignmentMismatch": BufferError,
    "InvalidProgram": ProgramError,
    "ParseError": ProgramError,
    "CompilationFailed": CompilationError,
    "NotCompiled": NotCompiledError,
    "Corrupt": ArtifactError,
    "VersionMismatch": ArtifactError,
    "IoError": ArtifactError,
    "ResultMismatch": ValidationError,
    "OutOfBounds": KernelError,
    "BoxViolation": KernelError,
    "DataRace": KernelError,
    "BarrierDivergence": KernelError,
    "Deadlock": KernelError,
    "UninitializedRead": KernelError,
}


def make_error(kind: str, message: str) -> FuserError:
    return _CLASSES.get(kind, FuserError)(kind, message)
