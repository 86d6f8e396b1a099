"""Simulates exported models with FMPy, and compares them with direct calls of the models and with closed forms.

Usage: check_models.py DIRECT PLUGIN FOLDER, with the example `direct`, the plugin of the template `servo`, and a folder with
FMUs that tests/run exports: friction, controller, sensor and servo, each with the endings .fmi2.fmu and .fmi3.fmu
"""

import math
import random
import shutil
import subprocess
import sys
from ctypes import c_double
from pathlib import Path

import fmpy
import fmpy.validation
from check import Instance, fails
from fmpy.fmi2 import FMU2Model
from fmpy.fmi3 import FMU3Model

# length of each step, s; communication steps of a model have any length
LENGTHS = [1e-3, 5e-4, 2.5e-3]


def described(path, causality):
    """Returns the names of variables of a causality."""
    description = fmpy.read_model_description(path, validate=True)
    return [one.name for one in description.modelVariables if one.causality == causality]


def direct(program, words, parameters, names, rows):
    """Returns the outputs and states of each step of a model that is called without an FMU."""
    head = [" ".join(f"{name}={value!r}" for name, value in parameters.items()), " ".join(names)]
    lines = [" ".join(map(repr, row)) for row in rows]
    text = "\n".join([*head, *lines, ""])
    done = subprocess.run([program, *words], input=text, capture_output=True, text=True, check=True)
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


class Model(Instance):
    """An instance with one model, whose steps have any length."""

    def begin(self, parameters, start=0.0):
        self.set(list(parameters), list(parameters.values()))
        self.initialize(start=start)
        self.time = start
        self.inputs = described_inputs(self)
        self.results = self.outputs + [one for one in self.by_name if one.startswith("state/")]

    def advance(self, row):
        self.set(self.inputs, row[1:])
        self.fmu.doStep(self.time, row[0])
        self.time += row[0]
        return self.get(self.results)


def described_inputs(instance):
    return [one.name for one in instance.description.modelVariables if one.causality == "input"]


def rows_for(instance, ranges, count=400):
    """Returns steps with random inputs: around the value at the start, or within a range."""
    draw = random.Random(7)
    starts = {one.name: float(one.start) for one in instance.description.modelVariables if one.causality == "input"}
    rows = []
    for number in range(count):
        values = [draw.uniform(*ranges[name]) if name in ranges else start for name, start in starts.items()]
        rows.append([LENGTHS[number % len(LENGTHS)], *values])
    return rows


def equals_the_direct_call(path, program, words, parameters, ranges, constants=None):
    """Outputs and states of all steps equal those of the model, bit for bit, also after a return to a state."""
    instance = Model(path)
    instance.begin(parameters)
    rows = rows_for(instance, {**ranges, **{name: (value, value) for name, value in (constants or {}).items()}})
    expected = direct(program, words, parameters, instance.inputs, rows)
    assert len({tuple(row) for row in expected}) == len(rows), "the results do not change"
    half = len(rows) // 2
    for row, want in zip(rows[:half], expected, strict=False):
        assert list(map(repr, instance.advance(row))) == list(map(repr, want)), f"at {instance.time} s"
    state, time = instance.save(), instance.time
    data = instance.to_bytes(state)
    for row, want in zip(rows[half:], expected[half:], strict=True):
        assert list(map(repr, instance.advance(row))) == list(map(repr, want)), f"at {instance.time} s"
    other = Model(path)
    other.begin({})
    other.restore(other.from_bytes(data))
    instance.restore(state)
    for one in (instance, other):
        assert one.get(list(parameters)) == list(parameters.values())
        one.time = time
        for row, want in zip(rows[half:], expected[half:], strict=True):
            assert list(map(repr, one.advance(row))) == list(map(repr, want)), f"after a return, at {one.time} s"
    # a reset leads to the values at the start
    instance.fmu.reset()
    assert instance.get(list(parameters)) != list(parameters.values())
    instance.begin(parameters)
    assert list(map(repr, instance.advance(rows[0]))) == list(map(repr, expected[0]))
    fails(lambda: instance.fmu.doStep(instance.time, -1e-3))
    fails(lambda: instance.fmu.doStep(instance.time + 1.0, 1e-3))
    instance.free_state(state)
    instance.close()
    other.close()


def draws_by_the_seed(path):
    """The random numbers of a sensor depend on the seed, which is fixed, and on nothing else."""
    runs = []
    for seed in (0.0, 0.0, 4.0):
        instance = Model(path)
        instance.begin({"seed": seed})
        # some values are unknown, which is NaN
        runs.append(repr([instance.advance(row) for row in rows_for(instance, {}, 5)]))
        fails(lambda one=instance: one.set(["seed"], [5.0]))
        fails(lambda: Model(path).begin({"seed": 0.5}))
        instance.close()
    assert runs[0] == runs[1] and runs[0] != runs[2]


def servo(time, command, frequency=15.0, damping=0.7):
    """Returns position and velocity of a servo of second order after a step of its command at 0 s, from rest."""
    decay, rate = damping * frequency, frequency * math.sqrt(1.0 - damping**2)
    envelope = math.exp(-decay * time)
    position = 1.0 - envelope * (math.cos(rate * time) + decay / rate * math.sin(rate * time))
    velocity = envelope * (rate + decay**2 / rate) * math.sin(rate * time)
    return command * position, command * velocity


def integrates(path):
    """FMPy's solvers integrate the states to the closed form, with outputs that follow them."""
    for solver, tolerance in (("CVode", 1e-5), ("Euler", 2e-2)):
        result = fmpy.simulate_fmu(
            path, fmi_type="ModelExchange", solver=solver, step_size=1e-3, stop_time=0.5, output_interval=0.01, relative_tolerance=1e-8,
            start_values={"command": 0.3, "damping": 0.5}, output=["value", "state/position", "state/velocity", "der(state/position)"],
        )
        assert len(result) == 51
        for row in result:
            position, velocity = servo(row["time"], 0.3, damping=0.5)
            assert abs(row["state/position"] - position) < tolerance, (solver, row, position)
            assert abs(row["state/velocity"] - velocity) < 15 * tolerance, (solver, row, velocity)
            assert row["value"] == row["state/position"] and row["der(state/position)"] == row["state/velocity"]
    # in co-simulation, the host's method of fourth order
    result = fmpy.simulate_fmu(path, fmi_type="CoSimulation", stop_time=0.5, output_interval=0.01, step_size=0.01,
                               start_values={"command": 0.3}, output=["state/position"])
    assert max(abs(row["state/position"] - servo(row["time"], 0.3)[0]) for row in result) < 1e-5


def differentiates(path, frequency=15.0, damping=0.7):
    """Directional derivatives of rates and outputs equal the matrix of the servo; adjoint ones its transpose."""
    description = fmpy.read_model_description(path, validate=True)
    exchange = description.modelExchange
    is_3 = description.fmiVersion == "3.0"
    folder = fmpy.extract(path)
    # FMPy does not read the attribute of FMI 3.0
    text = (Path(folder) / "modelDescription.xml").read_text()
    assert f'providesDirectionalDerivative{"s" if is_3 else ""}="true"' in text
    model = (FMU3Model if is_3 else FMU2Model)(
        guid=description.guid, unzipDirectory=folder, modelIdentifier=exchange.modelIdentifier, instanceName="test"
    )
    model.instantiate()
    if not is_3:
        model.setupExperiment()
    model.enterInitializationMode()
    model.exitInitializationMode()
    reference = {one.name: one.valueReference for one in description.modelVariables}
    unknowns = [reference[name] for name in ("der(state/position)", "der(state/velocity)", "value")]
    knowns = [reference[name] for name in ("state/position", "state/velocity", "command")]
    matrix = [[0.0, 1.0, 0.0], [-(frequency**2), -2.0 * damping * frequency, frequency**2], [1.0, 0.0, 0.0]]
    model.enterContinuousTimeMode()
    for states in ([0.0, 0.0], [0.4, -3.0]):
        if is_3:
            model.setContinuousStates((c_double * 2)(*states), 2)
        else:
            model.fmi2SetContinuousStates(model.component, (c_double * 2)(*states), 2)
        for direction in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, -2.0, 3.0]):
            found = model.getDirectionalDerivative(unknowns, knowns, direction)
            expected = [sum(a * b for a, b in zip(row, direction, strict=True)) for row in matrix]
            assert all(math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-6) for one, two in zip(found, expected, strict=True)), (found, expected)
        # the states are as before
        values = model.getFloat64(knowns) if is_3 else model.getReal(knowns)
        assert list(values) == [*states, 0.0], values
    if is_3:
        found = model.getAdjointDerivative(unknowns, knowns, [1.0, 2.0, -1.0], 3)
        expected = [sum(w * row[k] for w, row in zip([1.0, 2.0, -1.0], matrix, strict=True)) for k in range(3)]
        assert all(math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-6) for one, two in zip(found, expected, strict=True)), (found, expected)
    fails(lambda: model.getDirectionalDerivative(unknowns, [reference["damping"]], [1.0]))
    fails(lambda: model.getDirectionalDerivative(unknowns, knowns, [math.nan, 0.0, 0.0]))
    model.terminate()
    model.freeInstance()
    shutil.rmtree(folder)


def starts_from_a_state(path):
    """A state can be set before the end of the initialisation, and not afterwards."""
    instance = Model(path)
    instance.set(["state/position"], [0.25])
    instance.begin({})
    assert instance.get(["value", "state/position"]) == [0.25, 0.25]
    fails(lambda: instance.set(["state/position"], [0.5]))
    fails(lambda: instance.set(["damping"], [-1.0]))
    instance.close()


def refuses_a_changed_plugin(path):
    """A plugin whose SHA-256 differs is not loaded."""
    folder = Path(fmpy.extract(path))
    (plugin,) = folder.glob("resources/plugins/*/*.so")
    data = plugin.read_bytes()
    plugin.write_bytes(data + b"\0")
    changed = folder.parent / f"changed.{Path(path).name}"
    shutil.make_archive(str(changed), "zip", folder)
    try:
        fails(lambda: Model(f"{changed}.zip"))
    finally:
        Path(f"{changed}.zip").unlink()
        shutil.rmtree(folder)


def is_described(path, kinds):
    """The description is valid, has units and texts, and the FMU has a page."""
    description = fmpy.read_model_description(path, validate=True)
    found = [name for name in ("modelExchange", "coSimulation") if getattr(description, name) is not None]
    assert found == kinds, found
    ports = [one for one in description.modelVariables if one.causality in ("input", "output")]
    assert all(one.unit and one.description for one in ports)
    problems = fmpy.validation.validate_fmu(path)
    assert not problems, problems
    folder = Path(fmpy.extract(path))
    page = (folder / "documentation/index.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and "<h1>" in page
    shutil.rmtree(folder)


def main(program, plugin, folder):
    for version in (2, 3):
        path = {name: f"{folder}/{name}.fmi{version}.fmu" for name in ("friction", "controller", "sensor", "servo")}
        for name, one in path.items():
            is_described(one, ["modelExchange", "coSimulation"] if name == "servo" else ["coSimulation"])
        slip = {"vx": (5.0, 8.0), "vy": (-1.0, 1.0), "spin": (20.0, 40.0), "normal_force": (1000.0, 4000.0)}
        wheel = {"radius": 0.3, "inertia": 1.0, "mass": 300.0, "gravity": 9.81, "contact_normal_z": 1.0}
        equals_the_direct_call(path["friction"], program, ["friction", "magic_formula"], {"relaxation_length": 0.3}, slip, wheel)
        motion = {"command_vx": (0.0, 2.0), "command_omega": (-1.0, 1.0), "vx": (0.0, 2.0), "omega": (-1.0, 1.0)}
        equals_the_direct_call(path["controller"], program, ["controller", "twist_pid"], {"KP": 7.5}, motion)
        command = {"command": (-1.0, 1.0)}
        equals_the_direct_call(path["servo"], program, ["actuator", "example/servo", plugin], {"frequency": 9.0}, command)
        draws_by_the_seed(path["sensor"])
        integrates(path["servo"])
        differentiates(path["servo"])
        starts_from_a_state(path["servo"])
        refuses_a_changed_plugin(path["servo"])
        print(f"models of FMI {version}: ok")


if __name__ == "__main__":
    main(*sys.argv[1:])
