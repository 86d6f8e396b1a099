#!/usr/bin/env python3
"""Draws the images, maps and point clouds of the worlds into worlds/assets.

    python3 worlds/make_assets.py

Nothing is random: every run writes the same bytes.
"""

import math
import os
import struct
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "assets")


def path(name):
    return os.path.join(HERE, name)


def png(name, rows, channels):
    """Writes rows of bytes as an image: 1 channel is grey, 3 are red, green, blue."""

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    width, height = len(rows[0]) // channels, len(rows)
    colour = {1: 0, 3: 2}[channels]
    with open(path(name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(b"".join(b"\0" + bytes(r) for r in rows), 9)))
        file.write(chunk(b"IEND", b""))


def office():
    """A floor plan of 20 m by 12 m, 0.1 m a pixel: a corridor between two rows of three rooms."""
    width, height = 200, 120
    free, solid = 254, 0
    rows = [bytearray([free] * width) for _ in range(height)]

    def fill(x0, y0, x1, y1, value):
        for y in range(y0, y1):
            rows[height - 1 - y][x0:x1] = bytes([value] * (x1 - x0))

    for wall in ((0, 0, 200, 3), (0, 117, 200, 120), (0, 0, 3, 120), (197, 0, 200, 120)):
        fill(*wall, solid)
    for y in (48, 70):
        fill(0, y, width, y + 2, solid)
    for x in (66, 132):
        fill(x, 0, x + 2, 50, solid)
        fill(x, 70, x + 2, height, solid)
    for x in (30, 96, 160):  # doors of 1.2 m
        fill(x, 48, x + 12, 50, free)
        fill(x, 70, x + 12, 72, free)
    for x in (10, 80, 145):  # desks
        fill(x, 10, x + 16, 18, solid)
        fill(x, 100, x + 16, 108, solid)
    png("office.png", rows, 1)
    with open(path("office.yaml"), "w", encoding="utf-8") as file:
        file.write("image: office.png\nresolution: 0.1\norigin: [-10.0, -6.0, 0.0]\n")
        file.write("negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.196\nmode: trinary\n")


def hill():
    """Grey levels of a hill that is flat at its foot: 61 samples along x, 41 along y."""

    def level(i, j):
        r = math.hypot((i - 30) / 22, (j - 20) / 16)
        return round(255 * 0.5 * (1 + math.cos(math.pi * min(r, 1))))

    png("hill.png", [bytearray(level(i, j) for j in range(41)) for i in range(61)], 1)


def textures():
    def tile(x, y):
        return (120, 120, 125) if x % 32 == 0 or y % 32 == 0 else (190, 190, 185)

    def grass(x, y):
        shade = (x * 7 + y * 13 + (x * y) % 11 * 5) % 40
        return (60 + shade, 120 + shade, 50 + shade // 2)

    for name, paint in (("tiles", tile), ("grass", grass)):
        rows = [bytearray(c for x in range(64) for c in paint(x, y)) for y in range(64)]
        png(name + ".png", rows, 3)


def sky():
    """Six faces of a cube: blue above, pale at the horizon, brown below."""

    def side(y):
        up = 1 - y / 31
        return (round(215 - 120 * up), round(225 - 70 * up), 240)

    faces = {face: side for face in ("Front", "Back", "Left", "Right")}
    faces["Up"] = lambda y: (95, 155, 240)
    faces["Down"] = lambda y: (110, 95, 75)
    for face, colour in faces.items():
        png(f"sky_{face}.png", [bytearray(colour(y) * 32) for y in range(32)], 3)


def trees():
    """A trunk and a crown as points, m, in space; and a fence as points in the plane."""
    with open(path("tree.txt"), "w", encoding="utf-8") as file:
        for k in range(240):
            angle = 2.399963 * k  # the golden angle spreads points evenly
            if k < 60:
                x, y, z = 0.15 * math.cos(angle), 0.15 * math.sin(angle), 2 * k / 60
            else:
                h = (k - 60) / 179
                r = 1.2 * math.sin(math.pi * h)
                x, y, z = r * math.cos(angle), r * math.sin(angle), 2 + 2 * h
            file.write(f"{x:.3f} {y:.3f} {z:.3f}\n")
    with open(path("fence.txt"), "w", encoding="utf-8") as file:
        for k in range(121):
            file.write(f"{-30 + 0.5 * k:.1f} 0.0\n")


def dune():
    """Rows of x y z r g b of a long dune, 0.5 m apart."""
    with open(path("dune.txt"), "w", encoding="utf-8") as file:
        for i in range(25):
            for j in range(13):
                z = 0.6 * math.sin(math.pi * i / 24) ** 2
                file.write(f"{0.5 * i:.1f} {0.5 * j:.1f} {z:.3f} 220 190 120\n")


def model():
    """A pallet as an .obj model of one box, 1.2 m by 0.8 m by 0.15 m."""
    with open(path("pallet.obj"), "w", encoding="utf-8") as file:
        file.write("# a pallet\no pallet\n")
        for z in (0, 0.15):
            for x, y in ((-0.6, -0.4), (0.6, -0.4), (0.6, 0.4), (-0.6, 0.4)):
                file.write(f"v {x} {y} {z}\n")
        for face in ("4 3 2 1", "5 6 7 8", "1 2 6 5", "2 3 7 6", "3 4 8 7", "4 1 5 8"):
            file.write(f"f {face}\n")


def shelf():
    """A shelf as an .obj model of five boxes, 2 m by 0.6 m by 2 m: two frames and three boards."""
    boxes = [((-1, -0.3, 0), (-0.95, 0.3, 2)), ((0.95, -0.3, 0), (1, 0.3, 2))]
    boxes += [((-0.95, -0.3, z), (0.95, 0.3, z + 0.04)) for z in (0.2, 1, 1.8)]
    with open(path("shelf.obj"), "w", encoding="utf-8") as file:
        file.write("# a shelf\no shelf\n")
        for (x0, y0, z0), (x1, y1, z1) in boxes:
            for z in (z0, z1):
                for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
                    file.write(f"v {x} {y} {z:.2f}\n")
        for box in range(len(boxes)):
            for face in ((4, 3, 2, 1), (5, 6, 7, 8), (1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8)):
                file.write("f " + " ".join(str(8 * box + corner) for corner in face) + "\n")


def main():
    os.makedirs(HERE, exist_ok=True)
    for draw in (office, hill, textures, sky, trees, dune, model, shelf):
        draw()


if __name__ == "__main__":
    main()
