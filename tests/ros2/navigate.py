#!/usr/bin/env python3
"""Drives a robot to a goal with names and types of ROS 2 alone, as Nav2 does: map, scan, tf, odom and cmd_vel.

Usage: tests/ros2/navigate.py PROGRAM
"""

import heapq
import math
import pathlib
import sys
import time

import numpy
from peer import Peer
from simulator import Simulator

GOAL = (8.0, 3.0)
ROBOT = 0.45  # radius with a margin, m


def yaw_of(q):
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y**2 + q.z**2))


def grow(occupied, cells):
    """Adds a margin around occupied cells."""
    for _ in range(cells):
        moved = [numpy.roll(occupied, step, axis) for axis in (0, 1) for step in (1, -1)]
        occupied = numpy.logical_or.reduce([occupied, *moved])
    return occupied


def plan(free, start, goal):
    """Returns the cells of a shortest path (A*)."""
    queue, came, cost = [(0.0, start)], {start: None}, {start: 0.0}
    while queue:
        _, cell = heapq.heappop(queue)
        if cell == goal:
            path = [goal]
            while path[-1] != start:
                path.append(came[path[-1]])
            return path[::-1]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            next_cell = (cell[0] + dx, cell[1] + dy)
            if not free[next_cell[1], next_cell[0]]:  # the border of the map is not free
                continue
            new = cost[cell] + math.hypot(dx, dy)
            if new < cost.get(next_cell, math.inf):
                cost[next_cell], came[next_cell] = new, cell
                heapq.heappush(queue, (new + math.dist(next_cell, goal), next_cell))
    raise AssertionError("there is no path")


def main():
    Simulator.program = pathlib.Path(sys.argv[1]).resolve()
    run = Simulator()
    peer = Peer(run.address, name="navigator")
    grid = peer.subscribe("/map", "nav_msgs/msg/OccupancyGrid", is_latched=True).wait(1)[0]
    scan = peer.subscribe("/scan", "sensor_msgs/msg/LaserScan")
    odom = peer.subscribe("/odom", "nav_msgs/msg/Odometry")
    frames = peer.subscribe("/tf", "tf2_msgs/msg/TFMessage")
    drive = peer.publisher("/cmd_vel", "geometry_msgs/msg/Twist")
    for received in (scan, odom, frames):
        received.wait(1)
    info, size = grid.info, (grid.info.height, grid.info.width)
    corner = (info.origin.position.x, info.origin.position.y)
    cell = lambda *at: tuple(int((a - c) / info.resolution) for a, c in zip(at, corner))  # noqa: E731
    free = numpy.zeros(size, dtype=bool)
    known = ~grow(numpy.array(grid.data).reshape(size) > 50, round(ROBOT / info.resolution))
    free[1:-1, 1:-1] = known[1:-1, 1:-1]
    vector, twist = (peer.store.types[f"geometry_msgs/msg/{name}"] for name in ("Vector3", "Twist"))

    def pose():
        """The robot on the map: map to odom from tf, and the rest from odom."""
        origin = next(one for one in frames.all[-1][0].transforms if one.child_frame_id == "odom").transform
        own, turn = odom.all[-1][0].pose.pose, yaw_of(origin.rotation)
        x, y = own.position.x, own.position.y
        return (
            origin.translation.x + math.cos(turn) * x - math.sin(turn) * y,
            origin.translation.y + math.sin(turn) * x + math.cos(turn) * y,
            turn + yaw_of(own.orientation),
        )

    path = plan(free, cell(*pose()[:2]), cell(*GOAL))
    points = [tuple((a + 0.5) * info.resolution + c for a, c in zip(one, corner)) for one in path]
    end = time.monotonic() + 120
    while math.dist(pose()[:2], GOAL) > 0.3:
        assert time.monotonic() < end, f"the robot is at {pose()}"
        x, y, yaw = pose()
        nearest = min(range(len(points)), key=lambda index: math.dist(points[index], (x, y)))
        target = next((one for one in points[nearest:] if math.dist(one, (x, y)) > 0.6), points[-1])
        turn = (math.atan2(target[1] - y, target[0] - x) - yaw + math.pi) % (2 * math.pi) - math.pi
        ahead = numpy.array(scan.all[-1][0].ranges)
        middle = len(ahead) // 2
        room = float(numpy.min(ahead[middle - 15 : middle + 15]))
        speed = max(0.0, min(0.8, room - 0.4)) * max(0.0, math.cos(turn)) ** 3
        drive(twist(vector(speed, 0.0, 0.0), vector(0.0, 0.0, max(-1.0, min(1.0, 2.0 * turn)))))
        time.sleep(0.05)
    drive(twist(vector(0.0, 0.0, 0.0), vector(0.0, 0.0, 0.0)))
    print(f"at the goal {GOAL} after {len(points)} cells")
    peer.close()
    run.stop()


if __name__ == "__main__":
    main()
