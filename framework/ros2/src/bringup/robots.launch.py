"""Runs a world of simhost, and Nav2 for each of its robots.

Each robot has the namespace of its name, its transforms in /NAME/tf, and the map of the world. A single robot
has no namespace. The transform from map to odom is that of the run, so no localisation is started.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, GroupAction, IncludeLaunchDescription, OpaqueFunction
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import PushRosNamespace, SetRemap
from launch_ros.substitutions import FindPackageShare

# Topics that files of parameters of Nav2 name from the root
TOPICS = ["scan", "odom", "cmd_vel"]


def launch_file(package, name):
    return PythonLaunchDescriptionSource(PathJoinSubstitution([FindPackageShare(package), "launch", name]))


def navigation(robot, has_namespace, params):
    arguments = {"use_sim_time": "true", "use_composition": "False"}
    if params:
        arguments["params_file"] = params
    if not has_namespace:
        return IncludeLaunchDescription(
            launch_file("nav2_bringup", "navigation_launch.py"), launch_arguments=arguments.items()
        )
    arguments["namespace"] = robot
    return GroupAction([
        PushRosNamespace(robot),
        # all robots share the map
        SetRemap("map", "/map"),
        *(SetRemap(f"/{topic}", f"/{robot}/{topic}") for topic in TOPICS),
        IncludeLaunchDescription(
            launch_file("nav2_bringup", "navigation_launch.py"), launch_arguments=arguments.items()
        ),
    ])


def robots(context):
    names, world, params, options = (
        LaunchConfiguration(name).perform(context)
        for name in ("robots", "world", "params_file", "arguments")
    )
    names = [name.strip() for name in names.split(",") if name.strip()]
    if not names:
        raise RuntimeError("robots is empty; expected the names of the robots of the world, separated by commas")
    has_namespace = len(names) > 1
    transforms = "--ros2-tf per-robot" if has_namespace else ""
    simulation = IncludeLaunchDescription(
        launch_file("simhost_bringup", "simhost.launch.py"),
        launch_arguments={"world": world, "arguments": f"{transforms} {options}"}.items(),
    )
    return [simulation, *(navigation(name, has_namespace, params) for name in names)]


def generate_launch_description():
    return LaunchDescription([
        DeclareLaunchArgument("world", description="World file"),
        DeclareLaunchArgument(
            "robots", default_value="@ROBOTS@", description="Names of all robots of the world, separated by commas"
        ),
        DeclareLaunchArgument(
            "params_file", default_value="", description="Parameters of Nav2, instead of those of nav2_bringup"
        ),
        DeclareLaunchArgument(
            "arguments",
            default_value="--ros2-stamped",
            description="Further options of simhost run; without --ros2-stamped for Jazzy and earlier",
        ),
        OpaqueFunction(function=robots),
    ])
