#!/usr/bin/env python3
"""Prints a world with N vehicles of two classes on a grid 6 m apart.

    python3 worlds/make_grid.py 1000 --commands out/grid.commands.csv > out/grid.world.xml

Every second vehicle is a differential drive with twist_pid, the others are Ackermann vehicles with
twist_front_steer_pid. The file of commands turns each of them to and fro, so that they stay apart.
"""

import argparse
import math
import os

CLASS = """\
  <vehicle:class name="{0}">
    <dynamics class="{0}">
      <controller class="{1}">
        <KP>{2}</KP> <KI>{3}</KI> <max_torque>{2}</max_torque>
      </controller>
    </dynamics>
    <friction class="{friction}"/>
  </vehicle:class>
"""
CLASSES = [("differential", "twist_pid", 20, 5), ("ackermann", "twist_front_steer_pid", 200, 20)]


def names(count):
    return [("d" if i % 2 == 0 else "a") + str(i) for i in range(count)]


def world(count, friction, duration, spacing=6.0):
    side = math.ceil(math.sqrt(count))
    print('<mvsim_world version="1.0">')
    print(f"  <duration>{duration}</duration>")
    print("  <simul_timestep>0.005</simul_timestep>\n")
    print("\n".join(CLASS.format(*values, friction=friction) for values in CLASSES))
    for i, name in enumerate(names(count)):
        kind = "differential" if i % 2 == 0 else "ackermann"
        x, y = spacing * (i % side), spacing * (i // side)
        print(f'  <vehicle name="{name}" class="{kind}"><init_pose>{x} {y} 0</init_pose></vehicle>')
    print("</mvsim_world>")


def commands(count, duration, path, period=0.5):
    with open(path, "w", encoding="utf-8") as file:
        file.write("time_s,vehicle,kind,vx_mps,vy_mps,omega_radps\n")
        for k in range(math.ceil(duration / period)):
            for i, name in enumerate(names(count)):
                # forwards and back again, turning left and right, each vehicle out of step
                phase = k + i
                vx = 0.6 if phase % 4 < 2 else -0.6
                omega = 0.3 * math.sin(0.7 * phase)
                file.write(f"{k * period},{name},twist,{vx},0,{omega:.4f}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, metavar="N", help="number of vehicles")
    parser.add_argument("--friction", default="default", help="class of the friction model")
    parser.add_argument("--duration", type=float, default=10.0, help="simulated time, s")
    parser.add_argument("--commands", metavar="FILE", help="write commands there")
    arguments = parser.parse_args()
    if arguments.count < 1:
        parser.error("N must be at least 1")
    world(arguments.count, arguments.friction, arguments.duration)
    if arguments.commands:
        directory = os.path.dirname(arguments.commands)
        os.makedirs(directory or ".", exist_ok=True)
        commands(arguments.count, arguments.duration, arguments.commands)


if __name__ == "__main__":
    main()
