//! The images of a camera in a corner of a film.

use std::path::{Path, PathBuf};

use simhost_runs::sensor_files;

use crate::drawing::Image;
use crate::error::PictureError;
use crate::signals::NamedRun;

/// Width of the inset in relation to the width of the film.
const SHARE: f64 = 0.28;
/// Space to the edges of the film in relation to its width.
const MARGIN: f64 = 0.02;

/// The images of a camera in a corner of a film.
pub struct Inset {
    files: Vec<(f64, PathBuf)>,
}

impl Inset {
    /// Finds the images of a camera, `VEHICLE.SENSOR` or `VEHICLE.SENSOR/IMAGE`, in the first run that has them.
    ///
    /// # Errors
    /// [`PictureError`] with the nearest name if no run has images of the camera.
    pub fn new(camera: &str, runs: &[NamedRun]) -> Result<Self, PictureError> {
        let mut names = Vec::new();
        for named in runs.iter().filter(|named| named.run.path.is_dir()) {
            for found in sensor_files(&named.run.path, "png")? {
                let is_own = found.name == camera || found.name == format!("{camera}/rgb");
                if is_own {
                    return Ok(Self { files: found.files });
                }
                names.push(found.name);
            }
        }
        let nearest = simhost_model::nearest(camera, names.iter().map(String::as_str));
        let help = match nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None if names.is_empty() => {
                "the output folders hold no images; run a world with a camera".to_owned()
            }
            None => format!("expected one of {}", names.join(", ")),
        };
        Err(PictureError::Film(format!("no run has images of `{camera}`; {help}")))
    }

    /// Draws the last image at or before a time into the lower right corner.
    ///
    /// # Errors
    /// [`PictureError`] if the image cannot be read.
    pub fn draw(&self, time: f64, to: &mut Image) -> Result<(), PictureError> {
        let last = self.files.partition_point(|(sample, _)| *sample <= time + 1e-9).checked_sub(1);
        let Some((_, path)) = last.map(|at| &self.files[at]) else { return Ok(()) };
        let image = read(path)?;
        let margin = (MARGIN * f64::from(to.width)) as u32;
        let width = (SHARE * f64::from(to.width)) as u32;
        let height = width * image.height / image.width.max(1);
        if height + 2 * margin > to.height {
            return Ok(());
        }
        let corner = [to.width - margin - width, to.height - 3 * margin - height];
        // a border of one pixel
        for y in 0..height + 2 {
            for x in 0..width + 2 {
                let is_inside = (1..=width).contains(&x) && (1..=height).contains(&y);
                let pixel = match is_inside {
                    true => {
                        let from = [
                            (x - 1) * image.width / width.max(1),
                            (y - 1) * image.height / height.max(1),
                        ];
                        pixel(&image, from)
                    }
                    false => [0x22; 3],
                };
                let at =
                    3 * ((corner[1] + y) as usize * to.width as usize + (corner[0] + x) as usize);
                if let Some(bytes) = to.pixels.get_mut(at..at + 3) {
                    bytes.copy_from_slice(&pixel);
                }
            }
        }
        Ok(())
    }
}

fn pixel(image: &Image, [x, y]: [u32; 2]) -> [u8; 3] {
    let at = 3 * (y as usize * image.width as usize + x as usize);
    [0, 1, 2].map(|channel| image.pixels[at + channel])
}

/// Reads a PNG file with colours of 8 bits; shades of grey of 16 bits lose the lower half.
fn read(path: &Path) -> Result<Image, PictureError> {
    let failed =
        |text: String| PictureError::Film(format!("cannot read {}: {text}", path.display()));
    let file = simhost_files::open(path).map_err(|error| failed(error.to_string()))?;
    let mut decoder = png::Decoder::new(std::io::BufReader::new(file));
    decoder.set_transformations(png::Transformations::STRIP_16 | png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| failed(error.to_string()))?;
    let size = reader.output_buffer_size().unwrap_or(0);
    let mut bytes = vec![0; size];
    let info = reader.next_frame(&mut bytes).map_err(|error| failed(error.to_string()))?;
    let channels = info.color_type.samples();
    let colour = |pixel: &[u8]| match channels {
        1 | 2 => [pixel[0]; 3],
        _ => [pixel[0], pixel[1], pixel[2]],
    };
    let pixels = bytes[..info.buffer_size()].chunks_exact(channels).flat_map(colour).collect();
    Ok(Image { width: info.width, height: info.height, pixels })
}
