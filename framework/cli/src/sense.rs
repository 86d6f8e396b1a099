//! `simhost sense`: one reading of a sensor as files, with pictures.

use std::path::{Path, PathBuf};

use clap::Args;
use simhost::tables::{cloud_form, images_of, viewpoint, write_names};
use simhost::{Ended, Options, Session, Time};
use simhost_engine::{SensorInfo, Simulation, instances};
use simhost_pictures::drawing::Image;
use simhost_pictures::{depths_as_image, numbers_as_image, points_from_above, ranges_as_image};
use simhost_record::{CloudForm, Earlier, ImageFolders, RecordError, column_name, folder_name_of};
use simhost_streams::Stamp;
use simhost_streams::image::{ImageForm, ImageKind};
use simhost_world::World;

use crate::arguments::{Loading, Models};
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, interrupt, opening, run_reader, terminal, world_file};

/// Arguments of `simhost sense`.
#[derive(Args, Clone, Debug)]
pub struct Sense {
    /// World file.
    pub world: PathBuf,

    /// Sensor: `VEHICLE/SENSOR`, or `world/SENSOR` for one without a vehicle.
    #[arg(long, value_name = "SENSOR")]
    pub sensor: String,

    /// Simulated time from which the next sample is taken, s.
    #[arg(long, value_name = "S", default_value = "0", value_parser = crate::arguments::not_negative)]
    #[arg(allow_hyphen_values = true)]
    pub at: f64,

    /// Folder for the reading and its pictures, which is created.
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    pub out: PathBuf,

    /// Command file: CSV rows `time_s,vehicle,kind,v1[,v2...]`.
    #[arg(long, value_name = "FILE")]
    pub commands: Option<PathBuf>,

    #[command(flatten)]
    pub models: Models,

    #[command(flatten)]
    pub loading: Loading,
}

/// Period of a sensor that is not needed, s.
const NEVER: f64 = 1e9;
/// Number of periods after which a sensor without a sample is given up.
const PATIENCE: f64 = 100.0;

/// Writes one reading of a sensor.
pub fn sense(arguments: &Sense) -> Result<Code, Failure> {
    let catalogue = catalogue::collect(&arguments.models)?;
    let options = arguments.loading.load_options();
    let loaded = world_file::load(&arguments.world, &options, &catalogue)?
        .map_err(|error| diagnostics::load_failure(&error))?;
    let mut loaded = loaded;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    silence_others(&mut loaded.world, &arguments.sensor);
    let seed = arguments.loading.seed;
    let options = Options { seed, load: options, ..Options::default() };
    let session = Session::from_loaded(loaded, catalogue, options);
    let mut session = session.map_err(diagnostics::session_failure)?;
    if let Some(commands) = &arguments.commands {
        opening::load_commands(commands, &mut session)?;
    }
    let sensor = find(session.simulation(), &arguments.sensor)?;
    wait(&mut session, sensor, arguments)?;
    let simulation = session.simulation();
    let info = &simulation.sensors()[sensor];
    let sample = simulation.samples().readings().find(|(number, _)| *number == sensor);
    let sample = sample.map(|(_, values)| values).unwrap_or_default();
    let clock = simulation.clock();
    let Stamp(stamp) = Stamp::of_step(clock.steps, clock.dt);
    let title = format!("{} at {} s", arguments.sensor, Stamp(stamp));
    let folder = arguments.out.join(folder_name_of(&info.vehicle, &info.sensor));
    create(&folder)?;
    let file = |ending: &str| folder.join(format!("{stamp:019}.{ending}"));
    if images_of(info).is_some() {
        return save_images(&session, sensor, &sample, arguments);
    }
    let Some(form) = cloud_form(info) else {
        run_reader::write(&file("csv"), &table(info, clock.time(), &sample)?)?;
        let points = scan(&session, info, &sample);
        let Some(points) = points else { return Ok(Code::Done) };
        write_image(&file("png"), &points_from_above(&title, &points))?;
        return Ok(Code::Done);
    };
    run_reader::write(&file("pcd"), &form.pcd(viewpoint(simulation, sensor), &sample))?;
    if let Some(world) = session.world().description() {
        write_names(&arguments.out, world, simulation)
            .map_err(|error| Failure::new(Code::Output, error))?;
    }
    let points = form.points(&sample);
    write_image(&file("png"), &points_from_above(&title, &points))?;
    write_image(&file("ranges.png"), &ranges(&form, &sample))?;
    Ok(Code::Done)
}

/// Disables sampling of sensors that are neither requested nor read by a model. They remain in the
/// world, so that all random draws are the same as in a run.
fn silence_others(world: &mut World, wanted: &str) {
    for vehicle in &mut world.vehicles {
        let mut sensors = vehicle.sensors.to_vec();
        for (number, sensor) in sensors.iter_mut().enumerate() {
            let by_sensors = vehicle.sensor_readings.iter().map(|one| &one.reading);
            let mut readings = vehicle.readings.iter().chain(by_sensors);
            let is_read = readings.any(|reading| reading.sensor == number);
            if !is_read && format!("{}/{}", vehicle.name, sensor.name) != wanted {
                sensor.period = NEVER;
            }
        }
        vehicle.sensors = sensors.into();
    }
    for sensor in &mut world.sensors {
        if format!("world/{}", sensor.name) != wanted {
            sensor.period = NEVER;
        }
    }
}

/// Returns the number of a sensor.
fn find(simulation: &Simulation, wanted: &str) -> Result<usize, Failure> {
    let name = |info: &SensorInfo| format!("{}/{}", info.vehicle, info.sensor);
    let names: Vec<String> = simulation.sensors().iter().map(name).collect();
    if let Some(number) = names.iter().position(|name| name == wanted) {
        return Ok(number);
    }
    let hint = match simhost_model::nearest(wanted, names.iter().map(String::as_str)) {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None if names.is_empty() => "; the world has no sensor with readings".to_owned(),
        None => String::new(),
    };
    let help = match names.is_empty() {
        true => String::new(),
        false => format!("\nhelp: name one of: {}", names.join(", ")),
    };
    Err(Failure::new(Code::Usage, format!("unknown sensor `{wanted}`{hint}{help}")))
}

/// Steps until the sensor has given its first sample at the time that was asked for or later.
fn wait(session: &mut Session, sensor: usize, arguments: &Sense) -> Result<(), Failure> {
    let dt = session.simulation().clock().dt;
    let before = Time((arguments.at - 0.5 * dt).max(0.0));
    let mut ended = session.run_until(before).map_err(diagnostics::session_failure)?;
    let period = session.world().description().map_or(1.0, |world| {
        let mounted = world.vehicles.iter().flat_map(|vehicle| vehicle.sensors.iter());
        let periods = mounted.chain(&world.sensors).map(|sensor| sensor.period);
        periods.filter(|period| *period < NEVER).fold(dt, f64::max)
    });
    let last = arguments.at + PATIENCE * period;
    loop {
        let time = session.simulation().clock().time();
        if ended != Ended::Reached || time > last {
            let text = format!("`{}` gives no sample up to {time} s", arguments.sensor);
            let help = "help: the run ends there, or the sensor has failed";
            return Err(Failure::new(Code::BadInput, format!("{text}\n{help}")));
        }
        if interrupt::is_requested() {
            return Err(Failure::new(Code::Interrupted, "interrupted"));
        }
        ended = session.run_steps(1).map_err(diagnostics::session_failure)?;
        if session.simulation().samples().is_sampled(sensor) {
            return Ok(());
        }
    }
}

/// Returns the ranges of a sample as an image: a row per ring, the highest at the top, and the columns
/// from left to right as the sensor sees them.
fn ranges(form: &CloudForm, sample: &[f64]) -> Image {
    let (rays, rows, is_clockwise) = form.ranges(sample);
    let columns = rays.len().checked_div(rows).unwrap_or(0);
    let mut image = Vec::with_capacity(rays.len());
    for row in (0..rows).rev() {
        image.extend((0..columns).map(|column| {
            let column = if is_clockwise { column } else { columns - 1 - column };
            rays[column * rows + row]
        }));
    }
    ranges_as_image(&image, columns)
}

/// Returns the points of a planar scan, m, sensor frame; `None` if the sensor gives none.
fn scan(session: &Session, info: &SensorInfo, sample: &[f64]) -> Option<Vec<[f64; 3]>> {
    let world = session.world().description()?;
    let name = format!("{}/{}/scan", info.vehicle, info.sensor);
    let streams = simhost::streams_of(world, session.simulation());
    let stream = streams.iter().find(|stream| stream.name == name)?;
    let constant = |wanted: &str| {
        let mut constants = stream.constants.iter();
        constants.find(|(name, _)| name == wanted).map(|(_, value)| *value)
    };
    let (start, spacing) = (constant("angle_min")?, constant("angle_increment")?);
    let (first, count) = info.columns.place("range")?;
    let (valid, _) = info.columns.place("valid")?;
    let is_return = |ray: &usize| sample[valid + ray] != 0.0;
    let point = |ray: usize| {
        let (sin, cos) = (start + spacing * ray as f64).sin_cos();
        let range = sample[first + ray];
        [range * cos, range * sin, 0.0]
    };
    Some((0..count).filter(is_return).map(point).collect())
}

/// Returns a sample as a table with one row.
fn table(info: &SensorInfo, time: f64, sample: &[f64]) -> Result<Vec<u8>, Failure> {
    let (mut header, mut row) = ("time_s".to_owned(), time.to_string());
    for (column, value) in info.columns.iter().zip(sample) {
        header.push(',');
        header.push_str(&column_name(column.name, column.unit, column.ray));
        row.push_str(&format!(",{}", value + 0.0));
    }
    Ok(format!("{header}\n{row}\n").into_bytes())
}

fn create(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::new(Code::Output, format!("cannot create {}: {error}", folder.display()))
    })
}

fn write_image(path: &Path, image: &Image) -> Result<(), Failure> {
    let bytes = image.png().map_err(|error| Failure::new(Code::Output, error))?;
    run_reader::write(path, &bytes)
}

/// Writes the images of a sample of a camera, and pictures of them.
fn save_images(
    session: &Session,
    sensor: usize,
    sample: &[f64],
    arguments: &Sense,
) -> Result<Code, Failure> {
    let failed = |error: RecordError| Failure::new(Code::Output, error);
    let simulation = session.simulation();
    let info = &simulation.sensors()[sensor];
    let Some(forms) = images_of(info) else { return Ok(Code::Done) };
    // the folders number the sensors of the world
    let sensors = simulation.sensors().iter().enumerate().map(|(number, info)| {
        let forms = (number == sensor).then(|| forms.clone());
        (&*info.vehicle, &*info.sensor, forms)
    });
    let mut folders =
        ImageFolders::create(&arguments.out, sensors, Earlier::Keep).map_err(failed)?;
    let files =
        simhost::tables::write_images(&mut folders, simulation, sensor, sample).map_err(failed)?;
    for file in files {
        terminal::result(&format!("wrote {}", file.display()))?;
    }
    let Some(world) = session.world().description() else { return Ok(Code::Done) };
    write_names(&arguments.out, world, simulation).map_err(failed)?;
    let names = Names { world, simulation };
    let folder: PathBuf = folders.paths().next().map(Path::to_owned).unwrap_or_default();
    let clock = simulation.clock();
    let Stamp(stamp) = Stamp::of_step(clock.steps, clock.dt);
    for (form, channels) in forms.of(sample) {
        if let Some(picture) = names.picture(form, &channels) {
            let path = folder.join(format!("{stamp:019}.{}.png", form.name));
            write_image(&path, &picture)?;
        }
    }
    Ok(Code::Done)
}

/// Names of what can be seen in a world.
struct Names<'s> {
    world: &'s World,
    simulation: &'s Simulation,
}

impl Names<'_> {
    /// Returns a picture of an image; `None` if its pixels are colours already.
    fn picture(&self, form: &ImageForm, channels: &[&[f64]]) -> Option<Image> {
        let numbers = || channels[0].iter().map(|one| u32::from(form.number(*one)));
        match form.kind {
            ImageKind::Rgb => None,
            ImageKind::Depth => Some(depths_as_image(channels[0], form.width)),
            ImageKind::Class => {
                let classes = self.simulation.classes();
                // nothing is seen where the class is 0
                let named = |number: u32| classes.get(number as usize).cloned();
                let name = |number: u32| named(number).filter(|_| number > 0);
                Some(numbers_as_image(&numbers().collect::<Vec<_>>(), form.width, name))
            }
            ImageKind::Instance => {
                let all = instances(self.world);
                let name = |number: u32| all.get(number as usize).map(|one| one.name.clone());
                Some(numbers_as_image(&numbers().collect::<Vec<_>>(), form.width, name))
            }
            ImageKind::Flow => {
                let speed = |(x, y): (&f64, &f64)| (x * x + y * y).sqrt();
                let speeds: Vec<f64> = channels[0].iter().zip(channels[1]).map(speed).collect();
                Some(ranges_as_image(&speeds, form.width))
            }
        }
    }
}
