//! Images of cameras: a PNG file per image and sample, with the calibration and the pose of each frame.

mod png_file;

use std::fs::File;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use simhost_streams::image::ImageForm;

use crate::RecordError;
use crate::file_name::{FileNames, file_stem, remove_samples};

/// File with the calibration of the images of a sensor.
const CALIBRATION: &str = "camera_info.json";
/// File with the pose of each frame.
const FRAMES: &str = "frames.csv";
const COLUMNS: &str = "time_s,image,file,x_m,y_m,z_m,qw,qx,qy,qz\n";

/// Forms of the images of a sensor: where the values of their pixels are in a sample.
#[derive(Clone, Debug)]
pub struct ImageForms(Vec<(ImageForm, Vec<Range<usize>>)>);

impl ImageForms {
    /// Creates the forms of images in samples that hold the values of these outputs one after the
    /// other, each with its name and its number of values. Returns `None` if there is no image.
    /// Images with a missing or too short output are omitted.
    pub fn new<'o>(
        forms: &[ImageForm],
        outputs: impl Iterator<Item = (&'o str, usize)>,
    ) -> Option<Self> {
        let mut first = 0;
        let mut all: Vec<(&str, Range<usize>)> = Vec::new();
        for (name, count) in outputs {
            all.push((name, first..first + count));
            first += count;
        }
        let place = |form: &ImageForm, channel: &str| {
            let (_, place) = all.iter().find(|(name, _)| *name == channel)?;
            let start = place.start + form.first_ray;
            let end = start + form.pixels();
            (end <= place.end).then_some(start..end)
        };
        let found = forms.iter().filter_map(|form| {
            let channels = form.kind.channels().iter();
            let places: Option<Vec<_>> = channels.map(|channel| place(form, channel)).collect();
            Some((form.clone(), places?))
        });
        let found: Vec<_> = found.filter(|(form, _)| form.pixels() > 0).collect();
        (!found.is_empty()).then_some(Self(found))
    }

    /// Returns each image with the values of its channels in a sample.
    ///
    /// # Panics
    /// If the sample has fewer values than the outputs.
    pub fn of<'s>(
        &'s self,
        sample: &'s [f64],
    ) -> impl Iterator<Item = (&'s ImageForm, Vec<&'s [f64]>)> {
        self.0.iter().map(|(form, places)| {
            (form, places.iter().map(|place| &sample[place.clone()]).collect())
        })
    }

    /// Returns the forms.
    pub fn forms(&self) -> impl Iterator<Item = &ImageForm> {
        self.0.iter().map(|(form, _)| form)
    }

    /// Returns the calibration of all images as JSON: an object per image with the fields of
    /// `sensor_msgs/msg/CameraInfo`. `frame` is the name of the frame of the sensor, and `parent`
    /// the name of the frame in which the poses are given.
    fn calibration(&self, frame: &str, parent: &str) -> String {
        let object = |form: &ImageForm| {
            let info = calibration(form, frame, parent);
            let fields = info.as_object().into_iter().flatten();
            // a field per line, without a line per number
            let lines = fields.map(|(key, value)| format!("    \"{key}\": {value}"));
            let name = Value::from(form.name.as_str());
            format!("  {name}: {{\n{}\n  }}", lines.collect::<Vec<_>>().join(",\n"))
        };
        let objects: Vec<String> = self.forms().map(object).collect();
        format!("{{\n{}\n}}\n", objects.join(",\n"))
    }
}

fn calibration(form: &ImageForm, frame: &str, parent: &str) -> Value {
    let [x, y, z, yaw, pitch, roll] = form.pose.map(|value| value + 0.0);
    json!({
        "frame_id": format!("{frame}/{}", form.name),
        "width": form.width,
        "height": form.height,
        "distortion_model": form.distortion.model(),
        "d": form.distortion.coefficients(),
        "k": form.intrinsics(),
        "r": form.rectification(),
        "p": form.projection(),
        "pose": {
            "parent": parent,
            "x_m": x, "y_m": y, "z_m": z,
            "yaw_rad": yaw, "pitch_rad": pitch, "roll_rad": roll,
        },
    })
}

/// A sample of a camera.
pub struct Shot<'s> {
    /// Time at which it was taken, s.
    pub time: f64,
    /// The same in ns since the start.
    pub stamp: u64,
    /// Values of all outputs.
    pub sample: &'s [f64],
}

/// Treatment of images that are in a folder already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Earlier {
    /// They are removed, like files of an earlier run.
    Remove,
    /// They stay, and rows are added to the file of poses.
    Keep,
}

/// Opens the file of poses.
fn frames_file(path: &Path, earlier: Earlier) -> std::io::Result<File> {
    let mut file = match earlier {
        Earlier::Remove => simhost_files::create(path)?,
        Earlier::Keep => {
            simhost_files::open_in_place(path, File::options().create(true).append(true))?
        }
    };
    if file.metadata()?.len() == 0 {
        file.write_all(COLUMNS.as_bytes())?;
    }
    Ok(file)
}

/// Folder of the images of a sensor: a folder per image with `TIME.png`, the time in ns in 19 digits.
struct Folder {
    path: PathBuf,
    forms: ImageForms,
    /// Names of the folders of the images.
    images: Vec<String>,
    frames: File,
}

impl Folder {
    fn create(
        path: PathBuf,
        vehicle: &str,
        sensor: &str,
        forms: ImageForms,
        earlier: Earlier,
    ) -> Result<Self, RecordError> {
        let mut names = FileNames::default();
        let mut images = Vec::new();
        for form in forms.forms() {
            let name = names.claim_name(file_stem(&form.name));
            let folder = path.join(&name);
            simhost_files::create_folder(&path)
                .and_then(|()| simhost_files::create_folder(&folder))
                .map_err(|source| RecordError::Directory { path: folder, source })?;
            images.push(name);
        }
        if earlier == Earlier::Remove {
            remove_images(&path);
        }
        let calibration = path.join(CALIBRATION);
        let parent = if vehicle == "world" { "map" } else { &format!("{vehicle}/base_link") };
        let text = forms.calibration(&format!("{vehicle}/{sensor}"), parent);
        simhost_files::write(&calibration, text)
            .map_err(|source| RecordError::Create { path: calibration, source })?;
        let frames = path.join(FRAMES);
        match frames_file(&frames, earlier) {
            Ok(frames) => Ok(Self { path, forms, images, frames }),
            Err(source) => Err(RecordError::Create { path: frames, source }),
        }
    }

    fn write(
        &mut self,
        shot: &Shot<'_>,
        pose: impl Fn(&ImageForm) -> [f64; 7],
    ) -> Result<Vec<PathBuf>, RecordError> {
        let (mut rows, mut files) = (String::new(), Vec::new());
        for ((form, channels), image) in self.forms.of(shot.sample).zip(&self.images) {
            let file = format!("{image}/{:019}.png", shot.stamp);
            let path = self.path.join(&file);
            png_file::bytes(form, &channels)
                .map_err(std::io::Error::other)
                .and_then(|bytes| simhost_files::write(&path, bytes))
                .map_err(|source| RecordError::Write { path: path.clone(), source })?;
            let pose = pose(form).map(|value| (value + 0.0).to_string()).join(",");
            rows += &format!("{},{image},{file},{pose}\n", shot.time);
            files.push(path);
        }
        // a row per file that exists, also if the program is killed
        self.frames
            .write_all(rows.as_bytes())
            .map_err(|source| RecordError::Write { path: self.path.join(FRAMES), source })?;
        Ok(files)
    }
}

/// Folders of the images of a run, one per camera: `VEHICLE.SENSOR/IMAGE/TIME.png`.
#[derive(Default)]
pub struct ImageFolders {
    sensors: Vec<Option<Folder>>,
}

impl ImageFolders {
    /// Creates the folders of sensors in `directory`: vehicle, sensor, and the forms of its images if it gives
    /// any.
    ///
    /// # Errors
    /// [`RecordError`] if a folder or a file cannot be created.
    pub fn create<'s>(
        directory: &Path,
        sensors: impl Iterator<Item = (&'s str, &'s str, Option<ImageForms>)>,
        earlier: Earlier,
    ) -> Result<Self, RecordError> {
        let mut names = FileNames::default();
        let folders = sensors.map(|(vehicle, sensor, forms)| {
            let Some(forms) = forms else { return Ok(None) };
            let path = directory.join(names.claim_folder(vehicle, sensor));
            Folder::create(path, vehicle, sensor, forms, earlier).map(Some)
        });
        Ok(Self { sensors: folders.collect::<Result<_, _>>()? })
    }

    /// Returns the folders.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sensors.iter().flatten().map(|folder| folder.path.as_path())
    }

    /// Returns whether a sensor gives images.
    pub fn has(&self, sensor: usize) -> bool {
        self.sensors.get(sensor).is_some_and(Option::is_some)
    }

    /// Writes the images of a sample and their rows in `frames.csv`, and returns the paths of the images. `pose`
    /// gives the pose of the optical frame of an image in the world: x, y, z, m, and the quaternion w, x, y, z.
    /// Writes nothing for a sensor without images.
    ///
    /// # Errors
    /// [`RecordError::Write`] if a file cannot be written.
    ///
    /// # Panics
    /// If the sample has fewer values than the outputs.
    pub fn write(
        &mut self,
        sensor: usize,
        shot: &Shot<'_>,
        pose: impl Fn(&ImageForm) -> [f64; 7],
    ) -> Result<Vec<PathBuf>, RecordError> {
        match self.sensors.get_mut(sensor) {
            Some(Some(folder)) => folder.write(shot, pose),
            _ => Ok(Vec::new()),
        }
    }
}

/// Removes the images of an earlier run from the folders in a folder.
fn remove_images(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        remove_samples(&entry.path(), ".png");
    }
}

#[cfg(test)]
mod tests;
