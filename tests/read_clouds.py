#!/usr/bin/env python3
"""Compares the clouds of a lidar in generated scenes with trimesh: usage: read_clouds.py SIMHOST

Each scene has terrain, boxes that are rotated in space, upright prisms and a mesh. At least 99.8 % of the
returns have to be within 2 mm + 2e-4 of the range, and none may be missing or made up.
"""

import math
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import trimesh

SCENES = 6
MAX_RANGE = 18.0
POINT = struct.Struct("<fffffHfIHH")


def rotation(yaw, pitch, roll):
    """Returns the rotation of angles in degrees: about z, then the new y, then the new x."""
    about = trimesh.transformations.rotation_matrix
    turns = [(yaw, [0, 0, 1]), (pitch, [0, 1, 0]), (roll, [1, 0, 0])]
    yaw, pitch, roll = (about(math.radians(angle), axis) for angle, axis in turns)
    return yaw @ pitch @ roll


def block(name, pose, more):
    """Returns a block that never moves, at x, y, z, m, and a heading, degrees."""
    x, y, z, yaw = pose
    return (
        f'<block name="{name}"><init_pose3d>{x} {y} {z} {yaw} 0 0</init_pose3d><skip_elevation_adjust/>'
        f"<static>true</static>{more}</block>"
    )


def visual(model, scale, angles):
    """Returns the visual of a model that is turned by yaw, pitch and roll, degrees."""
    yaw, pitch, roll = angles
    return (
        f"<visual><model_uri>{model}</model_uri><model_scale>{scale}</model_scale><model_yaw>{yaw}</model_yaw>"
        f"<model_pitch>{pitch}</model_pitch><model_roll>{roll}</model_roll></visual>"
    )


def placed(mesh, scale, angles, pose):
    """Returns a mesh as its visual shows it."""
    x, y, z, yaw = pose
    mesh = mesh.copy()
    mesh.apply_scale(scale)
    mesh.apply_transform(rotation(*angles))
    mesh.apply_transform(rotation(yaw, 0, 0))
    mesh.apply_translation([x, y, z])
    return mesh


def terrain(draw):
    """Returns the element and the mesh of terrain of 40 m × 40 m around the origin."""
    count, step = 21, 2.0
    heights = np.array([[round(draw.uniform(-0.4, 0.4), 3) for _ in range(count)] for _ in range(count)])
    text = "; ".join(" ".join(str(height) for height in row) for row in heights)
    corner = -0.5 * step * (count - 1)
    vertices = [
        [corner + row * step, corner + column * step, heights[row, column]]
        for row in range(count)
        for column in range(count)
    ]
    faces = []
    for row in range(count - 1):
        for column in range(count - 1):
            near, far = row * count + column, (row + 1) * count + column + 1
            faces += [[near, far - 1, far], [near, far, near + 1]]
    element = (
        f'<element class="elevation_map"><elevation_data_matrix>[{text}]</elevation_data_matrix>'
        f"<resolution>{step}</resolution></element>"
    )
    return element, trimesh.Trimesh(vertices, faces, process=False)


def scene(draw, folder):
    """Writes the models of a scene. Returns its elements and its mesh."""
    element, ground = terrain(draw)
    elements, meshes = [element], [ground]

    def somewhere():
        distance, bearing = draw.uniform(3, 14), draw.uniform(-math.pi, math.pi)
        x, y = distance * math.cos(bearing), distance * math.sin(bearing)
        numbers = (x, y, draw.uniform(-0.5, 1.5), draw.uniform(-180, 180))
        return tuple(round(number, 3) for number in numbers)

    box = trimesh.creation.box([1.0, 1.4, 0.6])
    ball = trimesh.creation.icosphere(subdivisions=3)
    ball.vertices *= 1 + 0.2 * np.sin(3 * ball.vertices[:, [1]])
    for name, mesh in [("box", box), ("ball", ball)]:
        (folder / f"{name}.obj").write_text(trimesh.exchange.obj.export_obj(mesh, digits=17))
    for number in range(12):
        pose, scale = somewhere(), round(draw.uniform(0.6, 1.5), 3)
        angles = tuple(round(draw.uniform(-180, 180), 2) for _ in range(3))
        name, mesh = ("ball", ball) if number % 4 == 3 else ("box", box)
        elements.append(block(f"model{number}", pose, visual(f"{name}.obj", scale, angles)))
        meshes.append(placed(mesh, scale, angles, pose))
    for number in range(6):
        pose, height = somewhere(), round(draw.uniform(0.3, 2.5), 3)
        corners = 3 + number % 4
        turns = [2 * math.pi * corner / corners for corner in range(corners)]
        outline = [[round(0.8 * math.cos(turn), 4), round(0.6 * math.sin(turn), 4)] for turn in turns]
        points = "".join(f"<pt>{x} {y}</pt>" for x, y in outline)
        more = f"<shape>{points}</shape><zmin>0</zmin><zmax>{height}</zmax>"
        elements.append(block(f"prism{number}", pose, more))
        # a convex outline: fans at the ends, and two triangles on each side
        vertices = [[x, y, z] for z in (0, height) for x, y in outline]
        faces = [[end, end + i, end + i + 1] for end in (0, corners) for i in range(1, corners - 1)]
        for i in range(corners):
            j = (i + 1) % corners
            faces += [[i, j, corners + j], [i, corners + j, corners + i]]
        meshes.append(placed(trimesh.Trimesh(vertices, faces, process=False), 1, (0, 0, 0), pose))
    return "\n".join(elements), trimesh.util.concatenate(meshes)


def read_cloud(path):
    """Returns the points of a PCD file with the fields of simhost."""
    header, data = path.read_bytes().split(b"DATA binary\n", 1)
    assert b"FIELDS x y z range intensity ring time entity class return" in header, header
    return np.array([point[:3] for point in POINT.iter_unpack(data)])


def main():
    simhost = Path(sys.argv[1]).resolve()
    elevations = [round(-28 + 1.37 * ring, 3) for ring in range(32)]
    azimuths = [round(-180 + 1.01 * column, 3) for column in range(356)]
    for seed in range(SCENES):
        draw = random.Random(seed)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            elements, mesh = scene(draw, folder)
            attitude = [round(draw.uniform(-8, 8), 2) for _ in range(3)]
            yaw, pitch, roll = attitude
            sensor = (
                f'<sensor class="lidar3d" name="lidar"><pose_3d>0.1 -0.2 1.3 {yaw} {pitch} {roll}</pose_3d>'
                f"<range_std_noise>0</range_std_noise><max_range>{MAX_RANGE}</max_range>"
                f"<vert_nrays>{len(elevations)}</vert_nrays><horz_nrays>{len(azimuths)}</horz_nrays>"
                f"<vertical_ray_angles>{' '.join(map(str, elevations))}</vertical_ray_angles>"
                f"<horizontal_ray_angles>{' '.join(map(str, azimuths))}</horizontal_ray_angles></sensor>"
            )
            (folder / "world.xml").write_text(f"<mvsim_world>\n{elements}\n{sensor}\n</mvsim_world>\n")
            command = [simhost, "world.xml", "--duration", "0.1", "--out", "out"]
            subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
            points = read_cloud(sorted((folder / "out/world.lidar").glob("*.pcd"))[-1])

        el, az = np.meshgrid(np.radians(elevations), np.radians(azimuths), indexing="ij")
        level = np.cos(el)
        rays = np.stack([level * np.cos(az), level * np.sin(az), np.sin(el)], axis=-1).reshape(-1, 3)
        turned = rays @ rotation(*attitude)[:3, :3].T
        origins = np.tile([0.1, -0.2, 1.3], (len(rays), 1))
        found, index, _ = mesh.ray.intersects_location(origins, turned, multiple_hits=False)
        expected = np.full(len(rays), np.inf)
        expected[index] = np.linalg.norm(found - origins[index], axis=1)
        # rays to the edge of the range may or may not return
        near = expected < MAX_RANGE - 1e-3
        far = expected > MAX_RANGE + 1e-3

        # each point belongs to the ray with its direction
        ranges = np.full(len(rays), np.inf)
        length = np.linalg.norm(points, axis=1)
        ring = np.argmin(np.abs(np.arcsin(points[:, 2] / length)[:, None] - np.radians(elevations)), axis=1)
        turn = np.arctan2(points[:, 1], points[:, 0])[:, None] - np.radians(azimuths)
        column = np.argmin(np.abs((turn + math.pi) % (2 * math.pi) - math.pi), axis=1)
        ranges[ring * len(azimuths) + column] = length

        missing = int(np.sum(near & np.isinf(ranges)))
        made_up = int(np.sum(far & np.isfinite(ranges)))
        both = near & np.isfinite(ranges)
        off = np.abs(ranges[both] - expected[both])
        share = float(np.mean(off <= 2e-3 + 2e-4 * expected[both]))
        print(
            f"scene {seed}: {len(points)} returns, {missing} missing, {made_up} made up, "
            f"{share:.4%} within tolerance, largest deviation {off.max():.6f} m"
        )
        if missing or made_up or share < 0.998 or len(points) < len(rays) // 3:
            sys.exit("the cloud is not that of trimesh")


if __name__ == "__main__":
    main()
