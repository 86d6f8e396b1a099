//! Images of cameras: a PNG file per image and sample, with the calibration and the pose of each frame.

use std::fs::File;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Compression, EncodingError, Filter};
use serde_json::{Value, json};
use simhost_streams::image::{ImageForm, ImageKind, byte};

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
            bytes(form, &channels)
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

/// Returns the PNG file of an image: `rgb` with 8 bit; depth in mm, classes and entities as 16 bit
/// grey; flow as in KITTI. There is a slice per channel with the values of all pixels.
///
/// # Errors
/// Fails if the image has no pixels or a side is too long for the format.
fn bytes(form: &ImageForm, channels: &[&[f64]]) -> Result<Vec<u8>, EncodingError> {
    let (colour, depth) = match form.kind {
        ImageKind::Rgb => (ColorType::Rgb, BitDepth::Eight),
        ImageKind::Depth | ImageKind::Class | ImageKind::Instance => {
            (ColorType::Grayscale, BitDepth::Sixteen)
        }
        ImageKind::Flow => (ColorType::Rgb, BitDepth::Sixteen),
    };
    let pixels = pixels(form, channels);
    let mut file = Vec::new();
    // a side that does not fit makes an image without pixels, which is an error
    let [width, height] =
        [form.width, form.height].map(|side| u32::try_from(side).unwrap_or_default());
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}

/// Returns the pixels row by row, big endian.
fn pixels(form: &ImageForm, channels: &[&[f64]]) -> Vec<u8> {
    match (form.kind, channels) {
        (ImageKind::Rgb, [red, green, blue]) => {
            let pixels = red.iter().zip(*green).zip(*blue);
            pixels.flat_map(|((r, g), b)| [*r, *g, *b].map(byte)).collect()
        }
        (ImageKind::Depth, [depths]) => wide(depths.iter().map(|depth| millimetres(*depth))),
        (ImageKind::Class | ImageKind::Instance, [numbers]) => {
            wide(numbers.iter().map(|number| form.number(*number)))
        }
        (ImageKind::Flow, [x, y]) => wide(x.iter().zip(*y).flat_map(|(x, y)| kitti_flow([*x, *y]))),
        _ => Vec::new(),
    }
}

fn wide(values: impl Iterator<Item = u16>) -> Vec<u8> {
    values.flat_map(u16::to_be_bytes).collect()
}

/// Returns a depth in mm; 0 for none, and 65 535 for more than 65.535 m.
fn millimetres(depth: f64) -> u16 {
    (1000.0 * depth).round() as u16
}

/// Returns a pixel of optical flow, px, as the development kit of KITTI's flow benchmark (2015) defines it:
/// 64 times the displacement plus 2¹⁵, and 1 if it is known.
fn kitti_flow(flow: [f64; 2]) -> [u16; 3] {
    if !flow.iter().all(|part| part.is_finite()) {
        return [0; 3];
    }
    let [x, y] = flow.map(|part| (64.0 * part + 32_768.0).round() as u16);
    [x, y, 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use simhost_streams::image::{Distortion, ImageKind};

    fn form(name: &str, kind: ImageKind) -> ImageForm {
        ImageForm {
            name: name.to_owned(),
            kind,
            width: 3,
            height: 2,
            first_ray: 1,
            focal: [2.0, 2.5],
            centre: [1.0, 0.5],
            distortion: Distortion::Fisheye([0.1, 0.0, 0.0, -0.01]),
            pose: [1.0, 0.0, 0.5, -1.5, 0.0, -1.5],
        }
    }

    /// Outputs with a ray before the six of the images, and a sample in which the values of an output ascend.
    fn sample() -> (Vec<(&'static str, usize)>, Vec<f64>) {
        let outputs: Vec<_> = ["count"]
            .into_iter()
            .map(|name| (name, 1))
            .chain(
                ["red", "green", "blue", "depth", "entity", "flow_x", "flow_y"]
                    .map(|name| (name, 7)),
            )
            .collect();
        let mut sample = vec![99.0];
        for first in [0.0, 50.0, 100.0] {
            sample.extend((0..7).map(|ray| first + f64::from(ray)));
        }
        sample.extend([9.0, 0.0, 0.0014, 1.0005, 65.5, 70.0, f64::NAN]);
        sample.extend([9.0, -1.0, 0.0, 1.0, 300.0, 65_534.0, 70_000.0]);
        sample.extend([0.0, 0.0, 1.0, -1.0, 600.0, -600.0, f64::NAN]);
        sample.extend([0.0, 0.0, 0.5, -0.25, 0.0, 0.0, 1.0]);
        (outputs, sample)
    }

    fn read(path: &Path) -> (png::ColorType, png::BitDepth, Vec<u8>) {
        let decoder = png::Decoder::new(std::io::BufReader::new(File::open(path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        (info.color_type, info.bit_depth, pixels)
    }

    fn numbers(path: &Path) -> Vec<u16> {
        let (.., pixels) = read(path);
        pixels.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
    }

    #[test]
    fn images_are_png_files_with_their_calibration_and_poses() {
        let folder = tempfile::tempdir().unwrap();
        let (outputs, sample) = sample();
        let kinds = [
            ("rgb", ImageKind::Rgb),
            ("depth", ImageKind::Depth),
            ("instance", ImageKind::Instance),
            ("flow", ImageKind::Flow),
        ];
        let forms: Vec<_> = kinds.iter().map(|(name, kind)| form(name, *kind)).collect();
        let forms = ImageForms::new(&forms, outputs.iter().copied()).unwrap();
        let camera = folder.path().join("car.front");
        std::fs::create_dir_all(camera.join("rgb")).unwrap();
        let old = camera.join("rgb/0000000000000000007.png");
        let kept = camera.join("rgb/mine.png");
        std::fs::write(&old, "old").unwrap();
        std::fs::write(&kept, "mine").unwrap();
        let sensors = [("car", "imu", None), ("car", "front", Some(forms.clone()))];
        let mut folders =
            ImageFolders::create(folder.path(), sensors.into_iter(), Earlier::Remove).unwrap();
        assert!(!old.exists() && kept.exists());
        assert!(!folders.has(0) && folders.has(1) && !folders.has(2));
        let shot = Shot { time: 0.1, stamp: 100_000_000, sample: &sample };
        let pose = |_: &ImageForm| [1.0, -0.0, 0.5, 1.0, 0.0, 0.0, 0.0];
        let files = folders.write(1, &shot, pose).unwrap();
        assert_eq!(files.len(), 4);
        assert!(files[0].ends_with("car.front/rgb/0000000000100000000.png"));
        let (colour, depth, pixels) = read(&files[0]);
        assert_eq!((colour, depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        assert_eq!(pixels[..6], [1, 51, 101, 2, 52, 102]);
        assert_eq!(numbers(&files[1]), [0, 1, 1001, 65_500, 65_535, 0]);
        assert_eq!(numbers(&files[2]), [65_535, 0, 1, 300, 65_534, 65_535]);
        let flow = numbers(&files[3]);
        assert_eq!(flow[..9], [32_768, 32_768, 1, 32_832, 32_800, 1, 32_704, 32_752, 1]);
        assert_eq!(flow[9..], [65_535, 32_768, 1, 0, 32_768, 1, 0, 0, 0]);
        let frames = std::fs::read_to_string(camera.join(FRAMES)).unwrap();
        let rows: Vec<&str> = frames.lines().collect();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows[0], COLUMNS.trim());
        assert_eq!(rows[2], "0.1,depth,depth/0000000000100000000.png,1,0,0.5,1,0,0,0");
        let sensors = [("car", "front", Some(forms.clone()))];
        ImageFolders::create(folder.path(), sensors.into_iter(), Earlier::Keep).unwrap();
        assert!(files[0].exists());
        assert_eq!(std::fs::read_to_string(camera.join(FRAMES)).unwrap(), frames);
        let text = std::fs::read_to_string(camera.join(CALIBRATION)).unwrap();
        let info: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(
            info["rgb"]["k"],
            serde_json::json!([2.0, 0.0, 1.0, 0.0, 2.5, 0.5, 0.0, 0.0, 1.0])
        );
        assert_eq!(info["flow"]["distortion_model"], "equidistant");
        assert_eq!(info["flow"]["pose"]["parent"], "car/base_link");
    }

    #[test]
    fn equal_samples_become_equal_files() {
        let (outputs, sample) = sample();
        let forms =
            ImageForms::new(&[form("rgb", ImageKind::Rgb)], outputs.iter().copied()).unwrap();
        let bytes = || {
            let (form, channels) = forms.of(&sample).next().unwrap();
            super::bytes(form, &channels).unwrap()
        };
        assert_eq!(bytes(), bytes());
    }

    #[test]
    fn images_without_their_outputs_are_left_out() {
        let (outputs, _) = sample();
        let long = ImageForm { height: 3, ..form("rgb", ImageKind::Rgb) };
        let empty = ImageForm { width: 0, ..form("rgb", ImageKind::Rgb) };
        let missing = form("class", ImageKind::Class);
        for forms in [&[long][..], &[empty], &[missing], &[]] {
            assert!(ImageForms::new(forms, outputs.iter().copied()).is_none());
        }
    }
}
