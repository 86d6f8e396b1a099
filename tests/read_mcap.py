#!/usr/bin/env python3
"""Compares run.mcap of an output directory with its CSV and PNG files, read by mcap-ros2-support.

Numbers of 64 bits must be equal, those of 32 bits the nearest ones, times equal to a nanosecond, and pixels
those of the image files.
"""

import csv
import json
import math
import struct
import sys
import zlib
from collections import defaultdict
from pathlib import Path

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory


def rows(path, *keys):
    """Returns the rows of a CSV file by the values of some columns."""
    found = defaultdict(list)
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            found[tuple(row[key] for key in keys)].append(row)
    return found


def nearest(value):
    """Returns the nearest number of 32 bits."""
    return struct.unpack("f", struct.pack("f", value))[0]


def same(found, expected, place):
    if found != expected and not (math.isnan(found) and math.isnan(expected)):
        sys.exit(f"{place}: found {found!r}, expected {expected!r}")
    return 1


def equal(found, expected, place):
    if found != expected:
        sys.exit(f"{place}: is not that of the file")
    return 1


def odometry(message, row, place):
    position, linear = message.pose.pose.position, message.twist.twist.linear
    pairs = [
        (position.x, "x_m"),
        (position.y, "y_m"),
        (position.z, "z_m"),
        (linear.x, "vx_mps"),
        (linear.y, "vy_mps"),
        (message.twist.twist.angular.z, "omega_radps"),
    ]
    count = sum(same(value, float(row[name]), f"{place} {name}") for value, name in pairs)
    turn = message.pose.pose.orientation
    yaw = math.atan2(
        2 * (turn.w * turn.z + turn.x * turn.y), 1 - 2 * (turn.y * turn.y + turn.z * turn.z)
    )
    error = math.remainder(yaw - float(row["yaw_rad"]), 2 * math.pi)
    if abs(error) > 1e-12:
        sys.exit(f"{place}: the yaw differs by {error}")
    return count


def png(path):
    """Returns the width, the height and the samples of a PNG file of 8 or 16 bit, row by row."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", content[:10])
        packed += content if kind == b"IDAT" else b""
        at += 12 + length
    pixel = {0: 1, 2: 3}[colour] * depth // 8
    raw, step = zlib.decompress(packed), width * pixel
    rows, before = b"", bytearray(step)
    for row in range(height):
        filtered = raw[row * (step + 1)]
        line = bytearray(raw[row * (step + 1) + 1 : (row + 1) * (step + 1)])
        for k in range(step):
            a, b = (line[k - pixel], before[k - pixel]) if k >= pixel else (0, 0)
            up, paeth = before[k], a
            if filtered == 4:
                guess = a + up - b
                paeth = min((a, up, b), key=lambda value: abs(guess - value))
            line[k] = (line[k] + [0, a, up, (a + up) // 2, paeth][filtered]) % 256
        rows, before = rows + line, line
    samples = struct.unpack(f">{len(rows) // (depth // 8)}{'BH'[depth == 16]}", rows)
    return width, height, samples


def image(message, path, place):
    """Compares an image with its file."""
    width, height, samples = png(path)
    equal((message.width, message.height), (width, height), place)
    data = bytes(message.data)
    if message.encoding == "32FC1":
        depths = struct.unpack(f"<{width * height}f", data)
        # the message has m and nothing where the file has whole mm and 0
        found = [0 if math.isnan(depth) else 1000 * min(depth, 65.535) for depth in depths]
        wrong = sum(abs(value - sample) > 0.51 for value, sample in zip(found, samples, strict=True))
        return equal(wrong, 0, place)
    letter = {"rgb8": "B", "mono16": "H"}[message.encoding]
    return equal(struct.unpack(f"<{len(samples)}{letter}", data), samples, place)


def calibration(message, info, place):
    """Compares a calibration with that of the file."""
    for name in "drkp":
        equal(list(getattr(message, name)), info[name], f"{place} {name}")
    return equal(message.distortion_model, info["distortion_model"], place)


def main():
    folder = Path(sys.argv[1])
    truth = rows(folder / "trajectory.csv", "vehicle")
    wheels = rows(folder / "odometry.csv", "vehicle")
    scans = {
        tuple(file.name.split(".")[:2]): list(rows(file).values())[0]
        for file in folder.glob("*.*.csv")
    }
    counts = defaultdict(int)
    values = 0
    last = 0
    with (folder / "run.mcap").open("rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        messages = reader.iter_decoded_messages(log_time_order=False)
        for _, channel, record, message in messages:
            if record.log_time < last or record.publish_time != record.log_time:
                sys.exit(f"{channel.topic}: a wrong time: {record.log_time}")
            last = record.log_time
            number = counts[channel.topic]
            counts[channel.topic] += 1
            parts = channel.topic.split("/")[1:]
            place = f"{channel.topic} {number}"
            table = {"ground_truth": truth, "odometry": wheels}.get(parts[-1])
            if len(parts) == 2 and table:
                row = table[(parts[0],)][number]
                values += odometry(message, row, place)
            elif len(parts) == 3 and parts[2] == "scan":
                row = scans[(parts[0], parts[1])][number]
                names = [name for name in row if name.startswith("range_m_")]
                for name, value in zip(names, message.ranges, strict=True):
                    # a ray without a return has an infinite range
                    if not math.isinf(value):
                        values += same(value, nearest(float(row[name])), f"{place} {name}")
            elif len(parts) == 4 and parts[3] in ("image", "camera_info"):
                camera = folder / f"{parts[0]}.{parts[1]}"
                if parts[3] == "image":
                    values += image(message, camera / parts[2] / f"{record.log_time:019}.png", place)
                else:
                    info = json.loads((camera / "camera_info.json").read_text())
                    values += calibration(message, info[parts[2]], place)
                continue
            else:
                continue
            if abs(record.log_time - float(row["time_s"]) * 1e9) > 1:
                sys.exit(f"{place}: the time is {record.log_time}; expected {row['time_s']} s")
    for vehicle, table in truth.items():
        if counts[f"/{vehicle[0]}/ground_truth"] != len(table):
            sys.exit(f"{vehicle[0]}: messages are missing")
    if values == 0:
        sys.exit("nothing was compared")
    print(f"{values} values of {sum(counts.values())} messages on {len(counts)} topics are equal")


main()
