#!/usr/bin/env python3
"""Compares run.mcap of an output directory with its CSV files, read by mcap-ros2-support.

Numbers of 64 bits must be equal, those of 32 bits the nearest ones, and times equal to a nanosecond.
"""

import csv
import math
import struct
import sys
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
