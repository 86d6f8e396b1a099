//! Files of films.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::inset::Inset;
use super::stage::Stage;
use super::{FilmFormat, FilmOptions};
use crate::drawing::Image;
use crate::error::PictureError;
use crate::plot::{check_vehicles, largest_distance};
use crate::signals::NamedRun;

/// Takes the frames of a film.
pub enum Frames {
    /// An animated GIF.
    Gif(Box<Gif>),
    /// A process that encodes the frames.
    Ffmpeg {
        /// File that is written.
        path: PathBuf,
        /// The process.
        child: Child,
    },
    /// A folder with PNG files.
    Folder {
        /// Path of the folder.
        path: PathBuf,
        /// Number of files.
        count: usize,
    },
}

/// An animated GIF.
pub struct Gif {
    path: PathBuf,
    encoder: Option<gif::Encoder<BufWriter<File>>>,
    palette: Palette,
    rate: f64,
    /// Indices of the colours of the frame before.
    last: Vec<u8>,
    count: usize,
}

fn failed(path: &Path, source: std::io::Error) -> PictureError {
    PictureError::Write { path: path.to_owned(), source }
}

/// Writes an image as a PNG file.
pub fn write_png(path: &Path, image: &Image) -> Result<(), PictureError> {
    let bytes = image.png().map_err(|error| failed(path, std::io::Error::other(error)))?;
    std::fs::write(path, bytes).map_err(|error| failed(path, error))
}

impl Frames {
    /// Begins an animated GIF.
    pub fn gif(path: &Path, palette: Palette, rate: f64) -> Result<Self, PictureError> {
        let (last, path) = (Vec::new(), path.to_owned());
        Ok(Self::Gif(Box::new(Gif { path, encoder: None, palette, rate, last, count: 0 })))
    }

    /// Starts `ffmpeg`.
    pub fn mp4(path: &Path, [width, height]: [u32; 2], rate: f64) -> Result<Self, PictureError> {
        let started = Command::new("ffmpeg")
            .args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo"])
            .args(["-pix_fmt", "rgb24", "-s", &format!("{width}x{height}")])
            .args(["-r", &rate.to_string(), "-i", "-", "-an", "-pix_fmt", "yuv420p"])
            .args(["-movflags", "+faststart", "-f", "mp4"])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        match started {
            Ok(child) => Ok(Self::Ffmpeg { path: path.to_owned(), child }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let text = format!(
                    "cannot write {}: the program `ffmpeg` was not found\nhelp: install ffmpeg, or write \
                     an animated .gif",
                    path.display()
                );
                Err(PictureError::Film(text))
            }
            Err(error) => Err(PictureError::Film(format!("cannot start ffmpeg: {error}"))),
        }
    }

    /// Creates a folder for PNG files, and removes the files of an earlier film.
    pub fn folder(path: &Path) -> Result<Self, PictureError> {
        std::fs::create_dir_all(path).map_err(|error| failed(path, error))?;
        for entry in std::fs::read_dir(path).map_err(|error| failed(path, error))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with("frame-") && name.ends_with(".png") {
                std::fs::remove_file(entry.path()).map_err(|error| failed(path, error))?;
            }
        }
        Ok(Self::Folder { path: path.to_owned(), count: 0 })
    }

    /// Adds a frame.
    pub fn add(&mut self, image: Image) -> Result<(), PictureError> {
        match self {
            Self::Gif(gif) => gif.add(&image),
            Self::Ffmpeg { path, child } => {
                let written = child.stdin.as_mut().map(|input| input.write_all(&image.pixels));
                match written {
                    Some(Ok(())) => Ok(()),
                    _ => Err(ffmpeg_error(path, child)),
                }
            }
            Self::Folder { path, count } => {
                let file = path.join(format!("frame-{count:06}.png"));
                *count += 1;
                write_png(&file, &image)
            }
        }
    }

    /// Completes the film.
    pub fn finish(self) -> Result<(), PictureError> {
        match self {
            Self::Gif(mut gif) => {
                let Some(encoder) = gif.encoder.take() else { return Ok(()) };
                let mut file = encoder
                    .into_inner()
                    .map_err(|error| failed(&gif.path, std::io::Error::other(error)))?;
                file.flush().map_err(|error| failed(&gif.path, error))
            }
            Self::Ffmpeg { path, mut child } => {
                drop(child.stdin.take());
                match child.wait() {
                    Ok(status) if status.success() => Ok(()),
                    _ => Err(ffmpeg_error(&path, &mut child)),
                }
            }
            Self::Folder { .. } => Ok(()),
        }
    }
}

/// Returns the error that ffmpeg has printed.
fn ffmpeg_error(path: &Path, child: &mut Child) -> PictureError {
    drop(child.stdin.take());
    let mut text = String::new();
    if let Some(mut output) = child.stderr.take() {
        let _ = output.read_to_string(&mut text);
    }
    let _ = child.wait();
    let last = text.trim().lines().last().unwrap_or("it ended early").to_owned();
    PictureError::Film(format!("ffmpeg cannot write {}: {last}", path.display()))
}

impl Gif {
    /// Adds a frame: the part that differs from the frame before.
    fn add(&mut self, image: &Image) -> Result<(), PictureError> {
        let palette = &mut self.palette;
        let pixels: Vec<u8> = image
            .pixels
            .chunks_exact(3)
            .map(|rgb| palette.index([rgb[0], rgb[1], rgb[2]]))
            .collect();
        let size = [image.width as usize, image.height as usize];
        // in hundredths of a second, without an error that grows
        let hundredths = |frame: usize| (frame as f64 * 100.0 / self.rate).round() as u64;
        let delay = (hundredths(self.count + 1) - hundredths(self.count)) as u16;
        let [left, top, width, height] = changed(&self.last, &pixels, size);
        let rows = (top..top + height).flat_map(|row| {
            let start = row * size[0] + left;
            pixels[start..start + width].iter().copied()
        });
        let frame = gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            buffer: Cow::Owned(rows.collect()),
            ..gif::Frame::default()
        };
        if self.encoder.is_none() {
            self.encoder = Some(self.begin(image)?);
        }
        if let Some(encoder) = &mut self.encoder {
            let written = encoder.write_frame(&frame);
            written.map_err(|error| failed(&self.path, std::io::Error::other(error)))?;
        }
        (self.last, self.count) = (pixels, self.count + 1);
        Ok(())
    }

    fn begin(&self, image: &Image) -> Result<gif::Encoder<BufWriter<File>>, PictureError> {
        let file = File::create(&self.path).map_err(|error| failed(&self.path, error))?;
        let (width, height) = (image.width as u16, image.height as u16);
        let encoder = gif::Encoder::new(BufWriter::new(file), width, height, &self.palette.bytes());
        let encoder = encoder.and_then(|mut encoder| {
            encoder.set_repeat(gif::Repeat::Infinite)?;
            Ok(encoder)
        });
        encoder.map_err(|error| failed(&self.path, std::io::Error::other(error)))
    }
}

/// Returns left, top, width and height of the part that differs; one pixel if none does.
fn changed(last: &[u8], pixels: &[u8], [width, height]: [usize; 2]) -> [usize; 4] {
    if last.len() != pixels.len() {
        return [0, 0, width, height];
    }
    let (mut low, mut high) = ([width, height], [0, 0]);
    for (row, (old, new)) in last.chunks_exact(width).zip(pixels.chunks_exact(width)).enumerate() {
        let differs = |column: &usize| old[*column] != new[*column];
        if let Some(first) = (0..width).find(differs) {
            let end = (0..width).rev().find(differs).unwrap_or(first);
            low = [low[0].min(first), low[1].min(row)];
            high = [high[0].max(end), high[1].max(row)];
        }
    }
    match low[1] <= high[1] && low[0] <= high[0] {
        true => [low[0], low[1], high[0] - low[0] + 1, high[1] - low[1] + 1],
        false => [0, 0, 1, 1],
    }
}

/// Most frames of a film.
const MOST: f64 = 100_000.0;
/// Greatest rate of a GIF, 1/s: viewers show faster ones slowly.
const GIF_RATE: f64 = 50.0;

/// Writes a film of runs, aligned by time. Stops early if `is_stopped` returns true. Returns the number
/// of frames.
///
/// # Errors
/// [`PictureError`] if a vehicle is unknown, a run has no samples, or the film cannot be written.
pub fn film(
    runs: &[NamedRun],
    options: &FilmOptions,
    format: FilmFormat,
    path: &Path,
    is_stopped: &dyn Fn() -> bool,
) -> Result<usize, PictureError> {
    check_vehicles(runs, &options.vehicles)?;
    if let Some(named) = runs.iter().find(|named| named.run.is_empty()) {
        return Err(PictureError::Empty { run: named.run.path.display().to_string(), what: None });
    }
    let stage = Stage::new(runs, options);
    let inset = options.camera.as_deref().map(|camera| Inset::new(camera, runs)).transpose()?;
    let shoot = |time: f64| -> Result<Image, PictureError> {
        let mut frame = stage.frame(time);
        inset.as_ref().map_or(Ok(()), |inset| inset.draw(time, &mut frame))?;
        Ok(frame)
    };
    let times = times(&stage, options, format)?;
    if format == FilmFormat::Still {
        let found = largest_distance(runs, &options.vehicles);
        let time = found.map_or(stage.end, |found| found.time);
        write_png(path, &shoot(time)?)?;
        return Ok(1);
    }
    let count = times.len();
    // the background, the middle and the end have all colours
    let samples = [0.0, 0.3, 0.6, 1.0].map(|share| times[(share * (count - 1) as f64) as usize]);
    let mut sink = match format {
        FilmFormat::Gif => {
            let images: Result<Vec<Image>, _> = samples.iter().map(|time| shoot(*time)).collect();
            Frames::gif(path, Palette::of(&images?), options.rate)?
        }
        FilmFormat::Mp4 => Frames::mp4(path, stage.size(), options.rate)?,
        FilmFormat::Frames | FilmFormat::Still => Frames::folder(path)?,
    };
    for (number, time) in times.into_iter().enumerate() {
        if is_stopped() {
            sink.finish()?;
            return Ok(number);
        }
        sink.add(shoot(time)?)?;
    }
    sink.finish()?;
    Ok(count)
}

/// Returns the times of the frames, s.
fn times(
    stage: &Stage<'_>,
    options: &FilmOptions,
    format: FilmFormat,
) -> Result<Vec<f64>, PictureError> {
    let step = options.speed / options.rate;
    let count = ((stage.end - stage.start) / step + 1e-9).floor() + 1.0;
    if format == FilmFormat::Gif && options.rate > GIF_RATE {
        let text = format!(
            "a GIF cannot have {} frames per second; expected at most {GIF_RATE}\nhelp: give a smaller \
             --rate, or write .mp4",
            options.rate
        );
        return Err(PictureError::Film(text));
    }
    if count > MOST && format != FilmFormat::Still {
        let text = format!(
            "the film would have {count} frames; expected at most {MOST}\nhelp: give a greater --speed \
             or a smaller --rate"
        );
        return Err(PictureError::Film(text));
    }
    Ok((0..count as usize).map(|frame| stage.start + frame as f64 * step).collect())
}

/// Colours of a GIF.
const SIZE: usize = 256;

/// The most frequent colours of a film. Its pictures have few colours, apart from smooth edges.
pub(super) struct Palette {
    colours: Vec<[u8; 3]>,
    /// Indices of colours that have been looked up.
    known: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Returns the most frequent colours of images.
    pub fn of(images: &[Image]) -> Self {
        let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
        for pixel in images.iter().flat_map(|image| image.pixels.chunks_exact(3)) {
            *counts.entry([pixel[0], pixel[1], pixel[2]]).or_default() += 1;
        }
        let mut found: Vec<([u8; 3], usize)> = counts.into_iter().collect();
        found.sort_unstable_by_key(|(colour, count)| (std::cmp::Reverse(*count), *colour));
        found.truncate(SIZE);
        let colours: Vec<[u8; 3]> = found.into_iter().map(|(colour, _)| colour).collect();
        let known = colours.iter().enumerate().map(|(at, colour)| (*colour, at as u8)).collect();
        Self { colours, known }
    }

    /// Returns the colours as red, green and blue bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flatten().copied().collect()
    }

    /// Returns the index of the nearest colour.
    pub fn index(&mut self, colour: [u8; 3]) -> u8 {
        if let Some(known) = self.known.get(&colour) {
            return *known;
        }
        let distance = |other: &[u8; 3]| -> u32 {
            let parts = colour.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2));
            parts.sum()
        };
        let nearest = self.colours.iter().enumerate().min_by_key(|(_, other)| distance(other));
        let index = nearest.map_or(0, |(at, _)| at as u8);
        self.known.insert(colour, index);
        index
    }
}
