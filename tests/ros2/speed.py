#!/usr/bin/env python3
"""Measures what runs as ROS 2 nodes cost: processor time and latency.

Usage: tests/ros2/speed.py PROGRAM [SECONDS], with eclipse-zenoh and rosbags

Prints a table, and fails if a figure is above its limit. A limit holds for a release build on a machine that does
nothing else.
"""

import os
import pathlib
import statistics
import struct
import sys
import tempfile
import time

from peer import Peer
from simulator import ROOT, Simulator

ROBOTS = 20
ODOMETRY = "nav_msgs/msg/Odometry"


def world(robots, sensor):
    """A world with robots side by side."""
    text = [
        '<mvsim_world version="1.0"><random_seed>1</random_seed><simul_timestep>0.01</simul_timestep>',
    ]
    for number in range(robots):
        text.append(
            f'<vehicle name="r{number}"><init_pose>{3 * number} 0 0</init_pose><dynamics class="differential">'
            '<l_wheel pos="0 0.25" mass="1" width="0.05" diameter="0.3"/>'
            '<r_wheel pos="0 -0.25" mass="1" width="0.05" diameter="0.3"/>'
            '<chassis mass="15" zmin="0.05" zmax="0.5"><shape><pt>-0.3 -0.2</pt><pt>0.3 -0.2</pt>'
            '<pt>0.3 0.2</pt><pt>-0.3 0.2</pt></shape></chassis>'
            '<controller class="twist_pid"><KP>20</KP><KI>10</KI><max_torque>8</max_torque></controller>'
            f'</dynamics><friction class="default"><mu>0.8</mu></friction>{sensor}</vehicle>'
        )
    text.append("</mvsim_world>")
    return "".join(text)


LASER = (
    '<sensor class="laser" name="scan"><pose_3d>0.2 0 0.3 0 0 0</pose_3d><fov_degrees>270</fov_degrees>'
    "<nrays>361</nrays><max_range>20</max_range><sensor_period>0.1</sensor_period></sensor>"
)
# rendering takes most of the time, so images are rare, and the cost of each is what counts
IMAGE_PERIOD = 0.2
CAMERA = (
    '<sensor class="camera" name="front"><pose_3d>0.3 0 0.4 -90 0 -90</pose_3d>'
    "<sensor_period>{period}</sensor_period><ncols>640</ncols><nrows>480</nrows>"
    "<fx>400</fx><fy>400</fy><cx>320</cx><cy>240</cy></sensor>"
)


def cpu(process):
    """Returns the processor time of a process, s."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share(run, seconds):
    """Returns the share of a core that a run takes."""
    start, used = time.monotonic(), cpu(run.process)
    time.sleep(seconds)
    return (cpu(run.process) - used) / (time.monotonic() - start)


def measure(text, subscribe, seconds):
    """Returns the shares of a run without a subscriber and with those that `subscribe` adds, and these."""
    with tempfile.NamedTemporaryFile("w", suffix=".world.xml", dir=ROOT / "target") as file:
        file.write(text)
        file.flush()
        run = Simulator(world=file.name)
        peer = Peer(run.address)
        try:
            peer.await_endpoint("/clock")
            time.sleep(1.0)
            idle = share(run, seconds)
            found = subscribe(peer)
            for one in found:
                one.wait(1, timeout=30)
            busy = share(run, seconds)
            return idle, busy, found
        finally:
            peer.close()
            run.stop()


def alone(text, seconds):
    """Returns the share of a run in real time that is not a node."""
    import subprocess

    with tempfile.NamedTemporaryFile("w", suffix=".world.xml", dir=ROOT / "target") as file:
        file.write(text)
        file.flush()
        words = [Simulator.program, "run", file.name, "--clock", "realtime", "--duration", "1e6"]
        process = subprocess.Popen(
            [str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            time.sleep(2.0)
            start, used = time.monotonic(), cpu(process)
            time.sleep(seconds)
            return (cpu(process) - used) / (time.monotonic() - start)
        finally:
            process.kill()
            process.wait()


def latencies(received):
    """Returns the times from sending to arrival, ms."""
    times = []
    for _, attachment, arrival in received.all[20:]:
        times.append((arrival - struct.unpack_from("<q", attachment, 8)[0]) / 1e6)
    return sorted(times)


def main():
    Simulator.program = pathlib.Path(sys.argv[1]).resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 8.0
    rows = []
    text = world(ROBOTS, LASER)
    plain = alone(text, seconds)

    def fleet(peer):
        found = []
        for number in range(ROBOTS):
            found.append(peer.subscribe(f"/r{number}/odom", ODOMETRY, raw=True))
            found.append(peer.subscribe(f"/r{number}/scan", "sensor_msgs/msg/LaserScan", raw=True))
        return [*found, peer.subscribe("/tf", "tf2_msgs/msg/TFMessage", raw=True)]

    idle, busy, _ = measure(text, fleet, seconds)
    rows.append(("20 robots as a node, nothing subscribed: share of a core more than without", idle - plain, 0.01, "%"))
    rows.append(("20 robots, scans at 10 Hz, odometry at 50 Hz, tf: share of a core more", busy - idle, 0.15, "%"))

    text = world(1, CAMERA.format(period=IMAGE_PERIOD))
    idle, busy, _ = measure(
        text, lambda peer: [peer.subscribe("/front/image_raw", "sensor_msgs/msg/Image", raw=True)], 2 * seconds
    )
    per_image = (busy - idle) * IMAGE_PERIOD
    rows.append(("640 × 480 RGB at 30 Hz: share of a core more", 30 * per_image, 0.10, "%"))

    _, _, found = measure(
        world(1, LASER), lambda peer: [peer.subscribe("/odom", ODOMETRY, raw=True)], 2 * seconds
    )
    times = latencies(found[0])
    rows.append(("latency of odometry, median", statistics.median(times), 0.5, "ms"))
    rows.append(("latency of odometry, 99 %", times[int(0.99 * len(times))], 2.0, "ms"))

    failed = 0
    for name, value, limit, unit in rows:
        factor = 100 if unit == "%" else 1
        mark = "" if value <= limit else "   above the limit"
        failed += value > limit
        print(f"{name:75} {value * factor:8.2f} {unit:2} of {limit * factor:g} {unit}{mark}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
