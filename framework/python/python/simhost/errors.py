"""Exceptions of simhost. Their texts are those of the command line, with positions in the world file."""


class SimhostError(Exception):
    """A call has failed."""


class WorldError(SimhostError, ValueError):
    """A world file has errors, which the text lists with file, line and the place in it."""


class PluginError(SimhostError):
    """A plugin folder cannot be read."""


class InputError(SimhostError, ValueError):
    """A value is not accepted."""


class UnknownNameError(InputError, KeyError):
    """A name does not exist; the text has the nearest one, or all of them."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class VariationError(InputError):
    """A difference between members cannot be read, or does not fit the world."""


class ShapeError(InputError):
    """An array has another shape than is expected."""


class DtypeError(InputError, TypeError):
    """An array has another type of elements than is expected."""


class MemberError(InputError, IndexError):
    """There is no such member of an ensemble."""


class MemberMemoryError(SimhostError, MemoryError):
    """The members of an ensemble would take more memory than is allowed."""


class ModelFault(SimhostError, RuntimeError):
    """A model has faulted, and the world file requests that this ends the run.

    `__cause__` is the exception of a model in Python, with its traceback.
    """

    vehicle: str | None
    """Name of the vehicle, if the model belongs to one."""
    wheel: str | None
    """Name of the wheel, if the model belongs to one."""
    sensor: str | None
    """Name of the sensor, if the model is one."""
    time: float
    """Simulated time at the start of the step, s."""
    model: str
    """Full name of the class of the model."""
    phase: str
    """Phase of the call."""


class ModelError(SimhostError, ValueError):
    """A class of Python cannot be a model: the text says which rule it breaks."""


class DivergedError(SimhostError, ArithmeticError):
    """A body or a state has diverged."""


class SnapshotError(SimhostError, ValueError):
    """A snapshot cannot be taken, read or restored."""


class MissingPackageError(SimhostError, ModuleNotFoundError):
    """A package that this part needs is not installed; the text has the command that installs it."""


class OutputError(SimhostError, OSError):
    """A file cannot be written, or a recording cannot be read."""


class FitError(SimhostError, ValueError):
    """Parameters cannot be fitted: the text says what stands in the way."""


class BusyError(SimhostError, RuntimeError):
    """A session or an ensemble is called while another call steps it, or in a forked process, which lacks its threads."""


class ClosedError(SimhostError, RuntimeError):
    """A session, an ensemble or an environment is used after it has been closed."""
