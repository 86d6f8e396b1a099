"""Models written in Python."""

import inspect
import re
import shutil
import subprocess
import sys
import traceback

import numpy as np
import pytest
import simhost
from simhost import Chassis, Parameter, Port, State, Wheel, exporting

WORLD = """
<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>
  <vehicle name="car">
    <init_pose>0 0 0</init_pose><init_vel>3 0 0.5</init_vel>
    <dynamics class="ackermann">{actuator}
      <controller {controller}>
    </dynamics>
    <friction class="{friction}"><mu>{mu}</mu></friction>
  </vehicle>
</mvsim_world>"""

@simhost.model("friction", "test/coulomb")
class Coulomb:
    """Coulomb friction, as the example in C."""

    mu = Parameter(0.8, "1", "Friction coefficient. A larger value makes wheels slip later.", low=0.0)
    slid = State("m", "Distance that the contact has slid.")
    outputs = [Port("sliding", "m/s", "Speed of the contact over the ground.")]

    def force(self, wheel, state, step):
        mu = np.where(wheel.mu_override >= 0, wheel.mu_override, self.mu)
        limit = mu * wheel.normal_force
        mass = wheel.normal_force / wheel.gravity
        mass_x = mass * wheel.inertia / (wheel.inertia + mass * wheel.radius**2)
        slip = wheel.vx - wheel.spin * wheel.radius
        fx, fy = -mass_x * slip / step.dt, -mass * wheel.vy / step.dt
        size = np.hypot(fx, fy)
        scale = np.where(size > limit, limit / np.maximum(size, 1e-12), 1.0)
        sliding = np.hypot(slip, wheel.vy)
        state.slid = state.slid + sliding * step.dt
        return {"fx": scale * fx, "fy": scale * fy, "spin_torque": -wheel.radius * scale * fx, "sliding": sliding}


class Rubber:
    """A force that grows with the slip, up to the limit of the load."""

    mu = Parameter(0.8, "1", "Friction coefficient. A larger value makes wheels slip later.", low=0.0, high=3.0, is_per_lane=True)
    stiffness = Parameter(4.0, "s/m", "Rise of the force with the slip. A larger value holds better.", low=0.0)
    slid = State("m", "Distance that the contact has slid.")

    def force(self, wheel, state, step):
        mu = np.where(wheel.mu_override >= 0, wheel.mu_override, self.mu)
        slip = wheel.vx - wheel.spin * wheel.radius
        sliding = np.sqrt(slip * slip + wheel.vy * wheel.vy)
        grip = mu * wheel.normal_force * np.minimum(self.stiffness, 1.0 / np.maximum(sliding, 1e-9))
        fx, fy = -grip * slip, -grip * wheel.vy
        state.slid = state.slid + sliding * step.dt
        return {"fx": fx, "fy": fy, "spin_torque": -wheel.radius * fx}


class Zero:
    """Divides by zero."""

    mu = Parameter(0.8, "1", "Friction.", low=0.0)

    def force(self, wheel, state, step):
        return {"fx": self.mu / (wheel.vx - wheel.vx), "fy": 0.0, "spin_torque": 0.0}


@simhost.model("friction", "test/broken")
class Broken:
    """A model that fails after a second."""

    mu = Parameter(0.8, "1", "Friction coefficient.", low=0.0)

    def force(self, wheel, state, step):
        if step.time > 0.99:
            raise RuntimeError("no grip left")
        return {"fx": 0.0, "fy": 0.0, "spin_torque": 0.0}


def session(friction="test/coulomb", mu=0.7, **options):
    return simhost.open("car.world.xml", text=world(friction, mu, **options))


def world(friction="test/coulomb", mu=0.7, controller='class="front_steer_pid"/', actuator=""):
    return WORLD.format(friction=friction, mu=mu, controller=controller, actuator=actuator)


def test_a_friction_model_has_parameters_states_and_quantities():
    sim = session()
    names = [quantity.name for quantity in sim.quantities("car/wheel/*/*")]
    assert sum(name.endswith("/slid") for name in names) == 4
    sim.step(100)
    assert (sim.read("car/wheel/*/slid") > 0).all()
    assert sim["car/wheel/fl/sliding"] >= 0
    assert sim.parameters["car/friction/mu"] == 0.7
    # it brakes the drift at the limit
    slow, fast = session(mu=0.1), session(mu=1.5)
    for one in (slow, fast):
        one.step(20)
    assert abs(slow["car"].twist[1]) > abs(fast["car"].twist[1])
    # states are in snapshots, and results are repeated
    snapshot = sim.snapshot()
    sim.step(50)
    expected = sim.result_hash()
    sim.restore(snapshot)
    sim.step(50)
    assert sim.result_hash() == expected
    with pytest.raises(simhost.WorldError, match="at least 0"):
        sim.parameters["car/friction/mu"] = -1


def test_members_call_a_model_with_all_lanes():
    results = []
    for threads in (1, 2):
        with simhost.Ensemble("car.world.xml", 200, text=world(), vary={"car/velocity/vx": "uniform:1:5"}, seed=1, threads=threads) as ens:
            ens.step(50)
            results.append([ens.result_hash(member) for member in range(200)])
            alone = ens.to_session(3).result_hash()
    assert results[0] == results[1] and results[0][3] == alone
    assert len(set(results[0])) == 200


def test_an_exception_has_vehicle_time_and_traceback():
    sim = session("test/broken")
    with pytest.raises(simhost.ModelFault, match="no grip left") as caught:
        sim.run_until(3.0)
    error = caught.value
    assert error.vehicle == "car" and error.time == pytest.approx(1.0, abs=0.01)
    assert error.model == "test/broken"
    assert isinstance(error.__cause__, RuntimeError)
    shown = "".join(traceback.format_exception(error.__cause__))
    assert "test_models.py" in shown and 'raise RuntimeError("no grip left")' in shown


def test_declarations_that_break_a_rule_say_which():
    def declare(kind="friction", name="test/wrong", **parts):
        parts.setdefault("__doc__", "A model.")
        parts.setdefault("force", lambda self, wheel, state, step: {})
        simhost.model(kind, name)(type("Wrong", (), parts))

    for options, text in [
        ({"name": "wrong"}, "expected VENDOR/CLASS"),
        ({"name": "test/a b"}, "a b"),
        ({"kind": "tyre"}, "expected one of friction, dynamics, controller, sensor, actuator, environment, fleet, observer"),
        ({"kind": "controller"}, "has no method 'control'"),
        ({"perceives": True}, "'test/wrong' perceives the world around a vehicle, as its attribute 'perceives' says"),
        ({"memory": lambda self: []}, "has memory in addition to its states"),
        ({"inputs": ["speed"]}, "'speed' of 'test/wrong' is not a quantity of the host"),
        ({"__doc__": ""}, "no docstring"),
        ({"mu": Parameter(2.0, "1", "Friction.", low=0.0, high=1.0)}, "mu"),
        ({"outputs": [Port("fx", "N", "Again.")]}, "fx"),
    ]:
        with pytest.raises(simhost.ModelError, match=text):
            declare(**options)
    with pytest.raises(simhost.ModelError, match="expected friction, controller or actuator .test_models.py, line"):

        @simhost.model("fleet", "test/wrong", compile=True)
        class Wrong:
            """A model."""

            def command(self, vehicles, state, step):
                return {}

    # a wrong result is a fault when it is called
    declare(name="test/empty", mu=Parameter(0.8, "1", "Friction."))
    sim = session("test/empty")
    with pytest.raises(simhost.ModelFault, match="expected a mapping with fx, fy, spin_torque"):
        sim.step(5)


def test_controllers_and_actuators_have_commands_and_ports():
    @simhost.model("controller", "test/push")
    class Push:
        """A torque on the front wheels, which is proportional to the error in speed."""

        gain = Parameter(100.0, "N·s", "Torque for an error of 1 m/s. A larger value follows the setpoint more closely.", low=0.0)
        calls = State("1", "Number of calls.")
        inputs = [
            Port("push_speed", "m/s", "Commanded speed."),
            Port("odometry_vx", "m/s", "Speed that the wheels measure."),
        ]
        outputs = [
            Port("torque_front_left", "N·m", "Torque."),
            Port("torque_front_right", "N·m", "Torque."),
            Port("steer", "rad", "Steering angle."),
        ]
        commands = {"push": ["push_speed"]}

        def control(self, vehicle, state, step):
            state.calls = state.calls + 1
            torque = self.gain * (vehicle.push_speed - vehicle.odometry_vx)
            return {"torque_front_left": torque, "torque_front_right": torque, "steer": 0.1}

    @simhost.model("actuator", "test/half")
    class Half:
        """Half of what is commanded."""

        def actuate(self, lane, state, step):
            return {"value": 0.5 * lane.command}

    plain = session(controller='class="test/push"/')
    assert plain["car"].commands == {"push": ("push_speed",)}
    plain["car"].command("push", 4.0)
    plain.step(400)
    assert plain["car"].twist[0] == pytest.approx(4.0, abs=0.5)
    assert plain["car/controller/calls"] == 400
    half = session(controller='class="test/push"/', actuator='<actuator class="test/half" port="steer"/>')
    half["car"].command("push", 4.0)
    half.step(400)
    assert half["car"].twist[2] == pytest.approx(plain["car"].twist[2] / 2, rel=0.1)


# -- each kind against the same model in Rust ---------------------------------------------------------------------


def same(world, python, rust, seconds=2.0, abs=0.0, **replaced):
    """Compares the poses and velocities of all vehicles of a world with a model in Python and with one in Rust."""
    motions = []
    for one in (python, rust):
        sim = simhost.open("same.world.xml", text=world.replace("MODEL", one), seed=5)
        for vehicle in sim.vehicles:
            for kind, values in replaced.get("commands", {}).items():
                sim[vehicle].command(kind, *values)
        sim.run_until(seconds)
        motions.append(np.array([[*sim[one].pose, *sim[one].twist] for one in sim.vehicles]))
    difference = np.abs(motions[0] - motions[1]).max()
    assert np.abs(motions[1]).max() > 0.1, "the vehicles move"
    assert difference <= abs, difference
    return motions[0]


TWO = """
<mvsim_world version="1.0"><simul_timestep>0.005</simul_timestep>WORLD
  <vehicle name="a"><init_pose>0 0 0</init_pose><init_vel>2 0 0.4</init_vel>VEHICLE</vehicle>
  <vehicle name="b"><init_pose>0 9 30</init_pose><init_vel>1 0.3 0</init_vel>VEHICLE</vehicle>
</mvsim_world>"""


def two(vehicle, world=""):
    return TWO.replace("VEHICLE", vehicle).replace("WORLD", world)


def test_friction_has_the_bits_of_the_same_model_in_rust():
    @simhost.model("friction", "test/coulomb_again")
    class Default:
        """The built-in model, without rolling resistance."""

        mu = Parameter(0.8, "1", "Friction coefficient. A larger value makes the vehicle slide less.", low=0.0, is_per_lane=True)
        C_damping = Parameter(0.01, "N·m·s/rad", "Damping. A larger value makes the vehicle coast less far.", low=0.0)
        jumps = True

        def force(self, wheel, state, step):
            grip = np.where(wheel.mu_override >= 0, wheel.mu_override, self.mu) * wheel.normal_force
            mass = wheel.normal_force / np.maximum(wheel.gravity, 1e-12) / (1 + wheel.coupling)
            fy = -wheel.vy * mass / step.dt - wheel.slope_fy
            # the wheel and its mass at the end of the step
            inertia = wheel.inertia + self.C_damping * step.dt
            spin = (wheel.inertia * wheel.spin + step.dt * wheel.torque) / inertia
            per_torque, per_force = step.dt / inertia, step.dt / np.maximum(mass, 1e-12)
            fx = (wheel.radius * spin - wheel.vx) / (wheel.radius * wheel.radius * per_torque + per_force)
            longer = np.maximum(np.maximum(np.abs(fx), np.abs(fy)), 1e-300)
            x, y = fx / longer, fy / longer
            scale = np.fmin(grip / np.sqrt(x * x + y * y) / longer, 1.0)
            turning = scale * fx
            damping = self.C_damping * (spin - per_torque * (wheel.radius * turning))
            return {"fx": turning, "fy": scale * fy, "spin_torque": -wheel.radius * turning - damping}

    drive = '<dynamics class="differential"><controller class="twist_pid"/></dynamics>'
    world = two(drive + '<friction class="MODEL"><mu>0.2</mu></friction>')
    same(world, "test/coulomb_again", "default", commands={"twist": (1.0, 0.0, 0.7)})
    # a parameter per lane: vehicles that differ share a call, and behave as alone
    mixed = world.replace("<mu>0.2</mu>", "<mu>0.05</mu>", 1)
    different = same(mixed, "test/coulomb_again", "default", commands={"twist": (1.0, 0.0, 0.7)})
    assert abs(different[0, 3] - different[1, 3]) > 1e-3


def test_a_dynamics_class_has_the_bits_of_the_same_class_in_rust():
    @simhost.model("dynamics", "test/two_wheels")
    class TwoWheels:
        """Two driven wheels on one axle."""

        wheels = [Wheel("l_wheel", 0.0, 0.5), Wheel("r_wheel", 0.0, -0.5)]
        chassis = Chassis(15.0, 0.05, 0.6, [(-0.4, -0.5), (0.4, -0.5), (0.6, -0.3), (0.6, 0.3), (0.4, 0.5), (-0.4, 0.5)])
        inputs = [
            Port("torque_left", "N·m", "Torque on the left wheel."),
            Port("torque_right", "N·m", "Torque on the right wheel."),
        ]
        measure_inputs = ["spin", "radius", "wheel_y"]
        measurements = [
            "odometry_vx",
            "odometry_vy",
            "odometry_omega",
            Port("track", "m", "Distance between the wheels."),
            Port("wheel_radius", "m", "Mean rolling radius."),
        ]

        def drive(self, vehicle, state, step):
            return {"torque": np.stack([vehicle.torque_left, vehicle.torque_right]), "steer": 0.0}

        def measure(self, vehicle, state, step):
            left, right = vehicle.spin * vehicle.radius
            track = vehicle.wheel_y[0] - vehicle.wheel_y[1]
            omega = (right - left) / track
            return {
                "odometry_vx": left + omega * vehicle.wheel_y[0],
                "odometry_vy": 0.0,
                "odometry_omega": omega,
                "track": track,
                "wheel_radius": 0.5 * (vehicle.radius[0] + vehicle.radius[1]),
            }

        def arrange(self, wheels):
            if not abs(wheels[0].y - wheels[1].y) > 1e-6:
                raise ValueError("the wheels are on one line")

    pid = '<controller class="twist_pid"><constant_torque>true</constant_torque></controller>'
    drive = f'<dynamics class="MODEL">WHEELS{pid}</dynamics>'
    world = two(drive.replace("WHEELS", ""))
    same(world, "test/two_wheels", "differential", commands={"twist": (1.0, 0.0, 0.7)}, abs=1e-12)
    wheels = '<l_wheel pos="0 0.2"/><r_wheel pos="0 0.2"/>'
    with pytest.raises(simhost.WorldError, match="the wheels are on one line .test_models.py, line") as caught:
        simhost.open("a.world.xml", text=two(drive.replace("WHEELS", wheels)).replace("MODEL", "test/two_wheels"))
    assert isinstance(caught.value.__cause__, ValueError)


def test_a_controller_and_an_actuator_have_the_bits_of_the_same_models_in_rust():
    @simhost.model("controller", "test/twist")
    class Ideal:
        """The vehicle moves exactly as commanded."""

        inputs = [
            Port("command_vx", "m/s", "Commanded forward velocity.", key="V"),
            Port("command_vy", "m/s", "Commanded leftward velocity."),
            Port("command_omega", "rad/s", "Commanded yaw rate."),
        ]
        outputs = ["twist_vx", "twist_vy", "twist_omega"]
        commands = {"twist": ["command_vx", "command_vy", "command_omega"]}

        def control(self, vehicle, state, step):
            return {"twist_vx": vehicle.command_vx, "twist_vy": vehicle.command_vy, "twist_omega": vehicle.command_omega}

    drive = '<dynamics class="differential"><controller class="MODEL"/></dynamics>'
    same(two(drive), "test/twist", "twist_ideal", commands={"twist": (1.0, 0.2, 0.7)})
    keyed = two(drive.replace("/></d", "><V>0.8</V></controller></d"))
    assert same(keyed, "test/twist", "twist_ideal")[0, 6] == 0.8

    @simhost.model("actuator", "test/limit")
    class Limit:
        """Moves towards the command at a limited rate."""

        max_rate = Parameter(1.0, "1/s", "Largest rate. A larger value makes the actuator faster.", low=0.0)
        start = Parameter(0.0, "1", "Output at the start.")
        last = State("1", "Output of the last step.", initial_from="start")

        def actuate(self, lane, state, step):
            most = self.max_rate * step.dt
            state.last = state.last + np.clip(lane.command - state.last, -most, most)
            return {"value": state.last}

    drive = '<dynamics class="differential"><actuator class="MODEL" port="twist_vx"><max_rate>0.9</max_rate></actuator>'
    drive += '<controller class="twist_ideal"/></dynamics>'
    same(two(drive), "test/limit", "rate_limit", commands={"twist": (1.0, 0.2, 0.7)}, seconds=0.5)


def test_an_actuator_publishes_the_power_that_a_battery_reads(tmp_path):
    @simhost.model("actuator", "test/lamp")
    class Lamp:
        """Passes its command on, and uses 100 W."""

        outputs = [Port("power", "W", "Electric power, positive out of the supply.")]

        def actuate(self, lane, state, step):
            return {"value": lane.command, "power": 100.0}

    world = tmp_path / "lamp.world.xml"
    world.write_text("""<mvsim_world><simul_timestep>0.01</simul_timestep><vehicle name="v"><init_pose>0 0 0</init_pose>
        <dynamics class="differential"><controller class="twist_ideal"/><actuator class="test/lamp" name="lamp" port="twist_vx"/>
        </dynamics><sensor class="battery" name="battery"><capacity>1</capacity><resistance>0</resistance>
        <sensor_period>0.01</sensor_period></sensor></vehicle></mvsim_world>""")
    session = simhost.open(world)
    session.run_until(18.0)
    assert session["v/actuator/lamp/power"] == 100.0
    # 100 W for 18 s are half of 1 Wh
    assert session["v/battery"].state_of_charge == pytest.approx(0.5, abs=1e-3)


def test_a_sensor_has_the_bits_of_the_same_sensor_in_rust():
    @simhost.model("sensor", "test/beams")
    class Beams:
        """A planar laser with noise."""

        nrays = Parameter(19, "1", "Number of rays. A larger value sees smaller things.", low=2, is_integer=True)
        fov = Parameter(180.0, "deg", "Field of view. A larger value sees more to the sides.", low=1.0, scale=np.pi / 180)
        max_range = Parameter(8.0, "m", "Largest range. A larger value sees farther.", low=0.1)
        noise = Parameter(0.01, "m", "Standard deviation of the ranges. A larger value is less exact.", low=0.0)
        aims = ["origin_z", "max_range", "angle"]
        outputs = [Port("beam", "m", "Distance.", is_per_ray=True), Port("nearest", "m", "Smallest distance.")]
        inputs = ["vx"]
        samples = State("1", "Number of samples.", kind="counter")

        def rays(self):
            return int(self.nrays)

        def aim(self, sensor, state, step):
            angles = self.fov / (step.rays - 1) * np.arange(step.rays) - 0.5 * self.fov
            return {"origin_z": 0.05, "max_range": self.max_range, "angle": angles}

        def read(self, sensor, state, step):
            noise = self.noise * step.random.normal(step.rays)
            beam = np.where(np.isfinite(sensor.range), np.maximum(sensor.range + noise, 0.0), self.max_range)
            state.samples = state.samples + 1
            return {"beam": beam, "nearest": beam.min(axis=1)}

    world = """
<mvsim_world version="1.0">
  <element class="vertical_plane"><x0>3</x0><y0>-9</y0><x1>4</x1><y1>9</y1></element>
  <vehicle name="a"><init_pose>0 0 10</init_pose><init_vel>1 0 0</init_vel>
    <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
    <sensor class="MODEL" name="laser">OPTIONS<nrays>19</nrays><max_range>8</max_range><sensor_period>0.1</sensor_period></sensor>
  </vehicle>
</mvsim_world>"""
    own = simhost.open("a.world.xml", text=world.replace("MODEL", "test/beams").replace("OPTIONS", "<noise>0.02</noise>"), seed=3)
    options = "<range_std_noise>0.02</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg>"
    rust = simhost.open("a.world.xml", text=world.replace("MODEL", "laser").replace("OPTIONS", options), seed=3)
    for one in (own, rust):
        one["a"].command("twist", 0.5, 0.0, 0.2)
        one.run_until(1.05)
    beams, ranges = own.read("a/sensor/laser/beam"), rust.read("a/sensor/laser/range")
    assert len(beams) == 19 and len(set(beams)) > 5
    np.testing.assert_array_equal(beams, ranges)
    assert own["a/sensor/laser/nearest"] == beams.min() and own["a/sensor/laser/samples"] >= 10


def test_rays_of_a_sensor_leave_the_plane():
    @simhost.model("sensor", "test/sky")
    class Sky:
        """Rays upwards and downwards, each of which knows what it meets."""

        aims = ["origin_z", "angle", "elevation", "max_range"]
        inputs = ["entity", "cos_incidence"]
        outputs = [
            Port("distance", "m", "Distance, NaN for none.", is_per_ray=True, is_unknown=True),
            Port("met", "1", "Number of the entity.", is_per_ray=True),
            Port("upright", "1", "Cosine of the incidence.", is_per_ray=True),
        ]
        rays = 3

        def aim(self, sensor, state, step):
            return {"origin_z": 2.0, "angle": 0.0, "elevation": np.radians([-30.0, -90.0, 30.0]), "max_range": 50.0}

        def read(self, sensor, state, step):
            distance = np.where(np.isfinite(sensor.range), sensor.range, np.nan)
            return {"distance": distance, "met": sensor.entity, "upright": sensor.cos_incidence}

    drive = '<dynamics class="differential"><controller class="twist_ideal"/></dynamics>'
    sim = simhost.open("a.world.xml", text=two(drive + '<sensor class="test/sky" name="sky"><sensor_period>0.1</sensor_period></sensor>'))
    sim.run_until(0.2)
    np.testing.assert_allclose(sim.read("a/sensor/sky/distance"), [4.0, 2.0, np.nan], rtol=1e-12)
    np.testing.assert_allclose(sim.read("a/sensor/sky/upright"), [0.5, 1.0, 0.0], atol=1e-12)
    assert sim.read("a/sensor/sky/met")[2] == -1


def test_a_dynamics_class_moves_on_a_circle():
    @simhost.model("dynamics", "test/unicycle")
    class Unicycle:
        """Moves with the commanded speed on a circle, exactly."""

        wheels = [Wheel("wheel", 0.0, 0.0)]
        chassis = Chassis(10.0, 0.1, 0.5, [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)])
        inputs = [
            Port("speed", "m/s", "Speed."),
            Port("turn", "rad/s", "Yaw rate.", is_required=True),
            "x", "y", "yaw", "radius",
        ]

        def motion(self, vehicle, state, step):
            yaw = vehicle.yaw + vehicle.turn * step.dt
            away = vehicle.speed / vehicle.turn
            x = vehicle.x + away * (np.sin(yaw) - np.sin(vehicle.yaw))
            y = vehicle.y - away * (np.cos(yaw) - np.cos(vehicle.yaw))
            spin = vehicle.speed / vehicle.radius
            return {"x": x, "y": y, "yaw": yaw, "vx": vehicle.speed, "vy": 0.0, "omega": vehicle.turn, "spin": spin, "steer": 0.0}

    @simhost.model("controller", "test/circle")
    class Circle:
        """Drives on a circle."""

        speed = Parameter(2.0, "m/s", "Speed. A larger value makes the circle larger.")
        turn = Parameter(0.5, "rad/s", "Yaw rate. A larger value makes the circle smaller.", low=0.01)
        outputs = [Port("speed", "m/s", "Speed."), Port("turn", "rad/s", "Yaw rate.")]

        def control(self, vehicle, state, step):
            return {"speed": self.speed, "turn": self.turn}

    drive = '<dynamics class="test/unicycle"><controller class="test/circle"/></dynamics>'
    sim = simhost.open("a.world.xml", text=two(drive))
    sim.run_until(4.0)
    assert sim["a"].pose[:4] == pytest.approx((4 * np.sin(2.0), 4 - 4 * np.cos(2.0), 0.0, 2.0), abs=1e-9)
    assert sim.read("a/wheel/*/spin")[0] * sim.read("a/wheel/*/radius")[0] == pytest.approx(2.0)


def test_models_of_two_kinds_share_a_name_and_one_replaces_that_of_its_kind():
    for speed in (1.0, 2.0):

        @simhost.model("controller", "test/same")
        class Drive:
            """Drives."""

            outputs = ["twist_vx"]
            pace = speed

            def control(self, vehicle, state, step):
                return {"twist_vx": self.pace}

    @simhost.model("actuator", "test/same")
    class Half:
        """Half of the command."""

        def actuate(self, lane, state, step):
            return {"value": 0.5 * lane.command}

    drive = '<dynamics class="differential"><actuator class="test/same" port="twist_vx"/><controller class="test/same"/></dynamics>'
    sim = simhost.open("a.world.xml", text=two(drive))
    sim.step(2)
    assert sim["a"].twist[0] == 1.0


def test_random_numbers_follow_the_seed_of_the_run():
    @simhost.model("controller", "test/drunk")
    class Drunk:
        """Drives at random."""

        random = True
        outputs = ["twist_vx", "twist_omega"]

        def control(self, vehicle, state, step):
            return {"twist_vx": step.random.uniform(), "twist_omega": step.random.normal(2).sum(axis=1)}

    drive = '<dynamics class="differential"><controller class="test/drunk"/></dynamics>'
    poses = []
    for seed in (1, 1, 2):
        sim = simhost.open("a.world.xml", text=two(drive), seed=seed)
        sim.run_until(1.0)
        poses.append(sim.read(["a/pose", "b/pose"]))
    np.testing.assert_array_equal(poses[0], poses[1])
    assert (poses[0] != poses[2]).any() and poses[0][0] != poses[0][6]


@pytest.mark.parametrize("is_invariant", [False, True])
def test_a_time_invariant_model_gets_no_time(is_invariant):
    @simhost.model("controller", f"test/timed_{int(is_invariant)}")
    class Timed:
        """Drives at 1 m/s if it does not know the time."""

        time_invariant = is_invariant
        outputs = ["twist_vx"]

        def control(self, vehicle, state, step):
            return {"twist_vx": np.where(np.isnan(step.time), 1.0, step.time)}

    drive = f'<dynamics class="differential"><controller class="test/timed_{int(is_invariant)}"/></dynamics>'
    sim = simhost.open("a.world.xml", text=two(drive))
    sim.step(2)
    np.testing.assert_allclose(sim["a"].twist[0], 1.0 if is_invariant else sim.time / 2)


def test_an_environment_has_the_bits_of_the_same_one_in_rust():
    @simhost.model("environment", "test/wind")
    class Wind:
        """Wind that has blown for some time."""

        speed = Parameter(5.0, "m/s", "Speed. A larger value pushes vehicles more.", low=0.0)
        blown = State("s", "Time for which it has blown.")
        outputs = [Port("age", "s", "Time for which it has blown.")]

        def update(self, world, state, step):
            state.blown = state.blown + step.dt
            return {"age": state.blown}

        def wind(self, point, state, step):
            assert state.blown > 0 and point.x.shape == point.z.shape
            return {"wind_x": 0.0 * point.x, "wind_y": self.speed, "wind_z": 0.0}

        def surface(self, point, state, step):
            return {"mu": np.where(point.x > 1e9, 0.1, -1.0), "c_rr": -1.0}

        def gravity(self, world, state, step):
            return {"gravity": -1.0}

    vehicle = '<dynamics class="differential"><controller class="twist_pid"/></dynamics>'
    vehicle += '<aerodynamics drag_area="1.4" side_area="9" pressure_x="0.4"/><friction><mu>0.05</mu></friction>'
    world = two(vehicle, "ENVIRONMENT")
    python = world.replace("ENVIRONMENT", '<environment class="test/wind" name="weather"><speed>20</speed></environment>')
    rust = world.replace("ENVIRONMENT", '<environment class="steady_wind"><speed>20</speed><direction>90</direction></environment>')
    same("MODEL", python, rust, abs=1e-9)
    sim = simhost.open("a.world.xml", text=python)
    sim.run_until(0.5)
    assert sim["world/environment/weather/age"] == pytest.approx(0.5)


def test_a_fleet_sees_all_its_vehicles():
    @simhost.model("fleet", "test/gather")
    class Gather:
        """Drives to the mean of all."""

        gain = Parameter(1.0, "1/s", "Speed per distance. A larger value gathers faster.", low=0.0)
        inputs = ["x", "y", "enabled"]
        outputs = [
            Port("vx", "m/s", "Forward velocity."),
            Port("spread", "m", "Largest distance to the mean."),
        ]
        commands = {"twist": ["vx", "", ""]}

        def command(self, vehicles, state, step):
            dx, dy = vehicles.x.mean() - vehicles.x, vehicles.y.mean() - vehicles.y
            return {"vx": self.gain * dx, "spread": np.hypot(dx, dy).max()}

    robots = "".join(
        f'<vehicle name="r{k}"><init_pose>{x} {y} 0</init_pose><dynamics class="differential"><controller class="twist_ideal"/>'
        "</dynamics></vehicle>"
        for k, (x, y) in enumerate([(0, 0), (8, 0), (0, 8), (8, 8)])
    )
    text = f'<mvsim_world version="1.0"><simul_timestep>0.01</simul_timestep><fleet class="test/gather" vehicles="r*"/>{robots}</mvsim_world>'
    sim = simhost.open("a.world.xml", text=text)
    sim.run_until(1.0)
    # each step multiplies the distance by 1 - dt
    expected = 4.0 - 4.0 * 0.99**100
    for name, (x, y) in {"r0": (expected, 0), "r3": (8 - expected, 8)}.items():
        assert sim[name].pose[:2] == pytest.approx((x, y), abs=1e-9)
    assert sim["r1/fleet/spread"] == pytest.approx(np.hypot(4.0 * 0.99**99, 4.0))


def test_an_observer_reads_a_run_writes_a_file_and_ends_it(tmp_path):
    @simhost.model("observer", "test/odometer")
    class Odometer:
        """Ends the run after a distance."""

        vehicle = Parameter("a", "1", "Name of the vehicle.")
        distance = Parameter(1.0, "m", "Distance to drive. A larger value makes the run longer.", low=0.0)
        stops = True

        def select(self):
            return [f"{self.vehicle}/pose"]

        def start(self, run):
            assert run.quantities[f"{self.vehicle}/pose"][:2] == ("m", "m")
            return {"run": run, "last": None, "driven": 0.0}

        def step(self, run, sample):
            place = sample[f"{self.vehicle}/pose"][:2].copy()
            if run["last"] is not None:
                run["driven"] += float(np.hypot(*(place - run["last"])))
            run["last"] = place
            if run["driven"] >= self.distance:
                return f"{self.vehicle} has driven {self.distance} m"

        def end(self, run, end):
            assert end.reason == "stop" and "has driven" in end.text
            (run["run"].folder / "odometer.csv").write_text(f"{run['driven']},{end.last.time}\n")
            return ["odometer.csv"]

    drive = '<dynamics class="differential"><controller class="twist_ideal"><V>2</V></controller></dynamics>'
    observer = '<observer class="test/odometer"><distance>1</distance></observer>'
    with simhost.open("a.world.xml", text=two(drive, observer), out=tmp_path / "out") as sim:
        sim.run_until(9.0)
        assert sim.time == pytest.approx(0.5)
    driven, time = (float(one) for one in (tmp_path / "out" / "odometer.csv").read_text().split(","))
    assert driven == pytest.approx(1.0, abs=0.011) and time == pytest.approx(0.5)
    with pytest.raises(simhost.WorldError, match="no quantity"):
        simhost.open("a.world.xml", text=two(drive, observer.replace("<distance", "<vehicle>c</vehicle><distance")))


# -- compiled with numba ---------------------------------------------------------------------------------------------


def compiled_and_plain(kind, name, cls):
    """Declares a class twice: as NAME in numpy, and as NAME_compiled."""
    pytest.importorskip("numba")
    simhost.model(kind, name)(cls)
    simhost.model(kind, f"{name}_compiled", compile=True)(cls)


def test_a_compiled_friction_model_has_the_bits_of_numpy_on_two_threads():
    compiled_and_plain("friction", "test/rubber", Rubber)
    results = {}
    for name in ("test/rubber", "test/rubber_compiled"):
        for threads in (1, 2):
            vary = {"car/velocity/vx": "uniform:1:5", "car/friction/mu": "uniform:0.1:1"}
            with simhost.Ensemble("car.world.xml", 300, text=world(name), vary=vary, seed=1, threads=threads) as ens:
                ens.step(50)
                results[name, threads] = [ens.result_hash(member) for member in range(300)]
                slid = ens.read(ens.select("car/wheel/*/slid"))
    assert len({tuple(one) for one in results.values()}) == 1
    assert (slid > 0).all() and len(set(results["test/rubber", 1])) == 300


def test_a_compiled_controller_and_actuator_have_the_bits_of_numpy():
    class Cruise:
        """Torque against the error in speed, and its integral."""

        gain = Parameter(60.0, "N·s/m", "Torque per error. A larger value follows the setpoint more closely.", low=0.0)
        share = Parameter(0.5, "1", "Share of the integral. A larger value removes the error sooner.", low=0.0)
        wound = State("m", "Integral of the error.")
        inputs = [Port("speed", "m/s", "Setpoint."), Port("odometry_vx", "m/s", "Speed.")]
        outputs = [Port(f"torque_front_{side}", "N·m", "Torque.") for side in ("left", "right")] + [Port("steer", "rad", "Angle.")]
        commands = {"cruise": ["speed"]}
        offset = 0.25

        def prepare(self):
            self.integral = self.gain * self.share

        def control(self, vehicle, state, step):
            error = vehicle.speed - vehicle.odometry_vx
            state.wound = np.clip(state.wound + error * step.dt, -2.0, 2.0)
            torque = self.gain * error + self.integral * state.wound + self.offset
            return {"torque_front_left": torque, "torque_front_right": torque, "steer": 0.02}

    class Gap:
        """A gap."""

        width = Parameter(0.01, "1", "Width. A larger value answers later.", low=0.0, is_per_lane=True)
        held = State("1", "Value.")

        def actuate(self, lane, state, step):
            if lane.command > state.held + self.width:
                state.held = lane.command - self.width
            elif lane.command < state.held - self.width:
                state.held = lane.command + self.width
            return {"value": state.held}

    pytest.importorskip("numba")
    hashes = []
    for suffix, compile in (("", False), ("_compiled", True)):
        simhost.model("controller", f"test/cruise{suffix}", compile=compile)(Cruise)
        actuator = '<actuator class="test/gap_compiled" port="steer"/>' if compile else ""
        if compile:
            simhost.model("actuator", "test/gap_compiled", compile=True)(Gap)
        sim = session(controller=f'class="test/cruise{suffix}"/', actuator=actuator, mu=0.8)
        sim["car"].command("cruise", 4.0)
        sim.step(800)
        hashes.append(sim.read(["car/controller/wound", "car/controller/torque_front_left"]))
        assert sim["car"].twist[0] == pytest.approx(4.0, abs=0.2)
    assert sim["car/wheel/fl/steer"] == pytest.approx(0.01, abs=2e-3)
    # without the actuator, the bits are those of numpy
    sim = session(controller='class="test/cruise_compiled"/', mu=0.8)
    sim["car"].command("cruise", 4.0)
    sim.step(800)
    np.testing.assert_array_equal(sim.read(["car/controller/wound", "car/controller/torque_front_left"]), hashes[0])


def test_what_cannot_be_compiled_says_why_and_where():
    pytest.importorskip("numba")

    def declare(force, **parts):
        parts = {"__doc__": "A model.", "mu": Parameter(0.8, "1", "Friction."), "force": force, **parts}
        simhost.model("friction", "test/wrong", compile=True)(type("Wrong", (), parts))

    def raises(self, wheel, state, step):
        if wheel.vx > 3:
            raise ValueError("too fast")
        return {"fx": 0.0, "fy": 0.0, "spin_torque": 0.0}

    def misspelt(self, wheel, state, step):
        return {"fx": wheel.vz, "fy": 0.0, "spin_torque": 0.0}

    def missing(self, wheel, state, step):
        return {"fx": 0.0, "fy": 0.0}

    def whole(self, wheel, state, step):
        return {"fx": len(wheel), "fy": 0.0, "spin_torque": 0.0}

    def of_arrays(self, wheel, state, step):
        return {"fx": wheel.vx.mean(), "fy": 0.0, "spin_torque": 0.0}

    def drawn(self, wheel, state, step):
        return {"fx": step.random.normal(), "fy": 0.0, "spin_torque": 0.0}

    def once(self, wheel, state, step):
        if wheel.vx > 3:
            return {"fx": 0.0, "fy": 0.0, "spin_torque": 0.0}

    def looped(self, wheel, state, step):
        for _ in range(3):
            return {"fx": 0.0, "fy": 0.0, "spin_torque": 0.0}

    for force, text in [
        (raises, "it has the statement 'raise' .test_models.py, line"),
        (misspelt, "it uses wheel.vz; expected one of vx, vy"),
        (missing, "it returns fx, fy; expected fx, fy, spin_torque"),
        (whole, "it passes 'wheel' as a whole"),
        (of_arrays, "'test/wrong' cannot be compiled: .*mean"),
        (drawn, "it uses step.random; expected one of time, dt"),
        (once, f"it does not return on every path .test_models.py, line {once.__code__.co_firstlineno + 1}"),
        (looped, f"it does not return on every path .test_models.py, line {looped.__code__.co_firstlineno + 1}"),
    ]:
        with pytest.raises(simhost.ModelError, match=text) as caught:
            declare(force)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    # a number that is not finite is a fault with the name of the model
    compiled_and_plain("friction", "test/zero", Zero)
    with pytest.raises(simhost.ModelFault, match="not finite") as caught:
        session("test/zero_compiled").step(5)
    assert caught.value.model == "test/zero_compiled" and caught.value.vehicle == "car"


CURVE = np.array([0.0, 1.0, 2.0])


def sliding(friction):
    """Two vehicles of which the second one, `b`, slides to the left."""
    vehicle = f'<dynamics class="differential"><controller class="twist_pid"/></dynamics><friction class="{friction}"/>'
    return two(vehicle)


def test_exceptions_in_compiled_code_are_faults_of_the_vehicle_and_the_step(capfd):
    numba = pytest.importorskip("numba")

    @numba.njit
    def looked_up(index):
        return CURVE[index]

    # compiled without checks, which the model does not reuse
    assert looked_up(1) == 1.0

    @numba.njit
    def limited(speed):
        if speed > 0.2:
            raise ValueError("too fast")
        return 0.0

    def of_table(self, wheel, state, step):
        state.calls = state.calls + 1.0
        return {"fx": CURVE[int(self.per_speed * abs(wheel.vy))], "fy": 0.0, "spin_torque": 0.0}

    def of_list(self, wheel, state, step):
        values = [0.0, 1.0, 2.0]
        return {"fx": values[int(20 * abs(wheel.vy))], "fy": 0.0, "spin_torque": 0.0}

    def of_helper(self, wheel, state, step):
        return {"fx": looked_up(int(20 * abs(wheel.vy))), "fy": 0.0, "spin_torque": 0.0}

    def raising(self, wheel, state, step):
        return {"fx": limited(abs(wheel.vy)), "fy": 0.0, "spin_torque": 0.0}

    for force, text in [
        (of_list, r"IndexError: .* out of range .test_models.py, line {}"),
        (of_helper, r"IndexError: index is out of bounds .test_models.py, line {}"),
        (raising, "ValueError: too fast"),
        (of_table, r"IndexError: index \d+ is out of bounds for axis 0 with size 3 .test_models.py, line {}"),
    ]:
        per_speed = Parameter(20.0, "s/m", "Places per speed. A larger value is further in the table.", low=0.0, is_per_lane=True)
        parts = {"__doc__": "A model.", "calls": State("1", "Number of calls."), "per_speed": per_speed, "force": force}
        simhost.model("friction", "test/faulty", compile=True)(type("Faulty", (), parts))
        sim = simhost.open("a.world.xml", text=sliding("test/faulty"))
        lines, first = inspect.getsourcelines(force)
        with pytest.raises(simhost.ModelFault, match=text.format(first + len(lines) - 1)) as caught:
            sim.step(5)
        assert (caught.value.vehicle, caught.value.wheel, caught.value.time) == ("b", "l", 0.0)
    # lanes with parameters of their own
    vary = {"b/friction/per_speed": [1.0, 2.0, 20.0, 3.0]}
    with simhost.Ensemble("a.world.xml", 4, text=sliding("test/faulty"), vary=vary) as ens:
        ens.step(5)
        assert [end.member for end in ens.ends] == [2] and "index 6 is out of bounds for axis 0" in ens.ends[0].text
        calls = ens.read(ens.select("b/wheel/*/calls"), dtype=np.float64)
        np.testing.assert_array_equal(calls[[0, 1, 3]], np.full((3, 2), 5.0))
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_an_exported_model_is_a_plugin_without_python(tmp_path, monkeypatch):
    pytest.importorskip("numba")
    Tyre = type("Rubber", (Rubber,), {"__doc__": Rubber.__doc__})
    simhost.model("friction", "test/rubber_plain")(Tyre)
    (tmp_path / "plugins").mkdir()
    file = simhost.export_plugin(tmp_path / "plugins" / "rubber.so", simhost.model("friction", "acme/exported")(Tyre))
    assert b"Python" not in file.read_bytes() and b"numba" not in file.read_bytes()
    # in a process that has not declared it
    code = (
        "import simhost, sys; sim = simhost.open('car.world.xml', text=sys.argv[1], plugins=[sys.argv[2]]); sim.step(100);"
        "print(sim.read('car/wheel/*/slid').tobytes().hex(), sim.read('car/twist').tobytes().hex())"
    )
    words = [sys.executable, "-c", code, world("acme/exported"), str(tmp_path / "plugins")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    sim = session("test/rubber_plain")
    sim.step(100)
    expected = sim.read("car/wheel/*/slid").tobytes().hex(), sim.read("car/twist").tobytes().hex()
    assert tuple(done.stdout.split()) == expected
    # processors without AVX compute the same bits
    monkeypatch.setattr(exporting, "_FEATURES", {"baseline": ()})
    simhost.export_plugin(file, Tyre)
    done = subprocess.run(words, capture_output=True, text=True)
    assert tuple(done.stdout.split()) == expected, done.stderr
    # an exception is a fault
    curve = np.arange(3.0)

    class Looked:
        """Reads beyond a table."""

        def force(self, wheel, state, step):
            return {"fx": curve[int(wheel.radius * 1000)], "fy": 0.0, "spin_torque": 0.0}

    file.unlink()
    simhost.export_plugin(tmp_path / "plugins" / "looked.so", simhost.model("friction", "acme/looked")(Looked))
    words[3] = world("acme/looked").replace("<mu>0.7</mu>", "")
    done = subprocess.run(words, capture_output=True, text=True)
    fault = "at 0 s, vehicle 'car', wheel rl: acme/looked (.*) panicked in `force`: a compiled method has raised an exception"
    assert re.search(fault, done.stderr), done.stderr
    with pytest.raises(simhost.ModelError, match="'prepare', which is Python"):
        prepared = type("Prepared", (Rubber,), {"__doc__": "A model.", "prepare": lambda self: None})
        simhost.export_plugin(tmp_path / "b.so", simhost.model("friction", "acme/prepared")(prepared))
    with pytest.raises(simhost.ModelError, match="is not a model"):
        simhost.export_plugin(tmp_path / "b.so", int)
    with pytest.raises(simhost.OutputError, match="cannot write .*b.so: folder not found: .*missing"):
        simhost.export_plugin(tmp_path / "missing" / "b.so", Tyre)
    listing = simhost.model("friction", "acme/listing")(type("Listing", (), {"__doc__": "A model.", "force": listed}))
    with pytest.raises(simhost.ModelError, match="a method makes a list or an array, which cannot be exported"):
        simhost.export_plugin(tmp_path / "b.so", listing)


def listed(self, wheel, state, step):
    values = [0.0, wheel.vx]
    return {"fx": values[int(wheel.radius)], "fy": 0.0, "spin_torque": 0.0}


def test_the_vehicle_that_fails_is_named_and_no_other_exception_becomes_its_cause():
    @simhost.model("friction", "test/picky")
    class Picky:
        """Fails for a wheel that slides to the left."""

        mu = Parameter(0.8, "1", "Friction coefficient.", low=0.0)

        def force(self, wheel, state, step):
            if (wheel.vy > 0.2).any():
                raise RuntimeError("slides to the left")
            return {"fx": 0.0, "fy": 0.0, "spin_torque": 0.0}

    @simhost.model("controller", "test/nan")
    class Nan:
        """Returns what is not a number."""

        outputs = ["twist_vx"]
        jumped = State("1", "Number of calls.", kind="counter")

        def control(self, vehicle, state, step):
            return {"twist_vx": np.where(step.time > 0.1, np.nan, 0.0)}

    drive = '<dynamics class="differential"><controller class="CONTROLLER"/></dynamics><friction class="test/picky"/>'
    world = two(drive)
    with pytest.raises(simhost.ModelFault, match="slides to the left") as caught:
        simhost.open("a.world.xml", text=world.replace("CONTROLLER", "twist_pid")).step(5)
    assert caught.value.vehicle == "b" and isinstance(caught.value.__cause__, RuntimeError)
    # the world disables the model that fails, and another one faults later
    policy = '<plugin_faults action="disable" on="panic"/>'
    sim = simhost.open("a.world.xml", text=world.replace("CONTROLLER", "test/nan").replace("<vehicle", policy + "<vehicle", 1))
    with pytest.raises(simhost.ModelFault, match="not finite|NaN") as caught:
        sim.run_until(1.0)
    assert caught.value.model == "test/nan" and caught.value.__cause__ is None


def test_values_of_parameters_have_the_types_of_their_defaults():
    seen = {}

    @simhost.model("actuator", "test/values")
    class Values:
        """Keeps its parameters."""

        flag = Parameter(False, "1", "A flag.")
        word = Parameter("left", "1", "A choice.", choices=["left", "right"])
        note = Parameter("", "1", "A text.")
        gains = Parameter([1.0, 2.0], "1", "A list.")
        count = Parameter(3, "1", "A number.", low=0, high=9, is_integer=True)
        limit = Parameter(None, "m", "A number without a default.")

        def prepare(self):
            seen.update(flag=self.flag, word=self.word, note=self.note, gains=self.gains, count=self.count, limit=self.limit)

        def actuate(self, lane, state, step):
            return {"value": lane.command}

    def opened(content):
        drive = f'<dynamics class="differential"><actuator class="test/values" port="torque_left">{content}</actuator>'
        return simhost.open("a.world.xml", text=two(drive + '<controller class="twist_pid"/></dynamics>'))

    opened("<limit>2</limit>").step(1)
    assert seen == {"flag": False, "word": "left", "note": "", "gains": [1.0, 2.0], "count": 3, "limit": 2.0}
    opened("<limit>2</limit><flag>true</flag><word>right</word><note>a b</note><gains>3 4 5</gains><count>7</count>")
    assert seen == {"flag": True, "word": "right", "note": "a b", "gains": [3.0, 4.0, 5.0], "count": 7, "limit": 2.0}
    for content, text in [("", "limit"), ("<limit>2</limit><word>up</word>", "left"), ("<limit>2</limit><count>1.5</count>", "count")]:
        with pytest.raises(simhost.WorldError, match=text):
            opened(content)


def test_readings_of_sensors_and_rates_of_states_reach_a_controller():
    @simhost.model("controller", "test/wall")
    class Wall:
        """Stops before a wall."""

        gap = Parameter(1.0, "m", "Distance to keep. A larger value stops earlier.", low=0.0)
        speed = State("m/s", "Speed that follows the wish.")
        inputs = [Port("range", "m", "Ranges.", is_reading=True)]
        outputs = ["twist_vx", Port("ahead", "m", "Distance ahead.", is_optional=True)]

        def control(self, vehicle, state, step):
            ahead = np.where(vehicle.range.counts > 0, vehicle.range.values[:, 9], self.gap)
            return {"twist_vx": state.speed, "ahead": ahead}

        def rates(self, vehicle, state, step):
            ahead = np.where(vehicle.range.counts > 0, vehicle.range.values[:, 9], self.gap)
            return {"speed": 4.0 * (ahead - self.gap - state.speed)}

    sim = simhost.open(
        "a.world.xml",
        text="""
<mvsim_world version="1.0"><simul_timestep>0.01</simul_timestep>
  <element class="vertical_plane"><x0>5</x0><y0>-9</y0><x1>5</x1><y1>9</y1></element>
  <vehicle name="a"><init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="test/wall"/></dynamics>
    <sensor class="laser" name="laser"><nrays>19</nrays><range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg>
    <sensor_period>0.02</sensor_period></sensor>
  </vehicle>
</mvsim_world>""",
    )
    sim.run_until(12.0)
    assert sim["a"].pose[0] == pytest.approx(4.0, abs=0.01)
    assert sim["a/controller/ahead"] == pytest.approx(1.0, abs=0.01)


@simhost.model("friction", "test/once")
class Once:
    """Raises the first exception of a list in a call, and never again."""

    mu = Parameter(0.8, "1", "Friction coefficient.", low=0.0)
    calls, at, raises, lanes = 0, 0, None, 0

    def force(self, wheel, state, step):
        Once.calls += 1
        if Once.calls >= Once.at and Once.raises and step.lanes >= Once.lanes:
            raise Once.raises.pop(0)
        return {"fx": 0.0 * wheel.vx, "fy": 0.0, "spin_torque": 0.0}


def raises_once(at, *errors, lanes=0):
    Once.calls, Once.at, Once.raises, Once.lanes = 0, at, list(errors), lanes


@pytest.mark.parametrize("at", [2, 5, 20])
def test_an_exception_that_is_raised_only_once_is_a_fault(at):
    raises_once(at, ValueError("a hiccup"))
    sim = session("test/once")
    with pytest.raises(simhost.ModelFault, match="a hiccup") as caught:
        sim.step(1000)
    assert caught.value.vehicle == "car" and isinstance(caught.value.__cause__, ValueError)
    assert caught.value.time == pytest.approx(sim.time, abs=0.006) and sim.steps < 60
    # it is the same in a later run
    sim.reset()
    assert sim.step(100) == "reached" and sim.model_faults == []


def test_an_exception_that_is_raised_only_once_is_a_fault_of_the_model_that_the_world_disables():
    raises_once(20, ValueError("a hiccup"))
    text = world("test/once").replace("<vehicle", '<plugin_faults action="disable" on="panic"/><vehicle', 1)
    sim = simhost.open("car.world.xml", text=text)
    sim.step(1000)
    (fault,) = sim.model_faults
    assert "a hiccup" in fault["text"] and fault["model"] == "test/once"


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_that_is_raised_only_once_ends_a_member(threads):
    raises_once(9, ValueError("a hiccup"), lanes=8)
    ens = simhost.Ensemble("car.world.xml", 8, text=world("test/once"), vary={"car/pose/x": np.arange(8.0)}, threads=threads)
    ens.step(64)
    # members of another thread whose calls have the same arguments can fault, too
    assert len(ens.ends) == 1 if threads == 1 else ens.ends
    for end in ens.ends:
        assert end.kind == "fault" and "a hiccup" in end.text and ens.steps[end.member] < 20
    assert sorted(ens.steps)[len(ens.ends) :] == [64] * (8 - len(ens.ends))


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("at", [1, 2, 20, 50])
def test_an_interrupt_in_a_model_ends_the_run(error, at):
    raises_once(at, error("stop"))
    sim = session("test/once")
    with pytest.raises(error, match="stop"):
        sim.step(1000)
    assert sim.steps < 1000 and sim.model_faults == []
    steps = sim.steps
    assert sim.step(1000) == "reached" and sim.steps == steps + 1000
    # the results are those of a run without it
    other = session("test/once")
    other.step(sim.steps)
    assert other.result_hash() == sim.result_hash()


def test_a_model_that_raises_an_interrupt_in_each_call_does_not_fault():
    raises_once(20, *[KeyboardInterrupt("stop") for _ in range(1000)])
    sim = session("test/once")
    with pytest.raises(KeyboardInterrupt, match="stop"):
        sim.run_until(10.0)
    assert sim.time < 10.0
    Once.raises = None


def test_a_signal_in_a_model_ends_the_run():
    program = """
import os, signal, sys, simhost
@simhost.model("friction", "test/signal")
class Signal:
    '''Gets SIGINT in a call.'''
    mu = simhost.Parameter(0.8, "1", "Friction coefficient.", low=0.0)
    calls = 0
    def force(self, wheel, state, step):
        Signal.calls += 1
        if Signal.calls == 50:
            os.kill(os.getpid(), signal.SIGINT)
        return {"fx": 0.0 * wheel.vx, "fy": 0.0, "spin_torque": 0.0}
sim = simhost.open("car.world.xml", text=sys.argv[1])
try:
    print(sim.step(1000))
except KeyboardInterrupt:
    print("interrupted", sim.step(1), sim.steps < 1000)
"""
    run = subprocess.run([sys.executable, "-c", program, world("test/signal")], capture_output=True, text=True, timeout=60)
    assert run.stdout == "interrupted reached True\n", run.stderr


@pytest.mark.parametrize(
    "call",
    [
        lambda ens: ens.step(400),
        lambda ens: ens.run_until(2.0),
        lambda ens: ens.metrics("final:car/pose", until=2.0),
        lambda ens: ens.exchange("car/cmd_vel", np.zeros((8, 3)), 400, ens.select("car/pose")),
    ],
)
def test_an_interrupt_in_a_model_ends_a_call_of_an_ensemble(call):
    ens = simhost.Ensemble("car.world.xml", 8, text=world("test/once", controller='class="twist_front_steer_pid"/'))
    raises_once(20, KeyboardInterrupt("stop"))
    with pytest.raises(KeyboardInterrupt, match="stop"):
        call(ens)
    assert not ens.has_any_ended
    ens.step(10)


def test_an_interrupt_while_a_model_is_prepared_is_raised():
    @simhost.model("friction", "test/slow_table")
    class Slow:
        """Is interrupted while it computes a table."""

        mu = Parameter(0.8, "1", "Friction coefficient.", low=0.0)

        def prepare(self):
            raise KeyboardInterrupt("stop")

        def force(self, wheel, state, step):
            return {"fx": 0.0, "fy": 0.0, "spin_torque": 0.0}

    with pytest.raises(KeyboardInterrupt, match="stop"):
        session("test/slow_table")
    assert session().step(1) == "reached"


def test_an_interrupt_in_an_observer_ends_the_run():
    seen = []

    @simhost.model("observer", "test/seen")
    class Seen:
        """Is interrupted in its third sample."""

        def select(self):
            return ["car/pose"]

        def step(self, run, sample):
            seen.append(sample.steps)
            if len(seen) == 3:
                raise KeyboardInterrupt("stop")

    text = world().replace("<vehicle", '<observer name="seen" class="test/seen"/><vehicle', 1)
    sim = simhost.open("car.world.xml", text=text)
    with pytest.raises(KeyboardInterrupt, match="stop"):
        sim.step(100)
    assert sim.steps < 100 and sim.step(5) == "reached" and len(seen) > 5
