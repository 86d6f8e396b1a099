"""Linear models."""

import numpy as np
import pytest
import simhost

# the BMW 320i of CommonRoad: distances of the axles from the centre of gravity, mass, inertia, gravity; the cornering
# stiffness per load is that of its Magic Formula
A, B, M, I, G = 1.1561957064, 1.4227170936, 1093.2952334674046, 1791.5995300122856, 9.81
STIFFNESS = 21.92

STATES = [f"car/{name}" for name in ("velocity/vy", "velocity/omega", "dynamics/steer")]


def driving(speed):
    world = f"""
    <mvsim_world version="1.0"><simul_timestep>0.001</simul_timestep>
      <vehicle name="car">
        <init_pose>3 4 180</init_pose><init_vel>{speed} 0 0</init_vel>
        <dynamics class="single_track"><controller class="steering_rate_acceleration"/></dynamics>
      </vehicle>
    </mvsim_world>"""
    sim = simhost.open("car.world.xml", text=world)
    sim.step(1)
    return sim


def closed_form(v):
    """Lateral velocity, yaw rate and steering angle of a single track with linear tyres, driven straight ahead."""
    front, rear = STIFFNESS * M * G * B / (A + B), STIFFNESS * M * G * A / (A + B)
    return np.array([
        [-(front + rear) / (M * v), (rear * B - front * A) / (M * v) - v, front / M],
        [(rear * B - front * A) / (I * v), -(front * A**2 + rear * B**2) / (I * v), front * A / I],
        [0.0, 0.0, 0.0],
    ])  # fmt: skip


@pytest.mark.parametrize("speed", [8.0, 15.0, 30.0, 45.0])
def test_the_single_track_model_has_its_closed_form_over_speed(speed):
    linear = driving(speed).linearise(
        "car/cmd_steering_rate_acceleration/steer_rate", ["car/twist", "car/dynamics/steer"], states=STATES
    )
    assert linear.dt == 0.001
    found = linear.continuous()
    expected = closed_form(speed)
    assert found.A == pytest.approx(expected, rel=1e-5, abs=1e-5)
    assert found.B == pytest.approx(np.array([[0.0], [0.0], [1.0]]), abs=1e-5)
    assert found.eigenvalues() == pytest.approx(np.sort_complex(np.linalg.eigvals(expected)), rel=1e-5, abs=1e-5)
    # the outputs are the states, after the forward velocity
    assert linear.C == pytest.approx(np.vstack([np.zeros((1, 3)), np.eye(3)]), abs=1e-9)
    assert linear.D == pytest.approx(np.zeros((4, 1)), abs=1e-9)
    assert list(linear.outputs) == ["car/twist[0]", "car/twist[1]", "car/twist[2]", "car/dynamics/steer"]
    assert linear.states == {"car/velocity/vy": "m/s", "car/velocity/omega": "rad/s", "car/dynamics/steer": "rad"}
    assert linear.inputs == {"car/cmd_steering_rate_acceleration/steer_rate": "rad/s"}
    assert max(linear.roughness.values()) < 1e-2


def test_a_longer_interval_has_the_same_rates():
    sim = driving(15.0)
    before = sim.result_hash()
    name = "car/cmd_steering_rate_acceleration/steer_rate"
    one, ten = (sim.linearise(name, states=STATES, steps=steps).continuous() for steps in (1, 50))
    assert ten.A == pytest.approx(one.A, rel=1e-5, abs=1e-5)
    assert ten.B == pytest.approx(one.B, rel=1e-5, abs=1e-5)
    assert sim.result_hash() == before and sim.steps == 1
    # without a selection, the states are poses and velocities
    whole = sim.linearise(name)
    assert list(whole.states) == [f"car/{part}" for part in ("pose/x", "pose/y", "pose/yaw", "velocity/vx", "velocity/vy", "velocity/omega")]
    rates = whole.continuous().A
    # x and y turn with the yaw angle, whose differences cross half a turn
    yaw = np.pi
    assert rates[:2, 2] == pytest.approx([-15.0 * np.sin(yaw), 15.0 * np.cos(yaw)], abs=2e-2)
    assert rates[2] == pytest.approx([0, 0, 0, 0, 0, 1], abs=1e-3)


def test_wheels_and_parameters_are_states_and_inputs():
    sim = simhost.open(simhost.worlds.demo, seed=1)
    sim["robot"].command("twist", vx=0.5, omega=0.2)
    sim.run_until(2.0)
    wheels = [quantity.name for quantity in sim.quantities("robot/wheel/*/spin")]
    linear = sim.linearise(
        ["robot/cmd_vel/vx", "robot/friction/mu"], "robot/twist", states=["robot/velocity/vx", *wheels], steps=2
    )
    assert linear.A.shape == (1 + len(wheels), 1 + len(wheels))
    assert linear.point["robot/cmd_vel/vx"] == 0.5
    # a spin that is faster accelerates the robot, and a faster command the wheels
    assert (linear.A[0, 1:3] > 0).all() and linear.B[1, 0] > 0
    assert linear.inputs["robot/cmd_vel/vx"] == "m/s"


def test_a_robot_that_accelerates_with_slip_stays_at_its_state():
    sim = simhost.open(simhost.worlds.demo, seed=1)
    sim["robot"].command("twist", vx=1.0)
    sim.step(20)
    linear = sim.linearise("robot/cmd_vel/vx", states=["robot/velocity/vx", "robot/velocity/omega"], steps=5)
    # all copies have the slip of the session, and the one without a difference is at its step
    assert max(linear.roughness.values()) < 1e-3
    ends = []
    for vx in (1.0001, 0.9999):
        copy = sim.fork()
        copy["robot"].command("twist", vx=vx)
        copy.step(5)
        ends.append(copy["robot"].twist)
    assert linear.B[:, 0] == pytest.approx(((ends[0] - ends[1]) / 2e-4)[[0, 2]], rel=1e-6, abs=1e-9)
    assert linear.B[0, 0] > 0.1


def test_outputs_that_no_state_moves_are_those_at_the_start():
    sim = simhost.open(simhost.worlds.demo, seed=1)
    sim["robot"].command("twist", vx=0.5, omega=0.2)
    sim.run_until(1.0)
    outputs = ["robot/pose", "robot/twist", "robot/controller/left_integral", "robot/controller/torque_left"]
    for steps in (1, 10):
        linear = sim.linearise("robot/cmd_vel/vx", outputs, states="robot/pose/yaw", steps=steps)
        expected = np.zeros((len(linear.outputs), 1))
        expected[list(linear.outputs).index("robot/pose[3]")] = 1.0
        assert linear.C == pytest.approx(expected, abs=1e-9)
        # only the torque is computed in a step
        last = list(linear.outputs).index("robot/controller/torque_left")
        assert linear.D[last] > 1.0 and not np.delete(linear.D, last, axis=0).any()


def test_models_become_those_of_python_control():
    control = pytest.importorskip("control")
    system = driving(15.0).linearise(
        "car/cmd_steering_rate_acceleration/steer_rate", "car/twist", states=STATES
    ).to_control()
    assert isinstance(system, control.StateSpace)
    assert system.dt == 0.001 and system.state_labels == STATES


def test_models_that_cannot_be_made_say_why():
    sim = simhost.open(simhost.worlds.demo, seed=1)
    for inputs, options, error, text in [
        ("robot/cmd_vel/vz", {}, simhost.UnknownNameError, "did you mean 'robot/cmd_vel/vx'"),
        ("robot/cmd_vel/vx", {"states": "robot/velocity/vz"}, simhost.UnknownNameError, "unknown state"),
        ("robot/cmd_vel/vx", {"states": "robot/wheel/*/spin"}, simhost.InputError, "quantities; expected one"),
        ("robot/cmd_vel/vx", {"states": []}, simhost.InputError, "no states"),
        ("robot/cmd_vel/vx", {"states": ["robot/pose/x", "robot/pose/y", "robot/pose/x"]}, simhost.InputError, "in states: 'robot/pose/x'"),
        (["robot/cmd_vel/vx"] * 2, {}, simhost.InputError, "duplicate name in inputs: 'robot/cmd_vel/vx'; expected each name once"),
        ("robot/cmd_vel/vx", {"steps": 0}, simhost.InputError, "steps is 0"),
        ("robot/cmd_vel/vx", {"step": 1.0}, simhost.InputError, "step is 1.0"),
        ("robot/cmd_vel/vx", {"outputs": "robot/twits"}, simhost.UnknownNameError, "did you mean"),
    ]:
        with pytest.raises(error, match=text):
            sim.linearise(inputs, **options)
    sim.step()
    with pytest.raises(simhost.InputError, match="computed in each step"):
        sim.linearise("robot/cmd_vel/vx", states="robot/wheel/*/normal_force".replace("*", sim.quantities("robot/wheel/*/spin")[0].name.split("/")[2]))
