"""Ensembles."""

import importlib.util

import numpy as np
import pytest
import simhost

WORLD = """
<mvsim_world version="1.0">
  <simul_timestep>0.01</simul_timestep>
  <vehicle name="robot">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
  </vehicle>
</mvsim_world>
"""


def ensemble(members, **options):
    return simhost.Ensemble("robot.world.xml", members, text=WORLD, seed=3, **options)


def session(seed):
    return simhost.open("robot.world.xml", text=WORLD, seed=seed)


def commands(members):
    return np.random.default_rng(1).uniform(-1, 1, (members, 3))


def test_members_have_the_results_of_sessions():
    ens, values = ensemble(20), commands(20)
    ens.write("robot/cmd_vel", values)
    ens.step(50)
    for member in (0, 7, 19):
        alone = session(3 + member)
        alone["robot"].command("twist", *values[member])
        alone.step(50)
        assert ens.result_hash(member) == alone.result_hash()
        assert np.array_equal(ens.read("robot/pose", dtype=np.float64)[member], alone["robot"].pose)
        assert ens.to_session(member).result_hash() == alone.result_hash()
    assert ens.why_not_shared == []


def test_a_time_that_has_passed_for_all_members_is_an_error():
    ens = ensemble(3)
    ens.step(20, mask=np.array([True, False, True]))
    # the second member is still before it
    ens.run_until(0.1)
    assert ens.steps.tolist() == [20, 10, 20]
    ens.run_until(0.1)
    for time in (0.05, -1.0, float("nan")):
        with pytest.raises(simhost.InputError, match=r"cannot run until .* s: the time is 0.1 s; expected a later, finite time"):
            ens.run_until(time)
    assert ens.steps.tolist() == [20, 10, 20]


def test_memory_of_large_arrays_is_used_again_when_they_are_gone():
    ens = ensemble(3000)
    pose = ens.select(["robot/pose", "robot/twist"])
    ens.write("robot/cmd_vel", np.ones((3000, 3)))
    kept, copies = [], []
    for single in (True, False):
        for _ in range(12):
            ens.step(1)
            kept.append(ens.read(pose, dtype=np.float32 if single else np.float64)[1:])
            copies.append(kept[-1].copy())
    # a view alone keeps the memory
    assert all(np.array_equal(one, same) for one, same in zip(kept, copies, strict=True))
    assert len({one.ctypes.data for one in kept}) == len(kept)
    gone = kept.pop(12).ctypes.data
    assert ens.read(pose, dtype=np.float64)[1:].ctypes.data == gone
    kept[0][:] = 7.0
    assert np.array_equal(kept[1], copies[1])


def test_reads_are_new_arrays():
    ens = ensemble(5)
    pose = ens.select(["robot/pose", "robot/twist"])
    assert pose.width == 9
    assert pose.columns[0][:2] == ("robot/pose[0]", "m")
    first = ens.read(pose)
    assert (first.shape, first.dtype) == ((5, 9), np.float32)
    ens.write("robot/cmd_vel", np.ones((5, 3), dtype=np.float32))
    ens.step(10)
    second = ens.read(pose)
    assert not np.shares_memory(first, second)
    assert first[:, 0].max() == 0.0 < second[:, 0].min()
    out = np.empty((5, 9))
    assert ens.read(pose, out=out) is out
    assert np.array_equal(out.astype(np.float32), second)


def test_rows_are_those_of_sessions_wherever_members_are():
    ens, draw = ensemble(151, vary={"robot/pose/yaw": "uniform:-3:3"}), np.random.default_rng(2)
    # pose, twist and pose by odometry: columns, sums and constants, of which the last fills no square
    names = ["robot/pose", "robot/twist", "robot/odometry_pose", "robot/wheel/l/spin", "robot/wheel/r/spin"]
    selection = ens.select(names)
    ens.write("robot/cmd_vel", commands(151))
    for share in (1.0, 0.7, 0.05):
        ens.step(7, mask=draw.uniform(size=151) < share)
        ens.reset(mask=draw.uniform(size=151) < 0.2)
        rows, double = ens.read(selection), ens.read(selection, dtype=np.float64)
        assert np.array_equal(rows, double.astype(np.float32))
        for member in range(151):
            with ens.to_session(member) as one:
                own = np.concatenate([np.atleast_1d(one[name]) for name in names])
            assert np.array_equal(double[member], own), member


def test_exchange_is_write_step_and_read():
    one, two, values = ensemble(6), ensemble(6), commands(6)
    pose = two.select("robot/pose")
    one.write("robot/cmd_vel", values)
    one.step(7)
    assert np.array_equal(one.read("robot/pose"), two.exchange("robot/cmd_vel", values, 7, pose))


def test_arrays_of_other_layouts_are_read_in_their_order():
    one, two, values = ensemble(6), ensemble(6), commands(6)
    one.write("robot/cmd_vel", values)
    two.write("robot/cmd_vel", np.asfortranarray(values))
    one.step(5)
    two.step(5)
    assert [one.result_hash(k) for k in range(6)] == [two.result_hash(k) for k in range(6)]


def test_masks_and_resets():
    ens = ensemble(4, vary={"robot/pose/x": "uniform:0:1", "robot/cmd_vel/vx": [0.1, 0.2, 0.3, 0.4]})
    start = ens.read("robot/pose", dtype=np.float64)
    assert ens.values(2)["robot/cmd_vel/vx"] == 0.3
    mask = np.array([True, False, True, False])
    ens.step(10, mask=mask)
    assert ens.steps.tolist() == [10, 0, 10, 0]
    ens.reset(mask=mask)
    again = ens.read("robot/pose", dtype=np.float64)
    assert ens.steps.tolist() == [0, 0, 0, 0]
    assert (again[mask, 0] != start[mask, 0]).all()
    assert np.array_equal(again[~mask], start[~mask])
    ens.reset(seeds=[9, 9, 9, 9])
    assert ens.seed(3) == 9


def test_snapshots_restore_all_members():
    ens = ensemble(3)
    ens.write("robot/cmd_vel", commands(3))
    ens.step(10)
    state, before = ens.snapshot(), ens.read("robot/pose")
    ens.step(10)
    ens.restore(state)
    assert np.array_equal(ens.read("robot/pose"), before)


def test_members_end():
    ens = ensemble(2)
    ens.end_after(5)
    ens.step(10)
    assert ens.ended.tolist() == [True, True]
    assert ens.ends[1] == simhost.End(1, "duration", "it has reached the duration of the world")
    assert ens.steps.tolist() == [5, 5]


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        (np.ones((4, 2)), simhost.ShapeError, r"'robot/cmd_vel' has the shape \[4, 2\]; expected \[4, 3\]"),
        (np.ones(12), simhost.ShapeError, r"expected \[4, 3\]"),
        (np.ones((4, 3), dtype=int), simhost.DtypeError, "int64; expected float32 or float64"),
        ([[0, 0, 0]] * 4, simhost.DtypeError, "list; expected an array of numpy"),
        (np.full((4, 3), np.nan), simhost.InputError, "value 0 of member 0 is NaN; expected a finite number"),
    ],
)
def test_commands_are_checked(values, error, text):
    ens = ensemble(4)
    with pytest.raises(error, match=text):
        ens.write("robot/cmd_vel", values)


def test_names_members_and_masks_are_checked():
    ens = ensemble(4)
    with pytest.raises(simhost.UnknownNameError, match="robot/cmd_vel"):
        ens.write("robot/cmd_vle", np.ones((4, 3)))
    with pytest.raises(simhost.UnknownNameError, match="robot/pose"):
        ens.read("robot/poze")
    with pytest.raises(IndexError, match="unknown member 4; the members are 0 to 3"):
        ens.to_session(4)
    for call in (ens.to_session, ens.seed, ens.values, ens.result_hash):
        with pytest.raises(simhost.MemberError, match="unknown member -1; the members are 0 to 3"):
            call(-1)
    with pytest.raises(simhost.ShapeError, match=r"expected \[4\]"):
        ens.step(mask=np.ones(3, dtype=bool))
    with pytest.raises(simhost.DtypeError, match="expected bool"):
        ens.step(mask=np.ones(4))
    with pytest.raises(simhost.InputError, match="another ensemble"):
        ens.read(ensemble(4).select("robot/pose"))
    with pytest.raises(simhost.DtypeError, match="expected float32 or float64"):
        ens.read("robot/pose", dtype=int)
    with pytest.raises(simhost.ShapeError, match="not contiguous"):
        ens.read("robot/pose", out=np.empty((4, 12))[:, ::2])
    with pytest.raises(simhost.InputError, match="at least 1"):
        ensemble(0)
    with pytest.raises(MemoryError, match="10000000 members need about"):
        ensemble(10_000_000)
    with pytest.raises(simhost.VariationError, match="robot/friction/mu"):
        ensemble(4, vary=["robot/friction/mue=1"])
    with pytest.raises(simhost.ShapeError, match=r"'robot/pose/x' has the shape \[2\]; expected \[4\]"):
        ensemble(4, vary={"robot/pose/x": [1.0, 2.0]})
    for value, text in [(None, "the type NoneType"), ({"a": 1.0}, "the type dict"), ([1.0, "a"], "a value is not a number")]:
        with pytest.raises(simhost.VariationError, match=f"cannot vary 'robot/pose/x': .*{text}"):
            ensemble(2, vary={"robot/pose/x": value})
    out = np.empty((4, 6), dtype=np.float32)
    out.flags.writeable = False
    with pytest.raises(simhost.InputError, match="out is read-only; expected an array that can be written"):
        ens.read("robot/pose", out=out)
    ens.close()
    with pytest.raises(simhost.ClosedError):
        ens.step()


def test_numbers_of_numpy_and_series_of_pandas_are_differences():
    values = [np.float32(0.5), np.int64(2), np.array(0.25), (x for x in (1.0, 3.0))]
    expected = [[0.5, 0.5], [2.0, 2.0], [0.25, 0.25], [1.0, 3.0]]
    if importlib.util.find_spec("pandas"):
        import pandas

        values += [pandas.Series([0.5, 0.75], index=[7, 9]), pandas.Series(["1", "2"])]
        expected += [[0.5, 0.75], [1.0, 2.0]]
    for value, xs in zip(values, expected, strict=True):
        ens = ensemble(2, vary={"robot/pose/x": value})
        assert ens.read("robot/pose")[:, 0].tolist() == xs


def test_members_start_from_the_state_of_a_session():
    sim = simhost.open(simhost.worlds.demo, seed=1)
    sim["robot"].command("twist", vx=0.5, omega=0.2)
    sim.run_until(1.0)
    ens = sim.ensemble(3, vary={"robot/cmd_vel/vx": np.array([0.2, 0.5, 0.8])}, threads=2)
    for _ in range(2):
        assert ens.steps.tolist() == [sim.steps] * 3
        assert np.array_equal(ens.read("robot/pose", dtype=np.float64), np.tile(sim["robot"].pose, (3, 1)))
        ens.step(50)
        copy = sim.fork()
        copy["robot"].command("twist", vx=0.8)
        copy.step(50)
        assert ens.result_hash(2) == copy.result_hash() != ens.result_hash(1)
        ens.reset()
        assert ens.steps.tolist() == [sim.steps] * 3
        sim.step(10)
        ens.restart(sim)
    for options, error, text in [
        ({"members": 0}, simhost.InputError, "members is 0; expected at least 1"),
        ({"members": 2.5}, simhost.InputError, "members is 2.5; expected a whole number"),
        ({"members": 1, "threads": 0}, simhost.InputError, "threads is 0; expected at least 1"),
        ({"members": 10**9}, simhost.MemberMemoryError, "expected at most 8589934592"),
        ({"members": 1, "vary": ["robot/friction/um=1"]}, simhost.VariationError, "did you mean"),
    ]:
        with pytest.raises(error, match=text):
            sim.ensemble(**options)
    sim.remove("car")
    with pytest.raises(simhost.InputError, match="edit"):
        ens.restart(sim)
    with pytest.raises(simhost.SnapshotError):
        ens.restart(simhost.open(simhost.worlds.goal_blind))


def three_vehicles(friction="", rays=9):
    """A world of three vehicles that share a table unless one has other parameters."""
    vehicles = [
        f'''<vehicle name="v{k}"><init_pose>0 {20 * k} 0</init_pose><init_vel>3 2 0</init_vel>
        <dynamics class="differential"><controller class="raw"/></dynamics>
        <friction class="simhost/burckhardt" {friction if k == 1 else ""}/>
        <sensor class="laser" name="s" range_std_noise="0" nrays="{rays if k == 1 else 9}"/></vehicle>'''
        for k in range(3)
    ]
    return f'<mvsim_world version="1.0"><simul_timestep>0.01</simul_timestep>{"".join(vehicles)}</mvsim_world>'


def test_a_vehicle_with_other_parameters_is_read_by_its_name():
    vary = {"v1/friction/c1": [0.2, 1.2], "seed": [3, 3]}
    ens = simhost.Ensemble("three.world.xml", 2, text=three_vehicles(), vary=vary)
    ens.step(200)
    poses = ens.read("v1/pose", dtype=np.float64)
    for member, value in enumerate(vary["v1/friction/c1"]):
        alone = simhost.open("three.world.xml", text=three_vehicles(f'c1="{value}"'), seed=3)
        alone.step(200)
        assert np.array_equal(poses[member], alone["v1"].pose)
    assert np.array_equal(ens.read("v2/pose", dtype=np.float64)[0], ens.read("v2/pose", dtype=np.float64)[1])


def test_members_with_fewer_rays_have_no_values_for_the_others():
    vary = {"v1/sensor/s/nrays": [5, 13], "seed": [3, 3]}
    ens = simhost.Ensemble("three.world.xml", 2, text=three_vehicles(), vary=vary)
    ens.step(20)
    ranges = ens.read("v1/sensor/s/range", dtype=np.float64)
    assert ranges.shape == (2, 13)
    assert np.isnan(ranges[0]).tolist() == [False] * 5 + [True] * 8
    assert not np.isnan(ranges[1]).any()


def test_random_values_that_all_members_share_are_a_warning():
    text = WORLD.replace("<init_pose>0 0 0", "<init_pose>$f{rand()} 0 0")
    with pytest.warns(UserWarning, match=r"rand\(\) and randn\(\) are evaluated once.*a value \(robot.world.xml:5\)"):
        simhost.Ensemble("robot.world.xml", 2, text=text)
