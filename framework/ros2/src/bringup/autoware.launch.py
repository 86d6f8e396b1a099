"""Runs a world of simhost in place of Autoware's simple_planning_simulator.

`scenario_simulation` of Autoware's planning simulator leaves out its own vehicle and its dummy perception.
"""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import AnyLaunchDescriptionSource, PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

# Topics of the simulator, and those that Autoware's launch files give them
TOPICS = {
    "input/initialpose": "/initialpose3d",
    "input/ackermann_control_command": "/control/command/control_cmd",
    "input/actuation_command": "/control/command/actuation_cmd",
    "input/manual_ackermann_control_command": "/vehicle/command/manual_control_cmd",
    "input/gear_command": "/control/command/gear_cmd",
    "input/manual_gear_command": "/vehicle/command/manual_gear_command",
    "input/turn_indicators_command": "/control/command/turn_indicators_cmd",
    "input/hazard_lights_command": "/control/command/hazard_lights_cmd",
    "input/engage": "/vehicle/engage",
    "input/control_mode_request": "/control/control_mode_request",
    "output/odometry": "/localization/kinematic_state",
    "output/acceleration": "/localization/acceleration",
    "output/twist": "/vehicle/status/velocity_status",
    "output/steering": "/vehicle/status/steering_status",
    "output/gear_report": "/vehicle/status/gear_status",
    "output/turn_indicators_report": "/vehicle/status/turn_indicators_status",
    "output/hazard_lights_report": "/vehicle/status/hazard_lights_status",
    "output/control_mode_report": "/vehicle/status/control_mode",
    "output/actuation_status": "/vehicle/status/actuation_status",
}


def generate_launch_description():
    remapped = " ".join(f"-r {topic}:={own}" for topic, own in TOPICS.items())
    simulation = PathJoinSubstitution([FindPackageShare("simhost_bringup"), "launch", "simhost.launch.py"])
    autoware = PathJoinSubstitution([FindPackageShare("autoware_launch"), "launch", "planning_simulator.launch.xml"])
    names = ("map_path", "vehicle_model", "sensor_model")
    return LaunchDescription([
        DeclareLaunchArgument("world", description="World file with the controller planning_interface"),
        DeclareLaunchArgument("map_path", description="Folder of the map of Autoware"),
        DeclareLaunchArgument("vehicle_model", default_value="sample_vehicle", description="Vehicle model of Autoware"),
        DeclareLaunchArgument("sensor_model", default_value="sample_sensor_kit", description="Sensor kit of Autoware"),
        IncludeLaunchDescription(
            PythonLaunchDescriptionSource(simulation),
            launch_arguments={
                "world": LaunchConfiguration("world"),
                "arguments": f"--ros2-names autoware --ros-args {remapped}",
            }.items(),
        ),
        IncludeLaunchDescription(
            AnyLaunchDescriptionSource(autoware),
            launch_arguments={
                **{name: LaunchConfiguration(name) for name in names},
                "scenario_simulation": "true",
                "use_sim_time": "true",
            }.items(),
        ),
    ])
