"""Runs a world of simhost as a ROS 2 node."""

import shlex

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction, Shutdown
from launch.substitutions import LaunchConfiguration


def simulation(context):
    world, arguments = (LaunchConfiguration(name).perform(context) for name in ("world", "arguments"))
    command = ["simhost", world, "--ros2", *shlex.split(arguments)]
    return [ExecuteProcess(cmd=command, output="screen", on_exit=Shutdown())]


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument("world", description="World file"),
        DeclareLaunchArgument("arguments", default_value="", description="Further options of simhost run"),
        OpaqueFunction(function=simulation),
    ])
