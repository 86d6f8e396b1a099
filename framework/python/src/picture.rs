//! Pictures of sessions from above, and the values that runs have written.

use std::path::PathBuf;

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use simhost_pictures::scene::placed;
use simhost_pictures::{Picture, Scene, Shape, ShapeKind, Track};
use simhost_runs::Run;
use simhost_scene::Pose2;

use crate::arrays::vector;
use crate::errors::{Failure, raise};

/// Draws the present state of a session: surroundings, blocks, actors and vehicles.
pub fn picture(session: &simhost::Session) -> Result<Picture, Failure> {
    let Some(world) = session.world().description() else { return Ok(Picture::default()) };
    let scene = Scene::new(world);
    let mut shapes = scene.shapes;
    for mover in scene.movers {
        let mut pose = Vec::new();
        session.quantities([&mover.quantity])?.read(session.simulation(), &mut pose);
        let pose = match pose[..] {
            [x, y, _, yaw, ..] => Pose2 { x, y, yaw },
            _ => mover.start,
        };
        shapes.push(Shape { kind: ShapeKind::Movable, outline: placed(&mover.outline, pose) });
    }
    let tracks = session.simulation().vehicles().map(|vehicle| {
        let [x, y, _, yaw, ..] = vehicle.pose;
        let shape = scene.vehicles.iter().find(|shape| shape.name == vehicle.name);
        let end = shape.map_or_else(Vec::new, |shape| placed(&shape.outline, Pose2 { x, y, yaw }));
        let name = vehicle.name.to_owned();
        Track { name, points: vec![[x, y]], start: Vec::new(), end }
    });
    Ok(Picture { shapes, tracks: tracks.collect() })
}

/// Returns an image of a picture: height, width, and red, green and blue.
pub fn image<'py>(
    py: Python<'py>,
    picture: &Picture,
    scale: f32,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let image = py.detach(|| picture.image(scale));
    let shape = [image.height as usize, image.width as usize, 3];
    PyArray1::from_vec(py, image.pixels).reshape(shape)
}

/// Returns the unit of a column of a csv table, which its name shows; "1" for a pure number.
#[pyfunction]
pub fn column_unit(name: &str) -> &str {
    simhost_record::parse_column_name(name).unit
}

/// A quantity over time: name, units of its values, whether it is an array, times, s, and the values.
type Written<'py> =
    (String, Vec<String>, bool, Bound<'py, PyArray1<f64>>, Vec<Bound<'py, PyArray1<f64>>>);

/// Reads the quantities of an output folder or of an MCAP file.
#[pyfunction]
pub fn read_run(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Written<'_>>> {
    let run = py.detach(|| Run::open(&path, &|_| true));
    let run = run.map_err(|error| raise("OutputError", error))?;
    let of = |series: simhost_runs::Series| {
        let times = PyArray1::from_slice(py, &series.times);
        let columns = series.columns.into_iter().map(|column| vector(py, column));
        (series.name, series.units, series.is_array, times, columns.collect())
    };
    Ok(run.series.into_iter().map(of).collect())
}
