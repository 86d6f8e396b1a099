#!/usr/bin/env python3
"""Checks runs of simhost as ROS 2 nodes with peers that have nothing of simhost.

Usage: tests/ros2/check.py PROGRAM [TEST...], with eclipse-zenoh, rosbags and zenoh-ros2-sdk
"""

import math
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import numpy

from peer import LATCHED_QOS, Peer, joined
from services import *  # noqa: F403 its tests
from simulator import ROOT, WORLD, Simulator, definitions, running

TWIST = "geometry_msgs/msg/Twist"
STAMPED = "geometry_msgs/msg/TwistStamped"
ODOMETRY = "nav_msgs/msg/Odometry"
CLOCK = "rosgraph_msgs/msg/Clock"


def stamp(header):
    return header.stamp.sec * 10**9 + header.stamp.nanosec


def twist(peer, x=0.0, z=0.0, y=0.0):
    types = peer.store.types
    vector = types["geometry_msgs/msg/Vector3"]
    return types[TWIST](linear=vector(x, y, 0.0), angular=vector(0.0, 0.0, z))


def yaw_of(orientation):
    return 2.0 * math.atan2(orientation.z, orientation.w)


def near(found, expected, tolerance=1e-9):
    difference = abs(found - float(expected))
    assert difference <= tolerance * max(1.0, abs(float(expected))), f"{found} {expected}"


# -- tests ---------------------------------------------------------------------------------------------------


def test_graph():
    """All endpoints have tokens that parse, and types with the hashes that ROS publishes."""
    with running() as run, joined(run, definitions=definitions()) as peer:
        peer.await_endpoint("/clock")
        time.sleep(1.0)
        endpoints = peer.endpoints()
        topics = {one.topic: one for one in endpoints if one.kind == "MP"}
        expected = {
            "/clock": CLOCK,
            "/tf": "tf2_msgs/msg/TFMessage",
            "/tf_static": "tf2_msgs/msg/TFMessage",
            "/map": "nav_msgs/msg/OccupancyGrid",
            "/simul_map": "nav_msgs/msg/OccupancyGrid",
            "/simul_map_metadata": "nav_msgs/msg/MapMetaData",
            "/odom": ODOMETRY,
            "/base_pose_ground_truth": ODOMETRY,
            "/joint_states": "sensor_msgs/msg/JointState",
            "/scan": "sensor_msgs/msg/LaserScan",
            "/imu": "sensor_msgs/msg/Imu",
            "/gps": "sensor_msgs/msg/NavSatFix",
            "/front/image_raw": "sensor_msgs/msg/Image",
            "/front/camera_info": "sensor_msgs/msg/CameraInfo",
            "/amcl_pose": "geometry_msgs/msg/PoseWithCovarianceStamped",
            "/particlecloud": "geometry_msgs/msg/PoseArray",
            "/chassis_markers": "visualization_msgs/msg/MarkerArray",
            "/scene": "visualization_msgs/msg/MarkerArray",
        }
        for topic, kind in expected.items():
            assert topic in topics, f"{topic} of {sorted(topics)}"
            assert topics[topic].type == kind, topics[topic]
        inputs = {one.topic: one.type for one in endpoints if one.kind == "MS"}
        assert inputs["/cmd_vel"] == TWIST and inputs["/joy"] == "sensor_msgs/msg/Joy", inputs
        assert inputs["/initialpose"] == "geometry_msgs/msg/PoseWithCovarianceStamped", inputs
        for one in endpoints:
            assert one.node == "/simhost", one
            if one.kind in ("MP", "MS"):
                assert one.hash == peer.hash(one.type), f"{one.topic}: {one.type} {one.hash}"
        assert topics["/scan"].qos == "2::,5:,:,:,,", topics["/scan"]
        assert topics["/map"].qos == LATCHED_QOS, topics["/map"]


def test_second_peer():
    """The tools of an independent package list the topics."""
    tool = pathlib.Path(sys.executable).parent / "zenoh-ros2"
    if not tool.exists():
        print("   zenoh-ros2-sdk is not installed: left out")
        return
    with running() as run:
        done = subprocess.run(
            [tool, "--no-daemon", "--router", run.address.removeprefix("tcp/"), "--timeout", "5",
             "topic", "list"],
            capture_output=True, text=True, timeout=60,
        )
        for topic in ("/odom", "/scan", "/cmd_vel", "/tf", "/map"):
            assert topic in done.stdout.split(), done.stdout + done.stderr


def test_messages_equal_the_tables():
    """Messages are decoded field by field, and equal the tables of the same run."""
    with running() as run, joined(run, definitions=definitions()) as peer:
        kinds = {
            "/odom": ODOMETRY,
            "/base_pose_ground_truth": ODOMETRY,
            "/scan": "sensor_msgs/msg/LaserScan",
            "/imu": "sensor_msgs/msg/Imu",
            "/gps": "sensor_msgs/msg/NavSatFix",
            "/joint_states": "sensor_msgs/msg/JointState",
            "/wheels": "simhost_msgs/msg/Wheels",
            "/front/image_raw": "sensor_msgs/msg/Image",
            "/front/camera_info": "sensor_msgs/msg/CameraInfo",
            "/tf": "tf2_msgs/msg/TFMessage",
            "/amcl_pose": "geometry_msgs/msg/PoseWithCovarianceStamped",
            "/particlecloud": "geometry_msgs/msg/PoseArray",
            "/clock": CLOCK,
        }
        found = {topic: peer.subscribe(topic, kind) for topic, kind in kinds.items()}
        drive = peer.publisher("/cmd_vel", TWIST)
        peer.await_endpoint("/cmd_vel", "MS")
        time.sleep(0.5)
        drive(twist(peer, 0.5, 0.2))
        for topic, received in found.items():
            received.wait(4 if topic.startswith("/front") else 10, timeout=30)
        received = {topic: one.all[:] for topic, one in found.items()}
        run.stop()

        # numbers of messages have no gaps, and their identity is that of the topic
        for topic, all_of_it in received.items():
            numbers = [struct.unpack("<qqB16s", attachment) for _, attachment, _ in all_of_it]
            first = numbers[0][0]
            assert [one[0] for one in numbers] == list(range(first, first + len(numbers))), topic
            assert {one[2] for one in numbers} == {16} and len({one[3] for one in numbers}) == 1
            assert all(abs(time.time_ns() - one[1]) < 300 * 10**9 for one in numbers)

        for topic, table in (("/odom", "odometry.csv"), ("/base_pose_ground_truth", "trajectory.csv")):
            rows, compared = run.table(table), 0
            for message, _, _ in received[topic]:
                row = rows[stamp(message.header)]
                position, spin = message.pose.pose.position, message.twist.twist
                for value, column in (
                    (position.x, "x_m"), (position.y, "y_m"), (position.z, "z_m"),
                    (spin.linear.x, "vx_mps"), (spin.linear.y, "vy_mps"),
                    (spin.angular.z, "omega_radps"),
                    (yaw_of(message.pose.pose.orientation), "yaw_rad"),
                ):
                    near(value, row[column])
                assert message.child_frame_id == "base_link", message
                compared += 1
            frame = received[topic][0][0].header.frame_id
            assert frame == ("odom" if topic == "/odom" else "map"), frame
            assert compared >= 10

        rows = run.table("amr.scan.csv")
        for message, _, _ in received["/scan"]:
            row = rows[stamp(message.header)]
            assert message.header.frame_id == "scan"
            assert len(message.ranges) == 181
            near(message.angle_max - message.angle_min, math.radians(270), 1e-6)
            for index, value in enumerate(message.ranges):
                expected = float(row[f"range_m_{index}"])
                assert value == numpy.float32(expected) or (math.isinf(value) and expected >= 20)
        rows = run.table("amr.imu.csv")
        for message, _, _ in received["/imu"]:
            row = rows[stamp(message.header)]
            for axis in "xyz":
                near(getattr(message.angular_velocity, axis), row[f"angular_velocity_{axis}_radps"])
                near(
                    getattr(message.linear_acceleration, axis),
                    row[f"linear_acceleration_{axis}_mps2"],
                )
        rows = run.table("amr.gps.csv")
        for message, _, _ in received["/gps"]:
            row = rows[stamp(message.header)]
            near(message.latitude, row["latitude_deg"])
            near(message.longitude, row["longitude_deg"])
            near(message.altitude, row["altitude_m"])
        truth = run.table("trajectory.csv")
        for message, _, _ in received["/amcl_pose"]:
            row = truth[stamp(message.header)]
            near(message.pose.pose.position.x, row["x_m"])
            assert message.header.frame_id == "map"
        for message, _, _ in received["/particlecloud"]:
            near(message.poses[0].position.x, truth[stamp(message.header)]["x_m"])
        for message, _, _ in received["/tf"]:
            frames = {one.child_frame_id: one for one in message.transforms}
            assert {"odom", "base_link", "block/crate"} <= set(frames), frames.keys()
            assert frames["odom"].header.frame_id == "map"
            row = run.table("odometry.csv")[stamp(frames["base_link"].header)]
            near(frames["base_link"].transform.translation.x, row["x_m"])
        image = received["/front/image_raw"][0][0]
        assert (image.width, image.height, image.encoding) == (32, 24, "rgb8"), image
        assert len(image.data) == 32 * 24 * 3 and len(set(image.data.tolist())) > 1
        info = received["/front/camera_info"][0][0]
        assert (info.width, info.height, info.k[0]) == (32, 24, 20.0), info
        joints = received["/joint_states"][0][0]
        assert len(joints.name) == len(joints.position) >= 2, joints
        clocks = [one.clock.sec * 10**9 + one.clock.nanosec for one, _, _ in received["/clock"]]
        assert clocks == sorted(set(clocks))
        # the clock has every step
        assert clocks[1] - clocks[0] == 5_000_000, clocks[:3]


def test_late_subscribers():
    """Maps, static transforms and the scene reach subscribers that come late."""
    with running() as run, joined(run, definitions=definitions()) as first:
        first.subscribe("/clock", CLOCK).wait(1)
        time.sleep(1.5)
        with joined(run, definitions=definitions()) as peer:
            found = {
                topic: peer.subscribe(topic, kind, is_latched=True)
                for topic, kind in {
                    "/map": "nav_msgs/msg/OccupancyGrid",
                    "/simul_map_metadata": "nav_msgs/msg/MapMetaData",
                    "/tf_static": "tf2_msgs/msg/TFMessage",
                    "/scene": "visualization_msgs/msg/MarkerArray",
                    "/chassis_markers": "visualization_msgs/msg/MarkerArray",
                }.items()
            }
            messages = {topic: one.wait(1)[0] for topic, one in found.items()}
            grid, size = messages["/map"], messages["/simul_map_metadata"]
            assert grid.info == size and len(grid.data) == size.width * size.height
            assert set(numpy.unique(grid.data).tolist()) <= set(range(-1, 101))
            frames = {one.child_frame_id: one for one in messages["/tf_static"].transforms}
            assert frames["scan"].header.frame_id == "base_link"
            near(frames["scan"].transform.translation.x, 0.2)
            assert frames["base_footprint"].header.frame_id == "base_link"
            markers = messages["/chassis_markers"].markers
            assert markers and {one.header.frame_id for one in markers} == {"base_link"}
            assert len(messages["/scene"].markers) > len(markers)
        warnings = run.text()
        assert "warning: ROS 2" not in warnings, warnings


def test_commands_drive_and_the_run_repeats():
    """Twist, Joy and initial poses act, wrong messages do not, and the record repeats the run."""
    with running() as run, joined(run) as peer:
        odometry = peer.subscribe("/base_pose_ground_truth", ODOMETRY)
        drive = peer.publisher("/cmd_vel", TWIST)
        plain = peer.publisher("/cmd_vel", TWIST, has_attachment=False)
        joy = peer.publisher("/joy", "sensor_msgs/msg/Joy")
        place = peer.publisher("/initialpose", "geometry_msgs/msg/PoseWithCovarianceStamped")
        peer.await_endpoint("/cmd_vel", "MS")
        odometry.wait(5)
        time.sleep(0.5)
        types = peer.store.types

        def forward(speed, margin=0.1):
            end = time.monotonic() + 15
            while time.monotonic() < end:
                if abs(odometry.all[-1][0].twist.twist.linear.x - speed) < margin:
                    return
                time.sleep(0.05)
            raise AssertionError(f"{odometry.all[-1][0].twist.twist.linear} is not {speed}")

        drive(twist(peer, 0.6))
        forward(0.6)
        # without an attachment
        plain(twist(peer, 0.2))
        forward(0.2)
        # none of these acts
        whole = bytes(peer.store.serialize_cdr(twist(peer, 3.0), TWIST))
        drive(twist(peer, math.nan))
        drive(twist(peer, math.inf))
        for wrong in (b"", whole[:3], whole[:20], whole[:-1], whole + bytes(8), b"\x07" + whole[1:]):
            drive(wrong)
        time.sleep(1.0)
        forward(0.2, 0.02)
        header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](0, 0), "")
        axes = numpy.array([0.0, 0.4, 0.0, 0.0], dtype=numpy.float32)
        joy(types["sensor_msgs/msg/Joy"](header, axes, numpy.zeros(4, dtype=numpy.int32)))
        forward(0.4)
        drive(twist(peer))
        forward(0.0, 0.02)
        pose = types["geometry_msgs/msg/Pose"](
            types["geometry_msgs/msg/Point"](2.0, -1.0, 0.0),
            types["geometry_msgs/msg/Quaternion"](0.0, 0.0, math.sin(0.5), math.cos(0.5)),
        )
        covered = types["geometry_msgs/msg/PoseWithCovariance"](pose, numpy.zeros(36))
        place(types["geometry_msgs/msg/PoseWithCovarianceStamped"](header, covered))
        odometry.wait(len(odometry.all) + 30)
        poses = [message.pose.pose for message, _, _ in odometry.all]
        # the controller turns the robot a little afterwards
        first = next(pose for pose in poses if abs(pose.position.x - 2.0) < 0.02)
        near(first.position.y, -1.0, 0.02)
        near(yaw_of(first.orientation), 1.0, 0.02)
        text = run.stop()
        assert text.count("warning: ROS 2: /cmd_vel: a message is not applied") == 1, text
        assert "/cmd_vel: 8 messages were not applied" in text, text
        run.rerun()
        kinds = [one["input"] for one in run.inputs()]
        assert "pose" in kinds and kinds.count("command") == 4, kinds


def test_stamped_velocities():
    with running("--ros2-stamped") as run, joined(run) as peer:
        odometry = peer.subscribe("/odom", ODOMETRY)
        drive = peer.publisher("/cmd_vel", STAMPED)
        assert peer.await_endpoint("/cmd_vel", "MS").type == STAMPED
        odometry.wait(5)
        time.sleep(0.5)
        types = peer.store.types
        header = types["std_msgs/msg/Header"](types["builtin_interfaces/msg/Time"](1, 2), "base_link")
        drive(types[STAMPED](header, twist(peer, 0.5)))
        odometry.wait(len(odometry.all) + 60)
        assert odometry.all[-1][0].twist.twist.linear.x > 0.2


def test_domains_and_namespaces():
    """Two runs on one router do not see each other in different domains."""
    with running("--ros2-domain", "3", "--ros2-namespace", "fleet") as first:
        with running("--ros2-domain", "4", address=first.address) as second:
            assert "node" in second.text() or "nodes" in second.text()
            with joined(first, domain=3) as peer, joined(first, domain=4) as other:
                peer.await_endpoint("/fleet/odom")
                other.await_endpoint("/odom")
                assert not [one for one in other.endpoints() if one.topic.startswith("/fleet")]
                assert {one.node for one in peer.endpoints()} == {"/fleet/simhost"}
                mine = peer.subscribe("/fleet/odom", ODOMETRY)
                clock = other.subscribe("/clock", CLOCK)
                mine.wait(3)
                clock.wait(3)
                wrong = other.subscribe("/fleet/odom", ODOMETRY)
                time.sleep(0.5)
                assert not wrong.all


def test_names():
    """Styles of names, transforms per robot, remapping and parameters of MVSim's node."""
    remap = ("--ros-args", "-r", "/amr/scan/scan:=/lidar", "-p", "do_fake_localization:=false")
    with running("--ros2-names", "plain", *remap) as run, joined(run) as peer:
        peer.await_endpoint("/lidar")
        topics = {one.topic for one in peer.endpoints()}
        assert "/amr/odometry" in topics and "/pause" in topics and "/amr/scan/scan" not in topics
        transforms = peer.subscribe("/tf", "tf2_msgs/msg/TFMessage").wait(1)[0].transforms
        frames = {one.child_frame_id for one in transforms}
        assert "amr/base_link" in frames and "amr/odom" not in frames, frames
    parameter = ("--ros-args", "-p", "force_publish_vehicle_namespace:=true")
    with running("--ros2-tf", "per-robot", *parameter) as run, joined(run) as peer:
        peer.await_endpoint("/amr/tf")
        transforms = peer.subscribe("/amr/tf", "tf2_msgs/msg/TFMessage").wait(1)[0].transforms
        assert {"odom", "base_link"} <= {one.child_frame_id for one in transforms}
        assert "/tf" not in {one.topic for one in peer.endpoints()}
    with running("--ros2-distro", "humble") as run, joined(run) as peer:
        assert peer.await_endpoint("/odom").hash == "TypeHashNotSupported"
        peer.subscribe("/odom", ODOMETRY, type_hash="TypeHashNotSupported").wait(3)


def test_names_with_spaces():
    """Names that ROS does not accept get others, and frames as well."""
    text = WORLD.read_text().replace('name="amr"', 'name="amr #1"')
    text = text.replace("../../worlds", str(ROOT / "worlds"))
    with tempfile.NamedTemporaryFile("w", suffix=".world.xml", dir=ROOT / "target") as file:
        file.write(text)
        file.flush()
        force = ("--ros-args", "-p", "force_publish_vehicle_namespace:=true")
        with running(*force, world=file.name) as run, joined(run) as peer:
            message = peer.subscribe("/amr_1/odom", ODOMETRY).wait(2)[0]
            assert message.child_frame_id == "amr_1/base_link", message


def test_diagnosis():
    """Topics that other nodes use with other types or qualities are named once."""
    with running() as run, joined(run, name="teleop") as peer:
        peer.await_endpoint("/cmd_vel", "MS")
        peer.publisher("/cmd_vel", STAMPED)
        peer.subscribe("/odom", ODOMETRY, is_latched=True)
        peer.subscribe("/scan", "sensor_msgs/msg/LaserScan", type_hash="RIHS01_" + 64 * "0")
        run.await_line(
            r"warning: ROS 2: /cmd_vel: node /teleop publishes geometry_msgs/msg/TwistStamped; this topic "
            r"takes geometry_msgs/msg/Twist \(or run with --ros2-stamped\)"
        )
        run.await_line(r"/odom: node /teleop subscribes to .* transient local")
        run.await_line(r"/scan: node /teleop subscribes to .* with the definition RIHS01_0+;")
        time.sleep(1.0)
        text = run.stop()
        assert text.count("/cmd_vel: node /teleop") == 1, text


def test_slow_subscriber():
    """A subscriber that does not finish its first message does not delay the run."""
    released = threading.Event()
    with running(world=ROOT / "worlds/cameras.world.xml") as run:
        with joined(run) as slow, joined(run) as quick:
            try:
                kind = "sensor_msgs/msg/Image"
                images = slow.subscribe("/rover/front/image_raw", kind, after=released, raw=True)
                poses = slow.subscribe("/rover/odom", ODOMETRY, after=released, raw=True)
                # images of 5 s of the run: 2 MB, which no buffer below the subscriber has to take
                clock = quick.subscribe("/clock", CLOCK)
                clock.wait(500, timeout=120)
                assert not images.all and not poses.all
            finally:
                released.set()
            images.wait(1, timeout=30)
            poses.wait(1, timeout=30)


def test_killed_router():
    """A router that dies ten times: a warning each time, and topics and commands return."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tcp/127.0.0.1:{free.getsockname()[1]}"
    script = (
        "import sys,time,zenoh\nc=zenoh.Config()\nc.insert_json5('mode','\"router\"')\n"
        f"c.insert_json5('listen/endpoints','[\"{address}\"]')\n"
        "c.insert_json5('scouting/multicast/enabled','false')\n"
        "s=zenoh.open(c)\nprint('open',flush=True)\ntime.sleep(1e6)\n"
    )

    def router():
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline().strip() == "open"
        return process

    process = router()
    try:
        with running("--ros2-router", "never", address=address) as run:
            for round in range(10):
                process.kill()
                process.wait()
                time.sleep(0.6)
                process = router()
                if round in (0, 9):
                    with joined(run) as peer:
                        peer.await_endpoint("/odom", timeout=20)
                        peer.subscribe("/odom", ODOMETRY).wait(3)
                        drive = peer.publisher("/cmd_vel", TWIST)
                        time.sleep(1.0)
                        drive(twist(peer, 0.3 + round))
                        time.sleep(0.5)
                else:
                    end = time.monotonic() + 10
                    while run.text().count("is back") <= round and time.monotonic() < end:
                        time.sleep(0.1)
            text = run.stop()
            assert text.count("is lost; the run continues") == 10, text
            assert len([one for one in run.inputs() if one["input"] == "command"]) == 2
            run.rerun()
    finally:
        process.kill()


def test_random_bytes():
    """Random bytes on every input topic and every key leave the run as it is."""
    count = int(os.environ.get("SIMHOST_RANDOM_MESSAGES", "100000"))
    with running() as run, joined(run, definitions=definitions()) as peer:
        peer.await_endpoint("/cmd_vel", "MS")
        clock = peer.subscribe("/clock", CLOCK)
        inputs = [one for one in peer.endpoints() if one.kind == "MS"]
        # a pause, a pace or an enormous velocity that random bytes happen to ask for is one
        asked = ("pause", "pace", "step", "set_velocity", "set_pose")
        inputs = [one for one in inputs if not one.topic.endswith(asked)]
        publishers = [peer.publisher(one.topic, one.type, type_hash=one.hash) for one in inputs]
        source = random.Random(1)
        lost = 0
        for number in range(count):
            size = source.choice((0, 3, 4, 12, 28, 52, 60, 100))
            data = source.randbytes(size)
            if source.random() < 0.5 and size >= 4:
                data = b"\x00\x01\x00\x00" + data[4:]
            source.choice(publishers)(data)
            if number % 2000 == 0:
                time.sleep(0.01)
        before = len(clock.all)
        try:
            clock.wait(before + 50, timeout=60)
        except AssertionError as error:
            raise AssertionError(run.text()) from error
        text = run.stop()
        assert "panicked" not in text, text
        assert text.count("a message is not applied") <= len(publishers), text
        run.rerun()


def test_many_subscriptions():
    """A thousand subscriptions, also to topics that do not exist."""
    with running() as run, joined(run) as peer:
        peer.await_endpoint("/odom")
        wrong = [peer.subscribe(f"/nothing/{number}", ODOMETRY) for number in range(500)]
        # decoding 500 times each message would keep the peer busy
        right = [peer.subscribe("/odom", ODOMETRY, raw=True) for _ in range(500)]
        right[0].wait(5)
        right[-1].wait(5, timeout=30)
        assert not any(one.all for one in wrong)


def test_navigation():
    """A loop like that of Nav2 drives the robot through the office."""
    script = pathlib.Path(__file__).parent / "navigate.py"
    subprocess.run([sys.executable, str(script), str(Simulator.program)], check=True, timeout=240)


def test_taken_port():
    """A port of another program is an error that names it."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"tcp/127.0.0.1:{other.getsockname()[1]}"
        done = subprocess.run(
            [str(Simulator.program), "run", str(WORLD), f"--ros2={address}"],
            capture_output=True, text=True, timeout=60, cwd=ROOT,
        )
    assert done.returncode == 2, done
    assert address in done.stderr and "help:" in done.stderr, done.stderr


def main():
    Simulator.program = pathlib.Path(sys.argv[1]).resolve()
    chosen = sys.argv[2:]
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    failed = []
    for name, test in tests.items():
        if chosen and not any(word in name for word in chosen):
            continue
        start = time.monotonic()
        try:
            test()
            print(f"ok   {name} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:
            failed.append(name)
            import traceback

            traceback.print_exc()
            print(f"FAIL {name}: {error}", flush=True)
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "all passed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
