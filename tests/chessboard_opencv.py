"""Looks for the corners of a chessboard in images of `camera` with OpenCV.

Usage: python chessboard_opencv.py SIMHOST

Runs a world with a chessboard of blocks before a pinhole camera, one with Brown-Conrady distortion and a
fisheye, each straight ahead and turned. Every corner must be found within 0.3 px of where OpenCV's model
of the lens puts it, from `camera_info.json` and the pose of the camera.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy as np

TOLERANCE_PX = 0.3
COLUMNS, ROWS, SIZE, FRONT = 10, 7, 0.12, 3.0

LENSES = {
    "pinhole": ("pinhole", "", 320),
    "barrel": ("plumb_bob", "-0.28 0.09 0.001 -0.0005 -0.01", 320),
    "pincushion": ("plumb_bob", "0.2 0.02 -0.002 0.003 0", 320),
    "fisheye": ("equidistant", "-0.02 0.004 -0.001 0.0002", 280),
}
POSES = ["0 0 0.9 -90 0 -90", "0.4 0.5 1.2 -105 4 -98", "0.2 -0.6 0.7 -78 -5 -84"]


def world():
    squares = "".join(
        f'<block><static>true</static><intangible>true</intangible><skip_elevation_adjust/>'
        f"<init_pose>{FRONT} {SIZE * (COLUMNS / 2 - column - 1)} 0</init_pose>"
        f"<shape><pt>0 0</pt><pt>0.02 0</pt><pt>0.02 {SIZE}</pt><pt>0 {SIZE}</pt></shape>"
        f"<zmin>{0.5 + SIZE * row}</zmin><zmax>{0.5 + SIZE * (row + 1)}</zmax>"
        f'<color>{"#101010" if (row + column) % 2 else "#f0f0f0"}</color></block>'
        for column in range(COLUMNS)
        for row in range(ROWS)
    )
    # a white frame around the board, in its plane
    half, low, high = SIZE * COLUMNS / 2, 0.5, 0.5 + SIZE * ROWS
    frame = "".join(
        f'<block><static>true</static><intangible>true</intangible><skip_elevation_adjust/>'
        f"<init_pose>{FRONT} {left} 0</init_pose><zmin>{bottom}</zmin><zmax>{top}</zmax><color>#f0f0f0</color>"
        f"<shape><pt>0 0</pt><pt>0.02 0</pt><pt>0.02 {width}</pt><pt>0 {width}</pt></shape></block>"
        for left, width, bottom, top in [
            (-half - 0.2, 0.2, low - 0.2, high + 0.2),
            (half, 0.2, low - 0.2, high + 0.2),
            (-half, 2 * half, low - 0.2, low),
            (-half, 2 * half, high, high + 0.2),
        ]
    )
    sensors = "".join(
        f'<sensor class="camera" name="{name}{number}"><pose_3d>{pose}</pose_3d>'
        f"<ncols>640</ncols><nrows>480</nrows><fx>{focal}</fx><fy>{focal + 5}</fy><cx>322.25</cx><cy>236.5</cy>"
        f"<lens_model>{model}</lens_model>"
        + (f"<distortion>{numbers}</distortion>" if numbers else "")
        + "<samples>9</samples></sensor>"
        for name, (model, numbers, focal) in LENSES.items()
        for number, pose in enumerate(POSES)
    )
    lights = "<lights><light_azimuth_deg>170</light_azimuth_deg></lights>"
    return f"<mvsim_world><simul_timestep>0.1</simul_timestep>{lights}{squares}{frame}{sensors}</mvsim_world>"


def expected(info):
    """Returns the corners in the image by OpenCV's model of the lens."""
    points = np.array(
        [
            [FRONT, SIZE * (COLUMNS / 2 - column), 0.5 + SIZE * row]
            for row in range(1, ROWS)
            for column in range(1, COLUMNS)
        ]
    )
    keys = ("x_m", "y_m", "z_m", "yaw_rad", "pitch_rad", "roll_rad")
    x, y, z, yaw, pitch, roll = (info["pose"][key] for key in keys)
    (cy, sy), (cp, sp), (cr, sr) = ((np.cos(a), np.sin(a)) for a in (yaw, pitch, roll))
    turn = (
        np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    )
    seen = (points - [x, y, z]) @ turn
    matrix, distortion = np.array(info["k"]).reshape(3, 3), np.array(info["d"], dtype=float)
    still = np.zeros(3)
    if info["distortion_model"] == "equidistant":
        found, _ = cv2.fisheye.projectPoints(seen.reshape(1, -1, 3), still, still, matrix, distortion)
    else:
        found, _ = cv2.projectPoints(seen, still, still, matrix, distortion)
    return found.reshape(-1, 2)


def main():
    simhost = str(pathlib.Path(sys.argv[1]).resolve())
    worst = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "world.xml").write_text(world())
        command = [simhost, "world.xml", "--duration", "0.1", "--out", "out"]
        subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
        for name in LENSES:
            for number in range(len(POSES)):
                camera = folder / "out" / f"world.{name}{number}"
                info = json.loads((camera / "camera_info.json").read_text())["rgb"]
                image = cv2.imread(str(next((camera / "rgb").glob("*.png"))), cv2.IMREAD_GRAYSCALE)
                ok, corners = cv2.findChessboardCornersSB(
                    image, (COLUMNS - 1, ROWS - 1), flags=cv2.CALIB_CB_ACCURACY | cv2.CALIB_CB_EXHAUSTIVE
                )
                if not ok:
                    sys.exit(f"{name}{number}: OpenCV does not find the chessboard")
                corners = corners.reshape(-1, 2)
                distances = [np.linalg.norm(corners - corner, axis=1).min() for corner in expected(info)]
                worst[f"{name}{number}"] = max(distances)
    for name, distance in worst.items():
        print(f"{name}: {(COLUMNS - 1) * (ROWS - 1)} corners within {distance:.3f} px")
    if max(worst.values()) > TOLERANCE_PX:
        sys.exit(f"expected at most {TOLERANCE_PX} px")


main()
