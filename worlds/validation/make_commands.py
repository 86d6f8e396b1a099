#!/usr/bin/env python3
"""Writes the steering of the lane change: two sines with a pause, every 20 ms."""

import math
import pathlib

# s, rad: tuned so that the car moves by 3.5 m and back
BEGIN, PERIOD, PAUSE, AMPLITUDE = 1.0, 2.4, 1.2, 0.0317


def steer(time):
    first, second = time - BEGIN, time - BEGIN - PERIOD - PAUSE
    if 0 <= first < PERIOD:
        return AMPLITUDE * math.sin(2 * math.pi * first / PERIOD)
    if 0 <= second < PERIOD:
        return -AMPLITUDE * math.sin(2 * math.pi * second / PERIOD)
    return 0.0


rows = ["time_s,vehicle,kind,drive_torque_nm,brake_torque_nm,steer_rad"]
for k in range(451):
    time = 0.02 * k
    rows.append(f"{time:.2f},car,pedals,0,0,{steer(time):.6f}")
path = pathlib.Path(__file__).parent / "iso_3888_lane_change.commands.csv"
path.write_text("\n".join(rows) + "\n")
