"""simhost simulates ground vehicles and mobile robots.

`open` opens a world and returns a `Session`; `Ensemble` steps many members of one world together. Lengths are in
m, angles in rad, times in s of simulated time; arrays are numpy arrays that never change after they were returned,
apart from those of `Session.watch`.
"""

from . import worlds
from ._core import Snapshot, version
from .ensemble import Ensemble, End, EnsembleSnapshot, Selection
from .errors import (
    BusyError,
    ClosedError,
    DivergedError,
    DtypeError,
    FitError,
    InputError,
    MemberError,
    MemberMemoryError,
    MissingPackageError,
    ModelError,
    ModelFault,
    OutputError,
    PluginError,
    ShapeError,
    SimhostError,
    SnapshotError,
    UnknownNameError,
    VariationError,
    WorldError,
)
from .exporting import export_plugin
from .fitting import Fit, fit
from .fmus import export_fmu, export_model_fmu
from .linearising import Linear
from .model_calls import ObservedRun, Reading, RunEnd, Sample, Step
from .models import Chassis, Parameter, Port, State, Wheel, model
from .optimising import Optimum, optimise
from .session import Hook, Parameters, Quantity, Session, Stream, Vehicle, open
from .table import Record, Table, load

__version__: str = version()

__all__ = [
    "BusyError",
    "Chassis",
    "ClosedError",
    "DivergedError",
    "DtypeError",
    "End",
    "Ensemble",
    "EnsembleSnapshot",
    "Fit",
    "FitError",
    "Hook",
    "InputError",
    "Linear",
    "MemberError",
    "MemberMemoryError",
    "MissingPackageError",
    "ModelError",
    "ModelFault",
    "ObservedRun",
    "Optimum",
    "OutputError",
    "Parameter",
    "Parameters",
    "PluginError",
    "Port",
    "Quantity",
    "Reading",
    "Record",
    "RunEnd",
    "Sample",
    "Selection",
    "Session",
    "ShapeError",
    "SimhostError",
    "Snapshot",
    "SnapshotError",
    "State",
    "Step",
    "Stream",
    "Table",
    "UnknownNameError",
    "VariationError",
    "Vehicle",
    "Wheel",
    "WorldError",
    "__version__",
    "export_fmu",
    "export_model_fmu",
    "export_plugin",
    "fit",
    "load",
    "model",
    "open",
    "optimise",
    "worlds",
]
