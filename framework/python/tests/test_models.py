"""Models written in Python."""

import traceback

import numpy as np
import pytest
import simhost
from simhost import Parameter, Port, State

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
        ({"kind": "tyre"}, "expected one of friction, controller, actuator"),
        ({"kind": "controller"}, "has no method 'control'"),
        ({"__doc__": ""}, "no docstring"),
        ({"mu": Parameter(2.0, "1", "Friction.", low=0.0, high=1.0)}, "mu"),
        ({"outputs": [Port("fx", "N", "Again.")]}, "fx"),
    ]:
        with pytest.raises(simhost.ModelError, match=text):
            declare(**options)
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
