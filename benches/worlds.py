"""Worlds of the benches as files: vehicles on open ground, robots with lasers in a floor plan, and one with sensors
in space."""

import math
from pathlib import Path

MASK = (1 << 64) - 1


class Draws:
    """Numbers that look random (SplitMix64, Steele, Lea and Flood 2014)."""

    def __init__(self, seed):
        self.state = seed

    def between(self, low, high):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return low + (z ^ (z >> 31)) % (high - low + 1)


def vehicle(name, dynamics, pose, sensor=""):
    """Returns the element of a vehicle with set-points, so that it drives in a circle."""
    if dynamics == "differential":
        controller, twist = "twist_pid", "<V>1</V><W>20</W>"
    else:
        controller, twist = "twist_front_steer_pid", "<V>2</V><W>20</W>"
    if sensor:
        twist = "<V>0.2</V><W>60</W>"
    return (
        f'<vehicle name="{name}"><dynamics class="{dynamics}"><controller class="{controller}">'
        f"{twist}</controller></dynamics><init_pose>{pose[0]} {pose[1]} 0</init_pose>{sensor}</vehicle>\n"
    )


def world(content):
    return f'<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>\n{content}</mvsim_world>\n'


def crowd(folder, dynamics, count):
    """Writes a world of `count` vehicles that do not touch each other, and returns its path."""
    vehicles = (
        vehicle(f"v{i}", dynamics, (30 * (i % 32), 30 * (i // 32))) for i in range(count)
    )
    path = Path(folder) / f"{dynamics}_{count}.world.xml"
    path.write_text(world("".join(vehicles)))
    return path


def rooms():
    """Returns the pixels of a floor plan of 1,000 x 1,000 cells of 5 cm, and free places in its rooms, m.

    Rooms of 4 to 7 m with a door and some furniture, and corridors of 2.5 m between their rows.
    """
    draws, pixels, places = Draws(1), [bytearray(b"\xff" * 1000) for _ in range(1000)], []

    def fill(x, y, width, height, value):
        for row in range(max(y, 0), min(y + height, 1000)):
            end = min(x + width, 1000)
            pixels[row][x:end] = bytes([value]) * (end - x)

    bottom = 0
    while bottom + 100 <= 1000:
        left = 0
        while left < 1000:
            width = min(draws.between(80, 140), 1000 - left)
            fill(left, bottom, width, 100, 0)
            fill(left + 3, bottom + 3, width - 6, 94, 255)
            if width >= 80:
                fill(left + draws.between(5, width - 30), bottom + 97, 20, 3, 255)
                for _ in range(draws.between(2, 6)):
                    # furniture keeps to the lower part of a room, clear of the places
                    x, y = left + draws.between(5, width - 25), bottom + draws.between(5, 18)
                    fill(x, y, draws.between(2, 16), draws.between(2, 16), 0)
                for x in (left + width / 2 - 18, left + width / 2 + 18):
                    places.append(((x - 500) / 20, (bottom + 60 - 500) / 20))
            left += width
        bottom += 150
    for edge in ((0, 0, 1000, 3), (0, 997, 1000, 3), (0, 0, 3, 1000), (997, 0, 3, 1000)):
        fill(*edge, 0)
    return pixels, places


def floor_plan(folder, count):
    """Writes a world of `count` robots, each with a laser of 361 rays in every step, and returns its path."""
    pixels, places = rooms()
    # the first row of an image is the upper one
    image = b"P5 1000 1000 255\n" + b"".join(bytes(row) for row in reversed(pixels))
    (Path(folder) / "plan.pgm").write_bytes(image)
    sensor = (
        '<sensor class="laser" name="laser"><fov_degrees>360</fov_degrees><nrays>361</nrays>'
        "<sensor_period>0.005</sensor_period><height>0.5</height></sensor>"
    )
    grid = (
        '<element class="occupancy_grid"><file>plan.pgm</file><resolution>0.05</resolution>'
        "<centerpixel_x>500</centerpixel_x><centerpixel_y>500</centerpixel_y></element>\n"
    )
    assert count <= len(places), f"the floor plan has {len(places)} places"
    robots = (vehicle(f"v{i}", "differential", places[i], sensor) for i in range(count))
    path = Path(folder) / f"lasers_{count}.world.xml"
    path.write_text(world(grid + "".join(robots)))
    return path


def ball(rings):
    """Returns an OBJ file of a ball of radius 1 m with a wavy surface, of `4 * rings * rings` triangles."""
    columns, lines = 2 * rings, []
    for ring in range(rings + 1):
        for column in range(columns):
            elevation, azimuth = math.pi * (ring / rings - 0.5), math.tau * column / columns
            radius = 1 + 0.1 * math.sin(7 * azimuth) * math.cos(5 * elevation)
            level = radius * math.cos(elevation)
            x, y, z = level * math.cos(azimuth), level * math.sin(azimuth), radius * math.sin(elevation)
            lines.append(f"v {x:.6f} {y:.6f} {z:.6f}")
    for ring in range(rings):
        for column in range(columns):
            near, right = (ring * columns + c % columns + 1 for c in (column, column + 1))
            far, above = right + columns, near + columns
            lines += [f"f {near} {right} {far}", f"f {near} {far} {above}"]
    return "\n".join(lines) + "\n"


def sensors(folder):
    """Writes a world of a robot with a camera, a lidar and a laser that sample at 10 Hz, and returns its path.

    Twelve boxes and eight meshes are around the robot, which turns on the spot.
    """
    (Path(folder) / "ball.obj").write_text(ball(8))
    around = [(math.cos(angle), math.sin(angle)) for angle in (math.tau * i / 24 for i in range(24))]
    boxes = "".join(
        f'<block><static>true</static><zmax>{0.6 + 0.1 * i}</zmax><shape><pt>-0.5 -0.5</pt><pt>0.5 -0.5</pt>'
        f"<pt>0.5 0.5</pt><pt>-0.5 0.5</pt></shape><init_pose>{(3 + i % 4) * x:.3f} {(3 + i % 4) * y:.3f} "
        f"{20 * i}</init_pose></block>\n"
        for i, (x, y) in enumerate(around[::2])
    )
    balls = "".join(
        f"<block><static>true</static><shape_from_visual/><visual><model_uri>ball.obj</model_uri></visual>"
        f"<init_pose>{(6 + i % 3) * x:.3f} {(6 + i % 3) * y:.3f} 0</init_pose></block>\n"
        for i, (x, y) in enumerate(around[1::3])
    )
    period = "<sensor_period>0.1</sensor_period>"
    robot = vehicle(
        "robot",
        "differential",
        (0, 0),
        f'<sensor class="rgbd_camera" name="camera">{period}<pose_3d>0 0 1 0 0 0</pose_3d></sensor>'
        f'<sensor class="lidar3d" name="lidar">{period}<pose_3d>0 0 1.2 0 0 0</pose_3d>'
        "<vert_nrays>32</vert_nrays><vert_fov_degrees>40</vert_fov_degrees><horz_nrays>1024</horz_nrays>"
        "<max_range>100</max_range></sensor>"
        f'<sensor class="laser" name="laser">{period}<fov_degrees>360</fov_degrees><nrays>1081</nrays>'
        "<height>0.3</height></sensor>",
    )
    path = Path(folder) / "sensors.world.xml"
    path.write_text(world(boxes + balls + robot))
    return path
