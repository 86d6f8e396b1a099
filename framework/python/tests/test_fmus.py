"""Worlds and models as FMUs, and worlds with FMUs."""

import zipfile

import pytest
import simhost


@pytest.fixture
def library(tmp_path):
    """A file in place of the library, which nothing here loads."""
    path = tmp_path / "libsimhost_fmu.so"
    path.write_bytes(b"library")
    return path


def description(path):
    with zipfile.ZipFile(path) as archive:
        return archive.read("modelDescription.xml").decode()


def test_a_world_has_the_selected_variables(library, tmp_path):
    world = simhost.worlds.demo
    path = tmp_path / "demo.fmu"
    assert simhost.export_fmu(world, path, library=library, inputs="robot/cmd_vel", parameters="robot/controller/KP") == [path]
    text = description(path)
    for name in ("robot/cmd_vel/vx", "robot/pose[0]", "robot/twist[0]", "robot/controller/KP"):
        assert f'name="{name}"' in text
    assert 'fmiVersion="2.0"' in text and "controller/KD" not in text and "rover/cmd" not in text
    simhost.export_fmu(world, path, library=library, inputs=(), outputs=["robot/pose"], fmi=3)
    text = description(path)
    assert 'fmiVersion="3.0"' in text and "twist" not in text and 'causality="input"' not in text
    with zipfile.ZipFile(path) as archive:
        assert archive.read("binaries/x86_64-linux/simhost.so") == b"library"


def test_a_model_has_its_ports_and_page(library, tmp_path):
    paths = simhost.export_model_fmu(
        "saturation", tmp_path / "limit.fmu", parameters={"upper": 200, "lower": -1.5}, step=0.01, fmi="both", library=library
    )
    assert paths == [tmp_path / "limit.fmi2.fmu", tmp_path / "limit.fmi3.fmu"]
    for path in paths:
        text = description(path)
        assert 'name="command"' in text and 'start="200"' in text and 'start="-1.5"' in text and 'stepSize="0.01"' in text
        with zipfile.ZipFile(path) as archive:
            assert b"actuator simhost/saturation" in archive.read("documentation/index.html")
    # the same call gives the same bytes
    before = [path.read_bytes() for path in paths]
    simhost.export_model_fmu(
        "simhost/saturation",
        tmp_path / "limit.fmu",
        kind="actuator",
        parameters={"upper": 200, "lower": -1.5},
        step=0.01,
        fmi="both",
        library=library,
    )
    assert [path.read_bytes() for path in paths] == before


@pytest.mark.parametrize(
    ("error", "text", "arguments"),
    [
        (simhost.UnknownNameError, "did you mean 'saturation'", {"name": "saturatoin"}),
        (simhost.UnknownNameError, "did you mean 'upper'", {"parameters": {"uper": 1}}),
        (simhost.ModelError, "upper", {"parameters": {"upper": "high"}}),
        (simhost.ModelError, "has no default", {}),
        (simhost.ModelError, "its port `angle` of phase `aim` has a value per ray", {"name": "laser"}),
        (simhost.ModelError, "simhost.roads/1", {"name": "lane_keeping"}),
        (simhost.InputError, "expected 1 to 1", {"variant": 2}),
        (simhost.InputError, "fmi is 1; expected 2, 3 or 'both'", {"fmi": 1}),
        (simhost.InputError, "step is 0.0", {"step": 0.0}),
        (simhost.InputError, "wheels is 0", {"wheels": 0}),
        (simhost.InputError, "file not found", {"library": "nowhere.so", "parameters": {"upper": 1}}),
    ],
)
def test_wrong_models_are_refused(library, tmp_path, error, text, arguments):
    given = {"name": "saturation", "library": library, **arguments}
    with pytest.raises(error, match=text.replace("(", r"\(").replace("`", ".")):
        simhost.export_model_fmu(path=tmp_path / "x.fmu", **given)
    assert not (tmp_path / "x.fmu").exists()


def test_wrong_worlds_are_refused(library, tmp_path):
    world, path = simhost.worlds.demo, tmp_path / "x.fmu"
    with pytest.raises(simhost.UnknownNameError, match="did you mean 'robot/cmd_vel'"):
        simhost.export_fmu(world, path, inputs="robot/cmd_vol", library=library)
    with pytest.raises(simhost.WorldError):
        simhost.export_fmu(tmp_path / "nowhere.world.xml", path, library=library)
    with pytest.raises(simhost.OutputError):
        simhost.export_fmu(world, tmp_path / "no/folder/x.fmu", library=library)


@simhost.model("friction", "test/fmu_rubber")
class FmuRubber:
    """A friction model in Python."""

    def force(self, wheel, state, step):
        return {"fx": -wheel.vx, "fy": -wheel.vy, "spin_torque": 0.0}


def test_a_model_in_python_is_refused(library, tmp_path):
    with pytest.raises(simhost.ModelError, match="simhost.export_plugin"):
        simhost.export_model_fmu("test/fmu_rubber", tmp_path / "x.fmu", library=library)


def test_a_world_runs_fmus_only_if_they_are_allowed(tmp_path):
    text = """<mvsim_world><vehicle name="v"><dynamics class="differential">
        <controller class="fmu" file="x.fmu"/></dynamics></vehicle></mvsim_world>"""
    (tmp_path / "x.fmu").write_bytes(b"no archive")
    world = tmp_path / "w.world.xml"
    world.write_text(text)
    with pytest.raises(simhost.WorldError, match="contains code"):
        simhost.open(world)
    with pytest.raises(simhost.WorldError, match="contains code"):
        simhost.Ensemble(world, 2)
    for call in (lambda allow: simhost.open(world, allow=allow), lambda allow: simhost.Ensemble(world, 2, allow=allow)):
        for allow in ("fmu", "fmu-in-process", ["fmu", "shell"]):
            with pytest.raises(simhost.WorldError) as raised:
                call(allow)
            assert "contains code" not in str(raised.value)
        with pytest.raises(simhost.InputError, match="allow has 'all'; expected 'fmu', 'fmu-in-process' or 'shell'"):
            call("all")
