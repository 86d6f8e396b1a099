#!/usr/bin/env python3
"""Trains the network of `delay_steer_vel.onnx` and prints its error.

The network learns the rates of speed and steering angle of the planning model `delay_steer_vel` from a run
with steps and slaloms, and is checked on a run with other commands. Needs `pip install numpy onnx
scikit-learn`.

    plugins/learned/training/train.py target/release/simhost

writes `delay_steer_vel.onnx` beside this script. Another version of scikit-learn, or another CPU, can find
other weights of the same quality.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).parent
STEP = 0.025  # s, the time step of plant.world.xml
HISTORY = 12  # actions that the network sees: more than the 10 steps of the largest delay
NEURONS = 32


def commands(count, seed):
    """Steps of the speed, and of the steering angle in turn with slaloms of rising frequency."""
    random = np.random.default_rng(seed)
    time = np.arange(count) * STEP
    speed = np.repeat(random.uniform(-3, 12, count // 120 + 1), 120)[:count]
    steps = np.repeat(random.uniform(-0.5, 0.5, count // 80 + 1), 80)[:count]
    slalom = 0.4 * np.sin(2 * np.pi * time * (0.1 + 0.3 * time / time[-1]))
    return np.stack([speed, np.where(time // 20 % 2 == 0, steps, slalom)], axis=1)


def drive(simhost, actions):
    """Returns speed and steering angle of the plant at the start and after each step."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "commands.csv")
        with open(file, "w", newline="") as out:
            rows = csv.writer(out)
            rows.writerow(["time_s", "vehicle", "kind", "v1", "v2", "v3"])
            for k, (speed, steer) in enumerate(actions):
                rows.writerow([f"{k * STEP:.3f}", "car", "velocity_steer", float(speed), float(steer), 2])
        world = HERE / "plant.world.xml"
        quantities = ["car/dynamics/speed", "car/dynamics/steer"]
        command = [simhost, world, "--commands", file, "--out", Path(folder, "out")]
        command += ["--duration", f"{len(actions) * STEP:.3f}"]
        for quantity in quantities:
            command += ["--record", quantity]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(Path(folder, "out", "quantities.csv")) as table:
            rows = list(csv.reader(table))
    columns = [rows[0].index(next(n for n in rows[0] if n.startswith(q))) for q in quantities]
    return np.array([[float(row[column]) for column in columns] for row in rows[1:]])


def samples(actions, states):
    """Returns the inputs of the network and the rates that it should return."""
    past = np.concatenate([np.zeros((HISTORY - 1, 2)), actions])
    windows = np.stack([past[k : k + HISTORY].ravel() for k in range(len(actions))])
    return np.concatenate([windows, states[:-1]], axis=1), np.diff(states, axis=0) / STEP


def export(network, inputs, outputs, path):
    """Writes the network with the scaling of its inputs and outputs as an ONNX file."""
    first, last = network.coefs_
    # the scaling of inputs and outputs becomes part of the weights
    weights = first / inputs.scale_[:, None]
    bias = network.intercepts_[0] - inputs.mean_ @ weights
    last_bias = network.intercepts_[1] * outputs.scale_ + outputs.mean_
    tensor = lambda array, name: numpy_helper.from_array(np.asarray(array, np.float32), name)
    width = HISTORY * 2
    graph = helper.make_graph(
        [
            helper.make_node("Reshape", ["actions", "flat"], ["row"]),
            helper.make_node("Concat", ["row", "states"], ["input"], axis=1),
            helper.make_node("Gemm", ["input", "weights", "bias"], ["sum"]),
            helper.make_node("Relu", ["sum"], ["hidden"]),
            helper.make_node("Gemm", ["hidden", "last_weights", "last_bias"], ["rates"]),
        ],
        "delay_steer_vel",
        [
            helper.make_tensor_value_info("actions", TensorProto.FLOAT, [1, HISTORY, 2]),
            helper.make_tensor_value_info("states", TensorProto.FLOAT, [1, 2]),
        ],
        [helper.make_tensor_value_info("rates", TensorProto.FLOAT, [1, 2])],
        [
            numpy_helper.from_array(np.array([1, width], np.int64), "flat"),
            tensor(weights, "weights"),
            tensor(bias, "bias"),
            tensor(last * outputs.scale_, "last_weights"),
            tensor(last_bias, "last_bias"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    entries = {"actions": "VX_DES STEER_DES", "states": "VX STEER", "step": str(STEP)}
    helper.set_model_props(model, entries)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def roll_out(network, inputs, outputs, actions):
    """Returns the states that the network predicts from its own states."""
    past = np.concatenate([np.zeros((HISTORY - 1, 2)), actions])
    states = [np.zeros(2)]
    for k in range(len(actions)):
        row = np.concatenate([past[k : k + HISTORY].ravel(), states[-1]])[None]
        rates = outputs.inverse_transform(network.predict(inputs.transform(row)))[0]
        states.append(states[-1] + STEP * rates)
    return np.array(states)


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} SIMHOST, the program that runs the plant")
    simhost = sys.argv[1]
    actions = commands(12000, 1)
    rows, rates = samples(actions, drive(simhost, actions))
    inputs, outputs = StandardScaler().fit(rows), StandardScaler().fit(rates)
    network = MLPRegressor(
        hidden_layer_sizes=(NEURONS,), solver="lbfgs", alpha=1e-7, tol=1e-9, max_iter=1500,
        max_fun=30000, random_state=1,
    )
    network.fit(inputs.transform(rows), outputs.transform(rates))
    export(network, inputs, outputs, HERE / "delay_steer_vel.onnx")
    for name, test in [("training", actions), ("other commands", commands(2400, 7))]:
        error = roll_out(network, inputs, outputs, test) - drive(simhost, test)
        rms, worst = np.sqrt((error**2).mean(axis=0)), np.abs(error).max(axis=0)
        print(f"{name}: {len(test)} steps")
        print(f"  speed    rms {rms[0]:.1e} m/s  worst {worst[0]:.1e} m/s")
        print(f"  steering rms {rms[1]:.1e} rad  worst {worst[1]:.1e} rad")


if __name__ == "__main__":
    main()
