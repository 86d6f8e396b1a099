"""Sessions."""

import gc
import json
import math
import pickle
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import simhost


@pytest.fixture
def sim():
    with simhost.open(simhost.worlds.demo, seed=1) as session:
        yield session


def test_a_session_has_the_results_of_the_command_line(tmp_path):
    out = tmp_path / "out"
    words = ["run", str(simhost.worlds.demo), "--duration", "1", "--seed", "1", "--out", str(out)]
    subprocess.run([sys.executable, "-m", "simhost", *words], check=True, capture_output=True)
    sim = simhost.open(simhost.worlds.demo, seed=1)
    assert sim.run_until(1.0) == "reached"
    assert f'"result_hash": "{sim.result_hash()}"' in (out / "manifest.json").read_text()
    tables = simhost.load(out)
    assert tables["trajectory/robot"].rows == 201
    assert tables["trajectory/robot"]["time"][-1] == 1.0


def test_commands_have_names(sim):
    robot = sim["robot"]
    assert robot.commands == {"twist": ("vx", None, "omega")}
    robot.command("twist", vx=0.5, omega=0.2)
    sim.run_until(2.0)
    assert robot.twist == pytest.approx([0.5, 0.0, 0.2], abs=0.02)
    with pytest.raises(simhost.UnknownNameError, match="did you mean 'omega'"):
        robot.command("twist", omge=1)
    with pytest.raises(simhost.UnknownNameError, match="twist"):
        robot.command("twits", vx=1)
    with pytest.raises(simhost.InputError, match="expected"):
        robot.command("twist", 1.0, 2.0)
    with pytest.raises(simhost.InputError, match="NaN|finite"):
        robot.command("twist", vx=float("nan"))


def test_arrays_never_change(sim):
    sim["robot"].command("twist", vx=1.0)
    sim.run_until(0.5)
    pose, ranges = sim["robot"].pose, sim["robot/scan"].ranges
    copies = pose.copy(), ranges.copy()
    sim.run_until(2.0)
    assert np.array_equal(pose, copies[0])
    assert np.array_equal(ranges, copies[1])
    assert sim["robot"].pose[0] > pose[0] + 1.0
    assert ranges.shape == (181,)


def test_an_array_outlives_its_session(sim):
    sim.step(30)
    array, record = sim.watch("robot/pose"), sim.record("robot/pose")
    sim.step(3)
    ranges, values, before = sim["robot/scan"].ranges, record["robot/pose[0]"], array.copy()
    sim.close()
    gc.collect()
    assert np.array_equal(array, before)
    assert ranges.sum() > 0
    assert len(values) == 4
    with pytest.raises(simhost.ClosedError):
        sim.step()


def test_watched_arrays_follow(sim):
    watched = sim.watch(["robot/pose", "car/wheel/*/spin"])
    assert watched.shape == (10,)
    assert watched[:2] == pytest.approx([-8, -5])
    sim["robot"].set_pose(1.0, 2.0, 0.5)
    assert watched[[0, 1, 3]] == pytest.approx([1.0, 2.0, 0.5])
    sim["car"].command("twist", vx=1.0)
    sim.step(200)
    assert watched[6:].min() > 1.0
    assert np.array_equal(watched, sim.read(["robot/pose", "car/wheel/*/spin"]))


def test_quantities_have_units_and_descriptions(sim):
    spin = sim.quantities("car/wheel/*/spin")
    assert [one.name for one in spin] == [f"car/wheel/{wheel}/spin" for wheel in ("rl", "rr", "fl", "fr")]
    assert spin[0].units == ("rad/s",)
    assert spin[0].description
    ranges, pose = sim.quantities("robot/sensor/scan/range")[0], sim.quantities("robot/pose")[0]
    assert (ranges.units, ranges.size) == (("m",), 181)
    assert pose.units == ("m", "m", "m", "rad", "rad", "rad")
    assert len(sim.quantities("car/wheel/**")) > 40
    assert sim["car/wheel/fl/spin"] == 0.0
    with pytest.raises(simhost.UnknownNameError, match="did you mean `car/wheel/fl/spin`"):
        sim.quantities("car/wheel/fl/spim")
    with pytest.raises(KeyError, match="robot"):
        sim["robto"]
    assert "robot/scan/scan" in sim._ipython_key_completions_()


def test_numbers_that_are_not_whole_are_refused(sim):
    for call, text in [
        (lambda: sim.step("3"), "steps is '3'; expected a whole number"),
        (lambda: sim.step(-1), "steps is -1; expected at least 0"),
        (lambda: sim.step(2**63), "expected at most 2**63 - 1"),
        (lambda: simhost.open(simhost.worlds.demo, seed=1.5), "seed is 1.5; expected a whole number"),
        (lambda: simhost.open(simhost.worlds.demo, seed=2**64), "expected at most 2**64 - 1"),
        (lambda: simhost.open(simhost.worlds.demo, threads=0), "threads is 0; expected at least 1"),
        (lambda: simhost.open(simhost.worlds.demo, threads=1025), "threads is 1025; expected at most 1024"),
        (lambda: simhost.Ensemble(simhost.worlds.demo, 2, threads=10**6), "threads is 1000000; expected at most 1024"),
        (lambda: simhost.Ensemble(simhost.worlds.demo, 2.5), "members is 2.5; expected a whole number"),
        (lambda: sim.linearise("robot/cmd_vel/vx", steps=1.5), "steps is 1.5; expected a whole number"),
    ]:
        with pytest.raises(simhost.InputError, match=re.escape(text)):
            call()
    sim.step(np.int64(2))
    assert sim.steps == 2


def test_what_names_or_sets_nothing_is_refused(sim):
    for call, text in [
        (lambda: sim.read([]), "no quantity is named"),
        (lambda: sim.watch(()), "no quantity is named"),
        (lambda: sim.record([]), "no quantity is named"),
        (lambda: simhost.Ensemble(simhost.worlds.demo, 2).select([]), "no quantity is named"),
        (lambda: sim["robot"].command("twist", vx="fast"), "a value of 'twist' is 'fast'; expected a number"),
        (lambda: sim["robot"].command("twist", None, 0.0, 0.0), "a value of 'twist' is None; expected a number"),
        (lambda: sim["robot"].command("twist", vx=10**400), "a value of 'twist' is an integer beyond the range of float64"),
    ]:
        with pytest.raises(simhost.InputError, match=re.escape(text)):
            call()


def test_quantities_have_the_ranges_that_models_declare(sim):
    def ranges(session, name):
        (found,) = session.quantities(name)
        assert len(found.ranges) == len(found.units)
        return found.ranges[0] if len(found.ranges) == 1 else found.ranges

    anything, angle = (-math.inf, math.inf), (-math.pi, math.pi)
    reach = float(sim.parameters["robot/sensor/scan/max_range"])
    assert ranges(sim, "robot/sensor/scan/range") == (0.0, reach)
    assert ranges(sim, "robot/sensor/scan/valid") == (0.0, 1.0)
    assert ranges(sim, "robot/pose") == (anything,) * 3 + (angle,) * 3
    assert ranges(sim, "robot/odometry_pose")[3] == angle
    assert ranges(sim, "robot/twist") == (anything,) * 3
    assert ranges(sim, "robot/controller/command_vx") == anything
    # a range follows its parameter
    sim.parameters["robot/sensor/scan/max_range"] = 2.5
    assert ranges(sim, "robot/sensor/scan/range") == (0.0, 2.5)
    climb = simhost.open(simhost.worlds.climb)
    assert ranges(climb, "car/controller/throttle") == (0.0, 1.0)
    assert ranges(climb, "car/dynamics/gear") == (-1.0, 5.0)
    steer = math.radians(float(climb.parameters["car/dynamics/max_steer_ang_deg"]))
    assert ranges(climb, "car/controller/steer") == pytest.approx((-steer, steer))
    assert ranges(climb, "car/dynamics/engine_speed") == anything
    # the selection of an ensemble has them by column
    selection = simhost.Ensemble(simhost.worlds.climb, 2).select(["car/pose", "car/dynamics/gear"])
    assert selection.ranges == [anything] * 3 + [angle] * 3 + [(-1.0, 5.0)]


def test_records_have_units_and_follow_time_back(sim):
    run = sim.record("robot/twist", every=0.1)
    assert run.units == {"time": "s", "robot/twist[0]": "m/s", "robot/twist[1]": "m/s", "robot/twist[2]": "rad/s"}
    sim["robot"].command("twist", vx=1.0)
    sim.run_until(0.5)
    state = sim.snapshot()
    sim.run_until(1.0)
    assert run["time"] == pytest.approx(np.arange(11) / 10)
    late = run["robot/twist[0]"]
    sim.restore(state)
    sim.run_until(0.7)
    assert run["time"] == pytest.approx(np.arange(8) / 10)
    assert np.array_equal(run["robot/twist[0]"], late[:8])


def test_sampling_does_not_change_results(sim):
    plain = sim.fork()
    record = sim.record("**", every=0.03)
    sim.hook(after=lambda session: session["robot"].pose)
    sim.run_until(0.5)
    plain.run_until(0.5)
    assert sim.result_hash() == plain.result_hash()
    assert record.rows == 17


def test_snapshots_can_be_pickled(sim):
    sim["car"].command("twist", vx=1.0, omega=0.1)
    sim.run_until(0.5)
    state = pickle.loads(pickle.dumps(sim.snapshot()))
    assert state == sim.snapshot()
    fork = sim.fork()
    sim.run_until(1.0)
    after = sim.result_hash()
    sim.restore(state)
    assert sim.time == 0.5
    for session in (sim, fork):
        session.run_until(1.0)
        assert session.result_hash() == after
    with pytest.raises(simhost.SnapshotError):
        simhost.Snapshot.from_bytes(b"nothing")


def test_parameters_can_be_set(sim):
    parameters = sim.parameters
    assert parameters["robot/friction/mu"] == 0.8
    parameters["robot/friction/mu"] = 0.5
    assert sim.parameters["robot/friction/mu"] == 0.5
    with pytest.raises(simhost.UnknownNameError, match="robot/friction/mu"):
        parameters["robot/friction/mue"] = 1
    with pytest.raises(simhost.SimhostError, match="out of range|expected"):
        parameters["robot/friction/mu"] = -1
    with pytest.raises(simhost.UnknownNameError, match="did you mean"):
        parameters["robot/friction/mue"]


def test_entities_come_and_go(sim):
    sim.step(10)
    pose = sim.watch("rover/pose")
    sim.remove("rover")
    assert sim.vehicles == ["robot", "car"]
    assert np.isnan(pose).all()
    sim.add('<vehicle name="second" class="robot"><init_pose>0 8 0</init_pose></vehicle>')
    assert sim.vehicles == ["robot", "car", "second"]
    with pytest.raises(simhost.SimhostError, match="second"):
        sim.add('<vehicle name="second" class="robot"/>')
    sim.reset(seed=4)
    assert (sim.steps, sim.seed, sim.vehicles) == (0, 4, ["robot", "car", "rover"])
    assert not np.isnan(pose).any()


def test_hooks_are_called_around_each_step(sim):
    seen = []
    hook = sim.hook(
        before=lambda session: session["robot"].command("twist", vx=session.time),
        after=lambda session: seen.append(session.steps),
    )
    sim.step(5)
    assert seen == [1, 2, 3, 4, 5]
    hook.remove()
    hook.remove()
    sim.step(5)
    assert len(seen) == 5


def test_hooks_can_raise_and_cannot_step(sim):
    def fail(session):
        if session.steps == 3:
            raise ZeroDivisionError("in a hook")

    hook = sim.hook(after=fail)
    with pytest.raises(ZeroDivisionError, match="in a hook"):
        sim.step(10)
    assert sim.steps == 3
    hook.remove()
    sim.hook(before=lambda session: session.step())
    with pytest.raises(simhost.BusyError, match="a hook cannot step"):
        sim.step()
    assert sim.steps == 3


def test_other_threads_run_and_cannot_step(sim):
    caught = []

    def count():
        while not caught and time.monotonic() < end:
            try:
                sim.time
            except simhost.BusyError as error:
                caught.append(str(error))

    end = time.monotonic() + 20
    other = threading.Thread(target=count)
    other.start()
    while not caught and time.monotonic() < end:
        try:
            sim.step(2000)
        except simhost.BusyError:
            pass
    other.join()
    assert "expected one call at a time" in caught[0]


def test_control_c_ends_a_run():
    program = """
import os, signal, threading, simhost
sim = simhost.open(simhost.worlds.demo)
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    sim.run_until(1e6)
except KeyboardInterrupt:
    print("interrupted", sim.step(1), sim.time > 0)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert run.stdout == "interrupted reached True\n", run.stderr
    assert signal.getsignal(signal.SIGINT) is not None


def test_progress_is_called(sim):
    times = []
    sim.run_until(30.0, progress=times.append)
    assert times == sorted(times)
    with pytest.raises(ValueError, match="from progress"):
        sim.run_until(1e6, progress=lambda _: raise_value())
    assert sim.time < 1e6


def raise_value():
    raise ValueError("from progress")


def test_world_errors_show_the_place():
    text = "<mvsim_world version='1.0'>\n  <vehicel name='a'/>\n</mvsim_world>"
    with pytest.raises(simhost.WorldError) as caught:
        simhost.open("some.world.xml", text=text)
    for part in ("some.world.xml:2", "vehicel", "^^^", "did you mean"):
        assert part in str(caught.value)
    with pytest.raises(simhost.WorldError, match="absent.world.xml"):
        simhost.open("absent.world.xml")


def test_times_and_steps_are_checked(sim):
    sim.step(10)
    for until in (0.0, float("nan"), float("inf")):
        with pytest.raises(simhost.InputError, match="expected a later, finite time"):
            sim.run_until(until)
    with pytest.raises(simhost.InputError, match="at least 0"):
        sim.step(-1)
    with pytest.raises(simhost.InputError, match="positive"):
        sim.record("robot/pose", every=0.0)
    with pytest.raises(simhost.InputError, match="threads"):
        simhost.open(simhost.worlds.demo, threads=0)
    with pytest.raises(simhost.InputError, match="seed"):
        simhost.open(simhost.worlds.demo, seed=-1)


def test_fault_memory(sim):
    robot = sim["robot"]
    assert robot.faults == []
    robot.add_fault("brake", "critical", 7, "worn")
    sim.step()
    assert robot.faults == [{"time": 0.0, "sensor": "brake", "severity": "critical", "code": 7, "text": "worn"}]
    robot.clear_faults()
    sim.step()
    assert robot.faults == []
    with pytest.raises(simhost.InputError, match="critical"):
        robot.add_fault("brake", "bad", 7)


def test_recordings_are_written(sim, tmp_path):
    sim.write_mcap(tmp_path / "run.mcap", "robot/**")
    sim.run_until(0.5)
    sim.close()
    assert (tmp_path / "run.mcap").read_bytes()[1:5] == b"MCAP"


def test_faults_of_models_say_where():
    text = """<mvsim_world version="1.0"><vehicle name="robot"><init_pose>0 0 0</init_pose>
      <dynamics class="differential"/>
      <sensor class="odometry" name="odo"><model>bicycle</model></sensor></vehicle></mvsim_world>"""
    sim = simhost.open("fault.world.xml", text=text)
    with pytest.raises(simhost.ModelFault, match="expected auto or differential") as caught:
        sim.run_until(1.0)
    fault = caught.value
    assert (fault.vehicle, fault.wheel, fault.sensor) == ("robot", None, "odo")
    assert (fault.model, fault.phase) == ("simhost/odometry", "read")
    assert fault.time == pytest.approx(0.1)
    ens = simhost.Ensemble("fault.world.xml", 2, text=text)
    ens.run_until(1.0)
    assert [end.kind for end in ens.ends] == ["fault", "fault"]
    assert "expected auto or differential" in ens.ends[0].text


def test_plugin_folders_are_checked():
    with pytest.raises(simhost.PluginError, match="it does not exist"):
        simhost.open(simhost.worlds.demo, plugins=["absent"])


@pytest.mark.parametrize("one", [str, lambda folder: folder])
def test_one_plugin_folder_needs_no_list(one, tmp_path):
    (tmp_path / "plugins").mkdir()
    folder = one(tmp_path / "plugins")
    assert simhost.open(simhost.worlds.demo, plugins=folder).step(1) == "reached"
    assert simhost.Ensemble(simhost.worlds.demo, 2, plugins=folder).members == 2
    with pytest.raises(simhost.PluginError, match="plugins/absent'?:? .*it does not exist"):
        simhost.open(simhost.worlds.demo, plugins=one(tmp_path / "plugins" / "absent"))


def test_a_session_contains_names(sim):
    for name in ("robot", "robot/odometry", "robot/scan", "robot/pose", "car/wheel/fl/spin"):
        assert name in sim, name
    for name in ("tank/pose", "rob", "robot/", "robot/*", "", 3, None):
        assert name not in sim, name
    assert list(sim) == sim.vehicles
    with pytest.raises(simhost.InputError, match="the name is 0; expected that of a vehicle"):
        sim[0]


def test_at_least_one_quantity_is_named(sim):
    for call in (sim.quantities, sim.read, sim.watch, sim.record):
        with pytest.raises(simhost.InputError, match="expected at least one pattern"):
            call([])


@pytest.mark.parametrize("change", ["size", "type", "both"])
def test_a_watched_array_that_is_changed_in_place_is_no_longer_refreshed(sim, change):
    array, other = sim.watch("robot/pose"), sim.watch("robot/twist")
    if change != "size":
        array.dtype = np.float32
    if change != "type":
        array.resize(6 if change == "both" else 100, refcheck=False)
    sim["robot"].command("twist", vx=1.0)
    with pytest.raises(simhost.ShapeError, match="changed in place to .*; expected 6 of float64"):
        sim.step(5)
    assert other[0] > 0 and sim.steps == 5
    assert sim.step(5) == "reached" and other[0] == sim["robot"].twist[0]


def test_a_session_has_a_picture(sim):
    before = sim.picture()
    assert before.shape == (580, 800, 3) and before.dtype == np.uint8
    sim.set_pose("robot", 3.0, 3.0)
    after = sim.picture()
    changed = (before != after).any(axis=2)
    # the robot, where it was and where it is
    assert 50 < changed.sum() < 5000
    sim.set_pose("block/crate", 8.0, 5.0)
    assert (after != sim.picture()).any()
    assert sim.to_svg().startswith("<") and "rover" in sim.to_svg()
    with pytest.raises(simhost.InputError, match="scale is 9"):
        sim.picture(9.0)


def test_notebooks_show_sessions(sim):
    shown = sim._repr_html_()
    assert "data:image/svg+xml;base64," in shown and "<td>rover</td>" in shown
    sim.close()
    assert "closed" in sim._repr_html_()


def test_sessions_can_be_pickled(sim, tmp_path):
    sim["robot"].command("twist", vx=0.5, omega=0.2)
    sim.run_until(1.0)
    sim.remove("rover")
    sim.parameters["robot/friction/mu"] = 0.5
    sim.step(20)
    copy = pickle.loads(pickle.dumps(sim))
    assert copy.time == sim.time and copy.vehicles == sim.vehicles == ["robot", "car"]
    copy.step(100)
    sim.step(100)
    assert copy.result_hash() == sim.result_hash()
    assert copy.parameters["robot/friction/mu"] == 0.5
    assert pickle.loads(pickle.dumps(sim.fork())).result_hash() == sim.result_hash()
    member = simhost.Ensemble(simhost.worlds.demo, 2).to_session(0)
    with pytest.raises(simhost.InputError, match="cannot be pickled"):
        pickle.dumps(member)


def frame_of(connection):
    """Reads a frame of a WebSocket server: its kind, 1 for text and 2 for bytes, and its content."""
    head = connection.read(2)
    size = head[1] & 127
    if size > 125:
        size = int.from_bytes(connection.read(2 if size == 126 else 8), "big")
    return head[0] & 15, connection.read(size)


def send_text(connection, message):
    """Writes a short masked frame."""
    content = json.dumps(message).encode()
    assert len(content) < 65536
    connection.write(bytes([0x81, 0x80 | 126]) + len(content).to_bytes(2, "big") + bytes(4) + content)
    connection.flush()


def test_live_clients_see_streams_and_set_parameters():
    sim = simhost.open(simhost.worlds.demo)
    url = sim.serve(pace=None)
    address, port = url.removeprefix("ws://").split(":")
    with socket.create_connection((address, int(port)), timeout=20) as plain, plain.makefile("rwb") as connection:
        lines = [
            "GET / HTTP/1.1", f"Host: {address}:{port}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: foxglove.websocket.v1", "", "",
        ]
        connection.write("\r\n".join(lines).encode())
        connection.flush()
        assert b"101" in connection.readline()
        while connection.readline().strip():
            pass
        kind, content = frame_of(connection)
        info = json.loads(content)
        assert kind == 1 and info["op"] == "serverInfo" and info["name"].startswith("demo")
        sim.step(1)
        channels = {}
        while "/robot/odometry" not in channels:
            kind, content = frame_of(connection)
            message = json.loads(content) if kind == 1 else {}
            channels |= {one["topic"]: one["id"] for one in message.get("channels", ())}
        send_text(connection, {"op": "subscribe", "subscriptions": [{"id": 7, "channelId": channels["/robot/odometry"]}]})
        send_text(connection, {"op": "setParameters", "id": "a", "parameters": [{"name": "robot/friction/mu", "value": 0.25}]})
        began = time.monotonic()
        while sim.parameters["robot/friction/mu"] != 0.25 and time.monotonic() - began < 20:
            sim.step(20)
        assert sim.parameters["robot/friction/mu"] == 0.25
        sim.step(100)
        # a time and a sample both are bytes
        while (found := frame_of(connection))[0] != 2 or found[1][0] != 1:
            pass
        assert int.from_bytes(found[1][1:5], "little") == 7
    sim.close()
    with pytest.raises(simhost.InputError, match="token"):
        simhost.open(simhost.worlds.demo).serve(host="0.0.0.0")
    with pytest.raises(simhost.InputError, match="pace is 0"):
        simhost.open(simhost.worlds.demo).serve(pace=0)


def test_a_vehicle_has_its_type():
    with simhost.open(simhost.worlds.demo) as sim:
        assert tuple(sim.vehicle("robot").pose) == tuple(sim["robot"].pose)
        with pytest.raises(simhost.UnknownNameError, match="robot"):
            sim.vehicle("robt")
