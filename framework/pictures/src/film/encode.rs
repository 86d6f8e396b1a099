//! Files of films.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::palette::Palette;
use crate::drawing::Image;
use crate::error::PictureError;

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
