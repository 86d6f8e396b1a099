"""Simulates exported FMUs with FMPy, and compares them with sessions of libsimhost, bit for bit.

Usage: check.py LIBSIMHOST WORLD FMI2.fmu FMI3.fmu, exported as tests/run does
"""

import ctypes
import re
import shutil
import sys
from ctypes import byref, c_double, c_size_t, c_uint64
from pathlib import Path

import fmpy
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.model_description import ValidationError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "capi/examples"))
import embed  # noqa: E402

DT = 0.005
INPUTS = ["robot/cmd_vel/vx", "robot/cmd_vel/omega"]
# steps between communication points, with the command from each point on
PLAN = [(1, (1.0, 0.0)), (7, (1.0, 0.0)), (100, (0.8, 0.3)), (3, (0.8, 0.3)), (200, (0.2, -0.5)), (50, (0.0, 0.0))]
GAIN = "robot/controller/KP"


class Reference:
    """A session of libsimhost with the world that was exported."""

    def __init__(self, library: str, world: str, outputs: list[str]):
        loaded = ctypes.CDLL(library)
        loaded.simhost_api.restype = ctypes.POINTER(embed.Functions)
        self.api = loaded.simhost_api(1).contents
        self.session = embed.HANDLE()
        options = embed.Options(size=ctypes.sizeof(embed.Options), path=world.encode())
        assert self.api.open(byref(options), byref(self.session)) == 0
        self.twist, self.outputs, width = c_uint64(), c_uint64(), c_size_t()
        assert self.api.command_find(self.session, b"robot", b"twist", byref(self.twist), byref(width)) == 0
        self.width = width.value
        names = sorted({re.sub(r"\[\d+\]$", "", name) for name in outputs})
        found = self.api.quantities_find(self.session, "\n".join(names).encode(), byref(self.outputs), byref(width))
        assert found == 0 and width.value == len(outputs)
        self.count = width.value

    def command(self, vx: float, omega: float) -> None:
        values = (c_double * 3)(vx, 0.0, omega)
        assert self.api.command(self.session, self.twist, values, self.width) == 0

    def step(self, steps: int) -> list[float]:
        assert self.api.step(self.session, steps, None) == 0
        values = (c_double * self.count)()
        assert self.api.quantities_read(self.session, self.outputs, values, self.count, None) == 0
        return list(values)

    def close(self) -> None:
        self.api.close(byref(self.session))


class Instance:
    """An instance of an FMU of either version, with the same calls."""

    def __init__(self, path: str, token: str | None = None):
        self.description = fmpy.read_model_description(path, validate=True)
        self.folder = fmpy.extract(path)
        self.is_3 = self.description.fmiVersion == "3.0"
        kind = FMU3Slave if self.is_3 else FMU2Slave
        self.fmu = kind(
            guid=token or self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.coSimulation.modelIdentifier,
            instanceName="test",
        )
        self.messages: list[str] = []
        self.by_name = {one.name: one.valueReference for one in self.description.modelVariables}
        self.outputs = [one.name for one in self.description.modelVariables if one.causality == "output"]
        self.instantiate()

    def instantiate(self) -> None:
        if self.is_3:
            self.fmu.instantiate(logMessage=self._log_3())
        else:
            from fmpy import fmi2

            log = fmi2.fmi2CallbackLoggerTYPE(lambda _e, _n, _s, _c, text: self.messages.append(text.decode()))
            # the message is a format with one text, which ctypes cannot reach, so the library's own words are not checked here
            callbacks = fmi2.fmi2CallbackFunctions()
            callbacks.logger = log
            callbacks.allocateMemory = fmi2.fmi2CallbackAllocateMemoryTYPE(fmi2.calloc)
            callbacks.freeMemory = fmi2.fmi2CallbackFreeMemoryTYPE(fmi2.free)
            self.kept = (log, callbacks)
            self.fmu.instantiate(callbacks=callbacks)

    def _log_3(self):
        return lambda _environment, _status, _category, text: self.messages.append(text.decode())

    def get(self, names):
        references = [self.by_name[name] for name in names]
        return self.fmu.getFloat64(references) if self.is_3 else self.fmu.getReal(references)

    def set(self, names, values):
        references = [self.by_name[name] for name in names]
        (self.fmu.setFloat64 if self.is_3 else self.fmu.setReal)(references, values)

    def initialize(self, start=0.0, before_exit=lambda: None):
        if self.is_3:
            self.fmu.enterInitializationMode(startTime=start)
        else:
            self.fmu.setupExperiment(startTime=start)
            self.fmu.enterInitializationMode()
        before_exit()
        self.fmu.exitInitializationMode()
        self.start, self.steps = start, 0

    def step(self, steps: int):
        self.fmu.doStep(self.start + self.steps * DT, steps * DT)
        self.steps += steps
        return self.get(self.outputs)

    def save(self):
        return self.fmu.getFMUState() if self.is_3 else self.fmu.getFMUstate()

    def restore(self, state):
        (self.fmu.setFMUState if self.is_3 else self.fmu.setFMUstate)(state)

    def to_bytes(self, state):
        return (self.fmu.serializeFMUState if self.is_3 else self.fmu.serializeFMUstate)(state)

    def from_bytes(self, data):
        return (self.fmu.deserializeFMUState if self.is_3 else self.fmu.deSerializeFMUstate)(data)

    def free_state(self, state):
        (self.fmu.freeFMUState if self.is_3 else self.fmu.freeFMUstate)(state)

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder, ignore_errors=True)


def fails(call) -> str:
    """Returns the text of the exception that a call raises."""
    try:
        call()
    except Exception as error:  # noqa: BLE001 FMPy raises plain exceptions
        return str(error)
    raise AssertionError("the call has succeeded")


def equal_to_the_run(path, library, world):
    """Outputs equal those of a session at every communication point, with steps of any size."""
    instance = Instance(path)
    reference = Reference(library, world, instance.outputs)
    # an input that is set before the end of the initialisation counts
    instance.initialize(before_exit=lambda: instance.set(INPUTS, PLAN[0][1]))
    moved = set()
    for number, (steps, command) in enumerate(PLAN):
        if number:
            instance.set(INPUTS, command)
        reference.command(*command)
        expected = reference.step(steps)
        found = instance.step(steps)
        assert list(map(repr, found)) == list(map(repr, expected)), f"after {instance.steps} steps"
        assert abs(instance.get(["time"])[0] - instance.steps * DT) < 1e-12
        moved.add(tuple(found))
    assert len(moved) == len(PLAN)
    reference.close()
    instance.close()


def states(path):
    """Save → 100 steps → restore → 100 steps gives the same, also by bytes and in another instance."""
    instance = Instance(path)
    instance.initialize(start=3.0)
    instance.set(INPUTS, (1.0, 0.2))
    instance.step(50)
    instance.set([GAIN], [7.5])
    instance.set(INPUTS, (0.5, -0.2))
    state = instance.save()
    first = instance.step(100)
    instance.set([GAIN], [3.0])
    changed = instance.step(100)
    assert changed != first
    instance.restore(state)
    assert instance.get([GAIN]) == [7.5] and instance.get(INPUTS) == [0.5, -0.2]
    instance.steps -= 200
    assert instance.step(100) == first
    data = instance.to_bytes(state)
    other = Instance(path)
    other.initialize(start=3.0)
    other.restore(other.from_bytes(data))
    other.start, other.steps = 3.0, 50
    assert other.step(100) == first
    assert "call" in fails(lambda: other.from_bytes(data[: len(data) // 2])) or other.messages
    # an instance does not touch another one
    other.step(100)
    instance.restore(state)
    instance.steps -= 100
    assert instance.step(100) == first
    instance.free_state(state)
    other.close()
    instance.close()


def resets(path):
    """A reset leads to the state after instantiation."""
    instance = Instance(path)
    runs = []
    for _ in range(2):
        instance.initialize(before_exit=lambda: instance.set([GAIN, *INPUTS], [6.0, 1.0, 0.1]))
        runs.append(instance.step(100))
        instance.fmu.reset()
        assert instance.get(INPUTS) == [0.0, 0.0] and instance.get([GAIN]) != [6.0]
    assert runs[0] == runs[1]
    instance.close()


def refusals(path):
    """Steps that are not multiples, other points, unknown references and a wrong token are refused."""
    instance = Instance(path)
    instance.initialize()
    fails(lambda: instance.fmu.doStep(0.0, 0.0123))
    if instance.is_3:
        assert "0.0123 s" in instance.messages[-1] and "0.005 s" in instance.messages[-1]
    assert instance.get(["time"]) == [0.0]
    instance.step(1)
    for point, size in [(0.0, DT), (DT, 0.0), (DT, -DT), (DT, float("nan"))]:
        fails(lambda: instance.fmu.doStep(point, size))
    instance.by_name["nothing"] = 999999
    fails(lambda: instance.get(["nothing"]))
    fails(lambda: instance.set(["robot/pose[0]"], [1.0]))
    fails(lambda: instance.set(INPUTS[:1], [float("nan")]))
    fails(lambda: instance.set(["robot/controller/KD"], [-1.0]))
    assert instance.get(["robot/controller/KD"]) == [0.0]
    instance.step(1)
    instance.close()
    fails(lambda: Instance(path, token="{00000000-0000-0000-0000-000000000000}"))


def truth_values(path):
    """Truth values are read and set, and a number is not one."""
    instance = Instance(path)
    windup, gain = instance.by_name["robot/controller/enable_antiwindup"], instance.by_name[GAIN]
    assert list(instance.fmu.getBoolean([windup])) in ([True], [1])
    instance.fmu.setBoolean([windup], [False])
    assert list(instance.fmu.getBoolean([windup])) in ([False], [0])
    fails(lambda: instance.fmu.getBoolean([gain]))
    fails(lambda: instance.fmu.getString([gain]))
    instance.initialize()
    instance.step(1)
    instance.close()


def simulates(path):
    """The high-level function of FMPy reads start values, inputs and outputs."""
    import numpy

    signals = numpy.array(
        [(0.0, 0.0, 0.0), (0.5, 1.0, 0.0), (1.0, 1.0, 0.4)],
        dtype=[("time", float), (INPUTS[0], float), (INPUTS[1], float)],
    )
    result = fmpy.simulate_fmu(path, stop_time=2.0, output_interval=0.05, input=signals, start_values={GAIN: 8.0},
                               output=["robot/pose[0]", "robot/pose[1]"])
    assert len(result) == 41 and result["robot/pose[0]"][-1] > result["robot/pose[0]"][0] + 0.5


def describes(path):
    """The description has units, ranges and texts."""
    description = fmpy.read_model_description(path, validate=True)
    by_name = {one.name: one for one in description.modelVariables}
    pose = by_name["robot/pose[5]"]
    assert pose.unit == "rad" and by_name["robot/cmd_vel/vx"].unit == "m/s"
    gain = by_name[GAIN]
    assert gain.causality == "parameter" and gain.variability == "tunable"
    assert float(by_name["rover/friction/C_s_alpha"].max) == 1.0
    assert gain.description and gain.start
    assert float(description.defaultExperiment.stepSize) == DT
    try:
        problems = fmpy.validation.validate_fmu(path)
    except ValidationError as error:
        problems = [str(error)]
    assert not problems, problems


def main(library: str, world: str, *paths: str) -> None:
    import fmpy.validation  # noqa: F401

    for path in paths:
        equal_to_the_run(path, library, world)
        for check in (states, resets, refusals, truth_values, simulates, describes):
            check(path)
        print(f"{Path(path).name}: ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
